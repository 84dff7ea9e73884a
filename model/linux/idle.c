/* acpi_idle: what Linux makes of _CST, or of P_BLK and FADT without one. kernel-facts 6.1 to 6.6. */
#include "model/bits.h"
#include "model/linux/parts.h"

#include <string.h>

#define SLOTS_MAX 7U /* ACPI_PROCESSOR_MAX_POWER - 1: states that one CPU can have */
#define SPACE_IO 0x01U
#define SPACE_FFH 0x7FU
#define FFH_CLASS_MWAIT 2U /* bit_offset: native C-state instruction */
#define MSR_INT_PENDING 0xC0010055U
#define FIRST_SLOT_RESERVED "first _CST entry is not C1: slot 1 is C1 by HLT"

struct list {
    struct linux_cstate *states;
    uint32_t count;
    uint32_t kept;
};

static struct linux_cstate *append(struct list *list)
{
    return list->count == LINUX_CSTATES ? NULL : &list->states[list->count++];
}

/* acpi_processor_ffh_cstate_probe_cpu: NULL when MWAIT with this hint works. */
static const char *mwait_why(const struct linux_builder *builder, uint32_t cpu,
                             const struct gas *gas)
{
    const struct platform *platform = builder->platform;
    const struct cpuid_leaf *leaf = cpuid_find(platform_cpuid(platform, cpu), 5, 0);
    uint32_t hint = (uint32_t)gas->address;
    uint32_t nibble = ((hint >> 4 & 0xFU) + 1) & 0xFU;

    switch (platform->identity.vendor) {
    case VENDOR_INTEL:
    case VENDOR_AMD:
    case VENDOR_HYGON:
        break;
    case VENDOR_CENTAUR:
    case VENDOR_ZHAOXIN:
        return "Linux uses MWAIT from _CST only on Intel, AMD and Hygon";
    case VENDOR_UNKNOWN:
        return NULL; /* without CPUID nothing speaks against it */
    }
    if (gas->offset_bits != FFH_CLASS_MWAIT) {
        return "the register's class is not MWAIT (bit offset 2)";
    }
    if (leaf == NULL) {
        return "the CPU has no CPUID leaf 5";
    }
    if (nibble >= 8 || (leaf->edx >> (4 * nibble) & 0xFU) == 0) {
        linux_say(builder, LINUX_MESSAGE_MWAIT_UNSUPPORTED, cpu,
                  "ACPI MWAIT C-state 0x%x not supported by HW (0x%x)", hint,
                  nibble >= 8 ? 0 : leaf->edx >> (4 * nibble));
        return "CPUID leaf 5 has no sub-state for this hint";
    }
    return (leaf->ecx & 3U) != 3U ? "CPUID leaf 5 lacks MWAIT extensions (ECX[1:0])" : NULL;
}

/* What Linux says of an entry that it skips before it looks at the register's class. */
static void say_skipped(const struct linux_builder *builder, uint32_t cpu, uint32_t number,
                        const struct cst_state *state)
{
    if (state->elements != 4) {
        linux_say(builder, LINUX_MESSAGE_CST_COUNT, cpu,
                  "_CST C%u package count(%u) is not 4, skip...", number, state->elements);
    } else if (state->reg.avail != AVAIL_PRESENT) {
        linux_say(builder, LINUX_MESSAGE_CST_NO_BUFFER, cpu,
                  "_CST C%u package element[0] type(X) is not buffer, skip...", number);
    } else if ((state->valid & 1U << CST_TYPE) == 0) {
        linux_say(builder, LINUX_MESSAGE_CST_NO_TYPE, cpu,
                  "_CST C[%u] package element[1] type(X) is not integer, skip...", number);
    } else if (state->reg.gas.space != SPACE_IO && state->reg.gas.space != SPACE_FFH) {
        linux_say(builder, LINUX_MESSAGE_CST_SPACE, cpu,
                  "_CST C%u space_id(%x) neither FIXED_HARDWARE nor SYSTEM_IO, skip...", number,
                  state->reg.gas.space);
    } else if ((state->valid & 1U << CST_LATENCY_US) == 0) {
        linux_say(builder, LINUX_MESSAGE_CST_NO_LATENCY, cpu,
                  "_CST C%u package element[2] type(X) not integer, skip...", number);
    } else {
        linux_say(builder, LINUX_MESSAGE_CST_NO_POWER, cpu,
                  "_CST C%u package element[3] type(X) not integer, skip...", number);
    }
}

