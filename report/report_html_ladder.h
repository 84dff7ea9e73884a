#pragma once

#include "report/report_html_parts.h"

/* A frequency of the ladder. */
struct rung {
    uint64_t khz;
    uint32_t pss_index;
    bool is_boost;       /* drawn as dashes: no row of _PSS */
    const char *subject; /* what is no row of a table; NULL: a row */
};

/* Rung `index` of the column of what Linux assumes, and of what was measured; false behind the last one. */
bool report_html_assumed_rung(const struct platform *platform, uint32_t index,
                              struct rung *ret_rung);
bool report_html_measured_rung(const struct platform *platform, uint32_t index,
                               struct rung *ret_rung);

/* The picture of claimed, assumed and measured; false when there is nothing to draw. */
bool report_html_ladder(const struct platform *platform, struct textbuf *out);
