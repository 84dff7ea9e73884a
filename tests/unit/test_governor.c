#include "model/linux/governor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The published machine: 2 x EPYC 7742, P0 2.25, P1 2.00, P2 1.50 GHz, boost 3.4 GHz. */
static const uint64_t epyc_khz[] = {2250000, 2000000, 1500000};
#define BOOST_KHZ UINT64_C(3400000)
#define MIDPOINT_KHZ UINT64_C(2825000)

static struct governor_input epyc(uint64_t reference_khz, uint64_t invariance_khz,
                                  uint64_t delivered_khz)
{
    struct governor_input input = {
        .rows_count = 3,
        .row_khz = epyc_khz,
        .reference_khz = reference_khz,
        .is_invariant = true,
        .invariance_khz = invariance_khz,
        .delivered_khz = delivered_khz,
        .form = GOVERNOR_MAX_PLUS_QUARTER,
    };

    return input;
}

/* The regression as published: 2.25 -> 1.79 (2.00) -> 1.59 (2.00), with all cores busy and no boost. */
static void test_published_loop(void **state)
{
    struct governor_input input = epyc(2250000, MIDPOINT_KHZ, 2250000);
    struct governor_run run;

    (void)state;
    input.util = 819;
    governor_run(&input, &run);
    assert_int_equal(run.steps_count, 2);
    assert_int_equal(run.steps[0].row, 0);
    assert_in_range(run.steps[0].target_khz, 1780000, 1800000);
    assert_int_equal(run.steps[1].row, 1);
    assert_in_range(run.steps[1].target_khz, 1580000, 1600000);
    assert_true(run.is_settled);
    assert_int_equal(run.steady_khz, 2000000);
}

/* Below about 0.75 it falls on to P2, where the invariant utilisation is about 0.4. */
static void test_published_fall(void **state)
{
    struct governor_input input = epyc(2250000, MIDPOINT_KHZ, 2250000);
    struct governor_run run;
    uint32_t below = governor_falls_to_lowest_below(&input);

    (void)state;
    assert_in_range(below, 1024 * 74 / 100, 1024 * 76 / 100);
    input.util = below;
    governor_run(&input, &run);
    assert_int_equal(run.steady_khz, 1500000);
    assert_in_range(run.steps[run.steps_count - 1].util, 1024 * 38 / 100, 1024 * 42 / 100);
    assert_true(governor_is_trap(&input));
}

static void test_remedies_stay_at_the_top(void **state)
{
    struct governor_input remedy_b = epyc(BOOST_KHZ, MIDPOINT_KHZ, 2250000);
    static const uint64_t extended_khz[] = {3400000, 2250000, 2000000, 1500000};
    struct governor_input remedy_a = remedy_b;
    struct governor_run run;

    (void)state;
    remedy_b.util = 819;
    governor_run(&remedy_b, &run);
    assert_int_equal(run.steady_row, 0);
    assert_false(governor_is_trap(&remedy_b));

    remedy_a.rows_count = 4;
    remedy_a.row_khz = extended_khz;
    remedy_a.p0_row = 1;
    remedy_a.start_row = 0;
    remedy_a.util = 819;
    governor_run(&remedy_a, &run);
    assert_in_range(run.steady_row, 0, 1);
    assert_int_equal(run.steady_khz, 2250000);
    assert_false(governor_is_trap(&remedy_a));
}

/* The fixed points of kernel-facts 5.6, boost delivered at P0 = 3.1 GHz: row by utilisation and start. */
struct fixed_points {
    uint64_t reference_khz;
    uint64_t invariance_khz;
    uint32_t start_row;
    uint32_t row[8];
};

