#pragma once

#include "model/arena.h"

#include <stddef.h>
#include <stdint.h>

/*
 * An array that grows in an arena, for parsers that do not know how many items a file holds. Each
 * growth doubles it and leaves the old copy behind, so at most as much again is wasted.
 */
struct list {
    struct arena *arena;
    size_t item_bytes;
    void *items;
    uint32_t count;
    uint32_t capacity;
};

/* An empty list of items of `item_bytes`; takes no memory yet. */
void list_init(struct list *list, struct arena *arena, size_t item_bytes);

/* A new zeroed item at the end, valid until the next list_add; NULL when memory is exhausted. */
void *list_add(struct list *list);
