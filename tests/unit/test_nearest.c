#include "model/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *nearest(const char *word)
{
    static const char *const words[] = {"tables", "clocks", "frequency", "idle", "all", "quick"};

    return nearest_of(word, strlen(word), words, sizeof(words) / sizeof(words[0]));
}

static void typing_mistakes_find_their_word(void **state)
{
    (void)state;
    assert_string_equal(nearest("tabels"), "tables");
    assert_string_equal(nearest("table"), "tables");
    assert_string_equal(nearest("TABLES"), "tables");
    assert_string_equal(nearest("freq"), "frequency");
    assert_string_equal(nearest("idel"), "idle");
    assert_string_equal(nearest("clokcs"), "clocks");
    assert_string_equal(nearest("al"), "all");
    assert_string_equal(nearest("a"), "all");
    assert_string_equal(nearest("quik"), "quick");
}

static void first_wins_when_nothing_is_alike(void **state)
{
    (void)state;
    assert_string_equal(nearest(""), "all"); /* three inserts, the fewest */
    assert_string_equal(nearest("0123456789012345678901234567890123456789"), "tables");
}

static void rank_is_least_for_the_word_itself(void **state)
{
    (void)state;
    assert_true(nearest_rank("idle", 4, "idle") < nearest_rank("idle", 4, "idles"));
    assert_true(nearest_rank("idle", 4, "idles") < nearest_rank("idle", 4, "iddles"));
    assert_int_equal(nearest_rank("kitten", 6, "sitting") / 64, 3);
    assert_int_equal(nearest_rank("sitting", 7, "kitten") / 64, 3);
    assert_int_equal(nearest_rank("", 0, "abc") / 64, 3);
}

/* Only as far as the table reaches; the address sanitizer watches. */
static void long_words_are_cut(void **state)
{
    char word[5000];
    char other[5000];

    (void)state;
    memset(word, 'a', sizeof(word));
    memset(other, 'b', sizeof(other));
    other[sizeof(other) - 1] = '\0';
    assert_int_equal(nearest_rank(word, sizeof(word), other) / 64, NEAREST_LENGTH_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typing_mistakes_find_their_word),
        cmocka_unit_test(first_wins_when_nothing_is_alike),
        cmocka_unit_test(rank_is_least_for_the_word_itself),
        cmocka_unit_test(long_words_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
