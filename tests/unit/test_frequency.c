#include "model/amd_pstate.h"
#include "model/frequency.h"
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
    sim_platform_init(&sim, 2);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static const struct frequency *freeze(void)
{
    platform_freeze(&sim.platform);
    return &sim.platform.frequency;
}

/* Mission S1: 2 x EPYC 7742. Family 17h model 31h, though in the 166 range, does not rank its cores. */
static void epyc_gets_one_row_in_front(void **state)
{
    static const uint64_t mhz[] = {2250, 2000, 1500};
    const struct frequency *frequency;

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
    sim_platform_pss(&sim, mhz, 3);
    sim_platform_cpc(&sim, 255, 168, 2250);
    frequency = freeze();
    assert_int_equal(frequency->processor, 0);
    assert_int_equal(frequency->count, 4);
    assert_int_equal(frequency->rows[0].kind, FREQUENCY_BOOST);
    assert_int_equal(frequency->rows[0].khz, 3414550);
    assert_int_equal(frequency->rows[0].control, 0);
    assert_int_equal(frequency->rows[0].pss_index, 0);
    assert_int_equal(frequency->rows[1].kind, FREQUENCY_PSTATE);
    assert_int_equal(frequency->rows[1].khz, 2250000);
    assert_int_equal(frequency->rows[3].khz, 1500000);
    assert_int_equal(frequency->rows[3].pss_index, 2);
    assert_int_equal(frequency->boost_ratio_1024, 1554);
    assert_int_equal(frequency->max_boost_khz, 3414550);
    assert_int_equal(frequency->cpuinfo_max_khz, 3414550);
    assert_int_equal(frequency->midpoint_ratio_1024, 1289);
    assert_int_equal(frequency->invariance_ratio_1024, 1289);
    assert_int_equal(frequency->invariance_max_khz, 2832275);
    assert_string_equal(frequency->invariance_method, "amd_midpoint");
    assert_false(frequency->is_invariance_active);
    assert_null(frequency->no_boost_why);
}

/* Public report 1: 255 taken at face value gives 7.2 GHz. */
static void zen3_desktop_scale_ends_at_166(void **state)
{
    static const uint64_t mhz[] = {3400, 2800, 2200};
    const struct frequency *frequency;

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x21);
    sim_platform_pss(&sim, mhz, 3);
    sim_platform_cpc(&sim, 255, 120, 3400);
    frequency = freeze();
    assert_int_equal(frequency->boost_numerator, 166);
    assert_int_equal(frequency->firmware_numerator, 255);
    assert_int_equal(frequency->boost_ratio_1024, 1416);
    assert_int_equal(frequency->max_boost_khz, 4701562);
    assert_int_equal(frequency->raw_boost_khz, 7225000);
    assert_true(frequency->is_boost_numerator_verified);
}

static uint64_t boost_of(uint32_t family, uint32_t model, uint64_t highest, uint64_t nominal,
                         uint64_t p0_mhz)
{
    sim_platform_free(&sim);
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "AuthenticAMD", family, model);
    sim_platform_pss(&sim, &p0_mhz, 1);
    sim_platform_cpc(&sim, highest, nominal, p0_mhz);
    return freeze()->max_boost_khz;
}

/* Public reports 2 and 4. */
static void numerator_by_model(void **state)
{
    (void)state;
    assert_int_equal(boost_of(0x19, 0x74, 166, 150, 3800), 4965234);
    assert_int_equal(sim.platform.frequency.raw_boost_khz, 4204492);
    assert_int_equal(boost_of(0x19, 0x11, 255, 159, 2000), 3207031);
    assert_int_equal(boost_of(0x19, 0x11, 166, 159, 2000), 3207031);
    assert_int_equal(boost_of(0x19, 0x21, 166, 119, 3700), 5159765);
    assert_int_equal(boost_of(0x17, 0x71, 255, 125, 3400), 4512304);
    assert_int_equal(boost_of(0x19, 0x01, 255, 168, 2250), 3414550);
}

static void unknown_model_keeps_the_firmware_value(void **state)
{
    (void)state;
    assert_int_equal(boost_of(0x1B, 0x00, 200, 100, 3000), 6000000);
    assert_false(sim.platform.frequency.is_boost_numerator_verified);
    assert_non_null(strstr(sim.platform.frequency.boost_numerator_why, "unverified"));
}

static void preferred_cores_on_zen5_take_166_or_196(void **state)
{
    static const uint64_t mhz[] = {3000};
    const struct frequency *frequency;

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x1A, 0x44);
    sim_platform_pss(&sim, mhz, 1);
    sim_platform_cpc(&sim, 236, 100, 3000);
    sim.platform.processors[1].cpc_value[CPC_HIGHEST_PERF] = 231;
    frequency = freeze();
    assert_int_equal(frequency->boost_numerator, 166);
    sim_platform_feature(&sim, CPU_FEATURE_HETERO_CORES);
    frequency = freeze();
    assert_int_equal(frequency->boost_numerator, 196);
    sim_platform_leaf(&sim,
                      (struct cpuid_leaf){.leaf = 0x80000026, .eax = 1U << 30, .ebx = 1U << 28});
    frequency = freeze();
    assert_int_equal(frequency->boost_numerator, 236);
}

