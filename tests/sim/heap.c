#include "tests/sim/heap.h"

#include <stdlib.h>
#include <string.h>

static void *grow(void *context, size_t bytes)
{
    struct heap *heap = context;
    void *chunk;

    if (heap->count == sizeof(heap->chunks) / sizeof(heap->chunks[0]) ||
        (heap->limit_bytes != 0 && bytes > heap->limit_bytes - heap->taken_bytes)) {
        return NULL;
    }
    chunk = calloc(1, bytes);
    if (chunk != NULL) {
        heap->chunks[heap->count++] = chunk;
        heap->taken_bytes += bytes;
    }
    return chunk;
}

void heap_init(struct heap *heap, size_t limit_bytes)
{
    memset(heap, 0, sizeof(*heap));
    heap->limit_bytes = limit_bytes;
    arena_init(&heap->arena, grow, heap);
}

void heap_free(struct heap *heap)
{
    for (size_t i = 0; i < heap->count; i++) {
        free(heap->chunks[i]);
    }
    memset(heap, 0, sizeof(*heap));
}
