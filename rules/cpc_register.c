#include "rules/cpc.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.6.1 _CPC (Continuous Performance Control)"

#define MSR_MPERF 0xE7
#define MSR_APERF 0xE8

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Calls `check` for each register that is described; stops when it has found something. */
static void each_register(struct judge *judge, const struct object_set *set,
                          void (*check)(struct judge *judge, enum cpc_register index,
                                        const struct gas *gas))
{
    uint32_t found = judge->found;

    for (uint32_t i = 0; i < CPC_REGISTERS && judge->found == found; i++) {
        if (cpc_has_register(&set->cpc, (enum cpc_register)i)) {
            check(judge, (enum cpc_register)i, &set->cpc.registers[i].reg.gas);
        }
    }
}

static void check_space(struct judge *judge, enum cpc_register index, const struct gas *gas)
{
    if (gas->space != GAS_SYSTEM_MEMORY && gas->space != GAS_SYSTEM_IO && gas->space != GAS_PCC &&
        gas->space != GAS_FFH) {
        judge_fail(judge, "SystemMemory, SystemIO, PCC or FFixedHW", "%s in %s (space %u)",
                   cpc_register_name(index), gas_space_name(gas->space), gas->space);
    }
}

static void spaces_are_known(struct judge *judge, const struct object_set *set)
{
    each_register(judge, set, check_space);
}

static void check_width(struct judge *judge, enum cpc_register index, const struct gas *gas)
{
    struct judge_text text;

    if (gas->width_bits == 0 || (unsigned)gas->offset_bits + gas->width_bits > 64) {
        judge_fail(judge, "1 to 64 bits inside a register of 64", "%s: %s",
                   cpc_register_name(index), judge_register(&text, gas));
    }
}

static void widths_are_possible(struct judge *judge, const struct object_set *set)
{
    each_register(judge, set, check_width);
}

static void check_access(struct judge *judge, enum cpc_register index, const struct gas *gas)
{
    struct judge_text text;

    if (gas->space == GAS_PCC) {
        return;
    }
    unsigned bits = gas->access >= 1 && gas->access <= 4 ? 4U << gas->access : 64;
    if (gas->access > 4 || (unsigned)gas->offset_bits + gas->width_bits > bits) {
        judge_fail(judge, "an access size of 1 to 4 that holds the whole field", "%s: %s",
                   cpc_register_name(index), judge_register(&text, gas));
    }
}

static void access_holds_field(struct judge *judge, const struct object_set *set)
{
    each_register(judge, set, check_access);
}

static void check_port(struct judge *judge, enum cpc_register index, const struct gas *gas)
{
    struct judge_text text;

    if (gas->space == GAS_SYSTEM_IO &&
        (gas->access < 1 || gas->access > 3 || gas->address == 0 || gas->address > 0xFFFF)) {
        judge_fail(judge, "a port from 1 to 0xFFFF with access size 1, 2 or 3", "%s: %s",
                   cpc_register_name(index), judge_register(&text, gas));
    }
}

static void ports_are_valid(struct judge *judge, const struct object_set *set)
{
    each_register(judge, set, check_port);
}

static void check_memory(struct judge *judge, enum cpc_register index, const struct gas *gas)
{
    struct judge_text text;

    if (gas->space != GAS_SYSTEM_MEMORY) {
        return;
    }
    uint64_t bytes = gas->access >= 1 && gas->access <= 4 ? UINT64_C(1) << (gas->access - 1)
                                                          : gas->width_bits / 8;
    if (gas->address == 0) {
        judge_fail(judge, "an address, or a null register (all zero)", "%s: %s",
                   cpc_register_name(index), judge_register(&text, gas));
    } else if (bytes > 1 && (bytes & (bytes - 1)) == 0 && gas->address % bytes != 0) {
        judge_warn(judge, "an address aligned to the access", "%s: %s", cpc_register_name(index),
                   judge_register(&text, gas));
    }
}

