#include "tests/sim/sim_hw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct sim_hw *sim_of(const struct hw *hw)
{
    return hw->context;
}

/* Notes an access to something that is not there; does not return in a strict machine. */
static void refuse(struct sim_hw *sim, const char *what, uint64_t address, unsigned bytes)
{
    sim->undeclared++;
    if (!sim->is_lenient) {
        fail_msg("undeclared access: %s 0x%llx, %u bytes, CPU %u", what,
                 (unsigned long long)address, bytes, sim->cpu);
    }
}

static void sim_cpuid(const struct hw *hw, uint32_t leaf, uint32_t subleaf,
                      struct cpuid_leaf *ret_leaf)
{
    struct sim_hw *sim = sim_of(hw);
    const struct cpuid_leaf *found = NULL;
    bool is_leaf_known = false;

    for (uint32_t i = 0; i < sim->cpuids_count; i++) {
        const struct sim_cpuid *declared = &sim->cpuids[i];

        if (declared->leaf.leaf != leaf ||
            (declared->cpu != sim->cpu && declared->cpu != SIM_ANY_CPU)) {
            continue;
        }
        is_leaf_known = true;
        if (declared->leaf.subleaf == subleaf && (found == NULL || declared->cpu == sim->cpu)) {
            found = &declared->leaf;
        }
    }
    *ret_leaf = (struct cpuid_leaf){.leaf = leaf, .subleaf = subleaf};
    if (found != NULL) {
        *ret_leaf = *found;
    } else if (!is_leaf_known) {
        refuse(sim, "CPUID", leaf, 0);
        ret_leaf->leaf = HW_CPUID_ABSENT;
    }
}

static struct sim_msr *find_msr(struct sim_hw *sim, uint32_t msr)
{
    struct sim_msr *found = NULL;

    for (uint32_t i = 0; i < sim->msrs_count; i++) {
        struct sim_msr *declared = &sim->msrs[i];

        if (declared->msr == msr &&
            (declared->cpu == sim->cpu || (declared->cpu == SIM_ANY_CPU && found == NULL))) {
            found = declared;
        }
    }
    return found;
}

static enum avail sim_rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    struct sim_hw *sim = sim_of(hw);
    struct sim_msr *found = find_msr(sim, msr);

    if (found == NULL) {
        refuse(sim, "RDMSR", msr, 8);
        return AVAIL_FAULTED;
    }
    found->reads++;
    if (found->avail == AVAIL_PRESENT) {
        *ret_value = found->value;
    }
    return found->avail;
}

/* No test may write MSRs unnoticed. */
static enum avail sim_wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    struct sim_hw *sim = sim_of(hw);
    struct sim_msr *found = sim->on_wrmsr == NULL ? NULL : find_msr(sim, msr);

    if (found != NULL) {
        return sim->on_wrmsr(sim, found, value);
    }
    refuse(sim_of(hw), "WRMSR", msr, 8);
    return AVAIL_FAULTED;
}

static uint64_t sim_tsc(const struct hw *hw)
{
    return sim_of(hw)->stalled_us * 1000;
}

static enum status cell_read(struct sim_hw *sim, int kind, uint64_t address, unsigned bytes,
                             uint64_t *ret_value)
{
    struct sim_cell *cell = sim_hw_find(sim, kind, address, bytes);

    if (cell == NULL) {
        refuse(sim, kind == SIM_MEMORY ? "memory read" : "register read", address, bytes);
        return STATUS_NOT_FOUND;
    }
    cell->reads++;
    *ret_value = cell->value;
    return STATUS_OK;
}

static enum status cell_write(struct sim_hw *sim, int kind, uint64_t address, unsigned bytes,
                              uint64_t value)
{
    struct sim_cell *cell = sim_hw_find(sim, kind, address, bytes);

    if (cell == NULL) {
        refuse(sim, kind == SIM_MEMORY ? "memory write" : "register write", address, bytes);
        return STATUS_NOT_FOUND;
    }
    cell->writes++;
    cell->value = value;
    if (sim->on_write != NULL) {
        sim->on_write(sim, cell);
    }
    return STATUS_OK;
}

static enum status sim_port_read(const struct hw *hw, uint16_t port, unsigned bytes,
                                 uint32_t *ret_value)
{
    uint64_t value = 0;
    enum status status = cell_read(sim_of(hw), SIM_PORT, port, bytes, &value);

    if (status == STATUS_OK) {
        *ret_value = (uint32_t)value;
    }
    return status;
}

static enum status sim_port_write(const struct hw *hw, uint16_t port, unsigned bytes,
                                  uint32_t value)
{
    return cell_write(sim_of(hw), SIM_PORT, port, bytes, value);
}

static enum status sim_memory_read(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                   uint64_t *ret_value)
{
    return cell_read(sim_of(hw), SIM_MEMORY, paddr, bytes, ret_value);
}

static enum status sim_memory_write(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                    uint64_t value)
{
    return cell_write(sim_of(hw), SIM_MEMORY, paddr, bytes, value);
}

