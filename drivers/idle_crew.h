#pragma once

#include "drivers/idle_task.h"

/*
 * All CPUs in one run: each enters its loop once, takes its machine, and does what its slot orders until it
 * is told to leave. The leader is the boot CPU. Every wait has a time limit; a CPU that does not come is
 * left out. Where the leader cannot run beside the others, they measure themselves one after the other.
 */
enum crew_order {
    CREW_PARK = 0, /* rest, in the way that was chosen */
    CREW_WATCH,    /* rest, and end sleeps of CPU `watched` that never wake */
    CREW_MEASURE,  /* do the task */
    CREW_BURST,    /* read a port, all at once */
    CREW_CALL,     /* call what the crew was given */
    CREW_LEAVE
};

enum crew_state { CREW_ABSENT = 0, CREW_HERE, CREW_FAILED, CREW_GONE };

enum crew_park { CREW_PARK_DEEPEST = 0, CREW_PARK_HLT, CREW_PARK_MWAIT, CREW_PARK_SPIN };

#define CREW_BURST_ROOM 2048U

/* How long who is to read with others waits for them; then it reads alone. */
#define CREW_MEET_NS UINT64_C(200000000)

/* Parked: how long until a CPU looks at its slot unasked. */
#define CREW_REST_NS UINT64_C(1000000000)

/* Longer than any sleep with a flush of the caches before it and its way out: one that lasts longer is ended. */
#define CREW_WATCH_NS UINT64_C(22000000)

/* What one CPU reads and writes, on lines of its own. */
struct crew_slot {
    uint32_t state;  /* by its CPU: enum crew_state */
    uint32_t done;   /* by its CPU: the order that it has finished */
    uint64_t passes; /* by its CPU, for whoever watches: odd while in a pass */
    uint32_t asked;  /* by the leader: counts orders; the fields below belong to it */
    enum crew_order order;
    uint32_t watched;
    const struct timing *core;
    struct idle_task *task;
    uint64_t
        window_tsc;   /* CREW_MEASURE: how long it may sleep until it waits for the next window */
    uint32_t windows; /* by the leader: counts them */
    struct idle_tally *tally; /* lent with CREW_MEASURE */
    const char *why;    /* why this CPU measures nothing, or did not come back as it was; or NULL */
    const char *parked; /* "HLT", "MWAIT", "spinning": what it really does */
    bool can_mwait;     /* no way to park by MWAIT failed yet */
    struct port_sequence park_mwait; /* entry TIMING_NOTHING: there is none */
    uint32_t burst_count;            /* result of CREW_BURST: reads ... */
    uint64_t burst_tsc;              /* ... and how long they took */
    uint32_t *burst_step_tsc;        /* CREW_BURST_ROOM */
    uint8_t apart[64];               /* from the next one */
};

struct crew {
    const struct hw *hw;
    const struct timing_crew *cores;
    uint32_t count; /* CPUs; slot 0 is the leader's */
    struct crew_slot *slots;
    const uint8_t *wanted;
    uint64_t tsc_hz;
    uint64_t limit_tsc; /* a CPU leaves by itself this long after it came */
    enum crew_park park;
    bool has_gaps;
    const struct platform *platform; /* read only */

    /* A burst under way. */
    struct port_sequence burst;
    uint64_t burst_length_tsc;
    uint32_t burst_cpus;
    uint32_t burst_ready;

    /* CREW_CALL: what a CPU runs, and what that finds there. solo: the same for a CPU whose turn it is when there is
     * no leader; NULL: the idle task of its slot. */
    void (*call)(struct crew *crew, uint32_t cpu);
    void (*solo)(struct crew *crew, uint32_t cpu);
    void *call_context;

    uint32_t tickets;        /* CPUs that have come to take their machine ... */
    uint32_t taken;          /* ... and that have tried it */
    uint32_t renewals;       /* by the leader: counts crew_renew_watch */
    uint32_t has_no_windows; /* the leader does not pause any more */
    uint32_t is_leader_gone; /* the others measure themselves, one after the other ... */
    uint32_t turn;           /* ... under this lock */
    struct idle_tally *solo_tally;
    struct sample_store *samples; /* of all CPUs: idle_sample.h */
};

/* hw_procedure of every CPU but the leader's; `argument` is the struct crew. */
void crew_enter(const struct hw *hw, uint32_t cpu, void *argument);

/* What the leader does, between take and give of its own core. */

/* Waits until every wanted CPU is here, at most timeout_tsc after the last one came. Gives how many are; 0 and *ret_why when the
 * leader's own core failed. */
uint32_t crew_gather(struct crew *crew, uint64_t timeout_tsc, const char **ret_why);

/* Orders and wakes. The fields that the order needs have been set. */
void crew_order(struct crew *crew, uint32_t cpu, enum crew_order order);

/* CPU `cpu`, which measures and waits or soon will, may go on for window_tsc. */
void crew_open_window(struct crew *crew, uint32_t cpu, uint64_t window_tsc);

/* From now on nobody waits for a window. */
void crew_end_windows(struct crew *crew);

bool crew_is_here(const struct crew *crew, uint32_t cpu);
bool crew_has_done(const struct crew *crew, uint32_t cpu);
/* Here, and not busy, or standing still, in what it was told before. */
bool crew_is_free(const struct crew *crew, uint32_t cpu);

/* Ends a sleep of `cpu` when it is in one. */
void crew_end_sleep(struct crew *crew, uint32_t watcher, uint32_t cpu);

/* The boot CPU tells the one that watches it that all is well, and that it will not be in a pass any more
 * CREW_WATCH_NS from now unless it says so again. */
void crew_renew_watch(struct crew *crew, uint32_t watcher);

/* Reads as all the others of a burst do; from every CPU that takes part. */
void crew_burst(struct crew *crew, uint32_t cpu);

/* Rests on this CPU for at most `ns` or until somebody wakes it. */
void crew_rest(struct crew *crew, uint32_t cpu, uint64_t ns);

/* The sampler of a CPU's task, with everything that the crew knows. */
void crew_sampler(struct crew *crew, uint32_t cpu, struct idle_sampler *ret_sampler);
