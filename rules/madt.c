#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

#define SPEC "ACPI 6.5, 5.2.12 Multiple APIC Description Table (MADT)"

#define MADT_LAPIC 0
#define MADT_X2APIC 9
#define MADT_ENABLED 1U
#define MADT_ONLINE_CAPABLE 2U
/* Ids in a bitmap: what is beyond is compared one by one. */
#define IDS_MAX 8192

static bool has_madt(struct judge *judge)
{
    if (judge->platform->madt.avail == AVAIL_PRESENT) {
        return true;
    }
    judge_skip(judge, "no MADT in this set of tables");
    return false;
}

static bool is_enabled(const struct madt_entry *entry)
{
    return (entry->flags & MADT_ENABLED) != 0;
}

/* Linux 6.12 arch/x86/kernel/acpi/boot.c: the ids that mean "no processor". */
static bool has_broadcast_id(const struct madt_entry *entry)
{
    return entry->type == MADT_LAPIC ? entry->apic_id == 0xFF : entry->apic_id == UINT32_MAX;
}

static void is_well_formed(struct judge *judge)
{
    const struct madt *madt = &judge->platform->madt;

    if (madt->avail == AVAIL_MALFORMED || madt->malformed != NULL) {
        judge_fail(judge, "whole entries to the end of the table", "%s at offset %u",
                   madt->malformed != NULL ? madt->malformed : "too short", madt->malformed_offset);
    } else {
        (void)has_madt(judge);
    }
}

static void has_enabled_entries(struct judge *judge)
{
    const struct madt *madt = &judge->platform->madt;

    if (!has_madt(judge)) {
        return;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        if (is_enabled(&madt->entries[i])) {
            return;
        }
    }
    judge_fail(judge, "at least one enabled processor", "none of %u entries is enabled",
               madt->count);
}

static bool mark(uint64_t *marks, uint32_t id)
{
    bool was_marked = id < IDS_MAX && (marks[id / 64] >> (id % 64) & 1) != 0;

    if (id < IDS_MAX) {
        marks[id / 64] |= UINT64_C(1) << (id % 64);
    }
    return was_marked;
}

static uint32_t apic_id_of(const struct madt_entry *entry)
{
    return entry->apic_id;
}

static uint32_t uid_of(const struct madt_entry *entry)
{
    return entry->uid;
}

/* The same processor may appear as LAPIC and as x2APIC entry: a second entry of its kind is one too many. */
static void check_unique(struct judge *judge, uint8_t type,
                         uint32_t (*id_of)(const struct madt_entry *), const char *what)
{
    const struct madt *madt = &judge->platform->madt;
    uint64_t marks[IDS_MAX / 64];

    memset(marks, 0, sizeof(marks));
    for (uint32_t i = 0; i < madt->count; i++) {
        const struct madt_entry *entry = &madt->entries[i];

        if (entry->type == type && is_enabled(entry) && !has_broadcast_id(entry) &&
            mark(marks, id_of(entry))) {
            judge_fail(judge, "each id once among the enabled entries", "%s 0x%X twice (entry %u)",
                       what, id_of(entry), i);
            return;
        }
    }
}

static void apic_ids_are_unique(struct judge *judge)
{
    if (has_madt(judge)) {
        check_unique(judge, MADT_LAPIC, apic_id_of, "APIC id");
        check_unique(judge, MADT_X2APIC, apic_id_of, "x2APIC id");
    }
}

static void uids_are_unique(struct judge *judge)
{
    if (has_madt(judge)) {
        check_unique(judge, MADT_LAPIC, uid_of, "processor uid");
        check_unique(judge, MADT_X2APIC, uid_of, "x2APIC processor uid");
    }
}

static void ids_are_valid(struct judge *judge)
{
    const struct madt *madt = &judge->platform->madt;

    if (!has_madt(judge)) {
        return;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        if (is_enabled(&madt->entries[i]) && has_broadcast_id(&madt->entries[i])) {
            judge_fail(judge, "an APIC id below the broadcast id", "entry %u: id 0x%X", i,
                       madt->entries[i].apic_id);
            return;
        }
    }
}

