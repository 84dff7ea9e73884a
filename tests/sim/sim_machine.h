#pragma once

#include "drivers/hw.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A machine in virtual time, for tests of measurements: every access costs time, and what a measurement
 * ought to find is what was set here. Stricter than hardware: an undeclared port or address fails the test,
 * so does an access of another width than the device has. Idle states are sim_idle's.
 */
struct sim_machine {
    struct hw hw;
    uint64_t now_ps;
    uint64_t accesses; /* ports and memory */

    uint64_t tsc_hz;
    uint64_t access_ps;   /* a port or device memory access */
    uint64_t steal_at_ps; /* a host takes the CPU: the TSC jumps, the counters do not */
    uint64_t steal_tsc;
    /* MSRs, at 0.5 us an access; NULL: none may be touched. */
    enum avail (*read_msr)(struct sim_machine *machine, uint32_t msr, uint64_t *ret_value);
    enum avail (*write_msr)(struct sim_machine *machine, uint32_t msr, uint64_t value);
    void *msrs; /* whatever those two need */

    uint16_t pm_port; /* 0: no PM timer */
    uint64_t pm_hz;
    uint64_t pm_start;
    bool is_pm_stuck;
    unsigned pm_torn_every; /* every so many reads give a value that is off; 0: never */
    int64_t pm_torn_by;
    uint64_t pm_paddr; /* not 0: in memory, not at a port */
    bool is_pm_wide;   /* 32 bits count, not 24 */
    uint32_t pm_high_bits;
    uint64_t pm_reads;

    uint64_t hpet_paddr; /* 0: none */
    uint64_t hpet_period_fs;
    uint64_t hpet_real_period_fs; /* 0: the one that it states */
    bool is_hpet_running;

    bool has_pit;
    uint64_t pit_hz;
    bool is_pit_stuck; /* clock gating left on by firmware */
    uint32_t pit_gate; /* port 61H */
    uint32_t pit_latch;
    bool is_pit_high_next;

    bool has_rtc;
    bool is_rtc_stuck;
    uint64_t rtc_reads;
};

/* 3 GHz, 1 us an access, a PM timer at port 608H, nothing else. */
void sim_machine_init(struct sim_machine *machine);

/* Ticks of the machine's TSC in `ps`, as the machine itself rounds them. */
uint64_t sim_machine_tsc_of(const struct sim_machine *machine, uint64_t ps);
