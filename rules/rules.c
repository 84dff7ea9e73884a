#include "rules/rule.h"
#include "rules/subjects.h"

#include <stddef.h>
#include <string.h>

static const struct rule *const subjects[] = {
    table_rules,   fadt_rules,        fadt_power_rules,    madt_rules,      pcct_rules,
    pcc_rules,     hpet_rules,        processor_rules,     handshake_rules, aml_rules,
    pss_rules,     pss_row_rules,     pss_set_rules,       pct_rules,       ppc_rules,
    psd_rules,     cpc_rules,         cpc_register_rules,  cpc_field_rules, cpc_value_rules,
    cpc_set_rules, cst_rules,         cst_register_rules,  cst_set_rules,   csd_rules,
    lpi_rules,     cross_rules,       repair_rules,        amd_rules,       amd_cppc_rules,
    intel_rules,   intel_limit_rules, clock_rules,         frequency_rules, frequency_boost_rules,
    idle_rules,    idle_claims_rules, idle_counters_rules, mp_rules,        request_rules,
    work_rules,    linux_rules,       run_rules,
};

#define SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

uint32_t rules_count(void)
{
    uint32_t count = 0;

    for (size_t s = 0; s < SUBJECTS; s++) {
        for (const struct rule *rule = subjects[s]; rule->id != NULL; rule++) {
            count++;
        }
    }
    return count;
}

const struct rule *rules_at(uint32_t index)
{
    for (size_t s = 0; s < SUBJECTS; s++) {
        for (const struct rule *rule = subjects[s]; rule->id != NULL; rule++) {
            if (index-- == 0) {
                return rule;
            }
        }
    }
    return NULL;
}

const struct rule *rules_find(const char *id)
{
    for (size_t s = 0; s < SUBJECTS; s++) {
        for (const struct rule *rule = subjects[s]; rule->id != NULL; rule++) {
            if (strcmp(rule->id, id) == 0) {
                return rule;
            }
        }
    }
    return NULL;
}

void rules_run(const struct platform *platform, struct findings *findings)
{
    for (size_t s = 0; s < SUBJECTS; s++) {
        for (const struct rule *rule = subjects[s]; rule->id != NULL; rule++) {
            rule->check(rule, platform, findings);
        }
    }
}
