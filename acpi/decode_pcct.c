#include "acpi/bytes.h"
#include "acpi/decode_tables.h"

#include <string.h>

/* ACPI 6.5, 14.1 Platform Communications Channel Table: flags at 36, 8 reserved bytes, subspaces. */
#define FLAGS_OFFSET 36U
#define SUBSPACES_OFFSET 48U

/* Where a subspace type keeps its fields, ACPI 6.5, 14.1.3 to 14.1.7; 0: the type has no such field. */
struct layout {
    uint8_t least_bytes;
    uint8_t gsi;
    uint8_t interrupt_flags;
    uint8_t base;
    uint8_t length;
    uint8_t length_size;
    uint8_t doorbell;
    uint8_t preserve;
    uint8_t write;
    uint8_t latency;
    uint8_t access_rate;
    uint8_t turnaround;
    uint8_t turnaround_size;
};

#define GENERIC                                                                                    \
    .base = 8, .length = 16, .length_size = 8, .doorbell = 24, .preserve = 36, .write = 44,        \
    .latency = 52, .access_rate = 56, .turnaround = 60, .turnaround_size = 2
#define EXTENDED                                                                                   \
    .least_bytes = 164, .gsi = 2, .interrupt_flags = 6, .base = 8, .length = 16, .length_size = 4, \
    .doorbell = 20, .preserve = 32, .write = 40, .latency = 48, .access_rate = 52,                 \
    .turnaround = 56, .turnaround_size = 4

static const struct layout layouts[] = {
    {.least_bytes = 62, GENERIC},
    {.least_bytes = 62, .gsi = 2, .interrupt_flags = 6, GENERIC},
    {.least_bytes = 90, .gsi = 2, .interrupt_flags = 6, GENERIC},
    {EXTENDED},
    {EXTENDED},
    {.least_bytes = 96,
     .base = 4,
     .length = 12,
     .length_size = 8,
     .doorbell = 20,
     .preserve = 32,
     .write = 40,
     .latency = 88,
     .turnaround = 92,
     .turnaround_size = 4},
};
#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static uint64_t optional(const uint8_t *at, uint8_t offset, unsigned size_bytes)
{
    return offset == 0 ? 0 : bytes_get(at + offset, size_bytes);
}

static void read_subspace(const uint8_t *at, struct pcct_subspace *ret_subspace)
{
    const struct layout *layout;

    ret_subspace->type = at[0];
    ret_subspace->length = at[1];
    if (at[0] >= LAYOUTS || at[1] < layouts[at[0]].least_bytes) {
        return;
    }
    layout = &layouts[at[0]];
    ret_subspace->is_decoded = true;
    ret_subspace->base_paddr = bytes_u64(at + layout->base);
    ret_subspace->length_bytes = bytes_get(at + layout->length, layout->length_size);
    ret_subspace->doorbell = bytes_gas(at + layout->doorbell);
    ret_subspace->preserve_mask = bytes_u64(at + layout->preserve);
    ret_subspace->write_mask = bytes_u64(at + layout->write);
    ret_subspace->latency_us = bytes_u32(at + layout->latency);
    ret_subspace->max_access_rate = (uint32_t)optional(at, layout->access_rate, 4);
    ret_subspace->min_turnaround_us =
        (uint32_t)bytes_get(at + layout->turnaround, layout->turnaround_size);
    ret_subspace->gsi = (uint32_t)optional(at, layout->gsi, 4);
    ret_subspace->interrupt_flags = (uint8_t)optional(at, layout->interrupt_flags, 1);
}

static void note(struct pcct *pcct, uint32_t offset, const char *what)
{
    if (pcct->malformed == NULL) {
        pcct->malformed = what;
        pcct->malformed_offset = offset;
    }
}

/* Counts the subspaces, and stores them when `subspaces` is given. */
static uint32_t scan(const struct acpi_table *table, uint32_t usable_bytes, struct pcct *pcct,
                     struct pcct_subspace *subspaces)
{
    uint32_t count = 0;
    uint32_t offset = SUBSPACES_OFFSET;

    while (offset < usable_bytes) {
        const uint8_t *at = table->bytes + offset;
        uint32_t left_bytes = usable_bytes - offset;

        if (left_bytes < 2 || at[1] > left_bytes) {
            note(pcct, offset, "subspace ends beyond the table");
            break;
        }
        if (at[1] < 2) {
            note(pcct, offset, at[1] == 0 ? PCCT_ZERO_LENGTH : "subspace length 1");
            break;
        }
        if (at[0] < LAYOUTS && at[1] < layouts[at[0]].least_bytes) {
            note(pcct, offset, "subspace too short for its type");
        }
        if (subspaces != NULL) {
            read_subspace(at, &subspaces[count]);
        }
        count++;
        offset += at[1];
    }
    return count;
}

void decode_pcct(const struct acpi_table *table, struct arena *arena, struct pcct *ret_pcct)
{
    uint32_t usable_bytes = decode_usable_bytes(table);
    struct pcct_subspace *subspaces;
    uint32_t count;

    memset(ret_pcct, 0, sizeof(*ret_pcct));
    if (usable_bytes < SUBSPACES_OFFSET) {
        ret_pcct->avail = AVAIL_MALFORMED;
        note(ret_pcct, usable_bytes, "table shorter than its fixed part");
        return;
    }
    ret_pcct->avail = AVAIL_PRESENT;
    ret_pcct->flags = bytes_u32(table->bytes + FLAGS_OFFSET);
    count = scan(table, usable_bytes, ret_pcct, NULL);
    subspaces = arena_array(arena, count, sizeof(*subspaces));
    if (subspaces != NULL) {
        ret_pcct->count = scan(table, usable_bytes, ret_pcct, subspaces);
        ret_pcct->subspaces = subspaces;
    }
}
