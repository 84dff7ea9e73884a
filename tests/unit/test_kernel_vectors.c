/*
 * The test vectors of the kernel facts, section 12, and the published works S1 to S5, one test each, named by their
 * numbers. Where another test looks closer the names of both say so.
 */
#include "model/amd_pstate.h"
#include "model/bus_clock.h"
#include "model/frequency.h"
#include "model/linux/cppc_convert.h"
#include "model/rapl.h"
#include "model/tsc_rate.h"
#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ON (UINT64_C(1) << 63)

static struct sim_platform sim;

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

/* 12.1: H, N, nominal and P0 MHz; ratio, cpuinfo.max of 6.12 and of the old base, midpoint, amd-pstate's maximum, and
 * the newer one. Through the whole model: firmware in, what Linux shows out. */
static void vector_12_1_boost_and_invariance(void **state)
{
    static const struct {
        uint64_t highest, nominal, mhz, p0_mhz, ratio, max_khz, old_khz, midpoint, floor_khz,
            ceil_khz;
    } rows[] = {
        {255, 168, 2250, 2250, 1554, 3414550, 3414550, 1289, 3414000, 3415179},
        {166, 125, 3400, 3400, 1359, 4512304, 4512304, 1191, 4512000, 4515200},
        {196, 128, 4200, 4200, 1568, 6431250, 6431250, 1296, 6431000, 6431250},
        {166, 137, 3700, 3800, 1240, 4480468, 4601562, 1132, 4480000, 4483212},
        {255, 255, 2000, 2000, 1024, 2000000, 2000000, 1024, 2000000, 2000000},
        {166, 63, 2000, 2000, 2698, 5269531, 5269531, 1861, 5269000, 5269842},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t mhz[] = {rows[i].p0_mhz, 1000};
        struct sim_cpc cpc = {rows[i].highest, rows[i].nominal, 40, 10, rows[i].mhz, 100};
        const struct linux_view *view;

        sim_platform_init(&sim, 2);
        sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
        sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
        sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
        sim_platform_pss(&sim, mhz, 2);
        sim_linux_pct(&sim, 0x7F);
        sim_linux_cpc(&sim, &cpc);
        sim_linux_fadt(&sim, FADT_PREFERRED_PM_PROFILE, 4);
        view = sim_linux_view(&sim, "6.12.117");
        assert_int_equal(view->table.boost_ratio_1024, rows[i].ratio);
        assert_int_equal(view->cpuinfo_max.value, rows[i].max_khz);
        assert_int_equal(view->invariance.ratio_1024, rows[i].midpoint);
        assert_int_equal(view->amd.max_khz, rows[i].floor_khz);
        assert_int_equal(sim_linux_view(&sim, "5.12")->cpuinfo_max.value, rows[i].old_khz);
        assert_int_equal(sim_linux_view(&sim, "6.16")->amd.max_khz, rows[i].ceil_khz);
        sim_platform_free(&sim);
    }
    sim_platform_init(&sim, 1);
}

/* 12.2, whole: test_cppc_convert has the earlier forms too. */
static void vector_12_2_perf_and_khz(void **state)
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
        struct cppc_scale scale = {.lowest_freq_mhz = (uint32_t)v[0],
                                   .nominal_freq_mhz = (uint32_t)v[1],
                                   .lowest_perf = (uint32_t)v[2],
                                   .nominal_perf = (uint32_t)v[3],
                                   .highest_perf = (uint32_t)v[4],
                                   .dmi_khz = v[5] * 1000};

        assert_int_equal(cppc_convert_to_khz(&scale, v[2]), v[6]);
        assert_int_equal(cppc_convert_to_khz(&scale, v[3]), v[7]);
        assert_int_equal(cppc_convert_to_khz(&scale, v[4]), v[8]);
        assert_int_equal(cppc_convert_to_perf(&scale, 400000), v[9]);
        assert_int_equal(cppc_convert_to_perf(&scale, 2000000), v[10]);
        assert_int_equal(cppc_convert_to_perf(&scale, 3400000), v[11]);
    }
    sim_platform_init(&sim, 1);
}

static struct amd_pstate decode(uint32_t family, uint32_t model, uint64_t raw)
{
    struct cpu_identity identity = {
        .avail = AVAIL_PRESENT, .vendor = VENDOR_AMD, .family = family, .model = model};
    struct amd_pstate pstate;

    amd_pstate_decode(&identity, raw, &pstate);
    return pstate;
}

