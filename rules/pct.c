#include "rules/alike.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.5.1 _PCT (Performance Control)"

#define MSR_AMD_PSTATE_CONTROL 0xC0010062U
#define MSR_AMD_PSTATE_STATUS 0xC0010063U
#define MSR_IA32_PERF_STATUS 0x198U
#define MSR_IA32_PERF_CTL 0x199U

static void is_package(struct judge *judge, const struct object_set *set)
{
    if (!set->pct.is_package) {
        judge_fail(judge, "a Package of two registers", "%s", aml_type_name(set->raw->type));
    }
}

static void has_two_elements(struct judge *judge, const struct object_set *set)
{
    if (!set->pct.is_package) {
        judge_skip(judge, "_PCT is no Package, see PCT-001");
    } else if (set->pct.elements != 2) {
        judge_fail(judge, "2 elements: control and status", "%u elements", set->pct.elements);
    }
}

static void check_descriptor(struct judge *judge, const struct object_set *set,
                             const struct object_register *reg, uint32_t index, const char *name)
{
    const struct aml_value *raw = aml_element(set->raw, index);

    if (reg->avail == AVAIL_PRESENT || raw == NULL) {
        return;
    }
    if (raw->type != AML_BUFFER) {
        judge_fail(judge, "a Buffer with a Generic Register Descriptor", "%s register: %s", name,
                   aml_type_name(raw->type));
    } else {
        judge_fail(judge, "a Generic Register Descriptor (82h, length 12)",
                   "%s register: Buffer of %u bytes that starts with 0x%02X", name, raw->length,
                   raw->length > 0 ? raw->bytes[0] : 0U);
    }
}

static void elements_are_registers(struct judge *judge, const struct object_set *set)
{
    uint32_t found = judge->found;

    check_descriptor(judge, set, &set->pct.control, 0, "control");
    if (judge->found == found) {
        check_descriptor(judge, set, &set->pct.status, 1, "status");
    }
}

static bool has_both(const struct pct *pct)
{
    return pct->control.avail == AVAIL_PRESENT && pct->status.avail == AVAIL_PRESENT;
}

static void check_space(struct judge *judge, const struct object_register *reg, const char *name)
{
    if (reg->avail == AVAIL_PRESENT && reg->gas.space != GAS_FFH &&
        reg->gas.space != GAS_SYSTEM_IO) {
        judge_fail(judge, "FFixedHW or SystemIO", "%s register in %s (space %u)%s", name,
                   gas_space_name(reg->gas.space), reg->gas.space,
                   reg->is_null ? ": a null register" : "");
    }
}

static void space_is_usable(struct judge *judge, const struct object_set *set)
{
    uint32_t found = judge->found;

    check_space(judge, &set->pct.control, "control");
    if (judge->found == found) {
        check_space(judge, &set->pct.status, "status");
    }
}

static void spaces_agree(struct judge *judge, const struct object_set *set)
{
    const struct pct *pct = &set->pct;

    if (!has_both(pct)) {
        judge_skip(judge, "a register is missing, see PCT-003");
    } else if (pct->control.gas.space != pct->status.gas.space) {
        judge_fail(judge, "control and status in the same address space",
                   "control in %s, status in %s", gas_space_name(pct->control.gas.space),
                   gas_space_name(pct->status.gas.space));
    }
}

static void check_port(struct judge *judge, const struct object_register *reg, const char *name)
{
    const struct gas *gas = &reg->gas;
    struct judge_text text;

    if (reg->avail != AVAIL_PRESENT || gas->space != GAS_SYSTEM_IO) {
        return;
    }
    if (gas->address == 0 || gas->address + gas->width_bits / 8 > 0x10000) {
        judge_fail(judge, "an I/O port below 0x10000 that is not 0", "%s register: %s", name,
                   judge_register(&text, gas));
    } else if (gas->width_bits != 8 && gas->width_bits != 16 && gas->width_bits != 32) {
        judge_fail(judge, "a port of 8, 16 or 32 bits", "%s register: %s", name,
                   judge_register(&text, gas));
    }
}

static void ports_are_valid(struct judge *judge, const struct object_set *set)
{
    uint32_t found = judge->found;

    if (set->pct.control.gas.space != GAS_SYSTEM_IO && set->pct.status.gas.space != GAS_SYSTEM_IO) {
        judge_skip(judge, "no I/O port in _PCT");
        return;
    }
    check_port(judge, &set->pct.control, "control");
    if (judge->found == found) {
        check_port(judge, &set->pct.status, "status");
    }
}

