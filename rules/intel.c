#include "model/bits.h"
#include "model/bus_clock.h"
#include "model/turbo_limit.h"
#include "rules/judge.h"
#include "rules/subjects.h"

/* Intel's ratio registers and what the objects say of them. */

#define SPEC_RATIO "Intel SDM vol. 4, MSR CEH MSR_PLATFORM_INFO"
#define MSR_PLATFORM_INFO 0xCEU
#define MSR_PKG_CST_CONFIG 0xE2U
#define MSR_IO_CAPTURE_BASE 0xE4U
#define MSR_TURBO_RATIO_LIMIT 0x1ADU
#define MSR_MISC_ENABLE 0x1A0U
#define MSR_HWP_CAPABILITIES 0x771U
#define MSR_FSB_FREQ 0xCDU

static bool is_intel(struct judge *judge)
{
    const struct cpu_identity *identity = &judge->platform->identity;

    if (identity->avail != AVAIL_PRESENT || identity->vendor != VENDOR_INTEL) {
        judge_skip(judge, "no Intel processor");
        return false;
    }
    if (judge->platform->is_emulated) {
        judge_skip(judge, "under a hypervisor");
        return false;
    }
    return true;
}

/* PLATFORM_INFO has ratios from Nehalem on, but not on the Atoms that have a bus clock of their own. */
static bool get_platform_info(struct judge *judge, uint32_t cpu, uint64_t *ret_value)
{
    if (!is_intel(judge)) {
        return false;
    }
    if (bus_clock_is_selected(&judge->platform->identity)) {
        judge_skip(judge, "this Atom keeps its ratios elsewhere");
        return false;
    }
    return judge_msr(judge, cpu, MSR_PLATFORM_INFO, ret_value);
}

static bool is_turbo_off(const struct platform *platform, uint32_t cpu)
{
    struct msr_value misc = platform_msr(platform, cpu, MSR_MISC_ENABLE);

    return misc.avail == AVAIL_PRESENT && bits_test(misc.value, 38) != 0;
}

static bool has_turbo_feature(const struct platform *platform, uint32_t cpu)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, cpu);

    return cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_IDA);
}

static void turbo_is_on(struct judge *judge, uint32_t cpu)
{
    uint64_t misc;

    if (!is_intel(judge) || !judge_msr(judge, cpu, MSR_MISC_ENABLE, &misc)) {
        return;
    }
    if (bits_test(misc, 38) != 0) {
        judge_warn(judge, "MISC_ENABLE[38] clear",
                   "turbo disabled by firmware (MISC_ENABLE 0x%llX)", (unsigned long long)misc);
    } else if (!has_turbo_feature(judge->platform, cpu)) {
        judge_skip(judge, "no turbo on this part");
    }
}

static void speedstep_is_on(struct judge *judge, uint32_t cpu)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, cpu);
    uint64_t misc;

    if (!is_intel(judge) || !judge_msr(judge, cpu, MSR_MISC_ENABLE, &misc)) {
        return;
    }
    if (cpuid == NULL || !cpuid_has(cpuid, CPU_FEATURE_EIST)) {
        judge_skip(judge, "no Enhanced SpeedStep on this part");
    } else if (bits_test(misc, 16) == 0) {
        judge_warn(judge, "MISC_ENABLE[16] set", "Enhanced SpeedStep is off (MISC_ENABLE 0x%llX)",
                   (unsigned long long)misc);
    }
}

static void mwait_is_on(struct judge *judge, uint32_t cpu)
{
    uint64_t misc;

    if (is_intel(judge) && judge_msr(judge, cpu, MSR_MISC_ENABLE, &misc) &&
        bits_test(misc, 18) == 0) {
        judge_warn(judge, "MISC_ENABLE[18] set", "MONITOR/MWAIT is off (MISC_ENABLE 0x%llX)",
                   (unsigned long long)misc);
    }
}

static void ratios_are_ordered(struct judge *judge, uint32_t cpu)
{
    uint64_t info;

    if (!get_platform_info(judge, cpu, &info)) {
        return;
    }
    uint64_t base = bits_get(info, 15, 8);
    uint64_t lowest = bits_get(info, 47, 40);
    if (base == 0 || (lowest != 0 && lowest > base)) {
        judge_fail(judge, "a base ratio above 0 and not below the minimum",
                   "base %llu, minimum %llu (PLATFORM_INFO 0x%llX)", (unsigned long long)base,
                   (unsigned long long)lowest, (unsigned long long)info);
    }
}

