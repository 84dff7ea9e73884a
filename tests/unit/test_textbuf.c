#include "model/textbuf.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct sink {
    char bytes[4096];
    size_t length;
    unsigned calls;
    size_t largest;
    bool fails;
};

static bool into_sink(void *context, const char *bytes, size_t length)
{
    struct sink *sink = context;

    sink->calls++;
    sink->largest = length > sink->largest ? length : sink->largest;
    if (sink->fails || length > sizeof(sink->bytes) - sink->length) {
        return false;
    }
    memcpy(sink->bytes + sink->length, bytes, length);
    sink->length += length;
    return true;
}

/* Every conversion must give what the C library's printf gives. */
#define SAME(...)                                                                                  \
    do {                                                                                           \
        char ours[512];                                                                            \
        char theirs[512];                                                                          \
        struct textbuf text;                                                                       \
        int length = snprintf(theirs, sizeof(theirs), __VA_ARGS__);                                \
        textbuf_init(&text, ours, sizeof(ours), NULL, NULL);                                       \
        textbuf_printf(&text, __VA_ARGS__);                                                        \
        assert_string_equal(ours, theirs);                                                         \
        assert_int_equal(text.length, length);                                                     \
        assert_false(text.has_failed);                                                             \
    } while (0)

static void printf_agrees_on_numbers(void **state)
{
    (void)state;
    SAME("%u %u %u", 0U, 1U, UINT32_MAX);
    SAME("%d %d %d %i", 0, INT32_MAX, INT32_MIN, -1);
    SAME("%lu %llu %zu", UINT64_MAX, (unsigned long long)UINT64_MAX, SIZE_MAX);
    SAME("%ld %lld", INT64_MIN, (long long)INT64_MAX);
    SAME("%x %X %08x %8X|%-8x|", 0xabcdefU, 0xabcdefU, 0xabcU, 0xabcU, 0xabcU);
    SAME("%016lx %lx", UINT64_C(0x123456789abcdef0), UINT64_MAX);
    SAME("%5d|%-5d|%05d|%2d", -42, -42, -42, -4200);
    SAME("%hhu %hhx %hd %hu %hhd", (uint8_t)255, (uint8_t)0xAB, (int16_t)-300, (uint16_t)65535,
         (int8_t)-128);
    SAME("%*d|%-*u|%.3u|%5.3u|%.3d|%.0u", 6, 17, 6, 17U, 7U, 7U, -7, 0U);
    SAME("%0*u", 9, 1234U);
    SAME("%.*d|%*.*u|%.*s", -5, 1, 6, -5, 2U, -5, "whole");
    SAME("%*u|", -6, 17U);
}

static void printf_agrees_on_text(void **state)
{
    const char unterminated[3] = {'a', 'b', 'c'};

    (void)state;
    SAME("%s", "");
    SAME("%s and %s", "one", "two");
    SAME("|%10s|%-10s|%.2s|%10.2s|%-10.2s|", "abc", "abc", "abc", "abc", "abc");
    SAME("%.*s|", 3, unterminated);
    SAME("%.0s|%.9s", "abc", "abc");
    SAME("%c%c%3c|%-3c|", 'x', '%', 'y', 'z');
    SAME("100%% of %d%%", 5);
}

static void null_string_is_named(void **state)
{
    char buffer[32];
    struct textbuf text;
    const char *volatile nothing = NULL;

    (void)state;
    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    textbuf_printf(&text, "[%s]", nothing);
    assert_string_equal(buffer, "[(null)]");
}

/* Called through a pointer: the compiler would refuse the format. */
static void unknown_conversion_is_shown(void **state)
{
    void (*volatile print)(struct textbuf *, const char *, ...) = textbuf_printf;
    static const char *const formats[] = {"a%qb", "a%", "a%-08", "a%n", "a%p %s"};

    (void)state;
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        char buffer[32];
        struct textbuf text;

        textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
        print(&text, formats[i], 1, 2);
        assert_string_equal(buffer, formats[i]);
        assert_true(text.has_failed);
    }
}

static void text_without_flush_is_cut_and_terminated(void **state)
{
    char buffer[8];
    struct textbuf text;

    (void)state;
    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    assert_string_equal(buffer, "");
    textbuf_string(&text, "1234567");
    assert_true(textbuf_finish(&text));
    assert_string_equal(buffer, "1234567");
    textbuf_byte(&text, '8');
    assert_string_equal(buffer, "1234567");
    assert_int_equal(text.written_bytes, 8);
    assert_false(textbuf_finish(&text));

    textbuf_init(&text, buffer, 1, NULL, NULL);
    textbuf_bytes(&text, "", 0);
    assert_false(text.has_failed);
    textbuf_byte(&text, 'x');
    assert_string_equal(buffer, "");
    assert_true(text.has_failed);
}

static void flush_gets_everything_in_pieces(void **state)
{
    for (size_t capacity = 1; capacity < 40; capacity++) {
        struct sink sink = {.calls = 0};
        char buffer[40];
        struct textbuf text;

        (void)state;
        textbuf_init(&text, buffer, capacity, into_sink, &sink);
        textbuf_printf(&text, "%s %05u", "a longer text than the buffer", 42U);
        textbuf_byte(&text, '\n');
        assert_true(textbuf_finish(&text));
        assert_int_equal(sink.length, 36);
        assert_memory_equal(sink.bytes, "a longer text than the buffer 00042\n", 36);
        assert_int_equal(text.written_bytes, 36);
        assert_true(sink.largest <= capacity);
        assert_int_equal(sink.calls, (36 + capacity - 1) / capacity);
    }
}

static void failed_flush_is_remembered(void **state)
{
    struct sink sink = {.fails = true};
    char buffer[4];
    struct textbuf text;

    (void)state;
    textbuf_init(&text, buffer, sizeof(buffer), into_sink, &sink);
    textbuf_string(&text, "12345");
    assert_true(text.has_failed);
    sink.fails = false;
    assert_false(textbuf_finish(&text));
}

static void empty_text_is_not_flushed(void **state)
{
    struct sink sink = {.calls = 0};
    char buffer[4];
    struct textbuf text;

    (void)state;
    textbuf_init(&text, buffer, sizeof(buffer), into_sink, &sink);
    assert_true(textbuf_finish(&text));
    assert_int_equal(sink.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printf_agrees_on_numbers),
        cmocka_unit_test(printf_agrees_on_text),
        cmocka_unit_test(null_string_is_named),
        cmocka_unit_test(unknown_conversion_is_shown),
        cmocka_unit_test(text_without_flush_is_cut_and_terminated),
        cmocka_unit_test(flush_gets_everything_in_pieces),
        cmocka_unit_test(failed_flush_is_remembered),
        cmocka_unit_test(empty_text_is_not_flushed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
