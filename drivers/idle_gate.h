#pragma once

#include "drivers/idle_crew.h"
#include "model/step.h"
#include "model/textbuf.h"

/*
 * Which ways of going idle an earlier run did not come back from, and how a hang on another CPU than the boot CPU gets
 * its name: where a run ended while all of them measured side by side, the next lets them go on state by state, and each
 * state is on the medium before the first of them enters it.
 */

/* One of the others: the number of the way that it wants to enter next plus 1, and that of the one that it may. */
struct idle_gate {
    uint32_t wanted; /* by its CPU */
    uint32_t open;   /* by the leader */
    struct crew *crew;
    uint32_t cpu;
    uint8_t apart[40]; /* from the next one */
};

/* A state as text, "C2 by port 0x414": what the gates open for. */
#define IDLE_WAY_BYTES 64U

struct idle_gates {
    bool is_used;         /* the others go on state by state */
    const char *why_none; /* why the others are not to be measured, or NULL */
    struct idle_gate *of_cpu;
    char state[IDLE_WAY_BYTES]; /* the one that was announced last */
};

/* "C2 by port 0x414", with " and the PM timer" as asked. */
void idle_way_text(const struct idle_way *way, bool has_dummy_read, struct textbuf *text);

/* Gives each way of the plan that an earlier run hung in the reason as its not_timed: on the boot CPU's kind when that was
 * the boot CPU, on all others when it was one of them. A port that hung is not read with the PM timer either. */
void idle_leave_out(const struct platform *platform, const struct step_listener *steps,
                    uint32_t cpu, struct idle_plan *plan);

/* How the others will rest is announced, before they come; what an earlier run hung in is not done: HLT instead of MWAIT,
 * and spinning instead of HLT. The slots are prepared. */
void crew_announce_rest(struct crew *crew, const struct step_listener *steps);

/* After all have come: they rest for a moment, so that a hang in that is told from one in what comes next. */
void crew_prove_rest(struct crew *crew, const struct step_listener *steps);