/* The MSRs that each vendor's manual names for _PCT; 0 means that the processor knows them anyway. */
static bool is_known_pair(uint64_t control, uint64_t status)
{
    if (control == MSR_AMD_PSTATE_CONTROL) {
        return status == MSR_AMD_PSTATE_STATUS || status == 0;
    }
    if (control == MSR_IA32_PERF_CTL) {
        return status == MSR_IA32_PERF_STATUS || status == 0;
    }
    return control == 0 && status == 0;
}

static bool fits_vendor(enum cpu_vendor vendor, uint64_t control)
{
    if (control == 0 || vendor == VENDOR_UNKNOWN) {
        return true;
    }
    bool is_amd = vendor == VENDOR_AMD || vendor == VENDOR_HYGON;
    return control == (is_amd ? MSR_AMD_PSTATE_CONTROL : MSR_IA32_PERF_CTL);
}

static void fixed_hardware_is_known(struct judge *judge, const struct object_set *set)
{
    const struct gas *control = &set->pct.control.gas;
    const struct gas *status = &set->pct.status.gas;

    if (!has_both(&set->pct) || control->space != GAS_FFH || status->space != GAS_FFH) {
        judge_skip(judge, "no fixed hardware in _PCT");
        return;
    }
    if (control->address != 0 && control->address == status->address) {
        judge_fail(judge, "two different registers", "control and status are both 0x%llX",
                   (unsigned long long)control->address);
    } else if (!is_known_pair(control->address, status->address)) {
        judge_warn(judge, "0 and 0, 0xC0010062 and 0xC0010063 (AMD), 0x199 and 0x198 (Intel)",
                   "control 0x%llX, status 0x%llX", (unsigned long long)control->address,
                   (unsigned long long)status->address);
    } else if (!fits_vendor(judge->platform->identity.vendor, control->address)) {
        judge_warn(judge, "the registers of this processor's vendor", "control 0x%llX on %s",
                   (unsigned long long)control->address, judge->platform->identity.vendor_text);
    }
}

static void check_layout(struct judge *judge, const struct object_register *reg, const char *name)
{
    const struct gas *gas = &reg->gas;
    struct judge_text text;

    if (reg->avail != AVAIL_PRESENT || (gas->space != GAS_FFH && gas->space != GAS_SYSTEM_IO) ||
        (gas->space == GAS_SYSTEM_IO && gas->offset_bits == 0)) {
        return;
    }
    bool is_width_known = gas->space != GAS_FFH || gas->width_bits == 0 || gas->width_bits == 16 ||
                          gas->width_bits == 32 || gas->width_bits == 64;
    if (!is_width_known || gas->offset_bits != 0) {
        judge_warn(judge, "a whole register at offset 0: a port of 8, 16 or 32 bits, an MSR of 64",
                   "%s: %s", name, judge_register(&text, gas));
    }
}

static void layout_is_whole(struct judge *judge, const struct object_set *set)
{
    uint32_t found = judge->found;

    check_layout(judge, &set->pct.control, "control register");
    if (judge->found == found) {
        check_layout(judge, &set->pct.status, "status register");
    }
}

static void check_access(struct judge *judge, const struct object_register *reg, const char *name)
{
    const struct gas *gas = &reg->gas;
    struct judge_text text;

    if (reg->avail != AVAIL_PRESENT) {
        return;
    }
    unsigned access_bits = gas->access >= 1 && gas->access <= 4 ? 4U << gas->access : 0;
    bool is_narrow =
        gas->space == GAS_SYSTEM_IO && access_bits != 0 && access_bits != gas->width_bits;
    if (gas->access > 4 || is_narrow) {
        judge_warn(judge, "access size 0, or the size of the register", "%s: %s", name,
                   judge_register(&text, gas));
    }
}

static void access_fits(struct judge *judge, const struct object_set *set)
{
    uint32_t found = judge->found;

    check_access(judge, &set->pct.control, "control register");
    if (judge->found == found) {
        check_access(judge, &set->pct.status, "status register");
    }
}

static const char *pct_words(const struct processor *processor, const struct object_set *set,
                             struct judge_text *text)
{
    (void)processor;
    return judge_register(text, &set->pct.control.gas);
}

static void pct_is_alike(struct judge *judge)
{
    alike_values(judge, alike_whole, pct_words);
}

