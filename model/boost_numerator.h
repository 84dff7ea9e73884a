#pragma once

#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Which performance number stands for the highest clock. On AMD parts with preferred cores the firmware's
 * highest_perf is a ranking of the cores and not a point of the frequency scale, which ends at 166 or 196
 * there: kernel-facts 2.8 and Linux 6.12 arch/x86/kernel/acpi/cppc.c amd_get_boost_ratio_numerator.
 */
struct boost_numerator {
    enum avail avail; /* ABSENT: no highest_perf could be read */
    uint64_t value;
    uint64_t firmware_value; /* highest_perf as the firmware (or MSR C001_02B0) gives it */
    bool is_ranked;          /* the CPUs of the machine differ in highest_perf */
    bool is_verified;        /* false: the CPU is not one whose scale is known */
    const char *why;         /* static */
};

/* The numerator for one processor of the snapshot. Looks at every CPU to see whether they are ranked, so ask once
 * per machine or per kind, not once per CPU. */
void boost_numerator_choose(const struct platform *platform, const struct processor *processor,
                            struct boost_numerator *ret_numerator);

/* highest_perf of a processor as Linux reads it on AMD: MSR C001_02B0 [31:24] of that CPU where CPUID
 * 80000008H EBX[27] is set and the MSR was read, else _CPC. 0 when it could not be had. */
uint64_t boost_numerator_highest(const struct platform *platform,
                                 const struct processor *processor);
