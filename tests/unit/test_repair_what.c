#include "report/repair_what.h"
#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char text[REPAIR_WHAT_BYTES];

static const char *told(enum object_kind kind, const struct aml_value *raw,
                        const struct aml_value *repaired)
{
    const struct object_set before = {.kind = kind, .raw = raw};
    const struct object_set after = {.kind = kind, .raw = repaired, .is_repaired = true};
    const struct object_result result = {
        .set = &before, .repaired = &after, .repair = REPAIR_CHANGED};
    struct textbuf out;

    textbuf_init(&out, text, sizeof(text), NULL, NULL);
    repair_what(&result, kind, &out);
    assert_false(out.has_failed);
    return text;
}

static void a_sorted_list_names_the_rows(void **state)
{
    const struct aml_value mhz[3] = {sim_integer(2600), sim_integer(2300), sim_integer(2400)};
    const struct aml_value rows[3] = {sim_package(&mhz[0], 1), sim_package(&mhz[1], 1),
                                      sim_package(&mhz[2], 1)};
    const struct aml_value sorted[3] = {rows[0], rows[2], rows[1]};
    const struct aml_value raw = sim_package(rows, 3);
    const struct aml_value repaired = sim_package(sorted, 3);

    (void)state;
    assert_string_equal(told(OBJECT_PSS, &raw, &repaired),
                        "sorted: row 1 (2300) before row 2 (2400)");
}

static void a_count_that_is_overwritten(void **state)
{
    const struct aml_value before[2] = {sim_integer(4), sim_integer(0)};
    const struct aml_value after[2] = {sim_integer(1), sim_integer(0)};
    const struct aml_value raw = sim_package(before, 2);
    const struct aml_value repaired = sim_package(after, 2);

    (void)state;
    assert_string_equal(told(OBJECT_CST, &raw, &repaired), "count 4 became 1");
    assert_string_equal(told(OBJECT_PPC, &raw, &repaired),
                        "elements converted to the type that the specification demands");
}

static void a_row_that_is_wrapped(void **state)
{
    const struct aml_value row[5] = {sim_integer(5), sim_integer(0), sim_integer(0),
                                     sim_integer(0xFE), sim_integer(1)};
    const struct aml_value raw = sim_package(row, 5);
    const struct aml_value repaired = sim_package(&raw, 1);

    (void)state;
    assert_string_equal(told(OBJECT_PSD, &raw, &repaired), "wrapped into an outer package");
}

static void types_and_nulls(void **state)
{
    const struct aml_value string = sim_string("7");
    const struct aml_value seven = sim_integer(7);
    const struct aml_value with_null[2] = {seven, {.type = AML_NULL}};
    const struct aml_value raw = sim_package(with_null, 2);
    const struct aml_value shorter = sim_package(&seven, 1);
    const struct aml_value other = sim_package(&string, 1);

    (void)state;
    assert_string_equal(told(OBJECT_PPC, &string, &seven), "String became Integer");
    assert_string_equal(told(OBJECT_CPC, &raw, &shorter), "1 null elements dropped");
    assert_string_equal(told(OBJECT_CPC, &other, &shorter), "element 0: String became Integer");
}

static void outcomes_without_a_difference(void **state)
{
    struct object_result result = {.error = "AE_TYPE", .repair = REPAIR_RESCUED};
    struct textbuf out;

    (void)state;
    textbuf_init(&out, text, sizeof(text), NULL, NULL);
    repair_what(&result, OBJECT_PSS, &out);
    assert_non_null(strstr(text, "AE_TYPE"));
    assert_true(repair_is_told(REPAIR_UNSAFE));
    assert_false(repair_is_told(REPAIR_SAME));
    assert_false(repair_is_told(REPAIR_NOT_TRIED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sorted_list_names_the_rows),
        cmocka_unit_test(a_count_that_is_overwritten),
        cmocka_unit_test(a_row_that_is_wrapped),
        cmocka_unit_test(types_and_nulls),
        cmocka_unit_test(outcomes_without_a_difference),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
