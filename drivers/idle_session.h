#pragma once

#include "drivers/idle_crew.h"
#include "drivers/idle_gate.h"
#include "drivers/idle_measure.h"

#define TALLIES_MAX 16U /* so many measure side by side at most */

/* What the files of the leader share: idle_measure.c, idle_lead.c, idle_contention.c. */
struct session {
    const struct idle_measure *measure;
    struct platform *platform;
    struct crew crew;
    struct idle_task *tasks;  /* one for each CPU */
    struct idle_tally *tally; /* the boot CPU's */
    uint32_t tallies_count;   /* for others at the same time */
    struct idle_tally *tallies[TALLIES_MAX];
    struct histogram *merged; /* of a burst */
    struct port_cost *costs;
    uint32_t costs_room;
    uint64_t start_tsc;
    uint64_t limit_tsc; /* of everything; 0: the rate is not known */
    uint64_t stretch_tsc;
    uint64_t stretch_start_tsc;
    uint64_t rests_from_tsc; /* when those who rest began to */
    uint64_t own_left_ns;    /* about what the boot CPU still needs ... */
    uint64_t others_left_ns; /* ... and then the others */
    uint32_t watcher;        /* the CPU that watches the boot CPU measure; 0: none */
    bool has_guard;          /* nobody watches it: the core's second source of wake-ups does */
    bool is_brief;           /* one length, boot CPU only */
    struct idle_gates gates; /* of the others, where they go on state by state */
    enum step_answer answer; /* to the step that was announced last */
    bool is_contention_left_out;
    const char *why; /* why measuring ended early, or NULL */
};

uint64_t session_now(const struct session *session);
uint64_t session_ticks(const struct session *session, uint64_t ns);

/* Gives the machine back, says what is under way (NULL: the step says it), announces the step that begins (NULL: none does), and takes the
 * machine again; false with session->why. */
bool session_say(struct session *session, const struct step *step, const char *what);

/* About how long it will take, never more than the limit leaves. */
uint64_t session_seconds_left(const struct session *session);

/* idle_task.step of the boot CPU: says which way comes next. */
const char *session_say_own(void *context, const struct idle_task *task, uint32_t way,
                            bool *ret_is_window_over);

/* Before the core is taken: the memory for gates, and what an earlier run did not come back from. False: no memory. */
bool session_make_gates(struct session *session);

/* Announces the part of the other CPUs, with gates where an earlier run ended in it; why it is not to begin, or NULL. */
const char *session_begin_others(struct session *session);

/* The same for others that measure themselves in turn, with the firmware in charge: whether they may. */
bool session_may_go_on_alone(const struct session *session);

/* Where the others go on state by state: announces the next when nobody is in the last any more, and lets in who waits
 * for it. `busy` are the CPUs that measure. True when the core was given and taken for that, or failed. */
bool session_pass_gate(struct session *session, const uint32_t *busy, uint32_t count);

/* Says what CPU `cpu` does, how many do the same beside it, and how many of all have done. */
void session_say_others(struct session *session, uint32_t cpu, uint32_t beside, uint32_t done,
                        uint32_t all);

/* Lets the firmware run when the stretch is nearly over; false with session->why. */
bool session_breathe(struct session *session);

/* Lets the firmware run now, and whoever watches begins anew; false with session->why. */
bool session_breathe_now(struct session *session);

/* Whoever watches the boot CPU begins anew, and rests again when this returns. */
void session_renew_watch(struct session *session);

void session_add_cost(struct session *session, const struct port_cost *cost);

/* hw_procedure on every CPU: the leader's part on CPU 0, crew_enter on the others. */
void session_enter(const struct hw *hw, uint32_t cpu, void *argument);

/* Ports read by 1, 2, 4, ... CPUs at once; all CPUs are parked before and after. */
extern const struct step session_contention_step;
void session_contention(struct session *session);

/* Fills platform->idle, idle_not_timed and idle_skipped from what the CPUs left. */
void session_fold(struct session *session);

/* How a CPU parks: the deepest MWAIT hint that the firmware names and that does not stop the timer. */
void session_choose_park(const struct idle_plan *plan, struct crew_slot *slot);
