#include "model/columns.h"
#include "model/freq.h"
#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sim_platform sim;

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static const struct columns *make(const struct column_measurement *items, uint32_t count)
{
    const struct column_measurements measured = {.count = count, .items = items};
    const struct columns *columns = columns_make(&sim.platform, &measured);

    assert_non_null(columns);
    return columns;
}

/* The `nth` row of this subject. */
static const struct column_row *row_of(const struct columns *columns, const char *subject,
                                       uint32_t nth)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        if (strcmp(columns->rows[i].subject, subject) == 0 && nth-- == 0) {
            return &columns->rows[i];
        }
    }
    fail_msg("no row \"%s\"", subject);
    return NULL;
}

static bool has_row(const struct columns *columns, const char *subject)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        if (strcmp(columns->rows[i].subject, subject) == 0) {
            return true;
        }
    }
    return false;
}

static void assert_cpus(const struct column_row *row, const char *cpus)
{
    char text[64];

    (void)cpuset_format(&row->cpus, text, sizeof(text));
    assert_string_equal(text, cpus);
}

/* Half a bus clock, 0.5 %, the uncertainty: the largest. */
static void tolerance_is_the_largest_of_three(void **state)
{
    (void)state;
    assert_int_equal(column_tolerance_khz(100000, 2250000, 0), 50000);
    assert_int_equal(column_tolerance_khz(100000, 12000000, 0), 60000);
    assert_int_equal(column_tolerance_khz(100000, 2000000, 40000), 80000);
    assert_int_equal(column_tolerance_khz(0, 2000000, 100), 10000);
    assert_int_equal(column_tolerance_khz(83300, 1000000, 0), 41650);
}

/* Mission S1: 5.11-rc4 takes P0 for the maximum, 5.12 the boost clock. */
static void epyc_by_version(void **state)
{
    const struct column_row *row;

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    (void)sim_linux_view(&sim, "5.11-rc4");
    row = row_of(make(NULL, 0), "maximum", 0);
    assert_int_equal(row->claimed.low, 3414550);
    assert_int_equal(row->assumed.low, 2250000);
    assert_int_equal(row->measured.avail, AVAIL_UNTRIED);
    assert_int_equal(row->mark, COLUMN_DIFFER);
    assert_non_null(row->why);
    assert_cpus(row, "0-3");

    (void)sim_linux_view(&sim, "5.12");
    row = row_of(make(NULL, 0), "maximum", 0);
    assert_int_equal(row->assumed.low, 3414550);
    assert_int_equal(row->mark, COLUMN_AGREE);
    row = row_of(make(NULL, 0), "P2", 0);
    assert_int_equal(row->claimed.low, 1500000);
    assert_int_equal(row->assumed.low, 1500000);
}

/* One CPU that does not do as it is asked stands in a row of its own; its exact limit is half a bus clock. */
static void the_cpu_that_differs_stands_alone(void **state)
{
    const struct column_measurement items[] = {
        {COLUMN_MEASURED_ROW, 0, 1, 1999000, 20}, {COLUMN_MEASURED_ROW, 1, 1, 2050000, 20},
        {COLUMN_MEASURED_ROW, 2, 1, 2050001, 20}, {COLUMN_MEASURED_ROW, 0, 0, 3300000, 20},
        {COLUMN_MEASURED_ROW, 1, 0, 2199999, 20},
    };
    const struct columns *columns;
    const struct column_row *row;

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    (void)sim_linux_view(&sim, "5.12");
    columns = make(items, 5);
    row = row_of(columns, "P1", 0);
    assert_cpus(row, "2");
    assert_int_equal(row->mark, COLUMN_DIFFER);
    assert_int_equal(row->measured.low, 2050001);
    row = row_of(columns, "P1", 1);
    assert_cpus(row, "0-1");
    assert_int_equal(row->mark, COLUMN_AGREE);
    assert_int_equal(row->measured.low, 1999000);
    assert_int_equal(row->measured.high, 2050000);
    row = row_of(columns, "P1", 2);
    assert_cpus(row, "3");
    assert_int_equal(row->measured.avail, AVAIL_UNTRIED);
    /* P0 may boost; below its own clock it may not be. */
    row = row_of(columns, "P0", 0);
    assert_cpus(row, "1");
    assert_int_equal(row->mark, COLUMN_DIFFER);
    row = row_of(columns, "P0", 1);
    assert_cpus(row, "0");
    assert_int_equal(row->mark, COLUMN_AGREE);
}

