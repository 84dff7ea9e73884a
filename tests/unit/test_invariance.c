#include "model/linux/invariance.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sim_platform sim;

static int set_up(void **state)
{
    (void)state;
    sim_platform_init(&sim, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static struct invariance derive(void)
{
    struct invariance invariance;

    invariance_derive(&sim.platform, &invariance);
    return invariance;
}

static void be_intel(uint32_t model)
{
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
}

static void msr(uint32_t number, uint64_t value)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, number, value);
}

/* Mission S3's method with the registers of public report 37: an Airmont on an 80 MHz bus. */
static void airmont_takes_the_one_core_turbo(void **state)
{
    struct invariance invariance;

    (void)state;
    be_intel(0x4C);
    msr(0x66A, 0x120602);
    msr(0x66C, 0x14141717);
    msr(0xCD, 4);
    invariance = derive();
    assert_string_equal(invariance.method, "slv");
    assert_int_equal(invariance.base_ratio, 0x12);
    assert_int_equal(invariance.turbo_ratio, 0x17);
    assert_int_equal(invariance.ratio_1024, 0x17 * 1024 / 0x12);
    assert_int_equal(invariance.max_khz, 1440000 * (0x17 * 1024 / 0x12) / 1024);
    assert_true(invariance.is_active);
    msr(0x1A0, UINT64_C(1) << 38);
    assert_int_equal(derive().ratio_1024, 1024);
    assert_int_equal(derive().max_khz, 1440000);
}

static void core_takes_four_cores_or_one(void **state)
{
    (void)state;
    be_intel(0x9E);
    msr(0xCE, 36 << 8);
    msr(0x1AD, 0x2D2E2F30);
    assert_string_equal(derive().method, "core");
    assert_int_equal(derive().turbo_ratio, 0x2D);
    assert_int_equal(derive().ratio_1024, 45 * 1024 / 36);
    assert_int_equal(derive().max_khz, 4500000);
    msr(0x1AD, 0x2F30);
    assert_int_equal(derive().turbo_ratio, 0x30);
    msr(0x1AD, 0);
    assert_int_equal(derive().ratio_1024, 0);
    assert_false(derive().is_active);
}

static void skylake_x_takes_the_group_of_four(void **state)
{
    (void)state;
    be_intel(0x55);
    msr(0xCE, 21 << 8);
    msr(0x1AD, 0x1A1C1E2023252729);
    msr(0x1AE, 0x1C1814100C080402);
    assert_string_equal(derive().method, "skx4");
    assert_int_equal(derive().turbo_ratio, 0x27);
    msr(0x1AE, 0x0303030303030302);
    assert_string_equal(derive().method, "core"); /* no group qualifies */
}

static void goldmont_takes_the_first_group(void **state)
{
    (void)state;
    be_intel(0x5C);
    msr(0xCE, 11 << 8);
    msr(0x1AD, 0x1819);
    msr(0x1AE, 0x0201);
    assert_string_equal(derive().method, "skx1");
    assert_int_equal(derive().turbo_ratio, 0x19);
}

/* Kernel-facts 12.3: byte 1 is 20H, the delta of byte 2 is 0, that of byte 3 is 2. */
static void knights_landing_subtracts_one_delta(void **state)
{
    (void)state;
    be_intel(0x57);
    msr(0xCE, 13 << 8);
    msr(0x1AD, UINT64_C(2) << 29 | 0x2000);
    assert_string_equal(derive().method, "knl");
    assert_int_equal(derive().turbo_ratio, 30);
    msr(0x1AD, UINT64_C(2) << 61 | 0x2000); /* found too late: Linux leaves the ratio unset */
    assert_int_equal(derive().ratio_1024, 0);
    msr(0x1AD, 0x2000);
    assert_int_equal(derive().ratio_1024, 0);
}

static void unreadable_msrs_say_so(void **state)
{
    (void)state;
    be_intel(0x9E);
    assert_string_equal(derive().method, "none");
    assert_non_null(derive().why);
    assert_int_equal(derive().ratio_1024, 0);
}

static void amd_takes_the_midpoint(void **state)
{
    static const uint64_t mhz[] = {2250, 2000, 1500};
    const struct frequency *frequency = &sim.platform.frequency;

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_pss(&sim, mhz, 3);
    sim_platform_cpc(&sim, 255, 168, 2250);
    platform_freeze(&sim.platform);
    assert_string_equal(frequency->invariance_method, "amd_midpoint");
    assert_int_equal(frequency->invariance_ratio_1024, 1289);
    assert_int_equal(frequency->invariance_max_khz, 2832275);
    assert_true(frequency->is_invariance_active);
    sim.platform.processors[0].cpc_value[CPC_LOWEST_PERF] = 0;
    assert_string_equal(derive().method, "none");
}

static void unknown_and_hygon(void **state)
{
    (void)state;
    sim_platform_cpc(&sim, 255, 168, 2250);
    assert_int_equal(derive().ratio_1024, 1289);
    assert_int_equal(derive().max_khz, 2832275);
    assert_false(derive().is_active);
    sim_platform_identity(&sim, "HygonGenuine", 0x18, 1);
    assert_string_equal(derive().method, "none");
    assert_int_equal(derive().ratio_1024, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(airmont_takes_the_one_core_turbo, set_up, tear_down),
        cmocka_unit_test_setup_teardown(core_takes_four_cores_or_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(skylake_x_takes_the_group_of_four, set_up, tear_down),
        cmocka_unit_test_setup_teardown(goldmont_takes_the_first_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(knights_landing_subtracts_one_delta, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unreadable_msrs_say_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(amd_takes_the_midpoint, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_and_hygon, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
