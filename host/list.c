#include "host/list.h"

#include <string.h>

#define LIST_FIRST_CAPACITY 32

void list_init(struct list *list, struct arena *arena, size_t item_bytes)
{
    memset(list, 0, sizeof(*list));
    list->arena = arena;
    list->item_bytes = item_bytes;
}

void *list_add(struct list *list)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity == 0 ? LIST_FIRST_CAPACITY : list->capacity * 2;
        void *items = NULL;

        if (list->capacity <= UINT32_MAX / 2) {
            items = arena_array(list->arena, capacity, list->item_bytes);
        }
        if (items == NULL) {
            return NULL;
        }
        if (list->count > 0) {
            memcpy(items, list->items, list->count * list->item_bytes);
        }
        list->items = items;
        list->capacity = capacity;
    }
    return (uint8_t *)list->items + list->item_bytes * list->count++;
}
