/*
 * The string functions of the UEFI application against those of the C library, over all lengths and
 * alignments that the word-wise loops treat differently. The file is compiled in here under other
 * names, since it defines the C library's own.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#undef isprint
#undef isxdigit
#undef isdigit
#undef isspace
#undef isupper
#undef isalpha
#undef toupper
#undef tolower
#define memcpy efi_memcpy
#define memset efi_memset
#define memmove efi_memmove
#define memcmp efi_memcmp
#define memchr efi_memchr
#define strlen efi_strlen
#define strncmp efi_strncmp
#define strcmp efi_strcmp
#define strncpy efi_strncpy
#define strcpy efi_strcpy
#define strcat efi_strcat
#define strchr efi_strchr
#define strrchr efi_strrchr
#define strstr efi_strstr
#define isprint efi_isprint
#define isxdigit efi_isxdigit
#define isdigit efi_isdigit
#define isspace efi_isspace
#define isupper efi_isupper
#define isalpha efi_isalpha
#define toupper efi_toupper
#define tolower efi_tolower
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *one, const void *other, size_t bytes);
void *memchr(const void *from, int value, size_t bytes);
size_t strlen(const char *text);
int strncmp(const char *one, const char *other, size_t limit);
int strcmp(const char *one, const char *other);
char *strncpy(char *restrict to, const char *restrict from, size_t limit);
char *strcpy(char *restrict to, const char *restrict from);
char *strcat(char *restrict to, const char *restrict from);
char *strchr(const char *text, int wanted);
char *strrchr(const char *text, int wanted);
char *strstr(const char *text, const char *wanted);
#include "efi/cstring.c"
#undef memcpy
#undef memset
#undef memmove
#undef memcmp
#undef memchr
#undef strlen
#undef strncmp
#undef strcmp
#undef strncpy
#undef strcpy
#undef strcat
#undef strchr
#undef strrchr
#undef strstr
#undef isprint
#undef isxdigit
#undef isdigit
#undef isspace
#undef isupper
#undef isalpha
#undef toupper
#undef tolower

enum { AREA_BYTES = 64, LENGTHS = 40, OFFSETS = 8 };

static void fill(unsigned char *area)
{
    for (int i = 0; i < AREA_BYTES; i++) {
        area[i] = (unsigned char)(i * 7 + 1);
    }
}

static void copies_are_exact_at_every_length(void **state)
{
    (void)state;
    for (size_t length = 0; length < LENGTHS; length++) {
        for (size_t offset = 0; offset < OFFSETS; offset++) {
            unsigned char ours[AREA_BYTES];
            unsigned char theirs[AREA_BYTES];
            unsigned char from[AREA_BYTES];

            fill(from);
            memset(ours, 0xEE, sizeof(ours));
            memset(theirs, 0xEE, sizeof(theirs));
            assert_ptr_equal(efi_memcpy(ours + offset, from + 3, length), ours + offset);
            memcpy(theirs + offset, from + 3, length);
            assert_memory_equal(ours, theirs, AREA_BYTES);
        }
    }
}

static void fills_are_exact_at_every_length(void **state)
{
    (void)state;
    for (size_t length = 0; length < LENGTHS; length++) {
        unsigned char ours[AREA_BYTES] = {0};
        unsigned char theirs[AREA_BYTES] = {0};

        assert_ptr_equal(efi_memset(ours + 5, 0x1A5, length), ours + 5);
        memset(theirs + 5, 0xA5, length);
        assert_memory_equal(ours, theirs, AREA_BYTES);
    }
}

static void moves_survive_overlap_both_ways(void **state)
{
    (void)state;
    for (size_t to = 0; to < 16; to++) {
        for (size_t from = 0; from < 16; from++) {
            unsigned char ours[AREA_BYTES];
            unsigned char theirs[AREA_BYTES];

            fill(ours);
            fill(theirs);
            efi_memmove(ours + to, ours + from, 23);
            memmove(theirs + to, theirs + from, 23);
            assert_memory_equal(ours, theirs, AREA_BYTES);
        }
    }
}

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void comparisons_have_the_right_sign(void **state)
{
    static const char *const texts[] = {"", "a", "ab", "abc", "abd", "b", "\xff", "\x7f"};
    const size_t count = sizeof(texts) / sizeof(texts[0]);

    (void)state;
    for (size_t i = 0; i < count * count; i++) {
        const char *one = texts[i / count];
        const char *other = texts[i % count];

        assert_int_equal(sign(efi_strcmp(one, other)), sign(strcmp(one, other)));
        assert_int_equal(sign(efi_strncmp(one, other, 2)), sign(strncmp(one, other, 2)));
        assert_int_equal(sign(efi_memcmp(one, other, 1)), sign(memcmp(one, other, 1)));
    }
    assert_int_equal(efi_memcmp("a", "b", 0), 0);
}

static void searches_find_the_same_place(void **state)
{
    static const char text[] = "one, two, one";

    (void)state;
    assert_int_equal(efi_strlen(text), sizeof(text) - 1);
    assert_ptr_equal(efi_strchr(text, 'o'), text);
    assert_ptr_equal(efi_strchr(text, '\0'), text + sizeof(text) - 1);
    assert_null(efi_strchr(text, 'x'));
    assert_ptr_equal(efi_strrchr(text, 'o'), text + 10);
    assert_null(efi_strrchr(text, 'x'));
    assert_ptr_equal(efi_strstr(text, "two"), text + 5);
    assert_ptr_equal(efi_strstr(text, ""), text);
    assert_null(efi_strstr(text, "twin"));
    assert_ptr_equal(efi_memchr(text, ',', 4), text + 3);
    assert_null(efi_memchr(text, ',', 3));
}

static void text_copies_end_as_the_standard_says(void **state)
{
    char ours[8] = "xxxxxxx";

    (void)state;
    efi_strncpy(ours, "ab", 5);
    assert_memory_equal(ours, "ab\0\0\0xx", 8);
    efi_strncpy(ours, "abcdef", 3);
    assert_memory_equal(ours, "abc\0\0xx", 8);
    efi_strcpy(ours, "ab");
    efi_strcat(ours, "cd");
    assert_string_equal(ours, "abcd");
}

static void characters_are_ascii(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        assert_int_equal(efi_isprint(c) != 0, c < 128 && isprint(c) != 0);
        assert_int_equal(efi_isxdigit(c) != 0, c < 128 && isxdigit(c) != 0);
        assert_int_equal(efi_isdigit(c) != 0, c < 128 && isdigit(c) != 0);
        assert_int_equal(efi_isspace(c) != 0, c < 128 && isspace(c) != 0);
        assert_int_equal(efi_isupper(c) != 0, c < 128 && isupper(c) != 0);
        assert_int_equal(efi_isalpha(c) != 0, c < 128 && isalpha(c) != 0);
        assert_int_equal(efi_toupper(c), c < 128 ? toupper(c) : c);
        assert_int_equal(efi_tolower(c), c < 128 ? tolower(c) : c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_exact_at_every_length),
        cmocka_unit_test(fills_are_exact_at_every_length),
        cmocka_unit_test(moves_survive_overlap_both_ways),
        cmocka_unit_test(comparisons_have_the_right_sign),
        cmocka_unit_test(searches_find_the_same_place),
        cmocka_unit_test(text_copies_end_as_the_standard_says),
        cmocka_unit_test(characters_are_ascii),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
