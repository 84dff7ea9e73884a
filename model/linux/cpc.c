/* _CPC as Linux reads it: probe, capabilities, boost numerator, conversions. kernel-facts 2.2 to 2.8. */
#include "model/frequency.h"
#include "model/linux/cppc_convert.h"
#include "model/linux/parts.h"
#include "model/units.h"

#include <string.h>

#define OSC_CPC_V2 6U        /* \_SB._OSC reply, ACPI 6.5, 6.2.11.2: CPPC v2 */
#define OSC_CPC_FLEXIBLE 14U /* flexible address space for _CPC */
#define PERF_SCALE_MAX 255U

/* cpc_supported_by_cpu: AMD and Hygon models that need no acknowledgement. */
static bool is_supported_by_cpu(const struct platform *platform, uint32_t cpu)
{
    const struct cpu_identity *identity = &platform->identity;

    if (identity->vendor != VENDOR_AMD && identity->vendor != VENDOR_HYGON) {
        return false;
    }
    if (identity->family == 0x19 &&
        (identity->model <= 0x0F || (identity->model >= 0x20 && identity->model <= 0x2F))) {
        return true;
    }
    if (identity->family == 0x17 && identity->model >= 0x30 && identity->model <= 0x7F) {
        return true;
    }
    return cpuid_has(platform_cpuid(platform, cpu), CPU_FEATURE_CPPC);
}

static bool is_acknowledged(const struct platform *platform, unsigned bit)
{
    const struct handshake *handshake = &platform->handshake;

    return handshake->has_platform_osc && handshake->platform_error == NULL &&
           (handshake->platform_reply >> bit & 1U) != 0;
}

/* Revision and number of entries as acpi_cppc_processor_probe wants them. */
static const char *shape_why(const struct linux_builder *builder, const struct cpc *cpc)
{
    uint32_t entries = (uint32_t)cpc->entries;

    if (!cpc->is_package) {
        return "_CPC is not a package";
    }
    if (!cpc->has_entries || entries <= 1) {
        return "_CPC element 0 (NumEntries) is not an Integer above 1";
    }
    if (!cpc->has_revision) {
        return "_CPC element 1 (Revision) is not an Integer";
    }
    if (cpc->revision < 2) {
        return "_CPC revision below 2 is not supported";
    }
    if (cpc->revision == 2 && entries != 21) {
        return "_CPC revision 2 must have 21 entries";
    }
    if (cpc->revision == 3 && entries != 23) {
        return "_CPC revision 3 must have 23 entries";
    }
    if (cpc->revision > 3 &&
        (!linux_builder_holds(builder, LINUX_RULE_CPC_REV4_STRICT) || entries <= 23)) {
        return "_CPC beyond revision 3 must have more than 23 entries";
    }
    return NULL;
}

/* The address space rules for one register. */
static const char *register_why(const struct linux_builder *builder,
                                const struct processor *processor, const struct gas *gas,
                                uint32_t *pcc_id)
{
    const struct platform *platform = builder->platform;
    bool is_flexible = !platform->handshake.is_done ||
                       is_acknowledged(platform, OSC_CPC_FLEXIBLE) ||
                       is_supported_by_cpu(platform, processor->cpu);

    switch (gas->space) {
    case 0x0A:
        if (*pcc_id != UINT32_MAX && *pcc_id != gas->access) {
            return "_CPC names two PCC subspaces";
        }
        *pcc_id = gas->access;
        return NULL;
    case 0x00:
        return gas->address != 0 && !is_flexible
                   ? "a _CPC register is in SystemMemory, which \\_SB._OSC bit 14 does not allow"
                   : NULL;
    case 0x01:
        if (gas->access < 1 || gas->access > 3 || gas->address > UINT16_MAX) {
            return "a _CPC SystemIO register has a bad access size or address";
        }
        return is_flexible
                   ? NULL
                   : "a _CPC register is in SystemIO, which \\_SB._OSC bit 14 does not allow";
    case 0x7F:
        return NULL;
    default:
        return "a _CPC register is in an address space that Linux does not take";
    }
}

