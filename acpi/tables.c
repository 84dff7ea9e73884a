#include "acpi/tables.h"

#include "acpi/bytes.h"
#include "acpi/decode_tables.h"
#include "model/hash.h"

#include <string.h>

/* ACPI 6.5, 5.2.5.3, Table 5.3 RSDP Structure. */
#define RSDP_BYTES 20U
#define RSDP_REVISION 15U
#define RSDP_RSDT 16U
#define RSDP_LENGTH 20U
#define RSDP_XSDT 24U
#define RSDP_2_BYTES 36U

/* ACPI 6.5, 5.2.6, Table 5.4: the header's fields. */
#define HEADER_LENGTH 4U
#define HEADER_REVISION 8U
#define HEADER_OEM_ID 10U
#define HEADER_OEM_TABLE_ID 16U

/* FADT pointers: Table 5.9. */
#define FADT_FACS_32 36U
#define FADT_DSDT_32 40U
#define FADT_FACS_64 132U
#define FADT_DSDT_64 140U

/* More than any firmware has; a root table that claims more is cut there. */
#define MOST_TABLES 1024U
#define LARGEST_TABLE_BYTES ((size_t)64 * 1024 * 1024)

static bool is_sum_zero(const uint8_t *bytes, size_t length)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < length; i++) {
        sum = (uint8_t)(sum + bytes[i]);
    }
    return sum == 0;
}

static void copy_text(char *to, const uint8_t *from, size_t length)
{
    size_t used = length;

    while (used > 0 && (from[used - 1] == ' ' || from[used - 1] == '\0')) {
        used--;
    }
    for (size_t i = 0; i < used; i++) {
        to[i] = from[i] >= ' ' && from[i] <= '~' ? (char)from[i] : '?';
    }
    to[used] = '\0';
}

static void read_header(struct acpi_table *table)
{
    const uint8_t *bytes = table->bytes;
    /* ACPI 6.5, 5.2.10: FACS has a signature and a length, but no standard header. */
    bool is_facs = table->read_bytes >= 8 && memcmp(bytes, "FACS", 4) == 0;

    if (table->read_bytes >= 8) {
        copy_text(table->signature, bytes, 4);
        table->length = bytes_u32(bytes + HEADER_LENGTH);
    } else {
        table->length = table->read_bytes;
    }
    table->has_header = !is_facs && table->read_bytes >= DECODE_HEADER_BYTES;
    if (table->has_header) {
        table->revision = bytes[HEADER_REVISION];
        copy_text(table->oem_id, bytes + HEADER_OEM_ID, 6);
        copy_text(table->oem_table_id, bytes + HEADER_OEM_TABLE_ID, 8);
    }
    if (table->read_bytes > table->length) {
        table->read_bytes = table->length;
    }
    table->checksum_ok =
        is_facs || (table->has_header && table->length >= DECODE_HEADER_BYTES &&
                    table->read_bytes == table->length && is_sum_zero(bytes, table->length));
}

/* The array of tables grows by copying at powers of two; what the platform points to is never changed. */
static struct acpi_table *grow(struct platform *platform)
{
    uint32_t count = platform->tables_count;
    struct acpi_table *array;

    if (count != 0 && (count & (count - 1)) != 0) {
        return (struct acpi_table *)(uintptr_t)platform->tables;
    }
    array = arena_array(platform->arena, count == 0 ? 1 : 2 * (size_t)count, sizeof(*array));
    if (array != NULL && count > 0) {
        memcpy(array, platform->tables, count * sizeof(*array));
    }
    return array;
}

/* ACPI 6.5, 5.2.11: DSDT, SSDT and the old PSDT hold AML; a table that AML loaded does under any name. */
static bool holds_aml(const struct acpi_table *table)
{
    return table->has_header &&
           (strcmp(table->signature, "DSDT") == 0 || strcmp(table->signature, "SSDT") == 0 ||
            strcmp(table->signature, "PSDT") == 0 ||
            (table->origin != NULL && strcmp(table->origin, "dynamic") == 0));
}

