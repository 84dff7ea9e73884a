#include "report/axis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ONE 65536U

static void the_logarithm_is_exact_for_powers(void **state)
{
    (void)state;
    assert_int_equal(axis_log2_q16(0), 0);
    for (unsigned bit = 0; bit < 64; bit++) {
        assert_int_equal(axis_log2_q16(UINT64_C(1) << bit), bit * ONE);
    }
}

/* log2(3) = 1.58496..., log2(10) = 3.32192..., log2(1000) = 9.96578..., log2(10^18) = 59.7947... */
static void the_logarithm_is_right_to_16_bits(void **state)
{
    (void)state;
    assert_in_range(axis_log2_q16(3), 103871, 103873);
    assert_in_range(axis_log2_q16(10), 217704, 217706);
    assert_in_range(axis_log2_q16(1000), 653116, 653118);
    assert_in_range(axis_log2_q16(UINT64_C(1000000000000000000)), 3918703, 3918706);
    assert_in_range(axis_log2_q16(UINT64_MAX), 64 * ONE - 2, 64 * ONE - 1);
}

static void the_logarithm_never_falls(void **state)
{
    (void)state;
    for (uint64_t value = 1; value < 20000; value++) {
        assert_true(axis_log2_q16(value) <= axis_log2_q16(value + 1));
    }
}

static void values_find_their_place(void **state)
{
    const struct axis down = {AXIS_LINEAR, 1000, 2000, 400, 100};
    const struct axis log = {AXIS_LOG, 10, 100000, 0, 400};

    (void)state;
    assert_int_equal(axis_place(&down, 1000), 400);
    assert_int_equal(axis_place(&down, 2000), 100);
    assert_int_equal(axis_place(&down, 1500), 250);
    assert_int_equal(axis_place(&down, 0), 400);
    assert_int_equal(axis_place(&down, UINT64_MAX), 100);
    assert_int_equal(axis_place(&log, 10), 0);
    assert_int_equal(axis_place(&log, 100), 100);
    assert_int_equal(axis_place(&log, 10000), 300);
    assert_int_equal(axis_place(&log, 100000), 400);
    assert_int_equal(axis_place(&log, 0), 0);
}

static void an_axis_without_length_has_one_place(void **state)
{
    const struct axis linear = {AXIS_LINEAR, 5, 5, 10, 90};
    const struct axis wrong = {AXIS_LOG, 7, 3, 10, 90};

    (void)state;
    assert_int_equal(axis_place(&linear, 5), 10);
    assert_int_equal(axis_place(&wrong, 5), 10);
    assert_true(axis_tick_first(&linear, 5) == UINT64_MAX);
}

static unsigned ticks_of(const struct axis *axis, unsigned wanted)
{
    unsigned count = 0;

    for (uint64_t tick = axis_tick_first(axis, wanted); tick != UINT64_MAX;
         tick = axis_tick_next(axis, wanted, tick)) {
        assert_true(tick >= axis->low && tick <= axis->high);
        assert_true(++count < 100);
    }
    return count;
}

static void ticks_are_round_and_few(void **state)
{
    struct axis axis = {AXIS_LINEAR, 1425000, 3482841, 400, 40};
    struct axis log = {AXIS_LOG, 220, 115997, 0, 100};
    const struct axis whole = {AXIS_LINEAR, 0, UINT64_MAX, 0, 100};

    (void)state;
    axis_round(&axis, 7);
    assert_true(axis.low == 1000000 && axis.high == 3500000);
    assert_true(axis_tick_first(&axis, 7) == 1000000);
    assert_true(axis_tick_next(&axis, 7, 1000000) == 1500000);
    assert_int_equal(ticks_of(&axis, 7), 6);
    axis_round(&log, 0);
    assert_true(log.low == 100 && log.high == 1000000);
    assert_int_equal(ticks_of(&log, 0), 5);
    assert_in_range(ticks_of(&whole, 7), 2, 8);
}

static void every_size_of_axis_gets_ticks(void **state)
{
    (void)state;
    for (uint64_t span = 1; span < UINT64_MAX / 3; span = span * 3 / 2 + 1) {
        const struct axis axis = {AXIS_LINEAR, span / 7, span / 7 + span, 0, 300};
        struct axis log = {AXIS_LOG, span / 7 + 1, span / 7 + 1 + span, 0, 300};

        assert_in_range(ticks_of(&axis, 7), 1, 9);
        axis_round(&log, 0);
        assert_in_range(ticks_of(&log, 0), 1, 21);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_logarithm_is_exact_for_powers),
        cmocka_unit_test(the_logarithm_is_right_to_16_bits),
        cmocka_unit_test(the_logarithm_never_falls),
        cmocka_unit_test(values_find_their_place),
        cmocka_unit_test(an_axis_without_length_has_one_place),
        cmocka_unit_test(ticks_are_round_and_few),
        cmocka_unit_test(every_size_of_axis_gets_ticks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
