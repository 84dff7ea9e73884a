#include "acpi/repair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))
#define INTEGER(number)                                                                            \
    {                                                                                              \
        .type = AML_INTEGER, .integer = (number)                                                   \
    }
#define NOTHING                                                                                    \
    {                                                                                              \
        .type = AML_NULL                                                                           \
    }
#define PACKAGE(array)                                                                             \
    {                                                                                              \
        .type = AML_PACKAGE, .length = COUNT(array), .elements = (array)                           \
    }
#define EMPTY                                                                                      \
    {                                                                                              \
        .type = AML_PACKAGE, .length = 0                                                           \
    }

static const struct aml_value fast[] = {INTEGER(3000), INTEGER(9), INTEGER(1),
                                        INTEGER(1),    INTEGER(1), INTEGER(1)};
static const struct aml_value slow[] = {INTEGER(1000), INTEGER(5), INTEGER(1),
                                        INTEGER(1),    INTEGER(2), INTEGER(2)};
static const struct aml_value hole[] = {INTEGER(2000), NOTHING,    INTEGER(1),
                                        INTEGER(1),    INTEGER(2), INTEGER(2)};
static const struct aml_value stub[] = {INTEGER(500)};
static const struct aml_value buffer_type[] = {{.type = AML_BUFFER}, {.type = AML_BUFFER}};
static const struct aml_value state_1[] = {
    {.type = AML_BUFFER}, INTEGER(1), INTEGER(1), INTEGER(1)};

static bool is_safe(enum object_kind kind, const struct aml_value *elements, uint32_t count)
{
    struct aml_value value = {.type = AML_PACKAGE, .length = count, .elements = elements};

    return repair_is_safe(kind, &value);
}

static void whole_lists_are_safe_in_any_order(void **state)
{
    const struct aml_value down[] = {PACKAGE(fast), PACKAGE(slow)};
    const struct aml_value up[] = {PACKAGE(slow), PACKAGE(fast), PACKAGE(hole), NOTHING};

    (void)state;
    assert_true(is_safe(OBJECT_PSS, down, COUNT(down)));
    assert_true(is_safe(OBJECT_PSS, up, COUNT(up)));
    assert_true(is_safe(OBJECT_PSS, NULL, 0));
}

/* kernel-facts: an out-of-order pair, then an entry with fewer than two elements. */
static void a_stub_row_is_unsafe_only_behind_disorder(void **state)
{
    const struct aml_value sorted[] = {PACKAGE(fast), PACKAGE(slow), PACKAGE(stub)};
    const struct aml_value disorder[] = {PACKAGE(slow), PACKAGE(fast), PACKAGE(stub)};
    const struct aml_value stub_first[] = {PACKAGE(stub), PACKAGE(slow), PACKAGE(fast)};
    const struct aml_value foreign[] = {PACKAGE(slow), PACKAGE(fast), INTEGER(4)};

    (void)state;
    assert_true(is_safe(OBJECT_PSS, sorted, COUNT(sorted)));
    assert_false(is_safe(OBJECT_PSS, disorder, COUNT(disorder)));
    assert_true(is_safe(OBJECT_PSS, stub_first, COUNT(stub_first)));
    assert_false(is_safe(OBJECT_PSS, foreign, COUNT(foreign)));
}

static void a_flat_list_is_wrapped(void **state)
{
    (void)state;
    assert_true(is_safe(OBJECT_PSS, fast, COUNT(fast)));
    assert_true(is_safe(OBJECT_PSD, fast, COUNT(fast)));
}

static void cst_needs_a_count_and_packages(void **state)
{
    const struct aml_value good[] = {INTEGER(1), PACKAGE(state_1), EMPTY, NOTHING};
    const struct aml_value no_count[] = {PACKAGE(state_1)};
    const struct aml_value foreign[] = {INTEGER(1), INTEGER(2)};
    const struct aml_value short_state[] = {INTEGER(1), PACKAGE(stub)};
    const struct aml_value no_type[] = {INTEGER(1), PACKAGE(buffer_type)};
    const struct aml_value integer = INTEGER(3);

    (void)state;
    assert_true(is_safe(OBJECT_CST, good, COUNT(good)));
    assert_false(is_safe(OBJECT_CST, NULL, 0));
    assert_false(is_safe(OBJECT_CST, no_count, COUNT(no_count)));
    assert_false(is_safe(OBJECT_CST, foreign, COUNT(foreign)));
    assert_false(is_safe(OBJECT_CST, short_state, COUNT(short_state)));
    assert_false(is_safe(OBJECT_CST, no_type, COUNT(no_type)));
    assert_false(repair_is_safe(OBJECT_CST, &integer));
}

static void dependency_rows_must_not_be_empty_or_foreign(void **state)
{
    const struct aml_value good[] = {NOTHING, PACKAGE(fast)};
    const struct aml_value empty[] = {PACKAGE(fast), EMPTY};
    const struct aml_value foreign[] = {PACKAGE(fast), INTEGER(1)};

    (void)state;
    assert_true(is_safe(OBJECT_PSD, good, COUNT(good)));
    assert_true(is_safe(OBJECT_CSD, NULL, 0));
    assert_false(is_safe(OBJECT_PSD, empty, COUNT(empty)));
    assert_false(is_safe(OBJECT_CSD, foreign, COUNT(foreign)));
}

static void the_other_objects_are_safe(void **state)
{
    const struct aml_value odd[] = {NOTHING, EMPTY, INTEGER(1)};

    (void)state;
    assert_true(is_safe(OBJECT_PCT, odd, COUNT(odd)));
    assert_true(is_safe(OBJECT_CPC, odd, COUNT(odd)));
    assert_true(is_safe(OBJECT_LPI, odd, COUNT(odd)));
    assert_true(is_safe(OBJECT_PPC, odd, COUNT(odd)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_lists_are_safe_in_any_order),
        cmocka_unit_test(a_stub_row_is_unsafe_only_behind_disorder),
        cmocka_unit_test(a_flat_list_is_wrapped),
        cmocka_unit_test(cst_needs_a_count_and_packages),
        cmocka_unit_test(dependency_rows_must_not_be_empty_or_foreign),
        cmocka_unit_test(the_other_objects_are_safe),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
