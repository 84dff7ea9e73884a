#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Ordering and finding of 64-bit keys, for indexes that must stay fast with thousands of CPUs. A usual key
 * is number << 32 | position: equal numbers then stay in their original order.
 */

/* Sorts keys ascending in place, in count * log(count) steps whatever the input. */
void sort_u64(uint64_t *keys, size_t count);

/* The position of the first of the ascending keys that is >= key; count when there is none. */
size_t sort_lower_bound(const uint64_t *keys, size_t count, uint64_t key);
