#pragma once

#include <stdint.h>

/*
 * An axis of a picture, on the page or in characters: where a value lies, and where its ticks are. Places are whole
 * pixels or columns.
 */

/* log2(value) in 1/65536, rounded down, for value >= 1; 0 for 0. */
uint32_t axis_log2_q16(uint64_t value);

enum axis_scale { AXIS_LINEAR = 0, AXIS_LOG };

/* Values low..high (low < high; for AXIS_LOG low >= 1) on pixels from..to, in either direction. */
struct axis {
    enum axis_scale scale;
    uint64_t low;
    uint64_t high;
    uint32_t from;
    uint32_t to;
};

/* The pixel of a value; one outside the axis is put on its end. */
uint32_t axis_place(const struct axis *axis, uint64_t value);

/* Ticks: 1, 2 or 5 times a power of ten on a linear axis, about `wanted` of them; the powers of ten on a
 * logarithmic one. axis_tick_first gives the first tick >= low, axis_tick_next the one after `tick`; both
 * UINT64_MAX when there is none up to high. */
uint64_t axis_tick_first(const struct axis *axis, unsigned wanted);
uint64_t axis_tick_next(const struct axis *axis, unsigned wanted, uint64_t tick);

/* Widens low and high to whole ticks: decades, or the step of a linear axis. */
void axis_round(struct axis *axis, unsigned wanted);