static const char *elements_why(const struct linux_builder *builder,
                                const struct processor *processor, const struct cpc *cpc,
                                uint32_t *pcc_id)
{
    for (unsigned i = 0; i <= CPC_NOMINAL_FREQ_MHZ && i + 2 < cpc->entries; i++) {
        const struct cpc_element *element = &cpc->registers[i];
        const char *why = NULL;

        if (element->kind == CPC_ELEMENT_OTHER || element->kind == CPC_ELEMENT_NULL) {
            return "a _CPC element is neither Integer nor Buffer";
        }
        if (element->kind == CPC_ELEMENT_REGISTER && element->reg.avail == AVAIL_PRESENT &&
            !element->reg.is_null) {
            why = register_why(builder, processor, &element->reg.gas, pcc_id);
        }
        if (why != NULL) {
            return why;
        }
    }
    return NULL;
}

/* acpi_cppc_processor_probe up to the PCC channel. */
static const char *refused_why(const struct linux_builder *builder,
                               const struct processor *processor, uint32_t *ret_pcc_id)
{
    const struct platform *platform = builder->platform;
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_CPC);
    const char *why;

    *ret_pcc_id = UINT32_MAX;
    if (set == NULL) {
        return "there is no _CPC";
    }
    if (linux_builder_holds(builder, LINUX_RULE_CPPC_OSC_GATE) && platform->handshake.is_done &&
        platform->identity.avail == AVAIL_PRESENT && !is_acknowledged(platform, OSC_CPC_V2) &&
        !is_supported_by_cpu(platform, processor->cpu)) {
        return "\\_SB._OSC did not acknowledge CPPC v2 (bit 6), so _CPC is never evaluated";
    }
    why = shape_why(builder, &set->cpc);
    return why != NULL ? why : elements_why(builder, processor, &set->cpc, ret_pcc_id);
}

uint32_t linux_cpc_pcc_id(const struct linux_builder *builder, const struct processor *processor)
{
    uint32_t pcc_id;

    return refused_why(builder, processor, &pcc_id) == NULL ? pcc_id : UINT32_MAX;
}

const char *linux_cpc_refused_why(const struct linux_builder *builder,
                                  const struct processor *processor)
{
    uint32_t pcc_id;
    const char *why = refused_why(builder, processor, &pcc_id);

    return why == NULL && pcc_id != UINT32_MAX ? linux_pcc_channel_why(builder->platform, pcc_id)
                                               : why;
}

const char *linux_caps_why(const struct linux_builder *builder, const struct processor *processor)
{
    const char *why = linux_cpc_refused_why(builder, processor);

    return why != NULL ? why : frequency_no_caps_why(builder->platform, processor);
}

bool linux_caps_unknown(const struct linux_builder *builder, const struct processor *processor)
{
    static const enum cpc_register needed[] = {CPC_HIGHEST_PERF, CPC_NOMINAL_PERF, CPC_LOWEST_PERF,
                                               CPC_LOWEST_NONLINEAR_PERF};

    if (builder->platform->source == SOURCE_FIRMWARE ||
        linux_cpc_refused_why(builder, processor) != NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        if (processor->cpc_avail[needed[i]] != AVAIL_PRESENT) {
            return true;
        }
    }
    return false;
}

/* Linux 5.13 to 6.11, arch/x86/kernel/cpu/amd.c amd_get_highest_perf. */
static uint64_t fixed_numerator(const struct cpu_identity *identity, const char **ret_why)
{
    uint32_t model = identity->model;
    bool is_166 = (identity->family == 0x17 &&
                   ((model >= 0x30 && model <= 0x3F) || (model >= 0x70 && model <= 0x7F))) ||
                  (identity->family == 0x19 &&
                   ((model >= 0x20 && model <= 0x2F) || (model >= 0x40 && model <= 0x6F)));

    *ret_why = "fixed for this AMD model";
    return is_166 ? 166 : PERF_SCALE_MAX;
}

static bool is_phoenix(const struct cpu_identity *identity)
{
    return identity->family == 0x19 && identity->model >= 0x70 && identity->model <= 0x7F;
}

/* APM vol. 3, appendix E, CPUID 80000026H EBX[31:28]: 1 is an efficiency core. */
static bool is_efficiency_core(const struct cpuid_set *cpuid)
{
    const struct cpuid_leaf *leaf = cpuid_find(cpuid, 0x80000026, 0);

    return leaf != NULL && leaf->ebx >> 28 == 1;
}

