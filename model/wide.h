#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Unsigned 128-bit integers in two halves. The compiler's own type is not used for division: that
 * calls into its run-time library, which the UEFI build does not have.
 */
struct wide {
    uint64_t high;
    uint64_t low;
};

/* a * b; cannot overflow. */
struct wide wide_multiply(uint64_t a, uint64_t b);

/* a + b, saturating at 2^128 - 1. */
struct wide wide_add(struct wide a, struct wide b);

/* a - b, saturating at 0. */
struct wide wide_subtract(struct wide a, struct wide b);

bool wide_is_less(struct wide a, struct wide b);

/* floor(dividend / divisor) in full width. divisor must not be 0. */
struct wide wide_divide(struct wide dividend, uint64_t divisor);

/* floor(sqrt(value)), which always fits 64 bits. */
uint64_t wide_isqrt(struct wide value);
