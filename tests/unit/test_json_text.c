#include "host/json_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char message[256];

static json_t *take(const char *text)
{
    json_t *root = json_text_read(text, strlen(text), message, sizeof(message));

    assert_non_null(root);
    return root;
}

static void numbers_of_64_bits_are_exact(void **state)
{
    json_t *root =
        take("{\"a\":18446744073709551615,\"b\":[9223372036854775808,0, 12345678901234567890 ],"
             "\"c\":\"x 99999999999999999999 \\\" 18446744073709551615\",\"d\":1.5e3,"
             "\"e\":9223372036854775807}");
    uint64_t value = 0;

    (void)state;
    assert_true(json_text_number(root, "a", 0) == UINT64_MAX);
    assert_true(json_text_u64(json_array_get(json_object_get(root, "b"), 0), &value));
    assert_true(value == UINT64_C(1) << 63);
    assert_string_equal(json_text_string(root, "c"),
                        "x 99999999999999999999 \" 18446744073709551615");
    assert_true(json_text_number(root, "e", 0) == INT64_MAX);
    assert_int_equal(json_text_number(root, "none", 7), 7);
    assert_int_equal(json_text_number(root, "c", 7), 7);
    assert_int_equal(json_text_number(root, "d", 7), 7);
    json_decref(root);
}

static void negative_numbers_are_no_u64(void **state)
{
    json_t *root = take("[-1]");
    uint64_t value = 5;

    (void)state;
    assert_false(json_text_u64(json_array_get(root, 0), &value));
    assert_int_equal(value, 5);
    json_decref(root);
}

static void rubbish_gives_one_line(void **state)
{
    static char deep[100001];

    (void)state;
    memset(deep, '[', sizeof(deep) - 1);
    assert_null(json_text_read(deep, sizeof(deep) - 1, message, sizeof(message)));
    assert_null(strchr(message, '\n'));
    assert_null(json_text_read("\"\\", 2, message, sizeof(message)));
    assert_null(json_text_read("{\"a\":1,\"a\":2}", 13, message, sizeof(message)));
    assert_null(json_text_read("", 0, message, sizeof(message)));
    assert_null(json_text_read("\0\0\0", 3, message, sizeof(message)));
    assert_null(json_text_read("-18446744073709551615", 21, message, sizeof(message)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_64_bits_are_exact),
        cmocka_unit_test(negative_numbers_are_no_u64),
        cmocka_unit_test(rubbish_gives_one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
