#include "host/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void lines_end_where_they_end(void **state)
{
    struct lines lines;

    (void)state;
    lines_init(&lines, "a\r\n\nlast", 8);
    assert_true(lines_next(&lines));
    assert_string_equal(lines.text, "a");
    assert_true(lines_next(&lines));
    assert_true(lines_is_blank(&lines));
    assert_true(lines_next(&lines));
    assert_string_equal(lines.text, "last");
    assert_int_equal(lines.number, 3);
    assert_false(lines_next(&lines));
    lines_init(&lines, NULL, 0);
    assert_false(lines_next(&lines));
}

static void long_lines_and_nuls_are_tamed(void **state)
{
    size_t length = 4 * (size_t)LINES_TEXT_BYTES;
    char *bytes = malloc(length);
    struct lines lines;
    struct rubbish rubbish = {0};

    (void)state;
    assert_non_null(bytes);
    memset(bytes, 0, length);
    lines_init(&lines, bytes, length);
    assert_true(lines_next(&lines));
    assert_int_equal(strlen(lines.text), LINES_TEXT_BYTES - 1);
    assert_int_equal(lines.text[0], '?');
    rubbish_add(&rubbish, &lines);
    rubbish_add(&rubbish, &lines);
    assert_int_equal(rubbish.count, 2);
    assert_int_equal(rubbish.first_number, 1);
    assert_int_equal(strlen(rubbish.first_text), sizeof(rubbish.first_text) - 1);
    assert_false(lines_next(&lines));
    free(bytes);
}

static void scanners_take_whole_items_only(void **state)
{
    const char *at = "  0xFFFFFFFFFFFFFFFF 12 00ab-";
    uint64_t value = 0;

    (void)state;
    assert_true(scan_hex(&at, &value));
    assert_true(value == UINT64_MAX);
    assert_false(scan_hex(&at, &value));
    assert_true(scan_decimal(&at, &value));
    assert_int_equal(value, 12);
    assert_false(scan_hex_digits(&at, 3, &value));
    assert_true(scan_hex_digits(&at, 4, &value));
    assert_int_equal(value, 0xAB);
    assert_true(scan_word(&at, "-"));
    assert_true(scan_is_end(at));
}

static void too_large_numbers_are_refused(void **state)
{
    const char *hex = "0x10000000000000000";
    const char *decimal = "18446744073709551616";
    const char *empty = "0x";
    uint64_t value = 7;

    (void)state;
    assert_false(scan_hex(&hex, &value));
    assert_false(scan_number(&decimal, &value));
    assert_false(scan_hex(&empty, &value));
    assert_int_equal(value, 7);
    assert_string_equal(hex, "0x10000000000000000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_where_they_end),
        cmocka_unit_test(long_lines_and_nuls_are_tamed),
        cmocka_unit_test(scanners_take_whole_items_only),
        cmocka_unit_test(too_large_numbers_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
