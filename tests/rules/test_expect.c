#include "rules/expect.h"
#include "tests/rules/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct fixture fixture;
static struct findings findings;

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, MACHINE_INTEL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_free(&fixture);
    return 0;
}

static void judge(const char *text)
{
    struct expect_error error;

    fixture_judge(&fixture, &findings);
    if (expect_judge(text, strlen(text), &fixture.platform, 20261130, &findings, &error) !=
        STATUS_OK) {
        fail_msg("line %u: %s", error.line, error.text);
    }
}

static const struct finding *find(const char *id)
{
    for (uint32_t i = 0; i < findings.count; i++) {
        if (strcmp(findings.items[i].id, id) == 0) {
            return &findings.items[i];
        }
    }
    fail_msg("no finding %s", id);
    return NULL;
}

/* Each line holds on the sound machine. */
static void true_lines_pass(void **state)
{
    static const char *const lines[] = {
        "cpus = 4",
        "ppc = 0",
        "pss.count = 4",
        "pss[0].freq_mhz = 3601",
        "pss[0].freq_mhz >= 3GHz # comment",
        "pss[1].freq_mhz = 3600MHz",
        "pss[1].freq_mhz = 3600000 kHz",
        "pss[3].control=0x800",
        "cpus=0-2 pss[1].power_mw <= 95W",
        "cpc.highest_perf in 40..44",
        "cpc.nominal_freq_mhz within 1% of 3590",
        "cpc.revision != 2",
        "cst.count > 2",
        "cst[2].type = 2",
        "cst.C2.latency_us < 100us",
        "cst.C3.latency_us <= 1ms",
        "psd.coord_type = 0xFE",
        "fadt.p_lvl2_lat > 100",
        "fadt.revision = 6",
        "clocks.tsc.hz within 1% of 3600MHz",
        "cpus=0 idle.C2.exit_ns.p99 < 10us",
        "cpus=0 idle.C2.io.exit_ns.p50 <= 5000",
        "cpus=0 idle.C1.mwait.exit_ns.max <= 1000",
        "cpus=0 idle.C2.dummy_read_ns.p50 < 2000",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        judge(lines[i]);
        if (find("EXP-001")->verdict != VERDICT_PASS) {
            fail_msg("%s: %s", lines[i], find("EXP-001")->actual);
        }
    }
}

static void false_lines_fail(void **state)
{
    static const char *const lines[] = {
        "cpus = 8",
        "pss[0].freq_mhz < 3601",
        "pss[9].freq_mhz > 0",
        "kind=P cpc.highest_perf = 42",
        "cpc.highest_perf in 50..60",
        "cpc.nominal_freq_mhz within 1% of 4000",
        "frequency.max_boost_khz > 9GHz",
        "cst.C2.latency_us = 84",
        "idle.C3.exit_ns.p99 < 1ms",
        "cpus=0 idle.C2.mwait.exit_ns.p99 < 1ms",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        judge(lines[i]);
        if (find("EXP-001")->verdict != VERDICT_FAIL) {
            fail_msg("%s: %s", lines[i], find("EXP-001")->actual);
        }
    }
}

static void a_line_names_its_cpus(void **state)
{
    (void)state;
    fixture_edit(&fixture, "ppc@2 1");
    judge("# a comment first\n\nppc = 0\r\n");
    for (uint32_t i = 0; i < findings.count; i++) {
        const struct finding *finding = &findings.items[i];

        if (strcmp(finding->id, "EXP-003") == 0 && finding->verdict == VERDICT_FAIL) {
            assert_true(cpuset_has(&finding->cpus, 2));
            assert_int_equal(cpuset_count(&finding->cpus), 1);
            assert_string_equal(finding->title, "ppc = 0");
            return;
        }
    }
    fail_msg("line 3 did not fail");
}

static void waivers_show_themselves(void **state)
{
    (void)state;
    fixture_edit(&fixture, "msr 0x1A0 0x4000850089");
    judge("waive INT-001 until 2027-01-31 \"passive cooling # 1\"\n");
    assert_int_equal(find("INT-001")->verdict, VERDICT_INFO);
    assert_non_null(
        strstr(find("INT-001")->actual, "waived until 2027-01-31 (passive cooling # 1)"));
    judge("waive INT-001 until 2026-11-29 \"passive cooling\"\n");
    assert_int_equal(find("INT-001")->verdict, VERDICT_WARN);
    assert_int_equal(find("EXP-001")->verdict, VERDICT_WARN);
    judge("waive INT-001 cpus=0-1 until 2027-01-31 \"passive cooling\"\n");
    assert_int_equal(find("INT-001")->verdict, VERDICT_WARN);
    judge("waive INT-002 until 2027-01-31 \"not needed\"\n");
    assert_int_equal(find("EXP-001")->verdict, VERDICT_INFO);
}

static void wrong_lines_are_named(void **state)
{
    static const struct {
        const char *text;
        uint32_t line;
        const char *word;
    } wrong[] = {
        {"cpus = 4\ncpc.highst_perf > 1", 2, "cpc.highest_perf"},
        {"pss[0].freq = 1", 1, "pss[0].freq_mhz"},
        {"cpus ~ 4", 1, "~"},
        {"cpus = four", 1, "four"},
        {"pss[0].freq_mhz = 3 parsec", 1, "parsec"},
        {"pss[0].freq_mhz = 3 us", 1, "MHz"},
        {"cpc.highest_perf in 3", 1, "A..B"},
        {"cpc.highest_perf within 3 of 4", 1, "percentage"},
        {"cpus=0-9 ppc = 0", 1, "0-9"},
        {"kind=X ppc = 0", 1, "X"},
        {"ppc = 0 1", 1, "1"},
        {"waive PSS-99 until 2027-01-31 \"x\"", 1, "PSS-0"},
        {"waive PSS-001 until 2027-13-31 \"x\"", 1, "2027-13-31"},
        {"waive PSS-001 until 2027-01-31", 1, "reason"},
        {"waive PSS-001 2027-01-31 \"x\"", 1, "until"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct expect_error error = {0};

        fixture_judge(&fixture, &findings);
        uint32_t count = findings.count;
        assert_int_equal(expect_judge(wrong[i].text, strlen(wrong[i].text), &fixture.platform, 0,
                                      &findings, &error),
                         STATUS_BAD_INPUT);
        assert_int_equal(findings.count, count);
        assert_int_equal(error.line, wrong[i].line);
        if (strstr(error.text, wrong[i].word) == NULL) {
            fail_msg("%s: %s", wrong[i].text, error.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(true_lines_pass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(false_lines_fail, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_names_its_cpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waivers_show_themselves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_lines_are_named, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
