/*
 * Every rule of model/linux/history.c at every release at which it begins or ends: the last release without it and
 * the first with it (or the other way round) give views that differ in what the rule is about. The releases stand
 * here a second time, so that a slip in the table is met by the other copy; their number is counted.
 */
#include "tests/sim/sim_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define EDGES 16

static struct sim_platform sim;

/* Machines. */

static void epyc(void)
{
    sim_linux_epyc_7742(&sim, 8);
}

static void epyc_in_a_guest(void)
{
    epyc();
    sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
    cpu_identity_decode(&sim.set, &sim.platform.identity);
}

/* A Zen 3 desktop: nominal is P0's 3400 MHz, 166 is above nominal_perf. */
static void vermeer(uint64_t p0_mhz, uint64_t highest)
{
    uint64_t mhz[] = {p0_mhz, 2800, 2200};
    struct sim_cpc cpc = {highest, 120, 60, 20, 3400, 550};

    sim_platform_init(&sim, 8);
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x21);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
    sim_platform_feature(&sim, CPU_FEATURE_CPB);
    sim_platform_pss(&sim, mhz, 3);
    sim_linux_pct(&sim, 0x7F);
    sim_linux_psd(&sim, COORD_SW_ALL, 4);
    sim_linux_cpc(&sim, &cpc);
    sim_linux_fadt(&sim, FADT_PREFERRED_PM_PROFILE, 4);
}

static void zen3(void)
{
    vermeer(3400, 166);
}

/* Firmware set P0 above nominal_freq. */
static void zen3_with_another_p0(void)
{
    vermeer(3500, 166);
}

/* The cores are ranked. */
static void ranked_zen3(void)
{
    zen3();
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        sim.platform.processors[cpu].cpc_value[CPC_HIGHEST_PERF] = 201;
    }
}

/* No frequencies on one line: 550 and 3400 MHz at 20 and 120. */
static void zen3_with_255(void)
{
    vermeer(3400, 255);
}

static void ryzen(void)
{
    sim_linux_7840hs(&sim);
}

/* The same without CPPC MSRs. */
static void shared_memory_ryzen(void)
{
    ryzen();
    for (uint32_t i = 0; i < sim.set.count; i++) {
        if (sim.leaves[i].leaf == CPU_FEATURE_CPPC.leaf) {
            sim.leaves[i].ebx &= ~(UINT32_C(1) << CPU_FEATURE_CPPC.bit);
        }
    }
}

static void server_of_family_1a(void)
{
    ryzen();
    sim_platform_identity(&sim, "AuthenticAMD", 0x1A, 0x02);
    sim_linux_fadt(&sim, FADT_PREFERRED_PM_PROFILE, 4);
}

static void mixed_cores(void)
{
    ryzen();
    sim_platform_identity(&sim, "AuthenticAMD", 0x1A, 0x24);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 0x80000026, .ecx = 0x100});
    sim_platform_feature(&sim, CPU_FEATURE_HETERO_CORES);
}

static void nonlinear_is_lowest(void)
{
    static const struct sim_cpc cpc = {196, 150, 16, 16, 3800, 406};

    ryzen();
    sim_linux_cpc(&sim, &cpc);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC00102B0, UINT64_C(196) << 24 | 150 << 16 | 0x1010);
}

static void flat_frequencies(void)
{
    static const struct sim_cpc cpc = {166, 63, 40, 20, 2000, 2000};

    ryzen();
    sim_linux_cpc(&sim, &cpc);
}

static void revision_4(void)
{
    struct object_set *set;

    ryzen();
    set = arena_take(sim.platform.arena, sizeof(*set));
    *set = *sim.platform.processors[0].objects[OBJECT_CPC].set;
    set->cpc.revision = 4;
    set->cpc.entries = set->cpc.elements = 25;
    for (uint32_t cpu = 0; cpu < sim.platform.cpus_count; cpu++) {
        sim.platform.processors[cpu].objects[OBJECT_CPC].set = set;
    }
}

static void without_acknowledgement(void)
{
    sim_linux_7840hs(&sim);
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x9A);
    sim.platform.handshake.is_done = true;
}

static void epyc_7k62(void)
{
    static const struct sim_cpc cpc = {255, 195, 115, 41, 0, 0};

    epyc();
    sim_linux_cpc(&sim, &cpc);
    sim.platform.firmware_version = "5.14";
    sim.platform.firmware_date = "12/12/2019";
}

