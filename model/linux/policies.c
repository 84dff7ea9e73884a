/* Which CPUs share a frequency policy: _PSD and what overrides it. kernel-facts 1.1 and 1.6. */
#include "model/linux/parts.h"

#include <string.h>

#define PSD_VALID ((1U << (DEPENDENCY_NUM_PROCESSORS + 1)) - 1U)

/* The row of a _PSD that Linux takes (acpi_processor_get_psd), or NULL. */
static const struct dependency_row *psd_row(const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PSD);
    const struct dependency_row *row;

    if (set == NULL || !set->psd.is_package || set->psd.count != 1) {
        return NULL;
    }
    row = &set->psd.rows[0];
    if ((row->valid & PSD_VALID) != PSD_VALID || row->field[DEPENDENCY_NUM_ENTRIES] != 5 ||
        row->field[DEPENDENCY_REVISION] != 0 || row->field[DEPENDENCY_COORD_TYPE] < COORD_SW_ALL ||
        row->field[DEPENDENCY_COORD_TYPE] > COORD_HW_ALL) {
        return NULL;
    }
    return row;
}

static const char *coordination_name(uint64_t type)
{
    switch (type) {
    case COORD_SW_ALL:
        return "SW_ALL";
    case COORD_SW_ANY:
        return "SW_ANY";
    case COORD_HW_ALL:
        return "HW_ALL";
    default:
        return "none";
    }
}

static void all_single(const struct platform *platform, const char *why,
                       struct linux_policies *policies)
{
    policies->count = platform->cpus_count;
    policies->largest_cpus = policies->affected_cpus = policies->related_cpus = 1;
    policies->coordination = "none";
    policies->why = why;
}

#define DOMAIN_SLOTS 4096U /* a power of two above twice the CPUs usually met */

struct domain_slot {
    uint64_t domain;
    uint32_t members;
    const struct dependency_row *row;
};

/* Counts a CPU into its domain; false where it contradicts an earlier member, or the table is full. */
static bool count_member(struct domain_slot *slots, const struct dependency_row *row,
                         struct linux_policies *policies)
{
    uint64_t domain = row->field[DEPENDENCY_DOMAIN];
    uint64_t place = domain * UINT64_C(0x9E3779B97F4A7C15) >> 52;

    for (uint32_t tried = 0; tried < DOMAIN_SLOTS; tried++) {
        struct domain_slot *slot = &slots[(place + tried) % DOMAIN_SLOTS];

        if (slot->row == NULL) {
            *slot = (struct domain_slot){domain, 0, row};
            policies->count++;
        }
        if (slot->domain == domain) {
            slot->members++;
            if (slot->members > policies->largest_cpus) {
                policies->largest_cpus = slot->members;
            }
            return slot->row->field[DEPENDENCY_COORD_TYPE] == row->field[DEPENDENCY_COORD_TYPE] &&
                   slot->row->field[DEPENDENCY_NUM_PROCESSORS] ==
                       row->field[DEPENDENCY_NUM_PROCESSORS];
        }
    }
    return false;
}

static uint32_t members_of(const struct domain_slot *slots, uint64_t domain)
{
    for (uint32_t i = 0; i < DOMAIN_SLOTS; i++) {
        if (slots[i].row != NULL && slots[i].domain == domain) {
            return slots[i].members;
        }
    }
    return 1;
}

/* Domains of which the driver makes one policy: software coordination only. */
static void conclude(const struct platform *platform, const struct domain_slot *slots,
                     const struct dependency_row *first, struct linux_policies *policies)
{
    uint64_t type = first->field[DEPENDENCY_COORD_TYPE];

    policies->coordination = coordination_name(type);
    policies->related_cpus = members_of(slots, first->field[DEPENDENCY_DOMAIN]);
    policies->affected_cpus = policies->related_cpus;
    policies->why = "_PSD";
    if (type == COORD_HW_ALL) {
        policies->count = platform->cpus_count;
        policies->largest_cpus = policies->affected_cpus = 1;
        policies->why = "_PSD says that hardware coordinates: one CPU a policy";
    }
}

void linux_policies_take(const struct platform *platform, struct linux_facts *facts)
{
    struct linux_policies *policies = &facts->policies;
    const struct dependency_row *first = NULL;
    struct domain_slot *slots =
        arena_array(platform->arena, DOMAIN_SLOTS, sizeof(struct domain_slot));

    memset(policies, 0, sizeof(*policies));
    if (slots == NULL) {
        all_single(platform, "no memory for the domains", policies);
        return;
    }
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);
        const struct dependency_row *row = processor == NULL ? NULL : psd_row(processor);

        if (row == NULL) {
            all_single(platform, "a CPU has no _PSD that Linux takes, so every CPU stands alone",
                       policies);
            return;
        }
        first = first == NULL ? row : first;
        if (!count_member(slots, row, policies)) {
            all_single(platform, "CPUs of one _PSD domain disagree, so every CPU stands alone",
                       policies);
            return;
        }
    }
    if (first == NULL) {
        all_single(platform, "there are no CPUs", policies);
        return;
    }
    conclude(platform, slots, first, policies);
}

/* The sw_any_bug table: every CPU of the package is written, whatever _PSD says. */
static void couple_packages(const struct platform *platform, struct linux_policies *policies)
{
    uint32_t members = 0;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        members += platform->cpus[cpu].package_id == platform->cpus[0].package_id ? 1 : 0;
    }
    policies->coordination = "SW_ALL";
    policies->affected_cpus = policies->related_cpus = policies->largest_cpus = members;
    policies->count = members == 0 ? 0 : (platform->cpus_count + members - 1) / members;
    policies->why = "Supermicro X6DLP, BIOS 080010: Linux couples the CPUs of a package";
}

void linux_policies_make(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    struct linux_policies *policies = &builder->view->policies;
    bool is_overridden =
        platform->identity.vendor == VENDOR_AMD || platform->identity.vendor == VENDOR_HYGON;

    *policies = builder->facts->policies;
    if (builder->view->driver == LINUX_DRIVER_NONE) {
        *policies = (struct linux_policies){.coordination = "none",
                                            .why = "no cpufreq driver, so there are none"};
        return;
    }
    if (builder->view->driver != LINUX_DRIVER_ACPI_CPUFREQ) {
        policies->count = platform->cpus_count;
        policies->largest_cpus = policies->affected_cpus = 1;
        policies->why = "this driver makes a policy of each CPU";
        return;
    }
    if (policies->affected_cpus == 1 && linux_quirk_applies(platform, LINUX_QUIRK_X6DLP)) {
        couple_packages(platform, policies);
        return;
    }
    if (!is_overridden || !cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_HW_PSTATE)) {
        return;
    }
    if (platform->identity.family >= 0x19 &&
        linux_builder_holds(builder, LINUX_RULE_AMD_PSD_TRUSTED)) {
        return;
    }
    all_single(platform,
               platform->identity.family < 0x19
                   ? "AMD below family 19h: Linux overrides _PSD, one CPU a policy"
                   : "AMD: this kernel overrides _PSD, one CPU a policy",
               policies);
    policies->coordination = "HW_ALL";
    policies->related_cpus = builder->facts->smt_siblings;
}
