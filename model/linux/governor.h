#pragma once

#include "model/linux/version.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * schedutil as a step-by-step loop over utilisation. The static map: PELT only delays convergence, the
 * fixed point is that of the map. Source: Linux kernel/sched/cpufreq_schedutil.c get_next_freq and
 * arch/x86/kernel/cpu/aperfmperf.c scale_freq_tick, by version as governor_form_at says.
 *
 * What is really delivered when P0 is asked for, and the row from which the loop starts, decide how it
 * ends: they are inputs, and every output repeats them.
 */

#define GOVERNOR_CAPACITY 1024U /* SCHED_CAPACITY_SCALE */
#define GOVERNOR_STEPS 30U      /* a loop over a table settles or cycles well before that */
#define GOVERNOR_ROWS 256U

/* How the next frequency follows from utilisation. */
enum governor_form {
    GOVERNOR_MAX_PLUS_QUARTER = 0, /* to 5.13: (max + max/4) * util / 1024 */
    GOVERNOR_UTIL_PLUS_QUARTER,    /* 5.14 to 6.7: max * (util + util/4) / 1024 */
    GOVERNOR_CLIPPED,              /* 6.8 on: max * min(util + util/4, 1024) / 1024 */
    GOVERNOR_CLIPPED_EARLY /* 6.8-rc1: the same, without headroom where nothing is invariant */
};

enum governor_form governor_form_at(struct linux_version version);
const char *governor_form_text(enum governor_form form);

/*
 * scale_freq_tick of arch/x86/kernel/cpu/aperfmperf.c: how much of the maximum that `ratio_1024` stands for the CPU ran
 * at between two ticks, in 1024ths and never above 1024, from the differences of APERF and MPERF. Returns false
 * where Linux gives frequency invariance up for good ("went wobbly"): overflow, a standing MPERF, or no APERF.
 */
bool governor_tick_scale(uint64_t aperf, uint64_t mperf, uint64_t ratio_1024, uint32_t *ret_scale);

struct governor_input {
    uint32_t rows_count; /* 1..GOVERNOR_ROWS */
    const uint64_t
        *row_khz;    /* strictly descending; a boost row, where the kernel adds one, is row 0 */
    uint32_t p0_row; /* the row that is P0: 0, or 1 behind a boost row */
    uint64_t reference_khz; /* the governor's maximum: cpuinfo.max_freq */
    bool is_invariant;
    uint64_t invariance_khz; /* the utilisation's maximum: base * ratio / 1024 */
    uint64_t delivered_khz;  /* the clock really reached when P0 or the boost row is asked for */
    uint32_t start_row;
    uint32_t util; /* raw utilisation, 0..1024 */
    enum governor_form form;
};

struct governor_step {
    uint32_t row;         /* the row in force during this step */
    uint64_t current_khz; /* what it delivers */
    uint32_t util;        /* as the scheduler sees it: invariant, or raw */
    uint64_t target_khz;  /* the governor's answer before it is quantised */
};

struct governor_run {
    uint32_t steps_count;
    struct governor_step steps[GOVERNOR_STEPS];
    bool is_settled;     /* a fixed point was reached; otherwise the rows repeat in a cycle */
    uint32_t steady_row; /* of the fixed point, or the lowest row of the cycle */
    uint64_t steady_khz; /* what the steady row delivers */
};

/* Runs the loop; BAD input (no rows, start beyond the table, util above 1024) gives no steps. */
void governor_run(const struct governor_input *input, struct governor_run *ret_run);

/* The row that a target is quantised to: the lowest at or above it, or the highest. */
uint32_t governor_next_row(const struct governor_input *input, uint64_t target_khz);

/* Where a loop from `start_row` at `util` ends: governor_run's steady_row without the steps. `start_row` for
 * bad input. */
uint32_t governor_steady_row(const struct governor_input *input, uint32_t start_row, uint32_t util);

/*
 * Whether a fully loaded CPU that once left P0 never returns (the trap of the 2021 EPYC regression): the
 * loop started at the lowest row with utilisation 1024 stays below P0.
 */
bool governor_is_trap(const struct governor_input *input);

/* The largest raw utilisation (0..1024) with which a loop started at P0 ends below it. 0: none. */
uint32_t governor_leaves_p0_below(const struct governor_input *input);

/* The largest raw utilisation with which a loop started at P0 ends in the lowest row. 0: none. */
uint32_t governor_falls_to_lowest_below(const struct governor_input *input);