/* Linux 6.12 cppc_acpi.c: GET_BIT_WIDTH, and cpc_read for what it is not 8, 16, 32 or 64. */
static void check_memory_size(struct judge *judge, enum cpc_register index, const struct gas *gas)
{
    struct judge_text text;
    bool is_whole = gas->width_bits == 8 || gas->width_bits == 16 || gas->width_bits == 32 ||
                    gas->width_bits == 64;

    if (gas->space == GAS_SYSTEM_MEMORY && gas->access == 0 && !is_whole) {
        judge_warn(judge, "an access size, or 8, 16, 32 or 64 bits", "%s: %s",
                   cpc_register_name(index), judge_register(&text, gas));
    }
}

static void memory_has_a_size(struct judge *judge, const struct object_set *set)
{
    each_register(judge, set, check_memory_size);
}

static void memory_is_valid(struct judge *judge, const struct object_set *set)
{
    each_register(judge, set, check_memory);
}

static void check_pcc(struct judge *judge, enum cpc_register index, const struct gas *gas)
{
    struct judge_text text;
    bool is_whole = gas->width_bits == 8 || gas->width_bits == 16 || gas->width_bits == 32 ||
                    gas->width_bits == 64;

    if (gas->space == GAS_PCC && (!is_whole || gas->offset_bits != 0)) {
        judge_fail(judge, "8, 16, 32 or 64 bits at offset 0", "%s: %s", cpc_register_name(index),
                   judge_register(&text, gas));
    }
}

static void pcc_registers_are_whole(struct judge *judge, const struct object_set *set)
{
    each_register(judge, set, check_pcc);
}

static void pcc_is_one_subspace(struct judge *judge, const struct object_set *set)
{
    const struct gas *first = NULL;
    struct judge_text expected;

    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct gas *gas = &set->cpc.registers[i].reg.gas;

        if (!cpc_has_register(&set->cpc, (enum cpc_register)i) || gas->space != GAS_PCC) {
            continue;
        }
        if (first != NULL && first->access != gas->access) {
            judge_fail(judge, judge_text(&expected, "subspace %u for all", first->access),
                       "subspace %u for %s", gas->access, cpc_register_name((enum cpc_register)i));
            return;
        }
        first = first == NULL ? gas : first;
    }
}

/* ACPI 6.5, 8.4.6.1.2.3 allows it where selection is autonomous; Linux writes it all the same. */
static void desired_is_there(struct judge *judge, const struct object_set *set)
{
    if (set->cpc.registers[CPC_DESIRED_PERF].kind == CPC_ELEMENT_REGISTER &&
        set->cpc.registers[CPC_DESIRED_PERF].reg.is_null) {
        judge_warn(judge, "a desired performance register, for Linux", "none: only autonomous");
    }
}

static bool is_same_place(const struct gas *a, const struct gas *b)
{
    return a->space == b->space && a->address == b->address && a->offset_bits == b->offset_bits &&
           (a->space != GAS_PCC || a->access == b->access);
}

static void counters_are_right(struct judge *judge, const struct object_set *set)
{
    const struct gas *reference = &set->cpc.registers[CPC_REFERENCE_COUNTER].reg.gas;
    const struct gas *delivered = &set->cpc.registers[CPC_DELIVERED_COUNTER].reg.gas;

    if (!cpc_has_register(&set->cpc, CPC_REFERENCE_COUNTER) ||
        !cpc_has_register(&set->cpc, CPC_DELIVERED_COUNTER)) {
        judge_skip(judge, "a counter is missing");
    } else if (is_same_place(reference, delivered)) {
        judge_fail(judge, "two different counters", "both are at 0x%llX",
                   (unsigned long long)reference->address);
    } else if (reference->space == GAS_FFH && delivered->space == GAS_FFH &&
               (reference->address != MSR_MPERF || delivered->address != MSR_APERF)) {
        judge_fail(judge, "reference in MSR 0xE7 (MPERF), delivered in MSR 0xE8 (APERF)",
                   "reference in 0x%llX, delivered in 0x%llX",
                   (unsigned long long)reference->address, (unsigned long long)delivered->address);
    }
}