static uint32_t fixup(uint32_t family, uint64_t raw)
{
    struct cpu_identity identity = {
        .avail = AVAIL_PRESENT, .vendor = VENDOR_AMD, .family = family, .model = 4};

    return amd_pstate_linux_fixup_mhz(&identity, raw);
}

static void vector_12_3_core_operating_frequency(void **state)
{
    (void)state;
    assert_int_equal(decode(0x17, 0x71, ON | 8 << 8 | 0xA8).cof_mhz, 4200);
    assert_int_equal(decode(0x17, 0x71, ON | 10 << 8 | 0xA8).cof_mhz, 3360);
    assert_int_equal(decode(0x12, 1, ON | 0x1AC0).cof_mhz, 2800);
    assert_int_equal(decode(0x12, 1, ON | 0x1AC0).fid, 12);
    assert_int_equal(decode(0x12, 1, ON | 0x1AC0).did, 0);
    assert_int_equal(decode(0x1A, 0x44, ON | 0x3A2).cof_mhz, 4650);
    assert_int_equal(decode(0x10, 4, ON | 1 << 6 | 0x12).cof_mhz, 1700);
    assert_int_equal(decode(0x11, 3, ON | 0x10).cof_mhz, 2400);
    /* What Linux puts into _PSS: families 10h and 11h alone, and never 12h, which it would get wrong. */
    assert_int_equal(fixup(0x10, ON | 1 << 6 | 0x12), 1700);
    assert_int_equal(fixup(0x11, ON | 0x10), 2400);
    assert_int_equal(fixup(0x12, ON | 0x1AC0), 0);
    sim_platform_init(&sim, 1);
}

static void intel(uint32_t model)
{
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
}

static void vector_12_3_knights_landing_turbo(void **state)
{
    (void)state;
    intel(0x57);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, UINT64_C(10) << 40 | 13 << 8);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, UINT64_C(2) << 29 | 0x20 << 8);
    assert_string_equal(sim_linux_view(&sim, "6.12")->invariance.method, "knl");
    assert_int_equal(sim_linux_view(&sim, "6.12")->invariance.turbo, 30);
}

static void vector_12_3_tsc_of_the_atoms(void **state)
{
    struct bus_clock clock;

    (void)state;
    intel(0x37);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 0);
    platform_freeze(&sim.platform);
    bus_clock_of(&sim.platform, 0, &clock);
    assert_int_equal(bus_clock_tsc_khz(&clock, 16), 1333333);
    sim_platform_free(&sim);
    intel(0x27);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 5);
    platform_freeze(&sim.platform);
    bus_clock_of(&sim.platform, 0, &clock);
    assert_int_equal(bus_clock_tsc_khz(&clock, 12), 1198080);
}

/* The crystal that Linux makes is 27272 kHz: 176/2 of it, and not of 27272.72. */
static void vector_12_3_tsc_without_a_crystal(void **state)
{
    (void)state;
    intel(0x9E);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0x15, .eax = 2, .ebx = 176});
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0x16, .eax = 2400});
    cpu_identity_decode(&sim.set, &sim.platform.identity);
    assert_int_equal(tsc_rate_linux_khz(&sim.set, &sim.platform.identity), 27272 * 176 / 2);
    assert_int_equal(tsc_rate_linux_khz(&sim.set, &sim.platform.identity), 2399936);
}

static void vector_12_3_voltage_and_power(void **state)
{
    struct amd_pstate zen =
        decode(0x17, 0x71, ON | UINT64_C(1) << 30 | UINT64_C(0x78) << 22 | 0x48 << 14 | 0x8A8);

    (void)state;
    assert_int_equal(zen.voltage_uv, 1100000);
    assert_int_equal(zen.idd_value, 120);
    assert_int_equal(zen.idd_divisor, 10);
    assert_int_equal(zen.power_mw, 13200);
    assert_int_equal(decode(0x19, 0x61, ON | UINT64_C(0xAB) << 14 | 0x8A8).voltage_uv, 1100000);
    assert_int_equal(decode(0x12, 1, ON | 13 << 9).voltage_uv, 1387500);
    sim_platform_init(&sim, 1);
}

