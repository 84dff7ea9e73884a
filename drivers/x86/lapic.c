#include "drivers/x86/lapic.h"

#include "drivers/x86/msr.h"

/* IA32_APIC_BASE, SDM vol. 3A, 11.4.4 Local APIC Status and Location and 11.12.1: bit 11 global enable,
 * bit 10 x2APIC mode, base from bit 12 up. */
#define MSR_APIC_BASE 0x1BU
#define APIC_BASE_X2APIC (UINT64_C(1) << 10)
#define APIC_BASE_ENABLED (UINT64_C(1) << 11)
#define APIC_BASE_ADDRESS UINT64_C(0x000FFFFFFFFFF000)

#define MSR_X2APIC_FIRST 0x800U

enum status lapic_open(struct lapic *ret_lapic)
{
    uint64_t base;

    if (msr_read(MSR_APIC_BASE, &base) != AVAIL_PRESENT || (base & APIC_BASE_ENABLED) == 0) {
        return STATUS_UNSUPPORTED;
    }
    ret_lapic->is_x2apic = (base & APIC_BASE_X2APIC) != 0;
    ret_lapic->registers = (volatile uint32_t *)(uintptr_t)(base & APIC_BASE_ADDRESS);
    return STATUS_OK;
}

static uint32_t msr_of(uint32_t offset)
{
    return MSR_X2APIC_FIRST + offset / 16U;
}

static uint32_t read_at(const struct lapic *lapic, uint32_t offset)
{
    uint64_t value = 0;

    if (!lapic->is_x2apic) {
        return lapic->registers[offset / 4U];
    }
    return msr_read(msr_of(offset), &value) == AVAIL_PRESENT ? (uint32_t)value : 0;
}

uint32_t lapic_read(const struct lapic *lapic, enum lapic_register reg)
{
    return read_at(lapic, (uint32_t)reg);
}

void lapic_write(const struct lapic *lapic, enum lapic_register reg, uint32_t value)
{
    if (lapic->is_x2apic) {
        (void)msr_write(msr_of((uint32_t)reg), value);
    } else {
        lapic->registers[(uint32_t)reg / 4U] = value;
    }
}

/* Bit vector % 32 of register vector / 32: SDM vol. 3A, figure 11-20. */
static bool is_set(const struct lapic *lapic, enum lapic_register reg, unsigned vector)
{
    uint32_t bits = read_at(lapic, (uint32_t)reg + vector / 32U * 0x10U);

    return (bits >> vector % 32U & 1U) != 0;
}

bool lapic_is_in_service(const struct lapic *lapic, unsigned vector)
{
    return is_set(lapic, LAPIC_ISR, vector);
}

bool lapic_is_requested(const struct lapic *lapic, unsigned vector)
{
    return is_set(lapic, LAPIC_IRR, vector);
}

/* SDM vol. 3A, figure 11-12: delivery status in bit 12, destination from bit 24 of the upper half; figure
 * 11-28: in x2APIC mode the whole upper half is the destination. */
#define ICR_PENDING (UINT32_C(1) << 12)
#define ICR_ASSERT (UINT32_C(1) << 14)
#define ICR_LOOKS 1000U

void lapic_send(const struct lapic *lapic, uint32_t apic_id, unsigned vector)
{
    if (lapic->is_x2apic) {
        (void)msr_write(msr_of(LAPIC_ICR_LOW), (uint64_t)apic_id << 32 | ICR_ASSERT | vector);
        return;
    }
    for (unsigned i = 0; i < ICR_LOOKS && (read_at(lapic, LAPIC_ICR_LOW) & ICR_PENDING) != 0; i++) {
    }
    lapic_write(lapic, LAPIC_ICR_HIGH, apic_id << 24);
    lapic_write(lapic, LAPIC_ICR_LOW, ICR_ASSERT | vector);
}

void lapic_end_of_interrupt(const struct lapic *lapic)
{
    lapic_write(lapic, LAPIC_EOI, 0);
}
