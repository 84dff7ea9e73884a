#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

#define SPEC "ACPI 6.5, 8.4.1.1 _CST (C States)"
#define SPEC_FFH                                                                                   \
    "Intel Processor Vendor-Specific ACPI Interface Specification (302223), 3.1 _CST; Linux 6.12 " \
    "arch/x86/kernel/acpi/cstate.c"

/* Bit offset of an FFH register: how the state is entered. */
#define FFH_CLASS_HALT 0
#define FFH_CLASS_IO_HALT 1
#define FFH_CLASS_NATIVE 2

/* SDM vol. 2A, CPUID 05H: EDX has four bits for each MWAIT C-state from C0. */
#define CPUID_MWAIT_LEAF 5

/* Calls `check` for each state with a register, until something is found. */
static void each_state(struct judge *judge, const struct object_set *set,
                       void (*check)(struct judge *judge, const struct cst_state *state,
                                     uint32_t number))
{
    uint32_t found = judge->found;

    for (uint32_t i = 0; i < set->cst.states_count && judge->found == found; i++) {
        if (set->cst.states[i].reg.avail == AVAIL_PRESENT) {
            check(judge, &set->cst.states[i], i + 1);
        }
    }
}

static bool is_deeper_than_c1(const struct cst_state *state)
{
    return (state->valid >> CST_TYPE & 1) != 0 && state->field[CST_TYPE] > 1;
}

static void check_space(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    const struct gas *gas = &state->reg.gas;

    if (gas->space != GAS_FFH && gas->space != GAS_SYSTEM_IO) {
        judge_fail(judge, "FFixedHW or SystemIO", "state %u: %s (space %u)", number,
                   gas_space_name(gas->space), gas->space);
    }
}

static void spaces_are_known(struct judge *judge, const struct object_set *set)
{
    each_state(judge, set, check_space);
}

static void check_port(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    const struct gas *gas = &state->reg.gas;

    if (gas->space == GAS_SYSTEM_IO && (gas->address == 0 || gas->address > 0xFFFF)) {
        judge_fail(judge, "an I/O port from 1 to 0xFFFF", "state %u: port 0x%llX", number,
                   (unsigned long long)gas->address);
    }
}

static void ports_exist(struct judge *judge, const struct object_set *set)
{
    each_state(judge, set, check_port);
}

static void check_port_width(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    const struct gas *gas = &state->reg.gas;
    struct judge_text text;

    if (gas->space == GAS_SYSTEM_IO &&
        (gas->width_bits != 8 || gas->offset_bits != 0 || gas->access > 1)) {
        judge_warn(judge, "8 bits at offset 0, access size 0 or 1", "state %u: %s", number,
                   judge_register(&text, gas));
    }
}

static void ports_are_bytes(struct judge *judge, const struct object_set *set)
{
    each_state(judge, set, check_port_width);
}

static void check_c1(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    const struct gas *gas = &state->reg.gas;
    struct judge_text text;

    if ((state->valid >> CST_TYPE & 1) != 0 && state->field[CST_TYPE] == 1 &&
        gas->space == GAS_SYSTEM_IO) {
        judge_warn(judge, "C1 as fixed hardware", "state %u: %s", number,
                   judge_register(&text, gas));
    }
}

static void c1_is_fixed_hardware(struct judge *judge, const struct object_set *set)
{
    each_state(judge, set, check_c1);
}

static void check_class(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    const struct gas *gas = &state->reg.gas;

    if (gas->space != GAS_FFH) {
        return;
    }
    if (gas->offset_bits > FFH_CLASS_NATIVE) {
        judge_fail(judge, "class 0 (HLT), 1 (I/O then HLT) or 2 (MWAIT) in the bit offset",
                   "state %u: class %u", number, gas->offset_bits);
    } else if (gas->offset_bits == FFH_CLASS_IO_HALT &&
               (gas->address == 0 || gas->address > 0xFFFF)) {
        judge_fail(judge, "an I/O port as address of class 1 (I/O then HLT)",
                   "state %u: address 0x%llX", number, (unsigned long long)gas->address);
    } else if (is_deeper_than_c1(state) && gas->offset_bits != FFH_CLASS_NATIVE) {
        judge_fail(judge, "class 2 (MWAIT) for a fixed-hardware state below C1",
                   "state %u (C%llu): class %u", number, (unsigned long long)state->field[CST_TYPE],
                   gas->offset_bits);
    }
}

static void class_fits_type(struct judge *judge, const struct object_set *set)
{
    each_state(judge, set, check_class);
}

