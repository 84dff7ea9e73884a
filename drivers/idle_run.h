#pragma once

#include "drivers/idle_sample.h"

/*
 * What the files of the sampler share: idle_sample.c makes the passes, idle_reading.c says what a pass means,
 * idle_fill.c sums up.
 */

struct idle_votes {
    uint64_t first;
    uint64_t dummy;
    uint64_t late; /* after the last read: the CPU ran on */
    uint64_t none;
};

/* One set under way. */
struct idle_run {
    struct idle_sampler *sampler;
    const struct port_sequence *sequence;
    const struct idle_bare *bare;
    struct idle_votes votes;
    uint64_t kept;
    uint64_t dropped;
    uint64_t bus_busy;
    uint64_t passes;
    uint64_t never_woke;
    uint64_t wanted;
    uint64_t usual_tsc; /* how long a pass takes, but for its way out */
    uint64_t pass_tsc;  /* the longest that one pass may take */
    uint64_t spent_tsc; /* asleep, in samples and in what only warmed up */
    uint8_t bus;        /* IDLE_BUS_* around each pass */
    bool is_late;
    bool is_spoilt; /* a pass was disturbed: counters have more than spent_tsc */
    enum status status;
};

/* A difference of stamps, which noise may turn round. */
static inline uint64_t less(uint64_t value, uint64_t amount)
{
    return value > amount ? value - amount : 0;
}

/* Counts one pass: kept in the sampler's tally, or dropped. */
void idle_run_take(struct idle_run *run, const struct port_stamps *stamps);

/* Takes the first pass after a pause: no sample, but the CPU slept in it. */
void idle_run_warm_up(struct idle_run *run, const struct port_stamps *stamps);

/* Fills what the way and the tally say: where it stopped, and the distributions. */
void idle_run_fill(const struct idle_run *run, const struct idle_way *way,
                   struct idle_sample_set *set);
