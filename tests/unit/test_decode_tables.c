#include "acpi/bytes.h"
#include "acpi/decode_tables.h"
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

/* A table whose bytes end where a sanitizer sees it. */
static struct acpi_table make_table(const uint8_t *bytes, uint32_t length, uint32_t claimed)
{
    uint8_t *copy = malloc(length == 0 ? 1 : length);
    struct acpi_table table = {.length = claimed, .read_bytes = length, .bytes = copy};

    if (length > 0) {
        memcpy(copy, bytes, length);
    }
    return table;
}

static void drop_table(struct acpi_table *table)
{
    free((void *)(uintptr_t)table->bytes);
}

static void make_fadt(uint8_t bytes[276])
{
    memset(bytes, 0, 276);
    bytes_put(bytes + 76, 4, 0x1808);
    bytes[91] = 4;
    bytes_put(bytes + 96, 2, 101);
    bytes_put(bytes + 98, 2, 1001);
    bytes_put(bytes + 112, 4, 0x80042);
    bytes_put(bytes + 140, 8, UINT64_C(0x1122334455667788));
    bytes[208] = 1;
    bytes[209] = 8;
    bytes_put(bytes + 212, 8, 0x408);
}

static void a_whole_fadt_is_decoded(void **state)
{
    uint8_t bytes[276];
    struct acpi_table table;
    struct fadt fadt;

    (void)state;
    make_fadt(bytes);
    table = make_table(bytes, 276, 276);
    decode_fadt(&table, &fadt);
    assert_int_equal(fadt.avail, AVAIL_PRESENT);
    assert_int_equal(fadt.field[FADT_PM_TMR_BLK], 0x1808);
    assert_int_equal(fadt.field[FADT_PM_TMR_LEN], 4);
    assert_int_equal(fadt.field[FADT_P_LVL2_LAT], 101);
    assert_int_equal(fadt.field[FADT_P_LVL3_LAT], 1001);
    assert_int_equal(fadt.field[FADT_FLAGS], 0x80042);
    assert_int_equal(fadt.field[FADT_X_DSDT], UINT64_C(0x1122334455667788));
    assert_true(fadt.has_register[FADT_X_PM_TMR_BLK]);
    assert_int_equal(fadt.reg[FADT_X_PM_TMR_BLK].width_bits, 8);
    assert_int_equal(fadt.reg[FADT_X_PM_TMR_BLK].address, 0x408);
    drop_table(&table);
}

static void every_length_of_fadt_has_the_fields_that_fit(void **state)
{
    uint8_t bytes[276];

    (void)state;
    make_fadt(bytes);
    for (uint32_t length = 0; length <= 276; length++) {
        struct acpi_table table = make_table(bytes, length, 276);
        struct fadt fadt;

        decode_fadt(&table, &fadt);
        assert_int_equal(fadt.avail, length < 116 ? AVAIL_MALFORMED : AVAIL_PRESENT);
        assert_int_equal(fadt.has_field[FADT_PM_TMR_BLK], length >= 80);
        assert_int_equal(fadt.has_field[FADT_MINOR_VERSION], length >= 132);
        assert_int_equal(fadt.has_field[FADT_X_DSDT], length >= 148);
        assert_int_equal(fadt.has_register[FADT_X_PM_TMR_BLK], length >= 220);
        assert_int_equal(fadt.has_register[FADT_X_GPE1_BLK], length >= 244);
        drop_table(&table);
    }
}

/* A revision 1 table is 116 bytes: nothing behind the flags may be taken from the bytes that follow. */
static void a_claimed_length_limits_the_fadt(void **state)
{
    uint8_t bytes[276];
    struct acpi_table table;
    struct fadt fadt;

    (void)state;
    make_fadt(bytes);
    table = make_table(bytes, 276, 116);
    decode_fadt(&table, &fadt);
    assert_int_equal(fadt.avail, AVAIL_PRESENT);
    assert_true(fadt.has_field[FADT_FLAGS]);
    assert_false(fadt.has_field[FADT_X_DSDT]);
    drop_table(&table);
}

#define MADT_BYTES (44 + 8 + 4 + 16)

static void make_madt(uint8_t bytes[MADT_BYTES])
{
    memset(bytes, 0, MADT_BYTES);
    bytes_put(bytes + 36, 4, 0xFEE00000);
    bytes_put(bytes + 40, 4, 1);
    memcpy(bytes + 44, (const uint8_t[]){0, 8, 3, 6, 1, 0, 0, 0}, 8);
    memcpy(bytes + 52, (const uint8_t[]){99, 4, 0, 0}, 4);
    bytes[56] = 9;
    bytes[57] = 16;
    bytes_put(bytes + 60, 4, 0x12345);
    bytes_put(bytes + 64, 4, 2);
    bytes_put(bytes + 68, 4, 0x777);
}

static struct madt decode_madt_bytes(const uint8_t *bytes, uint32_t length)
{
    struct acpi_table table = make_table(bytes, length, length);
    struct madt madt;

    decode_madt(&table, &heap.arena, &madt);
    drop_table(&table);
    return madt;
}