static void check_vendor_code(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    const struct gas *gas = &state->reg.gas;

    if (gas->space == GAS_FFH && gas->width_bits > 2) {
        judge_warn(judge, "vendor code 0, 1 (Intel) or 2 (AMD) in the bit width", "state %u: %u",
                   number, gas->width_bits);
    }
}

static void vendor_code_is_known(struct judge *judge, const struct object_set *set)
{
    each_state(judge, set, check_vendor_code);
}

static bool is_mwait(const struct cst_state *state)
{
    return state->reg.gas.space == GAS_FFH && state->reg.gas.offset_bits == FFH_CLASS_NATIVE;
}

static void check_hint(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    if (is_mwait(state) && is_deeper_than_c1(state) && state->reg.gas.address == 0) {
        judge_fail(judge, "an MWAIT hint above 0 below C1", "state %u (C%llu): hint 0", number,
                   (unsigned long long)state->field[CST_TYPE]);
    } else if (is_mwait(state) && state->reg.gas.address > 0xFF) {
        judge_warn(judge, "an MWAIT hint of 8 bits", "state %u: 0x%llX", number,
                   (unsigned long long)state->reg.gas.address);
    }
}

static void hints_are_valid(struct judge *judge, const struct object_set *set)
{
    each_state(judge, set, check_hint);
}

/* Intel specification update for Celeron 400, erratum AM93: EDX claims C2 sub-states that these parts do
 * not have. */
static bool has_am93(const char *brand)
{
    return strstr(brand, "Celeron") != NULL &&
           (strstr(brand, " 420 ") != NULL || strstr(brand, " 430 ") != NULL ||
            strstr(brand, " 440 ") != NULL);
}

/* SDM vol. 2B, MWAIT: EAX[7:4] + 1 is the MWAIT C-state, 0FH means C0; CPUID 05H EDX counts its
 * sub-states, four bits a state. */
static unsigned substates(uint64_t hint, uint32_t edx, const char *brand)
{
    unsigned state = (unsigned)((hint >> 4) + 1) & 0xF;

    if (state > 7 || (state == 2 && has_am93(brand))) {
        return 0;
    }
    return edx >> (4 * state) & 0xF;
}

/* C1 becomes HLT, which costs little; a deeper state is lost. */
static void report_hint(struct judge *judge, const struct cst_state *state, uint32_t number,
                        uint32_t edx)
{
    const char *expected = "a hint whose C-state CPUID 05H EDX enumerates";

    if (is_deeper_than_c1(state)) {
        judge_fail(judge, expected, "state %u: hint 0x%llX not supported (EDX 0x%08X)", number,
                   (unsigned long long)state->reg.gas.address, edx);
    } else {
        judge_warn(judge, expected, "state %u: hint 0x%llX not supported (EDX 0x%08X): HLT is used",
                   number, (unsigned long long)state->reg.gas.address, edx);
    }
}

static void hints_are_enumerated(struct judge *judge, const struct object_set *set)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, judge->processor->cpu);
    const struct cpuid_leaf *leaf = cpuid != NULL ? cpuid_find(cpuid, CPUID_MWAIT_LEAF, 0) : NULL;

    if (leaf == NULL || judge->platform->is_emulated) {
        judge_skip(judge, leaf == NULL ? "no CPUID leaf 5" : "a hypervisor hides MWAIT");
        return;
    }
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct cst_state *state = &set->cst.states[i];

        if (state->reg.avail != AVAIL_PRESENT || !is_mwait(state) ||
            substates(state->reg.gas.address, leaf->edx, judge->platform->identity.brand) != 0) {
            continue;
        }
        report_hint(judge, state, i + 1, leaf->edx);
        return;
    }
}

static void mwait_is_there(struct judge *judge, const struct object_set *set)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, judge->processor->cpu);
    const struct cpuid_leaf *leaf = cpuid != NULL ? cpuid_find(cpuid, CPUID_MWAIT_LEAF, 0) : NULL;
    bool uses_mwait = false;

    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        uses_mwait = uses_mwait || (set->cst.states[i].reg.avail == AVAIL_PRESENT &&
                                    is_mwait(&set->cst.states[i]));
    }
    if (cpuid == NULL || judge->platform->is_emulated || !uses_mwait) {
        judge_skip(judge, !uses_mwait ? "no MWAIT state in _CST"
                                      : "CPUID is not known or is a hypervisor's");
        return;
    }
    if (!cpuid_has(cpuid, CPU_FEATURE_MONITOR)) {
        judge_fail(judge, "CPUID 01H ECX[3] (MONITOR) for an MWAIT state", "the bit is 0");
    } else if (leaf == NULL || (leaf->ecx & 3) != 3) {
        judge_fail(judge, "CPUID 05H ECX[1:0] = 3 for an MWAIT state", "ECX 0x%X",
                   leaf != NULL ? leaf->ecx : 0U);
    }
}

