#include "model/processor_index.h"
#include "rules/alike.h"
#include "rules/domains.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.5.5 _PSD (P-State Dependency)"

/* Row 0, when the object is one that the operating system takes. */
static const struct dependency_row *row_of(const struct judge *judge,
                                           const struct processor *processor)
{
    const struct object_set *set = judge_certain_object(judge, processor, OBJECT_PSD);

    if (set == NULL || set->psd.count == 0 ||
        (set->psd.rows[0].valid >> DEPENDENCY_DOMAIN & 1) == 0) {
        return NULL;
    }
    return &set->psd.rows[0];
}

static const struct processor *leader_of(const struct judge *judge, uint64_t domain)
{
    uint32_t position = 0;
    const struct processor *processor;

    while ((processor = processor_index_next(judge->platform, PROCESSOR_PSD_DOMAIN, domain,
                                             &position)) != NULL) {
        if (processor->is_enabled && processor->cpu != CPU_NONE &&
            row_of(judge, processor) != NULL) {
            return processor;
        }
    }
    return NULL;
}

static void domain_shares_states(struct judge *judge, const struct processor *processor)
{
    const struct dependency_row *row = row_of(judge, processor);

    if (row == NULL) {
        judge_skip(judge, "no usable _PSD");
        return;
    }
    const struct processor *leader = leader_of(judge, row->field[DEPENDENCY_DOMAIN]);
    const struct object_set *ours = judge_certain_object(judge, processor, OBJECT_PSS);
    const struct object_set *theirs =
        leader != NULL ? judge_certain_object(judge, leader, OBJECT_PSS) : NULL;
    if (ours == NULL || theirs == NULL) {
        judge_skip(judge, "no _PSS to compare within the domain");
    } else if (ours->hash != theirs->hash) {
        judge_fail(judge, "one _PSS for all members of a _PSD domain",
                   "pss#%u here, pss#%u on the first processor of the domain", ours->index,
                   theirs->index);
    }
}

/* Linux 6.12 acpi-cpufreq.c acpi_cpufreq_cpu_init: below family 19h the domain is overridden. */
static void domain_is_taken(struct judge *judge, const struct processor *processor)
{
    const struct cpu_identity *identity = &judge->platform->identity;
    const struct dependency_row *row = row_of(judge, processor);

    if (row == NULL) {
        judge_skip(judge, "no usable _PSD");
        return;
    }
    if (identity->avail != AVAIL_PRESENT) {
        judge_skip(judge, "the CPU is not known");
        return;
    }
    if (identity->vendor == VENDOR_AMD && identity->family < 0x19 &&
        row->field[DEPENDENCY_COORD_TYPE] == COORD_SW_ALL) {
        judge_note(judge, "HW_ALL on AMD processors before family 19h",
                   "SW_ALL: Linux overrides it and drives each processor by itself");
    }
}

/* Members of one domain are another rule's, and so is a type that is not defined. */
static bool coordinates_otherwise(const struct dependency_row *row,
                                  const struct dependency_row *first)
{
    return row->field[DEPENDENCY_COORD_TYPE] != first->field[DEPENDENCY_COORD_TYPE] &&
           row->field[DEPENDENCY_DOMAIN] != first->field[DEPENDENCY_DOMAIN];
}

static void domains_coordinate_alike(struct judge *judge)
{
    const struct dependency_row *first_row = NULL;
    const struct processor *first = NULL;
    const struct processor *processor;
    uint32_t index = 0;

    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        const struct dependency_row *row = row_of(judge, processor);
        struct judge_text expected;

        if (row == NULL || row->field[DEPENDENCY_COORD_TYPE] < COORD_SW_ALL ||
            row->field[DEPENDENCY_COORD_TYPE] > COORD_HW_ALL) {
            continue;
        }
        if (first == NULL || first_row == NULL) {
            first = processor;
            first_row = row;
        } else if (judge_is_same_kind(judge->platform, first, processor) &&
                   coordinates_otherwise(row, first_row)) {
            judge_about(judge, processor);
            judge_warn(judge, judge_text(&expected, "as %s", first->path),
                       "coordination type 0x%llX, there 0x%llX",
                       (unsigned long long)row->field[DEPENDENCY_COORD_TYPE],
                       (unsigned long long)first_row->field[DEPENDENCY_COORD_TYPE]);
        }
    }
    if (first == NULL) {
        judge_skip(judge, "no usable _PSD");
    }
}

