#include "drivers/x86/native.h"

#include "drivers/x86/cpu.h"
#include "drivers/x86/msr.h"
#include "model/units.h"

#include <stddef.h>

/* Configuration mechanism #1: PCI Local Bus Specification 3.0, 3.2.2.3.2. */
#define PCI_ADDRESS_PORT 0xCF8
#define PCI_DATA_PORT 0xCFC
#define PCI_ADDRESS_ENABLE (UINT32_C(1) << 31)
#define PCI_LEGACY_BYTES 256U
#define PCI_FUNCTION_BYTES 4096U

/* Taken for the TSC rate while nothing better is known: too fast for any CPU, so a wait is too long
 * rather than too short. */
#define FASTEST_TSC_HZ UINT64_C(6000000000)

static const struct native *native_of(const struct hw *hw)
{
    return (const struct native *)hw->context;
}

static void native_cpuid(const struct hw *hw, uint32_t leaf, uint32_t subleaf,
                         struct cpuid_leaf *ret_leaf)
{
    (void)hw;
    cpu_cpuid(leaf, subleaf, ret_leaf);
}

static enum avail native_rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    (void)hw;
    return msr_read(msr, ret_value);
}

static enum avail native_wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    (void)hw;
    return msr_write(msr, value);
}

static uint64_t native_tsc(const struct hw *hw)
{
    (void)hw;
    return cpu_tsc();
}

static enum status native_port_read(const struct hw *hw, uint16_t port, unsigned bytes,
                                    uint32_t *ret_value)
{
    (void)hw;
    switch (bytes) {
    case 1:
        *ret_value = cpu_in8(port);
        return STATUS_OK;
    case 2:
        *ret_value = cpu_in16(port);
        return STATUS_OK;
    case 4:
        *ret_value = cpu_in32(port);
        return STATUS_OK;
    default:
        return STATUS_BAD_INPUT;
    }
}

static enum status native_port_write(const struct hw *hw, uint16_t port, unsigned bytes,
                                     uint32_t value)
{
    (void)hw;
    switch (bytes) {
    case 1:
        cpu_out8(port, (uint8_t)value);
        return STATUS_OK;
    case 2:
        cpu_out16(port, (uint16_t)value);
        return STATUS_OK;
    case 4:
        cpu_out32(port, value);
        return STATUS_OK;
    default:
        return STATUS_BAD_INPUT;
    }
}

static enum status load(uint64_t paddr, unsigned bytes, uint64_t *ret_value)
{
    uintptr_t at = (uintptr_t)paddr;

    switch (bytes) {
    case 1:
        *ret_value = *(volatile const uint8_t *)at;
        return STATUS_OK;
    case 2:
        *ret_value = *(volatile const uint16_t *)at;
        return STATUS_OK;
    case 4:
        *ret_value = *(volatile const uint32_t *)at;
        return STATUS_OK;
    case 8:
        *ret_value = *(volatile const uint64_t *)at;
        return STATUS_OK;
    default:
        return STATUS_BAD_INPUT;
    }
}

static enum status store(uint64_t paddr, unsigned bytes, uint64_t value)
{
    uintptr_t at = (uintptr_t)paddr;

    switch (bytes) {
    case 1:
        *(volatile uint8_t *)at = (uint8_t)value;
        return STATUS_OK;
    case 2:
        *(volatile uint16_t *)at = (uint16_t)value;
        return STATUS_OK;
    case 4:
        *(volatile uint32_t *)at = (uint32_t)value;
        return STATUS_OK;
    case 8:
        *(volatile uint64_t *)at = value;
        return STATUS_OK;
    default:
        return STATUS_BAD_INPUT;
    }
}

static bool has_memory(const struct hw *hw, uint64_t paddr, unsigned bytes, bool is_write)
{
    const struct native_services *services = &native_of(hw)->services;

    return services->has_memory != NULL &&
           services->has_memory(services->context, paddr, bytes, is_write);
}

static enum status native_memory_read(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                      uint64_t *ret_value)
{
    return has_memory(hw, paddr, bytes, false) ? load(paddr, bytes, ret_value) : STATUS_NOT_FOUND;
}

static enum status native_memory_write(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                       uint64_t value)
{
    return has_memory(hw, paddr, bytes, true) ? store(paddr, bytes, value) : STATUS_NOT_FOUND;
}

