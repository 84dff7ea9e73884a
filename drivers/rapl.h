#pragma once

#include "drivers/hw.h"
#include "model/rapl.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Energy over an interval, from the counters of the CPU that calls (its package's, and on AMD its own core's). A
 * counter moves only about once a millisecond, so an interval begins and ends where a counter was seen to move;
 * how closely that was seen is part of the reading. Everything runs on one CPU, uses rdmsr and tsc only, and may
 * be called inside run_on_cpus.
 *
 *     rapl_meter_init(&meter, &counters, tsc_hz);
 *     rapl_meter_begin(hw, &meter);       waits for the edge
 *     ... the work; rapl_meter_keep(hw, &meter) now and then ...
 *     rapl_meter_end(hw, &meter);         waits for the next edge
 *     rapl_meter_reading(&meter, RAPL_PACKAGE, &reading);
 *
 * Who cannot stand idle at an edge works on in short pieces between rapl_meter_arm and the rapl_meter_poll that
 * gives true; who sleeps up to the end and must not be awake for a millisecond uses rapl_meter_end_now.
 */
struct rapl_edge {
    bool is_seen;
    uint64_t tsc;       /* middle of the gap in which the counter moved */
    uint64_t width_tsc; /* of that gap */
};

struct rapl_track {
    bool is_counting; /* the counter is there and was seen to move */
    uint64_t last_raw;
    uint64_t last_tsc;
    uint64_t steps; /* since the first edge */
    struct rapl_edge begin;
    struct rapl_edge end;
    const char *why; /* why it is not counting */
};

struct rapl_meter {
    const struct rapl_counters *counters;
    uint64_t tsc_hz;
    uint64_t armed_tsc;
    uint64_t edge_wait_us; /* RAPL_EDGE_WAIT_US, or what the caller sets after init */
    bool is_at_end;        /* the edge that is waited for ends the interval */
    struct rapl_track track[RAPL_DOMAINS];
};

struct rapl_reading {
    enum avail avail;
    const char *why;          /* when not PRESENT */
    uint64_t uj;              /* used between the two edges ... */
    uint64_t span_tsc;        /* ... which lie this far apart: not the caller's own interval */
    uint64_t uncertainty_ppm; /* of uj / span_tsc, the power */
};

/* A counter that has not moved after so long does not count, or its steps are too coarse for short intervals. */
#define RAPL_EDGE_WAIT_US UINT64_C(50000)

/* `counters` must outlive the meter. tsc_hz must not be 0. */
void rapl_meter_init(struct rapl_meter *meter, const struct rapl_counters *counters,
                     uint64_t tsc_hz);

/* Waits for an edge of every counter. False when none of them counts: the readings then say why. */
bool rapl_meter_begin(const struct hw *hw, struct rapl_meter *meter);

/* Adds up what the counters moved, so that they may wrap: at least once a rapl_wrap_ms. */
void rapl_meter_keep(const struct hw *hw, struct rapl_meter *meter);

/* Waits for the next edge of every counter that counts. */
void rapl_meter_end(const struct hw *hw, struct rapl_meter *meter);

/* Ends here and now. The last update lies up to a millisecond back, which the uncertainty says. */
void rapl_meter_end_now(const struct hw *hw, struct rapl_meter *meter);

/* The same without waiting: arm, then poll until it gives true (all edges seen, or RAPL_EDGE_WAIT_US over). */
void rapl_meter_arm(const struct hw *hw, struct rapl_meter *meter, bool is_at_end);
bool rapl_meter_poll(const struct hw *hw, struct rapl_meter *meter);

/* What one counter gave between its two edges. */
void rapl_meter_reading(const struct rapl_meter *meter, enum rapl_domain domain,
                        struct rapl_reading *ret_reading);
