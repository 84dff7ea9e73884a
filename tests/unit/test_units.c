#include "model/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 u128;

static const uint64_t edges[] = {0,
                                 1,
                                 2,
                                 3,
                                 999,
                                 UINT32_MAX - 1ULL,
                                 UINT32_MAX,
                                 UINT32_MAX + 1ULL,
                                 NS_PER_S,
                                 INT64_MAX,
                                 (uint64_t)INT64_MAX + 1,
                                 (uint64_t)INT64_MAX + 2,
                                 UINT64_C(0xFFFFFFFF00000000),
                                 UINT64_C(0xFFFFFFFF00000001),
                                 UINT64_MAX - 1,
                                 UINT64_MAX};
#define EDGES (sizeof(edges) / sizeof(edges[0]))

static uint64_t reference(uint64_t a, uint64_t b, uint64_t divisor, uint64_t add)
{
    u128 quotient;

    if (divisor == 0) {
        return UINT64_MAX;
    }
    quotient = ((u128)a * b + add) / divisor;
    return quotient > UINT64_MAX ? UINT64_MAX : (uint64_t)quotient;
}

static void check(uint64_t a, uint64_t b, uint64_t divisor)
{
    assert_int_equal(mul_div_u64(a, b, divisor), reference(a, b, divisor, 0));
    assert_int_equal(mul_div_round_u64(a, b, divisor), reference(a, b, divisor, divisor / 2));
}

static void mul_div_agrees_with_the_compiler_at_edges(void **state)
{
    (void)state;
    for (size_t a = 0; a < EDGES; a++) {
        for (size_t b = 0; b < EDGES; b++) {
            for (size_t d = 0; d < EDGES; d++) {
                check(edges[a], edges[b], edges[d]);
            }
        }
    }
}

/* Marsaglia's xorshift64: a fixed sequence, so that a failure can be repeated. */
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void mul_div_agrees_with_the_compiler_at_random(void **state)
{
    uint64_t seed = 20240601;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        uint64_t a = next_random(&seed) >> (next_random(&seed) & 63);
        uint64_t b = next_random(&seed) >> (next_random(&seed) & 63);

        check(a, b, next_random(&seed) >> (next_random(&seed) & 63));
    }
}

static void conversions_keep_long_times(void **state)
{
    const uint64_t day_s = 86400;

    (void)state;
    /* A year of a 3 GHz clock: a plain product of ticks and 10^9 wraps after seconds. */
    assert_int_equal(units_tsc_to_ns(365 * day_s * 3000000000U, 3000000000U),
                     365 * day_s * NS_PER_S);
    assert_int_equal(units_ns_to_tsc(365 * day_s * NS_PER_S, 3000000000U),
                     365 * day_s * 3000000000U);
    assert_int_equal(units_tsc_to_ns(1, 3000000000U), 0);
    assert_int_equal(units_tsc_to_ns(2, 3000000000U), 1);
    assert_int_equal(units_tsc_to_ns(1, 0), UINT64_MAX);
    assert_int_equal(units_tsc_to_ns(UINT64_MAX, 1), UINT64_MAX);
    assert_int_equal(units_ns_to_tsc(UINT64_MAX, UINT64_MAX), UINT64_MAX);
    assert_int_equal(units_ns_to_tsc(1000, 0), 0);
}

static void megahertz_saturate(void **state)
{
    (void)state;
    assert_int_equal(units_mhz_to_khz(0), 0);
    assert_int_equal(units_mhz_to_khz(3400), 3400000);
    assert_int_equal(units_mhz_to_khz(UINT64_MAX / 1000), UINT64_MAX / 1000 * 1000);
    assert_int_equal(units_mhz_to_khz(UINT64_MAX / 1000 + 1), UINT64_MAX);
}

static void difference_has_no_sign(void **state)
{
    (void)state;
    assert_int_equal(units_difference_ppm(0, 0), 0);
    assert_int_equal(units_difference_ppm(1, 0), UINT64_MAX);
    assert_int_equal(units_difference_ppm(0, 1), 1000000);
    assert_int_equal(units_difference_ppm(1001, 1000), 1000);
    assert_int_equal(units_difference_ppm(999, 1000), 1000);
    assert_int_equal(units_difference_ppm(UINT64_MAX, 1), UINT64_MAX);
    assert_int_equal(units_difference_ppm(UINT64_MAX, UINT64_MAX), 0);
}

static void root_is_the_floor(void **state)
{
    (void)state;
    for (uint64_t root = 0; root < 70000; root++) {
        assert_int_equal(units_isqrt(root * root), root);
        assert_int_equal(units_isqrt(root * root + 2 * root), root);
    }
    assert_int_equal(units_isqrt(UINT64_MAX), UINT32_MAX);
    assert_int_equal(units_isqrt(UINT64_C(0xFFFFFFFE00000001)), UINT32_MAX);
    assert_int_equal(units_isqrt(UINT64_C(0xFFFFFFFE00000000)), UINT32_MAX - 1U);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mul_div_agrees_with_the_compiler_at_edges),
        cmocka_unit_test(mul_div_agrees_with_the_compiler_at_random),
        cmocka_unit_test(conversions_keep_long_times),
        cmocka_unit_test(megahertz_saturate),
        cmocka_unit_test(difference_has_no_sign),
        cmocka_unit_test(root_is_the_floor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
