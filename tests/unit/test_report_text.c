#include "host/cpuid_text.h"
#include "host/msr_text.h"
#include "report/report.h"
#include "report/report_pages.h"
#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sim_report sample;

static int set_up(void **state)
{
    (void)state;
    sim_report_init(&sample);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_report_free(&sample);
    return 0;
}

static void assert_console_lines(const char *text)
{
    size_t column = 0;

    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            column = 0;
            continue;
        }
        assert_true(*text >= ' ' && *text <= '~');
        if (++column > 80) {
            fail_msg("a line is longer than 80 columns: ...%.40s", text - 40);
        }
    }
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

static void every_line_fits_a_console(void **state)
{
    (void)state;
    assert_console_lines(sim_report_write(&sample, report_text));
    assert_console_lines(sim_report_write(&sample, report_summary));
}

static void every_part_is_there(void **state)
{
    const char *text = sim_report_write(&sample, report_text);

    (void)state;
    assert_has(text, "Verdict     FAIL: 1 failed, 1 warning, 1 passed, 1 noted, 1 not judged");
    assert_has(text, "FAIL  TST-001 (high) The title states the requirement");
    assert_has(text, "pss#0: CPU 0-1");
    assert_has(text, "cpc#0: CPU 0-1");
    assert_has(text, "254 to 255");
    assert_has(text, "domain");
    assert_has(text, "PM timer");
    assert_has(text, "sorted: row 0 (100) before row 1");
    assert_has(text, "fault (#GP)");
    assert_has(text, "Denied");
    assert_has(text, "first read 800 ns, p99 1600");
}

/* A section stands once in the report, as its page has it, and in the order of the pages. */
static void the_report_is_its_pages_in_order(void **state)
{
    static char whole[1 << 18];
    const char *at = whole;
    unsigned sections = 0;

    (void)state;
    (void)snprintf(whole, sizeof(whole), "%s", sim_report_write(&sample, report_text));
    for (uint32_t i = 0; i < report_pages_count(); i++) {
        const struct report_page *page = report_pages_at(i);
        const char *text = sim_report_write(&sample, page->write);

        assert_console_lines(text);
        assert_true(strlen(page->title) > 4 && strlen(page->title) < 60);
        if (page->is_section) {
            const char *found = strstr(at, text);

            if (found == NULL) {
                fail_msg("the page \"%s\" is not where it should be", page->title);
            }
            assert_true(text[0] == '\0' || strstr(found + 1, text) == NULL);
            at = found + strlen(text);
            sections += text[0] == '\0' ? 0 : 1;
        }
    }
    assert_true(sections >= 12);
    assert_string_equal(at, "\nassay: 1 pass, 1 fail, 1 warn, 1 skip\n");
}

static const char *in_ranks(unsigned count)
{
    static struct finding many[12];
    struct findings findings = sample.findings;

    for (unsigned i = 0; i < count; i++) {
        many[i] = sample.findings.items[0];
    }
    findings.items = many;
    findings.count = count;
    sample.report.findings = &findings;
    (void)sim_report_write(&sample, report_summary);
    sample.report.findings = &sample.findings;
    return sample.text;
}

static unsigned occurrences(const char *text, const char *part)
{
    unsigned count = 0;

    for (; (text = strstr(text, part)) != NULL; text++) {
        count++;
    }
    return count;
}

/* One rule that many CPUs break is explained once. */
static void a_rule_is_explained_once(void **state)
{
    const char *text = in_ranks(3);

    (void)state;
    assert_int_equal(occurrences(text, "      advice    "), 1);
    assert_int_equal(occurrences(text, "      also      "), 2);
    assert_null(strstr(text, "more of this rule"));
    text = in_ranks(12);
    assert_int_equal(occurrences(text, "      also      "), 9);
    assert_has(text, "      also      3 more of this rule: report.json has each\n");
}

static void the_last_line_is_the_final_line(void **state)
{
    const char *text = sim_report_write(&sample, report_text);
    static const char line[] = "\nassay: 1 pass, 1 fail, 1 warn, 1 skip\n";

    (void)state;
    assert_string_equal(text + strlen(text) - strlen(line), line);
    assert_string_equal(sim_report_write(&sample, report_final_line), line + 1);
}

static void the_snapshot_can_be_read_again(void **state)
{
    const char *text = sim_report_write(&sample, report_snapshot_cpuid);
    struct cpuid_text cpuid;
    struct msr_text msrs;

    (void)state;
    assert_int_equal(cpuid_text_parse(text, strlen(text), &sample.sim.heap.arena, &cpuid),
                     STATUS_OK);
    assert_int_equal(cpuid.kinds_count, 1);
    assert_int_equal(cpuid.rubbish.count, 0);
    assert_int_equal(cpuid.kinds[0].leaves.count, sample.sim.platform.cpuid_kinds[0].count);
    text = sim_report_write(&sample, report_snapshot_msr);
    assert_int_equal(msr_text_parse(text, strlen(text), &sample.sim.heap.arena, &msrs), STATUS_OK);
    assert_int_equal(msrs.rubbish.count, 0);
    assert_int_equal(msrs.msrs_count, 4);
    text = sim_report_write(&sample, report_snapshot_meta);
    assert_has(text, "- vendor: q\"b");
    assert_console_lines(strstr(text, "- cpus: 3"));
}

static void tap_has_one_line_a_finding(void **state)
{
    const char *text = sim_report_write(&sample, report_tap);

    (void)state;
    assert_has(text, "TAP version 14\n1..5\nnot ok 1 - TST-001 The title");
    assert_has(text, "\nok 4 - TST-001 The title states the requirement # SKIP q\"b");
    assert_has(text, "  cpus: '0,2'\n");
    assert_has(text, "<&>'']]></script>--> ");
}

static void junit_escapes_what_is_markup(void **state)
{
    const char *text = sim_report_write(&sample, report_junit);

    (void)state;
    assert_has(text, "tests=\"5\" failures=\"1\" errors=\"0\" skipped=\"1\"");
    assert_has(text, "q&quot;b\\s???");
    assert_has(text, "&lt;&amp;&gt;");
    assert_null(strchr(text, '\x01'));
    assert_has(text, "</testsuite>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_fits_a_console),
        cmocka_unit_test(every_part_is_there),
        cmocka_unit_test(the_report_is_its_pages_in_order),
        cmocka_unit_test(a_rule_is_explained_once),
        cmocka_unit_test(the_last_line_is_the_final_line),
        cmocka_unit_test(the_snapshot_can_be_read_again),
        cmocka_unit_test(tap_has_one_line_a_finding),
        cmocka_unit_test(junit_escapes_what_is_markup),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
