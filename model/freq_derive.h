#pragma once

#include "model/freq.h"
#include "model/platform.h"

/*
 * From counts to figures. APERF counts the core's clocks and MPERF those of a fixed rate, both in C0 only (SDM vol.
 * 3B, 15.2 P-State Hardware Coordination; APM vol. 2, 17.3 Effective Frequency), so
 *
 *     effective_khz = mperf_khz * dAPERF / dMPERF
 *
 * MPERF's rate is the TSC's on most parts and a little off it on some, so it is measured: the most that it did
 * over any window of that CPU, in which it was never halted.
 */

/* Parts per billion of the TSC's rate at which MPERF of `cpu` counts when it is never halted; 0: not known. */
uint64_t freq_mperf_ppb(const struct platform *platform, uint32_t cpu);

/* How well the TSC's rate is known. */
uint64_t freq_clock_ppm(const struct platform *platform);

/* The figure of one window; khz is 0 when there is none to be had. uncertainty_ppm: how far apart the reads of a
 * stamp lay, for all stamps together, and what the TSC's rate is uncertain by. */
struct freq_figure freq_figure_of(const struct freq_counts *counts, uint64_t tsc_hz,
                                  uint64_t mperf_ppb, uint64_t clock_ppm);

/* max(half a bus clock, 0.5 % of khz, the uncertainty): how far a measured frequency may lie from the one asked
 * for. */
uint64_t freq_tolerance_khz(const struct platform *platform, uint32_t cpu, uint64_t khz,
                            uint64_t uncertainty_ppm);

/* Slices that differ by more than this are a clock that was not steady. */
#define FREQ_STEADY_PPM UINT64_C(5000)
bool freq_is_steady(const struct freq_counts *counts);

/* Why the counts give no figure, in words; NULL when they do. */
const char *freq_no_figure_why(const struct freq_counts *counts);

/* "power limit, PROCHOT"; "" for none. Gives the text. */
const char *freq_causes_text(uint32_t causes, char *text, size_t text_bytes);

/* The bits that freq_causes_text has put into words; words that it does not know are left out. */
uint32_t freq_causes_of_text(const char *text);

/* Bits of enum freq_cause that a value of one of these registers means. */
uint32_t freq_causes_of_core(uint64_t therm_status);    /* IA32_THERM_STATUS 19CH */
uint32_t freq_causes_of_package(uint64_t therm_status); /* IA32_PACKAGE_THERM_STATUS 1B1H */
uint32_t freq_causes_of_limits(uint64_t limit_reasons); /* CORE_PERF_LIMIT_REASONS 64FH, 690H */

/* Fills every derived field of the frequencies of `platform`. Called by platform_freeze. */
void freq_derive(struct platform *platform);
