#include "acpi/aml_heap.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    aml_heap_init(&heap.arena);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static void pieces_are_aligned_and_apart(void **state)
{
    uint8_t *pieces[600];

    (void)state;
    for (size_t i = 0; i < 600; i++) {
        pieces[i] = aml_heap_allocate(i * 7);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], (int)(i & 0xFF), i * 7);
    }
    for (size_t i = 1; i < 600; i++) {
        assert_int_equal(pieces[i][0], i & 0xFF);
        assert_int_equal(pieces[i][i * 7 - 1], i & 0xFF);
        aml_heap_free(pieces[i]);
    }
    aml_heap_free(pieces[0]);
    assert_int_equal(aml_heap_live_bytes(), 0);
}

static void freed_memory_is_used_again(void **state)
{
    size_t taken_bytes;

    (void)state;
    for (unsigned round = 0; round < 1000; round++) {
        void *small = aml_heap_allocate(100);
        void *large = aml_heap_allocate(300000);

        assert_true(small != NULL && large != NULL);
        aml_heap_free(large);
        aml_heap_free(small);
        taken_bytes = aml_heap_taken_bytes();
        assert_in_range(taken_bytes, 1, 400000);
    }
}

static void growth_is_limited(void **state)
{
    void *first;

    (void)state;
    first = aml_heap_allocate(1000);
    assert_non_null(first);
    aml_heap_limit_growth(4096);
    assert_null(aml_heap_allocate(5000));
    assert_non_null(aml_heap_allocate(2000));
    assert_null(aml_heap_allocate(3000));
    aml_heap_limit_growth(4096);
    assert_non_null(aml_heap_allocate(3000));
    assert_null(aml_heap_allocate(SIZE_MAX));
}

static void what_is_no_live_piece_is_not_freed(void **state)
{
    uint8_t *piece;

    (void)state;
    piece = aml_heap_allocate(64);
    aml_heap_free(NULL);
    assert_int_equal(aml_heap_bad_frees(), 0);
    aml_heap_free(piece);
    aml_heap_free(piece);
    assert_int_equal(aml_heap_bad_frees(), 1);
    /* As ACPICA reads a pointer out of what it has freed itself. */
    aml_heap_free((void *)(uintptr_t)0xCACACACACACACACA);
    assert_int_equal(aml_heap_bad_frees(), 2);
}

static void an_exhausted_arena_gives_null(void **state)
{
    struct heap small;

    (void)state;
    heap_init(&small, 1);
    aml_heap_init(&small.arena);
    assert_null(aml_heap_allocate(16));
    heap_free(&small);
}

#define HEAP_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        HEAP_TEST(pieces_are_aligned_and_apart),
        HEAP_TEST(freed_memory_is_used_again),
        HEAP_TEST(growth_is_limited),
        HEAP_TEST(what_is_no_live_piece_is_not_freed),
        HEAP_TEST(an_exhausted_arena_gives_null),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
