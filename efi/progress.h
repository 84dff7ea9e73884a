#pragma once

#include "model/platform.h"
#include "model/step.h"

#include <stdint.h>

/* The step lines of a run: "[ 3/12] evaluate _CST on 8 CPUs". */
struct progress {
    uint32_t done;
    uint32_t total;
    const struct platform *platform; /* for the number of CPUs */
    bool is_attended;                /* a person may press Esc */
    bool is_stopped;                 /* and has: no more timed steps */
};

/* A step_listener's announce; `context` is a struct progress. Counts, says the step before it runs, and puts it into
 * the journal, whose answer it gives. */
enum step_answer progress_step(void *context, const struct step *step);

/* Its left_out. */
const char *progress_left_out(void *context, const struct step *step);

/* pipeline.note: what is under way within a step, and about how long it will still take. */
bool progress_note(void *context, const char *what, uint64_t left_s);

/* Exactly `left` steps are still to come. */
void progress_left(struct progress *progress, uint32_t left);
