#pragma once

#include "model/status.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The local APIC of the calling CPU, by memory (xAPIC) or by MSRs (x2APIC), whichever IA32_APIC_BASE
 * says is on. The registers are named by their xAPIC offset: SDM vol. 3A, table 11-1 Local APIC Register
 * Address Map; the MSR of each is 800H + offset / 16 (table 11-6).
 */
enum lapic_register {
    LAPIC_ID = 0x020,
    LAPIC_TPR = 0x080,
    LAPIC_EOI = 0x0B0,
    LAPIC_SVR = 0x0F0,
    LAPIC_ISR = 0x100, /* eight registers of 32 vectors, 10H apart */
    LAPIC_IRR = 0x200, /* likewise */
    LAPIC_ICR_LOW = 0x300,
    LAPIC_ICR_HIGH = 0x310, /* xAPIC only: in x2APIC mode ICR_LOW is one MSR of 64 bits */
    LAPIC_LVT_TIMER = 0x320,
    LAPIC_LVT_LINT0 = 0x350,
    LAPIC_INITIAL_COUNT = 0x380,
    LAPIC_CURRENT_COUNT = 0x390,
    LAPIC_DIVIDE = 0x3E0
};

#define LAPIC_SVR_ENABLED (UINT32_C(1) << 8)          /* SDM vol. 3A, figure 11-23 */
#define LAPIC_LVT_DELIVERY_STATUS (UINT32_C(1) << 12) /* figure 11-8, read only */
#define LAPIC_LVT_MASKED (UINT32_C(1) << 16)          /* figure 11-8 */
#define LAPIC_TIMER_MODE (UINT32_C(3) << 17)          /* figure 11-8, LVT timer only */
#define LAPIC_TIMER_ONE_SHOT UINT32_C(0)
#define LAPIC_TIMER_PERIODIC (UINT32_C(1) << 17)
#define LAPIC_TIMER_DEADLINE (UINT32_C(2) << 17)
#define LAPIC_DIVIDE_BY_1 UINT32_C(0xB) /* figure 11-10 */

struct lapic {
    bool is_x2apic;
    volatile uint32_t *registers; /* xAPIC only: 4 KiB, memory-mapped */
};

/* UNSUPPORTED when the local APIC is switched off or IA32_APIC_BASE cannot be read. */
enum status lapic_open(struct lapic *ret_lapic) MUST_CHECK;

uint32_t lapic_read(const struct lapic *lapic, enum lapic_register reg);
void lapic_write(const struct lapic *lapic, enum lapic_register reg, uint32_t value);

/* Whether a vector is being served, or waits to be. */
bool lapic_is_in_service(const struct lapic *lapic, unsigned vector);
bool lapic_is_requested(const struct lapic *lapic, unsigned vector);

/* Sends a fixed interrupt to the local APIC with this id: SDM vol. 3A, 11.6.1 Interrupt Command Register. */
void lapic_send(const struct lapic *lapic, uint32_t apic_id, unsigned vector);

/* Ends the interrupt in service with the highest priority. */
void lapic_end_of_interrupt(const struct lapic *lapic);
