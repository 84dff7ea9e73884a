#include "model/bits.h"
#include "rules/judge.h"
#include "rules/subjects.h"

/* What keeps an Intel processor below its clock at present, and what firmware left switched on. */

#define MSR_IA32_CLOCK_MODULATION 0x19AU
#define MSR_IA32_THERM_STATUS 0x19CU
#define MSR_POWER_CTL 0x1FCU
#define MSR_CORE_PERF_LIMIT_REASONS 0x64FU
#define MSR_CORE_PERF_LIMIT_REASONS_OLD 0x690U
#define MSR_MISC_PWR_MGMT 0x1AAU
#define MSR_PKG_POWER_LIMIT 0x610U
#define MSR_PKG_CST_CONFIG 0xE2U
#define MSR_TSC_ADJUST 0x3BU
#define MSR_BIOS_SIGN_ID 0x8BU

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

/* The limit reasons: 64FH from Skylake on, 690H before; PROCHOT is bit 0 in both. */
static bool get_reasons(struct judge *judge, uint32_t cpu, uint64_t *ret_reasons)
{
    struct msr_value value = platform_msr(judge->platform, cpu, MSR_CORE_PERF_LIMIT_REASONS);

    if (value.avail != AVAIL_PRESENT) {
        value = platform_msr(judge->platform, cpu, MSR_CORE_PERF_LIMIT_REASONS_OLD);
    }
    if (value.avail != AVAIL_PRESENT) {
        judge_skip(judge, "neither MSR 64FH nor 690H could be read");
        return false;
    }
    *ret_reasons = value.value;
    return true;
}

static void prochot_is_quiet(struct judge *judge, uint32_t cpu)
{
    struct msr_value power_ctl = platform_msr(judge->platform, cpu, MSR_POWER_CTL);
    struct msr_value therm = platform_msr(judge->platform, cpu, MSR_IA32_THERM_STATUS);
    uint64_t reasons;

    if (!is_intel(judge) || !get_reasons(judge, cpu, &reasons)) {
        return;
    }
    if (bits_test(reasons, 0) == 0) {
        return;
    }
    bool is_hot = therm.avail == AVAIL_PRESENT && bits_test(therm.value, 0) != 0;
    bool is_bidirectional = power_ctl.avail == AVAIL_PRESENT && bits_test(power_ctl.value, 0) != 0;
    judge_warn(judge, "no PROCHOT at present",
               is_hot ? "PROCHOT active, the processor is hot (reasons 0x%llX)"
               : is_bidirectional
                   ? "external PROCHOT active (reasons 0x%llX): not a P-state table problem"
                   : "PROCHOT active (reasons 0x%llX)",
               (unsigned long long)reasons);
}

static void nothing_limits(struct judge *judge, uint32_t cpu)
{
    uint64_t reasons;

    if (!is_intel(judge) || !get_reasons(judge, cpu, &reasons)) {
        return;
    }
    if ((reasons & 0xFFFE) != 0) {
        judge_note(judge, "no other limit at present", "reasons 0x%llX",
                   (unsigned long long)(reasons & 0xFFFE));
    }
}

static void clock_is_not_modulated(struct judge *judge, uint32_t cpu)
{
    uint64_t modulation;

    if (is_intel(judge) && judge_msr(judge, cpu, MSR_IA32_CLOCK_MODULATION, &modulation) &&
        bits_test(modulation, 4) != 0) {
        judge_warn(judge, "on-demand clock modulation off", "duty cycle %llu/16 is on",
                   (unsigned long long)bits_get(modulation, 3, 0));
    }
}

static void power_limit_is_possible(struct judge *judge, uint32_t cpu)
{
    uint64_t limit;

    if (!is_intel(judge) || !judge_msr(judge, cpu, MSR_PKG_POWER_LIMIT, &limit)) {
        return;
    }
    if (bits_test(limit, 15) != 0 && bits_get(limit, 14, 0) == 0) {
        judge_warn(judge, "a power limit above 0 where it is enabled",
                   "PL1 is 0 and enabled (MSR 610H 0x%llX)", (unsigned long long)limit);
    }
}