/* Why an entry is skipped before its register is looked at, or NULL. */
static const char *entry_why(const struct cst_state *state)
{
    if (state->elements != 4) {
        return "the entry has not four elements";
    }
    if (state->reg.avail != AVAIL_PRESENT) {
        return "element 0 is not a register buffer";
    }
    if ((state->valid & 7U) != 7U) {
        return "type, latency or power is not an Integer";
    }
    if (state->reg.gas.space != SPACE_IO && state->reg.gas.space != SPACE_FFH) {
        return "the register is neither in SystemIO nor in FFixedHW";
    }
    return NULL;
}

/*
 * acpi_processor_power_init_bm_check: whether a C3 entry looks at BM_STS, and whether the arbiter is switched off
 * around it. Where it does not look, the caches are flushed. kernel-facts 6.5.
 */
struct bus_master {
    bool is_checked;
    bool is_controlled;
};

static bool is_recent_intel(const struct cpu_identity *identity)
{
    return identity->vendor == VENDOR_INTEL &&
           (identity->family > 0x0F || (identity->family == 6 && identity->model >= 0x0F));
}

static bool is_recent_centaur(const struct cpu_identity *identity)
{
    return identity->vendor == VENDOR_CENTAUR &&
           (identity->family > 6 ||
            (identity->family == 6 && identity->model == 0x0F && identity->stepping >= 0x0E));
}

static struct bus_master bus_master_of(const struct platform *platform)
{
    const struct cpu_identity *identity = &platform->identity;
    bool is_coherent = is_recent_centaur(identity) || identity->vendor == VENDOR_ZHAOXIN ||
                       (identity->vendor == VENDOR_AMD && identity->family >= 0x17);

    return (struct bus_master){
        .is_checked = platform->cpus_count == 1 || identity->vendor == VENDOR_INTEL || is_coherent,
        .is_controlled = fadt_value(&platform->fadt, FADT_PM2_CNT_BLK, 0) != 0 &&
                         fadt_value(&platform->fadt, FADT_PM2_CNT_LEN, 0) != 0 && !is_coherent &&
                         !is_recent_intel(identity)};
}

/* acpi_processor_power_verify: states with a type that needs an address or bus-master control. */
static const char *invalid_why(const struct linux_builder *builder,
                               const struct linux_cstate *state, bool is_cst)
{
    const struct platform *platform = builder->platform;
    struct bus_master bus_master = bus_master_of(platform);

    if (state->type == 1) {
        return NULL;
    }
    if (state->type > 3 || state->type == 0) {
        return "a type other than 1, 2 and 3 is stored, but never used";
    }
    if (state->address == 0) {
        return "address or hint 0 makes a state of type 2 or 3 invalid";
    }
    if (state->type == 3 && bus_master.is_checked && !bus_master.is_controlled && !is_cst) {
        return "P_LVL3 without _CST needs bus-master control, which this CPU does not use or "
               "firmware does not have";
    }
    if (state->type == 3 && !bus_master.is_checked &&
        !fadt_has_flag(&platform->fadt, FADT_FLAG_WBINVD)) {
        return "C3 needs WBINVD (FADT flag 0), which firmware does not promise";
    }
    return NULL;
}

