#include "host/check_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct check_words taken;
static char message[256];
static const char *paths[16];

static enum status take(int count, const char *const *words)
{
    char copies[16][64];
    char *pointers[16];

    for (int i = 0; i < count; i++) {
        (void)strcpy(copies[i], words[i]);
        pointers[i] = copies[i];
    }
    message[0] = '\0';
    return check_words_take(count, pointers, paths, &taken, message, sizeof(message));
}

#define TAKE(...)                                                                                  \
    take((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                            \
         (const char *[]){__VA_ARGS__})

static void values_behind_or_after(void **state)
{
    (void)state;
    assert_int_equal(TAKE("--json", "a.json", "--tap=-", "--quiet", "--os-caps=0x3FFF,0x7FFF",
                          "--linux", "6.12", "m1"),
                     STATUS_OK);
    assert_non_null(taken.outputs[CHECK_JSON]);
    assert_non_null(taken.outputs[CHECK_TAP]);
    assert_null(taken.outputs[CHECK_TEXT]);
    assert_true(taken.is_quiet);
    assert_int_equal(taken.paths_count, 1);
    assert_int_equal(taken.options.caps, CAPS_GIVEN);
    assert_int_equal(taken.options.platform_caps, 0x7FFF);
    assert_string_equal(taken.options.linux_version, "6.12");
}

static void several_machines_and_standard_input(void **state)
{
    (void)state;
    assert_int_equal(TAKE("-", "b.aml", "c.aml"), STATUS_OK);
    assert_int_equal(taken.paths_count, 3);
}

static void wrong_words_name_the_nearest(void **state)
{
    (void)state;
    assert_int_equal(TAKE("--jsn", "x", "m"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "--jsn"));
    assert_non_null(strstr(message, "--json"));
    assert_int_equal(TAKE("--json"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "needs a value"));
    assert_int_equal(TAKE("--os-caps=hello", "m"), STATUS_BAD_INPUT);
    assert_true(message[0] != '\0');
    assert_int_equal(TAKE("--quiet=1", "m"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "takes no value"));
    assert_int_equal(TAKE("--json=", "m"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "needs a value"));
}

static void one_report_on_standard_output(void **state)
{
    (void)state;
    assert_int_equal(TAKE("--json", "-", "--text", "-", "m"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "only one report"));
    assert_int_equal(TAKE("--json", "-", "--text", "x", "m"), STATUS_OK);
}

static void no_machine_is_wrong_use_but_help_is_not(void **state)
{
    (void)state;
    assert_int_equal(TAKE("--quiet"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "MACHINE"));
    assert_int_equal(TAKE("--help"), STATUS_OK);
    assert_true(taken.wants_help);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_behind_or_after),
        cmocka_unit_test(several_machines_and_standard_input),
        cmocka_unit_test(wrong_words_name_the_nearest),
        cmocka_unit_test(one_report_on_standard_output),
        cmocka_unit_test(no_machine_is_wrong_use_but_help_is_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
