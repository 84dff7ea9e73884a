#pragma once

#include "model/platform.h"

#include <stdint.h>

/*
 * The extended frequency table: mission S1; kernel-facts 1.4, 1.5. Two forms of the highest boost clock are
 * kept, because kernels differ: the table's boost row and max_boost_khz are P0 * ratio >> 10 (Linux 5.11, both
 * remedies of S1); cpuinfo_max_khz starts from _CPC nominal_freq where that is given (Linux 6.16 and the stable
 * kernels that took the same fix). They are equal on a machine whose P0 is its nominal frequency.
 */

/* (numerator << 10) / nominal, or 0 when either is 0 or numerator < nominal: no boost. */
uint64_t frequency_boost_ratio_1024(uint64_t numerator, uint64_t nominal);

/* khz * ratio_1024 >> 10, saturating. */
uint64_t frequency_scale_khz(uint64_t khz, uint64_t ratio_1024);

/* ((numerator << 10) / nominal + 1024) / 2: Linux 6.12 arch/x86/kernel/acpi/cppc.c amd_set_max_freq_ratio.
 * 0 when either is 0. */
uint64_t frequency_midpoint_ratio_1024(uint64_t numerator, uint64_t nominal);

/* Why Linux 6.12 gets no performance capabilities from this processor's _CPC (drivers/acpi/cppc_acpi.c
 * cppc_get_perf_caps: highest, nominal, lowest and lowest_nonlinear must be read and not be 0), or NULL when it
 * does. */
const char *frequency_no_caps_why(const struct platform *platform,
                                  const struct processor *processor);

/* Fills platform->frequency from the first CPU (in CPU order) that has a _PSS, as Linux sees it. */
void frequency_derive(struct platform *platform);
