#pragma once

#include "model/platform.h"

#include <stdint.h>

/* The step lines of a run: "[ 3/12] evaluate _CST on 8 CPUs". */
struct progress {
    uint32_t done;
    uint32_t total;
    const struct platform *platform; /* for the number of CPUs */
};

/* pipeline.step; `context` is a struct progress. Counts, and says the step before it runs. */
void progress_step(void *context, const char *name, const char *object);

/* pipeline.note: what is under way within a step, and about how long it will still take. */
void progress_note(void *context, const char *what, uint64_t left_s);

/* Exactly `left` steps are still to come. */
void progress_left(struct progress *progress, uint32_t left);
