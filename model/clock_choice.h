#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Which of several rates for the TSC to believe, and why. */
enum clock_kind {
    CLOCK_STATED_EXACT = 0, /* a crystal and a ratio, or the hypervisor's word */
    CLOCK_STATED_NOMINAL,   /* a ratio of a bus clock that is itself only nominal */
    CLOCK_MEASURED,
    CLOCK_MEASURED_UNSTABLE /* the median of runs that do not agree */
};

struct clock_candidate {
    enum clock_kind kind;
    uint64_t tsc_hz;
    uint64_t uncertainty_ppm; /* of the measurement */
    uint64_t tolerance_ppm;   /* how far off the source may be by its nature */
};

#define CLOCK_NO_CHOICE UINT32_MAX

struct clock_choice {
    uint32_t index;   /* into the candidates, or CLOCK_NO_CHOICE: no rate is known */
    const char *why;  /* why it, or why none; static text */
    bool is_disputed; /* another measurement or exact rate exists, and none agrees with this */
};

/* Whether two rates may be one: within the larger tolerance and both uncertainties. */
bool clock_agrees(const struct clock_candidate *a, const struct clock_candidate *b);

/*
 * Sources vote: a measurement or an exact rate counts two for every rate that it agrees with, a nominal one
 * counts one. Of measurements the one with the most votes is taken, then the least uncertain one. An exact rate
 * beats it when it agrees with it (it has no uncertainty) or has more votes. Nominal rates are taken when nothing
 * could be measured, and runs that do not agree only when nothing is stated either.
 */
void clock_choose(const struct clock_candidate *candidates, uint32_t count,
                  struct clock_choice *ret_choice);
