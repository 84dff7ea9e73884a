#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

static void are_found(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (platform->tables_count == 0 && platform->acpi_error != NULL) {
        judge_fail(judge, "ACPI tables", "%s", platform->acpi_error);
    } else if (platform->tables_count == 0) {
        judge_skip(judge, "no tables were collected");
    }
}

static void rsdp_is_sound(struct judge *judge)
{
    if (!judge->platform->has_rsdp) {
        judge_skip(judge, "no RSDP: tables from files");
    } else if (!judge->platform->is_rsdp_checksum_ok) {
        judge_fail(judge, "a byte sum of 0", "the RSDP's bytes do not add up to 0");
    }
}

static void checksums_are_right(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    uint32_t summed = 0;

    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];
        struct judge_text name;

        summed += table->has_header ? 1 : 0;
        if (table->has_header && !table->checksum_ok && table->read_bytes >= table->length) {
            judge->object = judge_text(&name, "%s %s", table->signature, table->oem_table_id);
            judge_fail(judge, "a byte sum of 0", "wrong checksum (%s)",
                       table->origin != NULL ? table->origin : "");
        }
    }
    judge->object = NULL;
    if (summed == 0) {
        judge_skip(judge, "no table with a header");
    }
}

static void are_complete(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];
        struct judge_text name;

        if (table->read_bytes < table->length) {
            judge->object = judge_text(&name, "%s %s", table->signature, table->oem_table_id);
            judge_fail(judge, "as many bytes as the header says", "%u of %u bytes",
                       table->read_bytes, table->length);
        }
    }
    judge->object = NULL;
    if (platform->tables_count == 0) {
        judge_skip(judge, "no tables were collected");
    }
}

static void are_unique(struct judge *judge)
{
    static const char *const single[] = {"FACP", "APIC", "DSDT", "PCCT", "HPET"};
    const struct platform *platform = judge->platform;

    for (size_t s = 0; s < sizeof(single) / sizeof(single[0]); s++) {
        uint32_t count = 0;

        for (uint32_t i = 0; i < platform->tables_count; i++) {
            const struct acpi_table *table = &platform->tables[i];

            /* One that we made to stand in for a broken one is not the firmware's. */
            count +=
                strcmp(table->signature, single[s]) == 0 && strcmp(table->origin, "synthetic") != 0
                    ? 1
                    : 0;
        }
        if (count > 1) {
            judge->object = single[s];
            judge_warn(judge, "one table of this kind", "%u", count);
        }
    }
    judge->object = NULL;
    if (platform->tables_count == 0) {
        judge_skip(judge, "no tables were collected");
    }
}

/* One of our own stands where the machine has none that can be loaded. */
static void has_dsdt(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (!platform->has_rsdp || !platform_is_firsthand(platform)) {
        judge_skip(judge, "no tables of the machine itself");
        return;
    }
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        if (strcmp(platform->tables[i].signature, "DSDT") == 0 &&
            strcmp(platform->tables[i].origin, "synthetic") == 0) {
            judge_fail(judge, "the address of a whole table", "none that can be loaded");
        }
    }
}

