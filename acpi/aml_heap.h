#pragma once

#include "model/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The interpreter's dynamic memory: a free-list allocator with size classes over the arena. What is freed
 * is used again for the same class, so memory does not grow with the number of evaluations. There is one
 * heap per program run, as there is one interpreter.
 */

/* Starts an empty heap over `arena`. Pieces of an earlier heap must not be freed into this one. */
void aml_heap_init(struct arena *arena);

/* Bytes that live allocations may grow by from now on; a request beyond it gives NULL. This is what ends
 * an evaluation that allocates without end. */
void aml_heap_limit_growth(size_t bytes);

/* 16-byte aligned memory with undefined contents, or NULL. 0 bytes give a valid pointer. */
void *aml_heap_allocate(size_t bytes);

/* Gives back a piece from aml_heap_allocate; NULL and what is no live piece of this heap are ignored, the
 * latter is counted. */
void aml_heap_free(void *memory);

/* Bytes in live pieces, and bytes taken from the arena so far. */
size_t aml_heap_live_bytes(void);
size_t aml_heap_taken_bytes(void);

/* Frees of things that were no live pieces. */
uint32_t aml_heap_bad_frees(void);
