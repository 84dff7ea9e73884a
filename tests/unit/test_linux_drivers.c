#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sim_platform sim;

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static bool has_message(const struct linux_view *view, enum linux_level level, const char *part)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (view->messages[i].level == level && strstr(view->messages[i].text, part) != NULL) {
            return true;
        }
    }
    return false;
}

static bool has_why(const struct linux_view *view, const char *part)
{
    for (uint32_t i = 0; i < view->why.count; i++) {
        if (strstr(view->why.text[i], part) != NULL) {
            return true;
        }
    }
    return false;
}

static void intel(uint32_t model)
{
    sim_platform_init(&sim, 4);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_feature(&sim, CPU_FEATURE_IDA);
    sim_platform_feature(&sim, CPU_FEATURE_ARAT);
}

/* kernel-facts 12.1: amd-pstate's maximum, floor to MHz, and the later one, rounded up. */
static void amd_pstate_maxima(void **state)
{
    static const struct {
        uint64_t highest, nominal, mhz, floor_khz, ceil_khz;
    } rows[] = {
        {255, 168, 2250, 3414000, 3415179}, {166, 125, 3400, 4512000, 4515200},
        {196, 128, 4200, 6431000, 6431250}, {166, 137, 3700, 4480000, 4483212},
        {255, 255, 2000, 2000000, 2000000}, {166, 63, 2000, 5269000, 5269842},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        static const uint64_t mhz[] = {2000, 1000};
        struct sim_cpc cpc = {
            rows[i].highest, rows[i].nominal, rows[i].nominal, 10, rows[i].mhz, 400};

        sim_platform_init(&sim, 2);
        sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x11);
        sim_platform_pss(&sim, mhz, 2);
        sim_linux_cpc(&sim, &cpc);
        assert_int_equal(sim_linux_view(&sim, "6.12")->amd.max_khz, rows[i].floor_khz);
        assert_int_equal(sim_linux_view(&sim, "6.15")->amd.max_khz, rows[i].ceil_khz);
        sim_platform_free(&sim);
    }
    sim_platform_init(&sim, 1);
}

/* kernel-facts 12.1: cpuinfo.max with P0 and with nominal_freq as its base. */
static void cpuinfo_maxima(void **state)
{
    static const struct {
        uint64_t highest, nominal, mhz, p0_mhz, from_nominal_khz, from_p0_khz;
    } rows[] = {
        {255, 168, 2250, 2250, 3414550, 3414550}, {166, 125, 3400, 3400, 4512304, 4512304},
        {166, 137, 3700, 3800, 4480468, 4601562}, {255, 255, 2000, 2000, 2000000, 2000000},
        {166, 63, 2000, 2000, 5269531, 5269531},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t mhz[] = {rows[i].p0_mhz, 1000};
        struct sim_cpc cpc = {rows[i].highest, rows[i].nominal, 40, 10, rows[i].mhz, 400};

        sim_platform_init(&sim, 2);
        sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
        sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
        sim_platform_pss(&sim, mhz, 2);
        sim_linux_pct(&sim, 0x7F);
        sim_linux_cpc(&sim, &cpc);
        sim_linux_fadt(&sim, FADT_PREFERRED_PM_PROFILE, 4);
        assert_int_equal(sim_linux_view(&sim, "6.16")->cpuinfo_max.value, rows[i].from_nominal_khz);
        assert_int_equal(sim_linux_view(&sim, "6.12.117")->cpuinfo_max.value,
                         rows[i].from_nominal_khz);
        assert_int_equal(sim_linux_view(&sim, "5.12")->cpuinfo_max.value, rows[i].from_p0_khz);
        sim_platform_free(&sim);
    }
    sim_platform_init(&sim, 1);
}