static void hints_deepen(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 1; i < set->cst.states_count; i++) {
        const struct cst_state *above = &set->cst.states[i - 1];
        const struct cst_state *state = &set->cst.states[i];

        if (above->reg.avail != AVAIL_PRESENT || state->reg.avail != AVAIL_PRESENT ||
            !is_mwait(above) || !is_mwait(state) ||
            state->field[CST_TYPE] <= above->field[CST_TYPE]) {
            continue;
        }
        if (state->reg.gas.address >> 4 < above->reg.gas.address >> 4) {
            judge_warn(judge, "deeper MWAIT hints for deeper states",
                       "state %u: hint 0x%llX after 0x%llX", i + 1,
                       (unsigned long long)state->reg.gas.address,
                       (unsigned long long)above->reg.gas.address);
            return;
        }
    }
}

static bool is_port(const struct cst_state *state)
{
    return state->reg.avail == AVAIL_PRESENT && state->reg.gas.space == GAS_SYSTEM_IO &&
           state->reg.gas.address != 0;
}

/* P_LVL3 lies behind P_LVL2, and the redirected blocks of Intel and AMD count on from there. */
static void ports_rise(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 1; i < set->cst.states_count; i++) {
        const struct cst_state *above = &set->cst.states[i - 1];
        const struct cst_state *state = &set->cst.states[i];

        if (is_port(above) && is_port(state) && state->field[CST_TYPE] > above->field[CST_TYPE] &&
            state->reg.gas.address < above->reg.gas.address) {
            judge_warn(judge, "a higher port for a deeper state",
                       "state %u: port 0x%llX after 0x%llX", i + 1,
                       (unsigned long long)state->reg.gas.address,
                       (unsigned long long)above->reg.gas.address);
            return;
        }
    }
}

/* Linux 6.12 arch/x86/kernel/setup.c standard_io_resources, arch/x86/pci/direct.c, and the command port
 * of SMI (ICH9 data sheet, 13.9 APM_CNT). */
static const struct {
    uint16_t first;
    uint16_t last;
    const char *name;
} devices[] = {
    {0x00, 0x1F, "DMA controller"},
    {0x20, 0x21, "interrupt controller"},
    {0x40, 0x43, "timer"},
    {0x60, 0x61, "keyboard controller"},
    {0x64, 0x64, "keyboard controller"},
    {0x70, 0x77, "clock and CMOS"},
    {0xA0, 0xA1, "interrupt controller"},
    {0xB2, 0xB3, "SMI command"},
    {0xC0, 0xDF, "DMA controller"},
    {0xCF8, 0xCFF, "PCI configuration"},
};

static void check_device(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    if (!is_port(state)) {
        return;
    }
    for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
        if (state->reg.gas.address >= devices[i].first &&
            state->reg.gas.address <= devices[i].last) {
            judge_fail(judge, "a port that enters a C-state", "state %u: port 0x%llX is the %s",
                       number, (unsigned long long)state->reg.gas.address, devices[i].name);
        }
    }
}

/* Firmware adds the offset to a base in memory that a dump does not hold: port 0x14 there is none of
 * the machine's. */
static void ports_are_of_no_device(struct judge *judge, const struct object_set *set)
{
    if (!judge_is_certain(judge->platform, &judge->processor->objects[OBJECT_CST])) {
        judge_skip(judge, "the ports come from memory that is not in the dump");
        return;
    }
    each_state(judge, set, check_device);
}

static void check_c1_hint(struct judge *judge, const struct cst_state *state, uint32_t number)
{
    uint64_t hint = state->reg.gas.address;

    if (is_mwait(state) && (state->valid >> CST_TYPE & 1) != 0 && state->field[CST_TYPE] == 1 &&
        hint <= 0xFF && hint >> 4 != 0 && hint >> 4 != 0xF) {
        judge_warn(judge, "an MWAIT hint of C1 (0x00 to 0x0F)", "state %u (C1): hint 0x%llX",
                   number, (unsigned long long)hint);
    }
}

static void c1_hint_is_c1(struct judge *judge, const struct object_set *set)
{
    each_state(judge, set, check_c1_hint);
}

