#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * FNV-1a, 64 bit, for finding equal things quickly: draft-eastlake-fnv, section 5 (offset basis and prime).
 * Whoever uses it must compare as well: firmware may choose what collides.
 */
#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
    return (hash ^ word) * HASH_PRIME;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const uint8_t *byte = bytes;

    for (size_t i = 0; i < length; i++) {
        hash = hash_word(hash, byte[i]);
    }
    return hash;
}
