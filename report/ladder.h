#pragma once

#include "model/platform.h"
#include "model/textbuf.h"
#include "report/axis.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The P-state ladder: what the firmware claims, what Linux assumes and what was measured, as rungs on one axis of
 * frequency. The page draws it with lines, the text report with characters.
 */
enum ladder_lane { LADDER_CLAIMED = 0, LADDER_ASSUMED, LADDER_MEASURED, LADDER_LANES };

struct rung {
    uint64_t khz;
    uint32_t pss_index;
    bool is_boost;       /* drawn as dashes: no row of _PSS */
    const char *subject; /* what is no row of a table; NULL: a row */
};

/* "claimed", "assumed", "measured" */
const char *ladder_lane_name(enum ladder_lane lane);

/* Rung `index` of a lane, in the order of its source; false behind the last one. A rung without a usable
 * frequency, or with one that no clock can have, has khz 0. */
bool ladder_rung(const struct platform *platform, enum ladder_lane lane, uint32_t index,
                 struct rung *ret_rung);

/* How many rungs of a lane a picture has room for; those behind are in the tables only. */
#define LADDER_RUNGS_MAX 64U

/* The rungs of a lane, of the first LADDER_RUNGS_MAX, from the highest to the lowest. Start with
 * {platform, lane, UINT64_MAX, 0}. */
struct ladder_walk {
    const struct platform *platform;
    enum ladder_lane lane;
    uint64_t khz;
    uint32_t index;
};

bool ladder_next(struct ladder_walk *walk, struct rung *ret_rung);

/* Whose assumptions the lane holds: "Linux 5.11-rc4"; NULL where they are the extended table of the model. */
const char *ladder_linux_version(const struct platform *platform);

/* "P0", "boost", "cpuinfo.max_freq", ... behind the frequency of a rung. */
void ladder_name(const struct rung *rung, struct textbuf *out);

/* An axis over all lanes in whole ticks, about `ticks` of them, on the places of ret_axis->from and ->to; false
 * when there is no rung. */
bool ladder_axis(const struct platform *platform, unsigned ticks, struct axis *ret_axis);
