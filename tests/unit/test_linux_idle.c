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

static uint32_t kept(const struct linux_view *view)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->idle.count; i++) {
        count += view->idle.states[i].is_kept ? 1 : 0;
    }
    return count;
}

static bool has_message(const struct linux_view *view, const char *part)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (strstr(view->messages[i].text, part) != NULL) {
            return true;
        }
    }
    return false;
}

static void intel(uint32_t model, uint32_t substates)
{
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_MONITOR);
    sim_platform_feature(&sim, CPU_FEATURE_ARAT);
    sim_platform_leaf(
        &sim, (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = substates});
}

/* Bug 22: C1 by MWAIT on AMD, C2 by port with its own latency. */
static void amd_list(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->idle.driver, "acpi_idle");
    assert_int_equal(kept(view), 2);
    assert_int_equal(view->idle.states[0].entry, LINUX_ENTRY_MWAIT);
    assert_int_equal(view->idle.states[1].entry, LINUX_ENTRY_IO);
    assert_int_equal(view->idle.states[1].address, 0x814);
    assert_int_equal(view->idle.states[1].residency_us, 800);
    assert_true(view->idle.is_lapic_trusted);
}

/* Bug 22's variants: another class is no MWAIT, C1 then halts, without a message. */
static void class_that_is_no_mwait(void **state)
{
    static const struct sim_cst cst[] = {{0x7F, 1, 1, 0, 1, 1}, {0x7F, 2, 0, 0x10, 2, 40}};
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_cst(&sim, cst, 2);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->idle.states[0].entry, LINUX_ENTRY_HALT);
    assert_false(view->idle.states[1].is_kept);
    assert_true(has_message(view, "_CST C2 declares FIXED_HARDWARE"));
    assert_false(has_message(view, "not supported by HW"));
}

/* Bug 25: hint 30H without sub-states in CPUID 5 EDX[19:16]. */
static void hint_without_substates(void **state)
{
    static const struct sim_cst cst[] = {
        {0x7F, 1, 2, 0x00, 1, 1}, {0x7F, 1, 2, 0x30, 3, 100}, {0x7F, 1, 2, 0x40, 3, 200}};
    const struct linux_view *view;

    (void)state;
    intel(0x96, 0x00100010);
    sim_linux_cst(&sim, cst, 3);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->idle.driver, "intel_idle");
    assert_int_equal(kept(view), 2);
    assert_true(has_message(view, "ACPI MWAIT C-state 0x30 not supported by HW (0x10)"));
    assert_int_equal(view->idle.states[2].residency_us, 600);
    assert_string_equal(sim_linux_view(&sim, "5.4")->idle.driver, "acpi_idle");
}

static void table_switched_by_cst(void **state)
{
    static const struct sim_cst cst[] = {{0x7F, 1, 2, 0x00, 1, 1}};
    const struct linux_view *view;

    (void)state;
    intel(0x55, 0x0220);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(kept(view), 2); /* C6 has no sub-state: nibble 3 is 0 */
    sim_platform_leaf(
        &sim, (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = 0x2220});
    sim_linux_cst(&sim, cst, 1);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->idle.states[2].name, "C6");
    assert_false(view->idle.states[2].is_kept);
    assert_true(view->idle.states[1].is_kept); /* C1E is always on */
    assert_int_equal(kept(sim_linux_view(&sim, "5.4")), 3);
}

static void shapes_that_cost_everything(void **state)
{
    static const struct sim_cst cst[] = {{0x7F, 2, 2, 0, 1, 1}};
    struct object_set *set;
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 1);
    sim_linux_cst(&sim, cst, 1);
    set = arena_take(sim.platform.arena, sizeof(*set));
    *set = *sim.platform.processors[0].objects[OBJECT_CST].set;
    set->cst.count = 2;
    sim.platform.processors[0].objects[OBJECT_CST].set = set;
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->idle.driver, "none");
    assert_true(has_message(view, "Inconsistent _CST data"));
    set->cst.states_count = 0;
    assert_true(has_message(sim_linux_view(&sim, "6.12"), "Invalid _CST output"));
}

