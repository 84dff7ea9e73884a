#pragma once

#include "drivers/hw.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A simulated machine, stricter than a real one: an access to something that was not declared fails the test,
 * unless is_lenient is set (then it gives what a back end gives for absent things and is counted). CPUs run in
 * turn. Time stands still but for stalls: the TSC is 1 GHz and counts stalled microseconds.
 */
#define SIM_ANY_CPU UINT32_MAX
#define SIM_HW_ROOM 512

struct sim_cpuid {
    uint32_t cpu;
    struct cpuid_leaf leaf;
};

struct sim_msr {
    uint32_t cpu;
    uint32_t msr;
    enum avail avail; /* PRESENT or FAULTED */
    uint64_t value;
    uint32_t reads;
};

struct sim_cell {
    enum { SIM_MEMORY, SIM_PORT, SIM_PCI } kind;
    uint64_t address;
    unsigned bytes;
    uint64_t value;
    uint32_t reads;
    uint32_t writes;
};

struct sim_hw {
    struct hw hw; /* hand out &sim->hw */
    bool is_lenient;
    uint32_t undeclared;
    uint32_t cpu; /* the CPU that runs now */
    uint32_t cpuids_count;
    struct sim_cpuid cpuids[SIM_HW_ROOM];
    uint32_t msrs_count;
    struct sim_msr msrs[SIM_HW_ROOM];
    uint32_t cells_count;
    struct sim_cell cells[SIM_HW_ROOM];
    uint64_t silent_cpus; /* bit n: CPU n does not answer */
    uint32_t runs;        /* calls of run_on_cpus */
    uint64_t stalled_us;
    /* Called after a write to a cell, e.g. to answer a doorbell; may be NULL. */
    void (*on_write)(struct sim_hw *sim, struct sim_cell *cell);
    /* Called for a write to a declared MSR instead of refusing it; may be NULL. */
    enum avail (*on_wrmsr)(struct sim_hw *sim, struct sim_msr *msr, uint64_t value);
};

void sim_hw_init(struct sim_hw *sim);

/* Declares a leaf; a CPU's own beats SIM_ANY_CPU. Undeclared subleaves of a declared leaf read as zero. */
void sim_hw_cpuid(struct sim_hw *sim, uint32_t cpu, struct cpuid_leaf leaf);
void sim_hw_msr(struct sim_hw *sim, uint32_t cpu, uint32_t msr, uint64_t value);
void sim_hw_msr_fault(struct sim_hw *sim, uint32_t cpu, uint32_t msr);

/* Declares a cell of memory, I/O or PCI space that is accessed at exactly this width. */
struct sim_cell *sim_hw_memory(struct sim_hw *sim, uint64_t paddr, unsigned bytes, uint64_t value);
struct sim_cell *sim_hw_port(struct sim_hw *sim, uint16_t port, unsigned bytes, uint32_t value);
struct sim_cell *sim_hw_pci(struct sim_hw *sim, struct pci_address address, uint32_t offset,
                            unsigned bytes, uint64_t value);

/* The cell that was declared there, or NULL. */
struct sim_cell *sim_hw_find(struct sim_hw *sim, int kind, uint64_t address, unsigned bytes);
