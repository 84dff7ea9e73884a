#include "model/columns.h"
#include "report/ladder.h"
#include "report/report.h"
#include "report/report_text_parts.h"
#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sim_platform sim;
static char buffer[8192];

/* The EPYC 7742 under 5.11-rc4: P0 to P2, a boost that this kernel does not take into its table. */
static int set_up(void **state)
{
    struct linux_version version;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    assert_true(linux_version_parse("5.11-rc4", &version));
    platform_freeze(&sim.platform);
    linux_views_compute(&sim.platform, version);
    columns_compute(&sim.platform);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static void assert_lane(enum ladder_lane lane, const char *expected)
{
    struct ladder_walk walk = {&sim.platform, lane, UINT64_MAX, 0};
    struct textbuf text;
    struct rung rung;

    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    while (ladder_next(&walk, &rung)) {
        textbuf_printf(&text, "%lu ", rung.khz);
        ladder_name(&rung, &text);
        textbuf_string(&text, rung.is_boost ? "*;" : ";");
    }
    assert_string_equal(buffer, expected);
}

static void lanes_go_from_the_highest_to_the_lowest(void **state)
{
    (void)state;
    assert_lane(LADDER_CLAIMED, "3414550 boost by _CPC*;2250000 P0;2000000 P1;1500000 P2;");
    assert_lane(LADDER_ASSUMED, "2832275 invariance max*;2250000 P0;2000000 P1;1500000 P2;");
    assert_lane(LADDER_MEASURED, "");
    assert_string_equal(ladder_linux_version(&sim.platform), "5.11-rc4");
}

static void the_axis_holds_every_rung(void **state)
{
    struct axis axis = {.from = 15, .to = 0};

    (void)state;
    assert_true(ladder_axis(&sim.platform, 5, &axis));
    assert_true(axis.low <= 1500000 && axis.high >= 3414550);
    assert_true(axis_place(&axis, 3414550) < axis_place(&axis, 2250000));
}

static void the_text_has_a_lane_a_column(void **state)
{
    struct textbuf text;

    (void)state;
    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    report_text_ladder(&sim.platform, &text);
    assert_false(text.has_failed);
    assert_non_null(
        strstr(buffer, "   MHz  claimed                 assumed: Linux 5.11-rc4 measured\n"));
    assert_non_null(strstr(buffer, "- - 3415 boost by _CPC"));
    assert_non_null(strstr(buffer, "  2000 + === 2000 P1            === 2000 P1\n"));
    assert_non_null(strstr(buffer, "- - 2832 invariance max\n"));
    assert_non_null(strstr(buffer, "    not measured\n"));
}

/* Eight rows within a band of one character: each keeps its label, one below the other. */
static void close_rungs_keep_their_labels(void **state)
{
    static struct column_row rows[9];
    static char names[9][16];
    static struct columns columns = {.linux_version = "6.12", .count = 9, .rows = rows};
    struct textbuf text;

    (void)state;
    for (unsigned i = 0; i < 9; i++) {
        struct textbuf name;

        textbuf_init(&name, names[i], sizeof(names[i]), NULL, NULL);
        textbuf_printf(&name, "%u cores", i + 1);
        rows[i] =
            (struct column_row){.part = COLUMN_BOOST, .subject = names[i], .unit = COLUMN_KHZ};
        rows[i].measured =
            (struct column_cell){.avail = AVAIL_PRESENT, .low = 1510000 + i, .high = 1510000 + i};
    }
    sim.platform.columns = &columns;
    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    report_text_ladder(&sim.platform, &text);
    for (unsigned i = 0; i < 9; i++) {
        assert_non_null(strstr(buffer, names[i]));
    }
}

/* A row of 2^64 - 1 MHz, or of a terahertz, is in the tables, not in the picture. */
static void what_no_clock_can_be_is_not_drawn(void **state)
{
    static const uint64_t mhz[] = {UINT64_MAX, 1000000, 100001};
    const struct object_set *set = platform_object(&sim.platform.processors[0], OBJECT_PSS);
    struct pss_row *row = (struct pss_row *)(uintptr_t)&set->pss.rows[0];

    (void)state;
    for (size_t i = 0; i < sizeof(mhz) / sizeof(mhz[0]); i++) {
        row->field[PSS_FREQ_MHZ] = mhz[i];
        assert_lane(LADDER_CLAIMED, "3414550 boost by _CPC*;2000000 P1;1500000 P2;");
    }
}

/* A table of any length costs no more than a picture of LADDER_RUNGS_MAX rungs. */
static void a_long_table_is_cut(void **state)
{
    static struct column_row rows[4000];
    static struct columns columns = {.linux_version = "6.12", .count = 4000, .rows = rows};
    struct ladder_walk walk = {&sim.platform, LADDER_MEASURED, UINT64_MAX, 0};
    struct textbuf text;
    struct rung rung;
    unsigned count = 0;

    (void)state;
    for (unsigned i = 0; i < 4000; i++) {
        rows[i] = (struct column_row){.part = COLUMN_BOOST, .subject = "x", .unit = COLUMN_KHZ};
        rows[i].measured =
            (struct column_cell){.avail = AVAIL_PRESENT, .low = 1000000 + i, .high = 1000000 + i};
    }
    sim.platform.columns = &columns;
    while (ladder_next(&walk, &rung)) {
        count++;
    }
    assert_int_equal(count, LADDER_RUNGS_MAX);
    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    report_text_ladder(&sim.platform, &text);
    assert_false(text.has_failed);
}

static void without_frequencies_there_is_no_picture(void **state)
{
    static struct platform empty;
    struct axis axis = {.from = 15, .to = 0};
    struct textbuf text;

    (void)state;
    assert_false(ladder_axis(&empty, 5, &axis));
    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    report_text_ladder(&empty, &text);
    assert_int_equal(text.length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lanes_go_from_the_highest_to_the_lowest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_axis_holds_every_rung, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_text_has_a_lane_a_column, set_up, tear_down),
        cmocka_unit_test_setup_teardown(close_rungs_keep_their_labels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_no_clock_can_be_is_not_drawn, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_table_is_cut, set_up, tear_down),
        cmocka_unit_test(without_frequencies_there_is_no_picture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
