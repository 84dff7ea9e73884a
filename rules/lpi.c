#include "rules/alike.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.3.3 _LPI (Low Power Idle States)"
#define LPI_ELEMENTS 10

static void is_package(struct judge *judge, const struct object_set *set)
{
    if (!set->lpi.is_package) {
        judge_fail(judge, "a Package", "%s", aml_type_name(set->raw->type));
    }
}

static void has_header(struct judge *judge, const struct object_set *set)
{
    if (set->lpi.is_package && !set->lpi.has_header) {
        judge_fail(judge, "revision, level id and count, three Integers",
                   "fewer elements or other types");
    }
}

static void revision_is_zero(struct judge *judge, const struct object_set *set)
{
    if (!set->lpi.has_header) {
        judge_skip(judge, "_LPI has no header, see LPI-002");
    } else if (set->lpi.revision != 0) {
        judge_fail(judge, "revision 0", "revision %llu", (unsigned long long)set->lpi.revision);
    }
}

static void count_is_right(struct judge *judge, const struct object_set *set)
{
    struct judge_text expected;

    if (!set->lpi.has_header) {
        judge_skip(judge, "_LPI has no header, see LPI-002");
    } else if (set->lpi.count != set->lpi.states_count || set->lpi.count == 0) {
        judge_fail(judge,
                   judge_text(&expected, "count %u, the number of states that follow, and not 0",
                              set->lpi.states_count),
                   "count %llu", (unsigned long long)set->lpi.count);
    }
}

static void states_are_complete(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->lpi.states_count; i++) {
        if (set->lpi.states[i].elements != LPI_ELEMENTS) {
            judge_fail(judge, "10 elements a state", "state %u has %u", i + 1,
                       set->lpi.states[i].elements);
            return;
        }
    }
}

static void fields_are_integers(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->lpi.states_count; i++) {
        if (set->lpi.states[i].elements > 0 && set->lpi.states[i].valid != (1U << LPI_FIELDS) - 1) {
            judge_fail(judge, "Integers in elements 0 to 5", "state %u: valid elements 0x%X", i + 1,
                       set->lpi.states[i].valid);
            return;
        }
    }
}

static void entry_is_usable(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->lpi.states_count; i++) {
        const struct lpi_state *state = &set->lpi.states[i];
        bool is_register =
            state->entry_kind == CPC_ELEMENT_REGISTER && state->entry.avail == AVAIL_PRESENT &&
            (state->entry.gas.space == GAS_FFH || state->entry.gas.space == GAS_SYSTEM_IO);

        if (state->elements > 6 && state->entry_kind != CPC_ELEMENT_INTEGER && !is_register) {
            judge_fail(judge, "an Integer, or a register in FFixedHW or SystemIO",
                       "state %u: another entry method", i + 1);
            return;
        }
    }
}

static void residency_ascends(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 1; i < set->lpi.states_count; i++) {
        const struct lpi_state *above = &set->lpi.states[i - 1];
        const struct lpi_state *state = &set->lpi.states[i];
        uint32_t both = above->valid & state->valid;

        if ((both >> LPI_MIN_RESIDENCY_US & 1) != 0 &&
            state->field[LPI_MIN_RESIDENCY_US] < above->field[LPI_MIN_RESIDENCY_US]) {
            judge_warn(judge, "no shorter residency in a deeper state",
                       "state %u: %llu us after %llu us", i + 1,
                       (unsigned long long)state->field[LPI_MIN_RESIDENCY_US],
                       (unsigned long long)above->field[LPI_MIN_RESIDENCY_US]);
            return;
        }
    }
}

static void residency_covers_latency(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->lpi.states_count; i++) {
        const struct lpi_state *state = &set->lpi.states[i];

        if ((state->valid & 3) == 3 && state->field[LPI_MIN_RESIDENCY_US] != 0 &&
            state->field[LPI_MIN_RESIDENCY_US] < state->field[LPI_WAKE_LATENCY_US]) {
            judge_note(judge, "a residency of at least the wake latency",
                       "state %u: residency %llu us, latency %llu us", i + 1,
                       (unsigned long long)state->field[LPI_MIN_RESIDENCY_US],
                       (unsigned long long)state->field[LPI_WAKE_LATENCY_US]);
            return;
        }
    }
}

#define LPI_WHY                                                                                    \
    "Systems that use low-power idle states ignore the list. Linux on x86 does not read it."

const struct rule lpi_rules[] = {
    {
        .id = "LPI-001",
        .title = "_LPI returns a Package",
        .spec = SPEC,
        .why = LPI_WHY,
        .advice = "Return a Package.",
        .known_as = "fwts: Method_LPIBadElementType",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = is_package,
        .kind = OBJECT_LPI,
        .is_shape = true,
    },
    {
        .id = "LPI-002",
        .title = "_LPI starts with revision, level id and count",
        .spec = SPEC,
        .why = LPI_WHY,
        .advice = "Put three Integers first.",
        .known_as = "fwts: Method_LPIBadElementType",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = has_header,
        .kind = OBJECT_LPI,
        .is_shape = true,
    },
    {
        .id = "LPI-003",
        .title = "The revision of _LPI is 0",
        .spec = SPEC,
        .why = LPI_WHY,
        .advice = "Set the first element to 0.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = revision_is_zero,
        .kind = OBJECT_LPI,
    },
    {
        .id = "LPI-004",
        .title = "The count of _LPI is the number of states",
        .spec = SPEC,
        .why = LPI_WHY,
        .advice = "Set the third element to the number of packages that follow.",
        .known_as = "fwts: Method_LPIBadCount",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = count_is_right,
        .kind = OBJECT_LPI,
        .is_shape = true,
    },
    {
        .id = "LPI-005",
        .title = "Each state of _LPI has ten elements",
        .spec = SPEC,
        .why = LPI_WHY,
        .advice = "Give all ten elements.",
        .known_as = "fwts: Method_LPIBadSubElement",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = states_are_complete,
        .kind = OBJECT_LPI,
        .is_shape = true,
    },
    {
        .id = "LPI-006",
        .title = "Residency, latency and flags of _LPI states are Integers",
        .spec = SPEC,
        .why = LPI_WHY,
        .advice = "Use Integers in elements 0 to 5.",
        .known_as = "fwts: Method_LPIBadSubElementType",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = fields_are_integers,
        .kind = OBJECT_LPI,
        .is_shape = true,
    },
    {
        .id = "LPI-007",
        .title = "_LPI states are entered by an Integer or a register",
        .spec = SPEC,
        .why = LPI_WHY,
        .advice = "Use FFixedHW or SystemIO, or an Integer that is added to the parent's.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = entry_is_usable,
        .kind = OBJECT_LPI,
        .is_shape = true,
    },
    {
        .id = "LPI-008",
        .title = "Deeper states of _LPI do not have a shorter residency",
        .spec = SPEC,
        .why = "The governor prefers the wrong state.",
        .advice = "Sort the states by depth.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = residency_ascends,
        .kind = OBJECT_LPI,
    },
    {
        .id = "LPI-009",
        .title = "Residency of an _LPI state covers its wake latency",
        .spec = SPEC,
        .why = "The state is used for pauses that are shorter than waking takes.",
        .advice = "Correct the residency.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = residency_covers_latency,
        .kind = OBJECT_LPI,
    },
    {
        .id = "LPI-010",
        .title = "Every enabled processor has a _LPI when one has",
        .spec = SPEC,
        .why = LPI_WHY,
        .advice = "Declare _LPI under every processor, or under none.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = alike_presence,
        .kind = OBJECT_LPI,
        .object = "_LPI",
    },
    {.id = NULL},
};
