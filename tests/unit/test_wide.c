#include "model/wide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

__extension__ typedef unsigned __int128 u128;

static uint64_t seed = 4711;

/* Marsaglia's xorshift64: a fixed sequence, so that a failure can be repeated. */
static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Words of every length, and often all ones or a single bit, where carries go wrong. */
static uint64_t next_word(void)
{
    uint64_t word = next_random() >> (next_random() & 63);

    switch (next_random() & 7) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX << (next_random() & 63);
    case 2:
        return UINT64_MAX >> (next_random() & 63);
    case 3:
        return UINT64_C(1) << (next_random() & 63);
    default:
        return word;
    }
}

static u128 native(struct wide value)
{
    return (u128)value.high << 64 | value.low;
}

static void arithmetic_agrees_with_the_compiler(void **state)
{
    const u128 max = ~(u128)0;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        struct wide a = {.high = next_word(), .low = next_word()};
        struct wide b = {.high = next_word(), .low = next_word()};
        uint64_t divisor = next_word() | 1;
        u128 x = native(a);
        u128 y = native(b);

        assert_true(native(wide_multiply(a.high, b.low)) == (u128)a.high * b.low);
        assert_true(native(wide_add(a, b)) == (y > max - x ? max : x + y));
        assert_true(native(wide_subtract(a, b)) == (x < y ? 0 : x - y));
        assert_true(wide_is_less(a, b) == (x < y));
        assert_true(native(wide_divide(a, divisor)) == x / divisor);
        assert_true(native(wide_divide(a, a.low | 1)) == x / (a.low | 1));
    }
}

static void root_is_the_floor(void **state)
{
    const struct wide max = {.high = UINT64_MAX, .low = UINT64_MAX};

    (void)state;
    assert_int_equal(wide_isqrt(max), UINT64_MAX);
    assert_int_equal(wide_isqrt((struct wide){0}), 0);
    for (int i = 0; i < 5000; i++) {
        struct wide value = {.high = next_word(), .low = next_word()};
        uint64_t root = wide_isqrt(value);

        assert_true((u128)root * root <= native(value));
        assert_true(root == UINT64_MAX || ((u128)root + 1) * ((u128)root + 1) > native(value));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_agrees_with_the_compiler),
        cmocka_unit_test(root_is_the_floor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
