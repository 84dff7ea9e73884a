#pragma once

#include "model/arena.h"

/*
 * An arena over malloc for tests, so that the address sanitizer sees accesses beyond a chunk. What it
 * took is given back by heap_free. With `limit_bytes` not 0 it is exhausted once that much was taken.
 */
struct heap {
    struct arena arena;
    void *chunks[256];
    size_t count;
    size_t taken_bytes;
    size_t limit_bytes;
};

void heap_init(struct heap *heap, size_t limit_bytes);
void heap_free(struct heap *heap);
