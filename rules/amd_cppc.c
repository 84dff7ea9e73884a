#include "model/bits.h"
#include "rules/cpc.h"
#include "rules/subjects.h"

/* AMD's CPPC: what amd-pstate needs, and the MSRs against _CPC. */

#define SPEC_CAP1 "AMD PPR 55898, MSRC001_02B0 CPPC Capability 1"
#define MSR_CPPC_CAP1 0xC00102B0U

static bool is_amd(struct judge *judge)
{
    const struct cpu_identity *identity = &judge->platform->identity;

    if (identity->avail != AVAIL_PRESENT || identity->vendor != VENDOR_AMD) {
        judge_skip(judge, "no AMD processor");
        return false;
    }
    if (judge->platform->is_emulated) {
        judge_skip(judge, "under a hypervisor");
        return false;
    }
    return true;
}

static bool has_cppc_msrs(const struct platform *platform)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);

    return cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_CPPC);
}

static void cpc_is_published(struct judge *judge)
{
    if (!is_amd(judge)) {
        return;
    }
    if (!has_cppc_msrs(judge->platform)) {
        judge_skip(judge, "no CPPC MSRs (CPUID 80000008H EBX[27])");
        return;
    }
    for (uint32_t i = 0; i < judge->platform->processors_count; i++) {
        if (judge->platform->processors[i].objects[OBJECT_CPC].avail != AVAIL_ABSENT) {
            return;
        }
    }
    if (judge->platform->processors_count == 0) {
        judge_skip(judge, "no processor in the namespace");
        return;
    }
    judge_warn(judge, "_CPC where CPUID shows CPPC MSRs",
               "hardware CPPC present, disabled by firmware, no _CPC");
}

/* Linux 6.12 drivers/cpufreq/amd-pstate.c amd_cppc_supported: the models that have the MSRs. */
static bool is_expected_to_have_cppc(const struct cpu_identity *identity)
{
    uint32_t model = identity->model;

    if (identity->family == 0x17) {
        return (model >= 0x60 && model <= 0x6F) || (model >= 0x80 && model <= 0xAF);
    }
    if (identity->family == 0x19) {
        return (model >= 0x10 && model <= 0x1F) || (model >= 0x40 && model <= 0xAF);
    }
    return identity->family == 0x1A && model <= 0x7F;
}

static void cppc_is_enabled(struct judge *judge)
{
    if (!is_amd(judge)) {
        return;
    }
    if (!is_expected_to_have_cppc(&judge->platform->identity)) {
        judge_skip(judge, "this model need not have CPPC MSRs");
    } else if (!has_cppc_msrs(judge->platform)) {
        judge_warn(judge, "CPUID 80000008H EBX[27] on this model",
                   "the bit is 0: CPPC is disabled in the setup");
    }
}

static void check_capability(struct judge *judge, const struct processor *processor,
                             const struct object_set *set, enum cpc_register index,
                             uint64_t hardware)
{
    struct judge_text expected;
    const struct cpc_element *element = &set->cpc.registers[index];

    (void)processor;
    if (element->kind == CPC_ELEMENT_INTEGER && element->integer != hardware) {
        judge_fail(judge,
                   judge_text(&expected, "%s %llu, as MSRC001_02B0 says", cpc_register_name(index),
                              (unsigned long long)hardware),
                   "%llu", (unsigned long long)element->integer);
    }
}

/* Highest is left out: firmware may rank the cores there. */
static void levels_match_register(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = judge_certain_object(judge, processor, OBJECT_CPC);
    uint64_t cap1;

    if (!is_amd(judge)) {
        return;
    }
    if (set == NULL) {
        judge_skip(judge, judge_missing(judge, OBJECT_CPC));
        return;
    }
    if (!judge_msr(judge, processor->cpu, MSR_CPPC_CAP1, &cap1)) {
        return;
    }
    check_capability(judge, processor, set, CPC_NOMINAL_PERF, bits_get(cap1, 23, 16));
    check_capability(judge, processor, set, CPC_LOWEST_NONLINEAR_PERF, bits_get(cap1, 15, 8));
    check_capability(judge, processor, set, CPC_LOWEST_PERF, bits_get(cap1, 7, 0));
}

