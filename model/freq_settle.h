#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * When did a clock settle? Read from the lengths of short loops of fixed work that ran back to back from just
 * after the request on.
 */

/* A loop at a steady clock: the median of the lengths, and how far nine in ten lie from it at most. */
struct freq_loop {
    uint64_t median_tsc;
    uint64_t noise_tsc;
};

/* Of the last FREQ_LOOP_KEPT of `count` lengths. median_tsc is 0 without any. */
#define FREQ_LOOP_KEPT 64U
void freq_loop_of(const uint32_t *step_tsc, uint32_t count, struct freq_loop *ret_loop);

/* Whether two clocks can be told apart by such loops. */
bool freq_loops_differ(const struct freq_loop *a, const struct freq_loop *b);

/* Whether a loop was run at the clock of `at` rather than at that of `other`, or between them. */
bool freq_loop_is_at(const struct freq_loop *loop, const struct freq_loop *at,
                     const struct freq_loop *other);

enum freq_settled {
    FREQ_SETTLED = 0,
    FREQ_NOT_SETTLED /* the last loops were not at the new clock */
};

/*
 * The time from the request to the last loop that was not yet at the clock of `to`; lead_tsc is from the request
 * to the first loop. A single long loop is an SMI and no change of the clock. The loop in which the clock
 * changed is shared out by what it would have taken at either clock, so that the resolution is finer
 * than a loop.
 */
enum freq_settled freq_settle_find(const uint32_t *step_tsc, uint32_t count, uint64_t lead_tsc,
                                   const struct freq_loop *from, const struct freq_loop *to,
                                   uint64_t *ret_settle_tsc);
