#pragma once

#include "drivers/hw.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The hardware seam on the machine itself. What only the firmware knows or can do is given by the caller;
 * nothing here calls UEFI.
 */

/* A range of buses whose configuration space is memory-mapped: PCI Firmware Specification 3.3, 4.1.2
 * MCFG Table Description. */
struct pci_window {
    uint64_t base_paddr; /* of bus 0, whatever first_bus is */
    uint16_t segment;
    uint8_t first_bus;
    uint8_t last_bus;
};

#define NATIVE_WINDOWS 16

struct native_services {
    void *context;

    /* Whether `bytes` bytes at paddr may be read (or written) as memory or device memory; NULL: nothing may. */
    bool (*has_memory)(void *context, uint64_t paddr, unsigned bytes, bool is_write);

    /* The other CPUs, with the meaning of hw_ops.run_on_cpus; NULL: there is only the boot CPU. The
     * procedure runs with a fault handler attached (fault.h) on every CPU. */
    enum status (*run_on_cpus)(void *context, const struct hw *hw, uint32_t count,
                               const uint8_t *wanted, hw_procedure procedure, void *argument,
                               uint32_t timeout_ms, enum hw_run *ret_run);

    /* Waits with the firmware's help; NULL: by the TSC, see native_set_tsc_hz. */
    void (*stall_us)(void *context, uint64_t us);

    uint32_t windows_count;
    struct pci_window windows[NATIVE_WINDOWS];
};

struct native {
    struct hw hw; /* what the rest of the program gets */
    struct native_services services;
    uint64_t tsc_hz; /* 0 until known */
};

/* Prepares the back end in memory of the caller that is never freed. `services` is copied. With
 * is_read_only no MSR but the local APIC's can be written (msr.h). */
void native_init(struct native *native, const struct native_services *services, bool is_read_only);

/* From now on waits are counted in TSC ticks when there is no stall service. */
void native_set_tsc_hz(struct native *native, uint64_t tsc_hz);
