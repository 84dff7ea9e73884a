#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * What ACPI asks for around a C3 whose caches do not stay coherent by themselves, as Linux 6.12 does it
 * (drivers/acpi/processor_idle.c acpi_idle_enter_bm, arch/x86/kernel/acpi/cstate.c
 * acpi_processor_power_init_bm_check): BM_STS is looked at and cleared; bus masters may end the state
 * (BM_RLD), or are kept off the bus meanwhile (ARB_DIS). ACPI 6.5, 4.8.3.1.1 PM1 Status (BM_STS, bit 4),
 * 4.8.3.2.1 PM1 Control (BM_RLD, bit 1), 4.8.3.4 PM2 Control (ARB_DIS, bit 0), 8.1.4 Processor Power State C3.
 *
 * These five registers are the only ones that are written, and only between bus_master_enter and
 * bus_master_leave, which puts back what was there and reads it again.
 */
#define BUS_MASTER_PM1 2U /* PM1a and PM1b */

struct bus_master {
    uint16_t status_port[BUS_MASTER_PM1];  /* PM1x_STS; 0: not there */
    uint16_t control_port[BUS_MASTER_PM1]; /* PM1x_CNT */
    uint16_t arbiter_port;                 /* PM2_CNT */
    bool is_forbidden;                     /* --read-only: nothing is written */

    /* While entered. */
    uint8_t wanted; /* enum idle_bus of the way */
    uint32_t saved_control[BUS_MASTER_PM1];
    uint32_t saved_arbiter;
    bool has_control[BUS_MASTER_PM1];
    bool has_arbiter;
};

/* Finds the registers in the FADT. */
void bus_master_open(const struct platform *platform, struct bus_master *ret_bus);

/* What Linux would do around a C3 entry on this machine (IDLE_BUS_* of model/idle.h), or in *ret_refused why
 * the state is not to be entered at all. `is_from_cst`: _CST names the state, not the P_BLK. */
uint8_t bus_master_needs(const struct platform *platform, bool is_from_cst,
                         const char **ret_refused);

enum bus_master_state {
    BUS_MASTER_QUIET = 0, /* entered: the state may be */
    BUS_MASTER_ACTIVE, /* BM_STS was set and is cleared; Linux would take a shallower state now */
    BUS_MASTER_FAILED  /* a register could not be read or written */
};

/* Right before the entry. After QUIET bus_master_leave must follow; after the others nothing is left changed. */
enum bus_master_state bus_master_enter(struct bus_master *bus, const struct hw *hw, uint8_t wanted);

/* Right after it. False when a register did not take its old value back. */
bool bus_master_leave(struct bus_master *bus, const struct hw *hw) MUST_CHECK;