static void turbo_is_above_base(struct judge *judge, uint32_t cpu)
{
    uint64_t info;
    uint64_t limit;

    if (!get_platform_info(judge, cpu, &info) ||
        !judge_msr(judge, cpu, MSR_TURBO_RATIO_LIMIT, &limit)) {
        return;
    }
    uint64_t base = bits_get(info, 15, 8);
    uint64_t turbo = turbo_limit_one_core(judge->platform, limit);
    if (!has_turbo_feature(judge->platform, cpu) || is_turbo_off(judge->platform, cpu) ||
        turbo == 0 || base == 0) {
        judge_skip(judge, "no turbo on this part, or it is off");
    } else if (turbo <= base) {
        judge_warn(judge, "a turbo ratio above the base ratio",
                   "turbo enabled but limit %llu is not above base %llu", (unsigned long long)turbo,
                   (unsigned long long)base);
    }
}

/* A programmable limit (PLATFORM_INFO[28]) of one value far above base in every byte is a ceiling that
 * firmware wrote, not what the part does. */
static void turbo_is_plausible(struct judge *judge, uint32_t cpu)
{
    uint64_t info;
    uint64_t limit;

    if (!get_platform_info(judge, cpu, &info) ||
        !judge_msr(judge, cpu, MSR_TURBO_RATIO_LIMIT, &limit)) {
        return;
    }
    uint64_t base = bits_get(info, 15, 8);
    uint64_t turbo = turbo_limit_one_core(judge->platform, limit);
    bool is_flat = bits_get(limit, 15, 8) == turbo && bits_get(limit, 23, 16) == turbo &&
                   bits_get(limit, 31, 24) == turbo;
    if (bits_test(info, 28) != 0 && is_flat && base != 0 && turbo * 2 > base * 3 && turbo > 50) {
        judge_warn(judge, "the turbo ratios of the part",
                   "limit %llu in every byte with base %llu: a programmable ceiling",
                   (unsigned long long)turbo, (unsigned long long)base);
    }
}

/* intel_pstate takes HWP levels as multiples of 100 MHz on parts that it does not know as hybrid. */
static void hwp_levels_are_ratios(struct judge *judge, uint32_t cpu)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, cpu);
    uint64_t caps;
    uint64_t limit;
    struct judge_text expected;

    if (!is_intel(judge) || !judge_msr(judge, cpu, MSR_HWP_CAPABILITIES, &caps) ||
        !judge_msr(judge, cpu, MSR_TURBO_RATIO_LIMIT, &limit)) {
        return;
    }
    uint64_t highest = bits_get(caps, 7, 0);
    uint64_t turbo = turbo_limit_one_core(judge->platform, limit);
    uint64_t shown_mhz = highest * 100;
    if (cpuid == NULL || cpuid_has(cpuid, CPU_FEATURE_HYBRID) || turbo == 0) {
        judge_skip(judge, "a hybrid processor, whose levels have units of their own");
    } else if (highest > turbo + 1) {
        judge_warn(
            judge,
            judge_text(&expected, "a highest level up to the turbo ratio %llu",
                       (unsigned long long)turbo),
            "highest %llu: the level is not a ratio on this part; a kernel without the model "
            "shows %llu MHz",
            (unsigned long long)highest, (unsigned long long)shown_mhz);
    }
}

static void hwp_levels_are_ordered(struct judge *judge, uint32_t cpu)
{
    uint64_t caps;

    if (!is_intel(judge) || !judge_msr(judge, cpu, MSR_HWP_CAPABILITIES, &caps)) {
        return;
    }
    uint64_t highest = bits_get(caps, 7, 0);
    uint64_t guaranteed = bits_get(caps, 15, 8);
    uint64_t lowest = bits_get(caps, 31, 24);
    if (highest == 0 || guaranteed > highest || lowest > guaranteed) {
        judge_fail(judge, "highest >= guaranteed >= lowest, and highest above 0",
                   "%llu, %llu, %llu (MSR 771H 0x%llX)", (unsigned long long)highest,
                   (unsigned long long)guaranteed, (unsigned long long)lowest,
                   (unsigned long long)caps);
    }
}

