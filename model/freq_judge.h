#pragma once

#include "model/freq.h"
#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/* What the figures say about what was asked for. Pure; for the rules, the writers and the tests alike. */
enum freq_verdict {
    FREQ_NO_FIGURE = 0, /* nothing was measured, or no frequency was asked for */
    FREQ_AS_ASKED,
    FREQ_BOOSTED,   /* the highest request, and more than it names: boost */
    FREQ_HELD_BACK, /* less than was asked for, with a cause beside it */
    FREQ_OFF        /* another frequency than was asked for, and no cause seen */
};

struct freq_judgement {
    enum freq_verdict verdict;
    uint64_t tolerance_khz;
    bool
        is_above_same; /* the request before names another frequency, and this one reaches the same */
    bool is_faster;    /* than the request before, which names a higher frequency */
    bool status_differs; /* the status register names another request */
};

/* Judges platform->freq[index]. */
void freq_judge(const struct platform *platform, uint32_t index, struct freq_judgement *ret);

/* Whether requests do nothing at all on this CPU: two or more that name frequencies apart, all measured the same. */
bool freq_requests_do_nothing(const struct platform *platform, uint32_t cpu);

/* The sample of a CPU and a row of _PSS, or NULL. */
const struct freq_sample *freq_find(const struct platform *platform, uint32_t cpu, uint32_t row);

/* The settling times of a CPU, or of all for CPU_NONE: the entry with the longest 99th percentile among those that
 * go up (is_up) or down; NULL when there is none. */
const struct freq_settling *freq_slowest(const struct platform *platform, uint32_t cpu, bool is_up);
