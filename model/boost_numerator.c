#include "model/boost_numerator.h"

#include "model/bits.h"

#include <stddef.h>
#include <string.h>

#define MSR_AMD_CPPC_CAP1 0xC00102B0U

/* A range of AMD models whose frequency scale ends at `value`, whatever the firmware says. 0: at what the
 * firmware says. */
struct scale_row {
    uint8_t family;
    uint8_t first_model;
    uint8_t last_model;
    uint8_t value;
    const char *why;
};

#define WHY_166 "166: the scale of this AMD model ends there, a higher value only ranks the cores"
#define WHY_196 "196: the scale of AMD family 19h models 70h-7Fh ends there"
#define WHY_255 "255: AMD server models 10h-1Fh and A0h-AFh of family 19h use the whole scale"
#define WHY_FIRMWARE "the firmware's highest_perf: this AMD model does not rank its cores"

/*
 * Linux 5.13 to 6.10 arch/x86/kernel/cpu/amd.c amd_get_highest_perf (the 166 rows), Linux 6.9 commit
 * bf202e654bfa (196), and the list of Zen models in Linux 6.12 arch/x86/kernel/cpu/amd.c for the rest.
 */
static const struct scale_row scale_rows[] = {
    {0x17, 0x00, 0x2F, 0, WHY_FIRMWARE}, {0x17, 0x30, 0x3F, 166, WHY_166},
    {0x17, 0x40, 0x6F, 0, WHY_FIRMWARE}, {0x17, 0x70, 0x7F, 166, WHY_166},
    {0x17, 0x90, 0x91, 0, WHY_FIRMWARE}, {0x17, 0xA0, 0xAF, 0, WHY_FIRMWARE},
    {0x19, 0x00, 0x0F, 0, WHY_FIRMWARE}, {0x19, 0x10, 0x1F, 255, WHY_255},
    {0x19, 0x20, 0x2F, 166, WHY_166},    {0x19, 0x30, 0x3F, 0, WHY_FIRMWARE},
    {0x19, 0x40, 0x6F, 166, WHY_166},    {0x19, 0x70, 0x7F, 196, WHY_196},
    {0x19, 0x80, 0x9F, 0, WHY_FIRMWARE}, {0x19, 0xA0, 0xAF, 255, WHY_255},
    {0x1A, 0x00, 0x2F, 0, WHY_FIRMWARE}, {0x1A, 0x40, 0x4F, 0, WHY_FIRMWARE},
    {0x1A, 0x60, 0x7F, 0, WHY_FIRMWARE}, {0x1A, 0xD0, 0xD7, 0, WHY_FIRMWARE},
};

static const struct scale_row *find_scale(const struct cpu_identity *identity)
{
    for (size_t i = 0; i < sizeof(scale_rows) / sizeof(scale_rows[0]); i++) {
        const struct scale_row *row = &scale_rows[i];

        if (row->family == identity->family && identity->model >= row->first_model &&
            identity->model <= row->last_model) {
            return row;
        }
    }
    return NULL;
}

uint64_t boost_numerator_highest(const struct platform *platform, const struct processor *processor)
{
    if (platform->identity.vendor == VENDOR_AMD &&
        cpuid_has(platform_cpuid(platform, processor->cpu), CPU_FEATURE_CPPC)) {
        struct msr_value cap1 = platform_msr(platform, processor->cpu, MSR_AMD_CPPC_CAP1);
        uint64_t highest = bits_get(cap1.value, 31, 24);

        if (cap1.avail == AVAIL_PRESENT && highest != 0) {
            return highest;
        }
    }
    if (processor->cpc_avail[CPC_HIGHEST_PERF] != AVAIL_PRESENT) {
        return 0;
    }
    return processor->cpc_value[CPC_HIGHEST_PERF];
}