static void intel(uint32_t model)
{
    sim_platform_init(&sim, 4);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    sim_platform_feature(&sim, CPU_FEATURE_ARAT);
    sim_platform_feature(&sim, CPU_FEATURE_MONITOR);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 5, .ecx = 3, .edx = 0x00100010});
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, UINT64_C(8) << 40 | 36 << 8);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 0x28282828);
}

static void haswell(void)
{
    intel(0x3C);
}

static void hwp_without_epp(void)
{
    intel(0x4E);
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
}

static void hybrid(void)
{
    intel(0x97);
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    sim_platform_feature(&sim, CPU_FEATURE_HWP_EPP);
    sim_platform_feature(&sim, CPU_FEATURE_HYBRID);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x771, 30 << 8 | 70);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        sim.platform.cpus[cpu].core_type = 0x40;
    }
}

/* No hybrid bit and no type, but 2600 MHz at 33: HWP levels of 78.7 MHz. */
static void performance_cores_alone(void)
{
    static const struct sim_cpc cpc = {70, 33, 16, 1, 2600, 400};

    intel(0xD7);
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    sim_platform_feature(&sim, CPU_FEATURE_HWP_EPP);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x771, 30 << 8 | 70);
    sim_linux_cpc(&sim, &cpc);
}

static void tremont(void)
{
    static const struct sim_cst cst[] = {{0x7F, 1, 2, 0x00, 1, 1}, {0x7F, 1, 2, 0x40, 3, 200}};

    intel(0x96);
    sim_linux_cst(&sim, cst, 2);
}

static void intel_with_a_port(void)
{
    static const struct sim_cst cst[] = {{0x7F, 1, 2, 0x00, 1, 1}, {0x01, 8, 0, 0x414, 2, 20}};

    intel(0x0F);
    sim_linux_cst(&sim, cst, 2);
}

static void latencies_out_of_order(void)
{
    static const struct sim_cst cst[] = {
        {0x01, 8, 0, 0x814, 1, 5}, {0x01, 8, 0, 0x815, 2, 400}, {0x01, 8, 0, 0x816, 3, 100}};

    epyc();
    sim_linux_cst(&sim, cst, 3);
}

static void odd_cst_entry(void)
{
    static const struct sim_cst cst[] = {{0x7F, 2, 2, 0, 1, 1}, {0x00, 8, 0, 0x815, 2, 400}};

    epyc();
    sim_linux_cst(&sim, cst, 2);
}

static void slow_states(void)
{
    struct object_set *set;
    struct pss_row *rows;

    epyc();
    set = arena_take(sim.platform.arena, sizeof(*set));
    *set = *sim.platform.processors[0].objects[OBJECT_PSS].set;
    rows = arena_array(sim.platform.arena, set->pss.count, sizeof(*rows));
    memcpy(rows, set->pss.rows, set->pss.count * sizeof(*rows));
    rows[0].field[PSS_LATENCY_US] = 20;
    set->pss.rows = rows;
    for (uint32_t cpu = 0; cpu < sim.platform.cpus_count; cpu++) {
        sim.platform.processors[cpu].objects[OBJECT_PSS].set = set;
    }
}

static void boot_cpu_second(void)
{
    static const struct madt_entry entries[] = {{.type = 0, .apic_id = 2, .flags = 1},
                                                {.type = 0, .apic_id = 0, .flags = 1}};

    haswell();
    sim.platform.madt = (struct madt){.avail = AVAIL_PRESENT, .count = 2, .entries = entries};
    sim.platform.cpus[0].is_boot = true;
    sim_platform_msr(&sim, 0, 0x1B, 0x900);
}

static void shift_of_0(void)
{
    haswell();
    sim_platform_leaf(&sim, (struct cpuid_leaf){0xB, 0, 0, 2, 0x100, 0});
}

/* What of a view the rule is about. */

static bool says(const struct linux_view *view, enum linux_message_kind kind)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (view->messages[i].kind == kind) {
            return true;
        }
    }
    return false;
}

static bool is_invariant(const struct linux_view *view)
{
    return view->invariance.ratio_1024 != 0;
}

static bool has_capacities(const struct linux_view *view)
{
    return view->invariance.is_per_cpu;
}

static bool has_boost_row(const struct linux_view *view)
{
    return view->table.p0_row == 1 && view->table.rows[0].kind == FREQUENCY_BOOST;
}