enum status tables_append(struct platform *platform, const uint8_t *bytes, size_t read_bytes,
                          uint64_t paddr, const char *origin)
{
    size_t kept_bytes = read_bytes > LARGEST_TABLE_BYTES ? LARGEST_TABLE_BYTES : read_bytes;
    struct acpi_table *array = grow(platform);
    uint8_t *copy = arena_take(platform->arena, kept_bytes);
    struct acpi_table *table;

    if (array == NULL || copy == NULL) {
        return STATUS_NO_MEMORY;
    }
    memcpy(copy, bytes, kept_bytes);
    table = &array[platform->tables_count];
    memset(table, 0, sizeof(*table));
    table->bytes = copy;
    table->read_bytes = (uint32_t)kept_bytes;
    table->paddr = paddr;
    table->origin = origin;
    read_header(table);
    table->aml_hash = holds_aml(table) ? hash_bytes(HASH_START, copy, table->read_bytes) : 0;
    platform->tables = array;
    platform->tables_count++;
    return STATUS_OK;
}

const struct acpi_table *tables_find(const struct platform *platform, const char *signature)
{
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        if (platform->tables[i].has_header &&
            strcmp(platform->tables[i].signature, signature) == 0) {
            return &platform->tables[i];
        }
    }
    return NULL;
}

static const uint8_t *map(const struct engine_config *config, uint64_t paddr, size_t bytes)
{
    return paddr == 0 || config->map == NULL ? NULL
                                             : config->map(config->map_context, paddr, bytes);
}

static bool is_known(const struct platform *platform, uint64_t paddr)
{
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        if (platform->tables[i].paddr == paddr) {
            return true;
        }
    }
    return false;
}

/* Copies the table at paddr, as much of it as the memory map has: all, or its header alone. */
static enum status collect_one(const struct engine_config *config, struct platform *platform,
                               uint64_t paddr, const char *origin)
{
    const uint8_t *header = map(config, paddr, 8);
    size_t bytes = 8;
    const uint8_t *whole;

    if (header == NULL || is_known(platform, paddr)) {
        return STATUS_OK;
    }
    if (map(config, paddr, DECODE_HEADER_BYTES) != NULL) {
        header = map(config, paddr, DECODE_HEADER_BYTES);
        bytes = DECODE_HEADER_BYTES;
    }
    whole = bytes_u32(header + HEADER_LENGTH) > LARGEST_TABLE_BYTES
                ? NULL
                : map(config, paddr, bytes_u32(header + HEADER_LENGTH));
    if (whole != NULL) {
        bytes = bytes_u32(header + HEADER_LENGTH);
    }
    return tables_append(platform, whole == NULL ? header : whole, bytes < 8 ? 8 : bytes, paddr,
                         origin);
}

/* A FADT pointer: the 64-bit field when the table has it and it is not 0 (ACPI 6.5, Table 5.9 X_DSDT). */
static uint64_t fadt_pointer(const struct acpi_table *fadt, uint32_t offset_32, uint32_t offset_64)
{
    uint32_t usable_bytes = decode_usable_bytes(fadt);
    uint64_t wide = usable_bytes >= offset_64 + 8 ? bytes_u64(fadt->bytes + offset_64) : 0;

    if (wide != 0 || usable_bytes < offset_32 + 4) {
        return wide;
    }
    return bytes_u32(fadt->bytes + offset_32);
}

static enum status collect_from_fadt(const struct engine_config *config, struct platform *platform)
{
    const struct acpi_table *fadt = &platform->tables[platform->tables_count - 1];
    uint64_t dsdt_paddr = fadt_pointer(fadt, FADT_DSDT_32, FADT_DSDT_64);
    uint64_t facs_paddr = fadt_pointer(fadt, FADT_FACS_32, FADT_FACS_64);
    enum status status = collect_one(config, platform, dsdt_paddr, "fadt");

    return status == STATUS_OK ? collect_one(config, platform, facs_paddr, "fadt") : status;
}

static enum status collect_entries(const struct engine_config *config, struct platform *platform,
                                   const struct acpi_table *root, unsigned entry_bytes)
{
    const char *origin = entry_bytes == 8 ? "xsdt" : "rsdt";
    /* The array that `root` is in may move while tables are added. */
    const uint8_t *bytes = root->bytes;
    uint32_t usable_bytes = decode_usable_bytes(root);
    uint32_t offset = DECODE_HEADER_BYTES;

    while (offset <= usable_bytes && usable_bytes - offset >= entry_bytes &&
           platform->tables_count < MOST_TABLES) {
        uint32_t before = platform->tables_count;
        enum status status =
            collect_one(config, platform, bytes_get(bytes + offset, entry_bytes), origin);

        if (status == STATUS_OK && platform->tables_count > before &&
            strcmp(platform->tables[before].signature, "FACP") == 0) {
            status = collect_from_fadt(config, platform);
        }
        if (status != STATUS_OK) {
            return status;
        }
        offset += entry_bytes;
    }
    return STATUS_OK;
}

