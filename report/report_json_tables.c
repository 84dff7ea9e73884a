#include "report/report_json_parts.h"

void report_json_gas(struct json_out *json, const char *key, const struct gas *gas)
{
    json_out_flat_object(json, key);
    json_out_flat_object(json, "reg");
    json_out_u64(json, "space", gas->space);
    json_out_u64(json, "width", gas->width_bits);
    json_out_u64(json, "offset", gas->offset_bits);
    json_out_u64(json, "access", gas->access);
    json_out_u64(json, "address", gas->address);
    json_out_end(json);
    json_out_end(json);
}

static void fadt(const struct fadt *fadt, struct json_out *json)
{
    if (fadt->avail != AVAIL_PRESENT && fadt->avail != AVAIL_MALFORMED) {
        return;
    }
    json_out_object(json, "fadt");
    json_out_u64(json, "revision", fadt->revision);
    json_out_u64(json, "length", fadt->length);
    json_out_bool(json, "checksum_ok", fadt->checksum_ok);
    for (unsigned i = 0; i < FADT_FIELDS; i++) {
        if (fadt->has_field[i]) {
            json_out_u64(json, fadt_field_name((enum fadt_field)i), fadt->field[i]);
        }
    }
    for (unsigned i = 0; i < FADT_REGISTERS; i++) {
        if (fadt->has_register[i]) {
            report_json_gas(json, fadt_register_name((enum fadt_register)i), &fadt->reg[i]);
        }
    }
    json_out_end(json);
}

static void madt(const struct madt *madt, struct json_out *json)
{
    if (madt->avail != AVAIL_PRESENT && madt->avail != AVAIL_MALFORMED) {
        return;
    }
    json_out_object(json, "madt");
    json_out_u64(json, "revision", madt->revision);
    json_out_u64(json, "lapic_address", madt->lapic_address);
    json_out_u64(json, "flags", madt->flags);
    json_out_u64(json, "enabled", madt->enabled_count);
    if (madt->malformed != NULL) {
        json_out_string(json, "malformed", madt->malformed);
        json_out_u64(json, "malformed_offset", madt->malformed_offset);
    }
    json_out_array(json, "entries");
    for (uint32_t i = 0; i < madt->count; i++) {
        const struct madt_entry *entry = &madt->entries[i];

        json_out_flat_object(json, NULL);
        json_out_u64(json, "type", entry->type);
        json_out_u64(json, "uid", entry->uid);
        json_out_u64(json, "apic_id", entry->apic_id);
        json_out_u64(json, "flags", entry->flags);
        json_out_end(json);
    }
    json_out_end(json);
    json_out_end(json);
}

static void subspace(const struct pcct_subspace *subspace, struct json_out *json)
{
    json_out_object(json, NULL);
    json_out_u64(json, "type", subspace->type);
    json_out_u64(json, "length", subspace->length);
    if (subspace->is_decoded) {
        json_out_u64(json, "base_address", subspace->base_paddr);
        json_out_u64(json, "memory_bytes", subspace->length_bytes);
        report_json_gas(json, "doorbell", &subspace->doorbell);
        json_out_u64(json, "doorbell_preserve", subspace->preserve_mask);
        json_out_u64(json, "doorbell_write", subspace->write_mask);
        json_out_u64(json, "latency_us", subspace->latency_us);
        json_out_u64(json, "max_access_rate", subspace->max_access_rate);
        json_out_u64(json, "min_turnaround_us", subspace->min_turnaround_us);
        json_out_u64(json, "gsi", subspace->gsi);
        json_out_u64(json, "interrupt_flags", subspace->interrupt_flags);
    }
    json_out_end(json);
}

static void pcct(const struct pcct *pcct, struct json_out *json)
{
    if (pcct->avail != AVAIL_PRESENT && pcct->avail != AVAIL_MALFORMED) {
        return;
    }
    json_out_object(json, "pcct");
    json_out_u64(json, "flags", pcct->flags);
    if (pcct->malformed != NULL) {
        json_out_string(json, "malformed", pcct->malformed);
        json_out_u64(json, "malformed_offset", pcct->malformed_offset);
    }
    json_out_array(json, "subspaces");
    for (uint32_t i = 0; i < pcct->count; i++) {
        subspace(&pcct->subspaces[i], json);
    }
    json_out_end(json);
    json_out_end(json);
}

static void hpet(const struct hpet *hpet, struct json_out *json)
{
    if (hpet->avail != AVAIL_PRESENT) {
        return;
    }
    json_out_object(json, "hpet");
    report_json_gas(json, "base", &hpet->base);
    json_out_u64(json, "min_tick", hpet->min_tick);
    json_out_end(json);
}

void report_json_tables(const struct report *report, struct json_out *json)
{
    fadt(&report->platform->fadt, json);
    madt(&report->platform->madt, json);
    pcct(&report->platform->pcct, json);
    hpet(&report->platform->hpet, json);
}

static void handshake(const struct handshake *handshake, struct json_out *json)
{
    json_out_object(json, "handshake");
    json_out_bool(json, "done", handshake->is_done);
    if (handshake->is_done) {
        json_out_hex(json, "proc_caps", handshake->proc_caps, 0);
        json_out_hex(json, "platform_caps", handshake->platform_caps, 0);
        json_out_bool(json, "platform_osc", handshake->has_platform_osc);
        json_out_string(json, "platform_error", handshake->platform_error);
        if (handshake->has_platform_osc) {
            json_out_hex(json, "platform_reply", handshake->platform_reply, 0);
            json_out_hex(json, "platform_status", handshake->platform_status, 0);
        }
        json_out_u64(json, "processor_osc", handshake->osc_count);
        json_out_u64(json, "processor_pdc", handshake->pdc_count);
        json_out_u64(json, "dynamic_tables", handshake->dynamic_tables);
    }
    json_out_end(json);
}

static void messages(const struct platform *platform, struct json_out *json)
{
    json_out_array(json, "messages");
    for (uint32_t i = 0; i < platform->aml_messages_count; i++) {
        json_out_flat_object(json, NULL);
        json_out_string(json, "text", platform->aml_messages[i].text);
        json_out_u64(json, "count", platform->aml_messages[i].count);
        json_out_end(json);
    }
    json_out_end(json);
}

void report_json_aml(const struct report *report, struct json_out *json)
{
    const struct aml_accounting *aml = &report->platform->aml;

    handshake(&report->platform->handshake, json);
    json_out_object(json, "aml");
    json_out_u64(json, "memory_reads", aml->memory_reads);
    json_out_u64(json, "memory_writes", aml->memory_writes);
    json_out_u64(json, "io_reads", aml->io_reads);
    json_out_u64(json, "io_writes", aml->io_writes);
    json_out_u64(json, "pci_reads", aml->pci_reads);
    json_out_u64(json, "pci_writes", aml->pci_writes);
    json_out_u64(json, "denied", aml->denied);
    json_out_string(json, "first_denied", aml->first_denied);
    json_out_u64(json, "unrecorded", aml->unrecorded);
    json_out_u64(json, "absent_memory", aml->absent_memory);
    json_out_string(json, "first_absent", aml->first_absent);
    messages(report->platform, json);
    json_out_end(json);
}
