#include "drivers/cpu_collect.h"

#include "drivers/cpuid_read.h"
#include "model/bits.h"
#include "model/hash.h"
#include "model/msr_catalog.h"
#include "model/sort.h"

#include <stddef.h>
#include <string.h>

/* A CPU answers within milliseconds; an emulator that runs many in turn takes longer. */
#define TIMEOUT_BASE_MS 5000U
#define TIMEOUT_PER_CPU_MS 10U

/* What one CPU writes: nobody else touches it before that CPU has answered. */
struct cpu_slot {
    uint32_t count;
    struct cpuid_leaf leaves[CPUID_READ_MAX];
};

struct collect {
    const struct platform *platform; /* read only in the procedure: msrs */
    struct cpu_slot *slots;
    struct msr_value *values; /* [cpu * msrs_count + i] */
};

static const struct cpuid_leaf *copy_leaves(struct arena *arena, const struct cpuid_leaf *leaves,
                                            uint32_t count)
{
    struct cpuid_leaf *copy = arena_array(arena, count, sizeof(*copy));

    if (copy != NULL && count != 0) {
        memcpy(copy, leaves, count * sizeof(*copy));
    }
    return copy;
}

void cpu_collect_boot(const struct hw *hw, struct platform *platform)
{
    struct cpu_slot *slot = arena_take(platform->arena, sizeof(*slot));
    struct cpuid_set *kind = arena_take(platform->arena, sizeof(*kind));

    if (slot == NULL || kind == NULL) {
        platform->incomplete = "no memory for CPUID";
        return;
    }
    slot->count = cpuid_read(hw, slot->leaves);
    if (slot->count == 0) {
        return; /* a dump without CPUID: the identity stays unknown */
    }
    kind->count = slot->count;
    kind->leaves = slot->leaves;
    platform->cpuid_kinds = kind;
    platform->cpuid_kinds_count = 1;
    cpu_identity_decode(kind, &platform->identity);
}

/* The numbers that the allow-list has for this CPU and the user does not skip, ascending and each once. */
static bool list_msrs(struct platform *platform)
{
    uint32_t entries = msr_catalog_count();
    uint64_t *keys = arena_array(platform->arena, entries, sizeof(*keys));
    uint32_t *msrs = arena_array(platform->arena, entries, sizeof(*msrs));
    uint32_t count = 0;
    uint32_t kept = 0;

    platform->msrs_count = 0;
    if (keys == NULL || msrs == NULL) {
        platform->incomplete = "no memory for the list of MSRs";
        return false;
    }
    for (uint32_t i = 0; i < entries; i++) {
        uint32_t msr = msr_catalog_at(i)->msr;

        if (msr_catalog_allows(i, &platform->identity, &platform->cpuid_kinds[0]) &&
            !options_skips_msr(platform->options, msr)) {
            keys[count++] = msr;
        }
    }
    sort_u64(keys, count);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || msrs[kept - 1] != keys[i]) {
            msrs[kept++] = (uint32_t)keys[i];
        }
    }
    platform->msrs = msrs;
    platform->msrs_count = kept;
    return true;
}

/* Runs on each CPU. */
static void collect_here(const struct hw *hw, uint32_t cpu, void *argument)
{
    const struct collect *collect = argument;
    const struct platform *platform = collect->platform;
    struct cpu_slot *slot = &collect->slots[cpu];
    struct msr_value *values = collect->values + (size_t)cpu * platform->msrs_count;

    slot->count = cpuid_read(hw, slot->leaves);
    for (uint32_t i = 0; i < platform->msrs_count; i++) {
        uint64_t value = 0;

        values[i].avail = hw->ops->rdmsr(hw, platform->msrs[i], &value);
        values[i].value = values[i].avail == AVAIL_PRESENT ? value : 0;
    }
}

/* Who is asked: all, or those of --cpus; never one that the firmware says is not there. */
static void choose_cpus(const struct platform *platform, uint8_t *wanted)
{
    struct cpuset chosen = cpuset_create(platform->arena, platform->cpus_count);
    bool is_all = platform->options->cpus[0] == '\0' ||
                  cpuset_parse(platform->options->cpus, &chosen) != STATUS_OK;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        enum cpu_answer answer = platform->cpus[cpu].answer;
        bool is_there = answer == CPU_ANSWERED || answer == CPU_NOT_ASKED;

        wanted[cpu] = is_there && (is_all || cpuset_has(&chosen, cpu)) ? 1 : 0;
    }
}

