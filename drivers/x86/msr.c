#include "drivers/x86/msr.h"

#include "drivers/x86/cpu.h"
#include "drivers/x86/fault.h"
#include "model/request_register.h"

#include <stddef.h>

/*
 * The whole list of MSRs that this program ever writes: these, which belong to our own timer, are put back
 * afterwards and are allowed in read-only mode too, and those of model/request_register.c.
 */
static const uint32_t lapic_msrs[] = {
    0x6E0, /* IA32_TSC_DEADLINE: SDM vol. 3A, 11.5.4.1 TSC-Deadline Mode */
    0x808, /* IA32_X2APIC_TPR: SDM vol. 3A, table 11-6 Local APIC Register Address Map */
    0x80B, /* IA32_X2APIC_EOI, same table */
    0x80F, /* IA32_X2APIC_SIVR, same table */
    0x830, /* IA32_X2APIC_ICR, same table */
    0x832, /* IA32_X2APIC_LVT_TIMER, same table */
    0x835, /* IA32_X2APIC_LVT_LINT0, same table */
    0x838, /* IA32_X2APIC_INIT_COUNT, same table */
    0x83E, /* IA32_X2APIC_DIV_CONF, same table */
};

static bool is_read_only;
static bool may_enable_cppc;
static bool may_enable_hwp;

void msr_set_read_only(void)
{
    is_read_only = true;
}

void msr_allow_one_way(bool cppc_enable, bool hwp_enable)
{
    may_enable_cppc = cppc_enable;
    may_enable_hwp = hwp_enable;
}

static bool is_lapic(uint32_t msr)
{
    for (size_t i = 0; i < sizeof(lapic_msrs) / sizeof(lapic_msrs[0]); i++) {
        if (lapic_msrs[i] == msr) {
            return true;
        }
    }
    return false;
}

static bool may_request(const struct request_register *request)
{
    if (request == NULL || is_read_only) {
        return false;
    }
    switch (request->one_way) {
    case ONE_WAY_CPPC:
        return may_enable_cppc;
    case ONE_WAY_HWP:
        return may_enable_hwp;
    case ONE_WAY_NOT:
    default:
        return true;
    }
}

bool msr_may_write(uint32_t msr)
{
    return is_lapic(msr) || may_request(request_register_find(msr));
}

enum avail msr_read(uint32_t msr, uint64_t *ret_value)
{
    if (!fault_is_attached()) {
        return AVAIL_UNTRIED;
    }
    return cpu_rdmsr(msr, ret_value) ? AVAIL_PRESENT : AVAIL_FAULTED;
}

/* Whether `value` differs from what a request register holds in no bit but those of its mask. */
static bool keeps_the_rest(const struct request_register *request, uint64_t value)
{
    uint64_t present = 0;

    return cpu_rdmsr(request->msr, &present) && ((present ^ value) & ~request->mask) == 0;
}

enum avail msr_write(uint32_t msr, uint64_t value)
{
    const struct request_register *request = request_register_find(msr);

    if (!msr_may_write(msr) || !fault_is_attached()) {
        return AVAIL_UNTRIED;
    }
    if (request != NULL && !keeps_the_rest(request, value)) {
        return AVAIL_UNTRIED;
    }
    return cpu_wrmsr(msr, value) ? AVAIL_PRESENT : AVAIL_FAULTED;
}
