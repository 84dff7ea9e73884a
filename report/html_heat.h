#pragma once

#include "report/html.h"

#include <stdint.h>

/*
 * A heat map: one cell a CPU, in rows of HTML_HEAT_COLUMNS by number, each with a digit from 0 (the least) to 9
 * (the most) and a shade. A table of the ranges of equal digits follows, so that the map is never the only place.
 */
#define HTML_HEAT_COLUMNS 32U

struct html_heat {
    const char *id; /* of the picture, with `number` after it */
    unsigned number;
    const char *title;
    uint32_t cpus_count;
    /* The value of a CPU; false: it has none. */
    bool (*value)(void *context, uint32_t cpu, uint64_t *ret_value);
    void *context;
};

/* Writes nothing when no CPU has a value. */
void html_heat(struct textbuf *out, const struct html_heat *heat);
