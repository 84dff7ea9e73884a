/* machine, fadt, madt, pcct, hpet, handshake, aml: the reverse of report/report_json_machine.c and _tables.c. */
#include "acpi/decode_tables.h"
#include "host/json_text.h"
#include "host/rebuild_parts.h"

#include <string.h>

/* Fixed parts; what is shorter is malformed: acpi/decode_fadt.c, decode_madt.c, decode_pcct.c. */
#define FADT_REVISION_1_BYTES 116
static const char too_short[] = "table shorter than its fixed part";

static void copy_text(char *to, size_t to_bytes, const char *from)
{
    size_t length = strnlen(from, to_bytes - 1);

    memcpy(to, from, length);
    to[length] = '\0';
}

static void take_table(const json_t *json, struct acpi_table *table)
{
    copy_text(table->signature, sizeof(table->signature), rebuild_text(json, "signature", "?"));
    copy_text(table->oem_id, sizeof(table->oem_id), rebuild_text(json, "oem_id", ""));
    copy_text(table->oem_table_id, sizeof(table->oem_table_id),
              rebuild_text(json, "oem_table_id", ""));
    table->length = rebuild_u32(json, "length");
    table->read_bytes = (uint32_t)json_text_number(json, "read_bytes", table->length);
    table->revision = (uint8_t)rebuild_u32(json, "revision");
    table->has_header = json_object_get(json, "revision") != NULL;
    table->checksum_ok = rebuild_is_true(json, "checksum_ok");
    table->aml_hash = rebuild_hex(json, "fnv1a");
    table->origin = rebuild_text(json, "origin", "");
}

static void take_tables(const struct rebuilder *rebuilder, const json_t *array)
{
    uint32_t count = rebuild_count(array);
    struct acpi_table *tables = arena_array(rebuilder->arena, count, sizeof(*tables));

    for (uint32_t i = 0; tables != NULL && i < count; i++) {
        take_table(json_array_get(array, i), &tables[i]);
    }
    rebuilder->platform->tables = tables;
    rebuilder->platform->tables_count = tables == NULL ? 0 : count;
}

void rebuild_machine(const struct rebuilder *rebuilder)
{
    static const char *const sources[] = {
        [SOURCE_FIRMWARE] = "firmware", [SOURCE_FOLDER] = "folder", [SOURCE_DUMP] = "dump"};
    const json_t *machine = json_object_get(rebuilder->root, "machine");
    struct platform *platform = rebuilder->platform;

    platform->source = (enum platform_source)rebuild_word(json_text_string(machine, "source"),
                                                          sources, 3, SOURCE_DUMP);
    platform->source_name = rebuild_text(machine, "source_name", "the record of a run");
    platform->is_replay = json_object_get(machine, "source_name") == NULL;
    platform->is_tables_from_medium =
        strcmp(rebuild_text(machine, "tables_from", ""), "medium") == 0;
    platform->vendor = json_text_string(machine, "vendor");
    platform->product = json_text_string(machine, "product");
    platform->firmware_version = json_text_string(machine, "firmware_version");
    platform->firmware_date = json_text_string(machine, "firmware_date");
    platform->acpi_error = json_text_string(machine, "acpi_error");
    platform->incomplete = json_text_string(machine, "incomplete");
    platform->mp_note = json_text_string(machine, "other_cpus");
    platform->has_rsdp = json_object_get(machine, "rsdp_revision") != NULL;
    platform->rsdp_revision = (uint8_t)rebuild_u32(machine, "rsdp_revision");
    platform->is_rsdp_checksum_ok = rebuild_is_true(machine, "rsdp_checksum_ok");
    take_tables(rebuilder, json_object_get(machine, "tables"));
}

