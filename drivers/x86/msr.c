#include "drivers/x86/msr.h"

#include "drivers/x86/cpu.h"
#include "drivers/x86/fault.h"

#include <stddef.h>

/* The whole list of MSRs that this program ever writes. */
struct writable_msr {
    uint32_t msr;
    bool is_lapic; /* our own timer, put back afterwards: allowed in read-only mode too */
};

static const struct writable_msr writable_msrs[] = {
    {0x6E0, true}, /* IA32_TSC_DEADLINE: SDM vol. 3A, 11.5.4.1 TSC-Deadline Mode */
    {0x808, true}, /* IA32_X2APIC_TPR: SDM vol. 3A, table 11-6 Local APIC Register Address Map */
    {0x80B, true}, /* IA32_X2APIC_EOI, same table */
    {0x80F, true}, /* IA32_X2APIC_SIVR, same table */
    {0x830, true}, /* IA32_X2APIC_ICR, same table */
    {0x832, true}, /* IA32_X2APIC_LVT_TIMER, same table */
    {0x835, true}, /* IA32_X2APIC_LVT_LINT0, same table */
    {0x838, true}, /* IA32_X2APIC_INIT_COUNT, same table */
    {0x83E, true}, /* IA32_X2APIC_DIV_CONF, same table */
};

static bool is_read_only;

void msr_set_read_only(void)
{
    is_read_only = true;
}

bool msr_may_write(uint32_t msr)
{
    for (size_t i = 0; i < sizeof(writable_msrs) / sizeof(writable_msrs[0]); i++) {
        if (writable_msrs[i].msr == msr) {
            return writable_msrs[i].is_lapic || !is_read_only;
        }
    }
    return false;
}

enum avail msr_read(uint32_t msr, uint64_t *ret_value)
{
    if (!fault_is_attached()) {
        return AVAIL_UNTRIED;
    }
    return cpu_rdmsr(msr, ret_value) ? AVAIL_PRESENT : AVAIL_FAULTED;
}

enum avail msr_write(uint32_t msr, uint64_t value)
{
    if (!msr_may_write(msr) || !fault_is_attached()) {
        return AVAIL_UNTRIED;
    }
    return cpu_wrmsr(msr, value) ? AVAIL_PRESENT : AVAIL_FAULTED;
}