/* What the hardware and what the firmware rank this CPU by. False when either is not known. */
static bool ranks_of(const struct platform *platform, uint32_t cpu, uint64_t *ret_hardware,
                     uint64_t *ret_firmware)
{
    const struct processor *processor = platform_processor(platform, cpu);
    struct msr_value caps = platform_msr(platform, cpu, MSR_HWP_CAPABILITIES);

    if (processor == NULL || processor->cpc_avail[CPC_HIGHEST_PERF] != AVAIL_PRESENT ||
        caps.avail != AVAIL_PRESENT || bits_get(caps.value, 7, 0) == 0) {
        return false;
    }
    *ret_hardware = bits_get(caps.value, 7, 0);
    *ret_firmware = processor->cpc_value[CPC_HIGHEST_PERF];
    return true;
}

/* A CPU that the hardware ranks higher than this one and the firmware does not, or CPU_NONE. */
static uint32_t ranked_wrongly(const struct platform *platform, uint32_t cpu, bool *ret_is_reversed)
{
    uint64_t hardware, firmware, other_hardware, other_firmware;
    uint32_t flat = CPU_NONE;

    *ret_is_reversed = false;
    if (!ranks_of(platform, cpu, &hardware, &firmware)) {
        return CPU_NONE;
    }
    for (uint32_t other = 0; other < platform->cpus_count; other++) {
        if (!ranks_of(platform, other, &other_hardware, &other_firmware) ||
            other_hardware <= hardware) {
            continue;
        }
        if (other_firmware < firmware) {
            *ret_is_reversed = true;
            return other;
        }
        flat = other_firmware == firmware && flat == CPU_NONE ? other : flat;
    }
    return flat;
}

/* Linux 6.12 drivers/cpufreq/intel_pstate.c intel_pstate_set_itmt_prio takes the hardware's rank where _CPC says 255. */
#define RANK_UNKNOWN 255U

static void cores_are_ranked_alike(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    uint32_t judged = 0;

    for (uint32_t cpu = 0; is_intel(judge) && cpu < platform->cpus_count; cpu++) {
        uint64_t hardware, firmware;
        bool is_reversed;
        uint32_t other;

        if (!ranks_of(platform, cpu, &hardware, &firmware) || firmware == RANK_UNKNOWN) {
            continue;
        }
        judged++;
        judge->cpu = cpu;
        other = ranked_wrongly(platform, cpu, &is_reversed);
        if (other != CPU_NONE && is_reversed) {
            judge_warn(judge, "cores in the order of MSR 771H [7:0]",
                       "%llu, but the hardware ranks it at %llu, below CPU %u",
                       (unsigned long long)firmware, (unsigned long long)hardware, other);
        } else if (other != CPU_NONE) {
            judge_note(judge, "cores in the order of MSR 771H [7:0]",
                       "%llu, the same as CPU %u, which the hardware ranks higher",
                       (unsigned long long)firmware, other);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no CPU has both HWP capabilities and a highest performance of _CPC "
                          "other than 255");
    }
}

/* _PSS of fixed hardware: Control [15:8] is the ratio, [7:0] on Nehalem and Westmere (real: m100). */
static uint64_t ratio_of(const struct pss_row *row)
{
    return row->field[PSS_CONTROL] >= 0x100 ? bits_get(row->field[PSS_CONTROL], 15, 8)
                                            : row->field[PSS_CONTROL];
}

static const struct pss *fixed_pss(struct judge *judge, const struct processor *processor)
{
    const struct object_set *pss = judge_certain_object(judge, processor, OBJECT_PSS);
    const struct object_set *pct = platform_object(processor, OBJECT_PCT);

    if (pss == NULL || pct == NULL || pct->pct.control.avail != AVAIL_PRESENT ||
        pct->pct.control.gas.space != GAS_FFH || pss->pss.count == 0) {
        judge_skip(judge, "no _PSS for fixed hardware that is certain");
        return NULL;
    }
    return &pss->pss;
}

/* The turbo row carries another ratio than its MHz; the row below the minimum ratio is special too. */
static void rows_match_ratios(struct judge *judge, const struct processor *processor)
{
    const struct pss *pss;
    struct bus_clock clock;
    struct judge_text expected;

    if (!is_intel(judge) || (pss = fixed_pss(judge, processor)) == NULL) {
        return;
    }
    bus_clock_of(judge->platform, processor->cpu, &clock);
    if (clock.avail != AVAIL_PRESENT || judge->platform->identity.family != 6) {
        judge_skip(judge, "the bus clock of this processor is not known");
        return;
    }
    for (uint32_t i = 1; i + 1 < pss->count; i++) {
        const struct pss_row *row = &pss->rows[i];
        uint64_t khz = ratio_of(row) * clock.khz;
        uint64_t said_khz = row->field[PSS_FREQ_MHZ] * 1000;

        if (row->valid == (1U << PSS_FIELDS) - 1 && khz != 0 && said_khz < 10000000 &&
            (said_khz * 100 > khz * 103 || said_khz * 103 < khz * 100)) {
            judge_fail(
                judge,
                judge_text(&expected, "%llu MHz, the ratio %llu of its control value",
                           (unsigned long long)(khz / 1000), (unsigned long long)ratio_of(row)),
                "row %u: %llu MHz, control 0x%llX", i, (unsigned long long)row->field[PSS_FREQ_MHZ],
                (unsigned long long)row->field[PSS_CONTROL]);
            return;
        }
    }
}

