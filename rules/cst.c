#include "rules/judge.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.1.1 _CST (C States)"

#define STATE_ELEMENTS 4
/* Linux 6.12 drivers/acpi/acpi_processor.c: ACPI_PROCESSOR_MAX_POWER - 1. */
#define LINUX_STATES_MAX 7

static bool has(const struct cst_state *state, enum cst_field field)
{
    return (state->valid >> field & 1) != 0;
}

static void is_package(struct judge *judge, const struct object_set *set)
{
    if (!set->cst.is_package) {
        judge_fail(judge, "a Package: a count and a Package a state", "%s",
                   aml_type_name(set->raw->type));
    }
}

static void has_count(struct judge *judge, const struct object_set *set)
{
    const struct aml_value *first = aml_element(set->raw, 0);

    if (set->cst.is_package && !set->cst.has_count) {
        judge_fail(judge, "the count of states, an Integer", "%s",
                   first != NULL ? aml_type_name(first->type) : "an empty Package");
    }
}

static void count_is_right(struct judge *judge, const struct object_set *set)
{
    struct judge_text expected;

    if (!set->cst.has_count) {
        judge_skip(judge, "_CST has no count, see CST-002");
    } else if (set->cst.count != set->cst.states_count) {
        judge_fail(judge,
                   judge_text(&expected, "count %u, the number of states that follow",
                              set->cst.states_count),
                   "count %llu", (unsigned long long)set->cst.count);
    }
}

static void has_states(struct judge *judge, const struct object_set *set)
{
    if (set->cst.is_package && set->cst.states_count == 0) {
        judge_fail(judge, "at least one state", "no state");
    }
}

static void states_are_complete(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct aml_value *raw = aml_element(set->raw, i + 1);

        if (raw != NULL && raw->type != AML_PACKAGE) {
            judge_fail(judge, "a Package of 4 elements a state", "state %u is of type %s", i + 1,
                       aml_type_name(raw->type));
            return;
        }
        if (set->cst.states[i].elements != STATE_ELEMENTS) {
            judge_fail(judge, "a Package of 4 elements a state", "state %u has %u elements", i + 1,
                       set->cst.states[i].elements);
            return;
        }
    }
}

static void registers_are_descriptors(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct aml_value *raw = aml_element(aml_element(set->raw, i + 1), 0);

        if (raw == NULL || set->cst.states[i].reg.avail == AVAIL_PRESENT) {
            continue;
        }
        if (raw->type != AML_BUFFER) {
            judge_fail(judge, "a Buffer with a Generic Register Descriptor",
                       "state %u: register of type %s", i + 1, aml_type_name(raw->type));
        } else {
            judge_fail(judge, "a Generic Register Descriptor (82h, length 12)",
                       "state %u: Buffer of %u bytes that starts with 0x%02X", i + 1, raw->length,
                       raw->length > 0 ? raw->bytes[0] : 0U);
        }
        return;
    }
}

static void fields_are_integers(struct judge *judge, const struct object_set *set)
{
    static const char *const names[CST_FIELDS] = {"type", "latency", "power"};

    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        for (uint32_t f = 0; f < CST_FIELDS; f++) {
            const struct aml_value *raw = aml_element(aml_element(set->raw, i + 1), f + 1);

            if (raw != NULL && raw->type != AML_INTEGER) {
                judge_fail(judge, "Integers for type, latency and power",
                           "state %u: %s is of type %s", i + 1, names[f], aml_type_name(raw->type));
                return;
            }
        }
    }
}

static void count_is_small(struct judge *judge, const struct object_set *set)
{
    if (set->cst.states_count > LINUX_STATES_MAX) {
        judge_warn(judge, "at most 7 states", "%u states: Linux drops those after the seventh",
                   set->cst.states_count);
    }
}

static void types_are_known(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct cst_state *state = &set->cst.states[i];

        if (has(state, CST_TYPE) && (state->field[CST_TYPE] < 1 || state->field[CST_TYPE] > 3)) {
            judge_fail(judge, "type 1 (C1), 2 (C2) or 3 (C3)", "state %u: type %llu", i + 1,
                       (unsigned long long)state->field[CST_TYPE]);
            return;
        }
    }
}

