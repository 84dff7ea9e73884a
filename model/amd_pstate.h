#pragma once

#include "model/cpu_id.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * AMD P-state definition registers, MSR C001_0064 to C001_006B: kernel-facts section 9 and the BKDG/PPR of
 * each family, "MSRC001_00[6B:64] P-state Registers". Integer arithmetic, no machine access.
 */
#define AMD_MSR_PSTATE_LIMIT 0xC0010061U
#define AMD_MSR_PSTATE_CONTROL 0xC0010062U
#define AMD_MSR_PSTATE_STATUS 0xC0010063U
#define AMD_MSR_PSTATE_FIRST 0xC0010064U
#define AMD_PSTATES 8U

enum amd_pstate_encoding {
    AMD_PSTATE_UNKNOWN = 0, /* family without a documented decode: print the raw value only */
    AMD_PSTATE_OFF,         /* bit 63 is clear: no such P-state */
    AMD_PSTATE_INVALID,     /* enabled, but the divisor is reserved: cof_mhz is 0 */
    AMD_PSTATE_DECODED
};

struct amd_pstate {
    enum amd_pstate_encoding encoding;
    uint32_t fid;
    uint32_t did;
    uint32_t vid;
    uint32_t cof_mhz;     /* core operating frequency; meaningful when DECODED (also set when OFF
                                and decodable, 0 otherwise) */
    uint32_t idd_value;   /* current, before the divisor */
    uint32_t idd_divisor; /* 1, 10, 100; 0 reserved */
    uint64_t voltage_uv;  /* 0: off, or the voltage interface is not known for this model */
    uint64_t power_mw;    /* voltage * current, an upper bound per core; 0 when not known */
};

/* Decodes one definition register of a CPU of vendor, family and model. */
void amd_pstate_decode(const struct cpu_identity *identity, uint64_t raw,
                       struct amd_pstate *ret_pstate);

/* The frequency that Linux 6.12 would put into a _PSS row of family 10h below model 0Ah or family 11h
 * (drivers/acpi/processor_perflib.c amd_fixup_frequency), or 0 where it changes nothing. */
uint32_t amd_pstate_linux_fixup_mhz(const struct cpu_identity *identity, uint64_t raw);

/* Whether definition registers before those of software P-state 0 may be boost states (families 10h to 16h):
 * their number is in PCI 0:18.4 register 15CH [4:2], and P-state n is register n + that number. */
bool amd_pstate_counts_boost_states(const struct cpu_identity *identity);
