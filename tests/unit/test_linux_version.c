#include "model/linux/version.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_order(void **state)
{
    static const char *const ascending[] = {"5.4",      "5.10", "5.10.17",  "5.11-rc1",
                                            "5.11-rc4", "5.11", "5.11.1",   "5.12-rc1",
                                            "6.0",      "6.12", "6.12.117", "6.13-rc1"};
    struct linux_version before;
    struct linux_version after;

    (void)state;
    for (size_t i = 1; i < sizeof(ascending) / sizeof(ascending[0]); i++) {
        assert_true(linux_version_parse(ascending[i - 1], &before));
        assert_true(linux_version_parse(ascending[i], &after));
        assert_true(linux_version_compare(before, after) < 0);
        assert_true(linux_version_compare(after, before) > 0);
        assert_true(linux_version_since(after, before));
        assert_false(linux_version_since(before, after));
        assert_int_equal(linux_version_compare(after, after), 0);
    }
}

static void test_round_trip(void **state)
{
    static const char *const texts[] = {"5.4", "5.11-rc4", "6.12.117", "6.16"};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct linux_version version;
        char text[24];

        assert_true(linux_version_parse(texts[i], &version));
        linux_version_format(version, text, sizeof(text));
        assert_string_equal(text, texts[i]);
    }
}

static void test_rubbish(void **state)
{
    static const char *const texts[] = {
        "",      "6",        "6.",     ".12",        "6.12.",      "6.12-rc", "6.12-",     "v6.12",
        "6.12 ", "6.12-rc0", "1000.1", "6.12.1-rc2", "6.12-rc255", "6..12",   "six.twelve"};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct linux_version version = {1, 2, 3, 4};

        assert_false(linux_version_parse(texts[i], &version));
        assert_int_equal(version.major, 1);
    }
}

static void test_profiles_ascend(void **state)
{
    (void)state;
    for (uint32_t i = 1; i < linux_profiles_count(); i++) {
        assert_true(linux_version_compare(linux_profile_at(i - 1), linux_profile_at(i)) < 0);
    }
    assert_int_equal(
        linux_version_compare(linux_profile_at(linux_profiles_count() - 1), LINUX_NEWEST), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_rubbish),
        cmocka_unit_test(test_profiles_ascend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