/* Bug 1: 5.11 takes 255 at face value, 5.13 takes 166. */
static void seven_gigahertz(void **state)
{
    static const uint64_t mhz[] = {3400, 2800, 2200};
    static const struct sim_cpc cpc = {255, 120, 60, 20, 3400, 400};

    (void)state;
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x21);
    sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
    sim_platform_pss(&sim, mhz, 3);
    sim_linux_pct(&sim, 0x7F);
    sim_linux_cpc(&sim, &cpc);
    assert_int_equal(sim_linux_view(&sim, "5.10")->cpuinfo_max.value, 3400000);
    assert_int_equal(sim_linux_view(&sim, "5.12")->cpuinfo_max.value, 7225000);
    assert_int_equal(sim_linux_view(&sim, "5.13")->cpuinfo_max.value, 4701562);
}

/* Bug 5: the alarm about P0 belongs to the kernel's own row. */
static void the_boost_row_is_not_firmwares_fault(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    view = sim_linux_view(&sim, "5.11");
    assert_true(has_message(view, LINUX_LEVEL_FW_WARN, "P-state 0 is not max freq"));
    view = sim_linux_view(&sim, "6.12");
    assert_false(has_message(view, LINUX_LEVEL_FW_WARN, "P-state 0 is not max freq"));
}

/* Bug 13: CPPC MSRs without a _CPC. */
static void no_cpc(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_7840hs(&sim);
    for (uint32_t cpu = 0; cpu < 16; cpu++) {
        sim.platform.processors[cpu].objects[OBJECT_CPC] =
            (struct object_result){.avail = AVAIL_ABSENT};
    }
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "acpi-cpufreq");
    assert_int_equal(view->table.boost_ratio_1024, 0);
    assert_int_equal(view->invariance.ratio_1024, 0);
    assert_true(has_message(view, LINUX_LEVEL_WARNING, "the _CPC object is not present"));
}

/* Bug 14: _PCT and _PPC without a _PSS. */
static void no_pss(void **state)
{
    const struct linux_view *view;

    (void)state;
    intel(0x0F);
    sim_linux_pct(&sim, 0x7F);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        sim.platform.processors[cpu].objects[OBJECT_PPC].avail = AVAIL_PRESENT;
    }
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "none");
    assert_true(has_message(view, LINUX_LEVEL_FW_BUG, "BIOS needs update"));
    assert_true(has_message(view, LINUX_LEVEL_WARNING, "_PSS evaluation failed: AE_NOT_FOUND"));
    assert_true(has_why(view, "acpi-cpufreq: there is no _PSS"));
    for (uint32_t i = 0; i < view->messages_count; i++) {
        assert_true(view->messages[i].cpus <= 4);
    }
}

/* Bug 16: a padded _PSS, and duplicates that are skipped in silence. */
static void dropped_rows(void **state)
{
    static const uint64_t mhz[] = {0x80000000, 3600, 3600, 2800, 3000, 2200, 0};
    const struct linux_view *view;

    (void)state;
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x71);
    sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
    sim_platform_pss(&sim, mhz, 7);
    sim_linux_pct(&sim, 0x7F);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->table.count, 3);
    assert_int_equal(view->table.dropped_count, 4);
    assert_int_equal(view->table.rows[0].control, 1);
    assert_non_null(strstr(view->table.dropped[1].why, "not below the last row"));
    assert_true(
        has_message(view, LINUX_LEVEL_FW_BUG, "frequency found for processor N: 0x80000000"));
    assert_true(has_message(view, LINUX_LEVEL_FW_BUG, "frequency found for processor N: 0x0 MHz"));
}

static void policies_follow_psd_and_its_overrides(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 8);
    sim_linux_psd(&sim, COORD_SW_ALL, 4);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->policies.count, 8);
    assert_true(has_message(view, LINUX_LEVEL_INFO, "overriding BIOS provided _PSD"));
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x01);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->policies.count, 2);
    assert_int_equal(view->policies.related_cpus, 4);
    view = sim_linux_view(&sim, "5.4");
    assert_int_equal(view->policies.count, 8);
}

