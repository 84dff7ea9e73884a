#include "model/arena.h"

#include <stdbool.h>
#include <string.h>

/* Large enough that a 1024-CPU machine needs a few dozen chunks, small enough to waste little. */
#define ARENA_CHUNK_BYTES ((size_t)256 * 1024)
#define ARENA_ALIGN ((size_t)16)

void arena_init(struct arena *arena, arena_grow grow, void *context)
{
    memset(arena, 0, sizeof(*arena));
    arena->grow = grow;
    arena->context = context;
}

static void *fail(struct arena *arena)
{
    arena->failures++;
    return NULL;
}

static bool start_chunk(struct arena *arena, size_t bytes)
{
    size_t want_bytes = bytes > ARENA_CHUNK_BYTES ? bytes : ARENA_CHUNK_BYTES;
    uint8_t *chunk = arena->grow(arena->context, want_bytes);

    if (chunk == NULL) {
        return false;
    }
    arena->chunk = chunk;
    arena->chunk_bytes = want_bytes;
    arena->used_bytes = 0;
    arena->total_bytes += want_bytes;
    return true;
}

bool arena_reserve(struct arena *arena, size_t bytes)
{
    if (arena->chunk != NULL && bytes <= arena->chunk_bytes - arena->used_bytes) {
        return true;
    }
    return start_chunk(arena, bytes);
}

void *arena_take(struct arena *arena, size_t bytes)
{
    size_t aligned_bytes;
    void *piece;

    if (bytes > SIZE_MAX - ARENA_ALIGN) {
        return fail(arena);
    }
    aligned_bytes = (bytes + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
    if (arena->chunk == NULL || aligned_bytes > arena->chunk_bytes - arena->used_bytes) {
        if (!start_chunk(arena, aligned_bytes)) {
            return fail(arena);
        }
    }
    piece = arena->chunk + arena->used_bytes;
    arena->used_bytes += aligned_bytes;
    return piece;
}

void *arena_array(struct arena *arena, size_t count, size_t size_bytes)
{
    if (size_bytes != 0 && count > SIZE_MAX / size_bytes) {
        return fail(arena);
    }
    return arena_take(arena, count * size_bytes);
}

char *arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = length == SIZE_MAX ? fail(arena) : arena_take(arena, length + 1);

    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}
