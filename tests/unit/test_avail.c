#include "model/avail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_value_has_its_own_word(void **state)
{
    (void)state;
    assert_string_equal(avail_name(AVAIL_UNTRIED), "untried");
    assert_string_equal(avail_name(AVAIL_PRESENT), "present");
    assert_string_equal(avail_name(AVAIL_ABSENT), "absent");
    assert_string_equal(avail_name(AVAIL_FAULTED), "faulted");
    assert_string_equal(avail_name(AVAIL_MALFORMED), "malformed");
    assert_string_equal(avail_name((enum avail)77), "unknown");
}

/* A zeroed snapshot must say "nobody asked", not "asked and there". */
static void zero_is_untried(void **state)
{
    enum avail avail;

    (void)state;
    memset(&avail, 0, sizeof(avail));
    assert_int_equal(avail, AVAIL_UNTRIED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_has_its_own_word),
        cmocka_unit_test(zero_is_untried),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
