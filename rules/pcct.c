#include "rules/judge.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 14.1 Platform Communications Channel Table"

/* ACPI 6.5, 14.2: signature, command, status before the data; 14.3 for types 3 and 4. */
#define HEADER_BYTES 8
#define EXTENDED_HEADER_BYTES 16

static bool has_pcct(struct judge *judge)
{
    if (judge->platform->pcct.avail == AVAIL_PRESENT) {
        return true;
    }
    judge_skip(judge, "no PCCT in this set of tables");
    return false;
}

static void is_well_formed(struct judge *judge)
{
    const struct pcct *pcct = &judge->platform->pcct;

    if (pcct->avail == AVAIL_MALFORMED || pcct->malformed != NULL) {
        judge_fail(judge, "whole subspaces to the end of the table", "%s at offset %u",
                   pcct->malformed != NULL ? pcct->malformed : "too short", pcct->malformed_offset);
    } else {
        (void)has_pcct(judge);
    }
}

static void has_subspaces(struct judge *judge)
{
    if (!has_pcct(judge)) {
        return;
    }
    if (judge->platform->pcct.count == 0 || judge->platform->pcct.count > 256) {
        judge_fail(judge, "1 to 256 subspaces", "%u", judge->platform->pcct.count);
    }
}

/* Calls `check` for each subspace that was decoded. */
static void each_subspace(struct judge *judge,
                          void (*check)(struct judge *judge, const struct pcct_subspace *subspace,
                                        uint32_t index))
{
    if (!has_pcct(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->pcct.count; i++) {
        if (judge->platform->pcct.subspaces[i].is_decoded) {
            check(judge, &judge->platform->pcct.subspaces[i], i);
        }
    }
}

/* Linux 6.12 drivers/mailbox/pcc.c: type 5 is decoded with the layout of type 3, and a type above 5
 * shifts the numbers of all subspaces after it. */
static void types_are_known(struct judge *judge)
{
    if (!has_pcct(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->pcct.count; i++) {
        uint8_t type = judge->platform->pcct.subspaces[i].type;

        if (type > 5) {
            judge_fail(judge, "subspace types 0 to 5", "subspace %u: type %u", i, type);
        } else if (type == 5) {
            judge_warn(judge, "subspace types that Linux decodes, 0 to 4", "subspace %u: type 5",
                       i);
        }
    }
}

static void check_memory(struct judge *judge, const struct pcct_subspace *subspace, uint32_t index)
{
    bool is_extended = subspace->type == 3 || subspace->type == 4;
    uint64_t header = is_extended ? EXTENDED_HEADER_BYTES : HEADER_BYTES;

    if (subspace->type == 5) {
        return;
    }
    if (subspace->base_paddr == 0 || subspace->length_bytes < header + 1) {
        judge_fail(judge, "an address, and more bytes than the header has",
                   "subspace %u: 0x%llX, %llu bytes", index,
                   (unsigned long long)subspace->base_paddr,
                   (unsigned long long)subspace->length_bytes);
    } else if (subspace->base_paddr % 8 != 0) {
        judge_warn(judge, "memory aligned to 8 bytes", "subspace %u: 0x%llX", index,
                   (unsigned long long)subspace->base_paddr);
    }
}

static void memory_is_given(struct judge *judge)
{
    each_subspace(judge, check_memory);
}

static void regions_do_not_overlap(struct judge *judge)
{
    const struct pcct *pcct = &judge->platform->pcct;

    if (!has_pcct(judge)) {
        return;
    }
    for (uint32_t i = 1; i < pcct->count && i < 256; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const struct pcct_subspace *a = &pcct->subspaces[j];
            const struct pcct_subspace *b = &pcct->subspaces[i];
            const struct pcct_subspace *low = a->base_paddr <= b->base_paddr ? a : b;
            const struct pcct_subspace *high = low == a ? b : a;

            if (a->is_decoded && b->is_decoded && a->base_paddr != 0 && b->base_paddr != 0 &&
                high->base_paddr - low->base_paddr < low->length_bytes) {
                judge_warn(judge, "memory of its own for each subspace",
                           "subspaces %u and %u overlap at 0x%llX", j, i,
                           (unsigned long long)high->base_paddr);
                return;
            }
        }
    }
}

static void check_doorbell(struct judge *judge, const struct pcct_subspace *subspace,
                           uint32_t index)
{
    const struct gas *gas = &subspace->doorbell;
    struct judge_text text;

    if (subspace->type >= 4) {
        return;
    }
    if (gas->address == 0 || subspace->write_mask == 0) {
        judge_warn(judge, "a doorbell register and a write mask",
                   "subspace %u: %s, write mask 0x%llX", index, judge_register(&text, gas),
                   (unsigned long long)subspace->write_mask);
    } else if ((subspace->preserve_mask & subspace->write_mask) != 0) {
        judge_warn(judge, "no bit in both preserve and write mask",
                   "subspace %u: preserve 0x%llX, write 0x%llX", index,
                   (unsigned long long)subspace->preserve_mask,
                   (unsigned long long)subspace->write_mask);
    }
}

static void doorbells_ring(struct judge *judge)
{
    each_subspace(judge, check_doorbell);
}

static void check_doorbell_width(struct judge *judge, const struct pcct_subspace *subspace,
                                 uint32_t index)
{
    const struct gas *gas = &subspace->doorbell;
    struct judge_text text;
    bool is_whole = gas->width_bits == 8 || gas->width_bits == 16 || gas->width_bits == 32 ||
                    gas->width_bits == 64;

    if (gas->address != 0 && gas->space == GAS_SYSTEM_MEMORY && !is_whole) {
        judge_fail(judge, "8, 16, 32 or 64 bits", "subspace %u: %s", index,
                   judge_register(&text, gas));
    } else if (gas->address != 0 && gas->space != GAS_SYSTEM_MEMORY &&
               gas->space != GAS_SYSTEM_IO && gas->space != GAS_FFH) {
        judge_fail(judge, "a doorbell in SystemMemory, SystemIO or FFixedHW", "subspace %u: %s",
                   index, judge_register(&text, gas));
    }
}

static void doorbells_are_whole(struct judge *judge)
{
    each_subspace(judge, check_doorbell_width);
}

static void check_interrupt(struct judge *judge, const struct pcct_subspace *subspace,
                            uint32_t index)
{
    bool has_interrupt = (judge->platform->pcct.flags & 1) != 0;

    if (subspace->type == 4 && !has_interrupt) {
        judge_fail(judge, "the platform interrupt flag beside a responder subspace",
                   "subspace %u is type 4, flags 0x%X", index, judge->platform->pcct.flags);
    } else if (has_interrupt && subspace->type >= 1 && subspace->type <= 4 && subspace->gsi == 0) {
        judge_fail(judge, "an interrupt for the subspace", "subspace %u: GSI 0", index);
    } else if (has_interrupt && subspace->type == 1 && (subspace->interrupt_flags & 2) == 0) {
        judge_fail(judge, "an edge interrupt for type 1, which cannot acknowledge",
                   "subspace %u: level", index);
    }
}

static void interrupts_work(struct judge *judge)
{
    each_subspace(judge, check_interrupt);
}

static void check_rate(struct judge *judge, const struct pcct_subspace *subspace, uint32_t index)
{
    if (subspace->max_access_rate > 0 && subspace->max_access_rate < 14) {
        judge_warn(judge, "14 or more commands a minute, or 0 for no limit", "subspace %u: %u",
                   index, subspace->max_access_rate);
    } else if (subspace->min_turnaround_us > 1000000) {
        judge_warn(judge, "a turnaround time below a second", "subspace %u: %u us", index,
                   subspace->min_turnaround_us);
    } else if (subspace->latency_us > 1000000) {
        judge_warn(judge, "a nominal latency below a second", "subspace %u: %u us", index,
                   subspace->latency_us);
    }
}

static void rates_are_plausible(struct judge *judge)
{
    each_subspace(judge, check_rate);
}

#define NO_PCC "Linux does not start the channel: processors with CPPC over PCC are not scaled."

const struct rule pcct_rules[] = {
    {
        .id = "PCCT-001",
        .title = "The PCCT consists of whole subspaces",
        .spec = SPEC,
        .why = NO_PCC,
        .advice = "Correct the length of the subspace or of the table.",
        .known_as = "Linux: Error parsing PCC subspaces from PCCT; fwts: PCCTBadSubspaceLength",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = is_well_formed,
        .object = "PCCT",
    },
    {
        .id = "PCCT-002",
        .title = "The PCCT has 1 to 256 subspaces",
        .spec = SPEC,
        .why = NO_PCC,
        .advice = "Describe the subspaces, or leave the table out.",
        .known_as = "Linux: Invalid PCCT",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = has_subspaces,
        .object = "PCCT",
    },
    {
        .id = "PCCT-003",
        .title = "PCCT subspaces are of a known type",
        .spec = "ACPI 6.5, 14.1.2 Platform Communications Channel Subspace Structures",
        .why = NO_PCC,
        .advice = "Use types 0 to 4.",
        .known_as = "fwts: PCCTBadSubType",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = types_are_known,
        .object = "PCCT",
    },
    {
        .id = "PCCT-004",
        .title = "Each PCCT subspace has memory that holds more than its header",
        .spec = "ACPI 6.5, 14.2 Generic Communications Channel Shared Memory Region",
        .why = "Reading performance levels accesses wrong memory.",
        .advice = "Give address and length of the shared memory.",
        .known_as = "fwts: PCCTBadSubtypeMemoryLength",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = memory_is_given,
        .object = "PCCT",
    },
    {
        .id = "PCCT-005",
        .title = "Shared memory of PCCT subspaces does not overlap",
        .spec = "ACPI 6.5, 14.2 Generic Communications Channel Shared Memory Region",
        .why = "Commands of one channel overwrite those of another.",
        .advice = "Give each subspace memory of its own.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = regions_do_not_overlap,
        .object = "PCCT",
    },
    {
        .id = "PCCT-006",
        .title = "PCCT doorbells have a register and disjoint masks",
        .spec = "ACPI 6.5, 14.1.3 Generic Communications Subspace Structure (type 0)",
        .why = "The platform does not hear the command: every request times out.",
        .advice = "Give the doorbell register and the bits to write.",
        .known_as = "fwts: PCCDoorBellWriteMaskZero",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = doorbells_ring,
        .object = "PCCT",
    },
    {
        .id = "PCCT-007",
        .title = "PCCT doorbells are registers of a usable width",
        .spec = "ACPI 6.5, 14.1.3 Generic Communications Subspace Structure (type 0)",
        .why = NO_PCC,
        .advice = "Describe 8, 16, 32 or 64 bits.",
        .known_as = "Linux: Cannot access register of n bit width",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = doorbells_are_whole,
        .object = "PCCT",
    },
    {
        .id = "PCCT-008",
        .title = "Interrupts of the PCCT are described fully",
        .spec = "ACPI 6.5, 14.1.1 Platform Communications Channel Global Flags",
        .why = NO_PCC,
        .advice = "Set the flag, the GSI and the mode as the type of the subspace demands.",
        .known_as =
            "Linux: Platform Interrupt flag must be set to 1; PCC GSI n not registered; level "
            "IRQ with no ACK register",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = interrupts_work,
        .object = "PCCT",
    },
    {
        .id = "PCCT-009",
        .title = "Rates and latencies of PCCT subspaces are plausible",
        .spec = "ACPI 6.5, 14.1.3 Generic Communications Subspace Structure (type 0)",
        .why = "Requests are sent so rarely that the clock does not follow load.",
        .advice = "Give microseconds for the times and commands a minute for the rate.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = rates_are_plausible,
        .object = "PCCT",
    },
    {.id = NULL},
};
