#include "model/smbios.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Firmware Information with three strings, System Information with a serial number, end. */
static const uint8_t good_table[] = "\x00\x18\x00\x00\x01\x02\x00\xE8\x03\x00\x00\x00\x00\x00\x00"
                                    "\x00\x00\x00\x00\x00\x00\x00\x00\x00"
                                    "EFI Maker\0"
                                    "  1.2.3 \0"
                                    "02/29/2024\0\0"
                                    "\x01\x1B\x01\x00\x01\x02\x00\x03\x00\x00\x00\x00\x00\x00\x00"
                                    "\x00\x00\x00\x00\x00\x00\x00\x00\x00"
                                    "\x00\x00\x00"
                                    "Maker\0"
                                    "Model\x01\xFF\0"
                                    "SERIAL-1234\0\0"
                                    "\x7F\x04\x02\x00\0";

static struct smbios_identity decode(const uint8_t *bytes, size_t length)
{
    static uint8_t pool[4096];
    struct smbios_identity identity;
    struct arena arena;
    uint8_t *exact = malloc(length == 0 ? 1 : length);

    /* An exact copy on the heap, so that the sanitizer sees a read beyond the end. */
    memcpy(exact, bytes, length);
    memset(pool, 0, sizeof(pool));
    arena_init(&arena, NULL, NULL);
    arena.chunk = pool;
    arena.chunk_bytes = sizeof(pool);
    smbios_identity_decode(exact, length, &arena, &identity);
    free(exact);
    return identity;
}

static void strings_are_found_and_cleaned(void **state)
{
    struct smbios_identity identity = decode(good_table, sizeof(good_table));

    (void)state;
    assert_string_equal(identity.vendor, "Maker");
    assert_string_equal(identity.product, "Model??");
    assert_string_equal(identity.firmware_version, "1.2.3");
    assert_string_equal(identity.firmware_date, "02/29/2024");
}

static void every_truncation_is_survived(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof(good_table); length++) {
        struct smbios_identity identity = decode(good_table, length);

        /* A structure that is cut gives nothing at all. */
        assert_true(length >= 0x18 + 31 || identity.firmware_version == NULL);
    }
}

static void wrong_string_numbers_give_nothing(void **state)
{
    uint8_t table[sizeof(good_table)];
    struct smbios_identity identity;

    (void)state;
    memcpy(table, good_table, sizeof(table));
    table[5] = 200;
    table[8] = 0;
    identity = decode(table, sizeof(table));
    assert_null(identity.firmware_version);
    assert_null(identity.firmware_date);
    table[1] = 3;
    assert_null(decode(table, sizeof(table)).vendor);
}

/* A processor structure: Max Speed at 14h. */
static size_t processor(uint8_t *at, uint8_t length, uint16_t max_mhz)
{
    memset(at, 0, (size_t)length + 2);
    at[0] = 4;
    at[1] = length;
    at[0x14] = (uint8_t)max_mhz;
    at[0x15] = (uint8_t)(max_mhz >> 8);
    at[0x16] = 0xFF; /* current speed, which is not asked for */
    at[0x17] = 0xFF;
    return (size_t)length + 2;
}

/* cppc_get_dmi_max_khz: the largest of all sockets, of structures of 48 bytes or more. */
static void the_largest_speed_counts(void **state)
{
    uint8_t table[256];
    size_t length = processor(table, 48, 3400);

    (void)state;
    length += processor(table + length, 48, 4000);
    length += processor(table + length, 42, 5000);
    assert_int_equal(decode(table, length).max_mhz, 4000);
    assert_int_equal(decode(table, 49).max_mhz, 0);
    assert_int_equal(decode(good_table, sizeof(good_table)).max_mhz, 0);
}

static void fix_checksum(uint8_t *bytes, size_t count, size_t at)
{
    uint8_t sum = 0;

    bytes[at] = 0;
    for (size_t i = 0; i < count; i++) {
        sum = (uint8_t)(sum + bytes[i]);
    }
    bytes[at] = (uint8_t)(0x100 - sum);
}

static void entry_points_of_both_forms(void **state)
{
    uint8_t new_form[24] = "_SM3_\0\x18\x03\x07\x00\x01\0\x00\x10\x00\x00\x78\x56\x34\x12\x01";
    uint8_t old_form[31] = "_SM_\0\x1E\x02\x08\x20\0\0\0\0\0\0\0_DMI_\0\x34\x12\x00\x00\x0F\x00";
    struct smbios_table table;

    (void)state;
    fix_checksum(new_form, 24, 5);
    assert_int_equal(smbios_entry_decode(new_form, 24, &table), STATUS_OK);
    assert_int_equal(table.paddr, UINT64_C(0x112345678));
    assert_int_equal(table.length_bytes, 0x1000);
    assert_int_equal(smbios_entry_decode(new_form, 23, &table), STATUS_BAD_INPUT);
    new_form[7] ^= 1;
    assert_int_equal(smbios_entry_decode(new_form, 24, &table), STATUS_BAD_INPUT);

    fix_checksum(old_form + 16, 15, 5);
    assert_int_equal(smbios_entry_decode(old_form, 31, &table), STATUS_OK);
    assert_int_equal(table.paddr, 0x000F0000);
    assert_int_equal(table.length_bytes, 0x1234);
    old_form[16] = 'X';
    assert_int_equal(smbios_entry_decode(old_form, 31, &table), STATUS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_found_and_cleaned),
        cmocka_unit_test(the_largest_speed_counts),
        cmocka_unit_test(every_truncation_is_survived),
        cmocka_unit_test(wrong_string_numbers_give_nothing),
        cmocka_unit_test(entry_points_of_both_forms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