static void both_kinds_of_local_apic_are_decoded(void **state)
{
    uint8_t bytes[MADT_BYTES];
    struct madt madt;

    (void)state;
    make_madt(bytes);
    madt = decode_madt_bytes(bytes, MADT_BYTES);
    assert_int_equal(madt.avail, AVAIL_PRESENT);
    assert_int_equal(madt.lapic_address, 0xFEE00000);
    assert_int_equal(madt.count, 2);
    assert_int_equal(madt.enabled_count, 1);
    assert_null(madt.malformed);
    assert_int_equal(madt.entries[0].uid, 3);
    assert_int_equal(madt.entries[0].apic_id, 6);
    assert_int_equal(madt.entries[0].offset, 44);
    assert_int_equal(madt.entries[1].type, 9);
    assert_int_equal(madt.entries[1].uid, 0x777);
    assert_int_equal(madt.entries[1].apic_id, 0x12345);
    assert_int_equal(madt.entries[1].flags, 2);
}

/* The second one serves the first interrupts. */
static void the_io_apic_of_the_first_interrupts_is_found(void **state)
{
    uint8_t bytes[MADT_BYTES + 24];
    struct madt madt;

    (void)state;
    make_madt(bytes);
    memcpy(bytes + MADT_BYTES, (const uint8_t[]){1, 12, 9, 0, 0, 0x10, 0xC0, 0xFE, 24, 0, 0, 0},
           12);
    memcpy(bytes + MADT_BYTES + 12, (const uint8_t[]){1, 12, 8, 0, 0, 0, 0xC0, 0xFE, 0, 0, 0, 0},
           12);
    madt = decode_madt_bytes(bytes, sizeof(bytes));
    assert_int_equal(madt.count, 2);
    assert_int_equal(madt.ioapic_paddr, 0xFEC00000);
    assert_int_equal(decode_madt_bytes(bytes, MADT_BYTES + 12).ioapic_paddr, 0);
    bytes[MADT_BYTES + 13] = 8; /* too short to say where it is */
    assert_int_equal(decode_madt_bytes(bytes, MADT_BYTES + 20).ioapic_paddr, 0);
}

static void a_madt_entry_of_length_0_ends_the_table(void **state)
{
    uint8_t bytes[MADT_BYTES];
    struct madt madt;

    (void)state;
    make_madt(bytes);
    bytes[53] = 0;
    madt = decode_madt_bytes(bytes, MADT_BYTES);
    assert_int_equal(madt.count, 1);
    assert_int_equal(madt.malformed_offset, 52);
    assert_string_equal(madt.malformed, "structure length below 2");
}

static void a_madt_cut_anywhere_is_read_within_its_bytes(void **state)
{
    uint8_t bytes[MADT_BYTES];

    (void)state;
    make_madt(bytes);
    for (uint32_t length = 0; length < MADT_BYTES; length++) {
        struct madt madt = decode_madt_bytes(bytes, length);

        assert_int_equal(madt.avail, length < 44 ? AVAIL_MALFORMED : AVAIL_PRESENT);
        assert_int_equal(madt.count, length >= 52 ? 1 : 0);
        assert_int_equal(madt.malformed == NULL, length == 44 || length == 52 || length == 56);
    }
}

static void a_short_processor_entry_is_passed_over(void **state)
{
    uint8_t bytes[MADT_BYTES];
    struct madt madt;

    (void)state;
    make_madt(bytes);
    bytes[45] = 4;
    memcpy(bytes + 48, (const uint8_t[]){98, 4, 0, 0}, 4);
    madt = decode_madt_bytes(bytes, MADT_BYTES);
    assert_int_equal(madt.count, 1);
    assert_int_equal(madt.entries[0].type, 9);
    assert_int_equal(madt.malformed_offset, 44);
}

#define PCCT_BYTES (48 + 62 + 164 + 96)

static void make_pcct(uint8_t bytes[PCCT_BYTES])
{
    uint8_t *at = bytes + 48;

    memset(bytes, 0, PCCT_BYTES);
    bytes[36] = 1;
    at[0] = 0;
    at[1] = 62;
    bytes_put(at + 8, 8, 0x1000);
    bytes_put(at + 16, 8, 0x100);
    at[24] = 1;
    bytes_put(at + 28, 8, 0xB2);
    bytes_put(at + 36, 8, 0xF0);
    bytes_put(at + 44, 8, 0x0F);
    bytes_put(at + 52, 4, 1000);
    bytes_put(at + 56, 4, 60);
    bytes_put(at + 60, 2, 500);
    at += 62;
    at[0] = 3;
    at[1] = 164;
    bytes_put(at + 2, 4, 19);
    at[6] = 3;
    bytes_put(at + 8, 8, 0x2000);
    bytes_put(at + 16, 4, 0x200);
    bytes_put(at + 48, 4, 2000);
    bytes_put(at + 56, 4, 70000);
    at += 164;
    at[0] = 5;
    at[1] = 96;
    bytes_put(at + 4, 8, 0x3000);
    bytes_put(at + 12, 8, 0x300);
    bytes_put(at + 88, 4, 3000);
    bytes_put(at + 92, 4, 80000);
}

