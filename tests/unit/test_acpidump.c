#include "host/acpidump.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static struct acpidump parse(const char *string)
{
    struct acpidump dump;

    assert_int_equal(acpidump_parse(string, strlen(string), &heap.arena, &dump), STATUS_OK);
    return dump;
}

static void tables_in_order_with_their_bytes(void **state)
{
    struct acpidump dump =
        parse("RSD PTR @ 0x00000000000F0490\n"
              "    0000: 52 53 44 20 50 54 52 20 1F 41 4C 41 53 4B 41 20  RSD PTR .ALASKA \n"
              "\n"
              "SSDT @ 0x00000000BBFFD000\n"
              "    0000: 53 53 44 54 24 00 00 00 02 41 42 43 44 45 46 00  SSDT$....ABCDEF.\n"
              "    0010: 41 42                                            AB\n"
              "\n"
              "SSDT @ 0x00000000BBFFE000\n"
              "    0000: 53 53                                            AA BB CC\n"
              "XSDT @ 0x0\n"
              "    0000: 58 53 44 54\n");

    (void)state;
    assert_int_equal(dump.blobs_count, 2);
    assert_string_equal(dump.blobs[0].origin, "SSDT");
    assert_int_equal(dump.blobs[0].length, 18);
    assert_memory_equal(dump.blobs[0].bytes, "SSDT\x24\0\0\0\x02", 9);
    assert_memory_equal(dump.blobs[0].bytes + 15, "\0AB", 3);
    assert_string_equal(dump.blobs[1].origin, "SSDT2");
    assert_int_equal(dump.blobs[1].length, 2);
    assert_int_equal(dump.gaps, 0);
    assert_int_equal(dump.rubbish.count, 0);
}

static void a_gap_ends_the_table(void **state)
{
    struct acpidump dump = parse("DSDT @ 0x1000\n"
                                 "  0000: 44 53 44 54\n"
                                 "  0010: 00 00\n"
                                 "  0012: 00 00\n");

    (void)state;
    assert_int_equal(dump.blobs_count, 1);
    assert_int_equal(dump.blobs[0].length, 4);
    assert_int_equal(dump.gaps, 1);
    assert_int_equal(dump.rubbish.count, 1);
}

static void a_byte_must_have_two_digits(void **state)
{
    struct acpidump dump = parse("APIC @ 0x1000\n"
                                 "  0000: 41 5 49 43\n");

    (void)state;
    assert_int_equal(dump.blobs[0].length, 1);
}

static void a_text_without_tables_is_not_a_dump(void **state)
{
    static const char text[] = "[    0.000000] ACPI: DSDT 0x00000000BBFFD000 01A38B\n"
                               "hello @ 0x0\n"
                               "DSDT @ nowhere\n"
                               "  0000: 44 53\n";
    struct acpidump dump;

    (void)state;
    assert_int_equal(acpidump_parse(text, strlen(text), &heap.arena, &dump), STATUS_NOT_FOUND);
    assert_int_equal(acpidump_parse("", 0, &heap.arena, &dump), STATUS_NOT_FOUND);
}

static void no_memory_is_said(void **state)
{
    static const char text[] = "DSDT @ 0x1000\n  0000: 44 53 44 54\n";
    struct heap none;
    struct acpidump dump;

    (void)state;
    heap_init(&none, 1);
    assert_int_equal(acpidump_parse(text, strlen(text), &none.arena, &dump), STATUS_NO_MEMORY);
    heap_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tables_in_order_with_their_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_gap_ends_the_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_byte_must_have_two_digits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_text_without_tables_is_not_a_dump, set_up, tear_down),
        cmocka_unit_test(no_memory_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
