/*
 * Public bug reports about what Linux concludes, by their numbers in the list: the reported machine, and a second
 * one of the same kind. What firmware is told about them is in tests/rules/test_bug_reports.c.
 */
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

static bool says(const struct linux_view *view, enum linux_message_kind kind)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (view->messages[i].kind == kind) {
            return true;
        }
    }
    return false;
}

/* An AMD machine with a _PSS of p0, 2800 and 1600 MHz on acpi-cpufreq. */
static void amd(uint32_t family, uint32_t model, uint64_t p0_mhz, uint64_t highest,
                uint64_t nominal)
{
    uint64_t mhz[] = {p0_mhz, 1600, 1200};
    struct sim_cpc cpc = {highest, nominal, 60, 20, p0_mhz, 400};

    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "AuthenticAMD", family, model);
    sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_pss(&sim, mhz, 3);
    sim_linux_pct(&sim, 0x7F);
    sim_linux_cpc(&sim, &cpc);
    sim_linux_fadt(&sim, FADT_PREFERRED_PM_PROFILE, 4);
}

/* 255 at face value is 7.2 GHz; a Zen 2 desktop, which the same fix names, 6.9. */
static void bug_1_highest_perf_255_taken_at_face_value(void **state)
{
    (void)state;
    amd(0x19, 0x21, 3400, 255, 120);
    assert_int_equal(sim_linux_view(&sim, "5.10")->cpuinfo_max.value, 3400000);
    assert_int_equal(sim_linux_view(&sim, "5.12")->cpuinfo_max.value, 7225000);
    assert_int_equal(sim_linux_view(&sim, "5.13")->cpuinfo_max.value, 4701562);
    assert_int_equal(sim_linux_view(&sim, "5.12.5")->cpuinfo_max.value, 4701562);
    assert_int_equal(sim.platform.frequency.raw_boost_khz, 7225000);
    assert_int_equal(sim.platform.frequency.max_boost_khz, 4701562);
    sim_platform_free(&sim);
    amd(0x17, 0x71, 3400, 255, 125);
    assert_int_equal(sim_linux_view(&sim, "5.11")->cpuinfo_max.value, 6932812);
    assert_int_equal(sim_linux_view(&sim, "5.12")->cpuinfo_max.value, 6932812);
    assert_int_equal(sim_linux_view(&sim, "5.13")->cpuinfo_max.value, 4512304);
    assert_int_equal(sim_linux_view(&sim, "6.11")->table.numerator, 166);
}

/* Phoenix ends at 196, Genoa and Bergamo at 255; a model that is not known keeps its own, and says unverified. */
static void bug_2_the_family_table_itself_is_wrong(void **state)
{
    static const struct sim_cpc phoenix = {196, 150, 70, 16, 3800, 400};

    (void)state;
    sim_linux_7840hs(&sim);
    sim_linux_cpc(&sim, &phoenix);
    assert_int_equal(sim_linux_view(&sim, "6.9")->amd.highest_perf, 196);
    assert_int_equal(sim_linux_view(&sim, "6.9")->amd.max_khz, 4965000);
    assert_int_equal(sim_linux_view(&sim, "6.12")->table.cpuinfo_max_khz, 4965234);
    assert_non_null(strstr(sim_linux_view(&sim, "6.12")->amd.highest_why, "70h-7Fh"));
    sim_platform_free(&sim);
    amd(0x19, 0x11, 2000, 255, 159);
    assert_int_equal(sim_linux_view(&sim, "6.8")->cpuinfo_max.value, 3207031);
    assert_int_equal(sim_linux_view(&sim, "6.12")->cpuinfo_max.value, 3207031);
    sim_platform_free(&sim);
    amd(0x19, 0xA0, 2250, 255, 185); /* Bergamo */
    assert_int_equal(sim_linux_view(&sim, "6.6")->table.numerator, 255);
    assert_int_equal(sim_linux_view(&sim, "6.12")->cpuinfo_max.value, 3100341);
    sim_platform_free(&sim);
    amd(0x1B, 0x00, 3000, 200, 100);
    assert_int_equal(sim_linux_view(&sim, "6.16")->table.numerator, 200);
    assert_non_null(strstr(sim.platform.frequency.boost_numerator_why, "unverified"));
}

