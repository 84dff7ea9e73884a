/* Machines and models that Linux treats otherwise, and the messages that follow from registers. */
#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct sim_platform sim;

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static const struct linux_message *message_of(const struct linux_view *view, const char *part)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (strstr(view->messages[i].text, part) != NULL) {
            assert_non_null(view->messages[i].meaning);
            return &view->messages[i];
        }
    }
    return NULL;
}

static void assert_message(const char *version, const char *part, enum linux_level level)
{
    const struct linux_message *message = message_of(sim_linux_view(&sim, version), part);

    if (message == NULL) {
        fail_msg("%s does not say \"%s\"", version, part);
    } else {
        assert_int_equal(message->level, level);
    }
}

static void assert_silent(const char *version, const char *part)
{
    if (message_of(sim_linux_view(&sim, version), part) != NULL) {
        fail_msg("%s says \"%s\"", version, part);
    }
}

static void intel(uint32_t model, uint32_t substates)
{
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_MONITOR);
    sim_platform_feature(&sim, CPU_FEATURE_ARAT);
    sim_platform_feature(&sim, CPU_FEATURE_INVARIANT_TSC);
    sim_platform_leaf(
        &sim, (struct cpuid_leaf){.leaf = 5, .eax = 64, .ebx = 64, .ecx = 3, .edx = substates});
}

static uint32_t kept(const struct linux_view *view)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->idle.count; i++) {
        count += view->idle.states[i].is_kept ? 1 : 0;
    }
    return count;
}

/* processor_idle's table: two notebooks stay in C1, one in C2. */
static void notebooks_with_limited_c_states(void **state)
{
    static const struct sim_cst cst[] = {
        {0x7F, 0, 0, 0, 1, 1}, {0x01, 8, 0, 0x1014, 2, 10}, {0x01, 8, 0, 0x1015, 3, 100}};

    (void)state;
    sim_platform_init(&sim, 1);
    sim_platform_identity(&sim, "GenuineIntel", 0xF, 2);
    sim_linux_cst(&sim, cst, 3);
    assert_int_equal(kept(sim_linux_view(&sim, "6.12")), 3);
    sim.platform.vendor = "Hewlett-Packard";
    sim.platform.product = "Pavilion zv5000 (DS502A#ABA)";
    assert_int_equal(kept(sim_linux_view(&sim, "6.12")), 1);
    assert_message("6.12", "processor limited to max C-state 1", LINUX_LEVEL_NOTICE);
    sim.platform.vendor = "ASUSTeK Computer Inc.";
    sim.platform.product = "L8400B series Notebook PC";
    assert_int_equal(kept(sim_linux_view(&sim, "6.12")), 1);
    sim.platform.product = NULL;
    sim.platform.firmware_version = "SHE845M0.86C.0013.D.0302131307";
    assert_int_equal(kept(sim_linux_view(&sim, "6.12")), 2);
    assert_message("6.12", "processor limited to max C-state 2", LINUX_LEVEL_NOTICE);
}

/* acpi-cpufreq's sw_any_bug table. */
static void a_board_whose_packages_are_coupled(void **state)
{
    static const uint64_t mhz[] = {3600, 2800};
    const struct linux_view *view;

    (void)state;
    sim_platform_init(&sim, 4);
    sim_platform_identity(&sim, "GenuineIntel", 0xF, 4);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_pss(&sim, mhz, 2);
    sim_linux_pct(&sim, 0x7F);
    sim.platform.cpus[2].package_id = sim.platform.cpus[3].package_id = 1;
    assert_int_equal(sim_linux_view(&sim, "6.12")->policies.affected_cpus, 1);
    sim.platform.vendor = "Supermicro Server";
    sim.platform.product = "X6DLP";
    sim.platform.firmware_version = "080010";
    view = sim_linux_view(&sim, "6.12");
    assert_int_equal(view->policies.affected_cpus, 2);
    assert_int_equal(view->policies.count, 2);
    assert_string_equal(view->policies.coordination, "SW_ALL");
    assert_silent("6.12", "overriding BIOS");
}

