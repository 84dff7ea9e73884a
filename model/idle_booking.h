#pragma once

#include "model/idle.h"
#include "model/platform.h"

/*
 * What an operating system books as idle, against the time the CPU was really stopped. It takes the clock
 * before it enters the state and after it has come back, so the second read and the way out count as idle
 * (Linux 6.12 drivers/cpuidle/cpuidle.c cpuidle_enter_state).
 */
struct idle_booking {
    uint64_t booked_ns; /* mean of both reads of a sleep */
    uint64_t
        true_ns; /* mean time stopped; without a stop the first read, which is the most it can be */
    bool is_at_most;          /* true_ns is that upper bound */
    uint64_t error_pct;       /* (booked - true) / true in percent, rounded; saturates */
    uint64_t dummy_permyriad; /* share of the second read in what is booked, in 1/10000 */
};

/* False without samples or without the rate of the TSC. */
bool idle_booking_of(const struct idle_sample_set *set, uint64_t tsc_hz,
                     struct idle_booking *ret_booking);

/* Linux takes a state's latency times this for its target residency (drivers/acpi/processor_idle.c,
 * latency_factor). */
#define IDLE_LATENCY_FACTOR 2U

/*
 * After how many sleeps of one kind, each true_ns long and booked as booked_ns, a governor that follows what is
 * booked prefers a state of this exit latency wrongly: an average that each sleep moves by an eighth (as
 * Linux 6.12 drivers/cpuidle/governors/menu.c menu_update does with its correction factor), started at the
 * truth. 0: never, or the state is right for such sleeps.
 */
uint32_t idle_sleeps_until_wrong(uint64_t true_ns, uint64_t booked_ns, uint64_t latency_ns);

/* What the second read is worth for one port of one CPU. */
struct dummy_judgement {
    enum dummy_verdict verdict;
    const char *why;                       /* in words */
    const struct idle_sample_set *with;    /* the sleep that the figures are of */
    const struct idle_sample_set *without; /* NULL: not timed */
    struct idle_booking booking;           /* with the second read ... */
    struct idle_booking booking_without;   /* ... and without; booked_ns 0: not known */
    uint64_t cost_ns;       /* of the second read, per sleep, when the CPU is not stopped in it */
    uint64_t crowd_cost_ns; /* the same while crowd_cpus CPUs read; 0: not known */
    uint32_t crowd_cpus;
    uint32_t sleeps_until_wrong; /* of the shortest length where a governor is misled; 0: none */
    uint64_t wrong_length_ns;
};

/* From this share of what is booked on, the second read is harmful. */
#define IDLE_HARMFUL_PERMYRIAD 1000U

/* `index` is a set with a second read, the first of its way in platform->idle. */
void idle_dummy_judge(const struct platform *platform, uint32_t index,
                      struct dummy_judgement *ret_judgement);

/* The next set at or after *index that idle_dummy_judge may be asked about; false at the end. */
bool idle_dummy_next(const struct platform *platform, uint32_t *index);