/* The maximum is raised, the policy stays at P0; before, the table ends at P0 although the CPU boosts. */
static void bug_4_maximum_raised_and_policy_left_at_p0(void **state)
{
    const struct linux_view *view;

    (void)state;
    amd(0x19, 0x21, 3700, 166, 119);
    view = sim_linux_view(&sim, "5.15");
    assert_int_equal(view->cpuinfo_max.value, 5159765);
    assert_int_equal(view->scaling_max.value, 3700000);
    assert_int_equal(view->table.boost_ratio_1024, 1428);
    assert_int_equal(view->table.rows[0].khz, 3700000);
    sim_platform_free(&sim);
    amd(0x19, 0x21, 3800, 166, 135);
    assert_int_equal(sim_linux_view(&sim, "5.10")->cpuinfo_max.value, 3800000);
    assert_int_equal(sim_linux_view(&sim, "5.10")->scaling_max.value, 3800000);
    assert_int_equal(sim_linux_view(&sim, "5.12.5")->cpuinfo_max.value, 4672070);
    assert_int_equal(sim_linux_view(&sim, "5.12.5")->scaling_max.value, 3800000);
    assert_int_equal(sim_linux_view(&sim, "5.11")->scaling_max.value, 4672070);
}

/* The row that Linux put in front sets its own alarm off; with it gone nothing does, whatever the boost. */
static void bug_5_the_alarm_about_p0_is_the_kernels_own(void **state)
{
    const struct linux_view *view;

    (void)state;
    amd(0x17, 0x71, 3200, 166, 119);
    view = sim_linux_view(&sim, "5.11");
    assert_int_equal(view->table.rows[0].khz, 4462500);
    assert_int_equal(view->table.rows[1].khz, 3200000);
    assert_int_equal(view->table.rows[0].control, view->table.rows[1].control);
    assert_true(says(view, LINUX_MESSAGE_P0_NOT_MAX));
    assert_non_null(strstr(linux_message_at(LINUX_MESSAGE_P0_NOT_MAX)->meaning, "not at fault"));
    assert_false(says(sim_linux_view(&sim, "5.11.3"), LINUX_MESSAGE_P0_NOT_MAX));
    sim_platform_free(&sim);
    amd(0x19, 0x01, 2450, 255, 178); /* a server */
    assert_true(says(sim_linux_view(&sim, "5.10.18"), LINUX_MESSAGE_P0_NOT_MAX));
    assert_false(says(sim_linux_view(&sim, "5.10.16"), LINUX_MESSAGE_P0_NOT_MAX));
    assert_false(says(sim_linux_view(&sim, "6.12"), LINUX_MESSAGE_P0_NOT_MAX));
    sim_platform_free(&sim);
    amd(0x19, 0x01, 2450, 170, 178); /* no boost: no row */
    assert_false(says(sim_linux_view(&sim, "5.11"), LINUX_MESSAGE_P0_NOT_MAX));
}

/* A hybrid part: the first half P cores of one HWP level, the others E cores of another. */
static void hybrid(uint32_t model, uint64_t p_level, uint64_t e_level)
{
    sim_platform_init(&sim, 4);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    sim_platform_feature(&sim, CPU_FEATURE_HWP_EPP);
    sim_platform_feature(&sim, CPU_FEATURE_HYBRID);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, UINT64_C(8) << 40 | 26 << 8);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 0x2F);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        sim.platform.cpus[cpu].core_type = cpu < 2 ? 0x40 : 0x20;
        sim_platform_msr(&sim, cpu, 0x771, 26 << 8 | (cpu < 2 ? p_level : e_level));
    }
}

