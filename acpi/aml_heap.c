#include "acpi/aml_heap.h"

#include <string.h>

/* Requests up to SMALL_BYTES are rounded up to a multiple of GRAIN_BYTES, larger ones to a quarter of their
 * power of two: at most a fifth of a piece is lost. */
#define GRAIN_BYTES ((size_t)16)
#define SMALL_BYTES ((size_t)512)
#define SMALL_CLASSES (SMALL_BYTES / GRAIN_BYTES + 1)
#define DOUBLINGS ((size_t)16)
#define CLASSES (SMALL_CLASSES + 4 * DOUBLINGS)

/* No object of processor firmware comes near this. */
#define LARGEST_BYTES ((size_t)16 * 1024 * 1024)

#define LIVE UINT32_C(0x4C495645)
#define DEAD UINT32_C(0x44454144)

/* Precedes every piece and keeps its 16-byte alignment. */
struct piece {
    uint32_t mark;
    uint32_t class_index;
    union {
        size_t bytes;       /* LIVE: of the class */
        struct piece *next; /* DEAD: in the free list */
    };
};
_Static_assert(sizeof(struct piece) == 16, "a piece starts aligned as the arena gives it");

static struct aml_heap {
    struct arena *arena;
    struct piece *free[CLASSES];
    size_t live_bytes;
    size_t taken_bytes;
    size_t limit_bytes;
    uint32_t bad_frees;
} heap;

void aml_heap_init(struct arena *arena)
{
    memset(&heap, 0, sizeof(heap));
    heap.arena = arena;
    heap.limit_bytes = SIZE_MAX;
}

void aml_heap_limit_growth(size_t bytes)
{
    heap.limit_bytes = bytes > SIZE_MAX - heap.live_bytes ? SIZE_MAX : heap.live_bytes + bytes;
}

/* The class for a request and the size all pieces of that class have. */
static uint32_t find_class(size_t bytes, size_t *ret_bytes)
{
    size_t base_bytes = SMALL_BYTES;
    uint32_t index = SMALL_CLASSES;

    if (bytes <= SMALL_BYTES) {
        index = (uint32_t)((bytes + GRAIN_BYTES - 1) / GRAIN_BYTES);
        *ret_bytes = index * GRAIN_BYTES;
        return index;
    }
    while (bytes > 2 * base_bytes) {
        base_bytes *= 2;
        index += 4;
    }
    for (unsigned quarter = 1; quarter <= 4; quarter++, index++) {
        *ret_bytes = base_bytes + base_bytes / 4 * quarter;
        if (bytes <= *ret_bytes) {
            break;
        }
    }
    return index;
}

static struct piece *take(uint32_t index, size_t bytes)
{
    struct piece *piece = heap.free[index];

    if (piece != NULL) {
        heap.free[index] = piece->next;
        return piece;
    }
    piece = arena_take(heap.arena, sizeof(*piece) + bytes);
    if (piece != NULL) {
        heap.taken_bytes += sizeof(*piece) + bytes;
    }
    return piece;
}

void *aml_heap_allocate(size_t bytes)
{
    struct piece *piece;
    size_t class_bytes;
    uint32_t index;

    if (heap.arena == NULL || bytes > LARGEST_BYTES || heap.live_bytes > heap.limit_bytes ||
        bytes > heap.limit_bytes - heap.live_bytes) {
        return NULL;
    }
    index = find_class(bytes, &class_bytes);
    piece = take(index, class_bytes);
    if (piece == NULL) {
        return NULL;
    }
    piece->mark = LIVE;
    piece->class_index = index;
    piece->bytes = class_bytes;
    heap.live_bytes += class_bytes;
    return piece + 1;
}

void aml_heap_free(void *memory)
{
    struct piece *piece = memory == NULL ? NULL : (struct piece *)memory - 1;

    if (piece == NULL) {
        return;
    }
    /* What the interpreter takes out of memory that it has given back already is not looked at. */
    if ((uintptr_t)memory % sizeof(*piece) != 0) {
        heap.bad_frees++;
        return;
    }
    if (piece->mark != LIVE || piece->class_index >= CLASSES) {
        heap.bad_frees++;
        return;
    }
    heap.live_bytes -= piece->bytes;
    piece->mark = DEAD;
    piece->next = heap.free[piece->class_index];
    heap.free[piece->class_index] = piece;
}

size_t aml_heap_live_bytes(void)
{
    return heap.live_bytes;
}

size_t aml_heap_taken_bytes(void)
{
    return heap.taken_bytes;
}

uint32_t aml_heap_bad_frees(void)
{
    return heap.bad_frees;
}