/* All cores busy stay below the scheduler's maximum: why 5.11-rc4 fell. One core boosts as promised. */
static void boost_by_cores_on_epyc(void **state)
{
    const struct column_measurement items[] = {
        {COLUMN_MEASURED_ACTIVE, CPU_NONE, 1, 3395000, 50},
        {COLUMN_MEASURED_ACTIVE, CPU_NONE, 2, 3350000, 50},
        {COLUMN_MEASURED_ACTIVE, CPU_NONE, 4, 2600000, 50},
    };
    const struct columns *columns;
    const struct column_row *row;

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    (void)sim_linux_view(&sim, "5.12");
    columns = make(items, 3);
    assert_int_equal(row_of(columns, "maximum", 0)->measured.low, 3395000);
    assert_int_equal(row_of(columns, "maximum", 0)->mark, COLUMN_AGREE);
    assert_int_equal(row_of(columns, "1 core", 0)->measured.low, 3395000);
    assert_int_equal(row_of(columns, "2 to 3 cores", 0)->measured.low, 3350000);
    row = row_of(columns, "all cores", 0);
    assert_int_equal(row->assumed.low, 2832275); /* 2250000 * 1289 >> 10 */
    assert_int_equal(row->measured.low, 2600000);
    assert_int_equal(row->mark, COLUMN_DIFFER);
}

/* Mission S3, counted in the part's own 80 MHz: two cores 1920, four 1680; the third core's clock is missing. */
static void atom_promises_by_cores(void **state)
{
    const struct column_measurement items[] = {
        {COLUMN_MEASURED_ACTIVE, CPU_NONE, 2, 1918000, 50},
        {COLUMN_MEASURED_ACTIVE, CPU_NONE, 4, 1440000, 50},
    };
    const struct columns *columns;

    (void)state;
    sim_linux_z8350(&sim);
    (void)sim_linux_view(&sim, "6.12");
    columns = make(items, 2);
    assert_int_equal(row_of(columns, "1 to 2 cores", 0)->claimed.low, 1920000);
    assert_int_equal(row_of(columns, "1 to 2 cores", 0)->mark, COLUMN_AGREE);
    assert_int_equal(row_of(columns, "3 cores and more", 0)->claimed.low, 1680000);
    assert_int_equal(row_of(columns, "3 cores and more", 0)->mark, COLUMN_DIFFER);
}

/* Mission S4: 600 us assumed; what settles within them agrees, what does not is marked. */
static void settling_on_the_7840hs(void **state)
{
    struct column_measurement item = {COLUMN_MEASURED_SETTLE, 0, 0, 600000, 0};
    const struct column_row *row;

    (void)state;
    sim_linux_7840hs(&sim);
    (void)sim_linux_view(&sim, "6.12");
    row = row_of(make(&item, 1), "transition delay", 0);
    assert_string_equal(row->claimed.word, "fast CPPC");
    if (row->assumed.avail != AVAIL_PRESENT) {
        /* Active mode keeps no delay: the claim stands alone. */
        assert_int_equal(row->mark, COLUMN_NOT_COMPARED);
        return;
    }
    assert_int_equal(row->assumed.low, 600000);
    assert_int_equal(row->mark, COLUMN_AGREE);
    item.value = 600001;
    assert_int_equal(row_of(make(&item, 1), "transition delay", 0)->mark, COLUMN_DIFFER);
}

static const struct idle_sample_set io_c2 = {.state = "C2",
                                             .entry = IDLE_IO,
                                             .port = 0x814,
                                             .requested_ns = 1000000,
                                             .samples = 100,
                                             .stopped_in = STOPPED_FIRST_READ,
                                             .exit_tsc = {.n = 100, .p50 = 1000, .p99 = 1000}};

static void put_idle(struct idle_sample_set *sets, uint32_t count)
{
    sim.platform.idle = sets;
    sim.platform.idle_count = count;
    sim.platform.tsc_hz = 1000000000; /* ticks are nanoseconds */
}

