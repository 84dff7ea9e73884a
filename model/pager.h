#pragma once

#include "model/arena.h"
#include "model/key.h"
#include "model/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A text seen through a window: which lines are in it, moving about, and searching. Draws nothing. The text is kept by
 * the caller and not changed; a line ends with "\n", and what is not ASCII counts as one column a byte.
 */
struct pager {
    const char *text;
    uint32_t lines_count;
    const uint32_t *starts; /* lines_count + 1 offsets: where each line starts, and the end */
    uint32_t widest;        /* columns of the longest line */
    uint32_t rows;          /* of the window, at least 1 */
    uint32_t columns;
    uint32_t top; /* the first line seen */
    uint32_t left;
    uint32_t found; /* the line of the last hit, or PAGER_NOWHERE */
};

#define PAGER_NOWHERE UINT32_MAX
#define PAGER_SHIFT 8U /* columns a key moves sideways */

/* Finds the lines of text[0..length), length below 4 GiB. NO_MEMORY: *ret_pager shows nothing. */
enum status pager_init(struct pager *ret_pager, const char *text, size_t length, uint32_t rows,
                       uint32_t columns, struct arena *arena) MUST_CHECK;

/* Arrows, Page Up and Down, Home and End. True when the window moved. */
bool pager_key(struct pager *pager, struct key key);

/* Line `row` of the window: what is seen of it, *ret_length bytes; empty beyond the end. */
const char *pager_line(const struct pager *pager, uint32_t row, uint32_t *ret_length);

/* Goes to the next line that has `needle`, whatever the case, below the last hit (or from the window's top), and
 * round to the start. False when no line has it: nothing moves then. */
bool pager_find(struct pager *pager, const char *needle);

/* How far down the window is, in percent; 100 when the end is seen. */
uint32_t pager_seen_pct(const struct pager *pager);
