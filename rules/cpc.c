#include "rules/cpc.h"

#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.6.1 _CPC (Continuous Performance Control)"

/* A bit of each register index for which the specification allows only a register. */
#define BIT(index) (1U << (index))
#define REGISTER_ONLY                                                                              \
    (BIT(CPC_GUARANTEED_PERF) | BIT(CPC_DESIRED_PERF) | BIT(CPC_MIN_PERF) | BIT(CPC_MAX_PERF) |    \
     BIT(CPC_PERF_REDUCTION_TOLERANCE) | BIT(CPC_TIME_WINDOW) | BIT(CPC_REFERENCE_COUNTER) |       \
     BIT(CPC_DELIVERED_COUNTER) | BIT(CPC_PERF_LIMITED) | BIT(CPC_ENABLE) |                        \
     BIT(CPC_AUTONOMOUS_ACTIVITY_WINDOW) | BIT(CPC_ENERGY_PERF_PREFERENCE))
#define MANDATORY                                                                                  \
    (BIT(CPC_HIGHEST_PERF) | BIT(CPC_NOMINAL_PERF) | BIT(CPC_LOWEST_NONLINEAR_PERF) |              \
     BIT(CPC_LOWEST_PERF) | BIT(CPC_DESIRED_PERF) | BIT(CPC_REFERENCE_COUNTER) |                   \
     BIT(CPC_DELIVERED_COUNTER) | BIT(CPC_PERF_LIMITED))

uint32_t cpc_entries_of(uint64_t revision)
{
    static const uint32_t entries[] = {0, 17, 21, 23, 25};

    return revision < sizeof(entries) / sizeof(entries[0]) ? entries[revision] : 0;
}

bool cpc_get(const struct processor *processor, const struct object_set *set,
             enum cpc_register index, uint64_t *ret_value)
{
    const struct cpc_element *element = &set->cpc.registers[index];

    if (element->kind == CPC_ELEMENT_INTEGER) {
        *ret_value = element->integer;
        return true;
    }
    if (element->kind == CPC_ELEMENT_REGISTER && processor->cpc_avail[index] == AVAIL_PRESENT &&
        !element->reg.is_null) {
        *ret_value = processor->cpc_value[index];
        return true;
    }
    return false;
}

bool cpc_has_register(const struct cpc *cpc, enum cpc_register index)
{
    const struct cpc_element *element = &cpc->registers[index];

    return element->kind == CPC_ELEMENT_REGISTER && element->reg.avail == AVAIL_PRESENT &&
           !element->reg.is_null;
}

bool cpc_is_unsupported(const struct cpc *cpc, enum cpc_register index)
{
    const struct cpc_element *element = &cpc->registers[index];

    return element->kind == CPC_ELEMENT_MISSING || element->kind == CPC_ELEMENT_NULL ||
           (element->kind == CPC_ELEMENT_INTEGER && element->integer == 0) ||
           (element->kind == CPC_ELEMENT_REGISTER && element->reg.is_null);
}

/* AMD PPR, MSRC001_02B0 to _02B4: CPPC. */
bool cpc_is_amd(const struct platform *platform, const struct cpc *cpc)
{
    if (platform->identity.vendor != VENDOR_UNKNOWN) {
        return platform->identity.vendor == VENDOR_AMD || platform->identity.vendor == VENDOR_HYGON;
    }
    return cpc_has_register(cpc, CPC_DESIRED_PERF) &&
           cpc->registers[CPC_DESIRED_PERF].reg.gas.space == GAS_FFH &&
           cpc->registers[CPC_DESIRED_PERF].reg.gas.address == 0xC00102B3;
}

static void is_package(struct judge *judge, const struct object_set *set)
{
    if (!set->cpc.is_package) {
        judge_fail(judge, "a Package", "%s", aml_type_name(set->raw->type));
    }
}

static void has_entries(struct judge *judge, const struct object_set *set)
{
    const struct aml_value *first = aml_element(set->raw, 0);

    if (set->cpc.is_package && !set->cpc.has_entries) {
        judge_fail(judge, "NumEntries, an Integer", "%s",
                   first != NULL ? aml_type_name(first->type) : "an empty Package");
    }
}

static void has_revision(struct judge *judge, const struct object_set *set)
{
    const struct aml_value *second = aml_element(set->raw, 1);

    if (set->cpc.is_package && !set->cpc.has_revision) {
        judge_fail(judge, "Revision, an Integer", "%s",
                   second != NULL ? aml_type_name(second->type) : "no such element");
    }
}

