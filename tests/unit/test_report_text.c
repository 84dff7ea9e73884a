#include "host/cpuid_text.h"
#include "host/msr_text.h"
#include "report/report.h"
#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
    assert_has(text, "<&>'' ");
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
        cmocka_unit_test(the_last_line_is_the_final_line),
        cmocka_unit_test(the_snapshot_can_be_read_again),
        cmocka_unit_test(tap_has_one_line_a_finding),
        cmocka_unit_test(junit_escapes_what_is_markup),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
