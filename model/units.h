#pragma once

#include <stdint.h>

/*
 * The one place where units are converted. Everything goes through mul_div_u64, which keeps a
 * 128-bit product and saturates, so that no conversion can wrap.
 */

#define PM_TIMER_HZ UINT64_C(3579545) /* ACPI 6.5, 4.8.2.1 Power Management Timer */
#define PIT_HZ UINT64_C(1193182)      /* 8254 input clock, 14.31818 MHz / 12 */
#define NS_PER_S UINT64_C(1000000000)
#define FS_PER_S UINT64_C(1000000000000000)

/* floor(a * b / divisor), saturating at UINT64_MAX; divisor 0 gives UINT64_MAX. */
uint64_t mul_div_u64(uint64_t a, uint64_t b, uint64_t divisor);

/* The same, rounded to nearest (half up). */
uint64_t mul_div_round_u64(uint64_t a, uint64_t b, uint64_t divisor);

/* TSC ticks to nanoseconds at tsc_hz, rounded to nearest. tsc_hz 0 gives UINT64_MAX. */
uint64_t units_tsc_to_ns(uint64_t tsc, uint64_t tsc_hz);
uint64_t units_ns_to_tsc(uint64_t ns, uint64_t tsc_hz);

/* MHz to kHz, saturating. */
uint64_t units_mhz_to_khz(uint64_t mhz);

/* |a - b| in parts per million of b, saturating; UINT64_MAX when b is 0 and a is not. */
uint64_t units_difference_ppm(uint64_t a, uint64_t b);

/* floor(sqrt(value)). */
uint64_t units_isqrt(uint64_t value);