static void os_controls_pstates(struct judge *judge, uint32_t cpu)
{
    uint64_t management;

    if (!is_intel(judge) || !judge_msr(judge, cpu, MSR_MISC_PWR_MGMT, &management)) {
        return;
    }
    if (bits_test(management, 8) != 0 || bits_test(management, 18) != 0) {
        judge_note(judge, "P-states controlled by the operating system",
                   "out-of-band control (MSR 1AAH 0x%llX)", (unsigned long long)management);
    }
}

static void package_may_sleep(struct judge *judge, uint32_t cpu)
{
    uint64_t config;

    if (!is_intel(judge) || !judge_msr(judge, cpu, MSR_PKG_CST_CONFIG, &config)) {
        return;
    }
    /* Code 0 is C0/C1 on all models but Airmont and Goldmont, where it is "unlimited". */
    bool is_zero_unlimited =
        judge->platform->identity.model == 0x4C || judge->platform->identity.model == 0x5C ||
        judge->platform->identity.model == 0x7A || judge->platform->identity.model == 0x5F;
    if (bits_get(config, 3, 0) == 0 && !is_zero_unlimited) {
        judge_note(judge, "a package C-state limit beyond C0/C1", "limit code 0%s (MSR E2H 0x%llX)",
                   bits_test(config, 15) != 0 ? ", locked" : "", (unsigned long long)config);
    }
}

static bool has_tsc_adjust(const struct platform *platform, uint32_t cpu)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, cpu);

    return cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_TSC_ADJUST);
}

/* Linux 6.12 arch/x86/kernel/tsc_sync.c tsc_store_and_check_tsc_adjust. */
static void tsc_adjust_is_zero(struct judge *judge, uint32_t cpu)
{
    uint64_t adjust;

    if (!is_intel(judge)) {
        return;
    }
    if (cpu != 0 || !has_tsc_adjust(judge->platform, cpu)) {
        judge_skip(judge, "not the boot CPU, or no TSC_ADJUST");
        return;
    }
    if (judge_msr(judge, cpu, MSR_TSC_ADJUST, &adjust) && adjust != 0) {
        judge_warn(judge, "TSC_ADJUST 0 on the boot CPU", "0x%llX", (unsigned long long)adjust);
    }
}

static void tsc_adjust_is_alike(struct judge *judge, uint32_t cpu)
{
    const struct platform *platform = judge->platform;
    struct msr_value first = platform_msr(platform, 0, MSR_TSC_ADJUST);
    uint64_t adjust;
    struct judge_text expected;

    if (!is_intel(judge)) {
        return;
    }
    if (!has_tsc_adjust(platform, cpu) || first.avail != AVAIL_PRESENT ||
        platform->cpus[cpu].package_id != platform->cpus[0].package_id) {
        judge_skip(judge, "no TSC_ADJUST, or another package");
        return;
    }
    if (judge_msr(judge, cpu, MSR_TSC_ADJUST, &adjust) && adjust != first.value) {
        judge_fail(judge,
                   judge_text(&expected, "TSC_ADJUST as on CPU 0: 0x%llX",
                              (unsigned long long)first.value),
                   "0x%llX", (unsigned long long)adjust);
    }
}

/* Linux 6.12 arch/x86/kernel/apic/apic.c: the least microcode with a sound TSC-deadline timer. */
struct deadline_fix {
    uint32_t model;
    uint32_t stepping;
    uint32_t revision;
};