static void check_counter(struct judge *judge, const struct object_set *set,
                          enum cpc_register index)
{
    const struct gas *gas = &set->cpc.registers[index].reg.gas;
    struct judge_text text;

    if (cpc_has_register(&set->cpc, index) &&
        (gas->width_bits < 32 || (gas->space == GAS_FFH && gas->offset_bits != 0))) {
        judge_warn(judge, "32 bits or more, from bit 0", "%s: %s", cpc_register_name(index),
                   judge_register(&text, gas));
    }
}

static void counters_are_wide(struct judge *judge, const struct object_set *set)
{
    check_counter(judge, set, CPC_REFERENCE_COUNTER);
    check_counter(judge, set, CPC_DELIVERED_COUNTER);
}

static bool overlaps(const struct gas *a, const struct gas *b)
{
    unsigned a_end = (unsigned)a->offset_bits + a->width_bits;
    unsigned b_end = (unsigned)b->offset_bits + b->width_bits;

    return a->space == b->space && a->address == b->address &&
           (a->space != GAS_PCC || a->access == b->access) && a->offset_bits < b_end &&
           b->offset_bits < a_end;
}

/* Two elements of the list that lie in the same bits are reported once. */
static void check_overlap(struct judge *judge, const struct object_set *set,
                          const enum cpc_register *list, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            const struct gas *a = &set->cpc.registers[list[i]].reg.gas;
            const struct gas *b = &set->cpc.registers[list[j]].reg.gas;
            struct judge_text text;

            if (cpc_has_register(&set->cpc, list[i]) && cpc_has_register(&set->cpc, list[j]) &&
                overlaps(a, b)) {
                judge_fail(judge, "bits of its own for each field", "%s and %s both in %s",
                           cpc_register_name(list[j]), cpc_register_name(list[i]),
                           judge_register(&text, a));
                return;
            }
        }
    }
}

static void controls_do_not_overlap(struct judge *judge, const struct object_set *set)
{
    static const enum cpc_register controls[] = {
        CPC_DESIRED_PERF,
        CPC_MIN_PERF,
        CPC_MAX_PERF,
        CPC_ENERGY_PERF_PREFERENCE,
        CPC_ENABLE,
        CPC_AUTONOMOUS_ACTIVITY_WINDOW,
        CPC_AUTONOMOUS_SELECTION_ENABLE,
    };

    check_overlap(judge, set, controls, COUNT(controls));
}

static void levels_do_not_overlap(struct judge *judge, const struct object_set *set)
{
    static const enum cpc_register levels[] = {
        CPC_HIGHEST_PERF, CPC_NOMINAL_PERF,      CPC_LOWEST_NONLINEAR_PERF, CPC_LOWEST_PERF,
        CPC_DESIRED_PERF, CPC_REFERENCE_COUNTER, CPC_DELIVERED_COUNTER,
    };

    check_overlap(judge, set, levels, COUNT(levels));
}

static void limits_come_in_pairs(struct judge *judge, const struct object_set *set)
{
    bool has_min = !cpc_is_unsupported(&set->cpc, CPC_MIN_PERF);
    bool has_max = !cpc_is_unsupported(&set->cpc, CPC_MAX_PERF);

    if (has_min != has_max) {
        judge_warn(judge, "minimum and maximum together, or neither", "only the %s register",
                   has_min ? "minimum" : "maximum");
    }
}

static void check_holds(struct judge *judge, const struct object_set *set, enum cpc_register index,
                        uint64_t highest)
{
    const struct gas *gas = &set->cpc.registers[index].reg.gas;
    struct judge_text expected;

    if (cpc_has_register(&set->cpc, index) && gas->width_bits > 0 && gas->width_bits < 64 &&
        highest >> gas->width_bits != 0) {
        judge_fail(judge,
                   judge_text(&expected, "a field that holds the highest performance, %llu",
                              (unsigned long long)highest),
                   "%s has %u bits", cpc_register_name(index), gas->width_bits);
    }
}

