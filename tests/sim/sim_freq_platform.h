#pragma once

#include "drivers/frequency_measure.h"
#include "tests/sim/sim_freq.h"
#include "tests/sim/sim_platform.h"

/* A snapshot that fits a simulated machine: an Intel CPU with APERF, EIST and MWAIT, a _PCT of MSRs and a _PSS with
 * these frequencies. Free it with sim_platform_free. */
void sim_freq_platform(const struct sim_freq *machine, struct sim_platform *sim,
                       const uint64_t *claimed_mhz);

/* Gives row `row` of the _PSS this control and status value; to be called before sim_freq_run. */
void sim_freq_claim(struct sim_platform *sim, uint32_t row, uint64_t control);

/* Measures the machine into the snapshot and derives the figures. */
void sim_freq_run(struct sim_freq *machine, struct sim_platform *sim);