static uint64_t hash_leaves(const struct cpu_slot *slot)
{
    uint64_t hash = HASH_START;

    for (uint32_t i = 0; i < slot->count; i++) {
        struct cpuid_leaf leaf = cpuid_read_masked(&slot->leaves[i]);

        hash = hash_bytes(hash, &leaf, sizeof(leaf));
    }
    return hash;
}

static bool is_same_kind(const struct cpuid_set *kind, const struct cpu_slot *slot)
{
    if (kind->count != slot->count) {
        return false;
    }
    for (uint32_t i = 0; i < slot->count; i++) {
        struct cpuid_leaf one = cpuid_read_masked(&kind->leaves[i]);
        struct cpuid_leaf other = cpuid_read_masked(&slot->leaves[i]);

        if (memcmp(&one, &other, sizeof(one)) != 0) {
            return false;
        }
    }
    return true;
}

/* The kinds met so far with their hashes, so that thousands of CPUs compare numbers and not leaves. */
struct kinds {
    struct cpuid_set *sets;
    uint64_t *hashes;
    uint32_t count;
};

static uint32_t kind_of(struct platform *platform, struct kinds *kinds, const struct cpu_slot *slot)
{
    uint64_t hash = hash_leaves(slot);

    for (uint32_t i = 0; i < kinds->count; i++) {
        if (kinds->hashes[i] == hash && is_same_kind(&kinds->sets[i], slot)) {
            return i;
        }
    }
    kinds->sets[kinds->count].leaves = copy_leaves(platform->arena, slot->leaves, slot->count);
    kinds->sets[kinds->count].count = kinds->sets[kinds->count].leaves == NULL ? 0 : slot->count;
    kinds->hashes[kinds->count] = hash;
    return kinds->count++;
}

/* Kind 0 stays the boot CPU's even when that CPU was not asked again. */
static void fold_kinds(struct platform *platform, const struct collect *collect)
{
    struct kinds kinds = {.count = 0};
    size_t room = (size_t)platform->cpus_count + 1;

    kinds.sets = arena_array(platform->arena, room, sizeof(*kinds.sets));
    kinds.hashes = arena_array(platform->arena, room, sizeof(*kinds.hashes));
    if (kinds.sets == NULL || kinds.hashes == NULL) {
        platform->incomplete = "no memory for the kinds of CPUs";
        return;
    }
    if (platform->cpuid_kinds_count != 0) {
        struct cpu_slot *boot = arena_take(platform->arena, sizeof(*boot));

        if (boot != NULL) {
            boot->count = platform->cpuid_kinds[0].count;
            memcpy(boot->leaves, platform->cpuid_kinds[0].leaves,
                   boot->count * sizeof(struct cpuid_leaf));
            (void)kind_of(platform, &kinds, boot);
        }
    }
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct cpu_slot *slot = &collect->slots[cpu];
        bool is_read = platform->cpus[cpu].answer == CPU_ANSWERED && slot->count != 0;

        platform->cpus[cpu].kind = is_read ? kind_of(platform, &kinds, slot) : 0;
    }
    platform->cpuid_kinds = kinds.sets;
    platform->cpuid_kinds_count = kinds.count;
}

static uint32_t bits_for(uint32_t count)
{
    uint32_t bits = 0;

    while (bits < 32 && (UINT64_C(1) << bits) < count) {
        bits++;
    }
    return bits;
}

/* The shift of the outermost level that a topology leaf lists: SDM vol. 2A, CPUID 0BH and 1FH EAX[4:0]. */
static bool topology_shift(const struct cpuid_set *cpuid, uint32_t leaf, uint32_t *ret_shift)
{
    bool is_found = false;

    for (uint32_t subleaf = 0;; subleaf++) {
        const struct cpuid_leaf *level = cpuid_find(cpuid, leaf, subleaf);

        if (level == NULL || bits_get(level->ecx, 15, 8) == 0) {
            return is_found;
        }
        is_found = true;
        *ret_shift = (uint32_t)bits_get(level->eax, 4, 0);
    }
}

/*
 * How many low bits of an APIC id stay within a package. Without topology leaves: APM vol. 3, appendix E,
 * CPUID 80000008H ECX (ApicIdCoreIdSize, NC), else CPUID 1 EBX[23:16] with the HTT bit.
 */
