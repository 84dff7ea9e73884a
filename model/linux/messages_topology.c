/*
 * What arch/x86/kernel/cpu/topology_ext.c and topology_common.c find wrong with CPUID's levels: kernel-facts 6.9
 * and 10.1. The leaves of a kind are those of its first CPU; the numbers of the others are not kept.
 */
#include "model/bits.h"
#include "model/linux/parts.h"

#include <string.h>

/* enum x86_topology_domains of Linux 6.12: thread, core, module, tile, die, group of dies, package. */
#define DOMAINS 7U
#define SUBLEAVES 16U

struct levels {
    bool is_known; /* an extended topology leaf was there */
    bool has_id;   /* the thread level gave an x2APIC number */
    uint32_t apic_id;
    unsigned shift[DOMAINS];
    uint32_t cpus[DOMAINS];
};

struct leaf_kind {
    uint32_t leaf;
    unsigned types; /* level types that it has, 0 apart */
    unsigned domain[7];
};

/* SDM vol. 2A, CPUID leaves 0BH and 1FH; APM vol. 3, appendix E, leaf 80000026H. In the order tried. */
static const struct leaf_kind leaf_kinds[] = {
    {0x1F, 7, {0, 0, 1, 2, 3, 4, 5}},
    {0x80000026, 5, {0, 0, 1, 3, 4, 0, 0}},
    {0xB, 3, {0, 0, 1, 0, 0, 0, 0}},
};

static void set_level(struct levels *levels, unsigned domain, unsigned shift, uint32_t cpus)
{
    for (unsigned i = domain; i < DOMAINS; i++) {
        levels->shift[i] = shift;
        levels->cpus[i] = cpus;
    }
}

static void compare_id(const struct linux_builder *builder, const struct cpuid_leaf *level,
                       unsigned domain, struct levels *levels)
{
    if (domain == 0) {
        levels->has_id = true;
        levels->apic_id = level->edx;
    } else if (levels->apic_id != level->edx &&
               !linux_was_said(builder, LINUX_MESSAGE_TOPOLOGY_ID)) {
        linux_say(builder, LINUX_MESSAGE_TOPOLOGY_ID, CPU_NONE,
                  "CPUID leaf 0x%x subleaf %u APIC ID mismatch %x != %x", level->leaf,
                  level->subleaf, levels->apic_id, level->edx);
    }
}

/* topo_subleaf, for every level of one leaf. Returns whether the leaf has any. */
static bool take_leaf(const struct linux_builder *builder, const struct cpuid_set *cpuid,
                      const struct leaf_kind *kind, struct levels *levels)
{
    unsigned last_domain = 0;
    uint32_t subleaf = 0;

    for (; subleaf < SUBLEAVES; subleaf++) {
        const struct cpuid_leaf *level = cpuid_find(cpuid, kind->leaf, subleaf);
        unsigned type = level == NULL ? 0 : (unsigned)bits_get(level->ecx, 15, 8);
        unsigned domain;

        if (type == 0 || bits_get(level->ebx, 15, 0) == 0) {
            break;
        }
        if (type >= kind->types) {
            if (!linux_was_said(builder, LINUX_MESSAGE_TOPOLOGY_TYPE)) {
                linux_say(builder, LINUX_MESSAGE_TOPOLOGY_TYPE, CPU_NONE,
                          "Topology: leaf 0x%x:%u Unknown domain type %u", kind->leaf, subleaf,
                          type);
            }
            domain = last_domain + 1;
        } else {
            domain = last_domain = kind->domain[type];
        }
        compare_id(builder, level, domain, levels);
        if (domain < DOMAINS) {
            set_level(levels, domain, (unsigned)bits_get(level->eax, 4, 0),
                      (uint32_t)bits_get(level->ebx, 15, 0));
        }
    }
    return subleaf != 0;
}

static unsigned bits_for_count(uint32_t count)
{
    unsigned bits = 0;

    while (bits < 16 && UINT32_C(1) << bits < count) {
        bits++;
    }
    return bits;
}

/* cpu_parse_topology_ext. */
static void take_levels(const struct linux_builder *builder, const struct cpuid_set *cpuid,
                        struct levels *levels)
{
    const struct cpuid_leaf *leaf1 = cpuid_find(cpuid, 1, 0);

