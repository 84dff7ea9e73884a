#include "model/command_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Decodes exactly `length` bytes from the heap, so that the sanitizer sees a read beyond them. */
static const char *decode(const void *bytes, size_t length)
{
    static char text[64];
    uint8_t *exact = malloc(length == 0 ? 1 : length);
    size_t written;

    memcpy(exact, bytes, length);
    written = command_line_decode(exact, length, text, sizeof(text));
    free(exact);
    assert_int_equal(written, strlen(text));
    return text;
}

static const char *decode_ucs2(const char *text)
{
    uint8_t bytes[512];
    size_t length = strlen(text) + 1;

    for (size_t i = 0; i < length; i++) {
        bytes[2 * i] = (uint8_t)text[i];
        bytes[2 * i + 1] = 0;
    }
    return decode(bytes, 2 * length);
}

static void shell_lines_lose_the_program(void **state)
{
    (void)state;
    assert_string_equal(decode_ucs2("assay.efi --batch --run=tables"), "--batch --run=tables");
    assert_string_equal(decode_ucs2("\"FS0:\\my tools\\assay.efi\"  --help"), "--help");
    assert_string_equal(decode_ucs2("FS0:\\assay.efi"), "");
    assert_string_equal(decode_ucs2("assay help"), "help");
}

static void boot_entries_have_words_only(void **state)
{
    (void)state;
    assert_string_equal(decode_ucs2("--batch --exit=reset"), "--batch --exit=reset");
    assert_string_equal(decode("--batch", 7), "--batch");
    assert_string_equal(decode("--batch\0rest", 12), "--batch");
}

static void what_is_no_text_gives_nothing(void **state)
{
    static const uint8_t guid[16] = {0x8B, 0xE4, 0xDF, 0x61, 0x93, 0xCA, 0xD2, 0x11,
                                     0xAA, 0x0D, 0x00, 0xE0, 0x98, 0x03, 0x2B, 0x8C};

    (void)state;
    assert_string_equal(decode(guid, sizeof(guid)), "");
    assert_string_equal(decode("", 0), "");
    assert_string_equal(decode("-\0-", 3), "");
    assert_string_equal(decode("\x01\x02\x03", 3), "");
}

static void too_long_a_line_gives_nothing(void **state)
{
    (void)state;
    assert_string_equal(decode_ucs2("--out=0123456789012345678901234567890123456789012345678901234"
                                    "5678901234567890"),
                        "");
}

static void other_alphabets_become_utf8(void **state)
{
    static const uint8_t line[] = {'-', 0, 0xFC, 0, 0xAC, 0x20, 0, 0};
    static const uint8_t surrogate[] = {'-', 0, 0x00, 0xD8, 0, 0};

    (void)state;
    assert_string_equal(decode(line, sizeof(line)), "-\xC3\xBC\xE2\x82\xAC");
    assert_string_equal(decode(surrogate, sizeof(surrogate)), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shell_lines_lose_the_program),
        cmocka_unit_test(boot_entries_have_words_only),
        cmocka_unit_test(what_is_no_text_gives_nothing),
        cmocka_unit_test(too_long_a_line_gives_nothing),
        cmocka_unit_test(other_alphabets_become_utf8),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
