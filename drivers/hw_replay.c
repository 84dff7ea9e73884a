#include "drivers/hw_replay.h"

#include "model/hash.h"

#include <string.h>

#define NO_SLOT UINT32_MAX

static struct hw_replay *replay_of(const struct hw *hw)
{
    return hw->context;
}

/* The kind of the current CPU: the last one that starts at or before it. */
static const struct replay_cpuid_kind *current_kind(const struct hw_replay *replay)
{
    uint32_t low = 0;
    uint32_t high = replay->kinds_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (replay->kinds[middle].first_cpu <= replay->current_cpu) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? NULL : &replay->kinds[low - 1];
}

static void replay_cpuid(const struct hw *hw, uint32_t leaf, uint32_t subleaf,
                         struct cpuid_leaf *ret_leaf)
{
    struct hw_replay *replay = replay_of(hw);
    const struct replay_cpuid_kind *kind = current_kind(replay);

    for (uint32_t i = 0; kind != NULL && i < kind->leaves.count; i++) {
        const struct cpuid_leaf *recorded = &kind->leaves.leaves[i];

        if (recorded->leaf == leaf && recorded->subleaf == subleaf) {
            *ret_leaf = *recorded;
            return;
        }
    }
    replay->unrecorded_cpuid++;
    *ret_leaf = (struct cpuid_leaf){.leaf = HW_CPUID_ABSENT, .subleaf = subleaf};
}

static uint32_t msr_hash(uint32_t cpu, uint32_t msr)
{
    uint64_t hash = hash_word(hash_word(HASH_START, msr), cpu);

    return (uint32_t)(hash ^ (hash >> 32));
}

static const struct replay_msr *find_msr(const struct hw_replay *replay, uint32_t cpu, uint32_t msr)
{
    uint32_t slot = msr_hash(cpu, msr) & replay->msr_mask;

    if (replay->msrs_count == 0) {
        return NULL;
    }
    for (; replay->msr_slots[slot] != NO_SLOT; slot = (slot + 1) & replay->msr_mask) {
        const struct replay_msr *found = &replay->msrs[replay->msr_slots[slot]];

        if (found->cpu == cpu && found->msr == msr) {
            return found;
        }
    }
    return NULL;
}

static enum avail replay_rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    struct hw_replay *replay = replay_of(hw);
    const struct replay_msr *found = find_msr(replay, replay->current_cpu, msr);

    if (found == NULL) {
        found = find_msr(replay, CPU_NONE, msr);
    }
    if (found == NULL) {
        replay->unrecorded_msrs += replay->is_record ? 0 : 1;
        return replay->is_record ? AVAIL_UNTRIED : AVAIL_ABSENT;
    }
    if (found->is_fault) {
        return AVAIL_FAULTED;
    }
    *ret_value = found->value;
    return AVAIL_PRESENT;
}

static enum avail replay_wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    (void)hw;
    (void)msr;
    (void)value;
    return AVAIL_UNTRIED;
}

static uint64_t replay_tsc(const struct hw *hw)
{
    (void)hw;
    return 0;
}

/* What is looked for: of denied writes only whether they were denied. */
enum operation { OPERATION_READ = 0, OPERATION_WRITE, OPERATION_DENIED };

static enum operation operation_of(const struct trace_access *access)
{
    if (access->answer == TRACE_DENIED) {
        return OPERATION_DENIED;
    }
    return access->is_write ? OPERATION_WRITE : OPERATION_READ;
}

static uint64_t trace_hash(enum trace_kind kind, enum operation operation, unsigned bytes,
                           uint64_t address)
{
    uint64_t hash = hash_word(HASH_START, (uint64_t)kind << 16 | (uint64_t)operation << 8 | bytes);

    hash = hash_word(hash, address);
    return hash ^ (hash >> 32);
}

static bool is_same_access(const struct trace_access *access, enum trace_kind kind,
                           enum operation operation, unsigned bytes, uint64_t address)
{
    return access->kind == kind && operation_of(access) == operation && access->bytes == bytes &&
           access->address == address;
}

/* The slot of the accesses that are alike, or the free slot where they would be. */
static uint32_t trace_slot(const struct hw_replay *replay, enum trace_kind kind,
                           enum operation operation, unsigned bytes, uint64_t address)
{
    uint32_t slot = (uint32_t)trace_hash(kind, operation, bytes, address) & replay->trace_mask;

    while (replay->trace_slots[slot] != NO_SLOT &&
           !is_same_access(&replay->trace[replay->trace_slots[slot]], kind, operation, bytes,
                           address)) {
        slot = (slot + 1) & replay->trace_mask;
    }
    return slot;
}

/*
 * The next recorded access of this kind. A slot holds the first access that was not used yet; once all were,
 * it stays at the last one, whose trace_used flag says so.
 */
