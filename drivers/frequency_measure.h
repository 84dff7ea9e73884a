#pragma once

#include "drivers/hw.h"
#include "drivers/timing.h"
#include "model/platform.h"
#include "model/step.h"

/*
 * What the clocks really do: the group "frequency". Every CPU is measured under every request that its firmware
 * offers, then boost by active cores, each core alone, boost off and on, and how long a changed request takes. All
 * CPUs run in one call of the MP services, as for idle states; all requests are put back on every way out.
 */
struct frequency_measure {
    const struct hw *hw;
    const struct timing *timing;    /* the boot CPU's core; NULL: nothing can be measured */
    const struct timing_crew *crew; /* NULL: only the boot CPU is measured */
    /* Says what is under way, at most some times a second, and about how many seconds are left. False: a person
     * ends it here. May be NULL. */
    bool (*progress)(void *context, const char *what, uint64_t left_s);
    void *progress_context;
    /* Is told each request, and each kind of measurement, before it begins, as a part of FREQUENCY_MEASURE_STEP, and knows
     * which ones an earlier run did not come back from: they are left out everywhere. May be NULL. */
    const struct step_listener *steps;
};

/* The group's name in the journal. */
#define FREQUENCY_MEASURE_STEP "measure frequencies"

/* Fills platform->freq, freq_boosts, freq_settlings, freq_refusals and freq_skipped. With --read-only, without APERF
 * and MPERF or without a rate of the TSC only freq_skipped. */
void frequency_measure(const struct frequency_measure *measure, struct platform *platform);
