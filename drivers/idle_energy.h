#pragma once

#include "drivers/rapl.h"

/*
 * The package's energy over the sleeps of a set, where the CPU counts it: stretch by stretch, since the pauses
 * between them are the firmware's. On the CPU that sleeps.
 */
struct idle_energy {
    struct rapl_counters
        counters; /* PRESENT: the package's alone, the others would each be waited for */
    struct rapl_meter meter;
    bool is_open;        /* a stretch is being counted ... */
    uint64_t opened_tsc; /* ... from here */
    uint64_t uj;         /* of all stretches since the last clear ... */
    uint64_t inside_tsc; /* ... and their time */
    uint64_t uncertainty_ppm;
    const char *why; /* why it ended, or NULL */
};

/* Prepares to count with `counters`, whose package counter is PRESENT. */
void idle_energy_init(struct idle_energy *energy, const struct rapl_counters *counters);

/* The next set: nothing counted yet, and no stretch open. */
void idle_energy_clear(struct idle_energy *energy);

/* Counts from a step of the counter on, which comes within a millisecond. False with `why` when none comes. */
bool idle_energy_open(struct idle_energy *energy, const struct hw *hw, uint64_t tsc_hz);

/* Ends the stretch here, if one is open. */
void idle_energy_close(struct idle_energy *energy, const struct hw *hw);

/* What is counted so far, in time of the TSC. */
uint64_t idle_energy_so_far_tsc(const struct idle_energy *energy, const struct hw *hw);