static void xeon_7100_is_refused(void **state)
{
    static const uint64_t mhz[] = {3400, 2800};
    const struct linux_view *view;

    (void)state;
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "GenuineIntel", 0xF, 6);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_pss(&sim, mhz, 2);
    sim_linux_pct(&sim, 0x7F);
    for (uint32_t i = 0; i < SIM_LEAVES; i++) {
        if (sim.leaves[i].leaf == 1) {
            sim.leaves[i].eax = (sim.leaves[i].eax & ~0xFU) | 8U;
        }
    }
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "none");
    assert_non_null(strstr(view->table.no_table_why, "AL30"));
    assert_message("6.12", "Xeon(R) 7100 Errata AL30", LINUX_LEVEL_INFO);
}

/* quirk_amd_7k62: its _CPC has no frequencies. */
static void epyc_7k62_gets_its_frequencies(void **state)
{
    static const struct sim_cpc cpc = {255, 195, 115, 41, 0, 0};

    (void)state;
    sim_linux_epyc_7742(&sim, 2);
    sim_linux_cpc(&sim, &cpc);
    assert_int_equal(sim_linux_view(&sim, "6.12")->amd.nominal_khz, 0);
    sim.platform.firmware_version = "5.14";
    sim.platform.firmware_date = "12/12/2019";
    assert_int_equal(sim_linux_view(&sim, "6.12")->amd.nominal_khz, 2600000);
    assert_int_equal(sim_linux_view(&sim, "6.12")->amd.min_khz, 550000);
    assert_int_equal(sim_linux_view(&sim, "6.9")->amd.nominal_khz, 0);
}

static const struct linux_cstate *state_named(const struct linux_view *view, const char *name)
{
    for (uint32_t i = 0; i < view->idle.count; i++) {
        if (strcmp(view->idle.states[i].name, name) == 0) {
            return &view->idle.states[i];
        }
    }
    fail_msg("there is no %s", name);
    return NULL;
}

/* intel_idle's tables by model: package limit, IRTL, sockets, Skylake-H. */
static void idle_tables_follow_registers(void **state)
{
    (void)state;
    intel(0x55, 0x2020);
    assert_int_equal(state_named(sim_linux_view(&sim, "6.12"), "C6")->latency_us, 133);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xE2, 1);
    assert_int_equal(state_named(sim_linux_view(&sim, "6.12"), "C6")->latency_us, 92);
    assert_int_equal(state_named(sim_linux_view(&sim, "6.12"), "C6")->residency_us, 276);
    sim_platform_free(&sim);

    intel(0x5C, 0x11111111);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x60B, 1U << 15 | 2U << 10 | 50);
    assert_int_equal(state_named(sim_linux_view(&sim, "6.12"), "C6")->latency_us, 51);
    assert_int_equal(state_named(sim_linux_view(&sim, "6.12"), "C8")->latency_us, 1000);
    sim_platform_free(&sim);

    intel(0x3E, 0x1111);
    sim.platform.cpus[1].package_id = 3;
    assert_int_equal(state_named(sim_linux_view(&sim, "6.12"), "C6")->latency_us, 84);
    sim.platform.cpus[1].package_id = 7;
    assert_int_equal(state_named(sim_linux_view(&sim, "6.12"), "C6")->residency_us, 700);
    sim_platform_free(&sim);

    intel(0x5E, 0x11111111);
    assert_true(state_named(sim_linux_view(&sim, "6.12"), "C8")->is_kept);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xE2, 8);
    assert_false(state_named(sim_linux_view(&sim, "6.12"), "C8")->is_kept);
    assert_false(state_named(sim_linux_view(&sim, "6.12"), "C9")->is_kept);
    assert_true(state_named(sim_linux_view(&sim, "6.12"), "C10")->is_kept);
}

static void messages_of_intel_registers(void **state)
{
    (void)state;
    intel(0x9E, 0x11111111);
    sim_platform_feature(&sim, CPU_FEATURE_TSC_DEADLINE);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x8B, UINT64_C(0x51) << 32);
    assert_message("6.12", "please update microcode to version: 0x52", LINUX_LEVEL_FW_BUG);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x8B, UINT64_C(0x52) << 32);
    assert_silent("6.12", "TSC_DEADLINE");
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    assert_message("6.12", "HWP not enabled", LINUX_LEVEL_INFO);
    assert_silent("5.8", "HWP not enabled");
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1A0, UINT64_C(1) << 38);
    assert_message("6.12", "Turbo disabled by BIOS", LINUX_LEVEL_NOTICE);
    sim_platform_free(&sim);

    intel(0x37, 0x11);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 6);
    assert_message("6.12", "MSR_FSB_FREQ index 6 is unknown", LINUX_LEVEL_ERROR);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCD, 4);
    assert_silent("6.12", "MSR_FSB_FREQ");
}