static const uint32_t utils[8] = {300, 500, 650, 700, 768, 819, 900, 1024};
static const struct fixed_points table[] = {
    {2250000, MIDPOINT_KHZ, 0, {2, 2, 2, 2, 0, 0, 0, 0}},
    {2250000, MIDPOINT_KHZ, 1, {2, 2, 2, 2, 2, 1, 1, 1}},
    {2250000, MIDPOINT_KHZ, 2, {2, 2, 2, 2, 2, 2, 2, 2}},
    {BOOST_KHZ, MIDPOINT_KHZ, 0, {2, 0, 0, 0, 0, 0, 0, 0}},
    {BOOST_KHZ, MIDPOINT_KHZ, 1, {2, 2, 1, 0, 0, 0, 0, 0}},
    {BOOST_KHZ, MIDPOINT_KHZ, 2, {2, 2, 2, 0, 0, 0, 0, 0}},
    {2250000, 2250000, 0, {2, 2, 1, 1, 0, 0, 0, 0}},
    {2250000, 2250000, 1, {2, 2, 1, 1, 1, 1, 0, 0}},
    {2250000, 2250000, 2, {2, 2, 2, 2, 2, 2, 0, 0}},
};

static void test_fixed_points(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        for (size_t u = 0; u < 8; u++) {
            struct governor_input input =
                epyc(table[i].reference_khz, table[i].invariance_khz, 3100000);
            struct governor_run run;

            input.start_row = table[i].start_row;
            input.util = utils[u];
            governor_run(&input, &run);
            assert_true(run.is_settled);
            assert_int_equal(run.steady_row, table[i].row[u]);
        }
    }
}

/* Without invariance the current frequency is the reference: 6.8 on keeps the headroom outside the clip. */
static void test_without_invariance(void **state)
{
    static const uint64_t khz[] = {3700000, 2800000, 2200000};
    struct governor_input input = {.rows_count = 3,
                                   .row_khz = khz,
                                   .delivered_khz = 3700000,
                                   .start_row = 2,
                                   .util = 1024,
                                   .form = GOVERNOR_CLIPPED};
    struct governor_run run;

    (void)state;
    governor_run(&input, &run);
    assert_int_equal(run.steps[0].target_khz, 2750000);
    assert_int_equal(run.steady_row, 0);
    assert_false(governor_is_trap(&input));
}

static void test_forms_by_version(void **state)
{
    struct linux_version v5_13 = {5, 13, 0, 0, false};
    struct linux_version v5_14 = {5, 14, 0, 0, false};
    struct linux_version v6_7 = {6, 7, 9, 0, false};
    struct linux_version v6_8 = {6, 8, 0, 0, false};

    (void)state;
    assert_int_equal(governor_form_at(v5_13), GOVERNOR_MAX_PLUS_QUARTER);
    assert_int_equal(governor_form_at(v5_14), GOVERNOR_UTIL_PLUS_QUARTER);
    assert_int_equal(governor_form_at(v6_7), GOVERNOR_UTIL_PLUS_QUARTER);
    assert_int_equal(governor_form_at(v6_8), GOVERNOR_CLIPPED);
}

static void test_bad_input_gives_no_steps(void **state)
{
    struct governor_input input = epyc(2250000, MIDPOINT_KHZ, 2250000);
    struct governor_run run;

    (void)state;
    input.start_row = 3;
    governor_run(&input, &run);
    assert_int_equal(run.steps_count, 0);
    input.start_row = 0;
    input.util = 1025;
    governor_run(&input, &run);
    assert_int_equal(run.steps_count, 0);
    input.util = 1;
    input.invariance_khz = 0;
    governor_run(&input, &run);
    assert_int_equal(run.steps_count, 0);
    input.rows_count = 0;
    governor_run(&input, &run);
    assert_int_equal(run.steps_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_loop),           cmocka_unit_test(test_published_fall),
        cmocka_unit_test(test_remedies_stay_at_the_top), cmocka_unit_test(test_fixed_points),
        cmocka_unit_test(test_without_invariance),       cmocka_unit_test(test_forms_by_version),
        cmocka_unit_test(test_bad_input_gives_no_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