static void latencies_out_of_order(void **state)
{
    static const struct sim_cst cst[] = {
        {0x01, 8, 0, 0x814, 1, 5}, {0x01, 8, 0, 0x815, 2, 400}, {0x01, 8, 0, 0x816, 3, 100}};
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_cst(&sim, cst, 3);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->idle.states[1].latency_us, 100);
    assert_int_equal(view->idle.states[2].latency_us, 400);
    assert_true(view->idle.states[2].is_latency_sorted);
    assert_true(has_message(view, "C-state latencies out of order"));
    assert_non_null(view->idle.bus_master);
    view = sim_linux_view(&sim, "5.4");
    assert_int_equal(view->idle.states[1].latency_us, 400);
}

static void eight_states_are_one_too_many(void **state)
{
    static const struct sim_cst cst[] = {{0x01, 8, 0, 0x801, 1, 1}, {0x01, 8, 0, 0x802, 2, 2},
                                         {0x01, 8, 0, 0x803, 2, 3}, {0x01, 8, 0, 0x804, 2, 4},
                                         {0x01, 8, 0, 0x805, 2, 5}, {0x01, 8, 0, 0x806, 2, 6},
                                         {0x01, 8, 0, 0x807, 2, 7}, {0x01, 8, 0, 0x808, 2, 8}};
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_cst(&sim, cst, 8);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(kept(view), 7);
    assert_true(has_message(view, "No room for more idle states"));
}

/* Without a _CST: the processor block, as far as the FADT's latencies allow. */
static void processor_block(void **state)
{
    const struct linux_view *view;

    (void)state;
    sim_linux_epyc_7742(&sim, 1);
    sim.platform.processors[0].objects[OBJECT_CST] = (struct object_result){.avail = AVAIL_ABSENT};
    sim.platform.processors[0].kind = PROCESSOR_OBJECT;
    sim.platform.processors[0].pblk_address = 0x810;
    sim.platform.processors[0].pblk_length = 6;
    sim_linux_fadt(&sim, FADT_P_LVL2_LAT, 100);
    sim_linux_fadt(&sim, FADT_P_LVL3_LAT, 1001);
    view = sim_linux_view(&sim, "5.19");
    assert_int_equal(kept(view), 2);
    assert_int_equal(view->idle.states[1].address, 0x814);
    assert_true(view->idle.dummy_wait);
    sim_linux_fadt(&sim, FADT_P_LVL2_LAT, 101);
    assert_int_equal(kept(sim_linux_view(&sim, "5.19")), 1);
    sim.platform.processors[0].pblk_length = 7;
    assert_true(has_message(sim_linux_view(&sim, "5.19"), "Invalid PBLK length [7]"));
}

/* A machine whose C3 is a port, with PM2_CNT where pm2 is not 0. */
static void with_c3(const char *vendor, uint32_t family, uint32_t model, uint32_t cpus,
                    uint64_t pm2)
{
    static const struct sim_cst cst[] = {{0x01, 8, 0, 0x814, 1, 1}, {0x01, 8, 0, 0x815, 3, 100}};

    sim_platform_init(&sim, cpus);
    sim_platform_identity(&sim, vendor, family, model);
    sim_linux_cst(&sim, cst, 2);
    sim_linux_fadt(&sim, FADT_FLAGS, 1U << FADT_FLAG_WBINVD);
    sim_linux_fadt(&sim, FADT_PM2_CNT_BLK, pm2);
    sim_linux_fadt(&sim, FADT_PM2_CNT_LEN, pm2 != 0 ? 1 : 0);
}

