#include "acpi/bytes.h"
#include "acpi/decode_tables.h"

#include <string.h>

/* ACPI 6.5, 5.2.12, Table 5.19: Local Interrupt Controller Address, Flags, then the structures. */
#define LAPIC_ADDRESS_OFFSET 36U
#define FLAGS_OFFSET 40U
#define ENTRIES_OFFSET 44U

/* ACPI 6.5, 5.2.12.2 Processor Local APIC Structure and 5.2.12.12 Processor Local x2APIC Structure. */
#define TYPE_LAPIC 0U
#define TYPE_X2APIC 9U
#define LAPIC_BYTES 8U
/* 5.2.12.3 I/O APIC Structure: address at offset 4, Global System Interrupt Base at 8. */
#define TYPE_IOAPIC 1U
#define IOAPIC_BYTES 12U
#define X2APIC_BYTES 16U
#define FLAG_ENABLED 1U

static uint32_t least_bytes(uint8_t type)
{
    switch (type) {
    case TYPE_LAPIC:
        return LAPIC_BYTES;
    case TYPE_X2APIC:
        return X2APIC_BYTES;
    default:
        return 2;
    }
}

static bool is_processor(uint8_t type)
{
    return type == TYPE_LAPIC || type == TYPE_X2APIC;
}

static void read_entry(const uint8_t *at, struct madt_entry *ret_entry)
{
    ret_entry->type = at[0];
    if (at[0] == TYPE_LAPIC) {
        ret_entry->uid = at[2];
        ret_entry->apic_id = at[3];
        ret_entry->flags = bytes_u32(at + 4);
    } else {
        ret_entry->apic_id = bytes_u32(at + 4);
        ret_entry->flags = bytes_u32(at + 8);
        ret_entry->uid = bytes_u32(at + 12);
    }
}

static void note(struct madt *madt, uint32_t offset, const char *what)
{
    if (madt->malformed == NULL) {
        madt->malformed = what;
        madt->malformed_offset = offset;
    }
}

/* Steps over one structure. Gives its length, or 0 where nothing can be read any more. */
static uint32_t step(const uint8_t *at, uint32_t left_bytes, uint32_t offset, struct madt *madt)
{
    if (left_bytes < 2) {
        note(madt, offset, "one stray byte at the end");
        return 0;
    }
    if (at[1] < 2) {
        note(madt, offset, "structure length below 2");
        return 0;
    }
    if (at[1] > left_bytes) {
        note(madt, offset, "structure ends beyond the table");
        return 0;
    }
    return at[1];
}

static void note_ioapic(const uint8_t *at, struct madt *madt)
{
    if (madt->ioapic_paddr == 0 && bytes_u32(at + 8) == 0) {
        madt->ioapic_paddr = bytes_u32(at + 4);
    }
}

/* Counts the processor structures, and stores them when `entries` is given. */
static uint32_t scan(const struct acpi_table *table, uint32_t usable_bytes, struct madt *madt,
                     struct madt_entry *entries)
{
    uint32_t count = 0;
    uint32_t offset = ENTRIES_OFFSET;

    while (offset < usable_bytes) {
        const uint8_t *at = table->bytes + offset;
        uint32_t length = step(at, usable_bytes - offset, offset, madt);

        if (length == 0) {
            break;
        }
        if (length < least_bytes(at[0])) {
            note(madt, offset, "processor structure too short");
        } else if (at[0] == TYPE_IOAPIC && length >= IOAPIC_BYTES) {
            note_ioapic(at, madt);
        } else if (is_processor(at[0])) {
            if (entries != NULL) {
                read_entry(at, &entries[count]);
                entries[count].offset = offset;
                madt->enabled_count += entries[count].flags & FLAG_ENABLED;
            }
            count++;
        }
        offset += length;
    }
    return count;
}

void decode_madt(const struct acpi_table *table, struct arena *arena, struct madt *ret_madt)
{
    uint32_t usable_bytes = decode_usable_bytes(table);
    struct madt_entry *entries;
    uint32_t count;

    memset(ret_madt, 0, sizeof(*ret_madt));
    ret_madt->revision = table->revision;
    if (usable_bytes < ENTRIES_OFFSET) {
        ret_madt->avail = AVAIL_MALFORMED;
        note(ret_madt, usable_bytes, "table shorter than its fixed part");
        return;
    }
    ret_madt->avail = AVAIL_PRESENT;
    ret_madt->lapic_address = bytes_u32(table->bytes + LAPIC_ADDRESS_OFFSET);
    ret_madt->flags = bytes_u32(table->bytes + FLAGS_OFFSET);
    count = scan(table, usable_bytes, ret_madt, NULL);
    entries = arena_array(arena, count, sizeof(*entries));
    if (entries != NULL) {
        ret_madt->count = scan(table, usable_bytes, ret_madt, entries);
        ret_madt->entries = entries;
    }
}
