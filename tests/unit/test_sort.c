#include "model/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void any_order_ends_ascending(void **state)
{
    static uint64_t keys[257];
    uint64_t seed = 1;

    (void)state;
    for (size_t count = 0; count <= 257; count++) {
        uint64_t sum = 0;
        uint64_t sum_after = 0;

        for (size_t i = 0; i < count; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
            keys[i] = seed >> (count % 2 == 0 ? 60 : 0); /* many equal ones, and none */
            sum += keys[i];
        }
        sort_u64(keys, count);
        for (size_t i = 0; i < count; i++) {
            sum_after += keys[i];
            assert_true(i == 0 || keys[i - 1] <= keys[i]);
        }
        assert_true(sum == sum_after);
    }
}

static void lower_bound(void **state)
{
    static const uint64_t keys[] = {2, 4, 4, 9};

    (void)state;
    assert_int_equal(sort_lower_bound(keys, 4, 0), 0);
    assert_int_equal(sort_lower_bound(keys, 4, 4), 1);
    assert_int_equal(sort_lower_bound(keys, 4, 5), 3);
    assert_int_equal(sort_lower_bound(keys, 4, 10), 4);
    assert_int_equal(sort_lower_bound(keys, 0, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_ends_ascending),
        cmocka_unit_test(lower_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
