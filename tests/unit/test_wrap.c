#include "report/ranges.h"
#include "report/wrap.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char buffer[8192];

static void start(struct textbuf *out)
{
    textbuf_init(out, buffer, sizeof(buffer), NULL, NULL);
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;

    while (*text != '\0') {
        size_t length = strcspn(text, "\n");

        longest = length > longest ? length : longest;
        text += length + (text[length] == '\n' ? 1 : 0);
    }
    return longest;
}

static void text_is_broken_at_blanks(void **state)
{
    struct textbuf out;

    (void)state;
    start(&out);
    wrap_text(&out, "label", 8,
              "one two three four five six seven eight nine ten eleven twelve thirteen fourteen");
    assert_string_equal(
        buffer, "label   one two three four five six seven eight nine ten eleven twelve thirteen\n"
                "        fourteen\n");
}

static void no_line_is_too_long(void **state)
{
    struct textbuf out;
    struct wrap line;
    char text[1000];

    (void)state;
    start(&out);
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    text[300] = ' ';
    wrap_text(&out, "a label that is longer than its column", 4, text);
    assert_int_equal(longest_line(buffer), WRAP_COLUMNS);
    start(&out);
    wrap_init(&line, &out);
    wrap_printf(&line, "%s", text);
    wrap_end(&line, 6);
    assert_int_equal(longest_line(buffer), WRAP_COLUMNS);
    assert_non_null(strstr(buffer, "...\n"));
}

static void exactly_eighty_columns_stay_one_line(void **state)
{
    struct textbuf out;
    char text[WRAP_COLUMNS + 2];

    (void)state;
    memset(text, 'y', sizeof(text));
    text[WRAP_COLUMNS] = '\0';
    start(&out);
    wrap_text(&out, "", 0, text);
    assert_int_equal(strlen(buffer), WRAP_COLUMNS + 1);
}

static void hostile_bytes_become_question_marks(void **state)
{
    struct textbuf out;

    (void)state;
    start(&out);
    wrap_text(&out, "\x1b[2J", 6, "a\xff\tb\nc  ");
    assert_string_equal(buffer, "?[2J  a??b\n      c\n");
    start(&out);
    wrap_text(&out, "x", 4, "");
    assert_string_equal(buffer, "x   \n");
}

static void padding_reaches_a_column(void **state)
{
    struct textbuf out;
    struct wrap line;

    (void)state;
    start(&out);
    wrap_init(&line, &out);
    wrap_printf(&line, "ab");
    wrap_pad(&line, 5);
    wrap_printf(&line, "c");
    wrap_pad(&line, 2);
    wrap_printf(&line, "d");
    wrap_end(&line, 0);
    assert_string_equal(buffer, "ab   c d\n");
}

static void ranges_are_folded(void **state)
{
    static const uint32_t cpus[] = {0, 1, 2, 5, 7, 8};
    struct heap heap;
    struct textbuf out;
    struct cpuset set;

    (void)state;
    heap_init(&heap, 0);
    set = cpuset_create(&heap.arena, 10);
    for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
        cpuset_add(&set, cpus[i]);
    }
    start(&out);
    ranges_of_set(&out, &set);
    assert_string_equal(buffer, "0-2,5,7-8");
    set.words = NULL;
    start(&out);
    ranges_of_set(&out, &set);
    assert_string_equal(buffer, "");
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_broken_at_blanks),
        cmocka_unit_test(no_line_is_too_long),
        cmocka_unit_test(exactly_eighty_columns_stay_one_line),
        cmocka_unit_test(hostile_bytes_become_question_marks),
        cmocka_unit_test(padding_reaches_a_column),
        cmocka_unit_test(ranges_are_folded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