/* Linux 6.12 arch/x86/kernel/acpi/boot.c acpi_parse_x2apic. */
static void x2apic_ids_are_used(struct judge *judge)
{
    const struct madt *madt = &judge->platform->madt;
    struct judge_rows entries = {0};
    bool has_lapic = false;

    if (!has_madt(judge)) {
        return;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        const struct madt_entry *entry = &madt->entries[i];

        has_lapic = has_lapic ||
                    (entry->type == MADT_LAPIC && is_enabled(entry) && !has_broadcast_id(entry));
        if (entry->type == MADT_X2APIC && is_enabled(entry) && entry->apic_id < 0xFF) {
            judge_rows_add(&entries, i);
        }
    }
    if (has_lapic && entries.count > 0) {
        judge_warn(judge, "x2APIC ids of 0xFF and above beside LAPIC entries",
                   "%u x2APIC entries with lower ids are ignored (entry %s)", entries.count,
                   judge_rows_text(&entries));
    }
}

/* ACPI 6.3 brought the online-capable flag; before, the bit is reserved. */
static bool knows_online_capable(const struct fadt *fadt)
{
    uint64_t minor = fadt_value(fadt, FADT_MINOR_VERSION, 0) & 0xF;

    return fadt->avail != AVAIL_PRESENT || fadt->revision > 6 ||
           (fadt->revision == 6 && minor >= 3);
}

static void flags_are_valid(struct judge *judge)
{
    const struct madt *madt = &judge->platform->madt;
    struct judge_rows entries = {0};

    if (!has_madt(judge)) {
        return;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        uint32_t flags = madt->entries[i].flags;

        if ((flags & ~(MADT_ENABLED | MADT_ONLINE_CAPABLE)) != 0 ||
            (flags & 3) == (MADT_ENABLED | MADT_ONLINE_CAPABLE)) {
            judge_rows_add(&entries, i);
        }
    }
    if (entries.count > 0) {
        judge_warn(judge, "enabled or online capable, and no reserved flag",
                   "flags 0x%X in %u entries (entry %s)", madt->entries[entries.first].flags,
                   entries.count, judge_rows_text(&entries));
    }
}

static void online_capable_is_defined(struct judge *judge)
{
    const struct madt *madt = &judge->platform->madt;
    struct judge_rows entries = {0};

    if (!has_madt(judge)) {
        return;
    }
    for (uint32_t i = 0; i < madt->count; i++) {
        if ((madt->entries[i].flags & 3) == MADT_ONLINE_CAPABLE) {
            judge_rows_add(&entries, i);
        }
    }
    if (entries.count > 0 && !knows_online_capable(&judge->platform->fadt)) {
        judge_warn(
            judge, "no online-capable flag before ACPI 6.3",
            "%u entries have it, the FADT is revision %u.%llu (entry %s)", entries.count,
            judge->platform->fadt.revision,
            (unsigned long long)(fadt_value(&judge->platform->fadt, FADT_MINOR_VERSION, 0) & 0xF),
            judge_rows_text(&entries));
    }
}

static void lapic_address_is_plausible(struct judge *judge)
{
    uint32_t address = judge->platform->madt.lapic_address;

    if (has_madt(judge) && (address == 0 || address % 4096 != 0)) {
        judge_warn(judge, "the address of the local APIC, usually 0xFEE00000", "0x%X", address);
    }
}

/* Linux 6.12 kernel/cpu/topology.c: the boot CPU must come first. Its APIC id is known on the machine
 * itself only. */
static void boot_cpu_is_first(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (!has_madt(judge)) {
        return;
    }
    if (!platform_is_firsthand(platform) || platform->is_tables_from_medium ||
        platform->cpus_count == 0) {
        judge_skip(judge, "a dump does not say which CPU booted");
        return;
    }
    for (uint32_t i = 0; i < platform->madt.count; i++) {
        const struct madt_entry *entry = &platform->madt.entries[i];

        if (!is_enabled(entry) || has_broadcast_id(entry)) {
            continue;
        }
        if (entry->apic_id != platform->cpus[0].apic_id) {
            judge_warn(judge, "the boot CPU as first enabled entry",
                       "entry %u has APIC id 0x%X, the boot CPU 0x%X", i, entry->apic_id,
                       platform->cpus[0].apic_id);
        }
        return;
    }
}

static void cpus_have_objects(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (!has_madt(judge)) {
        return;
    }
    uint32_t index = 0;
    if (judge_next_processor(platform, &index) == NULL) {
        judge_skip(judge, "no enabled processor in the namespace");
        return;
    }
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        if (platform->cpus[cpu].processor == PROCESSOR_NONE) {
            judge->cpu = cpu;
            judge_warn(judge, "a processor in the namespace for each enabled entry",
                       "no processor with the entry's uid");
        }
    }
}