const struct rule cst_register_rules[] = {
    {
        .id = "CST-020",
        .title = "States of _CST are entered by fixed hardware or an I/O port",
        .spec = SPEC,
        .why = "Linux skips the state: the processor idles less deeply than it could.",
        .advice = "Use FFixedHW or SystemIO.",
        .known_as = "Linux: _CST skip",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = spaces_are_known,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-021",
        .title = "I/O ports of _CST exist",
        .spec = SPEC,
        .why =
            "Linux drops a state at port 0 and reads another port when the address is too large.",
        .advice = "Give the port of the P_LVL2 or P_LVL3 register.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = ports_exist,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-022",
        .title = "I/O ports of _CST are one byte",
        .spec = SPEC "; 4.8.3.5.2 Processor LVL2 Register",
        .why = "A wider read touches the neighbouring registers, which may enter another state.",
        .advice = "Describe 8 bits at offset 0 with byte access.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = ports_are_bytes,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-023",
        .title = "C1 of _CST is fixed hardware",
        .spec = SPEC,
        .why = "The shallowest state costs a port read; Linux enters C1 by HLT anyway.",
        .advice = "Describe C1 as FFixedHW.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = c1_is_fixed_hardware,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-024",
        .title = "The class of a fixed-hardware state in _CST fits its type",
        .spec = SPEC_FFH,
        .why = "Linux skips the state: the processor idles less deeply than it could.",
        .advice = "Use class 2 (native, MWAIT) with the hint as address.",
        .known_as = "Linux: _CST C2 declares FIXED_HARDWARE C-state but not supported in hardware, "
                    "skip",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = class_fits_type,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-025",
        .title = "The vendor code of a fixed-hardware state in _CST is known",
        .spec = SPEC_FFH,
        .why = "Systems that look at the code ignore the state.",
        .advice = "Use 1 on Intel and 2 on AMD.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = vendor_code_is_known,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-026",
        .title = "MWAIT hints of _CST name a state below C1",
        .spec = SPEC_FFH,
        .why = "Linux drops a C2 or C3 with hint 0.",
        .advice = "Give the hint of the state: C-state minus 1 in bits 7:4.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = hints_are_valid,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-027",
        .title = "MWAIT hints of _CST are enumerated by CPUID leaf 5",
        .spec = "Intel SDM vol. 2A, CPUID 05H; vol. 2B, MWAIT",
        .why =
            "The state is not used; the processor stays in a shallower one and takes more power.",
        .advice = "List only hints whose CPUID 05H EDX field is not 0.",
        .known_as = "Linux: ACPI MWAIT C-state not supported by HW",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = hints_are_enumerated,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-028",
        .title = "A processor with MWAIT states in _CST can execute MWAIT",
        .spec = "Intel SDM vol. 2A, CPUID 01H ECX[3] and 05H ECX[1:0]",
        .why = "Linux falls back to HLT for C1 and skips the deeper states.",
        .advice = "Enable MONITOR/MWAIT in the setup, or list I/O states.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = mwait_is_there,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-029",
        .title = "Deeper states of _CST have deeper MWAIT hints",
        .spec = SPEC_FFH,
        .why = "What is listed as the deeper state saves less than the one before.",
        .advice = "Correct the hints or the types.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = hints_deepen,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-030",
        .title = "Deeper states of _CST have higher I/O ports",
        .spec = SPEC "; 4.8.3.5.3 Processor LVL3 Register",
        .why = "The read meant for the shallow state enters the deep one, with its wake-up time.",
        .advice = "Give C2 the port of P_LVL2 and C3 that of P_LVL3, one above.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = ports_rise,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-031",
        .title = "I/O ports of _CST are not those of another device",
        .spec = SPEC "; Linux 6.12 arch/x86/kernel/setup.c standard_io_resources",
        .why = "Each idle period reads a device, which may lose its data; no C-state is entered.",
        .advice = "Give the port of the P_LVL2 or P_LVL3 register.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = ports_are_of_no_device,
        .kind = OBJECT_CST,
    },
    {
        .id = "CST-032",
        .title = "The MWAIT hint of C1 in _CST is one of C1",
        .spec = SPEC_FFH "; Intel SDM vol. 2B, MWAIT",
        .why = "A deep state is entered where a short wake-up was asked for, and on CPUs whose "
               "timer stops in it.",
        .advice = "Use hint 0x00 (C1) or 0x01 (C1E) for type 1, or call the state C2 or C3.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = c1_hint_is_c1,
        .kind = OBJECT_CST,
    },
    {.id = NULL},
};
