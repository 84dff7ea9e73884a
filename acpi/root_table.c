#include "acpi/root_table.h"

#include "acpi/bytes.h"
#include "acpi/decode_tables.h"
#include "acpi/messages.h"
#include "acpi/tables.h"

#include <string.h>

/* ACPI 6.5, 5.2.5.3 RSDP, 5.2.8 XSDT, 5.2.9 FADT (Table 5.9). */
#define RSDP_BYTES 36U
#define CHECKSUM_OFFSET 9U
#define FADT_BYTES 276U
/* The FADT copy reaches at least to the end of X_DSDT. */
#define FADT_LEAST_BYTES 148U
#define FADT_FACS_32 36U
#define FADT_DSDT_32 40U
#define FADT_FLAGS 112U
#define FADT_FACS_64 132U
#define FADT_DSDT_64 140U
#define FADT_HW_REDUCED (1U << 20)

/* ACPI 6.5, 20.2.5.4 NoopOp: an empty table still has one term. */
#define NOOP_OP 0xA3U

static uint64_t address_of(const void *bytes)
{
    return (uint64_t)(uintptr_t)bytes;
}

static void fix_checksum(uint8_t *table, size_t length, size_t offset)
{
    uint8_t sum = 0;

    table[offset] = 0;
    for (size_t i = 0; i < length; i++) {
        sum = (uint8_t)(sum + table[i]);
    }
    table[offset] = (uint8_t)(0x100U - sum);
}

/* The fields of a header are not terminated. */
static void put_text(uint8_t *to, const char *text)
{
    for (size_t i = 0; text[i] != '\0'; i++) {
        to[i] = (uint8_t)text[i];
    }
}

static void write_header(uint8_t *table, const char *signature, uint32_t length, uint8_t revision)
{
    put_text(table, signature);
    bytes_put(table + 4, 4, length);
    table[8] = revision;
    put_text(table + 10, "ASSAY ");
    put_text(table + 16, "EMPTY   ");
    bytes_put(table + 24, 4, 1);
    put_text(table + 28, "ASAY");
    bytes_put(table + 32, 4, 1);
}

static bool is_whole(const struct acpi_table *table)
{
    return table->has_header && table->length >= DECODE_HEADER_BYTES &&
           table->read_bytes == table->length;
}

/* The first whole table of that signature, or NULL. */
static const struct acpi_table *find_whole(const struct platform *platform, const char *signature)
{
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];

        if (is_whole(table) && strcmp(table->signature, signature) == 0) {
            return table;
        }
    }
    return NULL;
}

static bool add_synthetic(struct platform *platform, const char *signature, uint32_t length,
                          uint8_t revision)
{
    uint8_t bytes[FADT_BYTES] = {0};

    write_header(bytes, signature, length, revision);
    if (strcmp(signature, "DSDT") == 0) {
        bytes[length - 1] = NOOP_OP;
    } else {
        bytes_put(bytes + FADT_FLAGS, 4, FADT_HW_REDUCED);
    }
    fix_checksum(bytes, length, CHECKSUM_OFFSET);
    return tables_append(platform, bytes, length, 0, "synthetic") == STATUS_OK;
}

/* The FADT as the interpreter shall see it. A synthetic one is hardware-reduced (ACPI 6.5, 4.1), because it
 * has no registers. */
static uint8_t *make_fadt(const struct platform *platform, const struct acpi_table *fadt)
{
    const struct acpi_table *dsdt = find_whole(platform, "DSDT");
    const uint8_t *facs = NULL;
    uint8_t *copy = arena_take(platform->arena, FADT_BYTES);
    uint32_t length = fadt->length < FADT_BYTES ? fadt->length : FADT_BYTES;

    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];

        /* ACPI 6.5, 5.2.10: FACS is 64 bytes or more. */
        if (strcmp(table->signature, "FACS") == 0 && decode_usable_bytes(table) >= 64) {
            facs = table->bytes;
        }
    }
    if (copy == NULL || dsdt == NULL) {
        return NULL;
    }
    memcpy(copy, fadt->bytes, length);
    length = length < FADT_LEAST_BYTES ? FADT_LEAST_BYTES : length;
    bytes_put(copy + 4, 4, length);
    bytes_put(copy + FADT_FACS_32, 4, 0);
    bytes_put(copy + FADT_DSDT_32, 4, 0);
    bytes_put(copy + FADT_FACS_64, 8, address_of(facs));
    bytes_put(copy + FADT_DSDT_64, 8, address_of(dsdt->bytes));
    fix_checksum(copy, length, CHECKSUM_OFFSET);
    return copy;
}

/* Tables that the FADT or RSDP points to, not the XSDT. */
static bool is_elsewhere(const struct acpi_table *table)
{
    static const char *const signatures[] = {"FACP", "DSDT", "FACS", "RSDT", "XSDT"};

    for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++) {
        if (strcmp(table->signature, signatures[i]) == 0) {
            return true;
        }
    }
    return false;
}

static uint8_t *make_xsdt(const struct platform *platform, const uint8_t *fadt, uint32_t *ret_count)
{
    uint8_t *xsdt =
        arena_take(platform->arena, DECODE_HEADER_BYTES + 8 * (size_t)platform->tables_count + 8);
    uint32_t length = DECODE_HEADER_BYTES;

    if (xsdt == NULL) {
        return NULL;
    }
    bytes_put(xsdt + length, 8, address_of(fadt));
    length += 8;
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];

        if (is_elsewhere(table)) {
            continue;
        }
        if (!is_whole(table)) {
            messages_printf("Firmware Error (ACPI): table %s from %s is cut off: %u of %u bytes\n",
                            table->signature, table->origin, table->read_bytes, table->length);
            continue;
        }
        bytes_put(xsdt + length, 8, address_of(table->bytes));
        length += 8;
    }
    write_header(xsdt, "XSDT", length, 1);
    fix_checksum(xsdt, length, CHECKSUM_OFFSET);
    *ret_count = (length - DECODE_HEADER_BYTES) / 8;
    return xsdt;
}

static uint64_t make_rsdp(const struct platform *platform, const uint8_t *xsdt)
{
    uint8_t *rsdp = arena_take(platform->arena, RSDP_BYTES);

    if (rsdp == NULL) {
        return 0;
    }
    put_text(rsdp, "RSD PTR ");
    put_text(rsdp + 9, "ASSAY ");
    rsdp[15] = 2;
    bytes_put(rsdp + 20, 4, RSDP_BYTES);
    bytes_put(rsdp + 24, 8, address_of(xsdt));
    fix_checksum(rsdp, 20, 8);
    fix_checksum(rsdp, RSDP_BYTES, 32);
    return address_of(rsdp);
}

uint64_t root_table_build(struct platform *platform, uint32_t *ret_count)
{
    const uint8_t *fadt;
    const uint8_t *xsdt;

    *ret_count = 0;
    if (find_whole(platform, "DSDT") == NULL &&
        !add_synthetic(platform, "DSDT", DECODE_HEADER_BYTES + 1, 2)) {
        return 0;
    }
    if (find_whole(platform, "FACP") == NULL && !add_synthetic(platform, "FACP", FADT_BYTES, 6)) {
        return 0;
    }
    if (find_whole(platform, "FACP") == NULL || find_whole(platform, "DSDT") == NULL) {
        return 0;
    }
    fadt = make_fadt(platform, find_whole(platform, "FACP"));
    xsdt = fadt == NULL ? NULL : make_xsdt(platform, fadt, ret_count);
    return xsdt == NULL ? 0 : make_rsdp(platform, xsdt);
}
