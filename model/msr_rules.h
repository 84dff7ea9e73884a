#pragma once

#include "model/msr_catalog.h"

#include <stdint.h>

/*
 * How the allow-list is kept: an entry and who may read it. Only model/msr_catalog.c and the tables include
 * this. An entry is allowed when the vendor and family fit, the CPUID bit (if any) is set, and, with `groups`
 * not 0, the model's own row (Intel) has one of those groups.
 */
#define MSR_VENDOR(vendor) (1U << (vendor))

struct msr_rule {
    struct msr_entry entry;
    uint32_t vendors;                /* MSR_VENDOR bits */
    const struct cpu_feature *gate;  /* NULL: no CPUID bit tells */
    const struct cpu_feature *gate2; /* or this one; NULL: none */
    uint64_t groups;                 /* 0: not bound to models */
    uint32_t first_family;           /* display family; 0: any */
    uint32_t last_family;
};

/* A table of rules, ascending by MSR within itself. */
struct msr_table {
    const struct msr_rule *rules;
    uint32_t count;
};

extern const struct msr_table msr_common_table;
extern const struct msr_table msr_intel_table;
extern const struct msr_table msr_amd_table;

/* The groups of MSRs that an Intel family 6 model has; 0 for a model that the list does not know. */
uint64_t msr_intel_groups(uint32_t model);
