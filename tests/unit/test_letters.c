#include "model/letters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void small_screens_keep_the_firmwares_letters(void **state)
{
    (void)state;
    assert_int_equal(letters_fit(640, 480, 80, 25, 0).factor, 1);
    assert_int_equal(letters_fit(1024, 768, 100, 31, 0).factor, 1);
    assert_int_equal(letters_fit(1920, 1080, 100, 31, 0).factor, 1);
    assert_int_equal(letters_fit(320, 200, 80, 25, 0).factor,
                     1); /* a page that does not fit at all */
}

static void many_small_pixels_get_large_letters(void **state)
{
    struct letters letters = letters_fit(3840, 2160, 100, 31, 0);

    (void)state;
    assert_int_equal(letters.factor, 3);
    assert_int_equal(letters.columns, 100);
    assert_int_equal(letters.rows, 31);
    assert_int_equal(letters.left_px, (3840 - 100 * 24) / 2);
    assert_int_equal(letters.top_px, (2160 - 31 * 57) / 2);
    assert_int_equal(letters_fit(2560, 1600, 100, 31, 0).factor, 2);
    assert_int_equal(letters_fit(3840, 2160, 80, 25, 0).factor, 4);
}

static void a_wanted_size_makes_the_page_smaller(void **state)
{
    struct letters letters = letters_fit(1920, 1080, 100, 31, 2);

    (void)state;
    assert_int_equal(letters.factor, 2);
    assert_int_equal(letters.columns, 100);
    assert_int_equal(letters.rows, 28);
    letters = letters_fit(3840, 2160, 100, 31, 4);
    assert_int_equal(letters.factor, 4);
    assert_int_equal(letters.rows, 28);
}

/* The menus need 80 columns and 25 rows. */
static void but_no_smaller_than_every_console_is(void **state)
{
    struct letters letters = letters_fit(1280, 950, 100, 31, 8);

    (void)state;
    assert_int_equal(letters.factor, 2);
    assert_int_equal(letters.columns, 80);
    assert_int_equal(letters.rows, 25);
    assert_int_equal(letters_fit(1279, 950, 100, 31, 8).factor, 1);
    assert_int_equal(letters_fit(1280, 949, 100, 31, 8).factor, 1);
    assert_int_equal(letters_fit(64000, 64000, 80, 25, 0).factor, LETTERS_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_screens_keep_the_firmwares_letters),
        cmocka_unit_test(many_small_pixels_get_large_letters),
        cmocka_unit_test(a_wanted_size_makes_the_page_smaller),
        cmocka_unit_test(but_no_smaller_than_every_console_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
