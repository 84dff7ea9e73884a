#include "drivers/idle_plan.h"

#include "drivers/bus_master.h"

#include <stddef.h>

/* ACPI 6.5, 5.2.9, Table 5.9, P_LVL2_LAT and P_LVL3_LAT: above these the state is not there. */
#define P_LVL2_LAT_MAX_US 100U
#define P_LVL3_LAT_MAX_US 1000U
#define P_LVL_LAT_NONE 0xFFFU

/* ACPI 6.5, 4.8.3.5: the processor block is six bytes, P_LVL2 at offset 4, P_LVL3 at offset 5. */
#define PBLK_BYTES 6U
#define PBLK_P_LVL2 4U

#define PORT_MAX 0xFFFFU
#define TYPE_C1 1U
#define TYPE_C2 2U
#define TYPE_C3 3U

/* ACPI 6.5 leaves the FFH fields to the vendor; Intel Processor Vendor-Specific ACPI, 4.1.1: bit offset is
 * the class, 0 HLT, 1 I/O then HLT, 2 MWAIT with the hint in the address. */
#define FFH_CLASS_HALT 0U
#define FFH_CLASS_IO_HALT 1U
#define FFH_CLASS_MWAIT 2U

/* Likewise, access size bit 1 clear: the state needs no look at BM_STS. */
#define FFH_BUS_CHECK 2U

/* CPUID 5, MONITOR/MWAIT: SDM vol. 2A, CPUID, leaf 05H. */
#define MWAIT_LEAF 5U
#define MWAIT_EXTENSIONS 1U /* ECX[0] */
#define MWAIT_BREAK 2U      /* ECX[1] */
#define MWAIT_STATES 8U     /* EDX: a nibble a state, C0 first */

#define MSR_MISC_ENABLE 0x1A0U /* SDM vol. 4, IA32_MISC_ENABLE [18]: ENABLE MONITOR FSM */
#define MISC_ENABLE_MONITOR (UINT64_C(1) << 18)

struct maker {
    const struct platform *platform;
    uint32_t cpu;
    const struct cpuid_set *cpuid;
    const struct cpu_identity *identity;
    const struct processor *processor;
    struct idle_plan *plan;
    bool has_arat;
};

static const char *state_name(uint64_t type)
{
    static const char *const names[] = {"C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7"};

    return type < sizeof(names) / sizeof(names[0]) ? names[type] : "C?";
}

/*
 * CPUID 6 EAX[2], ARAT: SDM vol. 2A, CPUID, "Thermal and Power Management Leaf". Linux 6.12 sets it by
 * itself on AMD above family 11h and on Hygon (arch/x86/kernel/cpu/amd.c early_init_amd, hygon.c). A
 * hypervisor's timer does not stop with a guest's CPU.
 */
static bool has_running_timer(const struct cpuid_set *cpuid, const struct cpu_identity *identity)
{
    return (cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_ARAT)) || identity->is_hypervisor ||
           (identity->vendor == VENDOR_AMD && identity->family > 0x11) ||
           identity->vendor == VENDOR_HYGON;
}

/* AMD erratum 400: C1E stops the local APIC timer of families 0Fh and 10h (Linux 6.12
 * arch/x86/kernel/cpu/amd.c amd_erratum_400). */
static bool halt_may_stop_timer(const struct maker *maker)
{
    return maker->identity->vendor == VENDOR_AMD && !maker->identity->is_hypervisor &&
           (maker->identity->family == 0xF || maker->identity->family == 0x10);
}

static bool is_same_way(const struct idle_way *a, const struct idle_way *b)
{
    if (a->entry != b->entry) {
        return false;
    }
    switch (a->entry) {
    case IDLE_MWAIT:
        return a->hint == b->hint;
    case IDLE_IO:
        return a->port == b->port && a->dummy_read == b->dummy_read;
    case IDLE_HLT:
    default:
        return true;
    }
}

static void add(struct maker *maker, const struct idle_way *way)
{
    struct idle_plan *plan = maker->plan;

    for (uint32_t i = 0; i < plan->count; i++) {
        if (is_same_way(&plan->ways[i], way)) {
            return;
        }
    }
    if (plan->count == IDLE_WAYS_MAX) {
        plan->is_cut = true;
        return;
    }
    plan->ways[plan->count++] = *way;
}

