#include "rules/alike.h"
#include "rules/domains.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.1.2 _CSD (C-State Dependency)"

/* The index counts the entries of _CST from 0 and names no C1 (it has no dependencies). */
static void index_is_in_cst(struct judge *judge, const struct object_set *set)
{
    const struct object_set *cst = platform_object(judge->processor, OBJECT_CST);
    struct judge_text expected;

    if (cst == NULL || !cst->cst.is_package) {
        judge_skip(judge, "no _CST to compare _CSD with");
        return;
    }
    for (uint32_t i = 0; i < set->csd.count; i++) {
        const struct dependency_row *row = &set->csd.rows[i];

        if ((row->valid >> DEPENDENCY_INDEX & 1) != 0 &&
            row->field[DEPENDENCY_INDEX] >= cst->cst.states_count) {
            judge_fail(judge,
                       judge_text(&expected, "an index below %u, the number of _CST states",
                                  cst->cst.states_count),
                       "index %llu", (unsigned long long)row->field[DEPENDENCY_INDEX]);
            return;
        }
    }
}

static void indices_are_distinct(struct judge *judge, const struct object_set *set)
{
    const struct dependency *csd = &set->csd;

    for (uint32_t i = 1; i < csd->count && i < 64; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if ((csd->rows[i].valid & csd->rows[j].valid) >> DEPENDENCY_INDEX & 1 &&
                csd->rows[i].field[DEPENDENCY_INDEX] == csd->rows[j].field[DEPENDENCY_INDEX]) {
                judge_warn(judge, "each state once", "entries %u and %u are both about state %llu",
                           j, i, (unsigned long long)csd->rows[i].field[DEPENDENCY_INDEX]);
                return;
            }
        }
    }
}

static void has_cst(struct judge *judge, const struct object_set *set)
{
    const struct object_result *cst = &judge->processor->objects[OBJECT_CST];

    (void)set;
    if (cst->avail == AVAIL_ABSENT) {
        judge_warn(judge, "a _CST beside _CSD", "_CSD without _CST");
    }
}

#define CSD_WHY                                                                                    \
    "Systems that coordinate C-states take wrong groups; Linux on x86 does not read _CSD."

const struct rule csd_rules[] = {
    {
        .id = "CSD-001",
        .title = "_CSD returns a Package of packages",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Return one inner Package per dependent C-state.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = domains_is_package,
        .kind = OBJECT_CSD,
        .is_shape = true,
    },
    {
        .id = "CSD-002",
        .title = "_CSD describes at least one domain",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Leave _CSD out when no state has dependencies.",
        .known_as = "fwts: Method_CSDSubPackageElement",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = domains_has_one_row,
        .kind = OBJECT_CSD,
        .is_shape = true,
    },
    {
        .id = "CSD-003",
        .title = "A _CSD domain has six elements",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Give NumEntries, Revision, Domain, CoordType, NumProcessors and Index.",
        .known_as = "fwts: Method_CSDSubPackageElement",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = domains_has_elements,
        .kind = OBJECT_CSD,
        .is_shape = true,
    },
    {
        .id = "CSD-004",
        .title = "NumEntries of _CSD is 6",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Set the first element to 6.",
        .known_as = "fwts: Method_CSDSubPackageElement",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = domains_entries_agree,
        .kind = OBJECT_CSD,
    },
    {
        .id = "CSD-005",
        .title = "Elements of _CSD are Integers",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Use Integers only.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = domains_has_integers,
        .kind = OBJECT_CSD,
        .is_shape = true,
    },
    {
        .id = "CSD-006",
        .title = "The revision of _CSD is 0",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Set the second element to 0.",
        .known_as = "fwts: Method_CSDSubPackageElement",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = domains_revision_is_zero,
        .kind = OBJECT_CSD,
    },
    {
        .id = "CSD-007",
        .title = "The coordination type of _CSD is one of the three defined",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Use 0xFC (SW_ALL), 0xFD (SW_ANY) or 0xFE (HW_ALL).",
        .known_as = "fwts: Method_CSDSubPackageElement",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = domains_type_is_known,
        .kind = OBJECT_CSD,
    },
    {
        .id = "CSD-008",
        .title = "A _CSD domain has at least one processor",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Set NumProcessors to the number of processors in the domain.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = domains_count_is_given,
        .kind = OBJECT_CSD,
    },
    {
        .id = "CSD-009",
        .title = "Members of a _CSD domain agree in type and number",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Give all members of a domain the same CoordType and NumProcessors.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = domains_members_agree,
        .kind = OBJECT_CSD,
        .object = "_CSD",
    },
    {
        .id = "CSD-010",
        .title = "NumProcessors of _CSD is the number of members",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Count the enabled processors of the domain when the table is built.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = domains_count_is_right,
        .kind = OBJECT_CSD,
        .object = "_CSD",
    },
    {
        .id = "CSD-011",
        .title = "The index of a _CSD domain names a state of _CST",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Set Index to the position of the state in _CST, counted from 0.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = index_is_in_cst,
        .kind = OBJECT_CSD,
    },
    {
        .id = "CSD-012",
        .title = "_CSD describes each state once",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Remove the second description or correct its Index.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = indices_are_distinct,
        .kind = OBJECT_CSD,
    },
    {
        .id = "CSD-013",
        .title = "A processor with _CSD has a _CST",
        .spec = SPEC,
        .why = "The dependencies belong to states that do not exist.",
        .advice = "Declare _CST beside _CSD, or remove _CSD.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = has_cst,
        .kind = OBJECT_CSD,
        .is_shape = true,
    },
    {
        .id = "CSD-014",
        .title = "Every enabled processor has a _CSD when one has",
        .spec = SPEC,
        .why = CSD_WHY,
        .advice = "Declare _CSD under every processor, or under none.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = alike_presence,
        .kind = OBJECT_CSD,
        .object = "_CSD",
    },
    {.id = NULL},
};