static void messages_of_amd_registers(void **state)
{
    static const uint64_t mhz[] = {2200, 1000};

    (void)state;
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "AuthenticAMD", 0x10, 4);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010055, 0x18000000);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010010, 1U << 19);
    assert_message("6.12", "AMD C1E erratum E400", LINUX_LEVEL_INFO);
    assert_message("6.12", "SYSCFG[MtrrFixDramModEn]", LINUX_LEVEL_FW_WARN);
    sim_platform_free(&sim);

    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "AuthenticAMD", 0x0F, 0x41);
    assert_message("6.12", "No compatible ACPI _PSS objects", LINUX_LEVEL_FW_BUG);
    sim_platform_pss(&sim, mhz, 2);
    assert_message("6.12", "Invalid zero transition latency", LINUX_LEVEL_FW_WARN);
}

static void messages_of_tables(void **state)
{
    static struct pcct_subspace subspace = {.type = 2,
                                            .length = 90,
                                            .is_decoded = true,
                                            .interrupt_flags = 2,
                                            .doorbell = {.width_bits = 24, .address = 0x1000}};
    static const struct madt_entry entries[] = {{.type = 0, .apic_id = 2, .flags = 1},
                                                {.type = 0, .apic_id = 0, .flags = 1}};

    (void)state;
    intel(0x9E, 0x11111111);
    sim.platform.hpet =
        (struct hpet){.avail = AVAIL_PRESENT, .base = {.address = UINT64_C(0xFED0000000000000)}};
    sim.platform.pcct =
        (struct pcct){.avail = AVAIL_PRESENT, .flags = 1, .count = 1, .subspaces = &subspace};
    assert_message("6.12", "is bogus, try hpet=force", LINUX_LEVEL_WARNING);
    assert_message("6.12", "PCC GSI 0 not registered", LINUX_LEVEL_ERROR);
    assert_silent("6.12", "Cannot access register"); /* the first fault ends the controller */
    subspace.gsi = 9;
    assert_message("6.12", "Cannot access register of 24 bit width", LINUX_LEVEL_ERROR);
    sim.platform.madt = (struct madt){.avail = AVAIL_PRESENT, .count = 2, .entries = entries};
    sim.platform.cpus[0].is_boot = true;
    sim_platform_msr(&sim, 0, 0x1B, 0x900);
    assert_message("6.12", "APIC enumeration order", LINUX_LEVEL_FW_BUG);
    assert_silent("6.6", "APIC enumeration order");
}

/* C2 by port without an invariant TSC. */
static void a_tsc_that_halts(void **state)
{
    static const struct sim_cst cst[] = {{0x7F, 0, 0, 0, 1, 1}, {0x01, 8, 0, 0x1014, 2, 10}};

    (void)state;
    sim_platform_init(&sim, 1);
    sim_platform_identity(&sim, "GenuineIntel", 0xF, 2);
    sim_linux_cst(&sim, cst, 2);
    assert_message("6.12", "TSC halts in idle", LINUX_LEVEL_INFO);
    sim_platform_feature(&sim, CPU_FEATURE_INVARIANT_TSC);
    assert_silent("6.12", "TSC halts in idle");
}

static struct acpi_table facp;

/* Whether intel_pstate leaves this Haswell to the platform, with the FADT of that maker. */
static bool is_left_to_the_platform(const char *oem_id, const char *table_id)
{
    const struct linux_view *view;

    facp = (struct acpi_table){
        .signature = "FACP", .length = 244, .has_header = true, .checksum_ok = true};
    (void)snprintf(facp.oem_id, sizeof(facp.oem_id), "%s", oem_id);
    (void)snprintf(facp.oem_table_id, sizeof(facp.oem_table_id), "%s", table_id);
    sim.platform.tables_count = 1;
    sim.platform.tables = &facp;
    view = sim_linux_view(&sim, "6.12");
    if (view->driver == LINUX_DRIVER_INTEL_PSTATE) {
        assert_silent("6.12", "P-states controlled by the platform");
        return false;
    }
    assert_message("6.12", "P-states controlled by the platform", LINUX_LEVEL_INFO);
    return true;
}

