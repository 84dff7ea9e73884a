#pragma once

#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/* The clock that Intel ratios multiply: kernel-facts 4.6 and 8.6. */
struct bus_clock {
    enum avail avail; /* PRESENT: khz holds it; ABSENT: the index is unknown; UNTRIED: not read */
    uint64_t khz;     /* as intel_pstate rounds it: 83300, 100000, 133300, ... */
    uint64_t tsc_mul; /* the TSC code's exact 100 MHz * tsc_mul / tsc_div; 0 where it has none */
    uint64_t tsc_div;
    const char *from;
};

/* Whether this Intel model selects its bus clock by MSR CDH FSB_FREQ. */
bool bus_clock_is_selected(const struct cpu_identity *identity);

/* The bus clock of an Intel model; fsb_freq is MSR CDH, looked at only where bus_clock_is_selected. An
 * unknown index gives ABSENT: then only ratios may be shown, never frequencies. */
void bus_clock_decode(const struct cpu_identity *identity, struct msr_value fsb_freq,
                      struct bus_clock *ret_clock);

/* The same for CPU `cpu` of a snapshot. */
void bus_clock_of(const struct platform *platform, uint32_t cpu, struct bus_clock *ret_clock);

/* TSC rate in kHz from a ratio, as Linux 6.12 arch/x86/kernel/tsc_msr.c rounds it; 0 when not known. */
uint64_t bus_clock_tsc_khz(const struct bus_clock *clock, uint64_t ratio);