/* AMD BKDG for families 14h to 16h, _CST: the object holds the one I/O C2 alone, as HLT is C1 on every
 * processor (real: m014 and 13 others). */
static bool is_lone_io_state(const struct cst *cst)
{
    return cst->states_count == 1 && cst->states[0].field[CST_TYPE] == 2 &&
           cst->states[0].reg.avail == AVAIL_PRESENT &&
           cst->states[0].reg.gas.space == GAS_SYSTEM_IO;
}

static void has_c1(struct judge *judge, const struct object_set *set)
{
    uint32_t known = 0;

    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        if (has(&set->cst.states[i], CST_TYPE) && set->cst.states[i].field[CST_TYPE] == 1) {
            return;
        }
        known += has(&set->cst.states[i], CST_TYPE) ? 1 : 0;
    }
    if (known == 0) {
        judge_skip(judge, "_CST lists no states");
    } else if (is_lone_io_state(&set->cst)) {
        judge_note(judge, "a C1 state", "one I/O C2 and no C1: HLT is C1, as AMD documents it");
    } else {
        judge_fail(judge, "a state of type 1 (C1)", "none of %u states is C1",
                   set->cst.states_count);
    }
}

static void types_ascend(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 1; i < set->cst.states_count; i++) {
        const struct cst_state *above = &set->cst.states[i - 1];
        const struct cst_state *state = &set->cst.states[i];

        if (has(above, CST_TYPE) && has(state, CST_TYPE) &&
            state->field[CST_TYPE] < above->field[CST_TYPE]) {
            judge_fail(judge, "states in ascending order of type", "state %u is C%llu after C%llu",
                       i + 1, (unsigned long long)state->field[CST_TYPE],
                       (unsigned long long)above->field[CST_TYPE]);
            return;
        }
    }
}

static void latencies_ascend(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 1; i < set->cst.states_count; i++) {
        const struct cst_state *above = &set->cst.states[i - 1];
        const struct cst_state *state = &set->cst.states[i];

        if (has(above, CST_LATENCY_US) && has(state, CST_LATENCY_US) && has(state, CST_TYPE) &&
            has(above, CST_TYPE) && state->field[CST_TYPE] >= above->field[CST_TYPE] &&
            state->field[CST_LATENCY_US] != 0 &&
            state->field[CST_LATENCY_US] < above->field[CST_LATENCY_US]) {
            judge_warn(judge, "no shorter latency in a deeper state",
                       "state %u (C%llu) %llu us after %llu us", i + 1,
                       (unsigned long long)state->field[CST_TYPE],
                       (unsigned long long)state->field[CST_LATENCY_US],
                       (unsigned long long)above->field[CST_LATENCY_US]);
            return;
        }
    }
}

static void power_falls(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 1; i < set->cst.states_count; i++) {
        const struct cst_state *above = &set->cst.states[i - 1];
        const struct cst_state *state = &set->cst.states[i];

        if (has(above, CST_POWER_MW) && has(state, CST_POWER_MW) && has(state, CST_TYPE) &&
            has(above, CST_TYPE) && state->field[CST_TYPE] >= above->field[CST_TYPE] &&
            state->field[CST_POWER_MW] > above->field[CST_POWER_MW]) {
            judge_warn(judge, "no more power in a deeper state",
                       "state %u (C%llu) %llu mW after %llu mW", i + 1,
                       (unsigned long long)state->field[CST_TYPE],
                       (unsigned long long)state->field[CST_POWER_MW],
                       (unsigned long long)above->field[CST_POWER_MW]);
            return;
        }
    }
}

