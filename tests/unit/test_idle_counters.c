#include "model/idle_clock.h"
#include "tests/unit/idle_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Counters and clocks that are read beside the sleeps of a set. */

static void a_tsc_that_runs_agrees_with_the_pm_timer(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    (void)measure();
    for (uint32_t i = 0; i < sim.platform.idle_count; i++) {
        uint64_t pct = idle_tsc_pct(&sim.platform.idle[i], machine.tsc_hz);

        assert_true(pct == 0 || pct == 100);
    }
    set = find(0, IDLE_IO, DUMMY_NONE, 10000000);
    assert_int_equal(idle_tsc_pct(set, machine.tsc_hz), 100);
    /* 50 sleeps of 10 ms, three in a stretch, the first of which only warms up; and the pauses. */
    assert_in_range(set->elapsed_pmt, 3579545 * 3 / 4, 3579545);
}

/* Bug 28: the clock that measures the sleep stops in it. */
static void a_tsc_that_stops_is_seen(void **state)
{
    const struct idle_sample_set *port;

    (void)state;
    sim.options.samples = 50;
    machine.is_tsc_stopped = true;
    (void)measure();
    port = find(0, IDLE_IO, DUMMY_NONE, 1000000);
    assert_non_null(port);
    assert_non_null(find(0, IDLE_HLT, DUMMY_NONE, 1000000));
    assert_in_range(idle_tsc_pct(port, machine.tsc_hz), 1, 20);
    assert_int_equal(idle_tsc_pct(find(0, IDLE_HLT, DUMMY_NONE, 1000000), machine.tsc_hz), 100);
}

static void the_package_counter_stands_beside_the_sleep(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    give_package_counter(600);
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_NONE, 1000000);
    assert_true(set->has_package_residency);
    assert_false(set->has_residency);
    assert_in_range(set->package_tsc * 1000 / set->spent_tsc, 599, 601);
}

/* At every length, however few samples there are between two pauses. */
static void the_core_counter_stands_beside_the_sleep(void **state)
{
    (void)state;
    give_core_counter(870);
    (void)measure();
    for (uint32_t i = 0; i < sim.platform.idle_count; i++) {
        const struct idle_sample_set *set = &sim.platform.idle[i];
        uint64_t permille = set->resident_tsc * 1000 / set->spent_tsc;

        assert_true(set->has_residency);
        assert_false(set->has_package_residency);
        if (set->entry == IDLE_IO) {
            assert_in_range(permille, 868, 871);
        } else {
            assert_int_equal(permille, 0);
        }
    }
}

/* What an interrupt took is in the counter, and in no sample: the two cannot be compared any more. */
static void disturbed_sleeps_have_no_residency(void **state)
{
    (void)state;
    the_core_counter_stands_beside_the_sleep(state);
    machine.intruder.every_ps = 10000 * US;
    machine.intruder.lasts_ps = US;
    (void)measure();
    assert_non_null(find(0, IDLE_IO, DUMMY_NONE, 1000000));
    assert_true(find(0, IDLE_IO, DUMMY_NONE, 1000000)->dropped > 0);
    assert_false(find(0, IDLE_IO, DUMMY_NONE, 1000000)->has_residency);
}

static void without_package_counters_there_is_none(void **state)
{
    (void)state;
    (void)measure();
    assert_false(find(0, IDLE_IO, DUMMY_NONE, 1000000)->has_package_residency);
}

static void without_a_pm_timer_nothing_is_known_of_the_tsc(void **state)
{
    (void)state;
    sim.platform.fadt.field[FADT_PM_TMR_BLK] = 0;
    (void)measure();
    assert_non_null(find(0, IDLE_MWAIT, DUMMY_NONE, 1000000));
    assert_int_equal(idle_tsc_pct(find(0, IDLE_MWAIT, DUMMY_NONE, 1000000), machine.tsc_hz), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_tsc_that_runs_agrees_with_the_pm_timer),
        TEST(a_tsc_that_stops_is_seen),
        TEST(the_package_counter_stands_beside_the_sleep),
        TEST(the_core_counter_stands_beside_the_sleep),
        TEST(disturbed_sleeps_have_no_residency),
        TEST(without_package_counters_there_is_none),
        TEST(without_a_pm_timer_nothing_is_known_of_the_tsc),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
