#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

void sim_platform_init(struct sim_platform *sim, uint32_t cpus)
{
    struct platform *platform = &sim->platform;

    memset(sim, 0, sizeof(*sim));
    heap_init(&sim->heap, 0);
    platform_init(platform, &sim->heap.arena, &sim->options);
    platform->cpus_count = cpus;
    platform->cpus = arena_array(platform->arena, cpus, sizeof(struct cpu));
    platform->processors_count = cpus;
    platform->processors = arena_array(platform->arena, cpus, sizeof(struct processor));
    for (uint32_t i = 0; i < cpus; i++) {
        platform->cpus[i].apic_id = i;
        platform->cpus[i].uid = i;
        platform->cpus[i].processor = i;
        platform->processors[i].path = "\\_SB.CPUS.C000";
        platform->processors[i].kind = PROCESSOR_DEVICE;
        platform->processors[i].uid_avail = AVAIL_PRESENT;
        platform->processors[i].uid = i;
        platform->processors[i].is_enabled = true;
        platform->processors[i].cpu = i;
    }
}

void sim_platform_free(struct sim_platform *sim)
{
    heap_free(&sim->heap);
}

static struct cpuid_leaf *leaf_at(struct sim_platform *sim, uint32_t leaf, uint32_t subleaf)
{
    uint32_t first = leaf & 0xFFFF0000;

    for (uint32_t i = 0; i < sim->set.count; i++) {
        if (sim->leaves[i].leaf == leaf && sim->leaves[i].subleaf == subleaf) {
            return &sim->leaves[i];
        }
    }
    assert_true(sim->set.count < SIM_LEAVES);
    if (leaf != first && leaf_at(sim, first, 0)->eax < leaf) {
        leaf_at(sim, first, 0)->eax = leaf;
    }
    sim->leaves[sim->set.count] = (struct cpuid_leaf){.leaf = leaf, .subleaf = subleaf};
    return &sim->leaves[sim->set.count++];
}

void sim_platform_identity(struct sim_platform *sim, const char *vendor, uint32_t family,
                           uint32_t model)
{
    uint32_t base_family = family < 0xF ? family : 0xF;
    uint32_t words[3];
    struct cpuid_leaf *leaf;

    memcpy(words, vendor, 12);
    sim->set.leaves = sim->leaves;
    sim->platform.cpuid_kinds_count = 1;
    sim->platform.cpuid_kinds = &sim->set;
    leaf = leaf_at(sim, 0, 0);
    leaf->ebx = words[0];
    leaf->edx = words[1];
    leaf->ecx = words[2];
    leaf_at(sim, 0x80000000, 0);
    leaf = leaf_at(sim, 1, 0);
    leaf->eax =
        (model & 0xF) << 4 | (model >> 4) << 16 | base_family << 8 | (family - base_family) << 20;
    cpu_identity_decode(&sim->set, &sim->platform.identity);
}

void sim_platform_leaf(struct sim_platform *sim, struct cpuid_leaf leaf)
{
    *leaf_at(sim, leaf.leaf, leaf.subleaf) = leaf;
}

void sim_platform_feature(struct sim_platform *sim, struct cpu_feature feature)
{
    struct cpuid_leaf *leaf = leaf_at(sim, feature.leaf, feature.subleaf);
    uint32_t *registers[] = {&leaf->eax, &leaf->ebx, &leaf->ecx, &leaf->edx};

    *registers[feature.reg] |= UINT32_C(1) << feature.bit;
}

void sim_platform_brand(struct sim_platform *sim, const char *brand)
{
    uint32_t words[12] = {0};
    size_t length = strlen(brand);

    memcpy(words, brand, length < sizeof(words) ? length : sizeof(words));
    for (uint32_t i = 0; i < 3; i++) {
        sim_platform_leaf(sim, (struct cpuid_leaf){.leaf = 0x80000002 + i,
                                                   .eax = words[4 * i],
                                                   .ebx = words[4 * i + 1],
                                                   .ecx = words[4 * i + 2],
                                                   .edx = words[4 * i + 3]});
    }
    cpu_identity_decode(&sim->set, &sim->platform.identity);
}

