#pragma once

#include <stdint.h>

/* Bits high..low of value, shifted down: the [h:l] of the manuals. 63 >= high >= low. */
static inline uint64_t bits_get(uint64_t value, unsigned high, unsigned low)
{
    uint64_t mask = high - low >= 63 ? UINT64_MAX : (UINT64_C(1) << (high - low + 1)) - 1;

    return (value >> low) & mask;
}

/* Bit number `bit` (0..63) of value as 0 or 1. */
static inline unsigned bits_test(uint64_t value, unsigned bit)
{
    return (unsigned)(value >> bit) & 1U;
}