/* intel_pstate_platform_pwr_mgmt_exists: the vendors' tables, and the registers of server models. */
static void makers_that_keep_p_states(void **state)
{
    static const uint64_t mhz[] = {3600, 2800};

    (void)state;
    intel(0x3F, 0x1111);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    assert_true(is_left_to_the_platform("HP", "ProLiant"));
    assert_false(is_left_to_the_platform("HP", "ProLian"));
    assert_false(is_left_to_the_platform("HPQOEM", "ProLiant"));
    assert_false(is_left_to_the_platform("ORACLE", "X4-2"));
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        sim.platform.processors[cpu].objects[OBJECT_PPC] = (struct object_result){
            .avail = AVAIL_PRESENT,
            .set = arena_take(sim.platform.arena, sizeof(struct object_set))};
    }
    assert_true(is_left_to_the_platform("ORACLE", "X4-2"));
    assert_true(is_left_to_the_platform("ORACLE", "X4170 M3"));
    assert_true(is_left_to_the_platform("ORACLE", "Sudbury"));
    assert_false(is_left_to_the_platform("ORACLE", "X4-20"));
    assert_false(is_left_to_the_platform("ORACLE", "X7-2"));
    sim_platform_pss(&sim, mhz, 2);
    assert_false(is_left_to_the_platform("HP", "ProLiant"));
    sim_platform_free(&sim);

    intel(0x6A, 0x1111);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AA, UINT64_C(1) << 18);
    assert_true(is_left_to_the_platform("", ""));
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AA, UINT64_C(1) << 17 | 1 << 9);
    assert_false(is_left_to_the_platform("", ""));
    sim_platform_free(&sim);
    intel(0x3F, 0x1111); /* not a model whose register is looked at */
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AA, 1 << 8);
    assert_false(is_left_to_the_platform("", ""));
}

/* Releases outside those whose changes are known say so, once; a stable release of a known one does not. */
static void releases_that_are_not_known(void **state)
{
    const struct linux_view *view;

    (void)state;
    intel(0x3C, 0x1111);
    view = sim_linux_view(&sim, "7.1");
    assert_non_null(strstr(view->uncertain[0], "newer than the newest"));
    view = sim_linux_view(&sim, "6.17-rc1");
    assert_non_null(strstr(view->uncertain[0], "newer than the newest"));
    assert_int_equal(sim_linux_view(&sim, "6.16.9")->uncertain_count, 0);
    assert_int_equal(sim_linux_view(&sim, "5.4.200")->uncertain_count, 0);
    view = sim_linux_view(&sim, "4.19.1");
    assert_non_null(strstr(view->uncertain[0], "older than 5.4"));
}

/* Without a driver there are no policies, and the words do not speak of one. */
static void no_driver_at_all(void **state)
{
    const struct linux_view *view;

    (void)state;
    intel(0x0F, 0x1111);
    view = sim_linux_view(&sim, "6.12");
    assert_string_equal(view->driver_name, "none");
    assert_int_equal(view->policies.count, 0);
    assert_non_null(strstr(view->policies.why, "no cpufreq driver"));
    assert_string_equal(view->governor.default_why, "there is no cpufreq driver");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(notebooks_with_limited_c_states, tear_down),
        cmocka_unit_test_teardown(a_board_whose_packages_are_coupled, tear_down),
        cmocka_unit_test_teardown(xeon_7100_is_refused, tear_down),
        cmocka_unit_test_teardown(epyc_7k62_gets_its_frequencies, tear_down),
        cmocka_unit_test_teardown(idle_tables_follow_registers, tear_down),
        cmocka_unit_test_teardown(messages_of_intel_registers, tear_down),
        cmocka_unit_test_teardown(messages_of_amd_registers, tear_down),
        cmocka_unit_test_teardown(messages_of_tables, tear_down),
        cmocka_unit_test_teardown(a_tsc_that_halts, tear_down),
        cmocka_unit_test_teardown(makers_that_keep_p_states, tear_down),
        cmocka_unit_test_teardown(releases_that_are_not_known, tear_down),
        cmocka_unit_test_teardown(no_driver_at_all, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