/* Adds the root table at paddr when it has the signature. */
static bool collect_root(const struct engine_config *config, struct platform *platform,
                         uint64_t paddr, const char *signature)
{
    const uint8_t *bytes = map(config, paddr, DECODE_HEADER_BYTES);

    return bytes != NULL && memcmp(bytes, signature, 4) == 0 &&
           collect_one(config, platform, paddr, "rsdp") == STATUS_OK && platform->tables_count == 1;
}

static enum status missing(struct platform *platform, const char *why)
{
    platform->acpi_error = why;
    return STATUS_NOT_FOUND;
}

static enum status collect_firmware(const struct engine_config *config, struct platform *platform)
{
    const uint8_t *rsdp = map(config, config->rsdp_paddr, RSDP_BYTES);
    uint64_t xsdt_paddr = 0;

    if (config->rsdp_paddr == 0) {
        return missing(platform, "the firmware installed no ACPI tables (no RSDP)");
    }
    if (rsdp == NULL || memcmp(rsdp, "RSD PTR ", 8) != 0) {
        return missing(platform, "the RSDP that the firmware points to cannot be read");
    }
    platform->has_rsdp = true;
    platform->rsdp_revision = rsdp[RSDP_REVISION];
    platform->is_rsdp_checksum_ok = is_sum_zero(rsdp, RSDP_BYTES);
    if (platform->rsdp_revision >= 2 && map(config, config->rsdp_paddr, RSDP_2_BYTES) != NULL) {
        uint32_t length = bytes_u32(rsdp + RSDP_LENGTH);
        bool is_whole = length >= RSDP_2_BYTES && length < 4096 &&
                        map(config, config->rsdp_paddr, length) != NULL;

        platform->is_rsdp_checksum_ok &= is_whole && is_sum_zero(rsdp, length);
        xsdt_paddr = bytes_u64(rsdp + RSDP_XSDT);
    }
    /* ACPI 6.5, 5.2.8: an XSDT goes before the RSDT. */
    if (collect_root(config, platform, xsdt_paddr, "XSDT")) {
        return collect_entries(config, platform, &platform->tables[0], 8);
    }
    if (collect_root(config, platform, bytes_u32(rsdp + RSDP_RSDT), "RSDT")) {
        return collect_entries(config, platform, &platform->tables[0], 4);
    }
    return missing(platform, "the RSDP names no readable XSDT or RSDT");
}

enum status tables_collect(const struct engine_config *config, struct platform *platform)
{
    if (config->blobs_count == 0) {
        return collect_firmware(config, platform);
    }
    for (uint32_t i = 0; i < config->blobs_count; i++) {
        const struct table_blob *blob = &config->blobs[i];
        enum status status = tables_append(platform, blob->bytes, blob->length, 0, blob->origin);

        if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

void tables_decode(struct platform *platform)
{
    const struct acpi_table *fadt = tables_find(platform, "FACP");
    const struct acpi_table *madt = tables_find(platform, "APIC");
    const struct acpi_table *pcct = tables_find(platform, "PCCT");
    const struct acpi_table *hpet = tables_find(platform, "HPET");

    platform->fadt.avail = AVAIL_ABSENT;
    platform->madt.avail = AVAIL_ABSENT;
    platform->pcct.avail = AVAIL_ABSENT;
    platform->hpet.avail = AVAIL_ABSENT;
    if (fadt != NULL) {
        decode_fadt(fadt, &platform->fadt);
    }
    if (madt != NULL) {
        decode_madt(madt, platform->arena, &platform->madt);
    }
    if (pcct != NULL) {
        decode_pcct(pcct, platform->arena, &platform->pcct);
    }
    if (hpet != NULL) {
        decode_hpet(hpet, &platform->hpet);
    }
}