static void server_profiles_are_refused(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_7840hs(&sim);
    sim_linux_fadt(&sim, FADT_PREFERRED_PM_PROFILE, 4);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "acpi-cpufreq");
    assert_true(has_why(view, "server"));
    assert_true(has_message(view, LINUX_LEVEL_INFO, "driver load is disabled"));
    sim_linux_fadt(&sim, FADT_PREFERRED_PM_PROFILE, 0);
    assert_true(has_why(sim_linux_view(&sim, "6.12"), "unspecified"));
    sim_linux_fadt(&sim, FADT_PREFERRED_PM_PROFILE, 1);
    assert_string_equal(sim_linux_view(&sim, "6.12")->driver_name, "amd-pstate");
}

/* A _CPC without frequencies cannot run amd-pstate. */
static void frequencies_must_fit(void **state)
{
    static const struct sim_cpc no_freq = {196, 150, 70, 16, 0, 0};
    static const struct sim_cpc flat = {196, 150, 16, 16, 3800, 405};
    const struct linux_view *view;

    (void)state;
    sim_linux_7840hs(&sim);
    sim_linux_cpc(&sim, &no_freq);
    view = sim_linux_view(&sim, "6.12");
    assert_true(has_message(view, LINUX_LEVEL_ERROR, "value is incorrect"));
    assert_string_equal(view->driver_name, "acpi-cpufreq");
    sim_linux_cpc(&sim, &flat);
    for (uint32_t cpu = 0; cpu < 16; cpu++) {
        sim_platform_msr(&sim, cpu, 0xC00102B0, 196U << 24 | 150 << 16 | 16 << 8 | 16);
    }
    view = sim_linux_view(&sim, "6.12");
    assert_true(has_message(view, LINUX_LEVEL_ERROR, "lowest_nonlinear_freq("));
}

/* Skylake-X: the first group of at least four cores; other models never ask for groups. */
static void skylake_x_takes_the_group_of_four(void **state)
{
    const struct linux_view *view;

    (void)state;
    intel(0x55);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, UINT64_C(12) << 40 | 26 << 8);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, UINT64_C(0x2020202123252737));
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AE, UINT64_C(0x1814100C08040201));
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->invariance.method, "skx4");
    assert_int_equal(view->invariance.turbo, 0x25);
    assert_int_equal(view->invariance.ratio_1024, 0x25 * 1024 / 26);
    assert_int_equal(view->invariance.methods_count, 5);
    assert_int_equal(view->cpuinfo_max.value, 0x37 * 100000);
    assert_int_equal(view->cpuinfo_min.value, 1200000);
    assert_int_equal(view->mode, LINUX_MODE_PASSIVE);
}

/* kernel-facts 12.3: byte 1 is 20h, the first delta that is not 0 is 2. */
static void knights_landing_walks_the_deltas(void **state)
{
    const struct linux_view *view;

    (void)state;
    intel(0x57);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, UINT64_C(10) << 40 | 13 << 8);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, UINT64_C(2) << 29 | 0x20 << 8);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->invariance.method, "knl");
    assert_int_equal(view->invariance.turbo, 30);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 0x20 << 8);
    assert_int_equal(sim_linux_view(&sim, "6.12")->invariance.ratio_1024, 0);
}

/* Bug 8: HWP levels of a part that does not say hybrid come out as 100 MHz steps. */
static void hwp_levels_and_their_scale(void **state)
{
    const struct linux_view *view;

    (void)state;
    intel(0xD7);
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    sim_platform_feature(&sim, CPU_FEATURE_HWP_EPP);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x771, 30 << 8 | 70);
    sim_platform_msr(&sim, 3, 0x771, 30 << 8 | 73);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, UINT64_C(8) << 40 | 24 << 8);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 57);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->mode, LINUX_MODE_ACTIVE);
    assert_int_equal(view->limits_count, 2);
    assert_int_equal(view->limits[0].max_khz, 7000000);
    assert_int_equal(view->limits[1].max_khz, 7300000);
    sim_platform_feature(&sim, CPU_FEATURE_HYBRID);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        sim.platform.cpus[cpu].core_type = 0x40;
    }
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->limits[0].max_khz, 5500000);
    assert_int_equal(view->limits[1].max_khz, 5700000);
    assert_true(view->invariance.is_per_cpu);
    assert_int_equal(sim_linux_view(&sim, "5.10")->limits[0].max_khz, 7000000);
}