static void take_fadt(const json_t *json, struct fadt *fadt)
{
    if (json == NULL) {
        fadt->avail = AVAIL_ABSENT;
        return;
    }
    fadt->revision = (uint8_t)rebuild_u32(json, "revision");
    fadt->length = rebuild_u32(json, "length");
    fadt->avail = fadt->length < FADT_REVISION_1_BYTES ? AVAIL_MALFORMED : AVAIL_PRESENT;
    fadt->checksum_ok = rebuild_is_true(json, "checksum_ok");
    for (unsigned i = 0; i < FADT_FIELDS; i++) {
        fadt->has_field[i] = json_text_u64(
            json_object_get(json, fadt_field_name((enum fadt_field)i)), &fadt->field[i]);
    }
    for (unsigned i = 0; i < FADT_REGISTERS; i++) {
        const json_t *gas = json_object_get(json, fadt_register_name((enum fadt_register)i));

        fadt->has_register[i] = gas != NULL;
        fadt->reg[i] = rebuild_gas(gas);
    }
}

static enum avail avail_of_table(const json_t *json, const char *malformed)
{
    if (json == NULL) {
        return AVAIL_ABSENT;
    }
    return malformed != NULL && strcmp(malformed, too_short) == 0 ? AVAIL_MALFORMED : AVAIL_PRESENT;
}

static void take_madt(const struct rebuilder *rebuilder, const json_t *json, struct madt *madt)
{
    const json_t *array = json_object_get(json, "entries");
    uint32_t count = rebuild_count(array);
    struct madt_entry *entries = arena_array(rebuilder->arena, count, sizeof(*entries));

    madt->malformed = json_text_string(json, "malformed");
    madt->avail = avail_of_table(json, madt->malformed);
    madt->malformed_offset = rebuild_u32(json, "malformed_offset");
    madt->revision = (uint8_t)rebuild_u32(json, "revision");
    madt->lapic_address = rebuild_u32(json, "lapic_address");
    madt->flags = rebuild_u32(json, "flags");
    madt->enabled_count = rebuild_u32(json, "enabled");
    for (uint32_t i = 0; entries != NULL && i < count; i++) {
        const json_t *entry = json_array_get(array, i);

        entries[i].type = (uint8_t)rebuild_u32(entry, "type");
        entries[i].uid = rebuild_u32(entry, "uid");
        entries[i].apic_id = rebuild_u32(entry, "apic_id");
        entries[i].flags = rebuild_u32(entry, "flags");
    }
    madt->entries = entries;
    madt->count = entries == NULL ? 0 : count;
}

static void take_subspace(const json_t *json, struct pcct_subspace *subspace)
{
    subspace->type = (uint8_t)rebuild_u32(json, "type");
    subspace->length = (uint8_t)rebuild_u32(json, "length");
    subspace->is_decoded = json_object_get(json, "base_address") != NULL;
    subspace->base_paddr = json_text_number(json, "base_address", 0);
    subspace->length_bytes = json_text_number(json, "memory_bytes", 0);
    subspace->doorbell = rebuild_gas(json_object_get(json, "doorbell"));
    subspace->preserve_mask = json_text_number(json, "doorbell_preserve", 0);
    subspace->write_mask = json_text_number(json, "doorbell_write", 0);
    subspace->latency_us = rebuild_u32(json, "latency_us");
    subspace->max_access_rate = rebuild_u32(json, "max_access_rate");
    subspace->min_turnaround_us = rebuild_u32(json, "min_turnaround_us");
    subspace->gsi = rebuild_u32(json, "gsi");
    subspace->interrupt_flags = (uint8_t)rebuild_u32(json, "interrupt_flags");
}

