#pragma once

#include "model/avail.h"
#include "model/cpu_id.h"
#include "model/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The hardware seam: everything the program does to the machine goes through one struct hw. Back ends:
 * native (drivers/x86), record (wraps another and writes a trace), replay (answers from a machine
 * folder), and simulated machines in the tests, which are stricter than hardware.
 *
 * Obligations of a back end:
 * - An access is made once, at exactly the width asked for, never split or repeated.
 * - A failing access never stops the program: it gives an avail or a status, and leaves *ret untouched.
 * - cpuid, rdmsr, wrmsr and tsc act on the CPU that calls; they may be called inside run_on_cpus.
 */

/* In cpuid_leaf.leaf: this back end has no record of the leaf that was asked for. */
#define HW_CPUID_ABSENT UINT32_MAX

struct hw;

struct pci_address {
    uint16_t segment;
    uint8_t bus;
    uint8_t device;
    uint8_t function;
};

/* Runs on CPU `cpu`; may use only cpuid, rdmsr, wrmsr, tsc and ports of `hw`, and memory of its own slot. */
typedef void (*hw_procedure)(const struct hw *hw, uint32_t cpu, void *argument);

/* How a run on the other CPUs went, per CPU. */
enum hw_run { HW_RUN_DONE = 0, HW_RUN_NO_ANSWER, HW_RUN_NOT_STARTED };

struct hw_ops {
    /* CPUID with ECX = subleaf. Leaves beyond the maximum give whatever the CPU gives: callers check. A back
     * end that has no record of the leaf gives ret_leaf->leaf = HW_CPUID_ABSENT. */
    void (*cpuid)(const struct hw *hw, uint32_t leaf, uint32_t subleaf,
                  struct cpuid_leaf *ret_leaf);

    /* PRESENT and the value, FAULTED on #GP, ABSENT when a replay has no record of it, UNTRIED when
     * this back end cannot read MSRs. */
    enum avail (*rdmsr)(const struct hw *hw, uint32_t msr, uint64_t *ret_value);
    enum avail (*wrmsr)(const struct hw *hw, uint32_t msr, uint64_t value);

    /* A raw TSC sample on the calling CPU; a back end without time gives a constant. */
    uint64_t (*tsc)(const struct hw *hw);

    /* Port access of 1, 2 or 4 bytes. */
    enum status (*port_read)(const struct hw *hw, uint16_t port, unsigned bytes,
                             uint32_t *ret_value);
    enum status (*port_write)(const struct hw *hw, uint16_t port, unsigned bytes, uint32_t value);

    /* Physical memory, 1, 2, 4 or 8 bytes. NOT_FOUND when the address is not in the memory map (native)
     * or was not recorded (replay). */
    enum status (*memory_read)(const struct hw *hw, uint64_t paddr, unsigned bytes,
                               uint64_t *ret_value);
    enum status (*memory_write)(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                uint64_t value);

    /* PCI configuration space, 1, 2, 4 or 8 bytes at `offset`. */
    enum status (*pci_read)(const struct hw *hw, struct pci_address address, uint32_t offset,
                            unsigned bytes, uint64_t *ret_value);
    enum status (*pci_write)(const struct hw *hw, struct pci_address address, uint32_t offset,
                             unsigned bytes, uint64_t value);

    /* Waits about us microseconds without the firmware; a replay returns at once. */
    void (*stall_us)(const struct hw *hw, uint64_t us);

    /*
     * Runs procedure(hw, cpu, argument) once on each of the CPUs 0..count-1 whose `wanted` byte is
     * not 0, the calling one included, and says in ret_run[cpu] how it went. One start of the other
     * CPUs per call. After timeout_ms a CPU that has not come back is NO_ANSWER and must not be
     * used again; its slot of `argument` stays owned by it for ever.
     */
    enum status (*run_on_cpus)(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                               hw_procedure procedure, void *argument, uint32_t timeout_ms,
                               enum hw_run *ret_run);
};

struct hw {
    const struct hw_ops *ops;
    void *context;    /* the back end's own */
    const char *name; /* "native", "replay", ... */
    bool is_live;     /* real time passes and reads may be timed */
};