#define ANY_STEPPING 0xFF
static const struct deadline_fix deadline_fixes[] = {
    {0x3F, 2, 0x3A},
    {0x3F, 4, 0x0F},
    {0x4F, ANY_STEPPING, 0x0B000020},
    {0x56, 2, 0x11},
    {0x56, 3, 0x0700000E},
    {0x56, 4, 0x0F00000C},
    {0x56, 5, 0x0E000003},
    {0x55, 3, 0x01000136},
    {0x55, 4, 0x02000014},
    {0x3C, ANY_STEPPING, 0x22},
    {0x45, ANY_STEPPING, 0x20},
    {0x46, ANY_STEPPING, 0x17},
    {0x3D, ANY_STEPPING, 0x25},
    {0x47, ANY_STEPPING, 0x17},
    {0x4E, ANY_STEPPING, 0xB2},
    {0x5E, ANY_STEPPING, 0xB2},
    {0x8E, ANY_STEPPING, 0x52},
    {0x9E, ANY_STEPPING, 0x52},
};

static uint32_t needed_microcode(const struct cpu_identity *identity)
{
    if (identity->family != 6) {
        return 0;
    }
    for (size_t i = 0; i < sizeof(deadline_fixes) / sizeof(deadline_fixes[0]); i++) {
        const struct deadline_fix *fix = &deadline_fixes[i];

        if (fix->model == identity->model &&
            (fix->stepping == ANY_STEPPING || fix->stepping == identity->stepping)) {
            return fix->revision;
        }
    }
    return 0;
}

static void microcode_is_new_enough(struct judge *judge, uint32_t cpu)
{
    uint32_t needed = needed_microcode(&judge->platform->identity);
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, cpu);
    struct judge_text expected;
    uint64_t sign;

    if (!is_intel(judge)) {
        return;
    }
    if (needed == 0 || cpuid == NULL || !cpuid_has(cpuid, CPU_FEATURE_TSC_DEADLINE)) {
        judge_skip(judge, "no TSC-deadline erratum on this model");
        return;
    }
    if (judge_msr(judge, cpu, MSR_BIOS_SIGN_ID, &sign) && sign >> 32 < needed && sign >> 32 != 0) {
        judge_warn(judge, judge_text(&expected, "microcode 0x%X or later", needed), "0x%llX",
                   (unsigned long long)(sign >> 32));
    }
}

static void hybrid_has_hwp(struct judge *judge)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, 0);

    if (!is_intel(judge)) {
        return;
    }
    if (cpuid == NULL || !cpuid_has(cpuid, CPU_FEATURE_HYBRID)) {
        judge_skip(judge, "no hybrid processor");
    } else if (!cpuid_has(cpuid, CPU_FEATURE_HWP)) {
        judge_warn(judge, "HWP (CPUID 06H EAX[7]) on a hybrid processor", "HWP is off");
    }
}