/* Longest exit latencies on real machines: C1 3 us, C2 500 us, C3 1500 us. */
static void latency_is_plausible(struct judge *judge, const struct object_set *set)
{
    static const uint64_t limit_us[] = {0, 100, 1000, 5000};
    struct judge_text expected;

    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct cst_state *state = &set->cst.states[i];
        uint64_t type = state->field[CST_TYPE];

        if (!has(state, CST_TYPE) || !has(state, CST_LATENCY_US) || type < 1 || type > 3) {
            continue;
        }
        if (state->field[CST_LATENCY_US] > limit_us[type]) {
            judge_warn(judge,
                       judge_text(&expected, "microseconds, at most %llu for C%llu",
                                  (unsigned long long)limit_us[type], (unsigned long long)type),
                       "state %u: %llu us", i + 1,
                       (unsigned long long)state->field[CST_LATENCY_US]);
            return;
        }
    }
}

static void latency_is_given(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct cst_state *state = &set->cst.states[i];

        if (has(state, CST_TYPE) && has(state, CST_LATENCY_US) && state->field[CST_TYPE] > 1 &&
            state->field[CST_LATENCY_US] == 0) {
            judge_warn(judge, "the worst-case latency in microseconds", "state %u (C%llu): 0 us",
                       i + 1, (unsigned long long)state->field[CST_TYPE]);
            return;
        }
    }
}

static void power_is_plausible(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct cst_state *state = &set->cst.states[i];

        if (has(state, CST_POWER_MW) && state->field[CST_POWER_MW] > 100000) {
            judge_warn(judge, "milliwatts, at most 100000 for an idle processor", "state %u: %llu",
                       i + 1, (unsigned long long)state->field[CST_POWER_MW]);
            return;
        }
    }
}

static bool is_same_register(const struct cst_state *a, const struct cst_state *b)
{
    const struct gas *x = &a->reg.gas;
    const struct gas *y = &b->reg.gas;

    return a->reg.avail == AVAIL_PRESENT && b->reg.avail == AVAIL_PRESENT && x->space == y->space &&
           x->address == y->address && x->offset_bits == y->offset_bits;
}

static void states_are_distinct(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 1; i < set->cst.states_count && i < 32; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (is_same_register(&set->cst.states[i], &set->cst.states[j])) {
                judge_fail(judge, "a register of its own for each state",
                           "states %u and %u are both entered by %s 0x%llX", j + 1, i + 1,
                           gas_space_name(set->cst.states[i].reg.gas.space),
                           (unsigned long long)set->cst.states[i].reg.gas.address);
                return;
            }
        }
    }
}

#define NO_STATES                                                                                  \
    "Linux uses no C-state of the list and does not fall back to the FADT: the processor idles "   \
    "in "                                                                                          \
    "HLT and runs hot."
#define ONE_LOST "Linux skips the state: the processor idles less deeply than it could."

