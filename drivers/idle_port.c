#include "drivers/idle_port.h"

#include <stddef.h>

/* ACPI 6.5, 5.2.9, Table 5.9, P_LVL2_LAT: a value above 100 means that C2 is not supported. */
#define P_LVL2_LAT_MAX_US 100U
#define P_LVL2_LAT_NONE 0xFFFU

/* ACPI 6.5, 4.8.3.5: the processor block is six bytes, P_LVL2 at offset 4. */
#define PBLK_BYTES 6U
#define PBLK_P_LVL2 4U

#define PORT_MAX 0xFFFFU
#define TYPE_C2 2U
#define TYPE_C3 3U

static bool is_io_state(const struct cst_state *state, uint64_t type)
{
    return (state->valid & (1U << CST_TYPE)) != 0 && state->field[CST_TYPE] == type &&
           state->reg.avail == AVAIL_PRESENT && state->reg.gas.space == GAS_SYSTEM_IO &&
           state->reg.gas.address != 0 && state->reg.gas.address <= PORT_MAX;
}

static const struct cst_state *find_first(const struct cst *cst, uint64_t type)
{
    for (uint32_t i = 0; i < cst->states_count; i++) {
        if (is_io_state(&cst->states[i], type)) {
            return &cst->states[i];
        }
    }
    return NULL;
}

static const struct cst_state *find_last(const struct cst *cst, uint64_t type)
{
    for (uint32_t i = cst->states_count; i > 0; i--) {
        if (is_io_state(&cst->states[i - 1], type)) {
            return &cst->states[i - 1];
        }
    }
    return NULL;
}

/*
 * Where C3 keeps the caches coherent by itself and needs no arbiter: Linux 6.12
 * arch/x86/kernel/acpi/cstate.c acpi_processor_power_init_bm_check.
 */
static bool is_c3_coherent(const struct cpu_identity *identity)
{
    switch (identity->vendor) {
    case VENDOR_INTEL:
        return identity->family > 0xF || (identity->family == 6 && identity->model >= 0xF);
    case VENDOR_AMD:
        return identity->family >= 0x17;
    case VENDOR_ZHAOXIN:
        return true;
    case VENDOR_UNKNOWN:
    case VENDOR_HYGON:
    case VENDOR_CENTAUR:
    default:
        return false;
    }
}

static void take_state(const struct cst_state *state, const char *name, struct idle_port *ret_port)
{
    *ret_port = (struct idle_port){
        .port = (uint16_t)state->reg.gas.address,
        .state = name,
        .from = "_CST",
        .has_declared_latency = (state->valid & (1U << CST_LATENCY_US)) != 0,
        .declared_latency_us = state->field[CST_LATENCY_US],
    };
}

static const char *choose_from_cst(const struct platform *platform, const struct cst *cst,
                                   struct idle_port *ret_port)
{
    const struct cst_state *c2 = find_first(cst, TYPE_C2);
    const struct cst_state *c3 = find_last(cst, TYPE_C3);

    if (c2 != NULL) {
        take_state(c2, "C2", ret_port);
        return NULL;
    }
    if (c3 != NULL && is_c3_coherent(&platform->identity)) {
        take_state(c3, "C3", ret_port);
        return NULL;
    }
    return c3 == NULL ? "_CST has no state that is entered through an I/O port"
                      : "the only I/O state is C3, which on this CPU needs a cache flush or "
                        "bus-master arbitration";
}

/* ACPI 6.5, 5.2.9, Table 5.10, P_LVL2_UP: clear when C2 is only for machines with one processor. */
static const char *choose_from_pblk(const struct platform *platform,
                                    const struct processor *processor, struct idle_port *ret_port)
{
    uint64_t latency_us = fadt_value(&platform->fadt, FADT_P_LVL2_LAT, P_LVL2_LAT_NONE);

    if (processor->kind != PROCESSOR_OBJECT || processor->pblk_address == 0) {
        return "the machine has no P_LVL2 port: no P_BLK, and no _CST state in I/O space";
    }
    if (processor->pblk_length != PBLK_BYTES || processor->pblk_address > PORT_MAX - PBLK_P_LVL2) {
        return "the P_BLK is not six bytes in I/O space";
    }
    if (latency_us > P_LVL2_LAT_MAX_US) {
        return "P_LVL2_LAT says that there is no C2";
    }
    if (platform->cpus_count > 1 && !fadt_has_flag(&platform->fadt, FADT_FLAG_P_LVL2_UP)) {
        return "P_LVL2_UP says that C2 is only for machines with one processor";
    }
    *ret_port = (struct idle_port){
        .port = (uint16_t)(processor->pblk_address + PBLK_P_LVL2),
        .state = "C2",
        .from = "P_BLK",
        .has_declared_latency = true,
        .declared_latency_us = latency_us,
    };
    return NULL;
}

const char *idle_port_choose(const struct platform *platform, struct idle_port *ret_port)
{
    const struct processor *processor = platform_processor(platform, 0);
    const struct object_set *set;
    const char *cst_why = NULL;
    const char *why;

    *ret_port = (struct idle_port){0};
    if (processor == NULL) {
        return "no processor object belongs to the boot CPU";
    }
    set = platform_object_as_linux(processor, OBJECT_CST);
    if (set != NULL) {
        cst_why = choose_from_cst(platform, &set->cst, ret_port);
        if (cst_why == NULL) {
            return NULL;
        }
    }
    why = choose_from_pblk(platform, processor, ret_port);
    return why != NULL && cst_why != NULL && processor->pblk_address == 0 ? cst_why : why;
}

/*
 * CPUID 6 EAX[2], ARAT: SDM vol. 2A, CPUID, "Thermal and Power Management Leaf". Linux 6.12 sets it by
 * itself on AMD above family 11h and on Hygon (arch/x86/kernel/cpu/amd.c early_init_amd, hygon.c). A
 * hypervisor's timer does not stop with a guest's CPU.
 */
const char *idle_port_wake_risk(const struct platform *platform)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    const struct cpu_identity *identity = &platform->identity;

    if ((cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_ARAT)) || identity->is_hypervisor ||
        (identity->vendor == VENDOR_AMD && identity->family > 0x11) ||
        identity->vendor == VENDOR_HYGON) {
        return NULL;
    }
    return "the local APIC timer may stop in this state (CPUID 6 EAX[2], ARAT, is clear), and "
           "nothing else is set to wake the CPU";
}