static void msr_beats_cpc_for_highest(void **state)
{
    static const uint64_t mhz[] = {2000};

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x01);
    sim_platform_feature(&sim, CPU_FEATURE_CPPC);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC00102B0, 0xC8800F05);
    sim_platform_pss(&sim, mhz, 1);
    sim_platform_cpc(&sim, 255, 128, 2000);
    assert_int_equal(freeze()->boost_numerator, 0xC8);
}

/* Kernel-facts 12.1: H, N, nominal MHz, P0 MHz, ratio, 6.16 form, P0 form, midpoint. */
static void published_vectors(void **state)
{
    static const uint64_t vectors[][8] = {
        {255, 168, 2250, 2250, 1554, 3414550, 3414550, 1289},
        {166, 125, 3400, 3400, 1359, 4512304, 4512304, 1191},
        {196, 128, 4200, 4200, 1568, 6431250, 6431250, 1296},
        {166, 137, 3700, 3800, 1240, 4480468, 4601562, 1132},
        {255, 255, 2000, 2000, 1024, 2000000, 2000000, 1024},
        {166, 63, 2000, 2000, 2698, 5269531, 5269531, 1861},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        const uint64_t *v = vectors[i];
        uint64_t ratio = frequency_boost_ratio_1024(v[0], v[1]);

        assert_int_equal(ratio, v[4]);
        assert_int_equal(frequency_scale_khz(v[2] * 1000, ratio), v[5]);
        assert_int_equal(frequency_scale_khz(v[3] * 1000, ratio), v[6]);
        assert_int_equal(frequency_midpoint_ratio_1024(v[0], v[1]), v[7]);
    }
    assert_int_equal(frequency_boost_ratio_1024(0, 5), 0);
    assert_int_equal(frequency_boost_ratio_1024(5, 0), 0);
    assert_int_equal(frequency_boost_ratio_1024(4, 5), 0);
    assert_int_equal(frequency_midpoint_ratio_1024(5, 0), 0);
}

static void both_forms_are_kept(void **state)
{
    static const uint64_t mhz[] = {3800, 2200};
    const struct frequency *frequency;

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x50);
    sim_platform_pss(&sim, mhz, 2);
    sim_platform_cpc(&sim, 166, 137, 3700);
    frequency = freeze();
    assert_int_equal(frequency->max_boost_khz, 4601562);
    assert_int_equal(frequency->cpuinfo_max_khz, 4480468);
}

static void rows_not_below_the_last_are_skipped(void **state)
{
    static const uint64_t mhz[] = {0, 3000, 3000, 3100, 2000, 0x80000000, 2500, 1000};
    const struct frequency *frequency;

    (void)state;
    sim_platform_pss(&sim, mhz, 8);
    frequency = freeze();
    assert_int_equal(frequency->count, 3);
    assert_int_equal(frequency->rows[0].khz, 3000000);
    assert_int_equal(frequency->rows[0].pss_index, 1);
    assert_int_equal(frequency->rows[1].khz, 2000000);
    assert_int_equal(frequency->rows[2].khz, 1000000);
    assert_int_equal(frequency->skipped_rows, 5);
    assert_int_equal(frequency->boost_avail, AVAIL_ABSENT);
    assert_non_null(frequency->no_boost_why);
    assert_int_equal(frequency->max_boost_khz, 0);
}

static void no_boost_entry(void **state)
{
    static const uint64_t mhz[] = {3000, 2000};
    const struct frequency *frequency;

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x01);
    sim_platform_pss(&sim, mhz, 2);
    sim_platform_cpc(&sim, 90, 100, 3000);
    frequency = freeze();
    assert_int_equal(frequency->count, 2);
    assert_int_equal(frequency->boost_ratio_1024, 0);
    sim_platform_cpc(&sim, 200, 0, 3000);
    assert_int_equal(freeze()->count, 2);
    sim_platform_cpc(&sim, 200, 100, 3000);
    assert_int_equal(freeze()->count, 3);
    sim.platform.processors[0].cpc_value[CPC_LOWEST_PERF] = 0;
    assert_string_equal(freeze()->no_boost_why, "_CPC lowest_perf is 0");
    sim.platform.processors[0].cpc_avail[CPC_LOWEST_PERF] = AVAIL_FAULTED;
    assert_string_equal(freeze()->no_boost_why, "_CPC lowest_perf could not be read");
}

