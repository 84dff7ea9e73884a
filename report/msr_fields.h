#pragma once

#include "model/cpu_id.h"
#include "model/textbuf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The documented bit fields of the MSRs that concern P-states, idle states and power, for a reader's eye. What is
 * listed is certain for the models it is listed for; bits that no field covers are shown as they are, and nothing is
 * claimed of them.
 */
struct msr_field {
    uint32_t msr;
    enum cpu_vendor vendor; /* VENDOR_AMD also stands for Hygon; VENDOR_UNKNOWN: both makers */
    uint8_t family_low;     /* AMD: families that have it so; 0 to 255 for any */
    uint8_t family_high;
    uint16_t kinds; /* Intel: kinds of model that have it so; 0: architectural */
    uint8_t high;   /* bits [high:low] */
    uint8_t low;
    bool is_hex; /* not a number to count with */
    const char *name;
};

/* Field `index` of this MSR on this CPU, from the lowest bits up; NULL behind the last one. */
const struct msr_field *msr_field_at(const struct cpu_identity *identity, uint32_t msr,
                                     uint32_t index);

/* All of a value: "[2:0] package C-state limit 2, [15] locked 1, other bits 0x400"; nothing for an MSR without
 * listed fields. Returns how many there are. */
uint32_t msr_fields_text(const struct cpu_identity *identity, uint32_t msr, uint64_t value,
                         struct textbuf *out);