static void base_row_is_base_ratio(struct judge *judge, const struct processor *processor)
{
    const struct pss *pss;
    uint64_t info;
    struct judge_text expected;

    if (!get_platform_info(judge, processor->cpu, &info) ||
        (pss = fixed_pss(judge, processor)) == NULL) {
        return;
    }
    bool has_marker =
        pss->count > 1 && pss->rows[0].field[PSS_FREQ_MHZ] == pss->rows[1].field[PSS_FREQ_MHZ] + 1;
    const struct pss_row *row = &pss->rows[has_marker ? 1 : 0];
    uint64_t base = bits_get(info, 15, 8);
    if (base != 0 && ratio_of(row) > base && row->field[PSS_CONTROL] >= 0x100) {
        judge_warn(judge,
                   judge_text(&expected,
                              "at most the base ratio %llu in the fastest row without "
                              "turbo",
                              (unsigned long long)base),
                   "row %u: ratio %llu", has_marker ? 1U : 0U, (unsigned long long)ratio_of(row));
    }
}

static void last_row_is_minimum(struct judge *judge, const struct processor *processor)
{
    const struct pss *pss;
    uint64_t info;

    if (!get_platform_info(judge, processor->cpu, &info) ||
        (pss = fixed_pss(judge, processor)) == NULL) {
        return;
    }
    const struct pss_row *last = &pss->rows[pss->count - 1];
    uint64_t lowest = bits_get(info, 47, 40);
    if (lowest != 0 && last->field[PSS_CONTROL] >= 0x100 && ratio_of(last) + 1 < lowest) {
        judge_note(judge, "a slowest row at the minimum ratio", "ratio %llu, minimum %llu",
                   (unsigned long long)ratio_of(last), (unsigned long long)lowest);
    }
}

/* fwts: MSRCPUsInconsistent. One package has one set of ratios for each kind of core. */
static void registers_are_alike(struct judge *judge, uint32_t cpu)
{
    static const struct {
        uint32_t msr;
        uint64_t mask;
    } alike[] = {
        {MSR_PLATFORM_INFO, 0x0000FF000000FF00ULL},
        {MSR_TURBO_RATIO_LIMIT, UINT64_MAX},
        {MSR_MISC_ENABLE, 1ULL << 38 | 1ULL << 18 | 1ULL << 16},
        {MSR_PKG_CST_CONFIG, 0x840FULL},
        {MSR_IO_CAPTURE_BASE, 0x7FFFFULL},
    };
    const struct platform *platform = judge->platform;
    struct judge_text expected;

    if (!is_intel(judge)) {
        return;
    }
    if (platform->cpus[cpu].core_type != platform->cpus[0].core_type ||
        platform->cpus[cpu].package_id != platform->cpus[0].package_id) {
        judge_skip(judge, "another package or another kind of core");
        return;
    }
    for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++) {
        struct msr_value first = platform_msr(platform, 0, alike[i].msr);
        struct msr_value value = platform_msr(platform, cpu, alike[i].msr);

        if (first.avail == AVAIL_PRESENT && value.avail == AVAIL_PRESENT &&
            ((first.value ^ value.value) & alike[i].mask) != 0) {
            judge_fail(judge,
                       judge_text(&expected, "MSR 0x%X as on CPU 0: 0x%llX", alike[i].msr,
                                  (unsigned long long)(first.value & alike[i].mask)),
                       "0x%llX", (unsigned long long)(value.value & alike[i].mask));
        }
    }
}

