#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * The registers by which a frequency is asked for or boost is switched: the only ones of the processor, beside
 * the timer of the local APIC, that this program ever writes. Of each only the bits of `mask` may change.
 */
enum one_way {
    ONE_WAY_NOT = 0, /* can be put back, and is */
    ONE_WAY_CPPC,    /* stays set until reset: only with --allow=cppc-enable */
    ONE_WAY_HWP      /* the same: only with --allow=hwp-enable */
};

struct request_register {
    uint32_t msr;
    const char *name; /* the vendor's name */
    uint64_t mask;
    enum one_way one_way;
    const char *source; /* document and section */
};

uint32_t request_register_count(void);
const struct request_register *request_register_at(uint32_t index);

/* The register, or NULL when this MSR is none. */
const struct request_register *request_register_find(uint32_t msr);

/*
 * What a run did to those registers, for the report. Kept in the snapshot because no other program can tell
 * afterwards.
 */
struct request_account {
    bool was_opened;   /* registers were saved so that they could be changed */
    bool has_set_cppc; /* CPPC_ENABLE was set, as --allow said, and stays set until reset */
    bool has_set_hwp;  /* the same of IA32_PM_ENABLE */
    uint32_t saved;    /* registers, counted on every CPU */
    uint32_t writes;   /* how often one was given another value */
    uint32_t left;     /* how many did not read as before at the end, or could not be looked at */
    const char *not_opened_why; /* why no register was touched, or NULL */
};

enum request_end {
    REQUEST_END_DIFFERENT = 0, /* reads another value than before */
    REQUEST_END_FAULTED,       /* cannot be read or written any more */
    REQUEST_END_NO_ANSWER      /* the CPU did not come back: not known */
};

enum request_where {
    REQUEST_IN_MSR = 0,
    REQUEST_IN_PORT,  /* _PCT's control register */
    REQUEST_IN_MEMORY /* a register of _CPC in PCC shared memory */
};

struct request_left {
    uint32_t cpu;
    uint32_t msr; /* REQUEST_IN_MSR */
    enum request_end end;
    enum request_where where;
    uint64_t address; /* of the port or in memory */
    uint64_t before;  /* within the register's mask */
    uint64_t after;   /* DIFFERENT only */
};
