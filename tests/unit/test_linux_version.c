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
        "",       "6",          "6.",          ".12",      "6.12.",    "6.12-rc",    "6.12-",
        "vv6.12", "v",          "6.12 ",       "6.12-rc0", "1000.1",   "6.12.1-rc2", "6.12-rc255",
        "6..12",  "six.twelve", "6.12generic", "6.12-a b", "6.12-x/y", "6.12.0.4",   "6.8.0-rc3-"};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct linux_version version = {1, 2, 3, 4, false};

        assert_false(linux_version_parse(texts[i], &version));
        assert_int_equal(version.major, 1);
    }
}

/* Written otherwise, the same kernel. */
static void test_other_spellings(void **state)
{
    static const struct {
        const char *text;
        const char *same;
        bool has_suffix;
    } spellings[] = {
        {"v6.12", "6.12", false},
        {"V5.11-rc4", "5.11-rc4", false},
        {"6.12.0", "6.12", false},
        {"5.11.0-rc4", "5.11-rc4", false},
        {"6.12.0-rc3", "6.12-rc3", false},
        {"6.8.0-45-generic", "6.8", true},
        {"v6.6.87.2-microsoft-standard", "", false},
        {"6.6.87-microsoft-standard-WSL2+", "6.6.87", true},
        {"5.14.0-503.11.1.el9_5.x86_64", "5.14", true},
        {"6.1.0-25-amd64", "6.1", true},
        {"6.12.0-rc3-next-20241018", "6.12-rc3", true},
        {"6.9.0-rc1+", "", false},
        {"6.12.34_1", "6.12.34", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
        struct linux_version version;
        struct linux_version same;
        char text[24];

        if (spellings[i].same[0] == '\0') {
            assert_false(linux_version_parse(spellings[i].text, &version));
            continue;
        }
        assert_true(linux_version_parse(spellings[i].text, &version));
        assert_true(linux_version_parse(spellings[i].same, &same));
        assert_int_equal(linux_version_compare(version, same), 0);
        assert_int_equal(version.has_suffix, spellings[i].has_suffix);
        linux_version_format(version, text, sizeof(text));
        assert_string_equal(text, spellings[i].same);
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
        cmocka_unit_test(test_order),           cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_rubbish),         cmocka_unit_test(test_other_spellings),
        cmocka_unit_test(test_profiles_ascend),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
