#pragma once

#include "drivers/bus_master.h"
#include "drivers/idle_energy.h"
#include "drivers/idle_meters.h"
#include "drivers/timing.h"
#include "model/histogram.h"
#include "model/idle.h"

/*
 * Many passes of one way of going idle, folded into a sample set. Runs on whichever CPU owns the timing
 * core; calls no firmware but through the core, and writes only what it is given.
 */

/* Where the samples of one set are gathered: about a quarter of a megabyte, used again for the next. */
struct idle_tally {
    struct histogram first;
    struct histogram dummy;
    struct histogram asleep;
    struct histogram exit;
    struct histogram handler;
    struct histogram ran_on;
    struct histogram flush;
};

/* One CPU that measures. Zeroed by the owner, then the fields above the line are set. */
struct idle_sampler {
    const struct hw *hw;
    const struct timing *timing;
    struct idle_tally *tally;
    struct sample_store *samples; /* where the histograms are kept; NULL: nowhere */
    uint64_t tsc_hz;              /* not 0 */
    uint64_t stretch_tsc;         /* how long until measuring has to pause; 0: never */
    uint64_t rescue_tsc;          /* a pass may take this long where the timer may stop */
    uint64_t end_tsc;             /* when measuring has to be over; 0: no limit */
    bool has_gaps;    /* the TSC was seen to jump: samples that look like it are dropped */
    uint64_t *passes; /* odd while in a pass, for the CPU that watches; or NULL */
    struct idle_meters meters;
    struct bus_master bus;
    /* What is done in a pause; NULL: the core breathes. False with `why`. Sets stretch_start_tsc, and stretch_tsc
     * where the next stretch is of another length. */
    bool (*pause)(struct idle_sampler *sampler);
    void *pause_context;
    /* Tells the CPU that watches, before a pass that would outlast watch_tsc from watch_start_tsc on, that all is
     * well; sets watch_start_tsc. NULL: nobody has to be told. */
    void (*renew)(struct idle_sampler *sampler);
    uint64_t watch_tsc;
    uint64_t watch_start_tsc;
    struct idle_energy *energy; /* NULL: not to be had, or not asked for */

    /* Set by idle_sampler_calibrate. */
    uint64_t overhead_tsc;    /* two stamps with nothing between */
    uint64_t bare_dummy_tsc;  /* a PM-timer read: median ... */
    uint64_t dummy_noise_tsc; /* ... and from there to its 99th percentile */
    struct distribution dummy_read_tsc;

    uint64_t stretch_start_tsc;
    uint64_t stretch_lost_tsc; /* of the sleeps since then: what the TSC did not see */
    uint64_t watch_lost_tsc;   /* what it was when the watch was last renewed */
    const char *why;           /* why measuring ended early (static text), or NULL */
};

/* Measures the stamps' overhead, and the PM timer where there is one. False with `why` when the core
 * fails. The machine must have been taken. */
bool idle_sampler_calibrate(struct idle_sampler *sampler, const struct port_sequence *pm_timer);

/* What the first read of the way costs when it cannot stop: with the wake-up waiting. */
struct idle_bare {
    uint64_t first_tsc; /* median */
    uint64_t noise_tsc; /* from there to the 99th percentile */
    struct distribution read_tsc;
};

/* UNSUPPORTED when this way cannot be entered on this core, FAULT when it raises an exception. */
enum status idle_sampler_bare(struct idle_sampler *sampler, const struct idle_way *way,
                              uint64_t wanted, struct idle_bare *ret_bare);

/*
 * Up to `wanted` undisturbed sleeps of sleep_ns. Fills everything of *ret_set that the way and the samples
 * say; cpu, watched_by, others and is_sweep are the caller's. False when there was no sample at all.
 */
bool idle_sampler_sleep(struct idle_sampler *sampler, const struct idle_way *way,
                        const struct idle_bare *bare, uint64_t sleep_ns, uint64_t wanted,
                        struct idle_sample_set *ret_set);