static void what_the_snapshot_lacks_is_not_claimed(void **state)
{
    const struct linux_view *view;

    (void)state;
    intel(0x9E);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "none");
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    sim_platform_feature(&sim, CPU_FEATURE_HWP_EPP);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "intel_pstate");
    assert_int_equal(view->cpuinfo_max.avail, AVAIL_UNTRIED);
    assert_int_equal(view->invariance.avail, AVAIL_UNTRIED);
    assert_string_equal(view->invariance.method, "none");
    assert_non_null(view->governor.no_runs_why);
}

static void rate_limits(void **state)
{
    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    assert_int_equal(sim_linux_view(&sim, "5.4")->delay_us.value, 1000);
    assert_int_equal(sim_linux_view(&sim, "6.12")->delay_us.value, 1);
    assert_int_equal(sim_linux_view(&sim, "6.12")->latency_ns.value, 1000);
}

/* Kernel-facts 12.2, row 4: a _CPC without frequencies counts by the speed that SMBIOS names. */
static void smbios_speed_stands_in_for_frequencies(void **state)
{
    static const struct sim_cpc cpc = {166, 125, 60, 20, 0, 0};
    const struct linux_view *view;

    (void)state;
    sim_linux_7840hs(&sim);
    sim_linux_cpc(&sim, &cpc);
    view = sim_linux_view(&sim, "6.12");
    assert_null(view->cppc.khz_from);
    assert_non_null(strstr(view->cppc.no_khz_why, "not in the snapshot"));
    assert_int_equal(view->cppc.points[0].khz, 0);
    sim.platform.has_smbios = true;
    sim.platform.smbios_max_mhz = 4000;
    view = sim_linux_view(&sim, "6.12");
    assert_non_null(strstr(view->cppc.khz_from, "4000 MHz"));
    assert_int_equal(view->cppc.points[0].khz, 4000000);
    assert_int_equal(view->cppc.points[1].khz, 3012048);
    assert_int_equal(view->cppc.points[3].khz, 481927);
    sim.platform.smbios_max_mhz = 0;
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->cppc.points[0].khz, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(amd_pstate_maxima, tear_down),
        cmocka_unit_test_teardown(cpuinfo_maxima, tear_down),
        cmocka_unit_test_teardown(seven_gigahertz, tear_down),
        cmocka_unit_test_teardown(the_boost_row_is_not_firmwares_fault, tear_down),
        cmocka_unit_test_teardown(no_cpc, tear_down),
        cmocka_unit_test_teardown(no_pss, tear_down),
        cmocka_unit_test_teardown(dropped_rows, tear_down),
        cmocka_unit_test_teardown(policies_follow_psd_and_its_overrides, tear_down),
        cmocka_unit_test_teardown(server_profiles_are_refused, tear_down),
        cmocka_unit_test_teardown(frequencies_must_fit, tear_down),
        cmocka_unit_test_teardown(skylake_x_takes_the_group_of_four, tear_down),
        cmocka_unit_test_teardown(knights_landing_walks_the_deltas, tear_down),
        cmocka_unit_test_teardown(hwp_levels_and_their_scale, tear_down),
        cmocka_unit_test_teardown(what_the_snapshot_lacks_is_not_claimed, tear_down),
        cmocka_unit_test_teardown(rate_limits, tear_down),
        cmocka_unit_test_teardown(smbios_speed_stands_in_for_frequencies, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
