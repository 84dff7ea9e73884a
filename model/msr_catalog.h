#pragma once

#include "model/cpu_id.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The only MSRs that Assay reads, each with the CPUs whose vendor documents it: an allow-list by
 * model, since reading an undocumented MSR may hang a machine. On a model that the list does not
 * know only the architectural ones are read.
 */
struct msr_entry {
    uint32_t msr;
    const char *name;      /* the vendor's name without the MSR_ prefix, e.g. "PLATFORM_INFO" */
    const char *source;    /* document and section */
    bool is_per_package;   /* reads alike on all CPUs of a package by design */
    bool is_architectural; /* may be read on any CPU of the vendor that has the feature bit */
};

/* How many entries the catalogue has, and entry `index`. */
uint32_t msr_catalog_count(void);
const struct msr_entry *msr_catalog_at(uint32_t index);

/* The entry for `msr` on this vendor, or NULL. */
const struct msr_entry *msr_catalog_find(enum cpu_vendor vendor, uint32_t msr);

/* Whether entry `index` may be read on this CPU: vendor, family, model and CPUID feature bits. */
bool msr_catalog_allows(uint32_t index, const struct cpu_identity *identity,
                        const struct cpuid_set *cpuid);
