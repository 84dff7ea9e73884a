#include "model/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* UTF-8 of a scalar value; The Unicode Standard 15.0, 3.9, Table 3-6 UTF-8 Bit Distribution. */
static size_t encode(uint32_t scalar, char *ret_bytes)
{
    if (scalar < 0x80) {
        ret_bytes[0] = (char)scalar;
        return 1;
    }
    if (scalar < 0x800) {
        ret_bytes[0] = (char)(0xC0 | scalar >> 6);
        ret_bytes[1] = (char)(0x80 | (scalar & 0x3F));
        return 2;
    }
    if (scalar < 0x10000) {
        ret_bytes[0] = (char)(0xE0 | scalar >> 12);
        ret_bytes[1] = (char)(0x80 | (scalar >> 6 & 0x3F));
        ret_bytes[2] = (char)(0x80 | (scalar & 0x3F));
        return 3;
    }
    ret_bytes[0] = (char)(0xF0 | scalar >> 18);
    ret_bytes[1] = (char)(0x80 | (scalar >> 12 & 0x3F));
    ret_bytes[2] = (char)(0x80 | (scalar >> 6 & 0x3F));
    ret_bytes[3] = (char)(0x80 | (scalar & 0x3F));
    return 4;
}

/* Every scalar value is well-formed, no surrogate is, nor anything beyond 10FFFFH. */
static void every_scalar_value_is_taken(void **state)
{
    (void)state;
    for (uint32_t scalar = 0; scalar < 0x120000; scalar++) {
        char bytes[4];
        size_t length = encode(scalar, bytes);
        bool is_scalar = scalar < 0xD800 || (scalar > 0xDFFF && scalar < 0x110000);
        bool is_valid = !is_scalar;
        size_t found = utf8_sequence(bytes, length, &is_valid);

        assert_int_equal(is_valid, is_scalar);
        assert_int_equal(found, is_scalar ? length : 1);
    }
}

static void cut_sequences_are_one_mistake(void **state)
{
    for (uint32_t scalar = 0x80; scalar < 0x110000; scalar += 0x35) {
        char bytes[4];
        size_t length = encode(scalar, bytes);

        (void)state;
        if (scalar >= 0xD800 && scalar <= 0xDFFF) {
            continue;
        }
        for (size_t cut = 1; cut < length; cut++) {
            bool is_valid = true;

            assert_int_equal(utf8_sequence(bytes, cut, &is_valid), cut);
            assert_false(is_valid);
        }
    }
}

static void overlong_and_stray_bytes_are_mistakes(void **state)
{
    static const char *const cases[] = {"\x80",
                                        "\xBF",
                                        "\xC0\x80",
                                        "\xC1\xBF",
                                        "\xE0\x80\x80",
                                        "\xE0\x9F\xBF",
                                        "\xF0\x80\x80\x80",
                                        "\xF0\x8F\xBF\xBF",
                                        "\xF5\x80\x80\x80",
                                        "\xFE",
                                        "\xFF",
                                        "\xC3(",
                                        "\xE2("};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool is_valid = true;

        assert_int_equal(utf8_sequence(cases[i], 4, &is_valid), 1);
        assert_false(is_valid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scalar_value_is_taken),
        cmocka_unit_test(cut_sequences_are_one_mistake),
        cmocka_unit_test(overlong_and_stray_bytes_are_mistakes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