    memset(levels, 0, sizeof(*levels));
    levels->apic_id = leaf1 == NULL ? 0 : (uint32_t)bits_get(leaf1->ebx, 31, 24);
    for (size_t i = 0; i < sizeof(leaf_kinds) / sizeof(leaf_kinds[0]); i++) {
        if (!take_leaf(builder, cpuid, &leaf_kinds[i], levels)) {
            continue;
        }
        levels->is_known = true;
        if (levels->shift[0] == 0 && levels->cpus[0] > 1) {
            if (!linux_was_said(builder, LINUX_MESSAGE_TOPOLOGY_SHIFT)) {
                linux_say(builder, LINUX_MESSAGE_TOPOLOGY_SHIFT, CPU_NONE,
                          "CPUID leaf 0x%x subleaf 0 has shift level 0 but %u CPUs. Fixing it up.",
                          leaf_kinds[i].leaf, levels->cpus[0]);
            }
            levels->shift[0] = bits_for_count(levels->cpus[0]);
        }
        return;
    }
}

/* cpu_parse_topology of a CPU that is not the boot CPU. */
static void compare_levels(const struct linux_builder *builder, uint32_t cpu,
                           const struct levels *boot, const struct levels *levels)
{
    for (unsigned i = 0; i < DOMAINS && boot->is_known && levels->is_known; i++) {
        if (levels->shift[i] != boot->shift[i]) {
            linux_say(builder, LINUX_MESSAGE_TOPOLOGY_DOMAIN, cpu,
                      "CPUN: Topology domain %u shift %u != %u", i, levels->shift[i],
                      boot->shift[i]);
        }
    }
}

/*
 * Only the first CPU of a kind: its leaves are its own. Of a dump it is not known which CPU gave them, most often
 * the one that the tool happened to run on.
 */
static void compare_apic_id(const struct linux_builder *builder, uint32_t cpu,
                            const struct levels *levels)
{
    const struct platform *platform = builder->platform;
    uint32_t apic_id = platform->cpus[cpu].apic_id;

    if ((platform->source != SOURCE_FIRMWARE && !platform->is_replay) || !levels->has_id ||
        platform->madt.avail != AVAIL_PRESENT || levels->apic_id == apic_id) {
        return;
    }
    linux_say(builder, LINUX_MESSAGE_APIC_ID_BEFORE, cpu,
              "CPUN: APIC id mismatch. Firmware: %x APIC: %x", apic_id, levels->apic_id);
    linux_say(builder, LINUX_MESSAGE_APIC_ID, cpu,
              "CPUN: APIC ID mismatch. CPUID: 0x%04x APIC: 0x%04x", levels->apic_id, apic_id);
}

/* APM vol. 3, appendix E, CPUID 80000001H ECX[22] TopologyExtensions. */
static bool has_topoext(const struct platform *platform)
{
    const struct cpuid_leaf *leaf = cpuid_find(platform_cpuid(platform, 0), 0x80000001, 0);

    return leaf != NULL && bits_test(leaf->ecx, 22) != 0;
}

/* CPUs of one kind mostly stand together; a kind met again later is parsed again, to no effect. */
void linux_topology_messages_make(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    enum cpu_vendor vendor = platform->identity.vendor;
    uint32_t last_kind;
    uint32_t kinds_met = 0;
    struct levels boot;
    struct levels levels;

    if (platform->cpus_count == 0) {
        return;
    }
    if (vendor != VENDOR_INTEL &&
        ((vendor != VENDOR_AMD && vendor != VENDOR_HYGON) || !has_topoext(platform))) {
        return;
    }
    take_levels(builder, platform_cpuid(platform, 0), &boot);
    levels = boot;
    last_kind = platform->cpus[0].kind;
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        uint32_t kind = platform->cpus[cpu].kind;

        if (kind != last_kind) {
            take_levels(builder, platform_cpuid(platform, cpu), &levels);
            last_kind = kind;
        }
        if (kind >= kinds_met && platform_cpuid(platform, cpu) != NULL) {
            compare_apic_id(builder, cpu, &levels);
            kinds_met = kind + 1;
        }
        compare_levels(builder, cpu, &boot, &levels);
    }
}
