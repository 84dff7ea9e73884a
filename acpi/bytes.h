#pragma once

#include "model/gas.h"

#include <stdint.h>

/* Reading little-endian fields out of firmware bytes. The caller has checked that they are there. */

/* `count` bytes (1 to 8) at `bytes` as a number; every ACPI table is little-endian (ACPI 6.5, 5.2). */
static inline uint64_t bytes_get(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = count; i > 0; i--) {
        value = value << 8 | bytes[i - 1];
    }
    return value;
}

static inline uint16_t bytes_u16(const uint8_t *bytes)
{
    return (uint16_t)bytes_get(bytes, 2);
}

static inline uint32_t bytes_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes_get(bytes, 4);
}

static inline uint64_t bytes_u64(const uint8_t *bytes)
{
    return bytes_get(bytes, 8);
}

/* Stores the low `count` bytes of value. */
static inline void bytes_put(uint8_t *bytes, unsigned count, uint64_t value)
{
    for (unsigned i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

/* Size of a Generic Address Structure: ACPI 6.5, 5.2.3.2, Table 5.1. */
#define BYTES_GAS_BYTES 12U

/* The Generic Address Structure at `bytes`, which holds BYTES_GAS_BYTES. */
static inline struct gas bytes_gas(const uint8_t *bytes)
{
    struct gas gas = {.space = bytes[0],
                      .width_bits = bytes[1],
                      .offset_bits = bytes[2],
                      .access = bytes[3],
                      .address = bytes_u64(bytes + 4)};

    return gas;
}