const struct rule madt_rules[] = {
    {
        .id = "MADT-001",
        .title = "The MADT consists of whole entries",
        .spec = SPEC,
        .why = "Processors after the broken entry are not found.",
        .advice = "Correct the length of the entry or of the table.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = is_well_formed,
        .object = "MADT",
    },
    {
        .id = "MADT-002",
        .title = "The MADT has an enabled processor",
        .spec = "ACPI 6.5, 5.2.12.2 Processor Local APIC Structure",
        .why = "The system starts with one processor at best.",
        .advice = "Set flag bit 0 in the entries of the processors that work.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = has_enabled_entries,
        .object = "MADT",
    },
    {
        .id = "MADT-003",
        .title = "Each APIC id appears once in the MADT",
        .spec = "ACPI 6.5, 5.2.12.2 Processor Local APIC Structure",
        .why = "One of the two processors is not started.",
        .advice = "Correct the id, or clear the enabled flag of the surplus entry.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = apic_ids_are_unique,
        .object = "MADT",
    },
    {
        .id = "MADT-004",
        .title = "Each processor uid appears once in the MADT",
        .spec =
            "ACPI 6.5, 5.2.12.2 Processor Local APIC Structure; 5.2.12.12 Processor Local x2APIC "
            "Structure",
        .why = "Two CPUs share one processor object: one of them has no power management, or "
               "another's.",
        .advice = "Give each processor a uid of its own, that of its namespace object.",
        .known_as = "Linux: BIOS reported wrong ACPI id for the processor",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = uids_are_unique,
        .object = "MADT",
    },
    {
        .id = "MADT-005",
        .title = "No enabled entry of the MADT has the broadcast id",
        .spec =
            "ACPI 6.5, 5.2.12.2 Processor Local APIC Structure; 5.2.12.12 Processor Local x2APIC "
            "Structure",
        .why = "The processor is ignored.",
        .advice = "Give the real APIC id, or clear the enabled flag.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = ids_are_valid,
        .object = "MADT",
    },
    {
        .id = "MADT-006",
        .title = "x2APIC entries beside LAPIC entries have ids from 0xFF on",
        .spec = "ACPI 6.5, 5.2.12.12 Processor Local x2APIC Structure",
        .why = "Linux ignores the entries: these processors are missing.",
        .advice = "Use LAPIC entries for ids below 0xFF.",
        .known_as = "Linux: x2apic entry ignored",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = x2apic_ids_are_used,
        .object = "MADT",
    },
    {
        .id = "MADT-007",
        .title = "Flags of MADT processor entries are defined ones",
        .spec = "ACPI 6.5, Table 5.23 Local APIC Flags",
        .why = "Systems disagree which processors there are.",
        .advice =
            "Set bit 0 for processors that are there, bit 1 for those that may be added, never "
            "both.",
        .known_as = "fwts: MADTFlagsNonZero",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = flags_are_valid,
        .object = "MADT",
    },
    {
        .id = "MADT-008",
        .title = "The online-capable flag is used from ACPI 6.3 on",
        .spec = "ACPI 6.5, Table 5.23 Local APIC Flags",
        .why = "Linux reserves no CPU number for the processor: it cannot be added at run time.",
        .advice = "Publish a FADT of revision 6.3 or later.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = online_capable_is_defined,
        .object = "MADT",
    },
    {
        .id = "MADT-009",
        .title = "The MADT gives the local APIC's address",
        .spec = SPEC ", Local Interrupt Controller Address",
        .why = "A system that trusts the address does not find its interrupt controller.",
        .advice = "Set it to 0xFEE00000, or to what MSR 1BH says.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = lapic_address_is_plausible,
        .object = "MADT.lapic_address",
    },
    {
        .id = "MADT-010",
        .title = "The boot CPU is the first enabled entry of the MADT",
        .spec = "ACPI 6.5, 5.2.12.1 MADT Processor Local APIC / SAPIC Structure Entry Order",
        .why = "CPU numbers differ from what the firmware meant; Linux complains.",
        .advice = "Put the entry of the boot processor first.",
        .known_as = "Linux: APIC enumeration order not specification compliant",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = boot_cpu_is_first,
        .object = "MADT",
    },
    {
        .id = "MADT-011",
        .title = "Each enabled entry of the MADT has a processor in the namespace",
        .spec = SPEC "; 8.4 Declaring Processors",
        .why = "The processor has no P-states and no C-states: it runs hot and slow.",
        .advice = "Declare a processor device whose _UID is that of the entry.",
        .known_as = "fwts: MADTLAPICUidMismatch",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = cpus_have_objects,
        .object = "MADT",
    },
    {.id = NULL},
};