/* Linux 6.12 amd_get_boost_ratio_numerator, and 6.13's by core type. */
static uint64_t detected_numerator(const struct linux_builder *builder,
                                   const struct processor *processor, const char **ret_why)
{
    const struct platform *platform = builder->platform;
    const struct cpuid_set *cpuid = platform_cpuid(platform, processor->cpu);

    if (!builder->facts->is_ranked) {
        *ret_why = "highest_perf of the first CPU: no preferred cores";
        return builder->facts->first_highest;
    }
    if (linux_builder_holds(builder, LINUX_RULE_NUMERATOR_CORE_TYPE) &&
        cpuid_has(cpuid, CPU_FEATURE_HETERO_CORES)) {
        if (is_efficiency_core(cpuid)) {
            *ret_why = "the efficiency core's own highest_perf";
            return boost_numerator_highest(platform, processor);
        }
        *ret_why = "performance core of a part with mixed core types";
        return 196;
    }
    *ret_why = is_phoenix(&platform->identity)
                   ? "preferred cores, AMD family 19h models 70h-7Fh"
                   : "the CPUs differ in highest_perf, so it ranks preferred cores";
    return is_phoenix(&platform->identity) ? 196 : 166;
}

uint64_t linux_numerator(const struct linux_builder *builder, const struct processor *processor,
                         const char **ret_why)
{
    const struct cpu_identity *identity = &builder->platform->identity;

    *ret_why = "_CPC highest_perf as it is";
    if (identity->vendor == VENDOR_AMD) {
        if (linux_builder_holds(builder, LINUX_RULE_NUMERATOR_DETECTED)) {
            return detected_numerator(builder, processor, ret_why);
        }
        if (linux_builder_holds(builder, LINUX_RULE_NUMERATOR_FIXED)) {
            return fixed_numerator(identity, ret_why);
        }
    }
    return processor->cpc_avail[CPC_HIGHEST_PERF] == AVAIL_PRESENT
               ? processor->cpc_value[CPC_HIGHEST_PERF]
               : 0;
}

uint64_t linux_numerator_amd_pstate(const struct linux_builder *builder,
                                    const struct processor *processor, const char **ret_why)
{
    uint64_t own = boost_numerator_highest(builder->platform, processor);
    uint64_t fixed;

    if (linux_builder_holds(builder, LINUX_RULE_NUMERATOR_DETECTED)) {
        return detected_numerator(builder, processor, ret_why);
    }
    if (linux_builder_holds(builder, LINUX_RULE_NUMERATOR_PREFCORE)) {
        if (!builder->facts->is_ranked) {
            *ret_why = "the CPU's own highest_perf: no preferred cores";
            return own;
        }
        *ret_why = is_phoenix(&builder->platform->identity)
                       ? "preferred cores, AMD family 19h models 70h-7Fh"
                       : "preferred cores";
        return is_phoenix(&builder->platform->identity) ? 196 : 166;
    }
    fixed = fixed_numerator(&builder->platform->identity, ret_why);
    if (linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_CLAMP) && own != 0 && fixed > own) {
        *ret_why = "the CPU's own highest_perf, which is below the model's fixed value";
        return own;
    }
    return fixed;
}

static uint32_t value_of(const struct processor *processor, enum cpc_register index)
{
    return processor->cpc_avail[index] == AVAIL_PRESENT ? (uint32_t)processor->cpc_value[index] : 0;
}

static enum cppc_form form_of(const struct linux_builder *builder)
{
    if (!linux_builder_holds(builder, LINUX_RULE_CPPC_AFFINE)) {
        return CPPC_FORM_PIECES;
    }
    return linux_builder_holds(builder, LINUX_RULE_CPPC_FLAT) ? CPPC_FORM_FLAT : CPPC_FORM_AFFINE;
}

/*
 * Where kHz come from: _CPC's frequencies or, without them, cppc_get_dmi_max_khz, which takes 1 MHz where SMBIOS
 * names no speed.
 */
static void choose_frequency(const struct linux_builder *builder, struct cppc_scale *scale,
                             struct linux_cppc *cppc)
{
    const struct platform *platform = builder->platform;

