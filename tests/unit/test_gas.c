#include "model/bits.h"
#include "model/gas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* ACPI 6.5, 5.2.3.2, Table 5.1, lists 00H to 0BH and 7FH. */
static void spaces_have_names(void **state)
{
    unsigned named = 0;

    (void)state;
    assert_string_equal(gas_space_name(0), "SystemMemory");
    assert_string_equal(gas_space_name(1), "SystemIO");
    assert_string_equal(gas_space_name(0x0A), "PCC");
    assert_string_equal(gas_space_name(0x7F), "FFixedHW");
    for (unsigned space = 0; space < 256; space++) {
        named += strcmp(gas_space_name((uint8_t)space), "unknown space") != 0;
    }
    assert_int_equal(named, 13);
}

static void bits_are_those_of_the_manuals(void **state)
{
    const uint64_t value = UINT64_C(0x8000000000001234);

    (void)state;
    assert_int_equal(bits_get(value, 7, 0), 0x34);
    assert_int_equal(bits_get(value, 15, 8), 0x12);
    assert_int_equal(bits_get(value, 63, 63), 1);
    assert_int_equal(bits_get(value, 63, 0), value);
    assert_int_equal(bits_get(value, 63, 1), value >> 1);
    assert_int_equal(bits_get(value, 62, 0), 0x1234);
    assert_int_equal(bits_test(value, 63), 1);
    assert_int_equal(bits_test(value, 0), 0);
    assert_int_equal(bits_test(value, 2), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spaces_have_names),
        cmocka_unit_test(bits_are_those_of_the_manuals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
