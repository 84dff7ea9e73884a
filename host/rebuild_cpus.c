/* cpuid and msrs. */
#include "drivers/cpu_collect.h"
#include "host/json_text.h"
#include "host/rebuild_parts.h"
#include "model/msr_catalog.h"
#include "model/sort.h"

#include <string.h>

/* 4096 CPUs with 4096 registers: more than any report of ours, and 256 MiB. */
#define VALUES_MAX ((size_t)16 * 1024 * 1024)

static void take_leaves(const struct rebuilder *rebuilder, const json_t *array,
                        struct cpuid_set *set)
{
    uint32_t count = rebuild_count(array);
    struct cpuid_leaf *leaves = arena_array(rebuilder->arena, count, sizeof(*leaves));

    for (uint32_t i = 0; leaves != NULL && i < count; i++) {
        const json_t *leaf = json_array_get(array, i);

        leaves[i].leaf = (uint32_t)rebuild_hex(leaf, "leaf");
        leaves[i].subleaf = rebuild_u32(leaf, "subleaf");
        leaves[i].eax = (uint32_t)rebuild_hex(leaf, "eax");
        leaves[i].ebx = (uint32_t)rebuild_hex(leaf, "ebx");
        leaves[i].ecx = (uint32_t)rebuild_hex(leaf, "ecx");
        leaves[i].edx = (uint32_t)rebuild_hex(leaf, "edx");
    }
    set->leaves = leaves;
    set->count = leaves == NULL ? 0 : count;
}

static const json_t *kinds_of(const struct rebuilder *rebuilder)
{
    return json_object_get(json_object_get(rebuilder->root, "cpuid"), "kinds");
}

void rebuild_cpuid(const struct rebuilder *rebuilder)
{
    const json_t *array = kinds_of(rebuilder);
    uint32_t count = rebuild_count(array);
    struct cpuid_set *kinds = arena_array(rebuilder->arena, count, sizeof(*kinds));

    for (uint32_t i = 0; kinds != NULL && i < count; i++) {
        take_leaves(rebuilder, json_object_get(json_array_get(array, i), "leaves"), &kinds[i]);
    }
    rebuilder->platform->cpuid_kinds = kinds;
    rebuilder->platform->cpuid_kinds_count = kinds == NULL ? 0 : count;
    if (rebuilder->platform->cpuid_kinds_count > 0) {
        cpu_identity_decode(&kinds[0], &rebuilder->platform->identity);
    }
}

/* "0-3,7" into the set; what is no such list leaves it empty. */
static void take_cpus(const json_t *object, struct cpuset *cpus)
{
    memset(cpus->words, 0, cpuset_words(cpus->capacity) * sizeof(uint64_t));
    if (cpuset_parse(rebuild_text(object, "cpus", ""), cpus) != STATUS_OK) {
        memset(cpus->words, 0, cpuset_words(cpus->capacity) * sizeof(uint64_t));
    }
}

static void take_kinds(const struct rebuilder *rebuilder, struct cpuset *cpus)
{
    const json_t *array = kinds_of(rebuilder);

    for (uint32_t i = 0; i < rebuilder->platform->cpuid_kinds_count; i++) {
        take_cpus(json_array_get(array, i), cpus);
        for (uint32_t cpu = cpuset_next(cpus, 0); cpu != CPUSET_NONE;
             cpu = cpuset_next(cpus, cpu + 1)) {
            rebuilder->platform->cpus[cpu].kind = i;
        }
    }
}

/* Those that are not listed were asked, or the report is of a dump; both are the same to a reader. */
static void take_answers(const struct rebuilder *rebuilder)
{
    static const char *const words[] = {[CPU_ANSWERED] = "answered",
                                        [CPU_NOT_ASKED] = "not asked",
                                        [CPU_DID_NOT_ANSWER] = "did not answer",
                                        [CPU_DISABLED] = "disabled",
                                        [CPU_NOT_PRESENT] = "not present"};
    struct platform *platform = rebuilder->platform;
    const json_t *array =
        json_object_get(json_object_get(rebuilder->root, "machine"), "cpus_not_available");

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        platform->cpus[cpu].answer = platform_is_firsthand(platform) ? CPU_ANSWERED : CPU_NOT_ASKED;
    }
    for (uint32_t i = 0; i < rebuild_count(array); i++) {
        const json_t *one = json_array_get(array, i);
        uint64_t cpu = json_text_number(one, "cpu", UINT64_MAX);

        if (cpu < platform->cpus_count) {
            platform->cpus[cpu].answer = (enum cpu_answer)rebuild_word(
                json_text_string(one, "answer"), words, 5, CPU_DID_NOT_ANSWER);
        }
    }
}