const struct rule pct_rules[] = {
    {
        .id = "PCT-001",
        .title = "_PCT returns a Package",
        .spec = SPEC,
        .why = "Linux rejects the object and does not scale the frequency.",
        .advice = "Return a Package of two Generic Register Descriptors.",
        .known_as = "Linux: Invalid _PCT data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = is_package,
        .kind = OBJECT_PCT,
        .is_shape = true,
    },
    {
        .id = "PCT-002",
        .title = "_PCT has two elements",
        .spec = SPEC,
        .why = "Linux rejects the object and does not scale the frequency.",
        .advice = "Give the control register and the status register, in this order, nothing else.",
        .known_as = "Linux: Invalid _PCT data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = has_two_elements,
        .kind = OBJECT_PCT,
        .is_shape = true,
    },
    {
        .id = "PCT-003",
        .title = "Both elements of _PCT are Generic Register Descriptors",
        .spec = SPEC "; 6.4.3.7 Generic Register Descriptor",
        .why = "The operating system finds no register to ask for a frequency, or reads a wrong "
               "address "
               "out of a descriptor of another kind.",
        .advice = "Use ResourceTemplate () { Register (...) } for both elements.",
        .known_as = "fwts: Method_PCTBadElement; Linux: Invalid _PCT data",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = elements_are_registers,
        .kind = OBJECT_PCT,
        .is_shape = true,
    },
    {
        .id = "PCT-004",
        .title = "_PCT names fixed hardware or I/O ports",
        .spec = SPEC,
        .why = "Linux cannot drive P-states through any other address space and gives up silently.",
        .advice = "Use FFixedHW on processors with P-state MSRs, SystemIO elsewhere.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = space_is_usable,
        .kind = OBJECT_PCT,
    },
    {
        .id = "PCT-005",
        .title = "Control and status of _PCT are in the same address space",
        .spec = SPEC,
        .why = "Linux refuses the pair silently and does not scale the frequency.",
        .advice = "Describe both registers in FFixedHW or both in SystemIO.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = spaces_agree,
        .kind = OBJECT_PCT,
    },
    {
        .id = "PCT-006",
        .title = "I/O ports of _PCT exist and are 8, 16 or 32 bits wide",
        .spec = SPEC,
        .why = "The request for a P-state goes to a wrong port or is not sent at all.",
        .advice = "Correct address and width of the port.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = ports_are_valid,
        .kind = OBJECT_PCT,
    },
    {
        .id = "PCT-007",
        .title = "Fixed hardware in _PCT is the vendor's pair of registers",
        .spec =
            SPEC "; AMD APM vol. 2, 17.1 P-State Control; Intel SDM vol. 3, 15.1 Enhanced Intel "
                 "SpeedStep Technology",
        .why = "Linux ignores the address, other systems write to the register that it names.",
        .advice =
            "Control 0xC0010062 and status 0xC0010063 on AMD, 0x199 and 0x198 on Intel, or both "
            "0.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = fixed_hardware_is_known,
        .kind = OBJECT_PCT,
    },
    {
        .id = "PCT-008",
        .title = "Registers of _PCT are whole registers",
        .spec = SPEC "; 6.4.3.7 Generic Register Descriptor",
        .why =
            "An operating system that honours width and offset writes to other bits than one that "
            "does not.",
        .advice = "Give the full width of the register and bit offset 0.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = layout_is_whole,
        .kind = OBJECT_PCT,
    },
    {
        .id = "PCT-009",
        .title = "The access size of _PCT registers fits them",
        .spec = SPEC "; 6.4.3.7 Generic Register Descriptor",
        .why = "The port may be accessed in pieces, which asks for another P-state.",
        .advice = "Give access size 0 or that of the register (1 byte, 2 word, 3 dword).",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = access_fits,
        .kind = OBJECT_PCT,
    },
    {
        .id = "PCT-010",
        .title = "Every enabled processor has a _PCT when one has",
        .spec = SPEC,
        .why = "The processors without it are not scaled.",
        .advice = "Declare _PCT under every processor that is enabled.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = alike_presence,
        .kind = OBJECT_PCT,
        .object = "_PCT",
    },
    {
        .id = "PCT-011",
        .title = "All processors name the same registers in _PCT",
        .spec = SPEC,
        .why = "Some processors do not follow requests, or follow those meant for others.",
        .advice = "Return the same _PCT for all processors of one kind.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = pct_is_alike,
        .kind = OBJECT_PCT,
        .object = "_PCT",
    },
    {.id = NULL},
};
