#include "model/early_tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* 4 KiB of "physical memory" at 1000H. */
#define MEMORY_PADDR 0x1000U
static uint8_t memory[4096];

static const void *map(void *context, uint64_t paddr, size_t bytes)
{
    (void)context;
    if (paddr < MEMORY_PADDR || paddr - MEMORY_PADDR > sizeof(memory) ||
        bytes > sizeof(memory) - (size_t)(paddr - MEMORY_PADDR)) {
        return NULL;
    }
    return memory + (paddr - MEMORY_PADDR);
}

static const struct early_tables early = {.rsdp_paddr = 0x1000, .map = map};

static void put(uint32_t offset, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        memory[offset + i] = (uint8_t)(value >> 8 * i);
    }
}

static void finish_table(uint32_t offset, const char *signature, uint32_t length)
{
    uint8_t sum = 0;

    memcpy(memory + offset, signature, 4);
    put(offset + 4, length, 4);
    memory[offset + 9] = 0;
    for (uint32_t i = 0; i < length; i++) {
        sum = (uint8_t)(sum + memory[offset + i]);
    }
    memory[offset + 9] = (uint8_t)(0x100 - sum);
}

/* RSDP at 0, XSDT at 100H with SPCR (200H) and MCFG (300H), RSDT at 180H with SPCR only. */
static int build(void **state)
{
    (void)state;
    memset(memory, 0, sizeof(memory));
    memcpy(memory, "RSD PTR ", 8);
    memory[15] = 2;
    put(16, 0x1180, 4);
    put(24, 0x1100, 8);
    memory[0x200 + 36] = 1;
    memory[0x200 + 40] = 1;
    memory[0x200 + 41] = 8;
    memory[0x200 + 43] = 1;
    put(0x200 + 44, 0x3F8, 8);
    finish_table(0x200, "SPCR", 80);
    put(0x300 + 44, 0xB0000000, 8);
    put(0x300 + 52, 7, 2);
    memory[0x300 + 54] = 1;
    memory[0x300 + 55] = 255;
    finish_table(0x300, "MCFG", 44 + 16 + 15);
    put(0x100 + 36, 0x1200, 8);
    put(0x100 + 44, 0x1300, 8);
    finish_table(0x100, "XSDT", 36 + 16 + 3);
    put(0x180 + 36, 0x1200, 4);
    finish_table(0x180, "RSDT", 36 + 4);
    return 0;
}

static void serial_port_and_pci_windows(void **state)
{
    struct early_pci_range ranges[4];
    struct gas gas;

    (void)state;
    assert_true(early_tables_serial(&early, &gas));
    assert_int_equal(gas.space, GAS_SYSTEM_IO);
    assert_int_equal(gas.address, 0x3F8);
    assert_int_equal(early_tables_pci(&early, 4, ranges), 1);
    assert_int_equal(ranges[0].base_paddr, 0xB0000000);
    assert_int_equal(ranges[0].segment, 7);
    assert_int_equal(ranges[0].first_bus, 1);
    assert_int_equal(ranges[0].last_bus, 255);
    assert_int_equal(early_tables_pci(&early, 0, ranges), 0);
}

static void old_rsdp_uses_the_rsdt(void **state)
{
    struct early_pci_range range;
    struct gas gas;

    (void)state;
    memory[15] = 0;
    assert_true(early_tables_serial(&early, &gas));
    assert_int_equal(early_tables_pci(&early, 1, &range), 0);
}

static void broken_tables_are_not_used(void **state)
{
    struct gas gas;

    (void)state;
    memory[0x200 + 60] ^= 1;
    assert_false(early_tables_serial(&early, &gas));
    build(NULL);
    put(0x200 + 4, 0xFFFFFFFF, 4);
    assert_false(early_tables_serial(&early, &gas));
    build(NULL);
    memory[0x200 + 36] = 3; /* an ARM PL011 */
    finish_table(0x200, "SPCR", 80);
    assert_false(early_tables_serial(&early, &gas));
    build(NULL);
    finish_table(0x200, "SPCR", 51);
    assert_false(early_tables_serial(&early, &gas));
}

static void no_acpi_at_all(void **state)
{
    const struct early_tables none = {.rsdp_paddr = 0, .map = map};
    struct gas gas;

    (void)state;
    assert_false(early_tables_serial(&none, &gas));
    memory[0] = 'X';
    assert_false(early_tables_serial(&early, &gas));
    build(NULL);
    put(24, 0xFFFFFFFFFFFFFFF0, 8);
    put(16, 0, 4);
    assert_false(early_tables_serial(&early, &gas));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(serial_port_and_pci_windows, build),
        cmocka_unit_test_setup(old_rsdp_uses_the_rsdt, build),
        cmocka_unit_test_setup(broken_tables_are_not_used, build),
        cmocka_unit_test_setup(no_acpi_at_all, build),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
