#pragma once

#include "model/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Memory that lives until the program ends: the snapshot, the findings, the interpreter's tables.
 * The arena takes chunks from a grow function (pages in firmware, malloc on the host) and hands out
 * zeroed, 16-byte aligned pieces. Nothing is ever given back to it.
 */

/* Gives a zeroed chunk of at least `bytes`, or NULL when memory is exhausted. */
typedef void *(*arena_grow)(void *context, size_t bytes);

struct arena {
    arena_grow grow;
    void *context;
    uint8_t *chunk;
    size_t chunk_bytes;
    size_t used_bytes;
    size_t total_bytes; /* all chunks taken so far */
    uint32_t failures;  /* requests that could not be met; a report says so when not 0 */
};

/* Prepares an empty arena over `grow`, which is called with `context`. Takes no memory yet. */
void arena_init(struct arena *arena, arena_grow grow, void *context);

/* Makes sure that pieces of `bytes` in all can be taken without asking for another chunk: before a stretch in which
 * the firmware must not be called. False when memory is exhausted. */
bool arena_reserve(struct arena *arena, size_t bytes) MUST_CHECK;

/* `bytes` zeroed bytes, aligned to 16, or NULL (counted in failures). 0 bytes give a valid pointer. */
void *arena_take(struct arena *arena, size_t bytes);

/* `count` zeroed elements of `size_bytes`; NULL when the product overflows or memory is exhausted. */
void *arena_array(struct arena *arena, size_t count, size_t size_bytes);

/* A NUL-terminated copy of `length` bytes of `text`; NULL when memory is exhausted. */
char *arena_text(struct arena *arena, const char *text, size_t length);
