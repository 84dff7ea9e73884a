#include "report/json_out.h"

#include <jansson.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
    char buffer[65536];
    struct textbuf text;
    struct json_out json;
};

static struct fixture fixture;

static struct json_out *start(void)
{
    textbuf_init(&fixture.text, fixture.buffer, sizeof(fixture.buffer), NULL, NULL);
    json_out_init(&fixture.json, &fixture.text);
    return &fixture.json;
}

/* What an independent strict parser makes of it; fails the test when it refuses. */
static json_t *parse(void)
{
    json_error_t error;
    json_t *root = json_loads(fixture.buffer, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);

    if (root == NULL) {
        fail_msg("%s at line %d: %s", error.text, error.line, fixture.buffer);
    }
    return root;
}

static void layout_is_one_line_a_flat_record(void **state)
{
    struct json_out *json = start();

    (void)state;
    json_out_object(json, NULL);
    json_out_string(json, "name", "x");
    json_out_array(json, "rows");
    for (unsigned i = 0; i < 2; i++) {
        json_out_flat_object(json, NULL);
        json_out_u64(json, "khz", i);
        json_out_array(json, "values");
        json_out_bool(json, NULL, true);
        json_out_null(json, NULL);
        json_out_end(json);
        json_out_end(json);
    }
    json_out_end(json);
    json_out_object(json, "empty");
    json_out_end(json);
    json_out_flat_array(json, "none");
    json_out_end(json);
    json_out_end(json);
    assert_true(json_out_finish(json));
    assert_string_equal(fixture.buffer, "{\n"
                                        " \"name\": \"x\",\n"
                                        " \"rows\": [\n"
                                        "  {\"khz\": 0, \"values\": [true, null]},\n"
                                        "  {\"khz\": 1, \"values\": [true, null]}\n"
                                        " ],\n"
                                        " \"empty\": {},\n"
                                        " \"none\": []\n"
                                        "}\n");
}

static void numbers_are_exact(void **state)
{
    struct json_out *json = start();

    (void)state;
    json_out_flat_array(json, NULL);
    json_out_u64(json, NULL, 0);
    json_out_u64(json, NULL, UINT64_MAX);
    json_out_i64(json, NULL, INT64_MIN);
    json_out_hex(json, NULL, 0, 0);
    json_out_hex(json, NULL, 0x1AD, 0);
    json_out_hex(json, NULL, 0x1AD, 16);
    json_out_hex(json, NULL, UINT64_MAX, 0);
    json_out_end(json);
    assert_true(json_out_finish(json));
    assert_string_equal(fixture.buffer,
                        "[0, 18446744073709551615, -9223372036854775808, \"0x0\", \"0x1ad\", "
                        "\"0x00000000000001ad\", \"0xffffffffffffffff\"]\n");
}

static void absent_string_is_left_out(void **state)
{
    struct json_out *json = start();

    (void)state;
    json_out_flat_object(json, NULL);
    json_out_string(json, "vendor", NULL);
    json_out_flat_array(json, "list");
    json_out_string(json, NULL, NULL);
    json_out_end(json);
    json_out_end(json);
    assert_true(json_out_finish(json));
    assert_string_equal(fixture.buffer, "{\"list\": [null]}\n");
}

/* Every single byte, and every pair, must come out as JSON that a strict parser takes. */
static void any_bytes_give_strict_json(void **state)
{
    (void)state;
    for (unsigned first = 0; first < 256; first++) {
        struct json_out *json = start();
        json_t *root;

        json_out_array(json, NULL);
        for (unsigned second = 0; second < 256; second++) {
            char bytes[3] = {(char)first, (char)second, 'z'};

            json_out_bytes(json, NULL, bytes, sizeof(bytes));
        }
        json_out_end(json);
        assert_true(json_out_finish(json));
        root = parse();
        assert_int_equal(json_array_size(root), 256);
        if (first < 0x80) {
            const json_t *item = json_array_get(root, 'a');

            assert_int_equal(json_string_length(item), 3);
            assert_int_equal((unsigned char)json_string_value(item)[0], first);
        }
        json_decref(root);
    }
}

static void escapes_are_the_short_ones(void **state)
{
    struct json_out *json = start();

    (void)state;
    json_out_string(json, NULL, "\\_SB.\"C0\"\b\f\n\r\t\x01\x1f\x7f/\xC3\xA4");
    assert_true(json_out_finish(json));
    assert_string_equal(fixture.buffer,
                        "\"\\\\_SB.\\\"C0\\\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f/\xC3\xA4\"\n");
}

static void broken_utf8_becomes_replacements(void **state)
{
    static const char *const cases[][2] = {
        {"a\x80z", "\"a\xEF\xBF\xBDz\"\n"},
        {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},
        {"\xE2\x82", "\"\xEF\xBF\xBD\"\n"},
        {"\xE2\x82\xAC", "\"\xE2\x82\xAC\"\n"},
        {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},
        {"\xF0\x9F\x98\x80", "\"\xF0\x9F\x98\x80\"\n"},
        {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},
        {"\xF0\x9F\x98", "\"\xEF\xBF\xBD\"\n"},
        {"\xFF\xFE", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct json_out *json = start();

        json_out_string(json, NULL, cases[i][0]);
        assert_true(json_out_finish(json));
        assert_string_equal(fixture.buffer, cases[i][1]);
    }
}

static void mistakes_are_remembered(void **state)
{
    struct json_out *json;

    (void)state;
    assert_false(json_out_finish(start()));

    json = start();
    json_out_end(json);
    assert_true(fixture.text.has_failed);

    json = start();
    json_out_object(json, NULL);
    assert_false(json_out_finish(json));

    json = start();
    json_out_object(json, NULL);
    json_out_u64(json, NULL, 1);
    assert_true(fixture.text.has_failed);

    json = start();
    json_out_array(json, NULL);
    json_out_u64(json, "key", 1);
    assert_true(fixture.text.has_failed);

    json = start();
    json_out_null(json, NULL);
    json_out_null(json, NULL);
    assert_true(fixture.text.has_failed);
}

static void depth_is_bounded(void **state)
{
    for (unsigned levels = JSON_DEPTH_MAX; levels <= JSON_DEPTH_MAX + 3; levels++) {
        struct json_out *json = start();

        (void)state;
        for (unsigned i = 0; i < levels; i++) {
            json_out_array(json, NULL);
        }
        json_out_u64(json, NULL, 1);
        for (unsigned i = 0; i < levels; i++) {
            json_out_end(json);
        }
        assert_int_equal(json_out_finish(json), levels <= JSON_DEPTH_MAX);
        json_decref(parse());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout_is_one_line_a_flat_record),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(absent_string_is_left_out),
        cmocka_unit_test(any_bytes_give_strict_json),
        cmocka_unit_test(escapes_are_the_short_ones),
        cmocka_unit_test(broken_utf8_becomes_replacements),
        cmocka_unit_test(mistakes_are_remembered),
        cmocka_unit_test(depth_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
