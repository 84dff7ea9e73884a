#include "acpi/bytes.h"
#include "acpi/tables.h"
#include "tests/sim/heap.h"
#include "tests/unit/fake_firmware.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;
static struct options options;
static struct platform platform;
static struct engine_config config;
static struct fake_firmware firmware;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    platform_init(&platform, &heap.arena, &options);
    memset(&config, 0, sizeof(config));
    config.arena = &heap.arena;
    fake_firmware_init(&firmware);
    fake_firmware_use(&firmware, &config);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fake_firmware_free(&firmware);
    heap_free(&heap);
    return 0;
}

static void make_ssdt(uint8_t bytes[40])
{
    memset(bytes, 0, 40);
    memcpy(bytes, "SSDT", 4);
    bytes_put(bytes + 4, 4, 40);
}

static void the_xsdt_is_followed_to_dsdt_and_facs(void **state)
{
    uint8_t ssdt[40];

    (void)state;
    make_ssdt(ssdt);
    fake_firmware_add(&firmware, ssdt, sizeof(ssdt));
    assert_int_equal(tables_collect(&config, &platform), STATUS_OK);
    assert_true(platform.has_rsdp);
    assert_true(platform.is_rsdp_checksum_ok);
    assert_int_equal(platform.rsdp_revision, 2);
    assert_int_equal(platform.tables_count, 5);
    assert_string_equal(platform.tables[0].signature, "XSDT");
    assert_string_equal(platform.tables[1].signature, "FACP");
    assert_string_equal(platform.tables[2].signature, "DSDT");
    assert_string_equal(platform.tables[2].origin, "fadt");
    assert_string_equal(platform.tables[3].signature, "FACS");
    assert_false(platform.tables[3].has_header);
    assert_string_equal(platform.tables[4].signature, "SSDT");
    assert_string_equal(platform.tables[4].origin, "xsdt");
    assert_false(platform.tables[4].checksum_ok);
    assert_int_equal(platform.tables[4].paddr, FIRMWARE_PADDR + FIRMWARE_FIRST);
    assert_true(platform.tables[1].checksum_ok);
    assert_string_equal(platform.tables[1].oem_id, "OEM?");
    assert_string_equal(platform.tables[1].oem_table_id, "BOARD");
}

static void revision_0_and_an_unreadable_xsdt_use_the_rsdt(void **state)
{
    (void)state;
    firmware.memory[15] = 0;
    assert_int_equal(tables_collect(&config, &platform), STATUS_OK);
    assert_string_equal(platform.tables[0].signature, "RSDT");
    assert_string_equal(platform.tables[1].origin, "rsdt");
    platform_init(&platform, &heap.arena, &options);
    firmware.memory[15] = 2;
    bytes_put(firmware.memory + 24, 8, UINT64_C(0xFFFFFFFF00000000));
    assert_int_equal(tables_collect(&config, &platform), STATUS_OK);
    assert_string_equal(platform.tables[0].signature, "RSDT");
    assert_false(platform.is_rsdp_checksum_ok);
}

static void without_a_readable_rsdp_the_reason_is_said(void **state)
{
    (void)state;
    config.rsdp_paddr = 0;
    assert_int_equal(tables_collect(&config, &platform), STATUS_NOT_FOUND);
    assert_non_null(strstr(platform.acpi_error, "no RSDP"));
    config.rsdp_paddr = 0x1000;
    assert_int_equal(tables_collect(&config, &platform), STATUS_NOT_FOUND);
    config.rsdp_paddr = FIRMWARE_PADDR;
    firmware.memory[0] = 'X';
    assert_int_equal(tables_collect(&config, &platform), STATUS_NOT_FOUND);
    firmware.memory[0] = 'R';
    firmware.memory[FIRMWARE_XSDT] = 'Y';
    firmware.memory[FIRMWARE_RSDT] = 'Y';
    assert_int_equal(tables_collect(&config, &platform), STATUS_NOT_FOUND);
    assert_int_equal(platform.tables_count, 0);
}

/* Entries that point nowhere, to the same table again, and to a table that claims more than there is. */
static void bad_entries_do_no_harm(void **state)
{
    uint8_t ssdt[40];
    uint32_t offset;

    (void)state;
    make_ssdt(ssdt);
    bytes_put(ssdt + 4, 4, 0x01000000);
    offset = fake_firmware_add(&firmware, ssdt, sizeof(ssdt));
    fake_firmware_add(&firmware, ssdt, sizeof(ssdt));
    bytes_put(firmware.memory + FIRMWARE_XSDT + 36 + 16, 8, FIRMWARE_PADDR + offset);
    fake_firmware_add(&firmware, ssdt, sizeof(ssdt));
    bytes_put(firmware.memory + FIRMWARE_XSDT + 36 + 24, 8, UINT64_MAX);
    assert_int_equal(tables_collect(&config, &platform), STATUS_OK);
    assert_int_equal(platform.tables_count, 5);
    assert_int_equal(platform.tables[4].length, 0x01000000);
    assert_int_equal(platform.tables[4].read_bytes, 36);
    assert_false(platform.tables[4].checksum_ok);
}

static void a_root_table_that_claims_too_much_is_cut(void **state)
{
    (void)state;
    bytes_put(firmware.memory + FIRMWARE_XSDT + 4, 4, UINT32_MAX);
    assert_int_equal(tables_collect(&config, &platform), STATUS_OK);
    assert_int_equal(platform.tables_count, 1);
    assert_int_equal(platform.tables[0].read_bytes, 36);
}

static void blobs_of_every_size_are_kept(void **state)
{
    static const uint8_t bytes[40] = "SSDT\x28";

    (void)state;
    for (size_t length = 0; length <= sizeof(bytes); length++) {
        uint8_t *exact = malloc(length == 0 ? 1 : length);
        struct table_blob blob = {.origin = "x.aml", .bytes = exact, .length = length};

        memcpy(exact, bytes, length);
        platform_init(&platform, &heap.arena, &options);
        config.blobs = &blob;
        config.blobs_count = 1;
        assert_int_equal(tables_collect(&config, &platform), STATUS_OK);
        free(exact);
        assert_int_equal(platform.tables[0].has_header, length >= 36);
        assert_int_equal(platform.tables[0].read_bytes, length);
        tables_decode(&platform);
        assert_int_equal(platform.fadt.avail, AVAIL_ABSENT);
    }
}

#define TABLES_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TABLES_TEST(the_xsdt_is_followed_to_dsdt_and_facs),
        TABLES_TEST(revision_0_and_an_unreadable_xsdt_use_the_rsdt),
        TABLES_TEST(without_a_readable_rsdp_the_reason_is_said),
        TABLES_TEST(bad_entries_do_no_harm),
        TABLES_TEST(a_root_table_that_claims_too_much_is_cut),
        TABLES_TEST(blobs_of_every_size_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
