#include "model/bits.h"
#include "report/report_json_parts.h"

/* SDM vol. 4, MSR 8BH IA32_BIOS_SIGN_ID [63:32]: microcode update signature; AMD keeps the patch level in
 * [31:0] of the same number (PPR for family 17h model 31h, MSR0000_008B Patch_Level). */
#define MSR_MICROCODE 0x8B

static void microcode(const struct platform *platform, struct json_out *json)
{
    struct msr_value value = platform_msr(platform, 0, MSR_MICROCODE);

    if (value.avail != AVAIL_PRESENT) {
        return;
    }
    if (platform->identity.vendor == VENDOR_INTEL) {
        json_out_hex(json, "microcode", bits_get(value.value, 63, 32), 0);
    } else {
        json_out_hex(json, "microcode", bits_get(value.value, 31, 0), 0);
    }
}

static void cpu(const struct platform *platform, struct json_out *json)
{
    const struct cpu_identity *identity = &platform->identity;

    json_out_object(json, "cpu");
    json_out_u64(json, "count", platform->cpus_count);
    if (identity->avail == AVAIL_PRESENT) {
        json_out_string(json, "vendor", identity->vendor_text);
        json_out_u64(json, "family", identity->family);
        json_out_u64(json, "model", identity->model);
        json_out_u64(json, "stepping", identity->stepping);
        if (identity->brand[0] != '\0') {
            json_out_string(json, "brand", identity->brand);
        }
        microcode(platform, json);
        json_out_bool(json, "hypervisor", identity->is_hypervisor);
        if (identity->hypervisor_text[0] != '\0') {
            json_out_string(json, "hypervisor_vendor", identity->hypervisor_text);
        }
    }
    json_out_end(json);
}

static void tables(const struct platform *platform, struct json_out *json)
{
    json_out_array(json, "tables");
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];

        json_out_flat_object(json, NULL);
        json_out_string(json, "signature", table->signature);
        json_out_u64(json, "length", table->length);
        if (table->has_header) {
            json_out_u64(json, "revision", table->revision);
            json_out_string(json, "oem_id", table->oem_id);
            json_out_string(json, "oem_table_id", table->oem_table_id);
            json_out_bool(json, "checksum_ok", table->checksum_ok);
        }
        if (table->read_bytes < table->length) {
            json_out_u64(json, "read_bytes", table->read_bytes);
        }
        if (table->aml_hash != 0) {
            json_out_hex(json, "fnv1a", table->aml_hash, 16);
        }
        json_out_string(json, "origin", table->origin);
        json_out_end(json);
    }
    json_out_end(json);
}

/* CPUs of which something kept Assay from asking; those that answered are not listed. */
static void silent_cpus(const struct platform *platform, struct json_out *json)
{
    static const char *const words[] = {[CPU_ANSWERED] = "answered",
                                        [CPU_NOT_ASKED] = "not asked",
                                        [CPU_DID_NOT_ANSWER] = "did not answer",
                                        [CPU_DISABLED] = "disabled",
                                        [CPU_NOT_PRESENT] = "not present"};
    bool is_open = false;

    for (uint32_t i = 0; i < platform->cpus_count; i++) {
        const struct cpu *one = &platform->cpus[i];

        if (one->answer == CPU_ANSWERED || one->answer == CPU_NOT_ASKED) {
            continue;
        }
        if (!is_open) {
            json_out_array(json, "cpus_not_available");
            is_open = true;
        }
        json_out_flat_object(json, NULL);
        json_out_u64(json, "cpu", i);
        json_out_u64(json, "apic_id", one->apic_id);
        json_out_string(json, "answer", words[one->answer]);
        json_out_end(json);
    }
    if (is_open) {
        json_out_end(json);
    }
}

/* Steps that an earlier run did not come back from. */
static void interrupted(const struct platform *platform, struct json_out *json)
{
    if (platform->interrupted_count == 0) {
        return;
    }
    json_out_array(json, "interrupted");
    for (uint32_t i = 0; i < platform->interrupted_count; i++) {
        json_out_flat_object(json, NULL);
        json_out_string(json, "step", platform->interrupted[i].step);
        if (platform->interrupted[i].run_of != NULL) {
            json_out_string(json, "run_of", platform->interrupted[i].run_of);
        }
        json_out_bool(json, "left_out", platform->interrupted[i].was_left_out);
        json_out_end(json);
    }
    json_out_end(json);
}

void report_json_machine(const struct report *report, struct json_out *json)
{
    static const char *const sources[] = {
        [SOURCE_FIRMWARE] = "firmware", [SOURCE_FOLDER] = "folder", [SOURCE_DUMP] = "dump"};
    const struct platform *platform = report->platform;

    json_out_object(json, "machine");
    json_out_string(json, "source", sources[platform->source]);
    if (!platform_is_firsthand(platform)) {
        json_out_string(json, "source_name", platform->source_name);
    }
    if (platform->is_tables_from_medium) {
        json_out_string(json, "tables_from", "medium");
    }
    json_out_string(json, "vendor", platform->vendor);
    json_out_string(json, "product", platform->product);
    json_out_string(json, "firmware_version", platform->firmware_version);
    json_out_string(json, "firmware_date", platform->firmware_date);
    if (platform->smbios_max_mhz != 0) {
        json_out_u64(json, "smbios_max_speed_mhz", platform->smbios_max_mhz);
    }
    json_out_string(json, "acpi_error", platform->acpi_error);
    json_out_string(json, "incomplete", platform->incomplete);
    json_out_string(json, "other_cpus", platform->mp_note);
    if (platform->has_rsdp) {
        json_out_u64(json, "rsdp_revision", platform->rsdp_revision);
        json_out_bool(json, "rsdp_checksum_ok", platform->is_rsdp_checksum_ok);
    }
    cpu(platform, json);
    silent_cpus(platform, json);
    interrupted(platform, json);
    tables(platform, json);
    json_out_end(json);
}
