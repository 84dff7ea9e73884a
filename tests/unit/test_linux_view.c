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

static const struct linux_governor_run *run_at(const struct linux_view *view, uint32_t util)
{
    for (uint32_t i = 0; i < view->governor.runs_count; i++) {
        if (view->governor.runs[i].util == util) {
            return &view->governor.runs[i];
        }
    }
    fail_msg("no run at %u in %s", util, view->version_text);
    return NULL;
}

/* Mission S1: the regression is in 5.11-rc4 alone. */
static void epyc_falls_in_5_11_rc4(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    view = sim_linux_view(&sim, "5.11-rc4");
    assert_string_equal(view->driver_name, "acpi-cpufreq");
    assert_int_equal(view->table.count, 3);
    assert_int_equal(view->cpuinfo_max.value, 2250000);
    assert_string_equal(view->invariance.method, "amd_midpoint");
    assert_int_equal(view->invariance.ratio_1024, 1289);
    assert_true(view->governor.is_trap);
    assert_int_equal(run_at(view, 819)->steady_khz, 2000000);
    assert_int_equal(run_at(view, 700)->steady_khz, 1500000);
    assert_true(run_at(view, 700)->is_trapped);
    assert_in_range(view->governor.falls_to_lowest_below, 1024 * 74 / 100, 1024 * 77 / 100);
    assert_true(view->is_boost_supported);
}

static void epyc_before_and_after(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    view = sim_linux_view(&sim, "5.10");
    assert_int_equal(view->invariance.ratio_1024, 0);
    assert_int_equal(view->cpuinfo_max.value, 2250000);
    assert_false(view->governor.is_trap);

    view = sim_linux_view(&sim, "5.11");
    assert_int_equal(view->table.count, 4);
    assert_int_equal(view->table.rows[0].kind, FREQUENCY_BOOST);
    assert_int_equal(view->table.rows[0].khz, 3414550);
    assert_int_equal(view->table.rows[0].control, view->table.rows[1].control);
    assert_int_equal(view->cpuinfo_max.value, 3414550);
    assert_false(view->governor.is_trap);

    view = sim_linux_view(&sim, "5.12");
    assert_int_equal(view->table.count, 3);
    assert_int_equal(view->cpuinfo_max.value, 3414550);
    assert_int_equal(view->scaling_max.value, 2250000);
    assert_int_equal(view->invariance.ratio_1024, 1289);
    assert_false(view->governor.is_trap);
    assert_int_equal(run_at(view, 819)->steady_khz, 2250000);
}

/* 166 for 17h/31h is below nominal 168: no boost to be seen from 5.13 to 6.11. */
static void epyc_loses_its_boost_to_the_fixed_numerator(void **state)
{
    static const char *const versions[] = {"5.13", "5.19", "6.0", "6.6", "6.10"};

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
        const struct linux_view *view = sim_linux_view(&sim, versions[i]);

        assert_int_equal(view->table.numerator, 166);
        assert_int_equal(view->table.boost_ratio_1024, 0);
        assert_non_null(strstr(view->table.no_boost_why, "below nominal_perf 168"));
        assert_int_equal(view->cpuinfo_max.value, 2250000);
        assert_int_equal(view->invariance.computed_ratio_1024, 1017);
        assert_int_equal(view->invariance.ratio_1024, 1024);
        assert_int_equal(view->invariance.max_khz, 2250000);
        assert_false(view->governor.is_trap);
    }
}

static void epyc_has_its_boost_again_in_6_12(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "acpi-cpufreq");
    assert_int_equal(view->table.numerator, 255);
    assert_int_equal(view->cpuinfo_max.value, 3414550);
    assert_int_equal(view->invariance.ratio_1024, 1289);
    assert_false(view->governor.is_trap);

    /* The MHz that were taken for kHz: the first block of the fixed points again. */
    view = sim_linux_view(&sim, "6.14");
    assert_int_equal(view->cpuinfo_max.value, 2250000);
    assert_int_equal(view->invariance.ratio_1024, 1289);
    assert_true(view->governor.is_trap);

    view = sim_linux_view(&sim, "6.16");
    assert_int_equal(view->cpuinfo_max.value, 3414550);
    assert_false(view->governor.is_trap);
}

static void epyc_remedies(void **state)
{
    const struct linux_remedies *remedies;

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    sim_linux_view(&sim, "5.11-rc4");
    remedies = &sim.platform.linux_views->remedies;
    assert_null(remedies->none_why);
    assert_int_equal(remedies->boost_khz, 3414550);
    assert_true(remedies->without.is_trap);
    assert_false(remedies->extended_table.is_trap);
    assert_false(remedies->max_boost.is_trap);
}

/* Mission S2: the rule over time on an AMD machine with C2 by port. */
static void dummy_wait_over_time(void **state)
{
    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    assert_true(sim_linux_view(&sim, "5.4")->idle.dummy_wait);
    assert_true(sim_linux_view(&sim, "5.19")->idle.dummy_wait);
    assert_int_equal(sim_linux_view(&sim, "5.19")->idle.dummy_port, 0x808);
    assert_false(sim_linux_view(&sim, "6.0")->idle.dummy_wait);
    assert_false(sim_linux_view(&sim, "6.12")->idle.dummy_rule);
    sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
    assert_true(sim_linux_view(&sim, "5.4")->idle.dummy_wait);
    assert_false(sim_linux_view(&sim, "5.10")->idle.dummy_wait);
}

