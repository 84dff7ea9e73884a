#include "model/linux/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool holds(enum linux_rule rule, const char *text)
{
    struct linux_version version;

    assert_true(linux_version_parse(text, &version));
    return linux_rule_holds(rule, version);
}

static bool is_uncertain(enum linux_rule rule, const char *text)
{
    struct linux_version version;

    assert_true(linux_version_parse(text, &version));
    return linux_rule_is_uncertain(rule, version);
}

static void every_rule_is_written_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LINUX_RULES; i++) {
        const struct linux_rule_entry *entry = linux_rule_at((enum linux_rule)i);

        assert_non_null(entry->name);
        assert_non_null(entry->commit);
        assert_non_null(entry->note);
        assert_int_not_equal(entry->intervals[0].since.major, 0);
        for (size_t k = 0; k < LINUX_INTERVALS; k++) {
            const struct linux_interval *interval = &entry->intervals[k];

            assert_true(interval->until.major == 0 ||
                        linux_version_compare(interval->since, interval->until) < 0);
        }
    }
}

static void boost_row_and_maximum(void **state)
{
    (void)state;
    assert_false(holds(LINUX_RULE_BOOST_ROW, "5.10"));
    assert_false(holds(LINUX_RULE_BOOST_ROW, "5.11-rc4"));
    assert_true(holds(LINUX_RULE_BOOST_ROW, "5.11"));
    assert_false(holds(LINUX_RULE_BOOST_ROW, "5.12"));
    assert_true(holds(LINUX_RULE_BOOST_ROW, "5.10.17"));
    assert_false(holds(LINUX_RULE_BOOST_MAX, "5.11"));
    assert_true(holds(LINUX_RULE_BOOST_MAX, "5.12-rc1"));
    assert_true(holds(LINUX_RULE_BOOST_MAX, "6.16"));
    assert_true(holds(LINUX_RULE_BOOST_MAX, "5.10.200"));
    assert_true(is_uncertain(LINUX_RULE_BOOST_ROW, "5.10.18"));
    assert_false(is_uncertain(LINUX_RULE_BOOST_ROW, "5.11-rc4"));
    assert_false(is_uncertain(LINUX_RULE_BOOST_ROW, "5.11"));
}

static void numerators(void **state)
{
    (void)state;
    assert_false(holds(LINUX_RULE_NUMERATOR_FIXED, "5.12"));
    assert_true(holds(LINUX_RULE_NUMERATOR_FIXED, "5.13"));
    assert_true(holds(LINUX_RULE_NUMERATOR_FIXED, "6.11.9"));
    assert_false(holds(LINUX_RULE_NUMERATOR_FIXED, "6.12"));
    assert_true(holds(LINUX_RULE_NUMERATOR_PREFCORE, "6.9"));
    assert_false(holds(LINUX_RULE_NUMERATOR_PREFCORE, "6.12"));
    assert_false(holds(LINUX_RULE_NUMERATOR_CORE_TYPE, "6.12"));
    assert_true(holds(LINUX_RULE_NUMERATOR_CORE_TYPE, "6.13"));
}

/* Mission S2: always; not in a guest since 5.5; Intel only since 6.0. */
static void dummy_wait(void **state)
{
    (void)state;
    assert_true(holds(LINUX_RULE_DUMMY_WAIT, "2.6"));
    assert_false(holds(LINUX_RULE_DUMMY_WAIT_NO_GUEST, "5.4"));
    assert_true(holds(LINUX_RULE_DUMMY_WAIT_NO_GUEST, "5.5"));
    assert_false(holds(LINUX_RULE_DUMMY_WAIT_INTEL, "5.19"));
    assert_true(holds(LINUX_RULE_DUMMY_WAIT_INTEL, "6.0"));
    assert_true(is_uncertain(LINUX_RULE_DUMMY_WAIT_INTEL, "5.15.75"));
}

static void the_units_bug_lasted_two_releases(void **state)
{
    (void)state;
    assert_false(holds(LINUX_RULE_NOMINAL_BASE, "6.12"));
    assert_true(holds(LINUX_RULE_NOMINAL_BASE, "6.14"));
    assert_true(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.14"));
    assert_true(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.15"));
    assert_true(holds(LINUX_RULE_NOMINAL_BASE, "6.12.117"));
    assert_false(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.12.117"));
    assert_true(is_uncertain(LINUX_RULE_NOMINAL_BASE_MHZ, "6.12.30"));
    assert_false(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.16"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_is_written_down),
        cmocka_unit_test(boost_row_and_maximum),
        cmocka_unit_test(numerators),
        cmocka_unit_test(dummy_wait),
        cmocka_unit_test(the_units_bug_lasted_two_releases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
