#include "acpi/scratch.h"

#include <string.h>

#define SCRATCH_BYTES ((size_t)240 * 1024)

static struct arena scratch;

static void *no_more(void *context, size_t bytes)
{
    (void)context;
    (void)bytes;
    return NULL;
}

void scratch_init(struct arena *arena)
{
    arena_init(&scratch, no_more, NULL);
    scratch.chunk = arena_take(arena, SCRATCH_BYTES);
    scratch.chunk_bytes = scratch.chunk == NULL ? 0 : SCRATCH_BYTES;
}

struct arena *scratch_empty(void)
{
    if (scratch.chunk != NULL) {
        memset(scratch.chunk, 0, scratch.used_bytes);
    }
    scratch.used_bytes = 0;
    return &scratch;
}