const struct rule intel_limit_rules[] = {
    {
        .id = "INL-001",
        .title = "PROCHOT is not asserted",
        .spec =
            "Intel SDM vol. 4, MSR 64FH MSR_CORE_PERF_LIMIT_REASONS[0]; MSR 1FCH MSR_POWER_CTL[0]",
        .why = "All cores are pinned at their lowest clock although the tables look perfect; boost "
               "and "
               "latency figures of this run say nothing.",
        .advice = "Look for the source on the board: EC, charger, battery, voltage regulator.",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = prochot_is_quiet,
        .object = "MSR 64F",
    },
    {
        .id = "INL-002",
        .title = "No other limit holds the clock down at present",
        .spec = "Intel SDM vol. 4, MSR 64FH MSR_CORE_PERF_LIMIT_REASONS",
        .why = "The clock is below what was asked for: power, current or heat.",
        .advice = "None when the machine is under load.",
        .severity = SEVERITY_LOW,
        .check = judge_cpus,
        .judge_cpu = nothing_limits,
        .object = "MSR 64F",
    },
    {
        .id = "INL-003",
        .title = "On-demand clock modulation is off",
        .spec = "Intel SDM vol. 4, MSR 19AH IA32_CLOCK_MODULATION[4]",
        .why = "The processor stands still for a fixed share of the time.",
        .advice = "Clear the bit on every core before the operating system starts.",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = clock_is_not_modulated,
        .object = "MSR 19A",
    },
    {
        .id = "INL-004",
        .title = "The package power limit is above zero where it is enabled",
        .spec = "Intel SDM vol. 4, MSR 610H MSR_PKG_POWER_LIMIT",
        .why = "The processor is held at its lowest clock.",
        .advice = "Program the limit of the product, or leave it disabled.",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = power_limit_is_possible,
        .object = "MSR 610",
    },
    {
        .id = "INL-005",
        .title = "P-states are left to the operating system",
        .spec = "Intel SDM vol. 4, MSR 1AAH MSR_MISC_PWR_MGMT",
        .why = "Linux does not load intel_pstate; intended on some servers.",
        .advice = "None when the platform controls P-states.",
        .known_as = "Linux: P-states controlled by the platform",
        .severity = SEVERITY_LOW,
        .check = judge_cpus,
        .judge_cpu = os_controls_pstates,
        .object = "MSR 1AA",
    },
    {
        .id = "INL-006",
        .title = "The package may enter deeper C-states",
        .spec = "Intel SDM vol. 4, MSR E2H MSR_PKG_CST_CONFIG_CONTROL[3:0]",
        .why = "The machine takes more power when idle; intended for some real-time products.",
        .advice = "Raise the limit before the register is locked.",
        .severity = SEVERITY_LOW,
        .check = judge_cpus,
        .judge_cpu = package_may_sleep,
        .object = "MSR E2",
    },
    {
        .id = "INL-007",
        .title = "TSC_ADJUST is zero on the boot CPU",
        .spec = "Intel SDM vol. 3, 18.17.3 Time-Stamp Counter Adjustment; MSR 3BH",
        .why = "Firmware has written the TSC; clocks of different CPUs may disagree.",
        .advice = "Do not write the TSC in firmware or SMM.",
        .known_as = "Linux: TSC ADJUST: CPU: force to 0",
        .severity = SEVERITY_MEDIUM,
        .check = judge_cpus,
        .judge_cpu = tsc_adjust_is_zero,
        .object = "MSR 3B",
    },
    {
        .id = "INL-008",
        .title = "TSC_ADJUST is the same on all CPUs of a package",
        .spec = "Intel SDM vol. 3, 18.17.3 Time-Stamp Counter Adjustment; MSR 3BH",
        .why = "Time jumps when a thread moves; Linux may give up the TSC as clock.",
        .advice = "Do not write the TSC in firmware or SMM.",
        .known_as = "Linux: TSC ADJUST differs within socket(s), fixing all errors",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = tsc_adjust_is_alike,
        .object = "MSR 3B",
    },
    {
        .id = "INL-009",
        .title = "The microcode has a sound TSC-deadline timer",
        .spec = "Linux 6.12 arch/x86/kernel/apic/apic.c deadline_match",
        .why = "Linux does without the deadline timer: wake-ups are less exact and cost more.",
        .advice = "Ship the newer microcode.",
        .known_as = "Linux: TSC_DEADLINE disabled due to Errata; please update microcode",
        .severity = SEVERITY_LOW,
        .check = judge_cpus,
        .judge_cpu = microcode_is_new_enough,
        .object = "MSR 8B",
    },
    {
        .id = "INL-010",
        .title = "A hybrid processor has HWP",
        .spec = "Intel SDM vol. 2A, CPUID 06H EAX[7] and 07H EDX[15]",
        .why = "The scheduler cannot tell fast cores from slow ones.",
        .advice = "Enable Speed Shift (HWP) in the setup by default.",
        .known_as = "Linux: Problematic setup: Hybrid processor with disabled HWP",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = hybrid_has_hwp,
        .object = "CPUID 06H",
    },
    {.id = NULL},
};
