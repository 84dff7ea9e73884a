#include "drivers/bus_master.h"

#include "drivers/idle_plan.h"

#include <stddef.h>

#define BM_STS (UINT32_C(1) << 4)
#define BM_RLD (UINT32_C(1) << 1)
#define ARB_DIS UINT32_C(1)
/* ACPI 6.5, 4.8.3.2.1: SLP_EN and GBL_RLS are write-only and do something when a one is written. */
#define PM1_CNT_WRITE_ONLY (UINT32_C(1) << 13 | UINT32_C(1) << 2)
#define PORT_MAX 0xFFFFU

/* As Linux has it from ACPICA: the 64-bit register where the FADT has one, else the 32-bit block. */
static uint16_t port_of(const struct fadt *fadt, enum fadt_register reg, enum fadt_field field)
{
    uint64_t block = fadt_value(fadt, field, 0);

    if (fadt->has_register[reg] && fadt->reg[reg].address != 0) {
        block = fadt->reg[reg].space == GAS_SYSTEM_IO ? fadt->reg[reg].address : 0;
    }
    return block <= PORT_MAX ? (uint16_t)block : 0;
}

void bus_master_open(const struct platform *platform, struct bus_master *ret_bus)
{
    const struct fadt *fadt = &platform->fadt;

    *ret_bus = (struct bus_master){
        .status_port = {port_of(fadt, FADT_X_PM1A_EVT_BLK, FADT_PM1A_EVT_BLK),
                        port_of(fadt, FADT_X_PM1B_EVT_BLK, FADT_PM1B_EVT_BLK)},
        .control_port = {port_of(fadt, FADT_X_PM1A_CNT_BLK, FADT_PM1A_CNT_BLK),
                         port_of(fadt, FADT_X_PM1B_CNT_BLK, FADT_PM1B_CNT_BLK)},
        .arbiter_port = port_of(fadt, FADT_X_PM2_CNT_BLK, FADT_PM2_CNT_BLK),
        .is_forbidden = platform->options != NULL && platform->options->is_read_only};
}

/* Linux 6.12 arch/x86/kernel/acpi/cstate.c: the caches stay coherent and no arbiter is needed. */
static bool is_coherent(const struct cpu_identity *identity)
{
    switch (identity->vendor) {
    case VENDOR_INTEL:
        return identity->family > 0xF || (identity->family == 6 && identity->model >= 0xF);
    case VENDOR_AMD:
        return identity->family >= 0x17;
    case VENDOR_ZHAOXIN:
        return true;
    case VENDOR_CENTAUR:
        return identity->family > 6 ||
               (identity->family == 6 && identity->model == 0xF && identity->stepping >= 0xE);
    case VENDOR_UNKNOWN:
    case VENDOR_HYGON:
    default:
        return false;
    }
}

/* Likewise: bm_check is set for one CPU, for every Intel CPU, and where nothing else is needed. */
static bool has_check(const struct platform *platform)
{
    return platform->cpus_count == 1 || platform->identity.vendor == VENDOR_INTEL ||
           is_coherent(&platform->identity);
}

static bool has_arbiter(const struct platform *platform)
{
    const struct fadt *fadt = &platform->fadt;

    return !is_coherent(&platform->identity) && fadt_value(fadt, FADT_PM2_CNT_BLK, 0) != 0 &&
           fadt_value(fadt, FADT_PM2_CNT_LEN, 0) != 0;
}

uint8_t bus_master_needs(const struct platform *platform, bool is_from_cst,
                         const char **ret_refused)
{
    bool can_arbitrate = has_arbiter(platform);

    *ret_refused = NULL;
    if (!has_check(platform)) {
        if (!fadt_has_flag(&platform->fadt, FADT_FLAG_WBINVD)) {
            *ret_refused =
                "C3 on this CPU needs a cache flush, and the FADT (flag WBINVD) does not "
                "promise that WBINVD works";
        }
        /* A guest's host keeps the caches: Linux leaves the flush out there. */
        return platform->identity.is_hypervisor ? 0 : IDLE_BUS_FLUSH;
    }
    if (!can_arbitrate && !is_from_cst && !is_coherent(&platform->identity)) {
        *ret_refused = "C3 of the P_BLK needs bus-master arbitration, and the FADT has no PM2_CNT";
    }
    /* Arbitration goes off only when all CPUs are in C3: here that is one CPU alone. */
    return can_arbitrate && platform->cpus_count == 1 ? IDLE_BUS_CHECK | IDLE_BUS_ARBITER
                                                      : IDLE_BUS_CHECK;
}