static void take_entry(const struct linux_builder *builder, uint32_t cpu,
                       const struct cst_state *entry, struct linux_cstate *state)
{
    const struct gas *gas = &entry->reg.gas;

    state->type = (uint8_t)entry->field[CST_TYPE];
    state->latency_us = (uint32_t)entry->field[CST_LATENCY_US];
    state->residency_us = state->latency_us * 2; /* latency_factor */
    state->address = (uint32_t)gas->address;
    state->is_kept = true;
    if (gas->space == SPACE_IO) {
        state->entry = LINUX_ENTRY_IO;
        return;
    }
    state->entry = LINUX_ENTRY_MWAIT;
    state->why = mwait_why(builder, cpu, gas);
    if (state->why != NULL && state->type == 1) {
        state->entry = LINUX_ENTRY_HALT;
    } else if (state->why != NULL) {
        state->is_kept = false;
        linux_say(builder, LINUX_MESSAGE_CST_HARDWARE, cpu,
                  "_CST C%u declares FIXED_HARDWARE C-state but not supported in hardware, "
                  "skip...",
                  state->index + 1);
    }
}

static void add_default(struct list *list, const char *why)
{
    struct linux_cstate *state = append(list);

    if (state != NULL) {
        *state = (struct linux_cstate){.name = "C1",
                                       .type = 1,
                                       .entry = LINUX_ENTRY_HALT,
                                       .from = "default",
                                       .is_kept = true,
                                       .why = why};
        list->kept++;
    }
}

static void add_entries(const struct linux_builder *builder, uint32_t cpu, const struct cst *cst,
                        struct list *list)
{
    for (uint32_t i = 0; i < cst->states_count; i++) {
        const struct cst_state *entry = &cst->states[i];
        struct linux_cstate *state = append(list);
        const char *why = entry_why(entry);

        if (state == NULL) {
            return;
        }
        memset(state, 0, sizeof(*state));
        if (why != NULL) {
            say_skipped(builder, cpu, i + 1, entry);
        }
        state->from = "_CST";
        state->index = i;
        if (why == NULL) {
            take_entry(builder, cpu, entry, state);
            why = state->is_kept ? invalid_why(builder, state, true) : state->why;
        }
        if (why == NULL && list->kept == SLOTS_MAX) {
            why = "No room for more idle states (limit: 7)";
            linux_say(builder, LINUX_MESSAGE_CST_NO_ROOM, cpu, "%s", why);
        }
        state->is_kept = why == NULL;
        state->why = why == NULL ? state->why : why;
        list->kept += state->is_kept ? 1 : 0;
    }
}

/* acpi_processor_evaluate_cst. Returns why there are no C-states at all, or NULL. */
static const char *take_cst(const struct linux_builder *builder, const struct processor *processor,
                            const struct cst *cst, struct list *list)
{
    if (!cst->is_package || cst->states_count == 0) {
        linux_say(builder, LINUX_MESSAGE_CST_INVALID, processor->cpu, "Invalid _CST output");
        return "Invalid _CST output: no states, and no fallback to the FADT";
    }
    if (!cst->has_count || cst->count < 1 || cst->count != cst->states_count) {
        linux_say(builder, LINUX_MESSAGE_CST_INCONSISTENT, processor->cpu,
                  "Inconsistent _CST data");
        return "Inconsistent _CST data: the count is not the number of entries";
    }
    if ((cst->states[0].valid & 1U << CST_TYPE) != 0 && cst->states[0].elements >= 2 &&
        cst->states[0].field[CST_TYPE] != 1) {
        add_default(list, FIRST_SLOT_RESERVED);
    }
    add_entries(builder, processor->cpu, cst, list);
    return list->kept == 0 ? "no entry of _CST is usable, and there is no fallback to the FADT"
                           : NULL;
}