static void capabilities_are_ordered(struct judge *judge, uint32_t cpu)
{
    uint64_t cap1;

    if (!is_amd(judge) || !judge_msr(judge, cpu, MSR_CPPC_CAP1, &cap1)) {
        return;
    }
    uint64_t highest = bits_get(cap1, 31, 24);
    uint64_t nominal = bits_get(cap1, 23, 16);
    uint64_t nonlinear = bits_get(cap1, 15, 8);
    uint64_t lowest = bits_get(cap1, 7, 0);
    if (lowest == 0 || nonlinear < lowest || nominal < nonlinear || highest < nominal) {
        judge_fail(judge, "highest >= nominal >= lowest non-linear >= lowest > 0",
                   "%llu, %llu, %llu, %llu (MSRC001_02B0 0x%llX)", (unsigned long long)highest,
                   (unsigned long long)nominal, (unsigned long long)nonlinear,
                   (unsigned long long)lowest, (unsigned long long)cap1);
    }
}

static void revision_suffices(struct judge *judge, const struct object_set *set)
{
    if (!is_amd(judge)) {
        return;
    }
    if (set->cpc.has_revision && set->cpc.revision < 3) {
        judge_warn(judge, "revision 3 or later, which has the frequencies",
                   "revision %llu: amd-pstate refuses the processor",
                   (unsigned long long)set->cpc.revision);
    }
}

static void enable_is_writable(struct judge *judge, const struct object_set *set)
{
    if (!is_amd(judge)) {
        return;
    }
    if (has_cppc_msrs(judge->platform)) {
        judge_skip(judge, "amd-pstate uses the MSR on this processor");
    } else if (!cpc_has_register(&set->cpc, CPC_ENABLE)) {
        judge_warn(judge, "the CPPC enable register", "none: amd-pstate cannot be switched on");
    }
}

static void levels_are_strict(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = judge_certain_object(judge, processor, OBJECT_CPC);
    uint64_t nominal;
    uint64_t nonlinear;
    uint64_t lowest;

    if (set == NULL || !cpc_is_amd(judge->platform, &set->cpc)) {
        judge_skip(judge, "no _CPC of an AMD processor");
        return;
    }
    if (!cpc_get(processor, set, CPC_NOMINAL_PERF, &nominal) ||
        !cpc_get(processor, set, CPC_LOWEST_NONLINEAR_PERF, &nonlinear) ||
        !cpc_get(processor, set, CPC_LOWEST_PERF, &lowest)) {
        judge_skip(judge, "the values are in registers that were not read");
    } else if (nominal != lowest && lowest != 0 && (nominal == nonlinear || nonlinear == lowest)) {
        judge_warn(judge, "nominal > lowest non-linear > lowest", "%llu, %llu, %llu",
                   (unsigned long long)nominal, (unsigned long long)nonlinear,
                   (unsigned long long)lowest);
    }
}

/* Linux 6.12 drivers/cpufreq/amd-pstate.c amd_pstate_init: profiles on which it does not load by itself. */
static void profile_loads_driver(struct judge *judge)
{
    const struct fadt *fadt = &judge->platform->fadt;
    uint64_t profile = fadt_value(fadt, FADT_PREFERRED_PM_PROFILE, UINT64_MAX);

    if (!is_amd(judge)) {
        return;
    }
    if (fadt->avail != AVAIL_PRESENT || judge_count_with(judge->platform, OBJECT_CPC) == 0) {
        judge_skip(judge, "no FADT or no _CPC");
    } else if (profile == 0 || profile == 4 || profile == 5 || profile == 7 || profile > 8) {
        judge_note(judge, "a client profile for amd-pstate to load by itself",
                   "profile %llu: Linux uses acpi-cpufreq", (unsigned long long)profile);
    }
}

/* kernel.org bugzilla 211791 and 218759: on parts with preferred cores highest_perf is a rank. */
static void numerator_is_the_scale(struct judge *judge)
{
    const struct frequency *frequency = &judge->platform->frequency;
    struct judge_text expected;

    if (frequency->boost_avail != AVAIL_PRESENT || frequency->firmware_numerator == 0) {
        judge_skip(judge, "no boost entry");
        return;
    }
    if (frequency->firmware_numerator == frequency->boost_numerator) {
        return;
    }
    const char *scale = judge_text(&expected, "highest_perf %llu: %llu kHz",
                                   (unsigned long long)frequency->boost_numerator,
                                   (unsigned long long)frequency->max_boost_khz);
    if (frequency->raw_boost_khz >
        2 * (frequency->max_boost_khz * 1024 /
             (frequency->boost_ratio_1024 != 0 ? frequency->boost_ratio_1024 : 1024))) {
        judge_warn(judge, scale, "%llu: %llu kHz, which is implausible (more than 2 x P0)",
                   (unsigned long long)frequency->firmware_numerator,
                   (unsigned long long)frequency->raw_boost_khz);
    } else {
        judge_note(judge, scale, "%llu is a rank, not the end of the scale: %llu kHz",
                   (unsigned long long)frequency->firmware_numerator,
                   (unsigned long long)frequency->raw_boost_khz);
    }
}