static const struct trace_access *next_access(struct hw_replay *replay, enum trace_kind kind,
                                              enum operation operation, unsigned bytes,
                                              uint64_t address)
{
    uint32_t slot;
    uint32_t index;

    if (replay->trace_count == 0) {
        return NULL;
    }
    slot = trace_slot(replay, kind, operation, bytes, address);
    index = replay->trace_slots[slot];
    if (index == NO_SLOT || replay->trace_used[index] != 0) {
        return NULL;
    }
    replay->trace_used[index] = 1;
    if (replay->trace_next[index] != NO_SLOT) {
        replay->trace_slots[slot] = replay->trace_next[index];
    }
    return &replay->trace[index];
}

static enum status answer_read(struct hw_replay *replay, enum trace_kind kind, unsigned bytes,
                               uint64_t address, uint64_t *ret_value)
{
    const struct trace_access *access = next_access(replay, kind, OPERATION_READ, bytes, address);

    if (access == NULL || access->answer != TRACE_ANSWERED) {
        replay->unrecorded += access == NULL ? 1 : 0;
        return STATUS_NOT_FOUND;
    }
    *ret_value = access->value;
    return STATUS_OK;
}

static enum status answer_write(struct hw_replay *replay, enum trace_kind kind, unsigned bytes,
                                uint64_t address)
{
    const struct trace_access *access = next_access(replay, kind, OPERATION_WRITE, bytes, address);

    if (access == NULL || access->answer != TRACE_ANSWERED) {
        replay->unrecorded += access == NULL ? 1 : 0;
        return STATUS_NOT_FOUND;
    }
    return STATUS_OK;
}

static enum status replay_port_read(const struct hw *hw, uint16_t port, unsigned bytes,
                                    uint32_t *ret_value)
{
    uint64_t value = 0;
    enum status status = answer_read(replay_of(hw), TRACE_IO, bytes, port, &value);

    if (status == STATUS_OK) {
        *ret_value = (uint32_t)value;
    }
    return status;
}

static enum status replay_port_write(const struct hw *hw, uint16_t port, unsigned bytes,
                                     uint32_t value)
{
    (void)value;
    return answer_write(replay_of(hw), TRACE_IO, bytes, port);
}

/* The bytes of a region that hold the whole access, or NULL. */
static uint8_t *find_region(const struct hw_replay *replay, uint64_t paddr, unsigned bytes)
{
    for (uint32_t i = 0; i < replay->regions_count; i++) {
        const struct replay_region *region = &replay->regions[i];

        if (paddr >= region->paddr && bytes <= region->length &&
            paddr - region->paddr <= region->length - bytes) {
            return replay->region_bytes[i] + (paddr - region->paddr);
        }
    }
    return NULL;
}

static enum status replay_memory_read(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                      uint64_t *ret_value)
{
    struct hw_replay *replay = replay_of(hw);
    const uint8_t *memory = find_region(replay, paddr, bytes);
    uint64_t value = 0;

    if (memory == NULL) {
        return answer_read(replay, TRACE_MEMORY, bytes, paddr, ret_value);
    }
    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)memory[i] << (8 * i);
    }
    *ret_value = value;
    return STATUS_OK;
}

static enum status replay_memory_write(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                       uint64_t value)
{
    struct hw_replay *replay = replay_of(hw);
    uint8_t *memory = find_region(replay, paddr, bytes);

    if (memory == NULL) {
        return answer_write(replay, TRACE_MEMORY, bytes, paddr);
    }
    for (unsigned i = 0; i < bytes; i++) {
        memory[i] = (uint8_t)(value >> (8 * i));
    }
    return STATUS_OK;
}

static uint64_t pci_key(struct pci_address address, uint32_t offset)
{
    return (uint64_t)address.segment << 32 | (uint64_t)address.bus << 24 |
           (uint64_t)address.device << 19 | (uint64_t)address.function << 16 | offset;
}

static enum status replay_pci_read(const struct hw *hw, struct pci_address address, uint32_t offset,
                                   unsigned bytes, uint64_t *ret_value)
{
    return answer_read(replay_of(hw), TRACE_PCI, bytes, pci_key(address, offset), ret_value);
}

static enum status replay_pci_write(const struct hw *hw, struct pci_address address,
                                    uint32_t offset, unsigned bytes, uint64_t value)
{
    (void)value;
    return answer_write(replay_of(hw), TRACE_PCI, bytes, pci_key(address, offset));
}

static void replay_stall_us(const struct hw *hw, uint64_t us)
{
    (void)hw;
    (void)us;
}

static enum hw_run run_of(const struct hw_replay *replay, uint32_t cpu)
{
    if (cpu >= replay->answers_count || replay->answers[cpu] == CPU_ANSWERED) {
        return HW_RUN_DONE;
    }
    return replay->answers[cpu] == CPU_DID_NOT_ANSWER ? HW_RUN_NO_ANSWER : HW_RUN_NOT_STARTED;
}

/* Seven parameters are the contract of hw.h. NOLINTNEXTLINE(readability-function-size) */
static enum status replay_run_on_cpus(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                                      hw_procedure procedure, void *argument, uint32_t timeout_ms,
                                      enum hw_run *ret_run)
{
    struct hw_replay *replay = replay_of(hw);

