#include "model/arena.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define CHUNK_BYTES ((size_t)256 * 1024)

static void pieces_are_aligned_zeroed_and_apart(void **state)
{
    struct heap heap;
    uint8_t *last = NULL;

    (void)state;
    heap_init(&heap, 0);
    for (size_t bytes = 1; bytes < 2000; bytes++) {
        uint8_t *piece = arena_take(&heap.arena, bytes);

        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % 16, 0);
        for (size_t i = 0; i < bytes; i++) {
            assert_int_equal(piece[i], 0);
        }
        memset(piece, 0xA5, bytes);
        assert_ptr_not_equal(piece, last);
        last = piece;
    }
    assert_true(heap.count > 1);
    assert_int_equal(heap.arena.total_bytes, heap.taken_bytes);
    assert_int_equal(heap.arena.failures, 0);
    heap_free(&heap);
}

static void nothing_is_taken_before_it_is_asked_for(void **state)
{
    struct heap heap;

    (void)state;
    heap_init(&heap, 0);
    assert_int_equal(heap.count, 0);
    assert_non_null(arena_take(&heap.arena, 0));
    heap_free(&heap);
}

static void chunk_is_used_to_its_last_byte(void **state)
{
    struct heap heap;
    uint8_t *piece;

    (void)state;
    heap_init(&heap, 0);
    piece = arena_take(&heap.arena, CHUNK_BYTES - 16);
    memset(piece, 1, CHUNK_BYTES - 16);
    piece = arena_take(&heap.arena, 16);
    memset(piece, 1, 16);
    assert_int_equal(heap.count, 1);
    assert_non_null(arena_take(&heap.arena, 0));
    assert_int_equal(heap.count, 1);
    assert_non_null(arena_take(&heap.arena, 1));
    assert_int_equal(heap.count, 2);
    heap_free(&heap);
}

static void large_pieces_get_a_chunk_of_their_own(void **state)
{
    struct heap heap;
    uint8_t *piece;

    (void)state;
    heap_init(&heap, 0);
    piece = arena_array(&heap.arena, 1000, 1001);
    assert_non_null(piece);
    memset(piece, 1, (size_t)1000 * 1001);
    assert_int_equal(heap.taken_bytes, (1000 * 1001 + 15) / 16 * 16);
    heap_free(&heap);
}

static void overflow_is_a_failure(void **state)
{
    struct heap heap;

    (void)state;
    heap_init(&heap, 0);
    assert_null(arena_take(&heap.arena, SIZE_MAX));
    assert_null(arena_take(&heap.arena, SIZE_MAX - 14));
    assert_null(arena_array(&heap.arena, SIZE_MAX / 2, 3));
    assert_null(arena_array(&heap.arena, 3, SIZE_MAX / 2));
    assert_null(arena_text(&heap.arena, "", SIZE_MAX));
    assert_int_equal(heap.arena.failures, 5);
    assert_non_null(arena_array(&heap.arena, SIZE_MAX, 0));
    assert_non_null(arena_array(&heap.arena, 0, SIZE_MAX));
    heap_free(&heap);
}

static void exhausted_memory_is_counted(void **state)
{
    struct heap heap;

    (void)state;
    heap_init(&heap, CHUNK_BYTES);
    assert_null(arena_take(&heap.arena, CHUNK_BYTES + 1));
    assert_non_null(arena_take(&heap.arena, CHUNK_BYTES - 32));
    assert_null(arena_take(&heap.arena, 33));
    assert_int_equal(heap.arena.failures, 2);
    assert_non_null(arena_take(&heap.arena, 32)); /* the old chunk still serves */
    heap_free(&heap);
}

static void text_is_terminated(void **state)
{
    struct heap heap;
    char source[4] = {'a', 'b', 'c', 'd'};

    (void)state;
    heap_init(&heap, 0);
    assert_string_equal(arena_text(&heap.arena, source, 3), "abc");
    assert_string_equal(arena_text(&heap.arena, source, 0), "");
    heap_free(&heap);
}

static void what_is_reserved_needs_no_chunk(void **state)
{
    struct heap heap;
    size_t taken_bytes;

    (void)state;
    heap_init(&heap, 0);
    assert_true(arena_reserve(&heap.arena, 1000000));
    taken_bytes = heap.arena.total_bytes;
    for (unsigned i = 0; i < 1000; i++) {
        assert_non_null(arena_take(&heap.arena, 1000 - 8));
    }
    assert_int_equal(heap.arena.total_bytes, taken_bytes);
    assert_true(arena_reserve(&heap.arena, 16));
    heap_free(&heap);
    heap_init(&heap, 1);
    assert_false(arena_reserve(&heap.arena, 1000000));
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_zeroed_and_apart),
        cmocka_unit_test(nothing_is_taken_before_it_is_asked_for),
        cmocka_unit_test(chunk_is_used_to_its_last_byte),
        cmocka_unit_test(large_pieces_get_a_chunk_of_their_own),
        cmocka_unit_test(overflow_is_a_failure),
        cmocka_unit_test(exhausted_memory_is_counted),
        cmocka_unit_test(text_is_terminated),
        cmocka_unit_test(what_is_reserved_needs_no_chunk),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