static void add_port(const struct linux_builder *builder, const struct processor *processor,
                     uint32_t type, struct list *list)
{
    struct linux_cstate *state = append(list);
    bool is_c2 = type == 2;

    if (state == NULL) {
        return;
    }
    *state = (struct linux_cstate){
        .type = type,
        .entry = LINUX_ENTRY_IO,
        .address = processor->pblk_address + (is_c2 ? 4U : 5U),
        .latency_us = fadt_value(&builder->platform->fadt,
                                 is_c2 ? FADT_P_LVL2_LAT : FADT_P_LVL3_LAT, UINT16_MAX),
        .from = "FADT",
        .index = type,
    };
    state->residency_us = state->latency_us * 2;
    /* ACPI 6.5, 5.2.9, Table 5.9: latencies above 100 and 1000 us say "not supported". */
    state->why = state->latency_us > (is_c2 ? 100U : 1000U)
                     ? "the FADT's latency says that the state is not supported"
                     : invalid_why(builder, state, false);
    state->is_kept = state->why == NULL;
    list->kept += state->is_kept ? 1 : 0;
    if (state->is_kept && builder->platform->cpus_count > 1 &&
        !fadt_has_flag(&builder->platform->fadt, FADT_FLAG_P_LVL2_UP) &&
        (is_c2 || !bus_master_of(builder->platform).is_checked)) {
        /* acpi_idle_enter: several CPUs, and FADT flag 3 says C2 on one CPU only. */
        state->why = "listed, but C1 is entered instead: FADT flag 3 (P_LVL2_UP) is clear and "
                     "there are several CPUs";
    }
}

/* acpi_processor_get_power_info_fadt: from Processor objects with a P_BLK of six bytes. */
static void take_fadt(const struct linux_builder *builder, const struct processor *processor,
                      struct list *list)
{
    add_default(list, NULL);
    if (processor->kind != PROCESSOR_OBJECT || processor->pblk_address == 0 ||
        processor->pblk_length != 6) {
        return;
    }
    add_port(builder, processor, 2, list);
    add_port(builder, processor, 3, list);
}

/* The kept states in index order; returns how many. */
static uint32_t kept_states(struct list *list, struct linux_cstate **ret_kept)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        if (list->states[i].is_kept) {
            ret_kept[count++] = &list->states[i];
        }
    }
    return count;
}

/* acpi_cst_latency_sort: latencies ascend, types and addresses stay. */
static void sort_latencies(const struct linux_builder *builder, struct list *list)
{
    struct linux_cstate *kept[LINUX_CSTATES];
    uint32_t count = kept_states(list, kept);
    bool is_disordered = false;

    for (uint32_t i = 1; i < count; i++) {
        is_disordered |=
            kept[i]->type >= kept[i - 1]->type && kept[i]->latency_us < kept[i - 1]->latency_us;
    }
    if (!is_disordered || !linux_builder_holds(builder, LINUX_RULE_CST_LATENCY_SORT)) {
        return;
    }
    if (builder->view->idle.uncertain_why == NULL) {
        linux_say(builder, LINUX_MESSAGE_LATENCY_ORDER, CPU_NONE,
                  "FW issue: working around C-state latencies out of order");
    }
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t j = i; j > 0 && kept[j]->latency_us < kept[j - 1]->latency_us; j--) {
            uint64_t latency_us = kept[j]->latency_us;

            kept[j]->latency_us = kept[j - 1]->latency_us;
            kept[j - 1]->latency_us = latency_us;
            kept[j]->is_latency_sorted = kept[j - 1]->is_latency_sorted = true;
        }
    }
}

static void name_states(struct list *list)
{
    static const char *const names[] = {"C1", "C2", "C3", "C4", "C5", "C6", "C7"};
    uint32_t slot = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        struct linux_cstate *state = &list->states[i];

        state->residency_us = state->latency_us * 2;
        if (state->is_kept && slot < SLOTS_MAX) {
            state->name = names[slot++];
        } else {
            state->name = "-";
        }
    }
}

bool linux_has_e400(const struct platform *platform)
{
    const struct cpu_identity *identity = &platform->identity;
    uint64_t pending;
    bool is_affected =
        identity->vendor == VENDOR_AMD &&
        ((identity->family == 0x0F &&
          (identity->model > 0x41 || (identity->model == 0x41 && identity->stepping >= 2))) ||
         (identity->family == 0x10 &&
          (identity->model > 2 || (identity->model == 2 && identity->stepping >= 1))));

    return is_affected && linux_msr(platform, 0, MSR_INT_PENDING, &pending) &&
           (pending & 0x18000000U) != 0;
}