/* Units of 78.7 MHz beside units of 100 MHz; Lunar Lake's are 86.957, and a core of no type goes by its _CPC. */
static void bug_7_performance_units_differ_between_cores(void **state)
{
    static const struct sim_cpc p_core = {60, 33, 16, 1, 2600, 1};
    const struct linux_view *view;

    (void)state;
    hybrid(0x97, 60, 37);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->limits_count, 2);
    assert_int_equal(view->limits[0].max_khz, 4700000); /* 60 * 78741, whole ratios */
    assert_int_equal(view->limits[1].max_khz, 3700000);
    assert_int_equal(view->limits[1].first_cpu, 2);
    assert_int_equal(sim_linux_view(&sim, "5.13")->limits[0].max_khz, 6000000);
    sim_platform_free(&sim);
    hybrid(0xBD, 57, 37);
    assert_int_equal(sim_linux_view(&sim, "6.12")->limits[0].max_khz, 4900000);
    assert_int_equal(sim_linux_view(&sim, "6.12")->limits[1].max_khz, 3700000);
    sim_platform_free(&sim);
    hybrid(0x97, 60, 60);
    sim_linux_cpc(&sim, &p_core);
    sim.platform.cpus[0].core_type = sim.platform.cpus[1].core_type = 0;
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->limits[0].max_khz, 4700000);
    assert_int_equal(view->limits[1].max_khz, 6000000);
}

/* A part without the hybrid bit, whose HWP levels are no ratios: 7.0 and 7.3 GHz; with a _CPC that says what a level
 * is worth Linux has it right. */
static void bug_8_hwp_levels_of_a_part_that_does_not_say_hybrid(void **state)
{
    static const struct sim_cpc honest = {73, 30, 16, 1, 2400, 1};
    static const struct sim_cpc in_ratios = {57, 24, 16, 1, 2400, 1};

    (void)state;
    hybrid(0xD7, 70, 73);
    for (uint32_t i = 0; i < sim.set.count; i++) {
        if (sim.leaves[i].leaf == 7) {
            sim.leaves[i].edx = 0;
        }
    }
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        sim.platform.cpus[cpu].core_type = 0;
    }
    assert_int_equal(sim_linux_view(&sim, "6.12")->limits[0].max_khz, 7000000);
    assert_int_equal(sim_linux_view(&sim, "6.12")->limits[1].max_khz, 7300000);
    sim_linux_cpc(&sim, &honest);
    assert_int_equal(sim_linux_view(&sim, "6.12")->limits[0].max_khz, 5500000);
    assert_int_equal(sim_linux_view(&sim, "6.12")->limits[1].max_khz, 5700000);
    assert_int_equal(sim_linux_view(&sim, "6.0")->limits[1].max_khz, 7300000);
    sim_linux_cpc(&sim, &in_ratios);
    assert_int_equal(sim_linux_view(&sim, "6.12")->limits[1].max_khz, 7300000);
}

static void atom(uint32_t model, uint64_t fsb, uint64_t ratios, uint64_t turbo)
{
    sim_platform_init(&sim, 4);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, fsb);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x66A, ratios);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x66C, turbo);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, 0);
}

/* Ratios of 80 MHz; a Bay Trail's of 133.3; a code of another model gives ratios and no frequency. */
static void bug_37_the_atoms_bus_clock_is_not_100_mhz(void **state)
{
    const struct linux_view *view;

    (void)state;
    atom(0x4C, 4, 0x120602, 0x14141717);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->cpuinfo_min.value, 480000);
    assert_int_equal(view->cpuinfo_max.value, 1840000);
    assert_int_equal(view->invariance.base, 18);
    assert_int_equal(view->invariance.turbo, 23);
    assert_int_equal(view->invariance.base_khz, 1440000);
    sim_platform_free(&sim);
    atom(0x37, 2, 0x0F0404, 0x10101112);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->cpuinfo_min.value, 4 * 133300);
    assert_int_equal(view->cpuinfo_max.value, 18 * 133300);
    assert_int_equal(view->invariance.ratio_1024, 18 * 1024 / 15);
    sim_platform_free(&sim);
    atom(0x37, 6, 0x0F0404, 0x10101112);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->cpuinfo_max.avail, AVAIL_UNTRIED);
    assert_non_null(strstr(view->cpuinfo_max.why, "only ratios"));
    assert_int_equal(view->invariance.ratio_1024, 18 * 1024 / 15);
    assert_true(says(view, LINUX_MESSAGE_FSB_INDEX));
    sim_platform_free(&sim);
    atom(0x4C, 8, 0x120602, 0x14141717); /* code 8 exists on Airmont alone: 87.5 MHz */
    assert_int_equal(sim_linux_view(&sim, "6.12")->cpuinfo_max.value, 23 * 87500);
}