const struct rule cst_rules[] = {
    {
        .id = "CST-001",
        .title = "_CST returns a Package",
        .spec = SPEC,
        .why = NO_STATES,
        .advice = "Return Package () { count, Package () { ... }, ... }.",
        .known_as = "Linux: Invalid _CST output",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = is_package,
        .kind = OBJECT_CST,
        .is_shape = true,
    },
    {
        .id = "CST-002",
        .title = "The first element of _CST is the count, an Integer",
        .spec = SPEC,
        .why = NO_STATES,
        .advice = "Put the number of states first.",
        .known_as = "fwts: Method_CSTElement0NotInteger; Linux: Inconsistent _CST data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = has_count,
        .kind = OBJECT_CST,
        .is_shape = true,
    },
    {
        .id = "CST-003",
        .title = "The count of _CST is the number of states",
        .spec = SPEC,
        .why = "Systems that do not repair the object use none of its states; those that trust a "
               "count "
               "that is too large read beyond the end.",
        .advice = "Set the first element to the number of packages that follow.",
        .known_as = "fwts: Method_CSTElement0CountMismatch; Linux: Inconsistent _CST data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = count_is_right,
        .kind = OBJECT_CST,
        .is_shape = true,
    },
    {
        .id = "CST-004",
        .title = "_CST lists at least one state",
        .spec = SPEC,
        .why = NO_STATES,
        .advice = "List C1 at least, or leave _CST out.",
        .known_as = "Linux: Invalid _CST output",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = has_states,
        .kind = OBJECT_CST,
        .is_shape = true,
    },
    {
        .id = "CST-005",
        .title = "Each state of _CST is a Package of four elements",
        .spec = SPEC,
        .why = ONE_LOST,
        .advice = "Give register, type, latency and power for each state.",
        .known_as = "fwts: Method_CSTElementType; Linux: _CST skip",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = states_are_complete,
        .kind = OBJECT_CST,
        .is_shape = true,
    },
    {
        .id = "CST-006",
        .title = "The register of a _CST state is a Generic Register Descriptor",
        .spec = SPEC "; 6.4.3.7 Generic Register Descriptor",
        .why = "The state is skipped, or entered through an address that was read out of a "
               "descriptor of "
               "another kind: Linux does not look at its length.",
        .advice = "Use ResourceTemplate () { Register (...) }.",
        .known_as = "fwts: Method_CSTCStateResourceBufferWrongType; Linux: _CST skip",
        .severity = SEVERITY_CRITICAL,
        .check = judge_sets,
        .judge_set = registers_are_descriptors,
        .kind = OBJECT_CST,
        .is_shape = true,
    },
    {
        .id = "CST-007",
        .title = "Type, latency and power of a _CST state are Integers",
        .spec = SPEC,
        .why = ONE_LOST,
        .advice = "Use Integers.",
        .known_as = "fwts: Method_CSTElementType; Linux: _CST skip",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = fields_are_integers,
        .kind = OBJECT_CST,
        .is_shape = true,
    },
    {
        .id = "CST-008",
        .title = "_CST lists no more states than Linux keeps",
        .spec = "Linux 6.12 drivers/acpi/acpi_processor.c acpi_processor_evaluate_cst",
        .why = "The deepest states are dropped and never used.",
        .advice = "List at most seven states.",
        .known_as = "Linux: No room for more idle states",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = count_is_small,
        .kind = OBJECT_CST,
        .is_shape = true,
    },
    {
        .id = "CST-009",
        .title = "The type of a _CST state is 1, 2 or 3",
        .spec = SPEC,
        .why = ONE_LOST,
        .advice = "Use type 3 for every state deeper than C3.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = types_are_known,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-010",
        .title = "_CST lists C1",
        .spec = SPEC "; 8.1.2 Processor Power State C1",
        .why = "Short idle periods have no cheap state, and intel_idle cannot use the list at all.",
        .advice = "List C1 first, as fixed hardware.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = has_c1,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-011",
        .title = "_CST lists states in ascending order of type",
        .spec = SPEC,
        .why = "Systems that do not sort the list treat a shallow state as the deepest.",
        .advice = "Sort the states by depth.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = types_ascend,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-012",
        .title = "Deeper states of _CST do not have a shorter latency",
        .spec = SPEC,
        .why =
            "The governor prefers the wrong state; Linux swaps the latencies between the states.",
        .advice = "Correct the latencies: each covers at least the one of the state before.",
        .known_as = "Linux: FW issue: working around C-state latencies out of order",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = latencies_ascend,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-013",
        .title = "Deeper states of _CST do not take more power",
        .spec = SPEC,
        .why = "A system that weighs power never uses the deeper state.",
        .advice = "Correct the power figures.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = power_falls,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-014",
        .title = "Latencies of _CST are plausible microseconds",
        .spec = SPEC,
        .why = "The governor never chooses the state because waking seems to take too long.",
        .advice = "Give the worst-case exit latency in microseconds.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = latency_is_plausible,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-015",
        .title = "C2 and C3 of _CST have a latency",
        .spec = SPEC,
        .why = "The governor takes the state as free to leave and uses it for the shortest pauses.",
        .advice = "Give the worst-case exit latency in microseconds.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = latency_is_given,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-016",
        .title = "Power of _CST states is plausible",
        .spec = SPEC,
        .why = "A system that weighs power never uses the state.",
        .advice = "Give the power in milliwatts.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = power_is_plausible,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-017",
        .title = "Each state of _CST has a register value of its own",
        .spec = SPEC,
        .why = "Two states are in truth one; the deeper one is never entered.",
        .advice = "Correct the address of the second state.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = states_are_distinct,
        .kind = OBJECT_CST,
    },
    {.id = NULL},
};