static void controls_hold_levels(struct judge *judge, const struct object_set *set)
{
    uint64_t highest;

    if (!cpc_get(judge->processor, set, CPC_HIGHEST_PERF, &highest)) {
        judge_skip(judge, "the highest performance is not known");
        return;
    }
    uint32_t found = judge->found;
    check_holds(judge, set, CPC_DESIRED_PERF, highest);
    if (judge->found == found) {
        check_holds(judge, set, CPC_MIN_PERF, highest);
    }
    if (judge->found == found) {
        check_holds(judge, set, CPC_MAX_PERF, highest);
    }
}

/* Linux 6.12 arch/x86/kernel/acpi/cppc.c cpc_supported_by_cpu, cppc_acpi.c: without the platform's
 * consent (_OSC bit 14) registers in memory or I/O space make the object be dropped. */
static bool is_supported_by_cpu(const struct cpu_identity *identity, const struct cpuid_set *cpuid)
{
    if (identity->vendor != VENDOR_AMD && identity->vendor != VENDOR_HYGON) {
        return false;
    }
    return (identity->family == 0x19 &&
            (identity->model <= 0x0F || (identity->model >= 0x20 && identity->model <= 0x2F))) ||
           (identity->family == 0x17 && identity->model >= 0x30 && identity->model <= 0x7F) ||
           (cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_CPPC));
}

static void spaces_are_agreed(struct judge *judge, const struct object_set *set)
{
    const struct platform *platform = judge->platform;

    if (platform->identity.avail != AVAIL_PRESENT || !platform->handshake.is_done) {
        judge_skip(judge, "the CPU is not known or no handshake was made");
        return;
    }
    if (is_supported_by_cpu(&platform->identity, platform_cpuid(platform, 0)) ||
        (platform->handshake.platform_reply >> 14 & 1) != 0) {
        return;
    }
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct gas *gas = &set->cpc.registers[i].reg.gas;

        if (cpc_has_register(&set->cpc, (enum cpc_register)i) &&
            (gas->space == GAS_SYSTEM_MEMORY || gas->space == GAS_SYSTEM_IO)) {
            judge_warn(judge, "\\_SB._OSC bit 14 granted for registers in memory or I/O space",
                       "%s in %s; reply 0x%X", cpc_register_name((enum cpc_register)i),
                       gas_space_name(gas->space), platform->handshake.platform_reply);
            return;
        }
    }
}

#define WRONG_PLACE "Requests and readings go to wrong bits: the clock does not follow load."