static uint64_t pci_key(struct pci_address address, uint32_t offset)
{
    return (uint64_t)address.segment << 32 | (uint64_t)address.bus << 24 |
           (uint64_t)address.device << 19 | (uint64_t)address.function << 16 | offset;
}

static enum status sim_pci_read(const struct hw *hw, struct pci_address address, uint32_t offset,
                                unsigned bytes, uint64_t *ret_value)
{
    return cell_read(sim_of(hw), SIM_PCI, pci_key(address, offset), bytes, ret_value);
}

static enum status sim_pci_write(const struct hw *hw, struct pci_address address, uint32_t offset,
                                 unsigned bytes, uint64_t value)
{
    return cell_write(sim_of(hw), SIM_PCI, pci_key(address, offset), bytes, value);
}

static void sim_stall_us(const struct hw *hw, uint64_t us)
{
    sim_of(hw)->stalled_us += us;
}

static enum status sim_run_on_cpus(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                                   hw_procedure procedure, void *argument, uint32_t timeout_ms,
                                   enum hw_run *ret_run)
{
    struct sim_hw *sim = sim_of(hw);
    uint32_t caller = sim->cpu;

    assert_true(timeout_ms > 0);
    sim->runs++;
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        ret_run[cpu] = HW_RUN_NOT_STARTED;
        if (wanted[cpu] == 0) {
            continue;
        }
        if (cpu < 64 && (sim->silent_cpus >> cpu & 1) != 0) {
            ret_run[cpu] = HW_RUN_NO_ANSWER;
            continue;
        }
        sim->cpu = cpu;
        procedure(hw, cpu, argument);
        ret_run[cpu] = HW_RUN_DONE;
    }
    sim->cpu = caller;
    return STATUS_OK;
}

static const struct hw_ops sim_ops = {
    .cpuid = sim_cpuid,
    .rdmsr = sim_rdmsr,
    .wrmsr = sim_wrmsr,
    .tsc = sim_tsc,
    .port_read = sim_port_read,
    .port_write = sim_port_write,
    .memory_read = sim_memory_read,
    .memory_write = sim_memory_write,
    .pci_read = sim_pci_read,
    .pci_write = sim_pci_write,
    .stall_us = sim_stall_us,
    .run_on_cpus = sim_run_on_cpus,
};

void sim_hw_init(struct sim_hw *sim)
{
    memset(sim, 0, sizeof(*sim));
    sim->hw = (struct hw){.ops = &sim_ops, .context = sim, .name = "simulated", .is_live = true};
}

void sim_hw_cpuid(struct sim_hw *sim, uint32_t cpu, struct cpuid_leaf leaf)
{
    assert_true(sim->cpuids_count < SIM_HW_ROOM);
    sim->cpuids[sim->cpuids_count++] = (struct sim_cpuid){cpu, leaf};
}

static struct sim_msr *add_msr(struct sim_hw *sim, uint32_t cpu, uint32_t msr)
{
    assert_true(sim->msrs_count < SIM_HW_ROOM);
    sim->msrs[sim->msrs_count] = (struct sim_msr){.cpu = cpu, .msr = msr};
    return &sim->msrs[sim->msrs_count++];
}

void sim_hw_msr(struct sim_hw *sim, uint32_t cpu, uint32_t msr, uint64_t value)
{
    struct sim_msr *added = add_msr(sim, cpu, msr);

    added->avail = AVAIL_PRESENT;
    added->value = value;
}

void sim_hw_msr_fault(struct sim_hw *sim, uint32_t cpu, uint32_t msr)
{
    add_msr(sim, cpu, msr)->avail = AVAIL_FAULTED;
}

struct sim_cell *sim_hw_find(struct sim_hw *sim, int kind, uint64_t address, unsigned bytes)
{
    for (uint32_t i = 0; i < sim->cells_count; i++) {
        struct sim_cell *cell = &sim->cells[i];

        if ((int)cell->kind == kind && cell->address == address && cell->bytes == bytes) {
            return cell;
        }
    }
    return NULL;
}

static struct sim_cell *add_cell(struct sim_hw *sim, struct sim_cell cell)
{
    assert_true(sim->cells_count < SIM_HW_ROOM);
    sim->cells[sim->cells_count] = cell;
    return &sim->cells[sim->cells_count++];
}

struct sim_cell *sim_hw_memory(struct sim_hw *sim, uint64_t paddr, unsigned bytes, uint64_t value)
{
    return add_cell(sim, (struct sim_cell){
                             .kind = SIM_MEMORY, .address = paddr, .bytes = bytes, .value = value});
}

struct sim_cell *sim_hw_port(struct sim_hw *sim, uint16_t port, unsigned bytes, uint32_t value)
{
    return add_cell(
        sim, (struct sim_cell){.kind = SIM_PORT, .address = port, .bytes = bytes, .value = value});
}

struct sim_cell *sim_hw_pci(struct sim_hw *sim, struct pci_address address, uint32_t offset,
                            unsigned bytes, uint64_t value)
{
    return add_cell(sim, (struct sim_cell){.kind = SIM_PCI,
                                           .address = pci_key(address, offset),
                                           .bytes = bytes,
                                           .value = value});
}
