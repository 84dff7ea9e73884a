#pragma once

#include "drivers/idle_plan.h"
#include "drivers/idle_sample.h"

/* One CPU's part of the idle measurements: every way of its plan at one length of sleep or at many. */

#define IDLE_LENGTHS 11U
extern const uint64_t idle_lengths_ns[IDLE_LENGTHS]; /* ascending */

struct idle_task {
    struct idle_plan plan; /* a way that turns out not to work gets its not_timed here */
    bool is_sweep;         /* all lengths; else one_length_ns */
    uint64_t one_length_ns;
    bool is_watched; /* another CPU ends a sleep that never wakes */
    const char *watched_by;
    const char *unwatched_why; /* why nothing watches this CPU, or NULL */
    const char *others;
    uint32_t samples;           /* of each set; 0: by length */
    uint64_t limit_tsc;         /* for the whole task; 0: none */
    struct idle_energy *energy; /* of a sweep, where the package counts it; else NULL */
    struct port_sequence
        pm_timer; /* read alone for its cost; has_dummy_read false: there is none */

    uint32_t way_now; /* under way, for whoever says so */
    uint32_t sets_room;
    uint32_t sets_count;
    struct idle_sample_set *sets;
    struct distribution bare[IDLE_WAYS_MAX]; /* the first read with a wake-up waiting, by way */
    uint64_t overhead_tsc;
    struct distribution pm_timer_tsc;
    const char *why; /* why it ended early, or NULL */

    /* Is told which way comes next before it is entered; may be NULL. Called between take and give, and may give and
     * take; a reason when the core then failed, else NULL. *ret_is_window_over (false before): another CPU's window may
     * be over, so that the sampler pauses before its next pass. */
    const char *(*step)(void *context, const struct idle_task *task, uint32_t way,
                        bool *ret_is_window_over);
    void *step_context;
};

/* not_timed of a way that needs a watch where there is none. */
extern const char idle_task_no_watch[];

/* How many samples a sleep of this length gets: fewer of the longer ones. */
uint64_t idle_task_samples(uint64_t length_ns);

/* The ways from `from` on that will be timed, so far as is known. */
uint32_t idle_task_ways(const struct idle_task *task, uint32_t from);

/* How long a task will take at most, without limits: for plans and for "time left". */
uint64_t idle_task_estimate_ns(const struct idle_task *task);

/* Between take and give of the sampler's core. */
void idle_task_run(struct idle_task *task, struct idle_sampler *sampler, uint32_t cpu);