/* With redirection on (E2H[10]) reads of the ports from E4H[15:0] on become MWAIT. */
static void cst_ports_are_captured(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = judge_certain_object(judge, processor, OBJECT_CST);
    uint64_t config;
    uint64_t capture;
    struct judge_text expected;

    if (!is_intel(judge) || !judge_msr(judge, processor->cpu, MSR_PKG_CST_CONFIG, &config) ||
        !judge_msr(judge, processor->cpu, MSR_IO_CAPTURE_BASE, &capture)) {
        return;
    }
    uint64_t base = bits_get(capture, 15, 0);
    if (set == NULL || bits_test(config, 10) == 0 || base == 0) {
        judge_skip(judge, "no I/O redirection, or no _CST that is certain");
        return;
    }
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct object_register *reg = &set->cst.states[i].reg;

        if (reg->avail == AVAIL_PRESENT && reg->gas.space == GAS_SYSTEM_IO &&
            (reg->gas.address < base || reg->gas.address > base + 7)) {
            judge_warn(judge,
                       judge_text(&expected, "a port from MSR E4H's base 0x%llX on",
                                  (unsigned long long)base),
                       "state %u: port 0x%llX", i + 1, (unsigned long long)reg->gas.address);
            return;
        }
    }
}

static void bus_clock_is_known(struct judge *judge, uint32_t cpu)
{
    struct bus_clock clock;
    uint64_t fsb;

    if (!is_intel(judge)) {
        return;
    }
    if (!bus_clock_is_selected(&judge->platform->identity)) {
        judge_skip(judge, "the bus clock of this processor is fixed");
        return;
    }
    if (!judge_msr(judge, cpu, MSR_FSB_FREQ, &fsb)) {
        return;
    }
    bus_clock_of(judge->platform, cpu, &clock);
    if (clock.avail != AVAIL_PRESENT) {
        judge_warn(judge, "a bus clock that the manual lists",
                   "FSB_FREQ 0x%llX: only ratios are known", (unsigned long long)fsb);
    }
}

