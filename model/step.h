#pragma once

/*
 * A step of a run that could hang the machine. It is named before it runs: to whoever watches, and to the journal,
 * which remembers where an earlier run ended and answers what to do with the step this time.
 */
enum step_kind {
    STEP_NEEDED = 0, /* always runs: without it there is no report */
    STEP_WHOLE,      /* runs or is left out */
    STEP_TIMED, /* likewise, and takes long: it may be stopped. Its parts are announced on the way, each before it
                        begins, so that a hang has the part's name; one that hung is left out, and the rest runs */
    STEP_OF_PARTS, /* may also be run part by part, each part announced like a step of its own */
};

struct step {
    const char *name;   /* "evaluate" */
    const char *object; /* "_CST"; "" when the name says all */
    const char *part;   /* "\_SB.CPUS.C006" when only this part is meant, else "" */
    enum step_kind kind;
};

enum step_answer {
    STEP_RUN = 0,
    STEP_RUN_IN_PARTS,
    STEP_LEAVE_OUT, /* an earlier run did not come back from it */
    STEP_STOPPED    /* a person ended the run: what is known is reported */
};

#define STEP_LEFT_OUT_WHY "left out: an earlier run ended in this step"
#define STEP_STOPPED_WHY "stopped by a key"

/* Who is told. The answer IN_PARTS comes only for a step OF_PARTS that names no part, LEAVE_OUT never for one
 * that is NEEDED, STOPPED only for one that is TIMED. left_out: why a step will be left out, a text that stays, or NULL
 * when it will run; nothing is recorded by asking. Both are called with the firmware in charge of the CPU. */
struct step_listener {
    enum step_answer (*announce)(void *context, const struct step *step);
    const char *(*left_out)(void *context, const struct step *step);
    void *context;
};

/* Announces a step; RUN when nobody listens (listener NULL, or its announce NULL). */
enum step_answer step_announce(const struct step_listener *listener, const struct step *step);

/* Why the step will be left out; NULL when it will run, or nobody knows (listener NULL, or its left_out NULL). */
const char *step_left_out(const struct step_listener *listener, const struct step *step);
