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
    assert_true(is_uncertain(LINUX_RULE_BOOST_ROW, "5.10.19"));
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
}

/* First stable release with the nominal_freq change, and the first with its fix. */
static void the_units_bug_in_stable_releases(void **state)
{
    static const struct {
        const char *before;
        const char *first;
        const char *last;
        const char *fixed;
    } branches[] = {
        {"5.10.234", "5.10.235", "5.10.238", "5.10.239"},
        {"5.15.178", "5.15.179", "5.15.185", "5.15.186"},
        {"6.1.128", "6.1.129", "6.1.141", "6.1.142"},
        {"6.6.75", "6.6.76", "6.6.93", "6.6.94"},
        {"6.12.12", "6.12.13", "6.12.32", "6.12.33"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(branches) / sizeof(branches[0]); i++) {
        assert_false(holds(LINUX_RULE_NOMINAL_BASE, branches[i].before));
        assert_true(holds(LINUX_RULE_NOMINAL_BASE, branches[i].first));
        assert_true(holds(LINUX_RULE_NOMINAL_BASE_MHZ, branches[i].first));
        assert_true(holds(LINUX_RULE_NOMINAL_BASE_MHZ, branches[i].last));
        assert_false(holds(LINUX_RULE_NOMINAL_BASE_MHZ, branches[i].fixed));
        assert_true(holds(LINUX_RULE_NOMINAL_BASE, branches[i].fixed));
        assert_false(is_uncertain(LINUX_RULE_NOMINAL_BASE_MHZ, branches[i].last));
    }
    assert_true(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.13.2"));
    assert_true(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.14.10"));
    assert_false(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.14.11"));
    assert_true(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.15.1"));
    assert_false(holds(LINUX_RULE_NOMINAL_BASE_MHZ, "6.15.2"));
    assert_false(holds(LINUX_RULE_NOMINAL_BASE, "5.4.300"));
}

/* What stable releases took of other rules, by the reviews on the stable list. */
static void other_backports(void **state)
{
    (void)state;
    assert_false(holds(LINUX_RULE_DUMMY_WAIT_INTEL, "5.15.91"));
    assert_true(holds(LINUX_RULE_DUMMY_WAIT_INTEL, "5.15.92"));
    assert_false(holds(LINUX_RULE_DUMMY_WAIT_INTEL, "5.10.166"));
    assert_true(holds(LINUX_RULE_DUMMY_WAIT_INTEL, "5.10.167"));
    assert_false(holds(LINUX_RULE_DUMMY_WAIT_INTEL, "5.19.17"));
    assert_false(holds(LINUX_RULE_NUMERATOR_FIXED, "5.12.4"));
    assert_true(holds(LINUX_RULE_NUMERATOR_FIXED, "5.12.5"));
    assert_true(holds(LINUX_RULE_NUMERATOR_FIXED, "5.11.22"));
    assert_true(holds(LINUX_RULE_BOOST_ROW, "5.11.2"));
    assert_true(holds(LINUX_RULE_BOOST_MAX, "5.11.3"));
    assert_true(holds(LINUX_RULE_AMD_PSD_TRUSTED, "5.4.75"));
    assert_false(holds(LINUX_RULE_AMD_PSD_TRUSTED, "5.4.74"));
    assert_true(holds(LINUX_RULE_CPPC_OSC_GATE, "5.18.11"));
    assert_false(holds(LINUX_RULE_CPPC_OSC_GATE, "5.18.10"));
    assert_true(holds(LINUX_RULE_PREFCORE, "6.6.51"));
    assert_false(holds(LINUX_RULE_AMD_PSTATE_CLAMP, "6.6.51"));
    assert_true(holds(LINUX_RULE_AMD_PSTATE_CLAMP, "6.8"));
    assert_false(holds(LINUX_RULE_AMD_PSTATE_1000US, "6.0"));
    assert_true(holds(LINUX_RULE_AMD_PSTATE_1000US, "6.1"));
    assert_true(is_uncertain(LINUX_RULE_CST_LATENCY_SORT, "5.10.48"));
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
        cmocka_unit_test(the_units_bug_in_stable_releases),
        cmocka_unit_test(other_backports),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