/* acpi_processor_power_init_bm_check by vendor, model, number of CPUs and PM2_CNT. */
static void bus_masters_and_caches(void **state)
{
    static const struct {
        const char *vendor;
        uint32_t family, model, cpus;
        uint64_t pm2;
        const char *words;
    } rows[] = {
        {"GenuineIntel", 6, 0x3C, 4, 0x850, "no ARB_DIS, no cache"},
        {"GenuineIntel", 6, 0x0F, 2, 0x850, "no ARB_DIS, no cache"},
        {"GenuineIntel", 6, 0x0E, 2, 0x850, "switches the bus arbiter off"},
        {"GenuineIntel", 6, 0x0E, 2, 0, "no ARB_DIS, no cache"},
        {"GenuineIntel", 0xF, 2, 2, 0x850, "switches the bus arbiter off"},
        {"AuthenticAMD", 0x10, 4, 4, 0x850, "every C3 entry flushes the caches"},
        {"AuthenticAMD", 0x10, 4, 1, 0x850, "switches the bus arbiter off"},
        {"AuthenticAMD", 0x10, 4, 1, 0, "no ARB_DIS, no cache"},
        {"AuthenticAMD", 0x16, 0x30, 4, 0x850, "every C3 entry flushes the caches"},
        {"AuthenticAMD", 0x17, 0x31, 4, 0x850, "no ARB_DIS, no cache"},
        {"HygonGenuine", 0x18, 1, 4, 0x850, "every C3 entry flushes the caches"},
        {"CentaurHauls", 7, 0x1B, 4, 0x850, "no ARB_DIS, no cache"},
        {"CentaurHauls", 6, 0x0D, 2, 0x850, "every C3 entry flushes the caches"},
        {"  Shanghai  ", 7, 0x1B, 4, 0x850, "no ARB_DIS, no cache"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct linux_view *view;

        with_c3(rows[i].vendor, rows[i].family, rows[i].model, rows[i].cpus, rows[i].pm2);
        view = sim_linux_view(&sim, "6.12");
        assert_non_null(view->idle.bus_master);
        if (strstr(view->idle.bus_master, rows[i].words) == NULL) {
            fail_msg("%s %xH/%xH: %s", rows[i].vendor, rows[i].family, rows[i].model,
                     view->idle.bus_master);
        }
        assert_int_equal(kept(view), 2);
        sim_platform_free(&sim);
    }
    with_c3("AuthenticAMD", 0x10, 4, 4, 0x850);
    sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
    cpu_identity_decode(&sim.set, &sim.platform.identity);
    assert_non_null(
        strstr(sim_linux_view(&sim, "6.12")->idle.bus_master, "in a guest it does not"));
    sim_platform_free(&sim);
    /* Where the caches must be flushed, WBINVD must work. */
    with_c3("AuthenticAMD", 0x10, 4, 4, 0x850);
    sim_linux_fadt(&sim, FADT_FLAGS, 0);
    assert_int_equal(kept(sim_linux_view(&sim, "6.12")), 1);
    assert_null(sim_linux_view(&sim, "6.12")->idle.bus_master);
}

static void with_block(const char *vendor, uint32_t family, uint32_t cpus, uint64_t pm2,
                       uint64_t flags)
{
    sim_platform_init(&sim, cpus);
    sim_platform_identity(&sim, vendor, family, 4);
    for (uint32_t cpu = 0; cpu < cpus; cpu++) {
        sim.platform.processors[cpu].kind = PROCESSOR_OBJECT;
        sim.platform.processors[cpu].pblk_address = 0x810;
        sim.platform.processors[cpu].pblk_length = 6;
    }
    sim_linux_fadt(&sim, FADT_P_LVL2_LAT, 10);
    sim_linux_fadt(&sim, FADT_P_LVL3_LAT, 100);
    sim_linux_fadt(&sim, FADT_FLAGS, flags);
    sim_linux_fadt(&sim, FADT_PM2_CNT_BLK, pm2);
    sim_linux_fadt(&sim, FADT_PM2_CNT_LEN, pm2 != 0 ? 1 : 0);
}

/* P_LVL3 needs the arbiter, or WBINVD where nothing is checked; P_LVL2_UP clear means C2 on one CPU only. */
static void p_lvl3_and_p_lvl2_up(void **state)
{
    const struct linux_view *view;

    (void)state;
    with_block("AuthenticAMD", 0x10, 1, 0x850, 0);
    assert_int_equal(kept(sim_linux_view(&sim, "6.12")), 3);
    sim_platform_free(&sim);
    with_block("AuthenticAMD", 0x10, 1, 0, 1U << FADT_FLAG_WBINVD);
    assert_int_equal(kept(sim_linux_view(&sim, "6.12")), 2);
    sim_platform_free(&sim);
    with_block("AuthenticAMD", 0x17, 4, 0x850, 1U << FADT_FLAG_WBINVD | 1U << FADT_FLAG_P_LVL2_UP);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(kept(view), 2);
    assert_null(view->idle.states[1].why);
    sim_platform_free(&sim);
    with_block("AuthenticAMD", 0x10, 4, 0, 1U << FADT_FLAG_WBINVD);
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(kept(view), 3);
    assert_non_null(strstr(view->idle.states[1].why, "P_LVL2_UP"));
    assert_non_null(strstr(view->idle.states[2].why, "P_LVL2_UP"));
    sim_platform_free(&sim);
    with_block("GenuineIntel", 0xF, 2, 0x850, 0); /* C3 looks at BM_STS: only C2 is made C1 */
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(kept(view), 3);
    assert_non_null(strstr(view->idle.states[1].why, "P_LVL2_UP"));
    assert_null(view->idle.states[2].why);
}

/* lapic_timer_check_state and intel_idle: the timer is doubted only where a state is deep enough to stop it. */
static void the_local_timer(void **state)
{
    static const struct sim_cst shallow[] = {{0x7F, 1, 2, 0x00, 1, 1}};
    static const struct sim_cst deep[] = {{0x7F, 1, 2, 0x00, 1, 1}, {0x01, 8, 0, 0x815, 2, 100}};
    static const struct {
        const char *vendor;
        uint32_t family, model;
        bool has_arat, is_deep, is_trusted;
        const char *words;
    } rows[] = {
        {"GenuineIntel", 6, 0x0F, true, true, true, "ARAT (CPUID"},
        {"GenuineIntel", 6, 0x0F, false, true, false, "broadcast timer"},
        {"GenuineIntel", 6, 0x0F, false, false, true, "no state is used"},
        {"AuthenticAMD", 0x11, 3, false, true, false, "broadcast timer"},
        {"AuthenticAMD", 0x12, 1, false, true, true, "for granted"},
        {"AuthenticAMD", 0x19, 1, false, true, true, "for granted"},
        {"HygonGenuine", 0x18, 1, false, true, true, "for granted"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct linux_view *view;

        sim_platform_init(&sim, 2);
        sim_platform_identity(&sim, rows[i].vendor, rows[i].family, rows[i].model);
        sim_platform_feature(&sim, CPU_FEATURE_MONITOR);
        sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 5, .ecx = 3, .edx = 0x10});
        if (rows[i].has_arat) {
            sim_platform_feature(&sim, CPU_FEATURE_ARAT);
        }
        sim_linux_cst(&sim, rows[i].is_deep ? deep : shallow, rows[i].is_deep ? 2 : 1);
        view = sim_linux_view(&sim, "6.12");
        if (view->idle.is_lapic_trusted != rows[i].is_trusted ||
            strstr(view->idle.lapic_why, rows[i].words) == NULL) {
            fail_msg("%s %xH: %s", rows[i].vendor, rows[i].family, view->idle.lapic_why);
        }
        sim_platform_free(&sim);
    }
    intel(0x96, 0x00100010); /* intel_idle's own states: a hint beyond C1 */
    sim_linux_cst(&sim, (const struct sim_cst[]){{0x7F, 1, 2, 0, 1, 1}, {0x7F, 1, 2, 0x40, 3, 9}},
                  2);
    for (uint32_t i = 0; i < sim.set.count; i++) {
        if (sim.leaves[i].leaf == 6) {
            sim.leaves[i].eax = 0;
        }
    }
    assert_string_equal(sim_linux_view(&sim, "6.12")->idle.driver, "intel_idle");
    assert_false(sim_linux_view(&sim, "6.12")->idle.is_lapic_trusted);
}

