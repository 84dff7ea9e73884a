#include "model/pager.h"
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
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static struct pager open_text(const char *text, uint32_t rows, uint32_t columns)
{
    struct pager pager;

    assert_int_equal(pager_init(&pager, text, strlen(text), rows, columns, &heap.arena), STATUS_OK);
    return pager;
}

static void assert_row(const struct pager *pager, uint32_t row, const char *wanted)
{
    uint32_t length;
    const char *line = pager_line(pager, row, &length);

    assert_int_equal(length, strlen(wanted));
    assert_memory_equal(line, wanted, length);
}

static bool press(struct pager *pager, enum key_code code)
{
    return pager_key(pager, (struct key){.code = code});
}

static void lines_are_found(void **state)
{
    struct pager pager = open_text("one\n\nthree", 5, 80);

    (void)state;
    assert_int_equal(pager.lines_count, 3);
    assert_row(&pager, 0, "one");
    assert_row(&pager, 1, "");
    assert_row(&pager, 2, "three");
    assert_row(&pager, 3, "");
    assert_row(&pager, 99, "");
    assert_int_equal(pager_seen_pct(&pager), 100);
    assert_false(press(&pager, KEY_DOWN));
}

static void an_empty_text_shows_nothing(void **state)
{
    struct pager pager = open_text("", 5, 80);

    (void)state;
    assert_int_equal(pager.lines_count, 0);
    assert_row(&pager, 0, "");
    assert_false(press(&pager, KEY_END));
    assert_false(pager_find(&pager, "x"));
    assert_int_equal(pager_seen_pct(&pager), 100);
}

static void the_window_moves_and_stops_at_the_ends(void **state)
{
    struct pager pager = open_text("0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", 4, 80);

    (void)state;
    assert_true(press(&pager, KEY_DOWN));
    assert_row(&pager, 0, "1");
    assert_true(press(&pager, KEY_PAGE_DOWN));
    assert_row(&pager, 0, "4");
    assert_int_equal(pager_seen_pct(&pager), 80);
    assert_true(pager_key(&pager, (struct key){KEY_CHARACTER, ' '}));
    assert_row(&pager, 3, "9");
    assert_false(press(&pager, KEY_PAGE_DOWN));
    assert_true(press(&pager, KEY_HOME));
    assert_false(press(&pager, KEY_UP));
    assert_true(press(&pager, KEY_END));
    assert_row(&pager, 0, "6");
}

static void wide_lines_are_scrolled_sideways(void **state)
{
    struct pager pager = open_text("0123456789abcdef\nshort\n", 4, 10);

    (void)state;
    assert_row(&pager, 0, "0123456789");
    assert_true(press(&pager, KEY_RIGHT));
    assert_row(&pager, 0, "6789abcdef");
    assert_row(&pager, 1, "");
    assert_false(press(&pager, KEY_RIGHT));
    assert_true(press(&pager, KEY_LEFT));
    assert_row(&pager, 1, "short");
}

static void searching_goes_on_and_round(void **state)
{
    struct pager pager = open_text("Alpha\nbeta\ngamma\nALPHABET\nend\n", 2, 80);

    (void)state;
    assert_true(pager_find(&pager, "alpha"));
    assert_int_equal(pager.found, 0);
    assert_true(pager_find(&pager, "alpha"));
    assert_row(&pager, 0, "ALPHABET");
    assert_true(pager_find(&pager, "alpha"));
    assert_int_equal(pager.found, 0);
    assert_false(pager_find(&pager, "omega"));
    assert_false(pager_find(&pager, ""));
    assert_int_equal(pager.top, 0);
}

static void without_memory_nothing_is_shown(void **state)
{
    struct heap none;
    struct pager pager;

    (void)state;
    heap_init(&none, 1);
    assert_int_equal(pager_init(&pager, "a\nb\n", 4, 3, 80, &none.arena), STATUS_NO_MEMORY);
    assert_int_equal(pager.lines_count, 0);
    assert_row(&pager, 0, "");
    assert_false(press(&pager, KEY_DOWN));
    heap_free(&none);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lines_are_found),
        TEST(an_empty_text_shows_nothing),
        TEST(the_window_moves_and_stops_at_the_ends),
        TEST(wide_lines_are_scrolled_sideways),
        TEST(searching_goes_on_and_round),
        TEST(without_memory_nothing_is_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
