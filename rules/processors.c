#include "model/processor_index.h"
#include "rules/judge.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4 Declaring Processors"

#define STA_PRESENT 1U
#define STA_ENABLED 2U

static void are_declared(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (platform->processors_count > 0) {
        return;
    }
    if (platform->acpi_error != NULL || platform->tables_count == 0) {
        judge_skip(judge, "no ACPI tables");
    } else {
        judge_warn(judge, "a processor in the namespace", "none");
    }
}

static bool is_absent(const struct processor *processor)
{
    return processor->sta_avail == AVAIL_PRESENT && (processor->sta & STA_PRESENT) == 0;
}

/* Calls `check` for every processor of the namespace that _STA does not call absent: one with a wrong _UID
 * has no MADT entry, and so is not enabled. */
static void each_present(struct judge *judge,
                         void (*check)(struct judge *judge, const struct processor *processor))
{
    const struct platform *platform = judge->platform;

    if (platform->processors_count == 0) {
        judge_skip(judge, "no processor in the namespace");
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        const struct processor *processor = &platform->processors[i];

        if (!is_absent(processor)) {
            judge_about(judge, processor);
            check(judge, processor);
        }
    }
    judge_about(judge, NULL);
}

static void check_integer_uid(struct judge *judge, const struct processor *processor)
{
    if (processor->kind != PROCESSOR_DEVICE) {
        return;
    }
    if (processor->uid_text != NULL) {
        judge_fail(judge, "an Integer", "the String \"%s\"", processor->uid_text);
    } else if (processor->uid_avail != AVAIL_PRESENT) {
        judge_fail(judge, "an Integer", "no _UID that can be evaluated");
    }
}

static void uids_are_integers(struct judge *judge)
{
    each_present(judge, check_integer_uid);
}

/* A Processor object and an ACPI0007 device for one processor is how some firmware serves old and new
 * systems (real: 12 machines); which of the two counts depends on _OSI. Two of one kind are a fault. */
static void check_unique_uid(struct judge *judge, const struct processor *processor)
{
    const struct processor *other;
    uint32_t position = 0;

    if (processor->uid_avail != AVAIL_PRESENT || processor->uid_text != NULL) {
        return;
    }
    while ((other = processor_index_next(judge->platform, PROCESSOR_UID, processor->uid,
                                         &position)) != NULL &&
           other < processor) {
        if (!is_absent(other) && other->kind == processor->kind) {
            judge_fail(judge, "a _UID of its own", "uid %llu is also that of %s",
                       (unsigned long long)processor->uid, other->path);
            return;
        }
    }
}

static void uids_are_unique(struct judge *judge)
{
    each_present(judge, check_unique_uid);
}

static void pblk_has_six_bytes(struct judge *judge, const struct processor *processor)
{
    if (processor->kind != PROCESSOR_OBJECT || processor->pblk_address == 0) {
        judge_skip(judge, "no P_BLK");
    } else if (processor->pblk_length != 6 && processor->pblk_length != 0) {
        judge_warn(judge, "a P_BLK of 6 bytes", "%u bytes", processor->pblk_length);
    }
}

static void pblk_is_a_port(struct judge *judge, const struct processor *processor)
{
    if (processor->kind != PROCESSOR_OBJECT || processor->pblk_length == 0) {
        judge_skip(judge, "no P_BLK");
    } else if (processor->pblk_address == 0 || processor->pblk_address > 0xFFFA) {
        judge_fail(judge, "an I/O port", "0x%X, length %u", processor->pblk_address,
                   processor->pblk_length);
    }
}

/* Judged for every processor of the namespace: a wrong _STA is why one is not enabled. */
static void status_is_consistent(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    uint32_t judged = 0;

    for (uint32_t i = 0; i < platform->processors_count; i++) {
        const struct processor *processor = &platform->processors[i];

        if (processor->sta_avail != AVAIL_PRESENT) {
            continue;
        }
        judged++;
        if ((processor->sta & (STA_PRESENT | STA_ENABLED)) == STA_ENABLED) {
            judge->object = processor->path;
            judge_warn(judge, "_STA enabled only with present", "_STA 0x%X", processor->sta);
        }
    }
    judge->object = NULL;
    if (judged == 0) {
        judge_skip(judge, "no processor has a _STA");
    }
}

