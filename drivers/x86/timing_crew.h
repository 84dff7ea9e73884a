#pragma once

#include "drivers/x86/timing_native.h"
#include "model/arena.h"

/* The timing cores of all CPUs, made as they are asked for; lives in memory that is never freed. */
struct native_crew {
    struct timing_crew crew; /* what the rest of the program gets */
    struct arena *arena;
    const struct platform *platform; /* for the APIC ids */
    struct timing_native *boot;
    uint32_t count;
    struct timing_native **cores; /* by CPU; NULL until asked for */
};

void native_crew_init(struct native_crew *native, struct timing_native *boot,
                      const struct platform *platform, struct arena *arena);
