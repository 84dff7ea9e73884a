#pragma once

#include "model/platform.h"

#include <stdint.h>

/*
 * The highest ratio that Intel's turbo limit registers allow while so many cores of a package are active.
 * Sources: SDM vol. 4, MSR 1ADH to 1AFH of each model; for 66CH, which no manual has, and for the group models
 * kernel-facts 4.5.
 */
struct turbo_step {
    uint32_t
        cores; /* active cores up to which it holds; UINT32_MAX: any number above the step before */
    uint64_t ratio; /* of the bus clock */
};

#define TURBO_STEPS 18U

struct turbo_limit {
    enum avail avail; /* UNTRIED: a register is not in the snapshot; ABSENT: the part has none */
    uint32_t
        count; /* steps, by rising number of cores and falling ratio; equal neighbours are joined */
    struct turbo_step steps[TURBO_STEPS];
    const char *from; /* "MSR 1ADH"; the reason where it is not PRESENT */
};

/* The limits of CPU `cpu`. Where bit 38 of MSR 1A0H has turbo off they are still what the registers say. */
void turbo_limit_of(const struct platform *platform, uint32_t cpu, struct turbo_limit *ret_limit);

/* The ratio that a value of MSR 1ADH allows one core: [7:0], on Knights Landing and Mill [15:8]. */
uint64_t turbo_limit_one_core(const struct platform *platform, uint64_t turbo_ratio_limit);
