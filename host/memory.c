#include "host/memory.h"

#include <stdlib.h>

static void *grow(void *context, size_t bytes)
{
    (void)context;
    return calloc(1, bytes);
}

void memory_init(struct arena *arena)
{
    arena_init(arena, grow, NULL);
}