/* acpi_idle's states are numbered by their order: the limit is one of place. */
static void drop_beyond(const struct linux_builder *builder, const struct linux_idle *idle)
{
    uint32_t place = 0;

    for (uint32_t i = 0; i < idle->acpi_count; i++) {
        struct linux_cstate *state = &builder->view->idle_states[i];

        if (state->is_kept && ++place > idle->max_cstate) {
            state->is_kept = false;
            state->why = idle->max_cstate == 1 ? "processor limited to max C-state 1"
                                               : "processor limited to max C-state 2";
        }
    }
}

static void take_max_cstate(const struct linux_builder *builder, struct linux_idle *idle)
{
    const struct cpu_identity *identity = &builder->platform->identity;

    idle->max_cstate = 8;
    if (identity->vendor == VENDOR_AMD && identity->family == 0x0F && identity->model <= 5 &&
        identity->stepping < 0x0A) {
        idle->max_cstate = 1;
        idle->max_cstate_why = "AMD family 0Fh models 0 to 5 before stepping Ah";
    } else if (linux_has_e400(builder->platform)) {
        idle->max_cstate = 1;
        idle->max_cstate_why = "AMD erratum 400 (C1E): the timer stops in C1E";
    } else if (linux_quirk_applies(builder->platform, LINUX_QUIRK_ZV5000) ||
               linux_quirk_applies(builder->platform, LINUX_QUIRK_L8400B)) {
        idle->max_cstate = 1;
        idle->max_cstate_why = "a notebook that Linux knows by its SMBIOS names to hang in C2";
    } else if (linux_quirk_applies(builder->platform, LINUX_QUIRK_CLEVO_5600D)) {
        idle->max_cstate = 2;
        idle->max_cstate_why = "a notebook that Linux knows by its firmware version to hang in C3";
    }
    drop_beyond(builder, idle);
}

/* The PM timer's port as wait_for_freeze reads it: low 16 bits, whatever the address space. */
static uint16_t dummy_port(const struct fadt *fadt)
{
    uint64_t address =
        fadt->has_register[FADT_X_PM_TMR_BLK] ? fadt->reg[FADT_X_PM_TMR_BLK].address : 0;

    if (address == 0 && !fadt_has_flag(fadt, FADT_FLAG_HW_REDUCED)) {
        address = fadt_value(fadt, FADT_PM_TMR_BLK, 0);
    }
    return (uint16_t)address;
}

static void take_dummy_rule(const struct linux_builder *builder, struct linux_idle *idle)
{
    const struct cpu_identity *identity = &builder->platform->identity;
    bool is_guest = linux_builder_holds(builder, LINUX_RULE_DUMMY_WAIT_NO_GUEST);
    bool is_intel = linux_builder_holds(builder, LINUX_RULE_DUMMY_WAIT_INTEL);

    idle->dummy_rule_avail = AVAIL_PRESENT;
    idle->dummy_rule = true;
    idle->dummy_why = "this kernel reads the PM timer after every C-state port";
    if (identity->avail != AVAIL_PRESENT && (is_guest || is_intel)) {
        idle->dummy_rule_avail = AVAIL_UNTRIED;
        idle->dummy_rule = false;
        idle->dummy_why = "depends on vendor and hypervisor, and the CPU is not known";
    } else if (identity->is_hypervisor && is_guest) {
        idle->dummy_rule = false;
        idle->dummy_why = "skipped in a guest (since 5.5)";
    } else if (identity->vendor != VENDOR_INTEL && is_intel) {
        idle->dummy_rule = false;
        idle->dummy_why = "skipped on every vendor but Intel (since 6.0)";
    } else if (is_intel) {
        idle->dummy_why = "still read on bare-metal Intel";
    }
}