const struct rule psd_rules[] = {
    {
        .id = "PSD-001",
        .title = "_PSD returns a Package in a Package",
        .spec = SPEC,
        .why = "Linux ignores the domains of all processors, and the whole _CPC of this one.",
        .advice = "Return Package () { Package () { 5, 0, domain, type, processors } }.",
        .known_as = "Linux: Invalid _PSD data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = domains_is_package,
        .kind = OBJECT_PSD,
        .is_shape = true,
    },
    {
        .id = "PSD-002",
        .title = "_PSD describes exactly one domain",
        .spec = SPEC,
        .why =
            "Linux takes only a single domain; otherwise it ignores the domains of all processors.",
        .advice = "Return one inner Package.",
        .known_as = "Linux: Invalid _PSD data; fwts: Method_PSDSubPackageElement",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = domains_has_one_row,
        .kind = OBJECT_PSD,
        .is_shape = true,
    },
    {
        .id = "PSD-003",
        .title = "A _PSD domain has five elements",
        .spec = SPEC,
        .why = "Linux ignores the domains of all processors, and the whole _CPC of this one.",
        .advice = "Give NumEntries, Revision, Domain, CoordType and NumProcessors.",
        .known_as = "Linux: Invalid _PSD data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = domains_has_elements,
        .kind = OBJECT_PSD,
        .is_shape = true,
    },
    {
        .id = "PSD-004",
        .title = "NumEntries of _PSD is 5",
        .spec = SPEC,
        .why = "Linux ignores the domains of all processors, and the whole _CPC of this one.",
        .advice = "Set the first element to 5.",
        .known_as = "Linux: Unknown _PSD:num_entries; fwts: Method_PSDSubPackageElement",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = domains_entries_agree,
        .kind = OBJECT_PSD,
    },
    {
        .id = "PSD-005",
        .title = "Elements of _PSD are Integers",
        .spec = SPEC,
        .why = "Linux ignores the domains of all processors, and the whole _CPC of this one.",
        .advice = "Use Integers only.",
        .known_as = "Linux: Invalid _PSD data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = domains_has_integers,
        .kind = OBJECT_PSD,
        .is_shape = true,
    },
    {
        .id = "PSD-006",
        .title = "The revision of _PSD is 0",
        .spec = SPEC,
        .why = "Linux ignores the domains of all processors, and the whole _CPC of this one.",
        .advice = "Set the second element to 0.",
        .known_as = "Linux: Unknown _PSD:revision; fwts: Method_PSDSubPackageElement",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = domains_revision_is_zero,
        .kind = OBJECT_PSD,
    },
    {
        .id = "PSD-007",
        .title = "The coordination type of _PSD is one of the three defined",
        .spec = SPEC,
        .why =
            "Linux ignores the domains of all processors: shared frequencies are not coordinated.",
        .advice = "Use 0xFC (SW_ALL), 0xFD (SW_ANY) or 0xFE (HW_ALL).",
        .known_as = "Linux: Invalid _PSD:coord_type; fwts: Method_PSDSubPackageElement",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = domains_type_is_known,
        .kind = OBJECT_PSD,
    },
    {
        .id = "PSD-008",
        .title = "A _PSD domain has at least one processor",
        .spec = SPEC,
        .why =
            "The number contradicts the processor that declares the domain; systems that wait for "
            "all members never use it.",
        .advice = "Set NumProcessors to the number of processors in the domain.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = domains_count_is_given,
        .kind = OBJECT_PSD,
    },
    {
        .id = "PSD-009",
        .title = "Members of a _PSD domain agree in type and number",
        .spec = SPEC,
        .why = "Linux drops the domains of all processors when two members disagree.",
        .advice = "Give all members of a domain the same CoordType and NumProcessors.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = domains_members_agree,
        .kind = OBJECT_PSD,
        .object = "_PSD",
    },
    {
        .id = "PSD-010",
        .title = "NumProcessors of _PSD is the number of members",
        .spec = SPEC,
        .why =
            "Systems that wait for all members of a domain never switch it, or switch it too soon.",
        .advice = "Count the enabled processors of the domain when the table is built.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = domains_count_is_right,
        .kind = OBJECT_PSD,
        .object = "_PSD",
    },
    {
        .id = "PSD-011",
        .title = "Every enabled processor has a _PSD when one has",
        .spec = SPEC,
        .why = "Linux drops the domains of all processors when one has none.",
        .advice = "Declare _PSD under every processor, or under none.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = alike_presence,
        .kind = OBJECT_PSD,
        .object = "_PSD",
    },
    {
        .id = "PSD-012",
        .title = "Members of a _PSD domain have the same P-states",
        .spec = SPEC,
        .why = "A request that is right for one member is another frequency for the next.",
        .advice = "Return the same _PSS for all processors of a domain.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = domain_shares_states,
        .object = "_PSD",
    },
    {
        .id = "PSD-013",
        .title = "Linux takes the domains of _PSD as they are",
        .spec = "Linux 6.12 drivers/cpufreq/acpi-cpufreq.c acpi_cpufreq_cpu_init",
        .why = "Each processor gets a policy of its own although the firmware says they share one.",
        .advice = "Declare HW_ALL where the hardware coordinates.",
        .known_as = "Linux: overriding BIOS provided _PSD data",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = domain_is_taken,
        .object = "_PSD",
    },
    {
        .id = "PSD-014",
        .title = "All processors of one kind coordinate in the same way in _PSD",
        .spec = SPEC,
        .why = "One processor's clock is shared by software, the next one's by hardware: requests "
               "are followed on some processors only.",
        .advice = "Return one coordination type for all processors of one kind.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = domains_coordinate_alike,
        .kind = OBJECT_PSD,
        .object = "_PSD",
    },
    {.id = NULL},
};