    (void)timeout_ms;
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        ret_run[cpu] = run_of(replay, cpu);
        if (wanted[cpu] == 0) {
            ret_run[cpu] = HW_RUN_NOT_STARTED;
        } else if (ret_run[cpu] == HW_RUN_DONE) {
            replay->current_cpu = cpu;
            procedure(hw, cpu, argument);
        }
    }
    replay->current_cpu = 0;
    return STATUS_OK;
}

static const struct hw_ops replay_ops = {
    .cpuid = replay_cpuid,
    .rdmsr = replay_rdmsr,
    .wrmsr = replay_wrmsr,
    .tsc = replay_tsc,
    .port_read = replay_port_read,
    .port_write = replay_port_write,
    .memory_read = replay_memory_read,
    .memory_write = replay_memory_write,
    .pci_read = replay_pci_read,
    .pci_write = replay_pci_write,
    .stall_us = replay_stall_us,
    .run_on_cpus = replay_run_on_cpus,
};

/* Open-addressing slots for `count` things, at most half full; NULL without memory. */
static uint32_t *make_slots(struct arena *arena, uint32_t count, uint32_t *ret_mask)
{
    uint64_t size = 2;
    uint32_t *slots;

    while (size < 2 * (uint64_t)count) {
        size *= 2;
    }
    slots = size > UINT32_MAX ? NULL : arena_array(arena, (size_t)size, sizeof(*slots));
    for (uint64_t i = 0; slots != NULL && i < size; i++) {
        slots[i] = NO_SLOT;
    }
    *ret_mask = (uint32_t)(size - 1);
    return slots;
}

/* Of several samples of one MSR the first counts. */
static bool index_msrs(struct hw_replay *replay, struct arena *arena)
{
    replay->msr_slots = make_slots(arena, replay->msrs_count, &replay->msr_mask);
    for (uint32_t i = 0; replay->msr_slots != NULL && i < replay->msrs_count; i++) {
        const struct replay_msr *msr = &replay->msrs[i];
        uint32_t slot = msr_hash(msr->cpu, msr->msr) & replay->msr_mask;

        if (find_msr(replay, msr->cpu, msr->msr) != NULL) {
            continue;
        }
        while (replay->msr_slots[slot] != NO_SLOT) {
            slot = (slot + 1) & replay->msr_mask;
        }
        replay->msr_slots[slot] = i;
    }
    return replay->msr_slots != NULL;
}

/* From the last access to the first, so that each slot ends up with the first and the rest in order. */
static bool index_trace(struct hw_replay *replay, struct arena *arena)
{
    replay->trace_slots = make_slots(arena, replay->trace_count, &replay->trace_mask);
    replay->trace_next = arena_array(arena, replay->trace_count, sizeof(*replay->trace_next));
    replay->trace_used = arena_array(arena, replay->trace_count, sizeof(*replay->trace_used));
    if (replay->trace_slots == NULL || replay->trace_next == NULL || replay->trace_used == NULL) {
        return false;
    }
    for (uint32_t i = replay->trace_count; i > 0; i--) {
        const struct trace_access *access = &replay->trace[i - 1];
        uint32_t slot =
            trace_slot(replay, access->kind, operation_of(access), access->bytes, access->address);

        replay->trace_next[i - 1] = replay->trace_slots[slot];
        replay->trace_slots[slot] = i - 1;
    }
    return true;
}

/* AML may write to its own variables and read them back, so each region becomes a copy that can be written. */
static bool copy_regions(struct hw_replay *replay, struct arena *arena)
{
    replay->region_bytes = arena_array(arena, replay->regions_count, sizeof(*replay->region_bytes));
    for (uint32_t i = 0; replay->region_bytes != NULL && i < replay->regions_count; i++) {
        replay->region_bytes[i] = arena_take(arena, replay->regions[i].length);
        if (replay->region_bytes[i] == NULL) {
            return false;
        }
        if (replay->regions[i].length != 0) {
            memcpy(replay->region_bytes[i], replay->regions[i].bytes, replay->regions[i].length);
        }
    }
    return replay->region_bytes != NULL;
}

enum status hw_replay_start(struct hw_replay *replay, struct arena *arena)
{
    replay->hw =
        (struct hw){.ops = &replay_ops, .context = replay, .name = "replay", .is_live = false};
    replay->current_cpu = 0;
    replay->unrecorded = 0;
    replay->unrecorded_cpuid = 0;
    replay->unrecorded_msrs = 0;
    if (!index_msrs(replay, arena) || !index_trace(replay, arena) || !copy_regions(replay, arena)) {
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

bool hw_replay_may_write(void *replay, uint64_t paddr, uint32_t bytes)
{
    const struct hw_replay *of = replay;

    return of->trace_count == 0 ||
           of->trace_slots[trace_slot(of, TRACE_MEMORY, OPERATION_DENIED, bytes, paddr)] == NO_SLOT;
}