    scale->form = form_of(builder);
    if (scale->lowest_freq_mhz != 0 && scale->nominal_freq_mhz != 0) {
        cppc->khz_from = "_CPC lowest_freq and nominal_freq";
    } else if (!platform->has_smbios) {
        cppc->no_khz_why =
            "_CPC has no frequencies; Linux takes the processor speed of SMBIOS, which is "
            "not in the snapshot";
    } else if (platform->smbios_max_mhz == 0) {
        scale->dmi_khz = 1000;
        cppc->khz_from = "_CPC has no frequencies and SMBIOS type 4 no speed: Linux takes 1 MHz "
                         "for highest_perf";
    } else {
        scale->dmi_khz = units_mhz_to_khz(platform->smbios_max_mhz);
        cppc->khz_from = linux_text(
            builder, "_CPC has no frequencies: SMBIOS type 4 Max Speed, %u MHz, for highest_perf",
            platform->smbios_max_mhz);
    }
}

static void add_points(const struct processor *processor, const struct cppc_scale *scale,
                       struct linux_cppc *cppc)
{
    static const struct {
        enum cpc_register index;
        const char *name;
    } points[LINUX_PERF_POINTS] = {{CPC_HIGHEST_PERF, "highest"},
                                   {CPC_NOMINAL_PERF, "nominal"},
                                   {CPC_LOWEST_NONLINEAR_PERF, "lowest_nonlinear"},
                                   {CPC_LOWEST_PERF, "lowest"}};

    for (unsigned i = 0; i < LINUX_PERF_POINTS; i++) {
        struct linux_perf_point *point = &cppc->points[cppc->points_count++];

        point->name = points[i].name;
        point->perf = value_of(processor, points[i].index);
        point->khz = cppc_convert_to_khz(scale, point->perf);
        point->back_perf = cppc_convert_to_perf(scale, point->khz);
    }
}

/* Whether cppc_perf_to_khz's line goes through the origin, as acpi-cpufreq and amd-pstate take for granted. */
static bool is_proportional(const struct cppc_scale *scale)
{
    uint64_t affine = cppc_convert_to_khz(scale, scale->highest_perf);
    uint64_t straight = mul_div_u64(units_mhz_to_khz(scale->nominal_freq_mhz), scale->highest_perf,
                                    scale->nominal_perf);

    return units_difference_ppm(affine, straight) <= 10000;
}

void linux_cppc_make(const struct linux_builder *builder)
{
    struct linux_cppc *cppc = &builder->view->cppc;
    const struct processor *processor = builder->facts->cpc;
    struct cppc_scale scale;

    /* Intel ranks by it since 4.10 (ITMT); AMD's order of cores is of use only to amd-pstate. */
    cppc->is_ranked =
        builder->facts->is_ranked && (builder->platform->identity.vendor != VENDOR_AMD ||
                                      linux_builder_holds(builder, LINUX_RULE_PREFCORE));
    cppc->rankings_count = builder->facts->rankings_count;
    cppc->ranking_min = builder->facts->ranking_min;
    cppc->ranking_max = builder->facts->ranking_max;
    cppc->cpu = CPU_NONE;
    if (processor == NULL) {
        cppc->unusable_why = "there is no _CPC";
        return;
    }
    cppc->cpu = processor->cpu;
    cppc->unusable_why = linux_caps_why(builder, processor);
    if (cppc->unusable_why != NULL) {
        return;
    }
    scale = (struct cppc_scale){.highest_perf = value_of(processor, CPC_HIGHEST_PERF),
                                .nominal_perf = value_of(processor, CPC_NOMINAL_PERF),
                                .lowest_perf = value_of(processor, CPC_LOWEST_PERF),
                                .lowest_freq_mhz = value_of(processor, CPC_LOWEST_FREQ_MHZ),
                                .nominal_freq_mhz = value_of(processor, CPC_NOMINAL_FREQ_MHZ)};
    choose_frequency(builder, &scale, cppc);
    add_points(processor, &scale, cppc);
    cppc->is_proportional = scale.dmi_khz != 0 || cppc->khz_from == NULL || is_proportional(&scale);
}
