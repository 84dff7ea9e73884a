#include "model/tsc_rate.h"
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

static struct tsc_rate rate_of(uint32_t model, uint32_t denominator, uint32_t numerator,
                               uint32_t crystal_hz, uint32_t base_mhz)
{
    struct tsc_rate rate;

    sim_platform_free(&sim);
    sim_platform_init(&sim, 1);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_leaf(
        &sim,
        (struct cpuid_leaf){.leaf = 0x15, .eax = denominator, .ebx = numerator, .ecx = crystal_hz});
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0x16, .eax = base_mhz, .ecx = 100});
    tsc_rate_from_cpuid(&sim.set, &sim.platform.identity, &rate);
    return rate;
}

/* Public report 34. */
static void published_cases(void **state)
{
    struct tsc_rate rate;

    (void)state;
    rate = rate_of(0x9E, 2, 0x12C, 0, 3600);
    assert_true(rate.tsc_hz == UINT64_C(3600000000));
    assert_int_equal(rate.source, TSC_RATE_CRYSTAL_ASSUMED);
    rate = rate_of(0x55, 2, 0x100, 0, 3200);
    assert_true(rate.tsc_hz == UINT64_C(3200000000));
    assert_int_equal(rate.crystal_hz, 25000000);
    rate = rate_of(0x7A, 3, 249, 19200000, 0);
    assert_true(rate.tsc_hz == UINT64_C(1593600000)); /* 161944234 in 32 bits */
    assert_int_equal(rate.source, TSC_RATE_CRYSTAL);
}

static void nothing_where_cpuid_says_nothing(void **state)
{
    struct tsc_rate rate = rate_of(0x9E, 0, 0, 0, 3600);

    (void)state;
    assert_int_equal(rate.source, TSC_RATE_NONE);
    assert_int_equal(rate_of(0x97, 2, 0, 38400000, 0).tsc_hz, 0);
    assert_int_equal(rate_of(0x97, 2, 100, 0, 0).tsc_hz, 0);
    sim.leaves[0].eax = 0x0D; /* the leaves are still there, but beyond the maximum */
    tsc_rate_from_cpuid(&sim.set, &sim.platform.identity, &rate);
    assert_string_equal(rate.from, "CPUID has no leaf 15H");
}

/* Kernel-facts 12.3: crystal 27272 kHz, TSC 2399936 kHz in Linux's arithmetic. */
static void linux_arithmetic(void **state)
{
    struct tsc_rate rate = rate_of(0x97, 2, 176, 0, 2400);

    (void)state;
    assert_int_equal(rate.source, TSC_RATE_BASE_FREQUENCY);
    assert_in_range(rate.tsc_hz, 2399999900, 2400000000);
    assert_int_equal(tsc_rate_linux_khz(&sim.set, &sim.platform.identity), 2399936);
    (void)rate_of(0x5F, 2, 176, 0, 0);
    assert_int_equal(tsc_rate_linux_khz(&sim.set, &sim.platform.identity), 2200000);
    sim.platform.identity.vendor = VENDOR_AMD;
    assert_int_equal(tsc_rate_linux_khz(&sim.set, &sim.platform.identity), 0);
}

static void hypervisor_rate(void **state)
{
    struct tsc_rate rate;

    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x9E);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0x40000010, .eax = 2400000});
    tsc_rate_from_hypervisor(&sim.set, &rate);
    assert_int_equal(rate.tsc_hz, 0);
    sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
    tsc_rate_from_hypervisor(&sim.set, &rate);
    assert_true(rate.tsc_hz == UINT64_C(2400000000));
}

static void ratio_msr(void **state)
{
    struct tsc_rate rate;

    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x37);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 0);
    tsc_rate_from_msr(&sim.platform, 0, &rate);
    assert_int_equal(rate.source, TSC_RATE_NONE);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, 16 << 8);
    tsc_rate_from_msr(&sim.platform, 0, &rate);
    assert_int_equal(rate.tsc_hz, 1333333000);
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x27);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 5);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x198, UINT64_C(12) << 40);
    tsc_rate_from_msr(&sim.platform, 0, &rate);
    assert_int_equal(rate.tsc_hz, 1198080000);
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x9E);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, 36 << 8);
    tsc_rate_from_msr(&sim.platform, 0, &rate);
    assert_true(rate.tsc_hz == UINT64_C(3600000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(published_cases, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_where_cpuid_says_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(linux_arithmetic, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hypervisor_rate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ratio_msr, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