static void take_dummy_wait(const struct linux_builder *builder, struct linux_idle *idle)
{
    bool has_port = false;

    for (uint32_t i = 0; i < idle->acpi_count; i++) {
        has_port |= idle->acpi_states[i].is_kept && idle->acpi_states[i].entry == LINUX_ENTRY_IO;
    }
    take_dummy_rule(builder, idle);
    idle->dummy_port = dummy_port(&builder->platform->fadt);
    idle->dummy_wait = idle->dummy_rule && has_port && strcmp(idle->driver, "acpi_idle") == 0;
    if (idle->dummy_rule && !has_port) {
        idle->dummy_why = "this kernel would, but no idle state is entered by a port";
    } else if (idle->dummy_rule && !idle->dummy_wait) {
        idle->dummy_why = "this kernel would, but intel_idle enters every state by MWAIT";
    }
}

/* Only acpi_idle looks at bus masters: intel_idle enters a C3 by MWAIT as any other state. */
static void take_bus_master(const struct linux_builder *builder, struct linux_idle *idle)
{
    const struct platform *platform = builder->platform;
    struct bus_master bus_master = bus_master_of(platform);
    bool has_c3 = false;

    for (uint32_t i = 0; i < idle->acpi_count; i++) {
        has_c3 |= idle->acpi_states[i].is_kept && idle->acpi_states[i].type == 3;
    }
    if (!has_c3 || strcmp(idle->driver, "acpi_idle") != 0) {
        return;
    }
    if (platform->identity.vendor == VENDOR_UNKNOWN) {
        idle->bus_master = "what C3 does with caches depends on the CPU, which is not known";
    } else if (bus_master.is_checked && bus_master.is_controlled) {
        idle->bus_master = "C3 checks BM_STS, and switches the bus arbiter off (ARB_DIS) once "
                           "every CPU is in it; no cache flush";
    } else if (bus_master.is_checked) {
        idle->bus_master = "C3 checks BM_STS unless its register says not to; no ARB_DIS, no cache "
                           "flush";
    } else if (platform->identity.is_hypervisor) {
        idle->bus_master = "C3 would flush the caches (WBINVD); in a guest it does not";
    } else {
        idle->bus_master = "every C3 entry flushes the caches (WBINVD)";
    }
}

/* Whether a kept state is deep enough for the local timer to stop in it: type C2, or an MWAIT hint beyond C1. */
static bool has_deep_state(const struct linux_idle *idle)
{
    for (uint32_t i = 0; i < idle->count; i++) {
        const struct linux_cstate *state = &idle->states[i];

        if (state->is_kept &&
            (state->type > 1 || (state->type == 0 && (state->address & 0xF0) != 0))) {
            return true;
        }
    }
    return false;
}

static void take_lapic(const struct linux_builder *builder, struct linux_idle *idle)
{
    const struct platform *platform = builder->platform;
    const struct cpu_identity *identity = &platform->identity;

    idle->is_lapic_trusted = true;
    if (linux_has_e400(platform)) {
        idle->is_lapic_trusted = false;
        idle->lapic_why = "AMD erratum 400: broadcast timer from C1 on";
    } else if (cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_ARAT)) {
        idle->lapic_why = "ARAT (CPUID 6 EAX[2])";
    } else if ((identity->vendor == VENDOR_AMD && identity->family > 0x11) ||
               identity->vendor == VENDOR_HYGON) {
        idle->lapic_why = "Linux takes ARAT for granted on AMD above family 11h and on Hygon";
    } else if (identity->avail == AVAIL_PRESENT && !has_deep_state(idle)) {
        idle->lapic_why = "no ARAT, but no state is used in which the timer could stop";
    } else {
        idle->is_lapic_trusted = false;
        idle->lapic_why = identity->avail == AVAIL_PRESENT
                              ? "no ARAT: the broadcast timer is used from type C2 on"
                              : "the CPU is not known";
    }
}

static uint32_t count_sets(const struct platform *platform, enum object_kind kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < platform->sets_count; i++) {
        count += platform->sets[i]->kind == kind && !platform->sets[i]->is_repaired ? 1 : 0;
    }
    return count;
}