static uint32_t package_shift(const struct cpuid_set *cpuid)
{
    const struct cpuid_leaf *sizes = cpuid_find(cpuid, 0x80000008, 0);
    const struct cpuid_leaf *leaf1 = cpuid_find(cpuid, 1, 0);
    uint32_t shift = 0;

    if (topology_shift(cpuid, 0x1F, &shift) || topology_shift(cpuid, 0xB, &shift)) {
        return shift;
    }
    if (sizes != NULL && sizes->ecx != 0) {
        shift = (uint32_t)bits_get(sizes->ecx, 15, 12);
        return shift != 0 ? shift : bits_for((sizes->ecx & 0xFF) + 1);
    }
    if (leaf1 != NULL && bits_test(leaf1->edx, 28) != 0) {
        return bits_for((uint32_t)bits_get(leaf1->ebx, 23, 16));
    }
    return 0;
}

void cpu_collect_places(struct platform *platform)
{
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct cpuid_set *cpuid = platform_cpuid(platform, cpu);
        const struct cpuid_leaf *hybrid = cpuid_find(cpuid, 0x1A, 0);
        struct cpu *slot = &platform->cpus[cpu];

        slot->package_id = slot->apic_id >> package_shift(cpuid);
        slot->core_type = hybrid == NULL ? 0 : (uint32_t)bits_get(hybrid->eax, 31, 24);
    }
}

static void take_answers(struct platform *platform, const uint8_t *wanted, const enum hw_run *run)
{
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        if (wanted[cpu] == 0) {
            continue;
        }
        if (run[cpu] == HW_RUN_DONE) {
            platform->cpus[cpu].answer = CPU_ANSWERED;
        } else if (run[cpu] == HW_RUN_NO_ANSWER) {
            platform->cpus[cpu].answer = CPU_DID_NOT_ANSWER;
        } else {
            platform->cpus[cpu].answer = CPU_NOT_ASKED;
        }
    }
}

/*
 * The values of CPUs that answered. A CPU that did not may still be writing to its own row, so what the
 * platform keeps is a copy of the others' rows.
 */
static void keep_values(struct platform *platform, const struct collect *collect)
{
    size_t row_bytes = platform->msrs_count * sizeof(struct msr_value);

    platform->msr_values =
        arena_array(platform->arena, (size_t)platform->cpus_count * platform->msrs_count,
                    sizeof(struct msr_value));
    if (platform->msr_values == NULL) {
        platform->incomplete = "no memory for MSR values";
        return;
    }
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        size_t first = (size_t)cpu * platform->msrs_count;

        if (platform->cpus[cpu].answer == CPU_ANSWERED && row_bytes != 0) {
            memcpy(platform->msr_values + first, collect->values + first, row_bytes);
        }
    }
}

void cpu_collect_all(const struct hw *hw, struct platform *platform)
{
    uint32_t count = platform->cpus_count;
    struct collect collect = {.platform = platform};
    uint8_t *wanted = arena_array(platform->arena, count, sizeof(*wanted));
    enum hw_run *run = arena_array(platform->arena, count, sizeof(*run));

    /* A dump without CPUID: there is nobody to ask. */
    if (count == 0 || platform->cpuid_kinds_count == 0 || !list_msrs(platform)) {
        return;
    }
    collect.slots = arena_array(platform->arena, count, sizeof(*collect.slots));
    collect.values =
        arena_array(platform->arena, (size_t)count * platform->msrs_count, sizeof(*collect.values));
    if (wanted == NULL || run == NULL || collect.slots == NULL || collect.values == NULL) {
        platform->incomplete = "no memory to ask the CPUs";
        return;
    }
    choose_cpus(platform, wanted);
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        run[cpu] = HW_RUN_NOT_STARTED;
    }
    if (hw->ops->run_on_cpus(hw, count, wanted, collect_here, &collect,
                             TIMEOUT_BASE_MS + TIMEOUT_PER_CPU_MS * count, run) != STATUS_OK &&
        platform->mp_note == NULL) {
        platform->mp_note = "the other CPUs could not be run";
    }
    take_answers(platform, wanted, run);
    fold_kinds(platform, &collect);
    cpu_collect_places(platform);
    keep_values(platform, &collect);
}
