#include "model/platform.h"

#include "model/freq_derive.h"
#include "model/frequency.h"
#include "model/idle_reach.h"
#include "model/linux/invariance.h"
#include "model/processor_index.h"

#include <string.h>

void platform_init(struct platform *platform, struct arena *arena, const struct options *options)
{
    memset(platform, 0, sizeof(*platform));
    platform->arena = arena;
    platform->options = options;
    platform->source_name = "";
    platform->frequency.processor = PROCESSOR_NONE;
}

static bool has_text(const char *text, const char *part)
{
    return text != NULL && strstr(text, part) != NULL;
}

/*
 * Emulators that hide the hypervisor bit still leave their names: QEMU's generic CPU models in the brand
 * string, "BOCHS " in the ACPI tables that QEMU and Bochs build, and their own SMBIOS product.
 */
static bool has_emulator_signature(const struct platform *platform)
{
    if (has_text(platform->identity.brand, "QEMU") || has_text(platform->identity.brand, "Bochs") ||
        has_text(platform->vendor, "QEMU") || has_text(platform->vendor, "Bochs")) {
        return true;
    }
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        if (strncmp(platform->tables[i].oem_id, "BOCHS", 5) == 0) {
            return true;
        }
    }
    return false;
}

static void decode_identities(struct platform *platform)
{
    struct cpu_identity *identities;

    if (platform->cpuid_kinds_count == 0) {
        platform->identity.avail = AVAIL_ABSENT;
        return;
    }
    cpu_identity_decode(&platform->cpuid_kinds[0], &platform->identity);
    identities =
        arena_array(platform->arena, platform->cpuid_kinds_count, sizeof(struct cpu_identity));
    if (identities == NULL) {
        platform->incomplete = "no memory for the identity of each kind of CPU";
        return;
    }
    for (uint32_t i = 0; i < platform->cpuid_kinds_count; i++) {
        cpu_identity_decode(&platform->cpuid_kinds[i], &identities[i]);
    }
    platform->kind_identity = identities;
}

static void take_invariance(struct platform *platform)
{
    struct frequency *frequency = &platform->frequency;
    struct invariance invariance;

    invariance_derive(platform, &invariance);
    frequency->invariance_method = invariance.method;
    frequency->invariance_ratio_1024 = invariance.ratio_1024;
    frequency->invariance_max_khz = invariance.max_khz;
    frequency->invariance_why = invariance.why;
    frequency->is_invariance_active = invariance.is_active;
}

bool platform_seems_emulated(const struct platform *platform)
{
    return platform->identity.is_hypervisor || has_emulator_signature(platform);
}

void platform_freeze(struct platform *platform)
{
    processor_index_make(platform);
    decode_identities(platform);
    platform->is_emulated = platform_seems_emulated(platform);
    frequency_derive(platform);
    freq_derive(platform);
    take_invariance(platform);
    idle_reach_find(platform);
}

struct msr_value platform_msr(const struct platform *platform, uint32_t cpu, uint32_t msr)
{
    static const struct msr_value untried = {AVAIL_UNTRIED, 0};
    uint32_t low = 0;
    uint32_t high = platform->msrs_count;

    if (cpu >= platform->cpus_count || platform->msr_values == NULL) {
        return untried;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (platform->msrs[middle] < msr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == platform->msrs_count || platform->msrs[low] != msr) {
        return untried;
    }
    return platform->msr_values[(size_t)cpu * platform->msrs_count + low];
}

const struct processor *platform_processor(const struct platform *platform, uint32_t cpu)
{
    uint32_t index = cpu < platform->cpus_count ? platform->cpus[cpu].processor : PROCESSOR_NONE;

    return index < platform->processors_count ? &platform->processors[index] : NULL;
}

const struct cpuid_set *platform_cpuid(const struct platform *platform, uint32_t cpu)
{
    uint32_t kind = cpu < platform->cpus_count ? platform->cpus[cpu].kind : UINT32_MAX;

    return kind < platform->cpuid_kinds_count ? &platform->cpuid_kinds[kind] : NULL;
}

const struct object_set *platform_object(const struct processor *processor, enum object_kind kind)
{
    return processor == NULL ? NULL : processor->objects[kind].set;
}

const struct object_set *platform_object_as_linux(const struct processor *processor,
                                                  enum object_kind kind)
{
    const struct object_result *result;

    if (processor == NULL) {
        return NULL;
    }
    result = &processor->objects[kind];
    switch (result->repair) {
    case REPAIR_CHANGED:
    case REPAIR_RESCUED:
        return result->repaired;
    case REPAIR_FAILED: /* Linux, with repair on, gets no object at all */
        return NULL;
    case REPAIR_NOT_TRIED:
    case REPAIR_SAME:
    case REPAIR_UNSAFE:
        break;
    }
    return result->set;
}

const struct acpi_table *platform_table(const struct platform *platform, const char *signature)
{
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        if (strcmp(platform->tables[i].signature, signature) == 0) {
            return &platform->tables[i];
        }
    }
    return NULL;
}

bool platform_is_firsthand(const struct platform *platform)
{
    return platform->source == SOURCE_FIRMWARE || platform->is_replay;
}