static bool has_raised_maximum(const struct linux_view *view)
{
    return view->table.p0_row == 0 && view->table.cpuinfo_max_khz > view->table.rows[0].khz;
}

static bool has_fixed_numerator(const struct linux_view *view)
{
    return view->table.numerator == 166 && strstr(view->table.numerator_why, "fixed") != NULL;
}

static bool has_ranked_numerator(const struct linux_view *view)
{
    return view->amd.highest_why != NULL && strcmp(view->amd.highest_why, "preferred cores") == 0;
}

static bool has_detected_numerator(const struct linux_view *view)
{
    return view->table.numerator == 255 &&
           strstr(view->table.numerator_why, "no preferred cores") != NULL;
}

static bool has_core_type_numerator(const struct linux_view *view)
{
    return view->amd.highest_perf == 196 && strstr(view->amd.highest_why, "mixed") != NULL;
}

/* P0 is 3500, nominal 3400: with its ratio of P0, of nominal, or P0 itself. */
static bool starts_from_nominal(const struct linux_view *view)
{
    return view->table.boost_ratio_1024 != 0 && view->table.cpuinfo_max_khz != 4839843;
}

static bool falls_back_to_p0(const struct linux_view *view)
{
    return view->table.boost_ratio_1024 != 0 && view->table.cpuinfo_max_khz == 3500000;
}

static bool reads_timer(const struct linux_view *view)
{
    return view->idle.dummy_rule && view->idle.dummy_wait;
}

static bool spares_timer(const struct linux_view *view)
{
    return !view->idle.dummy_rule && !view->idle.dummy_wait;
}

static bool raises_utilisation(const struct linux_view *view)
{
    return strstr(view->governor.formula, "util/4") != NULL;
}

static bool clips(const struct linux_view *view)
{
    return strstr(view->governor.formula, "min(") != NULL;
}

/* Not invariant, from the lowest row at full load: the headroom moves it up, or is lost. */
static bool loses_headroom(const struct linux_view *view)
{
    return view->governor.form == GOVERNOR_CLIPPED_EARLY;
}

static bool waits_10_ms(const struct linux_view *view)
{
    return view->delay_us.value == 10000;
}

static bool waits_2_ms(const struct linux_view *view)
{
    return view->delay_us.value == 2000;
}

static bool waits_30_us(const struct linux_view *view)
{
    return view->delay_us.value == 30;
}

static bool couples_four(const struct linux_view *view)
{
    return view->policies.affected_cpus == 4;
}

static bool is_possible(const struct linux_view *view)
{
    return view->amd.is_possible;
}

static bool has_active_mode(const struct linux_view *view)
{
    return view->amd.is_possible &&
           (view->amd.why == NULL || strstr(view->amd.why, "loaded by hand") == NULL);
}

static bool is_amd_pstate(const struct linux_view *view)
{
    return strcmp(view->driver_name, "amd-pstate") == 0;
}

static bool refuses_shared_memory(const struct linux_view *view)
{
    return view->amd.why != NULL && strstr(view->amd.why, "shared-memory") != NULL;
}

static bool keeps_own_highest(const struct linux_view *view)
{
    return view->amd.highest_perf == 201;
}

static bool checks_nonlinear(const struct linux_view *view)
{
    return view->amd.is_nonlinear_wrong;
}

static bool delays_1000_us(const struct linux_view *view)
{
    return view->amd.latency_ns == 20000 && view->amd.delay_us >= 600;
}

/* 3800 MHz at 150, 70 of it: 1773333 kHz. */
static bool rounds_up(const struct linux_view *view)
{
    return view->amd.lowest_nonlinear_khz == 1773334;
}

static bool ranks(const struct linux_view *view)
{
    return view->cppc.is_ranked;
}

static bool delays_600_us(const struct linux_view *view)
{
    return view->amd.delay_us == 600;
}

static bool is_passive(const struct linux_view *view)
{
    return view->mode == LINUX_MODE_PASSIVE;
}

static bool scales_levels(const struct linux_view *view)
{
    return view->limits[0].max_khz == 5500000;
}

static bool is_intel_idle(const struct linux_view *view)
{
    return strcmp(view->idle.driver, "intel_idle") == 0;
}

static bool sorts_latencies(const struct linux_view *view)
{
    return view->idle.states[1].latency_us == 100 && view->idle.states[2].latency_us == 400;
}