/* 1220 before the clip: with a ratio of 1573, which is 1289 * 1220 / 1000, it is below 1024. */
static void vector_12_3_scale_is_clipped(void **state)
{
    uint32_t scale = 0;

    (void)state;
    assert_int_equal((UINT64_C(3000000) << 20) / (UINT64_C(2000000) * 1289), 1220);
    assert_true(governor_tick_scale(3000000, 2000000, 1289, &scale));
    assert_int_equal(scale, 1024);
    assert_true(governor_tick_scale(3000000, 2000000, 1573, &scale));
    assert_int_equal(scale, 999);
    /* Where Linux gives up: MPERF stands, APERF stands, no ratio, or a number that does not fit. */
    assert_false(governor_tick_scale(3000000, 0, 1289, &scale));
    assert_false(governor_tick_scale(0, 2000000, 1289, &scale));
    assert_false(governor_tick_scale(3000000, 2000000, 0, &scale));
    assert_false(governor_tick_scale(UINT64_C(1) << 44, 2000000, 1289, &scale));
    assert_false(governor_tick_scale(3000000, UINT64_C(1) << 54, 1289, &scale));
    assert_true(governor_tick_scale((UINT64_C(1) << 44) - 1, UINT64_C(1) << 43, 1024, &scale));
    assert_int_equal(scale, 1024);
    sim_platform_init(&sim, 1);
}

static void vector_12_3_rapl_window(void **state)
{
    (void)state;
    intel(0x9E);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x606, 0xA0E03);
    platform_freeze(&sim.platform);
    assert_int_equal(rapl_time_unit_us(&sim.platform, 0), 976);
    assert_int_equal(rapl_window_us(1 << 5 | 15, 976), 39976960);
    assert_int_equal(rapl_window_us(0, 976), 976);
    assert_int_equal(rapl_window_us(3 << 5 | 10, 976), 1748992);
    sim_platform_free(&sim);
    intel(0x4C); /* counts its windows otherwise */
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x606, 0xA0E03);
    platform_freeze(&sim.platform);
    assert_int_equal(rapl_time_unit_us(&sim.platform, 0), 0);
}

static uint64_t end_of(const struct linux_governor *governor, uint32_t util)
{
    for (uint32_t i = 0; i < governor->runs_count; i++) {
        if (governor->runs[i].util == util) {
            return governor->runs[i].steady_khz;
        }
    }
    fail_msg("no run at %u", util);
    return 0;
}

/* S1: 1.79, 2.00, 1.59, 2.00; the fall below about 0.75 to an invariant utilisation of 0.4; both remedies. */
static void mission_s1_the_fall_and_both_remedies(void **state)
{
    static const uint64_t khz[] = {2250000, 2000000, 1500000};
    struct governor_input input = {.rows_count = 3,
                                   .row_khz = khz,
                                   .reference_khz = 2250000,
                                   .is_invariant = true,
                                   .invariance_khz = 2825000,
                                   .delivered_khz = 2250000,
                                   .util = 819};
    const struct linux_remedies *remedies;
    struct governor_run run;

    (void)state;
    governor_run(&input, &run);
    assert_in_range(run.steps[0].target_khz, 1785000, 1795000);
    assert_int_equal(run.steps[1].current_khz, 2000000);
    assert_in_range(run.steps[1].target_khz, 1585000, 1595000);
    assert_int_equal(run.steady_khz, 2000000);
    input.util = 1024 * 74 / 100;
    governor_run(&input, &run);
    assert_int_equal(run.steady_khz, 1500000);
    assert_in_range(run.steps[run.steps_count - 1].util, 390, 420); /* 0.4 of 1024 */
    sim_linux_epyc_7742(&sim, 2);
    remedies = (sim_linux_view(&sim, "5.11-rc4"), &sim.platform.linux_views->remedies);
    assert_null(remedies->none_why);
    assert_in_range(remedies->boost_khz, 3400000, 3420000);
    assert_int_equal(end_of(&remedies->without, 819), 2000000);
    assert_int_equal(end_of(&remedies->max_boost, 819), 2250000);
    assert_true(end_of(&remedies->extended_table, 819) >= 2250000);
    assert_true(remedies->without.is_trap);
    assert_false(remedies->max_boost.is_trap);
    assert_false(remedies->extended_table.is_trap);
}

/* S1, fixed points of section 5.6 at full load: the ways out of P2 by variant. */
static void mission_s1_absorbing_and_not(void **state)
{
    static const uint64_t khz[] = {2250000, 2000000, 1500000};
    struct governor_input input = {.rows_count = 3,
                                   .row_khz = khz,
                                   .reference_khz = 2250000,
                                   .is_invariant = true,
                                   .invariance_khz = 2825000,
                                   .delivered_khz = 3100000};

    (void)state;
    assert_int_equal(governor_steady_row(&input, 2, 1024), 2);
    input.reference_khz = 3400000;
    assert_int_equal(governor_steady_row(&input, 2, 700), 0);
    assert_int_equal(governor_steady_row(&input, 2, 650), 2);
    input.reference_khz = input.invariance_khz = 2250000;
    assert_int_equal(governor_steady_row(&input, 2, 819), 2);
    assert_int_equal(governor_steady_row(&input, 2, 900), 0);
    sim_platform_init(&sim, 1);
}

