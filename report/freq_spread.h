#pragma once

#include "model/platform.h"

/* What all CPUs reached under one request, for the text and the page. */
struct freq_spread {
    uint32_t cpus; /* with a figure */
    uint64_t low_khz;
    uint64_t high_khz;
    uint64_t worst_ppm;
    uint32_t causes;
    uint32_t reported;  /* CPUs whose status register told which request is in force ... */
    uint32_t unlike;    /* ... and those of them where it was another one; ... */
    uint64_t unlike_as; /* ... as the first of these told */
};

/* Whether this sample is the first one of its request. */
bool freq_spread_is_first(const struct platform *platform, uint32_t index);

/* Over all samples of the same request. */
struct freq_spread freq_spread_of(const struct platform *platform,
                                  const struct freq_sample *request);