/* Adds a column for `msr`, keeping the numbers ascending, and returns its place. */
static uint32_t msr_column(struct platform *platform, uint32_t msr)
{
    uint32_t count = platform->msrs_count;
    uint32_t place = 0;
    uint32_t *msrs;
    struct msr_value *values;

    while (place < count && platform->msrs[place] < msr) {
        place++;
    }
    if (place < count && platform->msrs[place] == msr) {
        return place;
    }
    msrs = arena_array(platform->arena, (size_t)count + 1, sizeof(*msrs));
    values =
        arena_array(platform->arena, ((size_t)count + 1) * platform->cpus_count, sizeof(*values));
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t from = i < place ? i : i - 1;

        msrs[i] = i == place ? msr : platform->msrs[from];
        for (uint32_t cpu = 0; i != place && cpu < platform->cpus_count; cpu++) {
            values[(size_t)cpu * (count + 1) + i] =
                platform->msr_values[(size_t)cpu * count + from];
        }
    }
    platform->msrs = msrs;
    platform->msr_values = values;
    platform->msrs_count = count + 1;
    return place;
}

void sim_platform_msr(struct sim_platform *sim, uint32_t cpu, uint32_t msr, uint64_t value)
{
    struct platform *platform = &sim->platform;
    uint32_t column = msr_column(platform, msr);

    for (uint32_t i = 0; i < platform->cpus_count; i++) {
        if (cpu == SIM_ALL_CPUS || cpu == i) {
            platform->msr_values[(size_t)i * platform->msrs_count + column] =
                (struct msr_value){AVAIL_PRESENT, value};
        }
    }
}

static void put_object(struct platform *platform, const struct object_set *set)
{
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        struct object_result *result = &platform->processors[i].objects[set->kind];

        result->avail = AVAIL_PRESENT;
        result->set = set;
        result->repair = REPAIR_SAME;
    }
}

void sim_platform_pss(struct sim_platform *sim, const uint64_t *mhz, uint32_t count)
{
    struct platform *platform = &sim->platform;
    struct pss_row *rows = arena_array(platform->arena, count, sizeof(*rows));
    struct object_set *set = arena_take(platform->arena, sizeof(*set));

    for (uint32_t i = 0; i < count; i++) {
        rows[i].elements = PSS_FIELDS;
        rows[i].valid = (1U << PSS_FIELDS) - 1;
        rows[i].field[PSS_FREQ_MHZ] = mhz[i];
        rows[i].field[PSS_CONTROL] = i;
        rows[i].field[PSS_STATUS] = i;
    }
    set->kind = OBJECT_PSS;
    set->pss = (struct pss){.is_package = true, .count = count, .rows = rows};
    put_object(platform, set);
}

static void put_register(struct processor *processor, enum cpc_register index, uint64_t value)
{
    processor->cpc_avail[index] = AVAIL_PRESENT;
    processor->cpc_value[index] = value;
}

void sim_platform_cpc(struct sim_platform *sim, uint64_t highest, uint64_t nominal,
                      uint64_t nominal_freq_mhz)
{
    struct platform *platform = &sim->platform;
    struct object_set *set = arena_take(platform->arena, sizeof(*set));

    set->kind = OBJECT_CPC;
    set->cpc.is_package = true;
    put_object(platform, set);
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        struct processor *processor = &platform->processors[i];

        put_register(processor, CPC_HIGHEST_PERF, highest);
        put_register(processor, CPC_NOMINAL_PERF, nominal);
        put_register(processor, CPC_LOWEST_NONLINEAR_PERF, 2);
        put_register(processor, CPC_LOWEST_PERF, 1);
        put_register(processor, CPC_NOMINAL_FREQ_MHZ, nominal_freq_mhz);
    }
}