const struct rule amd_cppc_rules[] = {
    {
        .id = "AMC-001",
        .title = "_CPC is published where the processor has CPPC MSRs",
        .spec = "AMD APM vol. 3, CPUID 80000008H EBX[27]; " SPEC_CAP1,
        .why = "amd-pstate never loads: coarser steps, less battery life, no preferred cores.",
        .advice = "Publish _CPC for every processor; do not hide it behind a setup option.",
        .known_as = "Linux: the _CPC object is not present in SBIOS or ACPI disabled",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = cpc_is_published,
        .object = "_CPC",
    },
    {
        .id = "AMC-002",
        .title = "CPPC is enabled on models that have it",
        .spec = "AMD APM vol. 3, CPUID 80000008H EBX[27]",
        .why = "amd-pstate works through slower means or not at all.",
        .advice = "Enable CPPC in the setup by default.",
        .known_as = "Linux: The CPPC feature is supported but currently disabled by the BIOS",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = cppc_is_enabled,
        .object = "CPUID 80000008H",
    },
    {
        .id = "AMC-003",
        .title = "Levels of _CPC are those of the capability register",
        .spec = SPEC_CAP1,
        .why = "Drivers that read the register and those that read _CPC ask for different clocks.",
        .advice = "Copy the levels from MSRC001_02B0, or describe the register itself.",
        .known_as = "amd-pstate-ut: check_perf",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = levels_match_register,
        .object = "_CPC",
    },
    {
        .id = "AMC-004",
        .title = "Levels in the capability register are in order",
        .spec = SPEC_CAP1,
        .why = "amd-pstate refuses the processor or divides by zero.",
        .advice = "Correct the fuses' override that the firmware programs.",
        .known_as = "amd-pstate-ut: check_perf",
        .severity = SEVERITY_HIGH,
        .check = judge_cpus,
        .judge_cpu = capabilities_are_ordered,
        .object = "MSR C00102B0",
    },
    {
        .id = "AMC-005",
        .title = "_CPC on AMD is of revision 3 or later",
        .spec = "Linux 6.12 drivers/cpufreq/amd-pstate.c amd_pstate_init_freq",
        .why = "amd-pstate does not run: there are no frequencies in revision 2.",
        .advice = "Publish revision 3 with lowest and nominal frequency.",
        .known_as = "Linux: min_freq or max_freq or nominal_freq value is incorrect",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = revision_suffices,
        .kind = OBJECT_CPC,
    },
    {
        .id = "AMC-006",
        .title = "_CPC on AMD processors without CPPC MSRs has the enable register",
        .spec = "Linux 6.12 drivers/cpufreq/amd-pstate.c cppc_enable",
        .why = "amd-pstate cannot be switched on.",
        .advice = "Describe the CPPC enable register.",
        .known_as = "Linux: failed to enable driver mode",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = enable_is_writable,
        .kind = OBJECT_CPC,
    },
    {
        .id = "AMC-007",
        .title = "Levels of _CPC on AMD differ from each other",
        .spec = "Linux 6.12 drivers/cpufreq/amd-pstate.c, amd-pstate-ut.c",
        .why = "amd-pstate refuses the processor when the frequencies coincide.",
        .advice = "Give lowest non-linear performance a value between lowest and nominal.",
        .known_as = "amd-pstate-ut: check_perf; Linux: lowest_nonlinear_freq is out of range",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = levels_are_strict,
        .object = "_CPC",
    },
    {
        .id = "AMC-008",
        .title = "The preferred PM profile lets amd-pstate load",
        .spec = "ACPI 6.5, 5.2.9.1 Preferred PM Profile System Types; Linux 6.12 "
                "drivers/cpufreq/amd-pstate.c",
        .why = "Linux uses the coarser acpi-cpufreq unless told otherwise; intended on servers.",
        .advice = "Set profile 1 (desktop) or 2 (mobile) on a client.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = profile_loads_driver,
        .object = "FADT.preferred_pm_profile",
    },
    {
        .id = "AMC-009",
        .title = "Highest performance of _CPC is the end of the frequency scale",
        .spec = "Linux 6.12 arch/x86/kernel/acpi/cppc.c amd_get_boost_ratio_numerator",
        .why = "Kernels that take the value as it is show a maximum clock that no core reaches and "
               "rate "
               "load too low.",
        .advice = "None when it ranks preferred cores; otherwise correct the value.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = numerator_is_the_scale,
        .object = "_CPC",
    },
    {.id = NULL},
};
