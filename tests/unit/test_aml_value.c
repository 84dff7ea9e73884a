#include "model/aml_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define BYTES(text) ((const uint8_t *)(text))

static const struct aml_value row[] = {
    {.type = AML_INTEGER, .integer = 3400},
    {.type = AML_STRING, .length = 2, .bytes = BYTES("ab")},
    {.type = AML_BUFFER, .length = 2, .bytes = BYTES("ab")},
    {.type = AML_NULL},
};
static const struct aml_value same_row[] = {
    {.type = AML_INTEGER, .integer = 3400},
    {.type = AML_STRING, .length = 2, .bytes = BYTES("abc")},
    {.type = AML_BUFFER, .length = 2, .bytes = BYTES("abc")},
    {.type = AML_NULL},
};
static const struct aml_value package = {.type = AML_PACKAGE, .length = 4, .elements = row};
static const struct aml_value same = {.type = AML_PACKAGE, .length = 4, .elements = same_row};

static void equal_values_have_equal_hashes(void **state)
{
    const struct aml_value outer = {.type = AML_PACKAGE, .length = 1, .elements = &package};
    const struct aml_value same_outer = {.type = AML_PACKAGE, .length = 1, .elements = &same};

    (void)state;
    assert_true(aml_value_equal(&package, &same));
    assert_int_equal(aml_value_hash(&package), aml_value_hash(&same));
    assert_true(aml_value_equal(&outer, &same_outer));
    assert_int_equal(aml_value_hash(&outer), aml_value_hash(&same_outer));
    assert_false(aml_value_equal(&outer, &package));
}

/* Each of these differs from every other in one thing only. */
static void any_difference_is_seen(void **state)
{
    const struct aml_value values[] = {
        {.type = AML_NULL},
        {.type = AML_INTEGER},
        {.type = AML_INTEGER, .integer = 1},
        {.type = AML_INTEGER, .integer = UINT64_C(1) << 63},
        {.type = AML_STRING},
        {.type = AML_STRING, .length = 1, .bytes = BYTES("a")},
        {.type = AML_STRING, .length = 1, .bytes = BYTES("b")},
        {.type = AML_STRING, .length = 2, .bytes = BYTES("ab")},
        {.type = AML_BUFFER, .length = 2, .bytes = BYTES("ab")},
        {.type = AML_BUFFER, .length = 2, .bytes = BYTES("ba")},
        {.type = AML_REFERENCE, .length = 2, .bytes = BYTES("ab")},
        {.type = AML_OTHER},
        {.type = AML_PACKAGE},
        {.type = AML_PACKAGE, .length = 1, .elements = row},
        {.type = AML_PACKAGE, .length = 1, .elements = row + 1},
        {.type = AML_PACKAGE, .length = 2, .elements = row},
        package,
    };
    const size_t count = sizeof(values) / sizeof(values[0]);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            assert_int_equal(aml_value_equal(&values[i], &values[j]), i == j);
            assert_int_equal(aml_value_hash(&values[i]) == aml_value_hash(&values[j]), i == j);
        }
    }
}

static void elements_end_with_the_package(void **state)
{
    (void)state;
    assert_ptr_equal(aml_element(&package, 0), &row[0]);
    assert_ptr_equal(aml_element(&package, 3), &row[3]);
    assert_null(aml_element(&package, 4));
    assert_null(aml_element(&package, UINT32_MAX));
    assert_null(aml_element(&row[1], 0));
    assert_null(aml_element(NULL, 0));
}

static void integers_are_integers_only(void **state)
{
    uint64_t integer = 77;

    (void)state;
    assert_false(aml_element_integer(&package, 1, &integer));
    assert_false(aml_element_integer(&package, 3, &integer));
    assert_false(aml_element_integer(&package, 4, &integer));
    assert_false(aml_element_integer(NULL, 0, &integer));
    assert_int_equal(integer, 77);
    assert_true(aml_element_integer(&package, 0, &integer));
    assert_int_equal(integer, 3400);
}

static void types_have_their_specification_names(void **state)
{
    (void)state;
    assert_string_equal(aml_type_name(AML_INTEGER), "Integer");
    assert_string_equal(aml_type_name(AML_STRING), "String");
    assert_string_equal(aml_type_name(AML_BUFFER), "Buffer");
    assert_string_equal(aml_type_name(AML_PACKAGE), "Package");
    assert_string_equal(aml_type_name(AML_REFERENCE), "Reference");
    assert_string_equal(aml_type_name(AML_NULL), "NULL");
    assert_string_equal(aml_type_name((enum aml_type)99), "other object");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_values_have_equal_hashes),
        cmocka_unit_test(any_difference_is_seen),
        cmocka_unit_test(elements_end_with_the_package),
        cmocka_unit_test(integers_are_integers_only),
        cmocka_unit_test(types_have_their_specification_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
