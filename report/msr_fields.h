#pragma once

#include "model/cpu_id.h"

#include <stdint.h>

/*
 * The documented bit fields of the MSRs that concern P-states, idle states and
 * power, for a reader's eye. Sources: Intel SDM vol. 4 (June 2024), chapter 2,
 * under the MSR's own number; AMD PPR for family 17h model 31h and its
 * successors, MSRC001_0015 to MSRC001_02B4.
 */
struct msr_field {
    uint32_t msr;
    enum cpu_vendor vendor; /* VENDOR_AMD also stands for Hygon; VENDOR_UNKNOWN:
                             both makers */
    uint8_t family_low;     /* AMD: families that have it so; 0 to 255 for any */
    uint8_t family_high;
    uint8_t high; /* bits [high:low] */
    uint8_t low;
    const char *name;
};

/* Field `index` of this MSR on this CPU, from the lowest bits up; NULL behind
 * the last one. */
const struct msr_field *msr_field_at(const struct cpu_identity *identity, uint32_t msr,
                                     uint32_t index);