const struct rule intel_rules[] = {
    {
        .id = "INT-001",
        .title = "Turbo is not disabled",
        .spec = "Intel SDM vol. 4, MSR 1A0H IA32_MISC_ENABLE[38] Turbo Mode Disable",
        .why = "The processor never runs faster than its base clock.",
        .advice = "Clear the bit, or enable turbo in the setup; intended on some products.",
        .known_as = "Linux: Turbo disabled by BIOS or unavailable on processor; BITS: turbo not "
                    "disabled",
        .severity = SEVERITY_MEDIUM,
        .check = judge_cpus,
        .judge_cpu = turbo_is_on,
        .object = "MSR 1A0",
    },
    {
        .id = "INT-002",
        .title = "Enhanced SpeedStep is enabled",
        .spec = "Intel SDM vol. 4, MSR 1A0H IA32_MISC_ENABLE[16]",
        .why = "The frequency stays where the firmware left it.",
        .advice = "Set the bit before the operating system starts.",
        .known_as = "BITS: EIST on",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = speedstep_is_on,
        .object = "MSR 1A0",
    },
    {
        .id = "INT-003",
        .title = "MONITOR/MWAIT is enabled",
        .spec = "Intel SDM vol. 4, MSR 1A0H IA32_MISC_ENABLE[18]",
        .why = "intel_idle does not load: the processor idles less deeply.",
        .advice = "Set the bit, or enable MWAIT in the setup.",
        .known_as = "Linux: Please enable MWAIT in BIOS SETUP",
        .severity = SEVERITY_MEDIUM,
        .check = judge_cpus,
        .judge_cpu = mwait_is_on,
        .object = "MSR 1A0",
    },
    {
        .id = "INT-004",
        .title = "Base and minimum ratios are in order",
        .spec = SPEC_RATIO,
        .why = "intel_pstate refuses the processor.",
        .advice = "Check the straps and the overclocking settings that change the ratios.",
        .known_as = "Linux: intel_pstate: Invalid MSRs",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = ratios_are_ordered,
        .object = "MSR CE",
    },
    {
        .id = "INT-005",
        .title = "The turbo limit is above the base ratio where turbo is enabled",
        .spec = "Intel SDM vol. 4, MSR 1ADH MSR_TURBO_RATIO_LIMIT; MSR CEH MSR_PLATFORM_INFO",
        .why = "Turbo is offered and never happens.",
        .advice = "Restore the turbo ratios of the part, or disable turbo.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_cpus,
        .judge_cpu = turbo_is_above_base,
        .object = "MSR 1AD",
    },
    {
        .id = "INT-006",
        .title = "Turbo limits are those of the part",
        .spec = "Intel SDM vol. 4, MSR 1ADH MSR_TURBO_RATIO_LIMIT; MSR CEH MSR_PLATFORM_INFO[28]",
        .why = "Tools and the scheduler believe in a clock that is never reached.",
        .advice = "Leave the limits at the part's values unless it is overclocked.",
        .severity = SEVERITY_LOW,
        .check = judge_cpus,
        .judge_cpu = turbo_is_plausible,
        .object = "MSR 1AD",
    },
    {
        .id = "INT-007",
        .title = "HWP levels are ratios on a processor that is not hybrid",
        .spec = "Intel SDM vol. 4, MSR 771H IA32_HWP_CAPABILITIES; MSR 1ADH MSR_TURBO_RATIO_LIMIT",
        .why = "Kernels that do not know the model show clocks of 7 GHz and more and rate load too "
               "low.",
        .advice = "None in the firmware; use a kernel that knows the model.",
        .severity = SEVERITY_LOW,
        .check = judge_cpus,
        .judge_cpu = hwp_levels_are_ratios,
        .object = "MSR 771",
    },
    {
        .id = "INT-008",
        .title = "HWP levels are in order",
        .spec = "Intel SDM vol. 4, MSR 771H IA32_HWP_CAPABILITIES",
        .why = "The range of clocks is empty or reversed.",
        .advice = "Check power and current limits that lower the highest level.",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = hwp_levels_are_ordered,
        .object = "MSR 771",
    },
    {
        .id = "INT-009",
        .title = "Each row of _PSS has the frequency of its ratio",
        .spec = "Intel SDM vol. 4, MSR 199H IA32_PERF_CTL[15:0]; ACPI 6.5, 8.4.5.2 _PSS",
        .why = "The clock shown and asked for is not the one delivered.",
        .advice = "Compute CoreFrequency as ratio times bus clock.",
        .known_as = "BITS: test_pstates",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = rows_match_ratios,
        .object = "_PSS",
    },
    {
        .id = "INT-010",
        .title = "The fastest _PSS row without turbo asks for no more than the base ratio",
        .spec = SPEC_RATIO "[15:8] maximum non-turbo ratio",
        .why = "A clock is promised that the processor reaches only by turbo.",
        .advice = "List turbo as a first row of 1 MHz more.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = base_row_is_base_ratio,
        .object = "_PSS",
    },
    {
        .id = "INT-011",
        .title = "The slowest _PSS row is at the minimum ratio",
        .spec = SPEC_RATIO "[47:40] maximum efficiency ratio",
        .why = "Below it the processor saves nothing.",
        .advice = "End the list at the minimum ratio.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = last_row_is_minimum,
        .object = "_PSS",
    },
    {
        .id = "INT-012",
        .title = "Ratio, turbo and C-state registers are the same on all cores of a package",
        .spec = "Intel SDM vol. 4, MSRs CEH, E2H, E4H, 1A0H, 1ADH",
        .why = "Some cores run or idle differently from the rest.",
        .advice = "Program the registers on every core.",
        .known_as = "fwts: MSRCPUsInconsistent; BITS: MSR sweep",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = registers_are_alike,
        .object = "MSR CE",
    },
    {
        .id = "INT-013",
        .title = "I/O ports of _CST are those that are redirected to MWAIT",
        .spec = "Intel SDM vol. 4, MSR E4H MSR_PMG_IO_CAPTURE_BASE; MSR E2H[10]",
        .why = "Reading the port does not enter the state that is listed.",
        .advice = "Make MSR E4H and the ports of _CST agree.",
        .known_as = "BITS: I/O capture range",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = cst_ports_are_captured,
        .object = "_CST",
    },
    {
        .id = "INT-014",
        .title = "The bus clock of an Atom is one that is listed",
        .spec = "Intel SDM vol. 4, MSR CDH MSR_FSB_FREQ",
        .why = "Frequencies cannot be computed from ratios.",
        .advice = "Check the strap that selects the bus clock.",
        .known_as = "Linux: Error MSR_FSB_FREQ index n is unknown",
        .severity = SEVERITY_LOW,
        .check = judge_cpus,
        .judge_cpu = bus_clock_is_known,
        .object = "MSR CD",
    },
    {
        .id = "INT-015",
        .title = "_CPC ranks the cores as the hardware does",
        .spec = "ACPI 6.5, 8.4.6.1.1.1 Highest Performance; Intel SDM vol. 4, MSR 771H "
                "IA32_HWP_CAPABILITIES[7:0]",
        .why = "The scheduler prefers cores by _CPC (ITMT): single threads run on cores that are "
               "not the best.",
        .advice = "Give each CPU the highest performance of its own MSR 771H.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = cores_are_ranked_alike,
        .object = "_CPC highest performance",
    },
    {.id = NULL},
};
