#include "model/columns.h"
#include "model/linux/view.h"
#include "report/report.h"
#include "tests/sim/sim_linux.h"
#include "tests/sim/sim_report.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The three columns as a person and as a program read them. */

#define TEXT_BYTES (1U << 20)

static struct sim_platform sim;
static struct findings findings;
static char *text;

static int set_up(void **state)
{
    (void)state;
    text = malloc(TEXT_BYTES);
    return text == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    free(text);
    sim_platform_free(&sim);
    return 0;
}

static void write_out(void (*writer)(const struct report *report, struct textbuf *out))
{
    const struct build_info build = {"1.0", "v1.0", "20240827"};
    const struct report report = {
        .build = &build, .platform = &sim.platform, .findings = &findings};
    struct textbuf out;

    textbuf_init(&out, text, TEXT_BYTES, NULL, NULL);
    writer(&report, &out);
    assert_false(out.has_failed);
}

/* An EPYC 7742 under 5.11-rc4, all of it measured: P1 is not kept by CPU 3. */
static void measure_epyc(void)
{
    const struct column_measurement items[] = {
        {COLUMN_MEASURED_ACTIVE, CPU_NONE, 1, 3395000, 50},
        {COLUMN_MEASURED_ACTIVE, CPU_NONE, 4, 2250000, 50},
        {COLUMN_MEASURED_ROW, 0, 1, 1999800, 50},
        {COLUMN_MEASURED_ROW, 1, 1, 1999900, 50},
        {COLUMN_MEASURED_ROW, 2, 1, 2000100, 50},
        {COLUMN_MEASURED_ROW, 3, 1, 1500000, 50},
        {COLUMN_MEASURED_SETTLE, CPU_NONE, 0, 2999, 0},
    };
    const struct column_measurements measured = {.count = 7, .items = items};

    sim_linux_epyc_7742(&sim, 4);
    (void)sim_linux_view(&sim, "5.11-rc4");
    assert_int_equal(findings_init(&findings, &sim.heap.arena, 4, 4), STATUS_OK);
    sim.platform.columns = columns_make(&sim.platform, &measured);
    assert_non_null(sim.platform.columns);
}

static void assert_has(const char *line)
{
    if (strstr(text, line) == NULL) {
        fail_msg("\"%s\" is not in:\n%.6000s", line, strstr(text, "Claimed, assumed"));
    }
}

static void assert_console_lines(void)
{
    size_t column = 0;

    for (const char *at = text; *at != '\0'; at++) {
        column = *at == '\n' ? 0 : column + 1;
        assert_true(column <= 80);
    }
}

static void a_person_reads_three_columns(void **state)
{
    (void)state;
    measure_epyc();
    write_out(report_text);
    assert_console_lines();
    assert_has(
        "Claimed, assumed, measured\n--------------------------\nAssumed by Linux 5.11-rc4.");
    assert_has("P-states, kHz, CPU 0-3\n"
               "  maximum                            3414550         2250000         3395000 *\n");
    assert_has("P-states, kHz, CPU 3\n"
               "  P1                                 2000000         2000000         1500000 *\n"
               "    * the clock asked for is not the clock delivered\n"
               "P-states, kHz, CPU 0-2\n"
               "  P1                                 2000000         2000000 1999800-2000100\n"
               "boost by active cores, kHz, CPU 0-3\n");
    assert_has("  all cores                       not stated         2832275         2250000 *\n");
    assert_has("  P-state latency                       1000            1000            2999\n");
}

static const json_t *row_of(const json_t *rows, const char *subject)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);

        if (strcmp(json_string_value(json_object_get(row, "subject")), subject) == 0) {
            return row;
        }
    }
    fail_msg("no row \"%s\"", subject);
    return NULL;
}

static json_int_t number(const json_t *row, const char *cell, const char *key)
{
    return json_integer_value(json_object_get(json_object_get(row, cell), key));
}

static void a_program_reads_rows(void **state)
{
    json_t *root;
    const json_t *row;

    (void)state;
    measure_epyc();
    write_out(report_json);
    root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    row = row_of(json_object_get(root, "columns"), "P1");
    assert_string_equal(json_string_value(json_object_get(row, "cpus")), "3");
    assert_string_equal(json_string_value(json_object_get(row, "mark")), "differ");
    assert_int_equal(number(row, "claimed", "low_khz"), 2000000);
    assert_int_equal(number(row, "assumed", "low_khz"), 2000000);
    assert_int_equal(number(row, "measured", "high_khz"), 1500000);
    row = row_of(json_object_get(root, "columns"), "all cores");
    assert_string_equal(json_string_value(json_object_get(json_object_get(row, "claimed"), "word")),
                        "not stated");
    assert_true(json_is_false(json_object_get(json_object_get(row, "claimed"), "known")));
    json_decref(root);
}

/* Every word of a hostile firmware: the lines keep their length and the JSON stays JSON. */
static void hostile_objects_do_no_harm(void **state)
{
    static struct sim_report sample;
    json_t *root;
    size_t column = 0;

    (void)state;
    sim_report_init(&sample);
    linux_views_compute(&sample.sim.platform, LINUX_NEWEST);
    columns_compute(&sample.sim.platform);
    assert_non_null(sample.sim.platform.columns);
    for (const char *at = sim_report_write(&sample, report_text); *at != '\0'; at++) {
        column = *at == '\n' ? 0 : column + 1;
        assert_true(column <= 80);
    }
    /* Integers of 64 bits are more than a signed one holds. */
    root = json_loads(sim_report_write(&sample, report_json),
                      JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, NULL);
    assert_non_null(root);
    assert_true(json_array_size(json_object_get(root, "columns")) > 0);
    json_decref(root);
    sim_report_free(&sample);
    sim_platform_init(&sim, 1); /* for tear_down */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_person_reads_three_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_program_reads_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_objects_do_no_harm, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