/* The catalogue's numbers for the boot CPU: of a dump, what it lacks is absent, not untried (drivers/hw_replay.c). */
static uint32_t put_catalogue(const struct platform *platform, uint64_t *keys)
{
    uint32_t count = 0;

    if (platform_is_firsthand(platform) || platform->cpuid_kinds_count == 0) {
        return 0;
    }
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        if (msr_catalog_allows(i, &platform->identity, &platform->cpuid_kinds[0])) {
            keys[count++] = msr_catalog_at(i)->msr;
        }
    }
    return count;
}

/* The registers' numbers, ascending and each once. */
static void take_numbers(const struct rebuilder *rebuilder, const json_t *array)
{
    struct platform *platform = rebuilder->platform;
    uint32_t listed = rebuild_count(array);
    uint32_t most = listed + msr_catalog_count();
    uint64_t *keys = arena_array(rebuilder->arena, most, sizeof(*keys));
    uint32_t *numbers = arena_array(rebuilder->arena, most, sizeof(*numbers));
    uint32_t count;

    if (keys == NULL || numbers == NULL) {
        return;
    }
    count = put_catalogue(platform, keys);
    for (uint32_t i = 0; i < listed; i++) {
        keys[count++] = rebuild_hex(json_array_get(array, i), "msr") & UINT32_MAX;
    }
    sort_u64(keys, count);
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            numbers[platform->msrs_count++] = (uint32_t)keys[i];
        }
    }
    platform->msrs = numbers;
}

static void set_absent(const struct platform *platform)
{
    size_t count = (size_t)platform->cpus_count * platform->msrs_count;

    for (size_t i = 0; i < count && !platform_is_firsthand(platform); i++) {
        platform->msr_values[i].avail = AVAIL_ABSENT;
    }
}

static uint32_t place_of(const struct platform *platform, uint32_t msr)
{
    uint32_t place = 0;

    while (place < platform->msrs_count && platform->msrs[place] != msr) {
        place++;
    }
    return place;
}

static void take_values(const struct rebuilder *rebuilder, const json_t *array, struct cpuset *cpus)
{
    struct platform *platform = rebuilder->platform;

    for (uint32_t i = 0; i < rebuild_count(array); i++) {
        const json_t *entry = json_array_get(array, i);
        uint32_t place = place_of(platform, (uint32_t)rebuild_hex(entry, "msr"));
        bool is_fault = rebuild_is_true(entry, "fault");
        struct msr_value value = {is_fault ? AVAIL_FAULTED : AVAIL_PRESENT,
                                  is_fault ? 0 : rebuild_hex(entry, "value")};

        take_cpus(entry, cpus);
        for (uint32_t cpu = cpuset_next(cpus, 0);
             cpu != CPUSET_NONE && place < platform->msrs_count; cpu = cpuset_next(cpus, cpu + 1)) {
            platform->msr_values[(size_t)cpu * platform->msrs_count + place] = value;
        }
    }
}

void rebuild_msrs(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(rebuilder->root, "msrs");
    struct platform *platform = rebuilder->platform;
    struct cpuset cpus = cpuset_create(rebuilder->arena, platform->cpus_count);
    size_t count;

    if (cpus.words == NULL) {
        return;
    }
    take_kinds(rebuilder, &cpus);
    take_answers(rebuilder);
    cpu_collect_places(platform);
    take_numbers(rebuilder, array);
    count = (size_t)platform->cpus_count * platform->msrs_count;
    platform->msr_values =
        count > VALUES_MAX ? NULL : arena_array(rebuilder->arena, count, sizeof(struct msr_value));
    if (platform->msr_values == NULL) {
        platform->msrs_count = 0;
        return;
    }
    set_absent(platform);
    take_values(rebuilder, array, &cpus);
}