static bool refuses_cpc(const struct linux_view *view)
{
    return view->cppc.unusable_why != NULL && strstr(view->cppc.unusable_why, "bit 6") != NULL;
}

static bool takes_cpc(const struct linux_view *view)
{
    return view->cppc.unusable_why == NULL;
}

/* 550 MHz at 20 and 3400 at 120: 255 on their line is 7247500, in proportion 7225000. */
static bool is_affine(const struct linux_view *view)
{
    return view->cppc.points[0].khz == 7247500;
}

static bool converts_flat(const struct linux_view *view)
{
    return view->cppc.points[3].khz == 634920; /* 20 of 63 at 2000 MHz */
}

static bool knows_7k62(const struct linux_view *view)
{
    return view->amd.nominal_khz == 2600000;
}

static bool checks_order(const struct linux_view *view)
{
    return says(view, LINUX_MESSAGE_APIC_ORDER);
}

static bool defaults_to_schedutil(const struct linux_view *view)
{
    return strcmp(view->governor.default_name, "schedutil") == 0;
}

static bool says_ratio(const struct linux_view *view)
{
    return says(view, LINUX_MESSAGE_ESTIMATED_RATIO);
}

static bool says_skip(const struct linux_view *view)
{
    return says(view, LINUX_MESSAGE_CST_SPACE);
}

static bool says_amd_pstate_off(const struct linux_view *view)
{
    return says(view, LINUX_MESSAGE_AMD_PSTATE_OFF);
}

static bool says_cppc_off(const struct linux_view *view)
{
    return says(view, LINUX_MESSAGE_CPPC_OFF);
}

static bool says_topology(const struct linux_view *view)
{
    return says(view, LINUX_MESSAGE_TOPOLOGY_SHIFT);
}

/* The last release on one side and the first on the other. */
struct edge {
    const char *before;
    const char *after;
};

struct boundary_case {
    enum linux_rule rule;
    void (*machine)(void);
    bool (*shows)(const struct linux_view *view);
    struct edge edges[EDGES];
};