/* Mission S2 by version, vendor and hypervisor. */
static void the_dummy_read(void **state)
{
    static const struct sim_cst cst[] = {{0x01, 8, 0, 0x814, 1, 1}, {0x01, 8, 0, 0x815, 2, 100}};
    static const struct {
        const char *vendor;
        uint32_t family, model;
        bool is_guest;
        const char *reads, *spares; /* the last release that reads and the first that does not */
    } rows[] = {
        {"GenuineIntel", 6, 0x0F, false, "6.16", NULL},
        {"GenuineIntel", 6, 0x0F, true, "5.4", "5.5"},
        {"AuthenticAMD", 0x17, 0x31, false, "6.0-rc7", "6.0"},
        {"AuthenticAMD", 0x17, 0x31, true, "5.4", "5.5"},
        {"AuthenticAMD", 0x10, 4, false, "5.19", "6.0"},
        {"HygonGenuine", 0x18, 1, false, "5.19.17", "6.0"},
        {"CentaurHauls", 7, 0x1B, false, "5.15.91", "5.15.92"},
        {"  Shanghai  ", 7, 0x1B, false, "5.10.166", "5.10.167"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        sim_platform_init(&sim, 2);
        sim_platform_identity(&sim, rows[i].vendor, rows[i].family, rows[i].model);
        if (rows[i].is_guest) {
            sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
            cpu_identity_decode(&sim.set, &sim.platform.identity);
        }
        sim_linux_cst(&sim, cst, 2);
        sim_linux_fadt(&sim, FADT_PM_TMR_BLK, 0x808);
        if (!sim_linux_view(&sim, rows[i].reads)->idle.dummy_wait) {
            fail_msg("%s: %s does not read", rows[i].vendor, rows[i].reads);
        }
        assert_int_equal(sim_linux_view(&sim, rows[i].reads)->idle.dummy_port, 0x808);
        if (rows[i].spares != NULL && sim_linux_view(&sim, rows[i].spares)->idle.dummy_wait) {
            fail_msg("%s: %s reads", rows[i].vendor, rows[i].spares);
        }
        sim_platform_free(&sim);
    }
    sim_platform_init(&sim, 2); /* no CPUID: told only where no vendor matters */
    sim_linux_cst(&sim, cst, 2);
    assert_true(sim_linux_view(&sim, "5.4")->idle.dummy_wait);
    assert_int_equal(sim_linux_view(&sim, "5.5")->idle.dummy_rule_avail, AVAIL_UNTRIED);
    assert_false(sim_linux_view(&sim, "5.5")->idle.dummy_wait);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(amd_list, tear_down),
        cmocka_unit_test_teardown(class_that_is_no_mwait, tear_down),
        cmocka_unit_test_teardown(hint_without_substates, tear_down),
        cmocka_unit_test_teardown(table_switched_by_cst, tear_down),
        cmocka_unit_test_teardown(shapes_that_cost_everything, tear_down),
        cmocka_unit_test_teardown(latencies_out_of_order, tear_down),
        cmocka_unit_test_teardown(eight_states_are_one_too_many, tear_down),
        cmocka_unit_test_teardown(processor_block, tear_down),
        cmocka_unit_test_teardown(bus_masters_and_caches, tear_down),
        cmocka_unit_test_teardown(p_lvl3_and_p_lvl2_up, tear_down),
        cmocka_unit_test_teardown(the_local_timer, tear_down),
        cmocka_unit_test_teardown(the_dummy_read, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
