#include "model/cpuset.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
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

static struct cpuset parsed(const char *text, uint32_t capacity)
{
    struct cpuset set = cpuset_create(&heap.arena, capacity);

    assert_int_equal(cpuset_parse(text, &set), STATUS_OK);
    return set;
}

static void numbers_beyond_capacity_are_ignored(void **state)
{
    struct cpuset set = cpuset_create(&heap.arena, 65);

    (void)state;
    cpuset_add(&set, 0);
    cpuset_add(&set, 63);
    cpuset_add(&set, 64);
    cpuset_add(&set, 65);
    cpuset_add(&set, UINT32_MAX);
    assert_true(cpuset_has(&set, 0));
    assert_false(cpuset_has(&set, 1));
    assert_true(cpuset_has(&set, 64));
    assert_false(cpuset_has(&set, 65));
    assert_false(cpuset_has(&set, UINT32_MAX));
    assert_int_equal(cpuset_count(&set), 3);
}

static void set_without_memory_does_nothing(void **state)
{
    struct heap none;
    struct cpuset set;
    char text[8];

    (void)state;
    heap_init(&none, 1);
    set = cpuset_create(&none.arena, 100);
    assert_null(set.words);
    cpuset_add(&set, 1);
    assert_false(cpuset_has(&set, 1));
    assert_int_equal(cpuset_count(&set), 0);
    assert_int_equal(cpuset_next(&set, 0), CPUSET_NONE);
    assert_int_equal(cpuset_format(&set, text, sizeof(text)), 0);
    assert_int_equal(cpuset_parse("1", &set), STATUS_NO_MEMORY);
    heap_free(&none);
}

static void next_finds_every_cpu(void **state)
{
    static const uint32_t cpus[] = {0, 1, 63, 64, 127, 128, 1022, 1023};
    struct cpuset set = parsed("0-1,63-64,127-128,1022-1023", 1024);
    uint32_t at = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
        at = cpuset_next(&set, at);
        assert_int_equal(at, cpus[i]);
        at++;
    }
    assert_int_equal(cpuset_next(&set, at), CPUSET_NONE);
    assert_int_equal(cpuset_next(&set, UINT32_MAX), CPUSET_NONE);
}

static void equal_looks_at_members_only(void **state)
{
    struct cpuset small = parsed("1,3", 4);
    struct cpuset large = parsed("1,3", 1024);
    struct cpuset other = parsed("1,3,1023", 1024);

    (void)state;
    assert_true(cpuset_equal(&small, &large));
    assert_true(cpuset_equal(&large, &small));
    assert_false(cpuset_equal(&small, &other));
    assert_false(cpuset_equal(&other, &small));
}

static void form_is_kept_through_parse_and_format(void **state)
{
    static const char *const lists[] = {"",       "0",          "0-1",   "0-3,7,64-127",
                                        "0-1023", "0,2,4,1023", "62-65", "1022-1023"};

    (void)state;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        struct cpuset set = parsed(lists[i], 1024);
        char text[64];

        assert_int_equal(cpuset_format(&set, text, sizeof(text)), strlen(lists[i]));
        assert_string_equal(text, lists[i]);
    }
}

static void parse_joins_and_sorts(void **state)
{
    struct cpuset set = parsed("7,3-5,4-6,0,0", 8);
    char text[64];

    (void)state;
    cpuset_format(&set, text, sizeof(text));
    assert_string_equal(text, "0,3-7");
    assert_int_equal(cpuset_parse("2", &set), STATUS_OK);
    cpuset_format(&set, text, sizeof(text));
    assert_string_equal(text, "2");
}

static void bad_lists_leave_the_set_alone(void **state)
{
    static const char *const lists[] = {
        ",",   "1,",  "1,,2", "a",   "1-",    "-1",         "3-1",          "8",
        "0-8", "1 2", " 1",   "1;2", "1-2-3", "4294967296", "0-4294967296", "18446744073709551617",
        "+1",  "0x1"};
    struct cpuset set = parsed("5", 8);

    (void)state;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        assert_int_equal(cpuset_parse(lists[i], &set), STATUS_BAD_INPUT);
        assert_int_equal(cpuset_count(&set), 1);
        assert_true(cpuset_has(&set, 5));
    }
}

static void largest_numbers_do_not_wrap(void **state)
{
    (void)state;
    assert_true(cpuset_is_list("4294967294", UINT32_MAX));
    assert_false(cpuset_is_list("4294967295", UINT32_MAX));
    assert_false(cpuset_is_list("0", 0));
    assert_true(cpuset_is_list("", 0));
}

/* Whatever the room, the text is whole ranges, then "..." when something is missing. */
static void format_cuts_between_ranges(void **state)
{
    static const char whole[] = "0-3,7,64-127,1023";
    struct cpuset set = parsed(whole, 1024);
    char text[64];

    (void)state;
    for (size_t room = 1; room < sizeof(text); room++) {
        size_t length;

        memset(text, '#', sizeof(text));
        length = cpuset_format(&set, text, room);
        assert_int_equal(text[length], '\0');
        assert_true(length < room);
        assert_int_equal(text[room], '#');
        if (room > strlen(whole)) {
            assert_string_equal(text, whole);
        } else if (room > 3) {
            assert_string_equal(text + length - 3, "...");
            assert_memory_equal(text, whole, length - 3);
            assert_true(length == 3 || text[length - 4] == ',');
        }
    }
    assert_int_equal(cpuset_format(&set, text, 0), 0);
    cpuset_format(&set, text, 13);
    assert_string_equal(text, "0-3,7,...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_beyond_capacity_are_ignored),
        cmocka_unit_test(set_without_memory_does_nothing),
        cmocka_unit_test(next_finds_every_cpu),
        cmocka_unit_test(equal_looks_at_members_only),
        cmocka_unit_test(form_is_kept_through_parse_and_format),
        cmocka_unit_test(parse_joins_and_sorts),
        cmocka_unit_test(bad_lists_leave_the_set_alone),
        cmocka_unit_test(largest_numbers_do_not_wrap),
        cmocka_unit_test(format_cuts_between_ranges),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
