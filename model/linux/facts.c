/* What no kernel version changes, taken once for all views. */
#include "model/bits.h"
#include "model/linux/parts.h"

#include <string.h>

static void count_ranking(struct linux_facts *facts, uint64_t highest, uint64_t *seen)
{
    if (highest == 0) {
        return;
    }
    if (facts->rankings_count == 0 || highest < facts->ranking_min) {
        facts->ranking_min = highest;
    }
    if (highest > facts->ranking_max) {
        facts->ranking_max = highest;
    }
    if (facts->first_highest == 0) {
        facts->first_highest = highest;
    }
    if (highest <= UINT8_MAX && bits_test(seen[highest / 64], (unsigned)(highest % 64)) == 0) {
        seen[highest / 64] |= UINT64_C(1) << (highest % 64);
        facts->rankings_count++;
    } else if (highest > UINT8_MAX && facts->rankings_count == 0) {
        facts->rankings_count = 1;
    }
}

/* amd_detect_prefcore looks for two different values of highest_perf over the CPUs. */
static void take_rankings(const struct platform *platform, struct linux_facts *facts)
{
    uint64_t seen[4] = {0};

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);

        if (processor == NULL) {
            continue;
        }
        if (facts->cpc == NULL && platform_object_as_linux(processor, OBJECT_CPC) != NULL) {
            facts->cpc = processor;
        }
        count_ranking(facts, boost_numerator_highest(platform, processor), seen);
    }
    facts->is_ranked = facts->ranking_min != facts->ranking_max;
}

/* CPUID BH or 80000026H or 8000001EH: threads of one core. */
static uint32_t threads_per_core(const struct platform *platform)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    const struct cpuid_leaf *leaf = cpuid_find(cpuid, 0xB, 0);

    if (leaf != NULL && bits_get(leaf->ecx, 15, 8) == 1 && bits_get(leaf->ebx, 15, 0) != 0) {
        return (uint32_t)bits_get(leaf->ebx, 15, 0);
    }
    leaf = cpuid_find(cpuid, 0x8000001E, 0);
    if (leaf != NULL && platform->identity.vendor == VENDOR_AMD &&
        platform->identity.family >= 0x17) {
        return (uint32_t)bits_get(leaf->ebx, 15, 8) + 1;
    }
    return 1;
}

/* A hash table of numbers: whose was the first of each. */
struct seen {
    size_t slots;
    uint64_t *keys; /* number + 1; 0: free */
    uint32_t *owners;
};

static bool seen_init(struct platform *platform, struct seen *seen)
{
    seen->slots = 64;
    while (seen->slots < (size_t)platform->processors_count * 2) {
        seen->slots *= 2;
    }
    seen->keys = arena_array(platform->arena, seen->slots, sizeof(uint64_t));
    seen->owners = arena_array(platform->arena, seen->slots, sizeof(uint32_t));
    return seen->keys != NULL && seen->owners != NULL;
}

/* The owner of the number, which becomes `owner` when it is new. */
static uint32_t seen_owner(struct seen *seen, uint64_t number, uint32_t owner)
{
    uint64_t key = number + 1;
    size_t place = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) % seen->slots;

    while (seen->keys[place] != 0 && seen->keys[place] != key) {
        place = (place + 1) % seen->slots;
    }
    if (seen->keys[place] == 0) {
        seen->keys[place] = key;
        seen->owners[place] = owner;
    }
    return seen->owners[place];
}

/* Uids that several processors have: Linux ignores all of them. */
static void take_duplicates(struct platform *platform, struct linux_facts *facts)
{
    struct seen seen;

    if (!seen_init(platform, &seen)) {
        return;
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        const struct processor *processor = &platform->processors[i];

        if (processor->uid_avail == AVAIL_PRESENT && processor->uid_text == NULL &&
            processor->uid != UINT64_MAX && seen_owner(&seen, processor->uid, i) != i &&
            facts->duplicate_uids++ == 0) {
            facts->duplicate_uid = processor->uid;
        }
    }
}

/* Processors whose uids differ and to which the MADT gives one APIC number. */
static void take_shared(struct platform *platform, struct linux_facts *facts)
{
    uint32_t *cpus = arena_array(platform->arena, platform->processors_count, sizeof(uint32_t));
    struct seen seen;

    if (cpus == NULL || !seen_init(platform, &seen)) {
        return;
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        const struct processor *processor = &platform->processors[i];
        const struct processor *first;

        if (!processor->is_enabled || processor->madt_index == MADT_NONE ||
            processor->uid_avail != AVAIL_PRESENT || platform->madt.avail != AVAIL_PRESENT) {
            continue;
        }
        first = &platform->processors[seen_owner(&seen, processor->apic_id, i)];
        if (first != processor && first->uid != processor->uid) {
            cpus[facts->shared_count++] = first->cpu;
        }
    }
    facts->shared_cpus = cpus;
}

void linux_facts_take(struct platform *platform, struct linux_facts *ret_facts)
{
    memset(ret_facts, 0, sizeof(*ret_facts));
    take_rankings(platform, ret_facts);
    ret_facts->smt_siblings = threads_per_core(platform);
    take_duplicates(platform, ret_facts);
    take_shared(platform, ret_facts);
    linux_table_take(platform, ret_facts);
    linux_policies_take(platform, ret_facts);
    linux_intel_ratios_take(platform, ret_facts);
    linux_intel_invariance_take(platform, ret_facts);
}