static void add_halt(struct maker *maker, const char *from, const struct cst_state *declared)
{
    struct idle_way way = {.state = "C1",
                           .entry = IDLE_HLT,
                           .from = from,
                           .may_stop_timer = halt_may_stop_timer(maker)};

    if (declared != NULL && (declared->valid & (1U << CST_LATENCY_US)) != 0) {
        way.has_declared_latency = true;
        way.declared_latency_us = declared->field[CST_LATENCY_US];
    }
    add(maker, &way);
}

/* bugs such as an MWAIT that raises #UD because the firmware switched the monitor off. */
static const char *mwait_is_off(const struct maker *maker)
{
    struct msr_value misc = platform_msr(maker->platform, maker->cpu, MSR_MISC_ENABLE);

    if (maker->cpuid == NULL || !cpuid_has(maker->cpuid, CPU_FEATURE_MONITOR)) {
        return "CPUID 1 ECX[3] says that there is no MONITOR and MWAIT";
    }
    if (maker->identity->vendor == VENDOR_INTEL && misc.avail == AVAIL_PRESENT &&
        (misc.value & MISC_ENABLE_MONITOR) == 0) {
        return "MSR 1A0H bit 18 switches MONITOR and MWAIT off";
    }
    if (cpuid_find(maker->cpuid, MWAIT_LEAF, 0) == NULL) {
        return "CPUID 5 is not there";
    }
    return NULL;
}

/* The C-state nibble of a hint: [7:4] is 0 for C1, 1 for C2, ... and FH for C0. */
static uint32_t state_of_hint(uint32_t hint)
{
    return ((hint >> 4 & 0xF) + 1) & 0xF;
}

static uint32_t substates(const struct cpuid_leaf *leaf, uint32_t state)
{
    return state < MWAIT_STATES ? leaf->edx >> 4 * state & 0xF : 0;
}

static const char *hint_is_refused(const struct maker *maker, uint32_t hint)
{
    const struct cpuid_leaf *leaf = cpuid_find(maker->cpuid, MWAIT_LEAF, 0);
    bool has_extensions = (leaf->ecx & MWAIT_EXTENSIONS) != 0;

    if (!has_extensions && hint != 0) {
        return "CPUID 5 ECX[0] is clear: hints have no meaning";
    }
    if (has_extensions && substates(leaf, state_of_hint(hint)) == 0) {
        return "CPUID 5 EDX has no sub-state for this hint";
    }
    return NULL;
}

static void add_mwait(struct maker *maker, const struct idle_way *claim)
{
    const struct cpuid_leaf *leaf =
        maker->cpuid == NULL ? NULL : cpuid_find(maker->cpuid, MWAIT_LEAF, 0);
    struct idle_way way = *claim;

    way.entry = IDLE_MWAIT;
    if (mwait_is_off(maker) != NULL) {
        way.not_timed = mwait_is_off(maker);
    } else if (way.not_timed == NULL) {
        way.not_timed = hint_is_refused(maker, way.hint);
        /* Without an interrupt that breaks through a cleared IF, the flag has to be set. */
        way.mwait_extensions = leaf != NULL && (leaf->ecx & MWAIT_BREAK) != 0 ? 1 : 0;
    }
    way.may_stop_timer = state_of_hint(way.hint) > 1 && !maker->has_arat;
    add(maker, &way);
}

void idle_plan_pm_timer(const struct platform *platform, uint16_t *ret_port, uint64_t *ret_paddr)
{
    const struct fadt *fadt = &platform->fadt;
    const struct gas *gas = &fadt->reg[FADT_X_PM_TMR_BLK];

    *ret_port = fadt_pm_timer_port(fadt);
    *ret_paddr = 0;
    if (*ret_port == 0 && fadt->avail == AVAIL_PRESENT && fadt->has_register[FADT_X_PM_TMR_BLK] &&
        gas->space == GAS_SYSTEM_MEMORY) {
        *ret_paddr = gas->address;
    }
}

