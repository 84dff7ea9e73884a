#pragma once

#include "drivers/hw.h"
#include "model/platform.h"
#include "model/request_register.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Nothing left behind. Every request register (model/request_register.h) of every CPU is saved before the first
 * one is changed, and at the end written back and looked at, whatever happened between. A phase that asks for
 * frequencies goes like this:
 *
 *     request_guard_open(&guard, platform);                     boot CPU; false: no register may be touched
 *       on each CPU:  request_guard_save(hw, &guard, cpu);
 *                     request_guard_write(hw, &guard, cpu, msr, value);   as often as wanted
 *                     request_guard_restore(hw, &guard, cpu);
 *     request_guard_close(hw, &guard, platform);                boot CPU, on every way out
 *
 * request_guard_close restores by itself what a CPU that left its procedure early did not, then has every CPU look
 * at its registers once all are restored (CPUs may share a register), and puts the outcome into the snapshot.
 */
#define REQUEST_GUARD_REGISTERS 8U

struct request_save {
    bool is_saved;
    bool is_faulted;   /* writing it back failed */
    uint64_t before;   /* the whole register */
    uint64_t after;    /* as last read by a look */
    bool is_looked_at; /* `after` holds */
};

struct request_slot {
    bool is_saved;    /* registers hold what this CPU had */
    bool is_restored; /* nothing was written since they were written back */
    bool may_use;     /* false: this CPU did not come back; its slot is its own for ever */
    uint32_t writes;
    struct request_save registers[REQUEST_GUARD_REGISTERS];
};

struct request_guard {
    bool is_open;
    uint32_t cpus_count;
    uint32_t count;
    const struct request_register *registers[REQUEST_GUARD_REGISTERS];
    const struct platform *platform;
    struct request_slot *slots; /* one a CPU */
};

/*
 * Which registers there are, by what the collectors could read of the boot CPU or any other (so by the allow-list for
 * reading, and never one of --skip-msr). False, with the reason in platform->requests.not_opened_why, in read-only
 * mode, when there is no such register, or without memory. One-way registers are never among them.
 */
bool request_guard_open(struct request_guard *guard, struct platform *platform);

/* Whether the guard covers this MSR on this CPU: it was saved there. */
bool request_guard_covers(const struct request_guard *guard, uint32_t cpu, uint32_t msr);

/* Saves the calling CPU's registers. Must be called on `cpu`; a second call keeps the first values. */
void request_guard_save(const struct hw *hw, struct request_guard *guard, uint32_t cpu);

/* The value the register had on this CPU before. False when it was not saved there. */
bool request_guard_before(const struct request_guard *guard, uint32_t cpu, uint32_t msr,
                          uint64_t *ret_value);

/*
 * Sets the bits of the register's mask to those of `value` and leaves the others as they were before. On `cpu` itself.
 * UNTRIED, and nothing written, when the register was not saved there; else as wrmsr.
 */
enum avail request_guard_write(const struct hw *hw, struct request_guard *guard, uint32_t cpu,
                               uint32_t msr, uint64_t value);

/* Writes every saved register of the calling CPU back that does not read as before. */
void request_guard_restore(const struct hw *hw, struct request_guard *guard, uint32_t cpu);

/* A CPU that did not come back from a procedure: its slot is left alone, its registers count as left behind. */
void request_guard_lost(struct request_guard *guard, uint32_t cpu);

/* Restores what is not, looks at everything, and fills platform->requests and platform->requests_left. The guard
 * is closed then. Does nothing when it is not open. */
void request_guard_close(const struct hw *hw, struct request_guard *guard,
                         struct platform *platform);