/* Preferred cores show themselves by two different values: amd_detect_prefcore. */
static bool is_ranked(const struct platform *platform)
{
    uint64_t first = 0;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);
        uint64_t highest = processor == NULL ? 0 : boost_numerator_highest(platform, processor);

        if (highest != 0 && first == 0) {
            first = highest;
        } else if (highest != 0 && highest != first) {
            return true;
        }
    }
    return false;
}

static void choose(struct boost_numerator *numerator, uint64_t value, const char *why)
{
    numerator->value = value;
    numerator->why = why;
    numerator->is_verified = true;
}

/* APM vol. 3, appendix E.4.22, CPUID 80000026H EBX[31:28]: 0 performance, 1 efficiency core. */
static bool is_efficiency_core(const struct cpuid_set *cpuid)
{
    const struct cpuid_leaf *leaf = cpuid_find(cpuid, 0x80000026, 0);

    return leaf != NULL && bits_get(leaf->ebx, 31, 28) == 1;
}

/* Preferred cores on a model whose scale the table leaves to the firmware: Linux 6.13's rule for mixed
 * cores, and 166 for the others. */
static void choose_ranked(const struct platform *platform, const struct processor *processor,
                          struct boost_numerator *numerator)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, processor->cpu);

    if (!cpuid_has(cpuid, CPU_FEATURE_HETERO_CORES)) {
        choose(numerator, 166, "166: the CPUs differ in highest_perf, so it ranks preferred cores");
    } else if (is_efficiency_core(cpuid)) {
        choose(numerator, numerator->firmware_value,
               "the efficiency core's own highest_perf (mixed core types)");
    } else {
        choose(numerator, 196, "196: performance core of a part with mixed core types");
    }
}

/*
 * Models 30h-3Fh of family 17h are both desktop parts, which rank their cores on a scale up to 166, and EPYC
 * servers, which do not rank and use it all. A scale that ends below nominal_perf is surely the wrong one.
 */
static bool contradicts_table(const struct platform *platform, const struct processor *processor,
                              const struct scale_row *row)
{
    if (strstr(platform->identity.brand, "EPYC") != NULL && row->value == 166) {
        return true;
    }
    return processor->cpc_avail[CPC_NOMINAL_PERF] == AVAIL_PRESENT &&
           processor->cpc_value[CPC_NOMINAL_PERF] > row->value;
}

void boost_numerator_choose(const struct platform *platform, const struct processor *processor,
                            struct boost_numerator *ret_numerator)
{
    const struct cpu_identity *identity = &platform->identity;
    const struct scale_row *row;

    memset(ret_numerator, 0, sizeof(*ret_numerator));
    ret_numerator->firmware_value = boost_numerator_highest(platform, processor);
    ret_numerator->value = ret_numerator->firmware_value;
    ret_numerator->avail = ret_numerator->firmware_value == 0 ? AVAIL_ABSENT : AVAIL_PRESENT;
    ret_numerator->is_ranked = is_ranked(platform);
    if (identity->avail != AVAIL_PRESENT) {
        ret_numerator->why = "the firmware's highest_perf, unverified: the CPU is not known";
        return;
    }
    if (identity->vendor != VENDOR_AMD) {
        choose(ret_numerator, ret_numerator->firmware_value,
               "the firmware's highest_perf: only AMD parts need another");
        return;
    }
    row = find_scale(identity);
    if (row == NULL) {
        ret_numerator->why = "the firmware's highest_perf, unverified: unknown AMD model";
    } else if (row->value == 0 && ret_numerator->is_ranked) {
        choose_ranked(platform, processor, ret_numerator);
    } else if (row->value != 0 && !contradicts_table(platform, processor, row)) {
        choose(ret_numerator, row->value, row->why);
    } else if (row->value != 0) {
        choose(ret_numerator, ret_numerator->firmware_value,
               "the firmware's highest_perf: a server part or a nominal_perf beyond the model's "
               "usual scale");
    } else {
        choose(ret_numerator, ret_numerator->firmware_value, row->why);
    }
}
