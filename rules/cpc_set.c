#include "rules/alike.h"
#include "rules/cpc.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.6.1 _CPC (Continuous Performance Control)"

/* Only what the object itself says: values in registers may have been read on some CPUs only, and the
 * rules about those registers compare them. */
static uint64_t value_or_zero(const struct object_set *set, enum cpc_register index)
{
    const struct cpc_element *element = &set->cpc.registers[index];

    return element->kind == CPC_ELEMENT_INTEGER ? element->integer : 0;
}

static uint64_t nominal_key(const struct processor *processor, const struct object_set *set)
{
    (void)processor;
    return value_or_zero(set, CPC_NOMINAL_FREQ_MHZ) << 32 ^ value_or_zero(set, CPC_NOMINAL_PERF);
}

static const char *nominal_words(const struct processor *processor, const struct object_set *set,
                                 struct judge_text *text)
{
    (void)processor;
    return judge_text(text, "nominal %llu MHz, level %llu (0: in a register)",
                      (unsigned long long)value_or_zero(set, CPC_NOMINAL_FREQ_MHZ),
                      (unsigned long long)value_or_zero(set, CPC_NOMINAL_PERF));
}

static void nominal_is_alike(struct judge *judge)
{
    alike_values(judge, nominal_key, nominal_words);
}

static uint64_t lowest_key(const struct processor *processor, const struct object_set *set)
{
    (void)processor;
    return value_or_zero(set, CPC_LOWEST_FREQ_MHZ) << 32 ^
           value_or_zero(set, CPC_LOWEST_PERF) << 16 ^
           value_or_zero(set, CPC_LOWEST_NONLINEAR_PERF);
}

static const char *lowest_words(const struct processor *processor, const struct object_set *set,
                                struct judge_text *text)
{
    (void)processor;
    return judge_text(text, "lowest %llu MHz, level %llu, non-linear %llu (0: in a register)",
                      (unsigned long long)value_or_zero(set, CPC_LOWEST_FREQ_MHZ),
                      (unsigned long long)value_or_zero(set, CPC_LOWEST_PERF),
                      (unsigned long long)value_or_zero(set, CPC_LOWEST_NONLINEAR_PERF));
}

static void lowest_is_alike(struct judge *judge)
{
    alike_values(judge, lowest_key, lowest_words);
}

/* Revision, kind of element, address space and width; addresses in PCC and memory differ by design. */
static uint64_t layout_key(const struct processor *processor, const struct object_set *set)
{
    uint64_t key = set->cpc.revision * 31 + set->cpc.elements;

    (void)processor;
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *element = &set->cpc.registers[i];
        const struct gas *gas = &element->reg.gas;

        key = key * UINT64_C(1099511628211) + (uint64_t)element->kind;
        if (element->kind == CPC_ELEMENT_REGISTER) {
            key = key * UINT64_C(1099511628211) +
                  ((uint64_t)gas->space << 16 | (uint64_t)gas->width_bits << 8 | gas->offset_bits);
        }
        if (element->kind == CPC_ELEMENT_REGISTER && gas->space == GAS_FFH) {
            key = key * UINT64_C(1099511628211) + gas->address;
        }
    }
    return key;
}

static const char *layout_words(const struct processor *processor, const struct object_set *set,
                                struct judge_text *text)
{
    const struct cpc_element *desired = &set->cpc.registers[CPC_DESIRED_PERF];

    (void)processor;
    return judge_text(text, "revision %llu, %u elements, desired in %s (cpc#%u)",
                      (unsigned long long)set->cpc.revision, set->cpc.elements,
                      desired->kind == CPC_ELEMENT_REGISTER ? gas_space_name(desired->reg.gas.space)
                                                            : "no register",
                      set->index);
}

static void layout_is_alike(struct judge *judge)
{
    alike_values(judge, layout_key, layout_words);
}

/* Highest performance is left out of all this: it ranks preferred cores and differs by design. */
static void scheduler_has_cpc(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);

    if (cpuid == NULL || platform->identity.vendor != VENDOR_INTEL) {
        judge_skip(judge, "no CPUID of an Intel processor");
        return;
    }
    if (platform->is_emulated) {
        judge_skip(judge, "under a hypervisor");
        return;
    }
    if (!cpuid_has(cpuid, CPU_FEATURE_HYBRID) || !cpuid_has(cpuid, CPU_FEATURE_HWP)) {
        judge_skip(judge, "no hybrid processor with HWP");
        return;
    }
    if (judge_count_with(platform, OBJECT_CPC) == 0) {
        judge_warn(judge, "_CPC on a hybrid processor with HWP",
                   "no _CPC: the scheduler cannot rank the cores");
    }
}

const struct rule cpc_set_rules[] = {
    {
        .id = "CPC-060",
        .title = "Every enabled processor has a _CPC when one has",
        .spec = SPEC,
        .why = "Linux uses CPPC only when every online processor has a valid _CPC.",
        .advice = "Declare _CPC under every processor that is enabled.",
        .known_as =
            "Linux: the _CPC object is not present in SBIOS or ACPI disabled; amd-pstate-ut: "
            "acpi_cpc_valid",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = alike_presence,
        .kind = OBJECT_CPC,
        .object = "_CPC",
    },
    {
        .id = "CPC-061",
        .title = "All processors of one kind have the same nominal level and frequency in _CPC",
        .spec = SPEC,
        .why =
            "Tools show a wrong base and maximum frequency for some cores and the scheduler rates "
            "their capacity wrongly.",
        .advice = "Give all cores of one kind the same nominal values.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = nominal_is_alike,
        .kind = OBJECT_CPC,
        .object = "_CPC",
    },
    {
        .id = "CPC-062",
        .title = "All processors of one kind have the same lowest levels and frequency in _CPC",
        .spec = SPEC,
        .why = "Some cores do not slow down as far as others.",
        .advice = "Give all cores of one kind the same lowest values.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = lowest_is_alike,
        .kind = OBJECT_CPC,
        .object = "_CPC",
    },
    {
        .id = "CPC-063",
        .title = "All processors of one kind describe _CPC in the same form",
        .spec = SPEC,
        .why = "Some cores are driven through other registers than the rest, or not at all.",
        .advice = "Use one revision and one set of registers for all processors.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = layout_is_alike,
        .kind = OBJECT_CPC,
        .object = "_CPC",
    },
    {
        .id = "CPC-064",
        .title = "A hybrid processor with HWP has a _CPC",
        .spec = SPEC "; Intel SDM vol. 2A, CPUID 07H EDX[15] and 06H EAX[7]",
        .why = "The scheduler cannot rank the cores: heavy threads land on slow ones.",
        .advice = "Publish _CPC for every processor.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = scheduler_has_cpc,
        .object = "_CPC",
    },
    {.id = NULL},
};
