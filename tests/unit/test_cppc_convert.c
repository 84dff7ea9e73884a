#include "model/linux/cppc_convert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Kernel-facts 12.2: lowest and nominal MHz, lowest, nominal and highest perf, DMI MHz; then kHz at the three
 * perf values, and perf at 0.4, 2.0 and 3.4 GHz. */
static void published_vectors(void **state)
{
    static const uint64_t vectors[][12] = {
        {550, 2600, 40, 190, 255, 0, 550000, 2600000, 3488334, 29, 146, 248},
        {400, 3400, 20, 125, 166, 0, 400000, 3400000, 4571429, 20, 76, 125},
        {2000, 2000, 63, 63, 166, 0, 2000000, 2000000, 5269841, 12, 63, 107},
        {0, 0, 20, 125, 166, 4000, 481927, 3012048, 4000000, 16, 83, 141},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        const uint64_t *v = vectors[i];
        struct cppc_scale scale = {
            .lowest_freq_mhz = (uint32_t)v[0],
            .nominal_freq_mhz = (uint32_t)v[1],
            .lowest_perf = (uint32_t)v[2],
            .nominal_perf = (uint32_t)v[3],
            .highest_perf = (uint32_t)v[4],
            .dmi_khz = v[5] * 1000,
        };

        assert_int_equal(cppc_convert_to_khz(&scale, v[2]), v[6]);
        assert_int_equal(cppc_convert_to_khz(&scale, v[3]), v[7]);
        assert_int_equal(cppc_convert_to_khz(&scale, v[4]), v[8]);
        assert_int_equal(cppc_convert_to_perf(&scale, 400000), v[9]);
        assert_int_equal(cppc_convert_to_perf(&scale, 2000000), v[10]);
        assert_int_equal(cppc_convert_to_perf(&scale, 3400000), v[11]);
    }
}

/* By hand from the code before ec1c7ad47664 (two pieces) and before d93df29bdab1 (no flat branch). */
static void earlier_forms(void **state)
{
    struct cppc_scale scale = {.form = CPPC_FORM_PIECES,
                               .lowest_freq_mhz = 400,
                               .nominal_freq_mhz = 3400,
                               .lowest_perf = 20,
                               .nominal_perf = 125,
                               .highest_perf = 166};

    (void)state;
    assert_int_equal(cppc_convert_to_khz(&scale, 166), 3400000 * 166 / 125);
    assert_int_equal(cppc_convert_to_khz(&scale, 125), 3400000);
    assert_int_equal(cppc_convert_to_khz(&scale, 20), 20 * 3000000 / 105);
    assert_int_equal(cppc_convert_to_perf(&scale, 3400000), 125);
    assert_int_equal(cppc_convert_to_perf(&scale, 2000000), 2000000 * 20 / 400000);
    scale.form = CPPC_FORM_AFFINE;
    assert_int_equal(cppc_convert_to_khz(&scale, 166), 4571429);
    scale.lowest_freq_mhz = 3400;
    assert_int_equal(cppc_convert_to_khz(&scale, 166), 3400000);
    assert_int_equal(cppc_convert_to_perf(&scale, 3400000), 0); /* a division by zero */
    scale.form = CPPC_FORM_FLAT;
    assert_int_equal(cppc_convert_to_khz(&scale, 166), 3400000 * 166 / 125);
    assert_int_equal(cppc_convert_to_perf(&scale, 3400000), 125);
}

static void impossible_scales_give_zero(void **state)
{
    struct cppc_scale scale = {.lowest_freq_mhz = 400,
                               .nominal_freq_mhz = 3400,
                               .lowest_perf = 50,
                               .nominal_perf = 50,
                               .highest_perf = 100};

    (void)state;
    assert_int_equal(cppc_convert_to_khz(&scale, 60), 0); /* Linux divides by zero here */
    scale.lowest_perf = 100;                              /* differences that wrap in 32 bits */
    (void)cppc_convert_to_khz(&scale, UINT64_MAX);
    (void)cppc_convert_to_perf(&scale, UINT64_MAX);
    memset(&scale, 0, sizeof(scale));
    assert_int_equal(cppc_convert_to_khz(&scale, 60), 0);
    assert_int_equal(cppc_convert_to_perf(&scale, 60), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors),
        cmocka_unit_test(earlier_forms),
        cmocka_unit_test(impossible_scales_give_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
