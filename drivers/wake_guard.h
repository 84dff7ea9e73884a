#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * A second, independent source of interrupts for a CPU that no other CPU can watch: a comparator of the HPET that
 * nobody uses, by a message straight to the local APIC (FSB delivery) or through an input of the I/O APIC that is
 * masked. The main counter is never written and no comparator of the firmware's is touched. All that is changed is
 * put back and read again.
 *
 * Registers: IA-PC HPET specification 1.0a, 2.3; Intel 82093AA I/O APIC data sheet, 3.2; messages: SDM vol. 3A,
 * 11.11. 32-bit accesses, as Linux makes them (arch/x86/kernel/hpet.c).
 */
#define WAKE_GUARD_ROUTES 4U

struct wake_guard_route {
    uint32_t timer;
    bool is_fsb;
    uint32_t input; /* of the I/O APIC, where not FSB */
};

struct wake_guard_saved {
    uint32_t general; /* GEN_CONF */
    uint32_t config;  /* Tn_CONF [31:0] */
    uint32_t comparator[2];
    uint32_t fsb[2];
    uint32_t select; /* IOREGSEL */
    uint32_t entry[2];
};

struct wake_guard {
    const struct hw *hw;
    uint64_t hpet_paddr;
    uint64_t ioapic_paddr; /* 0: none is known whose inputs begin at 0 */
    uint64_t period_fs;
    uint32_t routes_count;
    struct wake_guard_route routes[WAKE_GUARD_ROUTES];

    /* While open. */
    bool is_open;
    const struct wake_guard_route *route;
    uint32_t config; /* Tn_CONF with the route and without its interrupt enabled */
    struct wake_guard_saved saved;
};

/* Looks for ways; changes nothing. NULL when there is one, else why there is none (static text). */
const char *wake_guard_find(struct wake_guard *guard, const struct hw *hw,
                            const struct platform *platform);

/* Opens a route of guard->routes: its interrupt will come to the local APIC with this id, at `vector`, edge-triggered.
 * Nothing comes before wake_guard_arm. False, and everything as it was, when that could not be written. */
bool wake_guard_open(struct wake_guard *guard, uint32_t route, uint32_t apic_id, uint8_t vector);

/* One interrupt, `ns` from now (at least a microsecond, at most a second), in the place of one that was asked for before;
 * 0: none. */
void wake_guard_arm(const struct wake_guard *guard, uint64_t ns);

/* Puts everything back; false when something reads otherwise afterwards. */
bool wake_guard_close(struct wake_guard *guard);
