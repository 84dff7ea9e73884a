#pragma once

#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What Linux 6.12 takes for the highest clock when it makes utilisation frequency-invariant: kernel-facts 4.1
 * and 4.3 (arch/x86/kernel/cpu/aperfmperf.c intel_set_max_freq_ratio, arch/x86/kernel/acpi/cppc.c
 * amd_set_max_freq_ratio). Pure over the snapshot.
 */
struct invariance {
    const char *method;   /* "slv", "skx1", "knl", "skx4", "core", "amd_midpoint", "none" */
    uint64_t base_ratio;  /* Intel: bus clock multiples; AMD: nominal_perf */
    uint64_t turbo_ratio; /* Intel: bus clock multiples; AMD: the boost numerator */
    uint64_t ratio_1024;  /* maximum by base clock, times 1024; 0 when there is none */
    uint64_t max_khz;     /* base clock * ratio_1024 >> 10; 0 when the base clock is not known */
    bool is_active;       /* Linux really uses it on this CPU */
    const char *why;
};

/* From CPU 0, as Linux does. The numerator on AMD is model/boost_numerator.h's. */
void invariance_derive(const struct platform *platform, struct invariance *ret_invariance);
