#include "tests/sim/json_compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static json_t *load(const char *text)
{
    char path[] = "/tmp/assay-json-XXXXXX";
    int descriptor = mkstemp(path);
    json_t *json;

    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(close(descriptor), 0);
    json = json_file_load(path);
    assert_int_equal(unlink(path), 0);
    return json;
}

static struct json_score compare(const char *expected, const char *actual)
{
    struct json_score score = {.told_max = 0};
    json_t *wanted = load(expected);
    json_t *found = load(actual);

    json_compare("test", wanted, found, &score);
    json_decref(wanted);
    json_decref(found);
    return score;
}

static void every_scalar_and_length_counts(void **state)
{
    struct json_score score =
        compare("{\"a\": [1, \"x\"], \"b\": null}", "{\"a\": [1, \"x\"], \"more\": 1}");

    (void)state;
    assert_int_equal(score.equal, 4);
    assert_int_equal(score.different, 0);
}

static void differences_are_found(void **state)
{
    (void)state;
    assert_int_equal(compare("{\"a\": 1}", "{\"a\": 2}").different, 1);
    assert_int_equal(compare("{\"a\": 1}", "{\"a\": \"1\"}").different, 1);
    assert_int_equal(compare("{\"a\": 1}", "{}").different, 1);
    assert_int_equal(compare("{\"a\": null}", "{\"a\": 0}").different, 1);
    assert_int_equal(compare("[1, 2]", "[1]").different, 2);
    assert_int_equal(compare("[1]", "[1, 2]").different, 1);
    assert_int_equal(compare("[[1]]", "[]").different, 3);
}

static void integers_of_64_bits_are_exact(void **state)
{
    (void)state;
    assert_int_equal(compare("[18446744073709551615]", "[18446744073709551615]").different, 0);
    assert_int_equal(compare("[18446744073709551615]", "[18446744073709551614]").different, 1);
    assert_int_equal(
        compare("[\"a 1234567890123456789 \\\" b\"]", "[\"a 1234567890123456789 \\\" b\"]")
            .different,
        0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_and_length_counts),
        cmocka_unit_test(differences_are_found),
        cmocka_unit_test(integers_of_64_bits_are_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
