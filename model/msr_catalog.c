#include "model/msr_catalog.h"

#include "model/msr_rules.h"

#include <stddef.h>

static const struct msr_table *const tables[] = {&msr_common_table, &msr_intel_table,
                                                 &msr_amd_table};

static const struct msr_rule *rule_at(uint32_t index)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        if (index < tables[i]->count) {
            return &tables[i]->rules[index];
        }
        index -= tables[i]->count;
    }
    return NULL;
}

uint32_t msr_catalog_count(void)
{
    return msr_common_table.count + msr_intel_table.count + msr_amd_table.count;
}

const struct msr_entry *msr_catalog_at(uint32_t index)
{
    const struct msr_rule *rule = rule_at(index);

    return rule == NULL ? NULL : &rule->entry;
}

const struct msr_entry *msr_catalog_find(enum cpu_vendor vendor, uint32_t msr)
{
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        const struct msr_rule *rule = rule_at(i);

        if (rule != NULL && rule->entry.msr == msr && (rule->vendors & MSR_VENDOR(vendor)) != 0) {
            return &rule->entry;
        }
    }
    return NULL;
}

static bool has_gate(const struct msr_rule *rule, const struct cpuid_set *cpuid)
{
    if (rule->gate == NULL) {
        return true;
    }
    return cpuid_has(cpuid, *rule->gate) || (rule->gate2 != NULL && cpuid_has(cpuid, *rule->gate2));
}

bool msr_catalog_allows(uint32_t index, const struct cpu_identity *identity,
                        const struct cpuid_set *cpuid)
{
    const struct msr_rule *rule = rule_at(index);

    if (rule == NULL || identity->avail != AVAIL_PRESENT ||
        (rule->vendors & MSR_VENDOR(identity->vendor)) == 0 ||
        identity->family < rule->first_family || identity->family > rule->last_family ||
        !cpuid_has(cpuid, CPU_FEATURE_MSR)) {
        return false;
    }
    if (rule->groups != 0 && (msr_intel_groups(identity->model) & rule->groups) == 0) {
        return false;
    }
    return has_gate(rule, cpuid);
}