/* ACPI 6.5, 8.4: the Processor object's id has 8 bits, 0xFF stands for none. */
static void id_is_defined(struct judge *judge, const struct processor *processor)
{
    if (processor->kind != PROCESSOR_OBJECT) {
        judge_skip(judge, "no Processor object");
    } else if (processor->uid == 0xFF) {
        judge_warn(judge, "an id below 0xFF", "id 0xFF");
    }
}

/* _STA often reads registers that a dump does not hold. */
static bool has_uncertain_status(const struct platform *platform)
{
    if (platform_is_firsthand(platform)) {
        return false;
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        if (is_absent(&platform->processors[i])) {
            return true;
        }
    }
    return false;
}

static void some_are_enabled(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    uint32_t index = 0;

    if (platform->processors_count == 0) {
        judge_skip(judge, "no processor in the namespace");
    } else if (judge_next_processor(platform, &index) != NULL) {
        return;
    } else if (has_uncertain_status(platform)) {
        judge_skip(judge, "_STA says absent in this dump");
    } else {
        judge_fail(judge, "processors that belong to enabled MADT entries",
                   "none of %u processors of the namespace is enabled", platform->processors_count);
    }
}

const struct rule processor_rules[] = {
    {
        .id = "PROC-001",
        .title = "Processors are declared in the namespace",
        .spec = SPEC,
        .why = "There are no P-states, no CPPC and no C-states.",
        .advice = "Declare a device with _HID ACPI0007 for each processor.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = are_declared,
        .object = "namespace",
    },
    {
        .id = "PROC-002",
        .title = "The _UID of a processor device is an Integer",
        .spec = SPEC "; 6.1.12 _UID (Unique ID)",
        .why = "Linux cannot match the device with the MADT and ignores it.",
        .advice = "Return the processor uid of the MADT entry as an Integer.",
        .known_as = "Linux: Failed to evaluate processor _UID; fwts: KlogAcpiProcessorBadUid",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = uids_are_integers,
        .object = "_UID",
    },
    {
        .id = "PROC-003",
        .title = "Each processor has a _UID of its own",
        .spec = SPEC "; 6.1.12 _UID (Unique ID)",
        .why = "Linux ignores both devices: those processors are not power managed.",
        .advice = "Give each processor the uid of its own MADT entry.",
        .known_as = "Linux: Failed to get unique processor _UID; fwts: HardwareIDNotUnique",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = uids_are_unique,
        .object = "_UID",
    },
    {
        .id = "PROC-004",
        .title = "The P_BLK of a Processor object has six bytes",
        .spec = "ACPI 6.5, 4.8.3.5 Processor Register Block (P_BLK)",
        .why = "Linux does not use the block: no C2 or C3 from the FADT and no throttling.",
        .advice = "Set the length to 6, or to 0 with address 0.",
        .known_as = "Linux: Invalid PBLK length; fwts: KlogAcpiProcessorPblkBad",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = pblk_has_six_bytes,
        .object = "P_BLK",
    },
    {
        .id = "PROC-005",
        .title = "The P_BLK of a Processor object is an I/O port",
        .spec = "ACPI 6.5, 4.8.3.5 Processor Register Block (P_BLK)",
        .why = "C2 and C3 of the FADT do not work or another port is read.",
        .advice = "Give the port of the register block, or 0 and length 0.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = pblk_is_a_port,
        .object = "P_BLK",
    },
    {
        .id = "PROC-006",
        .title = "A processor that _STA calls enabled is present",
        .spec = "ACPI 6.5, 6.3.7 _STA (Device Status)",
        .why = "Linux treats the processor as disabled.",
        .advice = "Return 0x0F for a processor that is there, 0 for one that is not.",
        .known_as = "Linux: Device status: not present and enabled",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = status_is_consistent,
        .object = "_STA",
    },
    {
        .id = "PROC-007",
        .title = "A Processor object has an id below 0xFF",
        .spec = SPEC,
        .why = "The processor cannot be matched with the MADT.",
        .advice = "Use ACPI0007 devices with _UID for ids of 0xFF and above.",
        .known_as = "Linux: Entry not well-defined, consider updating BIOS",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = id_is_defined,
        .object = "ProcId",
    },
    {
        .id = "PROC-008",
        .title = "Processors of the namespace belong to enabled MADT entries",
        .spec = SPEC "; 5.2.12 Multiple APIC Description Table (MADT)",
        .why = "No processor is power managed.",
        .advice = "Make the uids of namespace and MADT agree.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = some_are_enabled,
        .object = "namespace",
    },
    {.id = NULL},
};