static void dummy_wait_needs_a_port(void **state)
{
    static const struct sim_cst mwait_only[] = {{0x7F, 2, 2, 0, 1, 1}};

    (void)state;
    sim_linux_epyc_7742(&sim, 4);
    sim_linux_cst(&sim, mwait_only, 1);
    assert_false(sim_linux_view(&sim, "5.4")->idle.dummy_wait);
    assert_true(sim_linux_view(&sim, "5.4")->idle.dummy_rule);
}

/* Mission S3: turbo 3200 by base 2400. */
static void z8350_by_the_silvermont_method(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_z8350(&sim);
    view = sim_linux_view(&sim, "5.7");
    assert_string_equal(view->invariance.method, "slv");
    assert_int_equal(view->invariance.ratio_1024, 3200 * 1024 / 2400);
    assert_string_equal(view->driver_name, "intel_pstate");
    assert_int_equal(view->mode, LINUX_MODE_ACTIVE);
    assert_int_equal(view->cpuinfo_max.value, 24 * 80000);
    assert_int_equal(view->cpuinfo_min.value, 480000);
    view = sim_linux_view(&sim, "5.10");
    assert_int_equal(view->mode, LINUX_MODE_PASSIVE);
    assert_string_equal(view->scaling_driver, "intel_cpufreq");
    assert_true(view->governor.runs_count > 0);
    assert_true(view->governor.is_invariant);
    view = sim_linux_view(&sim, "5.4");
    assert_int_equal(view->invariance.ratio_1024, 0);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, UINT64_C(1) << 38);
    view = sim_linux_view(&sim, "5.10");
    assert_int_equal(view->invariance.ratio_1024, 1024);
    assert_int_equal(view->cpuinfo_max.value, 18 * 80000);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, 0);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 2);
    view = sim_linux_view(&sim, "5.10");
    assert_int_equal(view->cpuinfo_max.value, 24 * 133300);
    assert_int_equal(view->invariance.ratio_1024, 3200 * 1024 / 2400);
}

/* Mission S4. */
static void fast_cppc_delay(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_7840hs(&sim);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "amd-pstate");
    assert_string_equal(view->scaling_driver, "amd-pstate-epp");
    assert_int_equal(view->delay_us.value, 600);
    assert_int_equal(view->latency_ns.value, 20000);
    assert_int_equal(view->amd.highest_perf, 196);
    assert_int_equal(view->amd.max_khz, 4965000);
    assert_int_equal(sim_linux_view(&sim, "6.6")->delay_us.value, 1000);
    assert_int_equal(sim_linux_view(&sim, "6.6")->amd.delay_us, 1000);
    assert_string_equal(sim_linux_view(&sim, "5.19")->driver_name, "acpi-cpufreq");
    assert_string_equal(sim_linux_view(&sim, "5.4")->amd.why, "the driver came in 5.17");
}

/* Bug 2: 166 in 6.9-rc, 196 after the fix, on a Phoenix part with preferred cores. */
static void phoenix_numerators(void **state)
{
    (void)state;
    sim_linux_7840hs(&sim);
    assert_int_equal(sim_linux_view(&sim, "6.9")->amd.highest_perf, 196);
    assert_int_equal(sim_linux_view(&sim, "6.6")->amd.highest_perf, 201);
    assert_int_equal(sim_linux_view(&sim, "6.12")->cppc.rankings_count, 2);
}

static void profiles_follow_the_chosen_version(void **state)
{
    const struct linux_views *all;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_view(&sim, "6.12");
    all = sim.platform.linux_views;
    assert_int_equal(all->count, linux_profiles_count());
    assert_string_equal(all->views[0].version_text, "6.12");
    assert_string_equal(all->views[1].version_text, "5.4");
    sim_linux_view(&sim, "5.13.7");
    assert_int_equal(sim.platform.linux_views->count, linux_profiles_count() + 1);
}

static void an_empty_machine_has_views(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_platform_init(&sim, 0);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "none");
    assert_non_null(view->governor.no_runs_why);
    assert_int_equal(view->cpuinfo_max.avail, AVAIL_ABSENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(epyc_falls_in_5_11_rc4, tear_down),
        cmocka_unit_test_teardown(epyc_before_and_after, tear_down),
        cmocka_unit_test_teardown(epyc_loses_its_boost_to_the_fixed_numerator, tear_down),
        cmocka_unit_test_teardown(epyc_has_its_boost_again_in_6_12, tear_down),
        cmocka_unit_test_teardown(epyc_remedies, tear_down),
        cmocka_unit_test_teardown(dummy_wait_over_time, tear_down),
        cmocka_unit_test_teardown(dummy_wait_needs_a_port, tear_down),
        cmocka_unit_test_teardown(z8350_by_the_silvermont_method, tear_down),
        cmocka_unit_test_teardown(fast_cppc_delay, tear_down),
        cmocka_unit_test_teardown(phoenix_numerators, tear_down),
        cmocka_unit_test_teardown(profiles_follow_the_chosen_version, tear_down),
        cmocka_unit_test_teardown(an_empty_machine_has_views, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