static struct pcct decode_pcct_bytes(const uint8_t *bytes, uint32_t length)
{
    struct acpi_table table = make_table(bytes, length, length);
    struct pcct pcct;

    decode_pcct(&table, &heap.arena, &pcct);
    drop_table(&table);
    return pcct;
}

static void subspaces_are_decoded_by_type(void **state)
{
    uint8_t bytes[PCCT_BYTES];
    struct pcct pcct;

    (void)state;
    make_pcct(bytes);
    pcct = decode_pcct_bytes(bytes, PCCT_BYTES);
    assert_int_equal(pcct.count, 3);
    assert_int_equal(pcct.flags, 1);
    assert_null(pcct.malformed);
    assert_int_equal(pcct.subspaces[0].base_paddr, 0x1000);
    assert_int_equal(pcct.subspaces[0].length_bytes, 0x100);
    assert_int_equal(pcct.subspaces[0].doorbell.address, 0xB2);
    assert_int_equal(pcct.subspaces[0].preserve_mask, 0xF0);
    assert_int_equal(pcct.subspaces[0].write_mask, 0x0F);
    assert_int_equal(pcct.subspaces[0].latency_us, 1000);
    assert_int_equal(pcct.subspaces[0].max_access_rate, 60);
    assert_int_equal(pcct.subspaces[0].min_turnaround_us, 500);
    assert_int_equal(pcct.subspaces[1].gsi, 19);
    assert_int_equal(pcct.subspaces[1].interrupt_flags, 3);
    assert_int_equal(pcct.subspaces[1].length_bytes, 0x200);
    assert_int_equal(pcct.subspaces[1].min_turnaround_us, 70000);
    assert_int_equal(pcct.subspaces[2].base_paddr, 0x3000);
    assert_int_equal(pcct.subspaces[2].latency_us, 3000);
    assert_int_equal(pcct.subspaces[2].min_turnaround_us, 80000);
}

static void a_pcct_cut_anywhere_is_read_within_its_bytes(void **state)
{
    uint8_t bytes[PCCT_BYTES];

    (void)state;
    make_pcct(bytes);
    for (uint32_t length = 0; length < PCCT_BYTES; length++) {
        struct pcct pcct = decode_pcct_bytes(bytes, length);

        assert_int_equal(pcct.avail, length < 48 ? AVAIL_MALFORMED : AVAIL_PRESENT);
        assert_int_equal(pcct.count, (length >= 110) + (length >= 274));
    }
}

static void bad_subspaces_are_marked(void **state)
{
    uint8_t bytes[PCCT_BYTES];
    struct pcct pcct;

    (void)state;
    make_pcct(bytes);
    bytes[48] = 7;
    pcct = decode_pcct_bytes(bytes, PCCT_BYTES);
    assert_int_equal(pcct.count, 3);
    assert_false(pcct.subspaces[0].is_decoded);
    bytes[48] = 3;
    pcct = decode_pcct_bytes(bytes, PCCT_BYTES);
    assert_false(pcct.subspaces[0].is_decoded);
    assert_int_equal(pcct.malformed_offset, 48);
    bytes[49] = 0;
    pcct = decode_pcct_bytes(bytes, PCCT_BYTES);
    assert_int_equal(pcct.count, 0);
    assert_string_equal(pcct.malformed, "subspace length 0");
}

static void hpet_needs_its_56_bytes(void **state)
{
    uint8_t bytes[56] = {0};
    struct acpi_table table;
    struct hpet hpet;

    (void)state;
    bytes_put(bytes + 44, 8, 0xFED00000);
    bytes_put(bytes + 53, 2, 0x80);
    table = make_table(bytes, 56, 56);
    decode_hpet(&table, &hpet);
    assert_int_equal(hpet.avail, AVAIL_PRESENT);
    assert_int_equal(hpet.base.address, 0xFED00000);
    assert_int_equal(hpet.min_tick, 0x80);
    drop_table(&table);
    table = make_table(bytes, 55, 56);
    decode_hpet(&table, &hpet);
    assert_int_equal(hpet.avail, AVAIL_MALFORMED);
    drop_table(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_fadt_is_decoded),
        cmocka_unit_test(every_length_of_fadt_has_the_fields_that_fit),
        cmocka_unit_test(a_claimed_length_limits_the_fadt),
        cmocka_unit_test(both_kinds_of_local_apic_are_decoded),
        cmocka_unit_test(the_io_apic_of_the_first_interrupts_is_found),
        cmocka_unit_test(a_madt_entry_of_length_0_ends_the_table),
        cmocka_unit_test(a_madt_cut_anywhere_is_read_within_its_bytes),
        cmocka_unit_test(a_short_processor_entry_is_passed_over),
        cmocka_unit_test(subspaces_are_decoded_by_type),
        cmocka_unit_test(a_pcct_cut_anywhere_is_read_within_its_bytes),
        cmocka_unit_test(bad_subspaces_are_marked),
        cmocka_unit_test(hpet_needs_its_56_bytes),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
