#include "model/base64.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_line(const char *bytes, const char *want)
{
    char line[BASE64_LINE_CHARS + 1] = "";
    size_t length = base64_line((const uint8_t *)bytes, strlen(bytes), line);

    assert_int_equal(length, strlen(want));
    assert_memory_equal(line, want, length);
}

/* RFC 4648, section 10, test vectors. */
static void vectors_of_the_rfc(void **state)
{
    (void)state;
    assert_line("", "");
    assert_line("f", "Zg==");
    assert_line("fo", "Zm8=");
    assert_line("foo", "Zm9v");
    assert_line("foob", "Zm9vYg==");
    assert_line("fooba", "Zm9vYmE=");
    assert_line("foobar", "Zm9vYmFy");
    assert_line("\xFF\xEF\xBE", "/+++");
}

static void full_line_is_76_characters(void **state)
{
    uint8_t bytes[BASE64_LINE_BYTES + 3];
    char line[BASE64_LINE_CHARS];

    (void)state;
    memset(bytes, 0, sizeof(bytes));
    assert_int_equal(base64_line(bytes, BASE64_LINE_BYTES, line), 76);
    assert_int_equal(base64_line(bytes, sizeof(bytes), line), 76);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_the_rfc),
        cmocka_unit_test(full_line_is_76_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