const struct rule table_rules[] = {
    {
        .id = "TBL-001",
        .title = "The machine has ACPI tables",
        .spec = "ACPI 6.5, 5.2.5 Root System Description Pointer (RSDP)",
        .why = "Without them there is no power management.",
        .advice = "Publish the RSDP in the EFI configuration table.",
        .known_as = "Linux: A valid RSDP was not found",
        .severity = SEVERITY_CRITICAL,
        .check = judge_machine,
        .judge_machine = are_found,
        .object = "ACPI",
    },
    {
        .id = "TBL-002",
        .title = "The RSDP has the right checksum",
        .spec = "ACPI 6.5, 5.2.5.3 Root System Description Pointer (RSDP) Structure",
        .why = "Systems that check it find no tables.",
        .advice = "Compute both checksums after the last change.",
        .known_as = "fwts: ACPITableChecksumRSDP; BITS: RSDP byte sum",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = rsdp_is_sound,
        .object = "RSDP",
    },
    {
        .id = "TBL-003",
        .title = "Each table has the right checksum",
        .spec = "ACPI 6.5, 5.2.6 System Description Table Header",
        .why = "Systems that check it ignore the table.",
        .advice = "Compute the checksum after the last change to the table.",
        .known_as = "Linux: Incorrect checksum in table; fwts: ACPITableChecksum",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = checksums_are_right,
    },
    {
        .id = "TBL-004",
        .title = "Each table is as long as its header says",
        .spec = "ACPI 6.5, 5.2.6 System Description Table Header",
        .why = "What lies beyond the end is read as part of the table.",
        .advice = "Correct the length, or map the whole table.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = are_complete,
    },
    {
        .id = "TBL-005",
        .title = "Tables that must be single are there once",
        .spec = "ACPI 6.5, 5.2.8 Extended System Description Table (XSDT)",
        .why = "Two systems use two different tables on one machine.",
        .advice = "Remove the surplus table.",
        .known_as = "fwts: MultipleAPICMADT",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = are_unique,
    },
    {
        .id = "TBL-006",
        .title = "The FADT leads to a whole DSDT",
        .spec = "ACPI 6.5, 5.2.9 Fixed ACPI Description Table (FADT), DSDT and X_DSDT",
        .why = "There is no namespace: no device and, most often, no processor.",
        .advice = "Put the table's address into X_DSDT, and map it as ACPI memory to its end.",
        .known_as = "Linux: DSDT: table not found",
        .severity = SEVERITY_CRITICAL,
        .check = judge_machine,
        .judge_machine = has_dsdt,
        .object = "FADT.x_dsdt",
    },
    {.id = NULL},
};

static void hpet_is_memory(struct judge *judge)
{
    const struct hpet *hpet = &judge->platform->hpet;

    if (hpet->avail != AVAIL_PRESENT) {
        judge_skip(judge, "no HPET table");
    } else if (hpet->base.space != GAS_SYSTEM_MEMORY) {
        judge_fail(judge, "SystemMemory", "%s", gas_space_name(hpet->base.space));
    }
}

/* Linux 6.12 arch/x86/kernel/acpi/boot.c acpi_parse_hpet: some firmware has the address in the upper half. */
static void hpet_has_an_address(struct judge *judge)
{
    const struct hpet *hpet = &judge->platform->hpet;

    if (hpet->avail != AVAIL_PRESENT) {
        judge_skip(judge, "no HPET table");
    } else if (hpet->base.address == 0 || hpet->base.address > UINT32_MAX ||
               hpet->base.address % 1024 != 0) {
        judge_fail(judge, "an address below 4 GiB aligned to 1 KiB, usually 0xFED00000", "0x%llX",
                   (unsigned long long)hpet->base.address);
    }
}

const struct rule hpet_rules[] = {
    {
        .id = "HPET-001",
        .title = "The HPET is in memory",
        .spec = "IA-PC HPET Specification 1.0a, 3.2.4 The ACPI 2.0 HPET Description Table",
        .why = "Linux does not use the timer: no fallback when the TSC is unreliable.",
        .advice = "Describe the timer in SystemMemory.",
        .known_as =
            "Linux: HPET timers must be located in memory; fwts: HPETAcpiBaseAddressSpaceId",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = hpet_is_memory,
        .object = "HPET.base",
    },
    {
        .id = "HPET-002",
        .title = "The HPET table gives the timer's address",
        .spec = "IA-PC HPET Specification 1.0a, 3.2.4 The ACPI 2.0 HPET Description Table",
        .why = "Linux does not use the timer, or maps memory that is something else.",
        .advice = "Give the address that the chipset decodes, usually 0xFED00000.",
        .known_as = "Linux: HPET id base is invalid; fwts: HPETAcpiBaseAddressNull, "
                    "HPETAcpiBaseAddressBogus",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = hpet_has_an_address,
        .object = "HPET.base",
    },
    {.id = NULL},
};