/* 400 us declared: 802 us is the last that keeps the promise by rule IDL-005; CPU 1 never enters. */
static void idle_states_against_their_claims(void **state)
{
    struct idle_sample_set sets[3] = {io_c2, io_c2, io_c2};
    const struct columns *columns;
    const struct column_row *row;

    (void)state;
    sim_linux_epyc_7742(&sim, 3);
    sets[0].exit_tsc.p99 = 802001;
    sets[1].cpu = 1;
    sets[1].stopped_in = STOPPED_NONE;
    sets[1].exit_tsc.n = 0;
    sets[2].cpu = 2;
    sets[2].exit_tsc.p99 = 802002;
    put_idle(sets, 3);
    (void)sim_linux_view(&sim, "5.12");
    columns = make(NULL, 0);
    row = row_of(columns, "C2 port 0x814, latency", 0);
    assert_cpus(row, "2");
    assert_int_equal(row->mark, COLUMN_DIFFER);
    assert_int_equal(row->claimed.low, 400000);
    row = row_of(columns, "C2 port 0x814, latency", 1);
    assert_cpus(row, "0");
    assert_int_equal(row->mark, COLUMN_AGREE);
    row = row_of(columns, "C2 port 0x814, entered", 0);
    assert_cpus(row, "1");
    assert_string_equal(row->measured.word, "not entered");
    assert_int_equal(row->mark, COLUMN_DIFFER);
    row = row_of(columns, "C2 port 0x814, entered", 1);
    assert_cpus(row, "0,2");
    assert_string_equal(row->measured.word, "in first read");
}

/* Mission S2: the second read takes the booked time; harmful under 5.12, which makes it, not under 6.0. */
static void second_read_by_version(void **state)
{
    struct idle_sample_set sets[2] = {io_c2, io_c2};
    const struct column_row *row;

    (void)state;
    sim_linux_epyc_7742(&sim, 1);
    for (unsigned i = 0; i < 2; i++) {
        sets[i].stopped_confidence_pct = 100;
        sets[i].asleep_tsc = (struct distribution){.n = 100, .p50 = 10000, .mean = 10000};
        sets[i].first_read_tsc = (struct distribution){.n = 100, .p50 = 11000, .mean = 11000};
    }
    sets[1].dummy_read = DUMMY_PM_TIMER;
    sets[1].dummy_port = 0x808;
    sets[1].dummy_read_tsc = (struct distribution){.n = 100, .p50 = 90000, .mean = 90000};
    put_idle(sets, 2);
    (void)sim_linux_view(&sim, "5.12");
    row = row_of(make(NULL, 0), "C2 port 0x814, second read", 0);
    assert_string_equal(row->assumed.word, "made");
    assert_string_equal(row->measured.word, "harmful");
    assert_int_equal(row->mark, COLUMN_DIFFER);
    (void)sim_linux_view(&sim, "6.0");
    row = row_of(make(NULL, 0), "C2 port 0x814, second read", 0);
    assert_string_equal(row->assumed.word, "not made");
    assert_int_equal(row->mark, COLUMN_AGREE);
}

/* What the group frequency left in the snapshot, whole: rows, boost, settling, the rate of MPERF. */
static void figures_come_from_the_snapshot(void **state)
{
    struct freq_sample samples[3] = {0};
    struct freq_boost boosts[2] = {0};
    struct freq_settling settlings[2] = {0};
    const struct columns *columns;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    (void)sim_linux_view(&sim, "5.12");
    for (uint32_t i = 0; i < 3; i++) {
        samples[i].cpu = i / 2;
        samples[i].kind = i == 2 ? FREQ_NO_REQUEST : FREQ_PSTATE_CTL;
        samples[i].pss_index = i == 2 ? FREQ_NO_ROW : i;
        samples[i].figure =
            (struct freq_figure){.khz = 2248000 - i * 250000, .uncertainty_ppm = 40};
        samples[i].counts = (struct freq_counts){.window_tsc = 1000, .mperf = 1000};
    }
    boosts[0] = (struct freq_boost){.kind = FREQ_BOOST_ALONE, .cpu = 1, .active = 1};
    boosts[0].figure.khz = 3400000;
    boosts[1] = (struct freq_boost){.kind = FREQ_BOOST_CORES, .active = 2};
    boosts[1].figure.khz = 2250000;
    for (uint32_t i = 0; i < 2; i++) {
        settlings[i].settle_tsc = (struct distribution){.n = 10, .p99 = 900 + 100 * i};
    }
    sim.platform.tsc_hz = UINT64_C(2250000000);
    sim.platform.freq = samples;
    sim.platform.freq_count = 3;
    sim.platform.freq_boosts = boosts;
    sim.platform.freq_boosts_count = 2;
    sim.platform.freq_settlings = settlings;
    sim.platform.freq_settlings_count = 2;
    columns_compute(&sim.platform);
    columns = sim.platform.columns;
    assert_int_equal(row_of(columns, "P0", 0)->measured.low, 2248000);
    assert_cpus(row_of(columns, "P0", 0), "0");
    assert_int_equal(row_of(columns, "P1", 0)->measured.low, 1998000);
    assert_int_equal(row_of(columns, "P1", 0)->mark, COLUMN_AGREE);
    assert_int_equal(row_of(columns, "maximum", 0)->measured.low, 3400000);
    assert_cpus(row_of(columns, "maximum", 0), "1");
    assert_int_equal(row_of(columns, "all cores", 0)->measured.low, 2250000);
    assert_int_equal(row_of(columns, "nominal", 0)->measured.low, 2250000);
    /* 1000 ticks of 2.25 GHz, the slower of the two changes. */
    assert_int_equal(row_of(columns, "P-state latency", 0)->measured.high, 444);
    assert_null(columns->measured_note);
}

