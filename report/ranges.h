#pragma once

#include "model/cpuset.h"
#include "model/platform.h"
#include "model/textbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* CPU numbers as they come, written as folded ranges ("0-3,7"), without memory for the set. */
struct ranges {
    struct textbuf *out;
    bool is_open;
    bool has_written;
    uint32_t first;
    uint32_t last;
};

void ranges_start(struct ranges *ranges, struct textbuf *out);

/* Numbers must come in ascending order. */
void ranges_add(struct ranges *ranges, uint32_t cpu);

void ranges_end(struct ranges *ranges);

/* The whole set, never cut. */
void ranges_of_set(struct textbuf *out, const struct cpuset *set);

/* The CPUs whose object of set->kind is exactly this set, as firmware gave it. */
void ranges_of_object(struct textbuf *out, const struct platform *platform,
                      const struct object_set *set);
