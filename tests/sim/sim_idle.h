#pragma once

#include "drivers/timing.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A machine with several CPUs in virtual time that goes idle as it was told to: what a measurement ought to
 * find is known for every single pass. With one CPU no thread is made; with more, each CPU is a thread and the
 * one whose clock is furthest behind runs, so that every run is the same. Stricter than hardware: a pass
 * outside take and give, an undeclared port or address, a sleep that nothing would end, a stretch of the boot
 * CPU over 50 ms and an interrupt to a CPU that has not taken its machine are failures.
 */
#define SIM_IDLE_CPUS 128U
#define SIM_IDLE_TRUTHS 4096U

enum sim_idle_stop {
    SIM_IDLE_NOT = 0, /* the port does not stop the CPU */
    SIM_IDLE_AT_ONCE, /* within the read */
    SIM_IDLE_LATE     /* late_ps after the read has ended, in whatever runs then */
};

/* One true sample, in ps. */
struct sim_idle_truth {
    uint64_t first;
    uint64_t dummy;
    uint64_t asleep;
    uint64_t exit;
    uint32_t stopped; /* enum stopped_in; a late stop counts as none */
    bool is_late;
    bool is_disturbed;
};

/* What takes a CPU away now and then. */
struct sim_idle_taker {
    uint64_t every_ps; /* on the average; 0: never */
    uint64_t lasts_ps;
    uint64_t next_ps;
    uint64_t count;
};

struct sim_idle;

struct sim_idle_cpu {
    struct timing core;
    struct sim_idle *machine;
    uint32_t number;
    uint64_t now_ps;
    uint64_t ready_ps; /* when its thread may go on */
    bool is_taken;
    bool is_asleep;
    bool is_woken; /* an interrupt from another CPU waits, or ended the sleep */
    bool is_alive;
    bool never_comes;         /* does not enter the procedure */
    uint64_t reads_longer_ps; /* in a burst */
    uint64_t wakes_late_ps;   /* by an interrupt from another CPU */
    uint64_t dies_at; /* it stands still for ever in its pass of this number; 0: it does not */
    uint64_t passes;  /* so many it began */
    bool has_died;
    const char *take_why; /* its core cannot be taken, or ... */
    const char *give_why; /* ... does not go back as it was */
    uint64_t taken_ps;
    uint64_t random;
    pthread_t thread;
    pthread_cond_t turn;
};

struct sim_idle {
    struct hw hw;
    struct timing_crew crew;
    uint32_t count;
    struct sim_idle_cpu cpus[SIM_IDLE_CPUS];
    pthread_mutex_t lock;
    uint32_t turn_of;    /* the one CPU whose thread runs */
    bool is_serial;      /* the firmware runs other CPUs only after the boot CPU's part */
    const char *failure; /* what the machine would not have stood, or NULL */

    uint64_t tsc_hz;
    uint64_t overhead_ps;
    uint16_t idle_port;
    uint16_t pm_port;
    uint64_t pm_paddr;
    uint64_t hpet_paddr;
    enum sim_idle_stop stop;
    uint64_t late_ps;
    uint64_t port_ps;
    uint64_t pm_ps;
    uint32_t jitter_permille; /* of port_ps and pm_ps, evenly spread above them */
    uint64_t exit_ps;
    uint64_t exit_spread_ps; /* evenly spread above exit_ps ... */
    uint64_t exit_tail_ps;   /* ... and one in 32 this much later */
    uint64_t handler_ps;     /* from the first instruction to the handler's */
    uint64_t halt_exit_ps;
    bool has_mwait;     /* else MWAIT raises an exception */
    bool is_mwait_void; /* returns at once */
    uint64_t mwait_exit_ps;
    uint64_t enter_from_ps; /* shorter sleeps are demoted: shallow_exit_ps */
    uint64_t shallow_exit_ps;
    bool is_timer_stopped; /* by the port's state */
    const char *guard;     /* the name of the boot CPU's second source of wake-ups; NULL: ... */
    const char *guard_why; /* ... why there is none */
    bool is_guard_lost;    /* it cannot be set up a second time */
    uint64_t guard_due_ps; /* 0: nothing asked for */
    uint64_t guards;       /* how often it was asked */
    bool is_bus_shared;    /* reads of ports queue behind those of other CPUs */
    uint32_t bus_readers;  /* how many reads it carries at once; 0 is one */
    uint64_t bus_free_ps;
    struct sim_idle_taker smi; /* all CPUs stand still for it */
    bool has_smi_count;
    struct sim_idle_taker intruder; /* an NMI, or an interrupt that nobody asked for */

    /* What a C3 needs: one that is entered without it is a failure. PM1_STS, PM1_CNT and PM2_CNT are declared when
     * their ports are not 0. */
    uint16_t status_port;
    uint16_t control_port;
    uint16_t arbiter_port;
    uint32_t control;
    uint32_t arbiter;
    uint32_t busy_permille; /* how often BM_STS is set when it is read */
    bool needs_flush;
    bool needs_arbiter;
    bool is_arbiter_stuck; /* PM2_CNT takes no zero back */
    bool is_flushed;
    uint64_t flush_ps;
    uint64_t checks; /* reads of BM_STS */

    /* The package's energy: MSR 611H in steps of 2^-14 J, brought up to date every millisecond. One CPU. */
    uint64_t awake_mw; /* 0: there is no counter */
    uint64_t halt_mw;
    uint64_t port_mw;
    uint64_t now_mw;
    uint64_t energy_fj;
    uint64_t shown_fj;

    bool is_tsc_stopped; /* in the port's state; one CPU only */
    uint64_t tsc_lost_ps;
    uint32_t package_msr;      /* a residency counter at TSC rate, 0: none ... */
    uint64_t package_ps;       /* ... and what it counted */
    uint32_t package_permille; /* of the time asleep */
    uint32_t core_msr;         /* likewise of the core, for the port's state alone */
    uint64_t core_ps;
    uint32_t core_permille;

    /* The passes with the last sequence on the boot CPU, without the first after each pause. */
    struct port_sequence last;
    bool is_warm;
    uint32_t truths_count;
    struct sim_idle_truth truths[SIM_IDLE_TRUTHS];
    uint64_t asleep_ps;  /* of all passes together, the ways out included */
    uint64_t covered_ps; /* when at least one CPU slept to be measured */
    uint64_t covered_until_ps;
    uint64_t rescues;
};

/* 3 GHz, 10 ns of overhead, a port at 814H of 1 us that stops at once with 30 us to come back, a PM timer at
 * 808H of 1 us. */
void sim_idle_init(struct sim_idle *machine, uint32_t cpus, uint64_t seed);
void sim_idle_free(struct sim_idle *machine);