static void add_io(struct maker *maker, const struct idle_way *claim)
{
    struct idle_way way = *claim;

    way.entry = IDLE_IO;
    way.may_stop_timer = !maker->has_arat;
    if (way.not_timed == NULL && maker->platform->options != NULL &&
        maker->platform->options->is_read_only) {
        way.not_timed = "reading a C-state port enters the state, which --read-only does not allow";
    }
    add(maker, &way);
    idle_plan_pm_timer(maker->platform, &way.dummy_port, &way.dummy_paddr);
    if (way.dummy_port != 0 || way.dummy_paddr != 0) {
        way.dummy_read = DUMMY_PM_TIMER;
        add(maker, &way);
    }
}

/* What a C3 needs around its entry; type 1 and 2 need nothing. */
static void need_bus(const struct maker *maker, uint64_t type, bool is_from_cst,
                     struct idle_way *way)
{
    const char *refused = NULL;

    if (type >= TYPE_C3) {
        way->bus = bus_master_needs(maker->platform, is_from_cst, &refused);
        way->not_timed = way->not_timed == NULL ? refused : way->not_timed;
    }
}

static void add_ffh(struct maker *maker, const struct cst_state *state, struct idle_way *way)
{
    const struct gas *gas = &state->reg.gas;

    if (gas->offset_bits == FFH_CLASS_MWAIT) {
        way->hint = (uint32_t)gas->address;
        need_bus(maker, state->field[CST_TYPE], true, way);
        if (maker->identity->vendor == VENDOR_INTEL && (gas->access & FFH_BUS_CHECK) == 0) {
            way->bus &= (uint8_t)~IDLE_BUS_CHECK;
        }
        add_mwait(maker, way);
    } else if (gas->offset_bits == FFH_CLASS_HALT) {
        add_halt(maker, "_CST", state);
    } else if (gas->offset_bits == FFH_CLASS_IO_HALT && gas->address <= PORT_MAX) {
        way->port = (uint16_t)gas->address;
        way->not_timed = "an I/O read that HLT follows (class 1) is not timed as one";
        way->entry = IDLE_IO;
        add(maker, way);
    }
}

static void add_cst_state(struct maker *maker, const struct cst_state *state)
{
    const struct gas *gas = &state->reg.gas;
    uint64_t type = state->field[CST_TYPE];
    struct idle_way way = {.from = "_CST"};

    if ((state->valid & (1U << CST_TYPE)) == 0 || state->reg.avail != AVAIL_PRESENT) {
        return;
    }
    way.state = state_name(type);
    way.has_declared_latency = (state->valid & (1U << CST_LATENCY_US)) != 0;
    way.declared_latency_us = state->field[CST_LATENCY_US];
    if (gas->space == GAS_FFH) {
        add_ffh(maker, state, &way);
    } else if (gas->space == GAS_SYSTEM_IO && gas->address != 0 && gas->address <= PORT_MAX) {
        way.port = (uint16_t)gas->address;
        need_bus(maker, type, true, &way);
        add_io(maker, &way);
    }
}

static void add_cst(struct maker *maker, bool wants_io)
{
    const struct object_set *set = platform_object_as_linux(maker->processor, OBJECT_CST);

    for (uint32_t i = 0; set != NULL && i < set->cst.states_count; i++) {
        const struct cst_state *state = &set->cst.states[i];

        if ((state->reg.gas.space == GAS_SYSTEM_IO) == wants_io) {
            add_cst_state(maker, state);
        }
    }
}

/* ACPI 6.5, 8.4.3.3 _LPI: on x86 a register entry in FFH is an MWAIT hint, as in _CST. */
static void add_lpi(struct maker *maker)
{
    const struct object_set *set = platform_object_as_linux(maker->processor, OBJECT_LPI);

    for (uint32_t i = 0; set != NULL && i < set->lpi.states_count; i++) {
        const struct lpi_state *state = &set->lpi.states[i];
        struct idle_way way = {.state = "LPI", .from = "_LPI"};

        if (state->entry_kind != CPC_ELEMENT_REGISTER || state->entry.avail != AVAIL_PRESENT ||
            state->entry.gas.space != GAS_FFH || state->entry.gas.offset_bits != FFH_CLASS_MWAIT) {
            continue;
        }
        way.hint = (uint32_t)state->entry.gas.address;
        way.has_declared_latency = (state->valid & (1U << LPI_WAKE_LATENCY_US)) != 0;
        way.declared_latency_us = state->field[LPI_WAKE_LATENCY_US];
        add_mwait(maker, &way);
    }
}