static uint64_t end_of(struct governor_input *input, enum governor_form form)
{
    struct governor_run run;

    input->form = form;
    governor_run(input, &run);
    return run.steady_khz;
}

static uint64_t first_target(struct governor_input *input, enum governor_form form)
{
    struct governor_run run;

    input->form = form;
    governor_run(input, &run);
    return run.steps[0].target_khz;
}

/* Without invariance the margin belongs outside the clip; and a reference that stayed behind hides the boost rows. */
static void bug_46_the_loop_that_is_stuck(void **state)
{
    static const uint64_t reported[] = {3700000, 2800000, 2200000};
    static const uint64_t other[] = {3000000, 2000000, 1700000, 1000000};
    static const uint64_t boosted[] = {1992000, 1800000, 1200000};
    struct governor_input input = {.rows_count = 3,
                                   .row_khz = reported,
                                   .delivered_khz = 3700000,
                                   .start_row = 2,
                                   .util = 1024};

    (void)state;
    sim_platform_init(&sim, 1);
    assert_int_equal(first_target(&input, GOVERNOR_CLIPPED), 2750000);
    assert_int_equal(first_target(&input, GOVERNOR_UTIL_PLUS_QUARTER), 2750000);
    assert_int_equal(end_of(&input, GOVERNOR_CLIPPED), 3700000);
    assert_int_equal(first_target(&input, GOVERNOR_CLIPPED_EARLY), 2200000);
    assert_int_equal(end_of(&input, GOVERNOR_CLIPPED_EARLY), 2200000);

    input = (struct governor_input){
        .rows_count = 4, .row_khz = other, .delivered_khz = 3000000, .start_row = 3, .util = 1024};
    assert_int_equal(first_target(&input, GOVERNOR_CLIPPED), 1250000);
    assert_int_equal(end_of(&input, GOVERNOR_CLIPPED), 3000000);
    assert_int_equal(end_of(&input, GOVERNOR_CLIPPED_EARLY), 1000000);
    input.util = 820; /* 1.25 * 820 / 1024 is just above 1: it climbs, at 819 it stays */
    assert_int_equal(end_of(&input, GOVERNOR_UTIL_PLUS_QUARTER), 3000000);
    input.util = 819;
    assert_int_equal(end_of(&input, GOVERNOR_UTIL_PLUS_QUARTER), 1000000);

    input = (struct governor_input){.rows_count = 3,
                                    .row_khz = boosted,
                                    .is_invariant = true,
                                    .reference_khz = 1800000,
                                    .invariance_khz = 1800000,
                                    .delivered_khz = 1992000,
                                    .start_row = 2,
                                    .util = 1024};
    assert_int_equal(end_of(&input, GOVERNOR_CLIPPED), 1800000);
    input.reference_khz = input.invariance_khz = 1992000;
    assert_int_equal(end_of(&input, GOVERNOR_CLIPPED), 1992000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(bug_1_highest_perf_255_taken_at_face_value, tear_down),
        cmocka_unit_test_teardown(bug_2_the_family_table_itself_is_wrong, tear_down),
        cmocka_unit_test_teardown(bug_4_maximum_raised_and_policy_left_at_p0, tear_down),
        cmocka_unit_test_teardown(bug_5_the_alarm_about_p0_is_the_kernels_own, tear_down),
        cmocka_unit_test_teardown(bug_7_performance_units_differ_between_cores, tear_down),
        cmocka_unit_test_teardown(bug_8_hwp_levels_of_a_part_that_does_not_say_hybrid, tear_down),
        cmocka_unit_test_teardown(bug_37_the_atoms_bus_clock_is_not_100_mhz, tear_down),
        cmocka_unit_test_teardown(bug_46_the_loop_that_is_stuck, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
