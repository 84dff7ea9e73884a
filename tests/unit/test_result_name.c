#include "model/result_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct wall_time leap_eve = {2024, 2, 28, 23, 30, 5};

static void assert_time(struct wall_time got, struct wall_time want)
{
    assert_int_equal(got.year, want.year);
    assert_int_equal(got.month, want.month);
    assert_int_equal(got.day, want.day);
    assert_int_equal(got.hour, want.hour);
    assert_int_equal(got.minute, want.minute);
    assert_int_equal(got.second, want.second);
}

static void shifting_crosses_days_months_and_years(void **state)
{
    const struct wall_time new_year = {2023, 12, 31, 23, 59, 59};
    const struct wall_time march = {2023, 3, 1, 0, 10, 0};

    (void)state;
    assert_time(wall_time_shift(&leap_eve, 60), (struct wall_time){2024, 2, 29, 0, 30, 5});
    assert_time(wall_time_shift(&new_year, 1), (struct wall_time){2024, 1, 1, 0, 0, 59});
    assert_time(wall_time_shift(&march, -11), (struct wall_time){2023, 2, 28, 23, 59, 0});
    assert_time(wall_time_shift(&leap_eve, 0), leap_eve);
}

static void rubbish_times_stay_as_they_are(void **state)
{
    const struct wall_time rubbish = {2024, 0, 99, 77, 88, 99};

    (void)state;
    assert_time(wall_time_shift(&rubbish, 60), rubbish);
    assert_time(wall_time_shift(&leap_eve, 2047), leap_eve);
}

static void names_are_safe_and_numbered(void **state)
{
    char name[RESULT_NAME_BYTES];

    (void)state;
    result_name_format(&leap_eve, "Standard PC (Q35 + ICH9, 2009)", 1, name);
    assert_string_equal(name, "20240228-233005-Standard-PC-Q35-ICH9-2009");
    result_name_format(&leap_eve, "..\\a/b*?", 2, name);
    assert_string_equal(name, "20240228-233005-..-a-b-2");
    result_name_format(&leap_eve, "***", 1, name);
    assert_string_equal(name, "20240228-233005-unknown");
    result_name_format(&leap_eve, NULL, 3, name);
    assert_string_equal(name, "20240228-233005-unknown-3");
    result_name_format(&leap_eve, "0123456789012345678901234567890123456789XYZ", 4294967295U, name);
    assert_string_equal(name,
                        "20240228-233005-0123456789012345678901234567890123456789-4294967295");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifting_crosses_days_months_and_years),
        cmocka_unit_test(rubbish_times_stay_as_they_are),
        cmocka_unit_test(names_are_safe_and_numbered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