/* Hints that no object names: firmware may have left out a state that the CPU has. */
static void add_cpuid(struct maker *maker)
{
    const struct cpuid_leaf *leaf =
        maker->cpuid == NULL ? NULL : cpuid_find(maker->cpuid, MWAIT_LEAF, 0);

    if (leaf == NULL || mwait_is_off(maker) != NULL || (leaf->ecx & MWAIT_EXTENSIONS) == 0) {
        return;
    }
    for (uint32_t state = 1; state < MWAIT_STATES; state++) {
        for (uint32_t i = 0; i < substates(leaf, state); i++) {
            struct idle_way way = {
                .state = "MWAIT", .from = "CPUID 5", .hint = (state - 1) << 4 | i};

            add_mwait(maker, &way);
        }
    }
}

/* ACPI 6.5, 5.2.9, Table 5.10, P_LVL2_UP: clear when C2 is only for machines with one processor. */
static const char *pblk_is_refused(const struct maker *maker, uint64_t type, uint64_t latency_us)
{
    const struct platform *platform = maker->platform;

    if (latency_us > (type == TYPE_C2 ? P_LVL2_LAT_MAX_US : P_LVL3_LAT_MAX_US)) {
        return type == TYPE_C2 ? "P_LVL2_LAT says that there is no C2"
                               : "P_LVL3_LAT says that there is no C3";
    }
    if (platform->cpus_count > 1 && !fadt_has_flag(&platform->fadt, FADT_FLAG_P_LVL2_UP)) {
        return "P_LVL2_UP says that C2 and C3 are only for machines with one processor";
    }
    return NULL;
}

static void add_pblk(struct maker *maker)
{
    const struct processor *processor = maker->processor;
    const struct fadt *fadt = &maker->platform->fadt;

    if (processor->kind != PROCESSOR_OBJECT || processor->pblk_address == 0 ||
        processor->pblk_length != PBLK_BYTES || processor->pblk_address > PORT_MAX - PBLK_BYTES) {
        return;
    }
    for (uint32_t type = TYPE_C2; type <= TYPE_C3; type++) {
        enum fadt_field field = type == TYPE_C2 ? FADT_P_LVL2_LAT : FADT_P_LVL3_LAT;
        struct idle_way way = {.state = state_name(type), .from = "P_BLK"};

        way.port = (uint16_t)(processor->pblk_address + PBLK_P_LVL2 + type - TYPE_C2);
        way.declared_latency_us = fadt_value(fadt, field, P_LVL_LAT_NONE);
        way.has_declared_latency = way.declared_latency_us != P_LVL_LAT_NONE;
        way.not_timed = pblk_is_refused(maker, type, way.declared_latency_us);
        need_bus(maker, type, false, &way);
        add_io(maker, &way);
    }
}

void idle_plan_make(const struct platform *platform, uint32_t cpu, struct idle_plan *ret_plan)
{
    struct maker maker = {.platform = platform,
                          .cpu = cpu,
                          .cpuid = platform_cpuid(platform, cpu),
                          .identity = &platform->identity,
                          .processor = platform_processor(platform, cpu),
                          .plan = ret_plan};

    *ret_plan = (struct idle_plan){0};
    maker.has_arat = has_running_timer(maker.cpuid, maker.identity);
    if (maker.processor != NULL) {
        add_cst(&maker, false);
    }
    add_halt(&maker, "architecture", NULL);
    if (maker.processor != NULL) {
        add_lpi(&maker);
    }
    add_cpuid(&maker);
    if (maker.processor != NULL) {
        add_cst(&maker, true);
        add_pblk(&maker);
    }
}