static void revision_is_known(struct judge *judge, const struct object_set *set)
{
    if (!set->cpc.has_revision) {
        judge_skip(judge, "_CPC has no revision, see CPC-003");
    } else if (cpc_entries_of(set->cpc.revision) == 0) {
        judge_fail(judge, "revision 1, 2, 3 or 4", "revision %llu",
                   (unsigned long long)set->cpc.revision);
    }
}

static void entries_fit_revision(struct judge *judge, const struct object_set *set)
{
    uint32_t expected = set->cpc.has_revision ? cpc_entries_of(set->cpc.revision) : 0;
    struct judge_text text;

    if (expected == 0 || !set->cpc.has_entries) {
        judge_skip(judge, "revision or NumEntries is not known");
    } else if (set->cpc.entries != expected) {
        judge_fail(judge,
                   judge_text(&text, "%u entries in revision %llu", expected,
                              (unsigned long long)set->cpc.revision),
                   "NumEntries %llu", (unsigned long long)set->cpc.entries);
    }
}

static void length_fits_entries(struct judge *judge, const struct object_set *set)
{
    struct judge_text text;

    if (!set->cpc.has_entries) {
        judge_skip(judge, "_CPC has no NumEntries, see CPC-002");
    } else if (set->cpc.elements != set->cpc.entries) {
        judge_fail(judge,
                   judge_text(&text, "%llu elements, as NumEntries says",
                              (unsigned long long)set->cpc.entries),
                   "%u elements", set->cpc.elements);
    }
}

/* Linux 6.12 drivers/acpi/cppc_acpi.c acpi_cppc_processor_probe: revisions below 2 are refused. */
static void revision_is_used(struct judge *judge, const struct object_set *set)
{
    if (set->cpc.has_revision && set->cpc.revision == 1) {
        judge_warn(judge, "revision 2 or later", "revision 1: Linux ignores the object silently");
    }
}

static void elements_have_types(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *element = &set->cpc.registers[i];
        const struct aml_value *raw = aml_element(set->raw, i + 2);

        if (element->kind == CPC_ELEMENT_OTHER && raw != NULL &&
            !(i == CPC_RESOURCE_PRIORITY && raw->type == AML_PACKAGE)) {
            judge_fail(judge, "an Integer or a register", "%s (element %u) is of type %s",
                       cpc_register_name((enum cpc_register)i), i + 2, aml_type_name(raw->type));
            return;
        }
    }
}

static void registers_are_registers(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *element = &set->cpc.registers[i];

        if ((REGISTER_ONLY >> i & 1) != 0 && element->kind == CPC_ELEMENT_INTEGER &&
            (element->integer != 0 || (MANDATORY >> i & 1) != 0)) {
            judge_fail(judge, "a register", "%s (element %u) is the Integer %llu",
                       cpc_register_name((enum cpc_register)i), i + 2,
                       (unsigned long long)element->integer);
            return;
        }
    }
}

static void has_no_null_elements(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        if (set->cpc.registers[i].kind == CPC_ELEMENT_NULL) {
            judge_fail(judge, "a null register for what is not supported",
                       "%s (element %u) is not initialised",
                       cpc_register_name((enum cpc_register)i), i + 2);
            return;
        }
    }
}

/* ACPI 6.5, 8.4.6.1.2.3: the desired register may be absent where selection is autonomous. */
static bool is_purely_autonomous(const struct cpc *cpc)
{
    const struct cpc_element *element = &cpc->registers[CPC_AUTONOMOUS_SELECTION_ENABLE];

    return element->kind == CPC_ELEMENT_INTEGER && element->integer == 1;
}

static void has_what_is_mandatory(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *element = &set->cpc.registers[i];
        bool is_null = element->kind == CPC_ELEMENT_REGISTER && element->reg.is_null;

        if ((MANDATORY >> i & 1) == 0 || !is_null ||
            (i == CPC_DESIRED_PERF && is_purely_autonomous(&set->cpc))) {
            continue;
        }
        judge_fail(judge, "a value or a register that is not null", "%s (element %u) is absent",
                   cpc_register_name((enum cpc_register)i), i + 2);
        return;
    }
}