/* The list of one processor; returns why it has no C-states, or NULL. */
static const char *make_list(const struct linux_builder *builder, const struct processor *processor,
                             struct list *list)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_CST);
    const char *why = NULL;

    if (set != NULL) {
        why = take_cst(builder, processor, &set->cst, list);
    } else {
        take_fadt(builder, processor, list);
    }
    if (why == NULL) {
        sort_latencies(builder, list);
    }
    return why;
}

/* The list of the first CPU that has a processor object. */
static const char *take_acpi(const struct linux_builder *builder, struct linux_idle *idle)
{
    const struct platform *platform = builder->platform;
    const struct processor *processor = NULL;
    struct list list = {.states = builder->view->idle_states};
    const char *why;

    for (uint32_t cpu = 0; cpu < platform->cpus_count && processor == NULL; cpu++) {
        processor = platform_processor(platform, cpu);
    }
    if (processor == NULL) {
        idle->cpu = CPU_NONE;
        return "no CPU has a processor object";
    }
    idle->cpu = processor->cpu;
    if (platform->source != SOURCE_FIRMWARE && processor->objects[OBJECT_CST].hardware_reads != 0) {
        idle->uncertain_why = "_CST was evaluated from registers or memory that the dump does not "
                              "hold, which read as zero: latencies and ports are not certain";
    }
    why = make_list(builder, processor, &list);
    name_states(&list);
    idle->acpi_count = list.count;
    idle->acpi_states = list.states;
    return why;
}

/* A CPU whose _CST and kind are those of the one before says nothing new where that one said nothing. */
void linux_cst_messages_make(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct object_set *last_set = NULL;
    uint32_t last_kind = UINT32_MAX;
    bool was_silent = false;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);
        const struct object_set *set = platform_object_as_linux(processor, OBJECT_CST);
        struct list list = {.states = builder->scratch};
        uint32_t before = builder->view->messages_count;

        if (set == NULL || cpu == builder->view->idle.cpu ||
            (was_silent && set == last_set && platform->cpus[cpu].kind == last_kind)) {
            continue;
        }
        was_silent = make_list(builder, processor, &list) == NULL &&
                     builder->view->messages_count == before && list.kept == list.count;
        last_set = set;
        last_kind = platform->cpus[cpu].kind;
    }
}

static void choose_driver(const struct linux_builder *builder, const char *acpi_why,
                          struct linux_idle *idle)
{
    const char *intel_why = linux_intel_idle_make(builder, idle->acpi_states, idle->acpi_count);

    if (intel_why == NULL) {
        idle->driver = "intel_idle";
        return;
    }
    idle->count = idle->acpi_count;
    idle->states = idle->acpi_states;
    if (acpi_why == NULL) {
        idle->driver = "acpi_idle";
        idle->why = linux_text(builder, "intel_idle: %s", intel_why);
    } else {
        idle->driver = "none";
        idle->why = linux_text(builder, "intel_idle: %s; acpi_idle: %s", intel_why, acpi_why);
    }
}

void linux_idle_make(const struct linux_builder *builder)
{
    struct linux_idle *idle = &builder->view->idle;
    const struct processor *first = platform_processor(builder->platform, 0);
    const char *acpi_why = take_acpi(builder, idle);

    take_max_cstate(builder, idle);
    choose_driver(builder, acpi_why, idle);
    take_dummy_wait(builder, idle);
    take_bus_master(builder, idle);
    take_lapic(builder, idle);
    idle->cst_sets = count_sets(builder->platform, OBJECT_CST);
    if (platform_object_as_linux(first, OBJECT_LPI) != NULL) {
        idle->lpi_why = "_LPI is never used on x86: Linux has no probe for its entry methods there";
    }
    if (platform_object_as_linux(first, OBJECT_CSD) != NULL) {
        idle->csd_why = "_CSD is not evaluated, and _OSC bit 6 of the processor is never set";
    }
}