/* Public report 13. */
static void cppc_without_cpc_is_said(void **state)
{
    static const uint64_t mhz[] = {2800, 2400, 1600};

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x90);
    sim_platform_feature(&sim, CPU_FEATURE_CPPC);
    sim_platform_pss(&sim, mhz, 3);
    assert_non_null(strstr(freeze()->no_boost_why, "CPPC MSRs"));
    assert_int_equal(sim.platform.frequency.boost_ratio_1024, 0);
    assert_int_equal(sim.platform.frequency.count, 3);
}

/* Public report 35, case D. */
static void switched_off_turbo_has_no_boost_entry(void **state)
{
    static const uint64_t mhz[] = {3000};

    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x9E);
    sim_platform_pss(&sim, mhz, 1);
    sim_platform_cpc(&sim, 45, 30, 3000);
    assert_int_equal(freeze()->max_boost_khz, 4500000);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, 0x4000850089);
    assert_int_equal(freeze()->count, 1);
    assert_non_null(strstr(sim.platform.frequency.no_boost_why, "1A0H"));
}

/* Public report 8: HWP levels of 78.7 MHz beside a nominal_perf in bus ratios. */
static void hwp_level_is_not_a_ratio(void **state)
{
    static const uint64_t mhz[] = {3001, 3000};
    const struct frequency *frequency;

    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0xB7);
    sim_platform_pss(&sim, mhz, 2);
    sim_platform_cpc(&sim, 73, 30, 0);
    assert_int_equal(freeze()->max_boost_khz, 7300284);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 0x3939);
    frequency = freeze();
    assert_true(frequency->is_turbo_limited);
    assert_int_equal(frequency->rows[0].khz, 5700000);
    assert_int_equal(frequency->max_boost_khz, 5700000);
    assert_int_equal(frequency->raw_boost_khz, 7300284);
    sim_platform_cpc(&sim, 57, 30, 0);
    assert_false(freeze()->is_turbo_limited);
    assert_int_equal(sim.platform.frequency.turbo_limit_khz, 5700000);
}

static void a_row_that_is_no_row_refuses_the_table(void **state)
{
    static const uint64_t mhz[] = {3000, 2000};
    struct pss_row *rows;

    (void)state;
    sim_platform_pss(&sim, mhz, 2);
    rows = arena_array(sim.platform.arena, 2, sizeof(*rows));
    memcpy(rows, sim.platform.processors[0].objects[OBJECT_PSS].set->pss.rows, 2 * sizeof(*rows));
    rows[1].valid = 0x1F;
    rows[1].elements = 5;
    {
        struct object_set set = *sim.platform.processors[0].objects[OBJECT_PSS].set;

        set.pss.rows = rows;
        sim.platform.processors[0].objects[OBJECT_PSS].set = &set;
        assert_int_equal(freeze()->count, 0);
    }
    assert_int_equal(sim.platform.frequency.processor, PROCESSOR_NONE);
    assert_string_equal(sim.platform.frequency.no_table_why, "a _PSS row is not six Integers");
}

/* Linux takes the P-state MSR's frequency on family 10h below model 0Ah. */
static void old_amd_rows_come_from_the_msr(void **state)
{
    static const uint64_t mhz[] = {3400, 800};

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x10, 4);
    sim_platform_pss(&sim, mhz, 2);
    sim_platform_msr(&sim, SIM_ALL_CPUS, AMD_MSR_PSTATE_FIRST, UINT64_C(1) << 63 | 0x12 | 1 << 6);
    assert_int_equal(freeze()->rows[0].khz, 1700000);
    assert_int_equal(sim.platform.frequency.rows[1].khz, 800000);
}

static void the_first_cpu_with_a_pss_counts(void **state)
{
    static const uint64_t mhz[] = {3000};

    (void)state;
    assert_string_equal(freeze()->no_table_why, "no CPU has a _PSS");
    sim_platform_pss(&sim, mhz, 1);
    sim.platform.processors[0].objects[OBJECT_PSS] = (struct object_result){.avail = AVAIL_ABSENT};
    assert_int_equal(freeze()->processor, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(epyc_gets_one_row_in_front, set_up, tear_down),
        cmocka_unit_test_setup_teardown(zen3_desktop_scale_ends_at_166, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numerator_by_model, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_model_keeps_the_firmware_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(preferred_cores_on_zen5_take_166_or_196, set_up, tear_down),
        cmocka_unit_test_setup_teardown(msr_beats_cpc_for_highest, set_up, tear_down),
        cmocka_unit_test(published_vectors),
        cmocka_unit_test_setup_teardown(both_forms_are_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_not_below_the_last_are_skipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_boost_entry, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cppc_without_cpc_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(switched_off_turbo_has_no_boost_entry, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hwp_level_is_not_a_ratio, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_that_is_no_row_refuses_the_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(old_amd_rows_come_from_the_msr, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_cpu_with_a_pss_counts, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