/* S2: always; not in a guest; on bare-metal Intel alone. */
static void mission_s2_the_dummy_read_over_time(void **state)
{
    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    assert_true(sim_linux_view(&sim, "5.4")->idle.dummy_wait);
    assert_true(sim_linux_view(&sim, "5.19")->idle.dummy_wait);
    assert_false(sim_linux_view(&sim, "6.0")->idle.dummy_wait);
    assert_false(sim_linux_view(&sim, "5.15.92")->idle.dummy_wait);
    sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
    cpu_identity_decode(&sim.set, &sim.platform.identity);
    assert_true(sim_linux_view(&sim, "5.4")->idle.dummy_wait);
    assert_false(sim_linux_view(&sim, "5.5")->idle.dummy_wait);
}

/* S3: the one-core turbo by the base, both from the Silvermont registers; turbo off is 1024. */
static void mission_s3_the_atoms_before_goldmont(void **state)
{
    (void)state;
    sim_linux_z8350(&sim);
    assert_string_equal(sim_linux_view(&sim, "6.12")->invariance.method, "slv");
    assert_int_equal(sim_linux_view(&sim, "6.12")->invariance.ratio_1024, 24 * 1024 / 18);
    assert_int_equal(sim_linux_view(&sim, "5.6")->invariance.ratio_1024, 0);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, UINT64_C(1) << 38);
    assert_int_equal(sim_linux_view(&sim, "6.12")->invariance.ratio_1024, 1024);
}

/* S4: 600 us with the bit, 1000 without, latency 20000 ns. */
static void mission_s4_fast_cppc(void **state)
{
    (void)state;
    sim_linux_7840hs(&sim);
    assert_int_equal(sim_linux_view(&sim, "6.11")->amd.delay_us, 600);
    assert_int_equal(sim_linux_view(&sim, "6.11")->amd.latency_ns, 20000);
    assert_int_equal(sim_linux_view(&sim, "6.10")->amd.delay_us, 1000);
    for (uint32_t i = 0; i < sim.set.count; i++) {
        if (sim.leaves[i].leaf == 0x80000007) {
            sim.leaves[i].edx &= ~(UINT32_C(1) << 15);
        }
    }
    assert_int_equal(sim_linux_view(&sim, "6.16")->amd.delay_us, 1000);
}

/* S5: ((255 << 10) / 168 + 1024) / 2. */
static void mission_s5_the_midpoint(void **state)
{
    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    assert_int_equal(sim_linux_view(&sim, "5.11")->invariance.ratio_1024,
                     ((255 << 10) / 168 + 1024) / 2);
    assert_int_equal(frequency_midpoint_ratio_1024(255, 168), 1289);
    /* The fixed numerator 166 is below this part's nominal 168: no boost at all. */
    assert_int_equal(sim_linux_view(&sim, "5.13")->table.boost_ratio_1024, 0);
    assert_int_equal(sim_linux_view(&sim, "6.10")->invariance.ratio_1024, 1024);
    assert_int_equal(sim_linux_view(&sim, "6.12")->invariance.ratio_1024, 1289);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(vector_12_1_boost_and_invariance, tear_down),
        cmocka_unit_test_teardown(vector_12_2_perf_and_khz, tear_down),
        cmocka_unit_test_teardown(vector_12_3_core_operating_frequency, tear_down),
        cmocka_unit_test_teardown(vector_12_3_knights_landing_turbo, tear_down),
        cmocka_unit_test_teardown(vector_12_3_tsc_of_the_atoms, tear_down),
        cmocka_unit_test_teardown(vector_12_3_tsc_without_a_crystal, tear_down),
        cmocka_unit_test_teardown(vector_12_3_voltage_and_power, tear_down),
        cmocka_unit_test_teardown(vector_12_3_scale_is_clipped, tear_down),
        cmocka_unit_test_teardown(vector_12_3_rapl_window, tear_down),
        cmocka_unit_test_teardown(mission_s1_the_fall_and_both_remedies, tear_down),
        cmocka_unit_test_teardown(mission_s1_absorbing_and_not, tear_down),
        cmocka_unit_test_teardown(mission_s2_the_dummy_read_over_time, tear_down),
        cmocka_unit_test_teardown(mission_s3_the_atoms_before_goldmont, tear_down),
        cmocka_unit_test_teardown(mission_s4_fast_cppc, tear_down),
        cmocka_unit_test_teardown(mission_s5_the_midpoint, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
