#pragma once

#include "model/idle.h"

/* How far the TSC ran over the sleeps of a set, in percent of what the PM timer says; 0: not known (no PM timer,
 * no rate, or too short a set). A TSC that stops in the state gives the share of the time outside it. */
uint64_t idle_tsc_pct(const struct idle_sample_set *set, uint64_t tsc_hz);

/* Below this the TSC stops or slows in the state, and no figure of the set but this one can be believed. */
#define IDLE_TSC_RUNS_PCT 90U

bool idle_tsc_stops(const struct idle_sample_set *set, uint64_t tsc_hz);