static bool read16(const struct hw *hw, uint16_t port, uint32_t *ret_value)
{
    return hw->ops->port_read(hw, port, 2, ret_value) == STATUS_OK;
}

static bool write16(const struct hw *hw, uint16_t port, uint32_t value)
{
    return hw->ops->port_write(hw, port, 2, value) == STATUS_OK;
}

/* BM_STS is cleared by writing a one; the other bits of the register stay, since they are written as zero. */
static enum bus_master_state check_status(const struct bus_master *bus, const struct hw *hw)
{
    enum bus_master_state state = BUS_MASTER_QUIET;

    for (unsigned i = 0; i < BUS_MASTER_PM1; i++) {
        uint32_t status = 0;

        if (bus->status_port[i] == 0) {
            continue;
        }
        if (!read16(hw, bus->status_port[i], &status)) {
            return BUS_MASTER_FAILED;
        }
        if ((status & BM_STS) != 0) {
            state =
                write16(hw, bus->status_port[i], BM_STS) ? BUS_MASTER_ACTIVE : BUS_MASTER_FAILED;
        }
    }
    return state;
}

/* A bus master then ends the state. */
static bool enable_reload(struct bus_master *bus, const struct hw *hw)
{
    for (unsigned i = 0; i < BUS_MASTER_PM1; i++) {
        if (bus->control_port[i] == 0) {
            continue;
        }
        if (!read16(hw, bus->control_port[i], &bus->saved_control[i])) {
            return false;
        }
        bus->saved_control[i] &= ~PM1_CNT_WRITE_ONLY;
        if ((bus->saved_control[i] & BM_RLD) == 0) {
            bus->has_control[i] = write16(hw, bus->control_port[i], bus->saved_control[i] | BM_RLD);
            if (!bus->has_control[i]) {
                return false;
            }
        }
    }
    return true;
}

static bool disable_arbiter(struct bus_master *bus, const struct hw *hw)
{
    if (bus->arbiter_port == 0 ||
        hw->ops->port_read(hw, bus->arbiter_port, 1, &bus->saved_arbiter) != STATUS_OK) {
        return false;
    }
    bus->has_arbiter =
        hw->ops->port_write(hw, bus->arbiter_port, 1, bus->saved_arbiter | ARB_DIS) == STATUS_OK;
    return bus->has_arbiter;
}

enum bus_master_state bus_master_enter(struct bus_master *bus, const struct hw *hw, uint8_t wanted)
{
    enum bus_master_state state = BUS_MASTER_QUIET;

    bus->wanted = wanted;
    bus->has_arbiter = false;
    bus->has_control[0] = false;
    bus->has_control[1] = false;
    if ((wanted & (IDLE_BUS_CHECK | IDLE_BUS_ARBITER)) == 0) {
        return BUS_MASTER_QUIET;
    }
    if (bus->is_forbidden) {
        return BUS_MASTER_FAILED;
    }
    if ((wanted & IDLE_BUS_CHECK) != 0) {
        state = check_status(bus, hw);
    }
    if (state == BUS_MASTER_QUIET &&
        (!enable_reload(bus, hw) ||
         ((wanted & IDLE_BUS_ARBITER) != 0 && !disable_arbiter(bus, hw)))) {
        (void)!bus_master_leave(bus, hw);
        return BUS_MASTER_FAILED;
    }
    return state;
}

static bool restore_control(const struct bus_master *bus, const struct hw *hw, unsigned index)
{
    uint32_t value = 0;

    return write16(hw, bus->control_port[index], bus->saved_control[index]) &&
           read16(hw, bus->control_port[index], &value) &&
           (value & ~PM1_CNT_WRITE_ONLY) == bus->saved_control[index];
}

static bool restore_arbiter(const struct bus_master *bus, const struct hw *hw)
{
    uint32_t value = 0;

    return hw->ops->port_write(hw, bus->arbiter_port, 1, bus->saved_arbiter) == STATUS_OK &&
           hw->ops->port_read(hw, bus->arbiter_port, 1, &value) == STATUS_OK &&
           value == bus->saved_arbiter;
}

bool bus_master_leave(struct bus_master *bus, const struct hw *hw)
{
    bool is_same = !bus->has_arbiter || restore_arbiter(bus, hw);

    bus->has_arbiter = false;
    for (unsigned i = 0; i < BUS_MASTER_PM1; i++) {
        is_same = (!bus->has_control[i] || restore_control(bus, hw, i)) && is_same;
        bus->has_control[i] = false;
    }
    return is_same;
}
