#pragma once

#include <stdint.h>

/* The step lines of a run: "[ 3/12] evaluating _CST on 8 CPUs". */
struct progress {
    uint32_t done;
    uint32_t total;
};

/* pipeline.step; `context` is a struct progress. Counts, and says the step before it runs. */
void progress_step(void *context, const char *name, const char *object);