/* Under an emulator figures are shown, and nothing is said about them. */
static void emulated_figures_are_not_compared(void **state)
{
    const struct column_measurement item = {COLUMN_MEASURED_ROW, 0, 1, 800000, 20};
    const struct columns *columns;
    const struct column_row *row;

    (void)state;
    sim_linux_epyc_7742(&sim, 1);
    (void)sim_linux_view(&sim, "5.12");
    sim.platform.is_emulated = true;
    columns = make(&item, 1);
    row = row_of(columns, "P1", 0);
    assert_int_equal(row->measured.low, 800000);
    assert_int_equal(row->mark, COLUMN_AGREE); /* claimed and assumed still are */
    assert_non_null(columns->measured_note);
    assert_int_equal(columns->differ_count, 0);
}

/* CPUs with another _PSS are a range of their own; more kinds than there is room for are counted. */
static void ranges_follow_the_claims(void **state)
{
    const uint64_t mhz[] = {2400, 1800};
    const struct columns *columns;
    struct object_result first;

    (void)state;
    sim_linux_epyc_7742(&sim, 3);
    first = sim.platform.processors[0].objects[OBJECT_PSS];
    sim_platform_pss(&sim, mhz, 2);
    sim.platform.processors[0].objects[OBJECT_PSS] = first;
    sim.platform.processors[1].objects[OBJECT_PSS] = first;
    (void)sim_linux_view(&sim, "5.12");
    columns = make(NULL, 0);
    assert_cpus(row_of(columns, "P2", 0), "0-1");
    assert_cpus(row_of(columns, "P1", 1), "2");
    assert_int_equal(row_of(columns, "P1", 1)->claimed.low, 1800000);
    assert_int_equal(row_of(columns, "P1", 1)->assumed.avail, AVAIL_UNTRIED);

    sim_platform_free(&sim);
    sim_linux_epyc_7742(&sim, 20);
    for (uint32_t cpu = 0; cpu < 20; cpu++) {
        sim.platform.processors[cpu].cpc_value[CPC_NOMINAL_FREQ_MHZ] = 2000 + cpu;
    }
    (void)sim_linux_view(&sim, "5.12");
    assert_int_equal(make(NULL, 0)->left_out_cpus, 4);
}

/* No objects at all: no rows, and no crash. */
static void nothing_claimed_nothing_shown(void **state)
{
    (void)state;
    sim_platform_init(&sim, 2);
    assert_null(columns_make(&sim.platform, &(struct column_measurements){0}));
    (void)sim_linux_view(&sim, "6.12");
    assert_false(has_row(make(NULL, 0), "maximum"));
    columns_compute(&sim.platform);
    assert_non_null(sim.platform.columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tolerance_is_the_largest_of_three),
        cmocka_unit_test_teardown(epyc_by_version, tear_down),
        cmocka_unit_test_teardown(the_cpu_that_differs_stands_alone, tear_down),
        cmocka_unit_test_teardown(boost_by_cores_on_epyc, tear_down),
        cmocka_unit_test_teardown(atom_promises_by_cores, tear_down),
        cmocka_unit_test_teardown(settling_on_the_7840hs, tear_down),
        cmocka_unit_test_teardown(idle_states_against_their_claims, tear_down),
        cmocka_unit_test_teardown(second_read_by_version, tear_down),
        cmocka_unit_test_teardown(figures_come_from_the_snapshot, tear_down),
        cmocka_unit_test_teardown(emulated_figures_are_not_compared, tear_down),
        cmocka_unit_test_teardown(ranges_follow_the_claims, tear_down),
        cmocka_unit_test_teardown(nothing_claimed_nothing_shown, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