static void take_pcct(const struct rebuilder *rebuilder, const json_t *json, struct pcct *pcct)
{
    const json_t *array = json_object_get(json, "subspaces");
    uint32_t count = rebuild_count(array);
    struct pcct_subspace *subspaces = arena_array(rebuilder->arena, count, sizeof(*subspaces));

    pcct->malformed = json_text_string(json, "malformed");
    pcct->avail = avail_of_table(json, pcct->malformed);
    pcct->malformed_offset = rebuild_u32(json, "malformed_offset");
    pcct->flags = rebuild_u32(json, "flags");
    for (uint32_t i = 0; subspaces != NULL && i < count; i++) {
        take_subspace(json_array_get(array, i), &subspaces[i]);
    }
    pcct->subspaces = subspaces;
    pcct->count = subspaces == NULL ? 0 : count;
}

static void take_hpet(const json_t *json, struct hpet *hpet)
{
    hpet->avail = json == NULL ? AVAIL_ABSENT : AVAIL_PRESENT;
    hpet->base = rebuild_gas(json_object_get(json, "base"));
    hpet->min_tick = (uint16_t)rebuild_u32(json, "min_tick");
}

void rebuild_tables(const struct rebuilder *rebuilder)
{
    const json_t *root = rebuilder->root;
    struct platform *platform = rebuilder->platform;

    take_fadt(json_object_get(root, "fadt"), &platform->fadt);
    take_madt(rebuilder, json_object_get(root, "madt"), &platform->madt);
    take_pcct(rebuilder, json_object_get(root, "pcct"), &platform->pcct);
    take_hpet(json_object_get(root, "hpet"), &platform->hpet);
}

static void take_handshake(const json_t *json, struct handshake *handshake)
{
    handshake->is_done = rebuild_is_true(json, "done");
    handshake->proc_caps = (uint32_t)rebuild_hex(json, "proc_caps");
    handshake->platform_caps = (uint32_t)rebuild_hex(json, "platform_caps");
    handshake->has_platform_osc = rebuild_is_true(json, "platform_osc");
    handshake->platform_error = json_text_string(json, "platform_error");
    handshake->platform_reply = (uint32_t)rebuild_hex(json, "platform_reply");
    handshake->platform_status = (uint32_t)rebuild_hex(json, "platform_status");
    handshake->osc_count = rebuild_u32(json, "processor_osc");
    handshake->pdc_count = rebuild_u32(json, "processor_pdc");
    handshake->dynamic_tables = rebuild_u32(json, "dynamic_tables");
}

static void take_messages(const struct rebuilder *rebuilder, const json_t *array)
{
    uint32_t count = rebuild_count(array);
    struct aml_message *messages = arena_array(rebuilder->arena, count, sizeof(*messages));

    for (uint32_t i = 0; messages != NULL && i < count; i++) {
        messages[i].text = rebuild_text(json_array_get(array, i), "text", "");
        messages[i].count = rebuild_u32(json_array_get(array, i), "count");
    }
    rebuilder->platform->aml_messages = messages;
    rebuilder->platform->aml_messages_count = messages == NULL ? 0 : count;
}

void rebuild_aml(const struct rebuilder *rebuilder)
{
    const json_t *json = json_object_get(rebuilder->root, "aml");
    struct aml_accounting *aml = &rebuilder->platform->aml;

    take_handshake(json_object_get(rebuilder->root, "handshake"), &rebuilder->platform->handshake);
    aml->memory_reads = json_text_number(json, "memory_reads", 0);
    aml->memory_writes = json_text_number(json, "memory_writes", 0);
    aml->io_reads = json_text_number(json, "io_reads", 0);
    aml->io_writes = json_text_number(json, "io_writes", 0);
    aml->pci_reads = json_text_number(json, "pci_reads", 0);
    aml->pci_writes = json_text_number(json, "pci_writes", 0);
    aml->denied = json_text_number(json, "denied", 0);
    aml->first_denied = json_text_string(json, "first_denied");
    aml->unrecorded = json_text_number(json, "unrecorded", 0);
    aml->absent_memory = json_text_number(json, "absent_memory", 0);
    aml->first_absent = json_text_string(json, "first_absent");
    take_messages(rebuilder, json_object_get(json, "messages"));
}
