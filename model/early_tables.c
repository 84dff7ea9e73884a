#include "model/early_tables.h"

#include <string.h>

#define HEADER_BYTES 36U
#define TABLE_MAX_BYTES (UINT32_C(64) * 1024 * 1024)
#define ENTRIES_MAX 1024U

/* ACPI 6.5, 5.2.5.3 RSDP: revision, RsdtAddress, XsdtAddress. */
#define RSDP_BYTES 20U
#define RSDP_2_BYTES 36U
#define RSDP_REVISION 15U
#define RSDP_RSDT 16U
#define RSDP_XSDT 24U

/* SPCR: offsets in the table. */
#define SPCR_INTERFACE 36U
#define SPCR_ADDRESS 40U
#define SPCR_BYTES 52U

/* MCFG: first allocation, and the length of one. */
#define MCFG_FIRST 44U
#define MCFG_STEP 16U

static uint64_t little_endian(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;

    for (unsigned i = count; i > 0; i--) {
        value = value << 8 | bytes[i - 1];
    }
    return value;
}

static bool sums_to_zero(const uint8_t *bytes, uint32_t count)
{
    uint8_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum = (uint8_t)(sum + bytes[i]);
    }
    return sum == 0;
}

static const uint8_t *map_table(const struct early_tables *early, uint64_t paddr,
                                uint32_t *ret_length)
{
    const uint8_t *header = early->map(early->map_context, paddr, HEADER_BYTES);
    const uint8_t *table;
    uint32_t length;

    if (paddr == 0 || header == NULL) {
        return NULL;
    }
    length = (uint32_t)little_endian(header + 4, 4);
    if (length < HEADER_BYTES || length > TABLE_MAX_BYTES) {
        return NULL;
    }
    table = early->map(early->map_context, paddr, length);
    *ret_length = length;
    return table != NULL && sums_to_zero(table, length) ? table : NULL;
}

/* The table of tables, and how long its entries are: the XSDT where there is one, else the RSDT. */
static const uint8_t *map_root(const struct early_tables *early, uint32_t *ret_length,
                               unsigned *ret_entry_bytes)
{
    const uint8_t *rsdp = early->map(early->map_context, early->rsdp_paddr, RSDP_BYTES);
    const uint8_t *root = NULL;

    if (early->rsdp_paddr == 0 || rsdp == NULL || memcmp(rsdp, "RSD PTR ", 8) != 0) {
        return NULL;
    }
    if (rsdp[RSDP_REVISION] >= 2) {
        const uint8_t *whole = early->map(early->map_context, early->rsdp_paddr, RSDP_2_BYTES);

        *ret_entry_bytes = 8;
        root = whole == NULL ? NULL
                             : map_table(early, little_endian(whole + RSDP_XSDT, 8), ret_length);
    }
    if (root == NULL) {
        *ret_entry_bytes = 4;
        root = map_table(early, little_endian(rsdp + RSDP_RSDT, 4), ret_length);
    }
    return root;
}

const uint8_t *early_tables_find(const struct early_tables *early, const char signature[5],
                                 uint32_t *ret_length)
{
    uint32_t root_length = 0;
    unsigned entry_bytes = 0;
    const uint8_t *root = map_root(early, &root_length, &entry_bytes);
    uint32_t count = root == NULL ? 0 : (root_length - HEADER_BYTES) / entry_bytes;

    for (uint32_t i = 0; i < count && i < ENTRIES_MAX; i++) {
        const uint8_t *entry = root + HEADER_BYTES + (size_t)i * entry_bytes;
        const uint8_t *table = map_table(early, little_endian(entry, entry_bytes), ret_length);

        if (table != NULL && memcmp(table, signature, 4) == 0) {
            return table;
        }
    }
    return NULL;
}

/* SPCR, Interface Type: 0 and 1 are 16550; 12H is "16550-compatible with parameters in the generic
 * address". */
static bool is_16550(uint8_t interface)
{
    return interface == 0 || interface == 1 || interface == 0x12;
}

bool early_tables_serial(const struct early_tables *early, struct gas *ret_gas)
{
    uint32_t length = 0;
    const uint8_t *table = early_tables_find(early, "SPCR", &length);
    const uint8_t *gas;

    if (table == NULL || length < SPCR_BYTES || !is_16550(table[SPCR_INTERFACE])) {
        return false;
    }
    gas = table + SPCR_ADDRESS;
    *ret_gas = (struct gas){.space = gas[0],
                            .width_bits = gas[1],
                            .offset_bits = gas[2],
                            .access = gas[3],
                            .address = little_endian(gas + 4, 8)};
    return ret_gas->address != 0;
}

uint32_t early_tables_pci(const struct early_tables *early, uint32_t room,
                          struct early_pci_range *ret_ranges)
{
    uint32_t length = 0;
    const uint8_t *table = early_tables_find(early, "MCFG", &length);
    uint32_t count = 0;

    for (uint32_t at = MCFG_FIRST;
         table != NULL && count < room && at <= length && length - at >= MCFG_STEP;
         at += MCFG_STEP) {
        ret_ranges[count++] =
            (struct early_pci_range){.base_paddr = little_endian(table + at, 8),
                                     .segment = (uint16_t)little_endian(table + at + 8, 2),
                                     .first_bus = table[at + 10],
                                     .last_bus = table[at + 11]};
    }
    return count;
}
