#pragma once

#include <stdint.h>

/* Figures for a reader's eye; tables have them exactly. Each fills ret_text, of FIGURE_BYTES, and returns it. */
#define FIGURE_BYTES 32

/* "2250 MHz", "3414.550 MHz" */
const char *figure_mhz(uint64_t khz, char *ret_text);

/* "732 ns", "116 us", "1.5 ms": at most one digit behind the point, cut and not rounded. */
const char *figure_time(uint64_t ns, char *ret_text);