const struct rule cpc_register_rules[] = {
    {
        .id = "CPC-020",
        .title = "Registers of _CPC are in an address space that CPPC allows",
        .spec = SPEC,
        .why = "Linux ignores the whole object silently.",
        .advice = "Use FFixedHW, PCC, SystemMemory or SystemIO.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = spaces_are_known,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-021",
        .title = "Each register of _CPC has a width and ends within 64 bits",
        .spec = SPEC "; 6.4.3.7 Generic Register Descriptor",
        .why = "The mask for the field is undefined: the value read is arbitrary.",
        .advice = "Give the width of the field in bits.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = widths_are_possible,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-022",
        .title = "The access size of a _CPC register holds its field",
        .spec = SPEC "; 6.4.3.7 Generic Register Descriptor",
        .why = WRONG_PLACE,
        .advice =
            "Choose an access size (1 byte, 2 word, 3 dword, 4 qword) that reaches the last bit.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = access_holds_field,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-023",
        .title = "I/O registers of _CPC name a port and its size",
        .spec = SPEC,
        .why = "Linux ignores the whole object silently.",
        .advice = "Give a port below 0x10000 and access size 1, 2 or 3.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = ports_are_valid,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-024",
        .title = "Memory registers of _CPC have an address, aligned to their access",
        .spec = SPEC,
        .why = "Linux dereferences a null mapping when it reads such a register.",
        .advice = "Give the physical address, or all zeros for what is not supported.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_sets,
        .judge_set = memory_is_valid,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-025",
        .title = "PCC registers of _CPC are whole and aligned to a byte",
        .spec = SPEC "; 14.7 Referencing the PCC address space",
        .why = "Linux cannot read any other width there and takes 0 as the value.",
        .advice = "Use 8, 16, 32 or 64 bits at bit offset 0.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = pcc_registers_are_whole,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-026",
        .title = "All PCC registers of a _CPC are in one subspace",
        .spec = SPEC "; 14.7 Referencing the PCC address space",
        .why = "Linux ignores the whole object silently.",
        .advice = "Put the same subspace id into the access size field of each PCC register.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = pcc_is_one_subspace,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-029",
        .title = "Reference and delivered counters of _CPC are the right two",
        .spec = SPEC "; Intel SDM vol. 3, 15.2 P-State Hardware Coordination",
        .why = "The effective frequency is computed upside down or always as nominal.",
        .advice = "Reference: MSR 0xE7 (MPERF); delivered: MSR 0xE8 (APERF).",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = counters_are_right,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-030",
        .title = "Counters of _CPC are at least 32 bits wide",
        .spec = SPEC,
        .why = "A narrow counter wraps between two readings and shows a wrong frequency.",
        .advice = "Describe the whole counter.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = counters_are_wide,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-031",
        .title = "Control fields of _CPC do not share bits",
        .spec = SPEC,
        .why = "Setting one limit changes the other.",
        .advice = "Correct bit offset and width of the two fields.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = controls_do_not_overlap,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-032",
        .title = "Level and counter fields of _CPC do not share bits",
        .spec = SPEC,
        .why = "Two levels read the same value, or a level reads a counter.",
        .advice = "Correct bit offset and width of the two fields.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = levels_do_not_overlap,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-033",
        .title = "_CPC has both minimum and maximum registers, or neither",
        .spec = SPEC,
        .why = "Limits that the user sets hold on one side only.",
        .advice = "Describe both registers.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = limits_come_in_pairs,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-034",
        .title = "Control fields of _CPC hold the highest performance",
        .spec = SPEC,
        .why = "A request for the highest level is cut to a low one.",
        .advice = "Widen the field or correct the levels.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = controls_hold_levels,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-035",
        .title = "Memory and I/O registers of _CPC are agreed in \\_SB._OSC",
        .spec = "ACPI 6.5, 6.2.11.2 Platform-Wide OSPM Capabilities, bit 14",
        .why = "Linux ignores the whole object silently.",
        .advice = "Grant bit 14 in the reply of \\_SB._OSC.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = spaces_are_agreed,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-036",
        .title = "_CPC has a desired performance register",
        .spec = SPEC "; 8.4.6.1.2.3 Desired Performance Register",
        .why =
            "Drivers that choose the performance themselves cannot run: no schedutil, no limits.",
        .advice = "Describe the register, also where selection is autonomous.",
        .severity = SEVERITY_LOW,
        .check = judge_sets,
        .judge_set = desired_is_there,
        .kind = OBJECT_CPC,
    },
    {
        .id = "CPC-038",
        .title = "Memory registers of _CPC can be read in one access",
        .spec = SPEC "; 5.2.3.2 Generic Address Structure; Linux 6.12 drivers/acpi/cppc_acpi.c",
        .why = "Linux cannot read such a register: the whole object is of no use.",
        .advice = "State an access size of 1 to 4, or make the register 8, 16, 32 or 64 bits wide.",
        .known_as = "Linux: Error: Cannot read bit width from system memory",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = memory_has_a_size,
        .kind = OBJECT_CPC,
    },
    {.id = NULL},
};