static const struct boundary_case cases[] = {
    {LINUX_RULE_INTEL_INVARIANCE, haswell, is_invariant, {{"5.6", "5.7-rc1"}}},
    {LINUX_RULE_AMD_INVARIANCE, epyc, is_invariant, {{"5.10", "5.11-rc1"}}},
    {LINUX_RULE_HYBRID_CAPACITY, hybrid, has_capacities, {{"6.11", "6.12-rc1"}}},
    {LINUX_RULE_BOOST_ROW,
     zen3,
     has_boost_row,
     {{"5.11-rc7", "5.11"}, {"5.11.2", "5.11.3"}, {"5.10.16", "5.10.17"}, {"5.10.19", "5.10.20"}}},
    {LINUX_RULE_BOOST_MAX,
     zen3,
     has_raised_maximum,
     {{"5.11", "5.12-rc1"},
      {"5.11.2", "5.11.3"},
      {"5.10.19", "5.10.20"},
      {"5.10.200", "5.11-rc1"}}},
    {LINUX_RULE_NUMERATOR_FIXED,
     epyc,
     has_fixed_numerator,
     {{"5.12", "5.13-rc1"},
      {"6.11", "6.12-rc1"},
      {"5.12.4", "5.12.5"},
      {"5.11.21", "5.11.22"},
      {"5.11.22", "5.12-rc1"}}},
    {LINUX_RULE_NUMERATOR_PREFCORE,
     ranked_zen3,
     has_ranked_numerator,
     {{"6.8", "6.9-rc1"}, {"6.11", "6.12-rc1"}, {"6.6.50", "6.6.51"}, {"6.6.51", "6.7-rc1"}}},
    {LINUX_RULE_NUMERATOR_DETECTED, epyc, has_detected_numerator, {{"6.11", "6.12-rc1"}}},
    {LINUX_RULE_NUMERATOR_CORE_TYPE, mixed_cores, has_core_type_numerator, {{"6.12", "6.13-rc1"}}},
    {LINUX_RULE_NOMINAL_BASE,
     zen3_with_another_p0,
     starts_from_nominal,
     {{"6.13", "6.14-rc1"},
      {"6.13.1", "6.13.2"},
      {"6.12.12", "6.12.13"},
      {"6.12.13", "6.13-rc1"},
      {"6.6.75", "6.6.76"},
      {"6.6.76", "6.7-rc1"},
      {"6.1.128", "6.1.129"},
      {"6.1.129", "6.2-rc1"},
      {"5.15.178", "5.15.179"},
      {"5.15.179", "5.16-rc1"},
      {"5.10.234", "5.10.235"},
      {"5.10.235", "5.11-rc1"}}},
    {LINUX_RULE_NOMINAL_BASE_MHZ,
     zen3_with_another_p0,
     falls_back_to_p0,
     {{"6.13", "6.14-rc1"},
      {"6.14.10", "6.14.11"},
      {"6.14.11", "6.15-rc1"},
      {"6.15.1", "6.15.2"},
      {"6.13.1", "6.13.2"},
      {"6.12.12", "6.12.13"},
      {"6.12.32", "6.12.33"},
      {"6.6.75", "6.6.76"},
      {"6.6.93", "6.6.94"},
      {"6.1.128", "6.1.129"},
      {"6.1.141", "6.1.142"},
      {"5.15.178", "5.15.179"},
      {"5.15.185", "5.15.186"},
      {"5.10.234", "5.10.235"},
      {"5.10.238", "5.10.239"}}},
    {LINUX_RULE_DUMMY_WAIT, intel_with_a_port, reads_timer, {{NULL, NULL}}},
    {LINUX_RULE_DUMMY_WAIT_NO_GUEST, epyc_in_a_guest, spares_timer, {{"5.4", "5.5-rc1"}}},
    {LINUX_RULE_DUMMY_WAIT_INTEL,
     epyc,
     spares_timer,
     {{"6.0-rc7", "6.0"},
      {"5.15.91", "5.15.92"},
      {"5.15.92", "5.16-rc1"},
      {"5.10.166", "5.10.167"},
      {"5.10.167", "5.11-rc1"}}},
    {LINUX_RULE_FORM_UTIL_QUARTER, epyc, raises_utilisation, {{"5.13", "5.14-rc1"}}},
    {LINUX_RULE_FORM_CLIPPED, epyc, clips, {{"6.7", "6.8-rc1"}}},
    {LINUX_RULE_FORM_CLIPPED_EARLY,
     epyc,
     loses_headroom,
     {{"6.7", "6.8-rc1"}, {"6.8-rc1", "6.8-rc2"}}},
    {LINUX_RULE_RATE_CAP_10MS, slow_states, waits_10_ms, {{"6.8", "6.9-rc1"}}},
    {LINUX_RULE_RATE_CAP_2MS, slow_states, waits_2_ms, {{"6.8", "6.9-rc1"}, {"6.11", "6.12-rc1"}}},
    {LINUX_RULE_RATE_HALF_MORE, slow_states, waits_30_us, {{"6.11", "6.12-rc1"}}},
    {LINUX_RULE_AMD_PSD_TRUSTED,
     zen3,
     couples_four,
     {{"5.9", "5.10-rc1"}, {"5.4.74", "5.4.75"}, {"5.4.75", "5.5-rc1"}}},
    {LINUX_RULE_AMD_PSTATE, ryzen, is_possible, {{"5.16", "5.17-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_EPP, ryzen, has_active_mode, {{"6.2", "6.3-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_DEFAULT, ryzen, is_amd_pstate, {{"6.4", "6.5-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_NO_SHARED,
     shared_memory_ryzen,
     refuses_shared_memory,
     {{"6.4", "6.5-rc1"}, {"6.10", "6.11-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_SERVER, server_of_family_1a, is_amd_pstate, {{"6.12", "6.13-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_CLAMP,
     ryzen,
     keeps_own_highest,
     {{"6.0", "6.1-rc1"}, {"6.6.50", "6.6.51"}, {"6.6.51", "6.7-rc1"}, {"6.8", "6.9-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_LNL_CHECK,
     nonlinear_is_lowest,
     checks_nonlinear,
     {{"6.10", "6.11-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_1000US, ryzen, delays_1000_us, {{"6.0", "6.1-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_CEIL, ryzen, rounds_up, {{"6.14", "6.15-rc1"}}},
    {LINUX_RULE_PREFCORE,
     ryzen,
     ranks,
     {{"6.8", "6.9-rc1"}, {"6.6.50", "6.6.51"}, {"6.6.51", "6.7-rc1"}}},
    {LINUX_RULE_FAST_CPPC, ryzen, delays_600_us, {{"6.10", "6.11-rc1"}}},
    {LINUX_RULE_INTEL_PASSIVE, haswell, is_passive, {{"5.7", "5.8-rc1"}}},
    {LINUX_RULE_HWP_NEEDS_EPP, hwp_without_epp, is_passive, {{"5.8", "5.9-rc1"}}},
    {LINUX_RULE_HYBRID_SCALING, hybrid, scales_levels, {{"5.13", "5.14-rc1"}}},
    {LINUX_RULE_CPPC_SCALING, performance_cores_alone, scales_levels, {{"6.1-rc3", "6.1-rc4"}}},
    {LINUX_RULE_INTEL_IDLE_CST, tremont, is_intel_idle, {{"5.5", "5.6-rc1"}}},
    {LINUX_RULE_CST_LATENCY_SORT,
     latencies_out_of_order,
     sorts_latencies,
     {{"5.13", "5.14-rc1"},
      {"5.13.1", "5.13.2"},
      {"5.12.16", "5.12.17"},
      {"5.12.17", "5.13-rc1"},
      {"5.10.49", "5.10.50"},
      {"5.10.50", "5.11-rc1"},
      {"5.4.131", "5.4.132"},
      {"5.4.132", "5.5-rc1"}}},
    {LINUX_RULE_CPPC_OSC_GATE,
     without_acknowledgement,
     refuses_cpc,
     {{"5.19-rc5", "5.19-rc6"}, {"5.18.10", "5.18.11"}, {"5.18.11", "5.19-rc1"}}},
    {LINUX_RULE_CPC_REV4_STRICT, revision_4, takes_cpc, {{"5.9", "5.10-rc1"}}},
    {LINUX_RULE_CPPC_AFFINE,
     zen3_with_255,
     is_affine,
     {{"5.17", "5.18-rc1"},
      {"5.17.1", "5.17.2"},
      {"5.16.18", "5.16.19"},
      {"5.16.19", "5.17-rc1"},
      {"5.15.32", "5.15.33"},
      {"5.15.33", "5.16-rc1"}}},
    {LINUX_RULE_CPPC_FLAT,
     flat_frequencies,
     converts_flat,
     {{"6.12-rc4", "6.12-rc5"},
      {"6.11.5", "6.11.6"},
      {"6.11.6", "6.12-rc1"},
      {"6.6.58", "6.6.59"},
      {"6.6.59", "6.7-rc1"},
      {"6.1.114", "6.1.115"},
      {"6.1.115", "6.2-rc1"}}},
    {LINUX_RULE_AMD_7K62, epyc_7k62, knows_7k62, {{"6.9", "6.10-rc1"}}},
    {LINUX_RULE_APIC_ORDER,
     boot_cpu_second,
     checks_order,
     {{"6.9", "6.10-rc1"}, {"6.9.2", "6.9.3"}}},
    {LINUX_RULE_SCHEDUTIL_DEFAULT, epyc, defaults_to_schedutil, {{"5.7", "5.8-rc1"}}},
    {LINUX_RULE_RATIO_SAID, haswell, says_ratio, {{"5.10", "5.11-rc1"}}},
    {LINUX_RULE_CST_SKIP_SAID, odd_cst_entry, says_skip, {{"5.9", "5.10-rc1"}}},
    {LINUX_RULE_AMD_PSTATE_OFF_SAID, epyc, says_amd_pstate_off, {{"6.2", "6.3-rc1"}}},
    {LINUX_RULE_CPPC_OFF_SAID, shared_memory_ryzen, says_cppc_off, {{"6.10", "6.11-rc1"}}},
    {LINUX_RULE_TOPOLOGY_SAID, shift_of_0, says_topology, {{"6.8", "6.9-rc1"}}},
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

static struct linux_version version_of(const char *text)
{
    struct linux_version version;

    assert_true(linux_version_parse(text, &version));
    return version;
}

static void one_side(const struct boundary_case *one, const char *text)
{
    struct linux_version version = version_of(text);
    bool holds = linux_rule_holds(one->rule, version);
    bool shows;

    platform_freeze(&sim.platform);
    linux_views_compute_one(&sim.platform, version);
    assert_non_null(sim.platform.linux_views);
    shows = one->shows(&sim.platform.linux_views->views[0]);
    if (shows != holds) {
        fail_msg("%s: %s, but the view of %s %s", linux_rule_at(one->rule)->name,
                 holds ? "holds" : "does not hold", text, shows ? "shows it" : "does not");
    }
}

/* The rule changes between them, and the view with it. */
static void one_edge(const struct boundary_case *one, const struct edge *edge)
{
    struct linux_version before = version_of(edge->before);
    struct linux_version after = version_of(edge->after);

    assert_true(linux_version_compare(before, after) < 0);
    if (linux_rule_holds(one->rule, before) == linux_rule_holds(one->rule, after)) {
        fail_msg("%s: nothing between %s and %s", linux_rule_at(one->rule)->name, edge->before,
                 edge->after);
    }
    one_side(one, edge->before);
    one_side(one, edge->after);
}

static void each_side_of_each_boundary(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        const struct boundary_case *one = &cases[i];

        one->machine();
        for (size_t k = 0; k < EDGES && one->edges[k].before != NULL; k++) {
            one_edge(one, &one->edges[k]);
        }
        one_side(one, "5.4");
        one_side(one, "6.16");
        sim_platform_free(&sim);
    }
}

/* The releases just before: of a first candidate the release of the line before, and the last stable one of it. */
static bool is_edge(enum linux_rule rule, struct linux_version at)
{
    struct linux_version before = at;
    struct linux_version last = at;

    if (at.major < 3) {
        return false; /* since before any release that is modelled */
    }
    if (at.rc > 1) {
        before.rc--;
        last = before;
    } else if (at.rc == 1) {
        before.rc = last.rc = 0;
        before.minor--;
        last.minor--;
        last.sublevel = 999;
    } else if (at.sublevel != 0) {
        before.sublevel--;
        last = before;
    } else {
        before.rc = 7;
        last = before;
    }
    return linux_rule_holds(rule, before) != linux_rule_holds(rule, at) ||
           linux_rule_holds(rule, last) != linux_rule_holds(rule, at);
}

static bool is_same(struct linux_version a, struct linux_version b)
{
    return linux_version_compare(a, b) == 0;
}

/* The rule's own boundaries, each once. Returns how many. */
static size_t edges_of(enum linux_rule rule, struct linux_version *edges)
{
    const struct linux_rule_entry *entry = linux_rule_at(rule);
    size_t count = 0;

    for (size_t i = 0; i < 2 * (size_t)LINUX_INTERVALS; i++) {
        const struct linux_interval *interval = &entry->intervals[i / 2];
        struct linux_version at = i % 2 == 0 ? interval->since : interval->until;
        bool is_new = at.major != 0 && is_edge(rule, at);

        for (size_t k = 0; k < count; k++) {
            is_new = is_new && !is_same(edges[k], at);
        }
        if (is_new) {
            edges[count++] = at;
        }
    }
    return count;
}

static const struct boundary_case *case_of(enum linux_rule rule)
{
    const struct boundary_case *found = NULL;

    for (size_t i = 0; i < CASES; i++) {
        if (cases[i].rule == rule) {
            assert_null(found);
            found = &cases[i];
        }
    }
    if (found == NULL) {
        fail_msg("no case for \"%s\"", linux_rule_at(rule)->name);
    }
    return found;
}

static void must_name(const struct boundary_case *one, struct linux_version edge)
{
    char text[24];

    for (size_t k = 0; k < EDGES && one->edges[k].before != NULL; k++) {
        if (is_same(edge, version_of(one->edges[k].after))) {
            return;
        }
    }
    linux_version_format(edge, text, sizeof(text));
    fail_msg("%s: no case at %s", linux_rule_at(one->rule)->name, text);
}

static size_t named_by(const struct boundary_case *one)
{
    size_t count = 0;

    while (count < EDGES && one->edges[count].before != NULL) {
        count++;
    }
    return count;
}

/* A rule without a case, or a boundary that the case does not name, fails here. */
static void each_rule_has_all_its_edges(void **state)
{
    (void)state;
    assert_int_equal(CASES, LINUX_RULES);
    for (unsigned rule = 0; rule < LINUX_RULES; rule++) {
        const struct boundary_case *one = case_of((enum linux_rule)rule);
        struct linux_version edges[2 * LINUX_INTERVALS];
        size_t count = edges_of((enum linux_rule)rule, edges);

        if (named_by(one) != count) {
            fail_msg("%s: %zu boundaries, %zu in the case", linux_rule_at(one->rule)->name, count,
                     named_by(one));
        }
        for (size_t i = 0; i < count; i++) {
            must_name(one, edges[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_side_of_each_boundary),
        cmocka_unit_test(each_rule_has_all_its_edges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