static bool is_pci_access(struct pci_address address, uint32_t offset, unsigned bytes)
{
    return address.device < 32 && address.function < 8 &&
           (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && offset < PCI_FUNCTION_BYTES &&
           offset % bytes == 0;
}

/* The memory address of a register by the windows; 0 when none covers it. One megabyte a bus, 32 KiB a
 * device, 4 KiB a function: PCI Express Base Specification 5.0, 7.2.2 ECAM. */
static uint64_t window_paddr(const struct native *native, struct pci_address address,
                             uint32_t offset)
{
    for (uint32_t i = 0; i < native->services.windows_count && i < NATIVE_WINDOWS; i++) {
        const struct pci_window *window = &native->services.windows[i];

        if (window->segment == address.segment && address.bus >= window->first_bus &&
            address.bus <= window->last_bus && window->base_paddr != 0) {
            return window->base_paddr + ((uint64_t)address.bus << 20) +
                   ((uint64_t)address.device << 15) + ((uint64_t)address.function << 12) + offset;
        }
    }
    return 0;
}

static bool is_legacy(struct pci_address address, uint32_t offset, unsigned bytes)
{
    return address.segment == 0 && offset < PCI_LEGACY_BYTES && bytes <= 4;
}

/* The address port is shared with the firmware's drivers, which may run in a timer interrupt: interrupts
 * stay off between the two accesses and the old address is put back. */
struct legacy_access {
    uint64_t rflags;
    uint32_t old_address;
    uint16_t data_port;
};

static struct legacy_access begin_legacy(struct pci_address address, uint32_t offset)
{
    struct legacy_access access = {.rflags = cpu_disable_interrupts(),
                                   .old_address = cpu_in32(PCI_ADDRESS_PORT),
                                   .data_port = (uint16_t)(PCI_DATA_PORT + (offset & 3U))};

    cpu_out32(PCI_ADDRESS_PORT, PCI_ADDRESS_ENABLE | (uint32_t)address.bus << 16 |
                                    (uint32_t)address.device << 11 |
                                    (uint32_t)address.function << 8 | (offset & 0xFCU));
    return access;
}

static void end_legacy(const struct legacy_access *access)
{
    cpu_out32(PCI_ADDRESS_PORT, access->old_address);
    cpu_restore_flags(access->rflags);
}

static enum status native_pci_read(const struct hw *hw, struct pci_address address, uint32_t offset,
                                   unsigned bytes, uint64_t *ret_value)
{
    uint64_t paddr = window_paddr(native_of(hw), address, offset);
    struct legacy_access access;
    uint32_t value = 0;
    enum status status;

    if (!is_pci_access(address, offset, bytes)) {
        return STATUS_BAD_INPUT;
    }
    if (!is_legacy(address, offset, bytes)) {
        return paddr == 0 ? STATUS_UNSUPPORTED : load(paddr, bytes, ret_value);
    }
    access = begin_legacy(address, offset);
    status = native_port_read(hw, access.data_port, bytes, &value);
    end_legacy(&access);
    if (status == STATUS_OK) {
        *ret_value = value;
    }
    return status;
}

static enum status native_pci_write(const struct hw *hw, struct pci_address address,
                                    uint32_t offset, unsigned bytes, uint64_t value)
{
    uint64_t paddr = window_paddr(native_of(hw), address, offset);
    struct legacy_access access;
    enum status status;

    if (!is_pci_access(address, offset, bytes)) {
        return STATUS_BAD_INPUT;
    }
    if (!is_legacy(address, offset, bytes)) {
        return paddr == 0 ? STATUS_UNSUPPORTED : store(paddr, bytes, value);
    }
    access = begin_legacy(address, offset);
    status = native_port_write(hw, access.data_port, bytes, (uint32_t)value);
    end_legacy(&access);
    return status;
}

static void native_stall_us(const struct hw *hw, uint64_t us)
{
    const struct native *native = native_of(hw);
    uint64_t start_tsc = cpu_tsc();
    uint64_t hz = native->tsc_hz == 0 ? FASTEST_TSC_HZ : native->tsc_hz;
    uint64_t wait_tsc = mul_div_u64(us, hz, 1000000);

    if (native->services.stall_us != NULL) {
        native->services.stall_us(native->services.context, us);
        return;
    }
    while (cpu_tsc() - start_tsc < wait_tsc) {
        cpu_pause();
    }
}

static enum status run_here(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                            hw_procedure procedure, void *argument, enum hw_run *ret_run)
{
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        ret_run[cpu] = HW_RUN_NOT_STARTED;
    }
    if (count > 0 && wanted[0] != 0) {
        procedure(hw, 0, argument);
        ret_run[0] = HW_RUN_DONE;
    }
    return STATUS_OK;
}

/* Seven parameters are the contract of hw.h. NOLINTNEXTLINE(readability-function-size) */
static enum status native_run_on_cpus(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                                      hw_procedure procedure, void *argument, uint32_t timeout_ms,
                                      enum hw_run *ret_run)
{
    const struct native_services *services = &native_of(hw)->services;

    if (services->run_on_cpus == NULL) {
        return run_here(hw, count, wanted, procedure, argument, ret_run);
    }
    return services->run_on_cpus(services->context, hw, count, wanted, procedure, argument,
                                 timeout_ms, ret_run);
}

static const struct hw_ops native_ops = {
    .cpuid = native_cpuid,
    .rdmsr = native_rdmsr,
    .wrmsr = native_wrmsr,
    .tsc = native_tsc,
    .port_read = native_port_read,
    .port_write = native_port_write,
    .memory_read = native_memory_read,
    .memory_write = native_memory_write,
    .pci_read = native_pci_read,
    .pci_write = native_pci_write,
    .stall_us = native_stall_us,
    .run_on_cpus = native_run_on_cpus,
};

void native_init(struct native *native, const struct native_services *services, bool is_read_only)
{
    native->hw =
        (struct hw){.ops = &native_ops, .context = native, .name = "native", .is_live = true};
    native->services = *services;
    native->tsc_hz = 0;
    if (is_read_only) {
        msr_set_read_only();
    }
}

void native_set_tsc_hz(struct native *native, uint64_t tsc_hz)
{
    native->tsc_hz = tsc_hz;
}
