#pragma once

#include "drivers/timing.h"
#include "model/platform.h"
#include "model/step.h"

/*
 * Idle states and port costs, measured on all CPUs. Where the first CPU of each package and kind is asked for
 * every length of sleep, the others for one; a time limit cuts samples, and that is said.
 */
struct idle_measure {
    const struct hw *hw;
    const struct timing *timing;    /* the boot CPU's core; NULL: nothing can be timed */
    const struct timing_crew *crew; /* NULL: only the boot CPU is measured */
    /* Says what is under way, at most some times a second: "CPU 3: C2 by port 0x414", and about how many
     * seconds are left. May be NULL. */
    bool (*progress)(void *context, const char *what, uint64_t left_s);
    void *progress_context;
    /* Is told each way of going idle before it is first entered, as a part of IDLE_MEASURE_STEP, and knows which ones an
     * earlier run did not come back from. May be NULL. */
    const struct step_listener *steps;
};

/* The names of the group's steps in the journal: the boot CPU's part, and that of all others. */
#define IDLE_MEASURE_STEP "time idle states and port reads"
#define IDLE_OTHERS_STEP "time idle states of the other CPUs"

/*
 * Fills platform->idle, idle_not_timed, port_costs, tsc_gaps and idle_skipped. Without a timing
 * core (timing is NULL, or hw is not live) only idle_skipped. Under a hypervisor or emulator, whose figures
 * mean nothing, one length on the boot CPU, unless the options ask for the idle group alone.
 */
void idle_measure(const struct idle_measure *measure, struct platform *platform);