static void descriptors_are_whole(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct cpc_element *element = &set->cpc.registers[i];
        const struct aml_value *raw = aml_element(set->raw, i + 2);

        if (raw != NULL && raw->type == AML_BUFFER && element->reg.avail != AVAIL_PRESENT) {
            judge_fail(judge, "a Generic Register Descriptor (82h, length 12)",
                       "%s (element %u): Buffer of %u bytes that starts with 0x%02X",
                       cpc_register_name((enum cpc_register)i), i + 2, raw->length,
                       raw->length > 0 ? raw->bytes[0] : 0U);
            return;
        }
    }
}

#define LOST                                                                                       \
    "Linux ignores the whole object silently: no CPPC driver, no boost entry in the frequency "    \
    "table."

const struct rule cpc_rules[] = {
    {
        .id = "CPC-001",
        .title = "_CPC returns a Package",
        .spec = SPEC,
        .why = LOST,
        .advice = "Return a Package.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = is_package,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {
        .id = "CPC-002",
        .title = "_CPC starts with NumEntries, an Integer",
        .spec = SPEC,
        .why = LOST,
        .advice = "Put the number of elements first.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = has_entries,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {
        .id = "CPC-003",
        .title = "The second element of _CPC is the revision, an Integer",
        .spec = SPEC,
        .why = LOST,
        .advice = "Put the revision second.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = has_revision,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {
        .id = "CPC-004",
        .title = "The revision of _CPC is one that is defined",
        .spec = SPEC,
        .why = "Each system guesses differently what an unknown revision holds, or ignores it.",
        .advice = "Use revision 3 with 23 entries.",
        .known_as = "fwts: Method_CPCBadRevision; Linux: Unsupported _CPC Revision",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = revision_is_known,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-005",
        .title = "NumEntries of _CPC is that of its revision",
        .spec = SPEC,
        .why = LOST,
        .advice = "17 entries in revision 1, 21 in revision 2, 23 in revision 3, 25 in revision 4.",
        .known_as = "fwts: Method_CPCElementCount; Linux: Unexpected _CPC num_ent",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = entries_fit_revision,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-006",
        .title = "_CPC has as many elements as NumEntries says",
        .spec = SPEC,
        .why = "Linux reads beyond the end of a package that is shorter than it claims.",
        .advice = "Make NumEntries the length of the package.",
        .known_as = "fwts: Method_CPCElementCount",
        .severity = SEVERITY_CRITICAL,
        .check = judge_sets,
        .judge_set = length_fits_entries,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {
        .id = "CPC-007",
        .title = "The revision of _CPC is one that Linux uses",
        .spec = "Linux 6.12 drivers/acpi/cppc_acpi.c acpi_cppc_processor_probe",
        .why = "Without CPPC the processor is driven by the coarser _PSS.",
        .advice = "Publish revision 3.",
        .known_as = "Linux: Unsupported _CPC Revision",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = revision_is_used,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-008",
        .title = "Each element of _CPC is an Integer or a register",
        .spec = SPEC,
        .why = LOST,
        .advice = "Use Integers and ResourceTemplate () { Register (...) } only.",
        .known_as = "fwts: Method_CPCElementType",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = elements_have_types,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {
        .id = "CPC-009",
        .title = "Controls and counters of _CPC are registers, not Integers",
        .spec = SPEC,
        .why = "A constant cannot be written or count: requests are lost, feedback is wrong.",
        .advice = "Describe the register, or use the null register where the feature is missing.",
        .known_as = "fwts: Method_CPCElementType",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = registers_are_registers,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {
        .id = "CPC-010",
        .title = "No element of _CPC is uninitialised",
        .spec = SPEC,
        .why = "The interpreter removes such elements and everything after them is taken for the "
               "register before: requests go to wrong registers.",
        .advice = "Use Register (SystemMemory, 0, 0, 0) for what is not supported.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_sets,
        .judge_set = has_no_null_elements,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {
        .id = "CPC-011",
        .title = "_CPC has the levels, controls and counters that are mandatory",
        .spec = SPEC,
        .why = "The operating system has no way to ask for performance or to see what it gets.",
        .advice = "Give the register or the value; only a purely autonomous platform may leave the "
                  "desired register out, with autonomous selection as the Integer 1.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = has_what_is_mandatory,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {
        .id = "CPC-012",
        .title = "Buffers in _CPC are Generic Register Descriptors",
        .spec = SPEC "; 6.4.3.7 Generic Register Descriptor",
        .why = "Linux does not look at the length and takes whatever follows as an address.",
        .advice = "Use ResourceTemplate () { Register (...) }.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = descriptors_are_whole,
        .kind = OBJECT_CPC,
        .is_shape = true,
    },
    {.id = NULL},
};
