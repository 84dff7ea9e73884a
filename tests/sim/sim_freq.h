#pragma once

#include "drivers/timing.h"
#include "model/step.h"
#include "tests/sim/sim_energy.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A machine with up to 128 CPUs in virtual time whose clocks do as they were told to: what a measurement ought to
 * find is known exactly. Each CPU is a thread, and the one whose clock is furthest behind runs, so that every run is
 * the same. Stricter than hardware: an undeclared MSR or port, a core used without being taken, a request that is
 * not known, and a stretch of the boot CPU over 50 ms are failures.
 */
#define SIM_FREQ_CPUS 128U
#define SIM_FREQ_ROWS 16U

enum sim_freq_throttle { SIM_FREQ_THERMAL = 0, SIM_FREQ_PROCHOT, SIM_FREQ_POWER, SIM_FREQ_CURRENT };

struct sim_freq;

struct sim_freq_cpu {
    struct timing core;
    struct sim_freq *machine;
    uint32_t number;
    uint64_t now_ps;
    uint64_t ready_ps; /* when its thread may go on */
    bool is_taken;
    bool is_asleep;
    bool is_deep; /* asleep in C3 or deeper */
    bool is_woken;
    bool is_alive;
    bool never_comes;
    uint64_t taken_ps;
    uint64_t random;
    uint64_t control; /* as last written */
    uint32_t row;     /* in force */
    uint32_t next_row;
    uint64_t change_ps; /* when next_row comes into force; UINT64_MAX: none is under way */
    uint64_t stall_ps;  /* how long the core stands still before it does */
    uint64_t aperf;
    uint64_t aperf_rest; /* of a clock, in kHz * ps */
    uint64_t mperf;
    uint64_t mperf_rest;
    uint64_t deep_tsc;
    pthread_t thread;
    pthread_cond_t turn;
};

/*
 * A PCC subspace of type 0 through which levels are asked for: desired, minimum and maximum performance of CPU i at
 * SIM_PCC_BASE + 8 + 16 * i, the doorbell in memory or a port. As strict as a platform may be: a store or a doorbell
 * while a command is under way, a command too early after the last or too many a minute, bits of the doorbell
 * that were to be preserved, minimum, maximum and desired not the same, and any other address are failures.
 */
#define SIM_PCC_BASE UINT64_C(0x7F000000)
#define SIM_PCC_BELL UINT64_C(0xFD001540)
#define SIM_PCC_PORT 0x842U
#define SIM_PCC_WORDS (3U * SIM_FREQ_CPUS)

struct sim_freq_pcc {
    bool is_there;
    bool is_bell_port; /* SIM_PCC_PORT of 8 bits instead of SIM_PCC_BELL of 32 */
    bool never_completes;
    bool reports_error;
    uint32_t good; /* only so many commands go well, then as the two above say */
    uint64_t latency_ps;
    uint64_t turnaround_ps;
    uint32_t most_a_minute; /* 0: any */
    uint64_t bell;
    uint64_t preserve;
    uint64_t write;
    uint16_t command;
    bool is_busy;
    uint64_t done_ps; /* when the command under way will be, or the last one was */
    uint64_t minute_ps;
    uint32_t minute_commands;
    uint32_t reads;
    uint32_t writes;
    uint32_t word[SIM_PCC_WORDS];
    uint32_t first_word[SIM_PCC_WORDS]; /* as the firmware left them */
};

struct sim_freq {
    struct hw hw;
    struct timing_crew crew;
    uint32_t count;
    uint32_t threads;  /* of a core: CPUs 0 and 1 are one core with 2 */
    uint32_t packages; /* of equal size, one after the other */
    uint32_t domain;   /* CPUs whose highest request counts for all; 1: each its own */
    struct sim_freq_cpu cpus[SIM_FREQ_CPUS];
    pthread_mutex_t lock;
    bool is_serial;      /* the firmware runs other CPUs only after the boot CPU's part */
    const char *failure; /* what the machine would not have stood, or NULL */

    uint64_t tsc_khz;
    uint64_t mperf_khz;
    bool is_amd; /* the snapshot is an AMD CPU's */
    uint32_t control_msr;
    uint32_t status_msr;
    uint64_t control_mask;
    uint16_t control_port; /* not 0: instead of the MSRs */
    uint32_t rows;
    uint64_t control[SIM_FREQ_ROWS];  /* what a row's request looks like */
    uint64_t true_khz[SIM_FREQ_ROWS]; /* what it does, boost apart */
    bool is_status_late;              /* the status register tells the row asked for first of all */
    bool is_read_only;                /* writes of MSRs are not on the list */
    bool is_ignoring;                 /* requests do nothing */

    bool has_boost;
    uint32_t boost_msr; /* 0: no switch */
    uint64_t boost_off_mask;
    uint64_t boost_value;              /* of boost_msr */
    uint64_t boost_khz[SIM_FREQ_CPUS]; /* by active cores of the package, less one */
    int64_t core_khz[SIM_FREQ_CPUS];   /* added to boost, by CPU */
    bool is_c1_active;                 /* cores that only halt count as active */
    bool has_residency;

    uint64_t up_ps; /* from a request to its coming into force */
    uint64_t down_ps;
    uint32_t settle_jitter_permille; /* evenly spread above them */
    uint64_t stall_ps;

    uint32_t counter_bits; /* 64, or when they wrap */
    uint64_t counter_start;
    uint64_t stop_from_ps; /* APERF stands still from then on; UINT64_MAX: never */

    uint64_t throttle_from_ps;
    uint64_t throttle_until_ps;
    uint64_t throttle_khz;
    enum sim_freq_throttle throttle;
    bool has_status; /* 19CH, 1B1H and 64FH exist */

    /* Energy: the package counter 611H in steps of 2^-14 J, whose power is that of the row of the CPU that reads it.
     * All 0: no such MSR. */
    uint64_t row_mw[SIM_FREQ_ROWS];
    struct sim_energy_counter energy;
    bool has_wrong_row; /* row wrong_row computes wrongly */
    uint32_t wrong_row;

    struct sim_freq_pcc pcc;

    /* HWP that is off until 770H [0] is set: 771H and 774H fault before, PERF_CTL does nothing after. Level l is l times
     * 100 MHz; row i is level hwp_level[i]. */
    bool has_hwp;
    bool is_hwp_on;
    uint64_t hwp_level[SIM_FREQ_ROWS];
    uint64_t hwp_request[SIM_FREQ_CPUS];

    uint64_t smi_every_ps; /* on the average; 0: none */
    uint64_t smi_ps;
    uint64_t smi_next_ps;
    uint32_t keys_after; /* progress says no at this note; 0: never */
    uint32_t notes;
    uint64_t last_left_s;
    const struct step_listener *steps; /* of a measurement; NULL: nobody */
};

/* 2.4 GHz TSC, four rows at 2400, 2000, 1600 and 1200 MHz through IA32_PERF_CTL, 10 us to settle, no boost. */
void sim_freq_init(struct sim_freq *machine, uint32_t cpus, uint64_t seed);
void sim_freq_free(struct sim_freq *machine);

/* For cores[].pieces of a machine that is to do work: an integer piece takes SIM_FREQ_PIECE_CLOCKS core clocks, a
 * memory piece SIM_FREQ_PIECE_PS whatever the clock. */
#define SIM_FREQ_PIECE_CLOCKS 20000U
#define SIM_FREQ_PIECE_PS UINT64_C(10000000)
uint64_t sim_freq_pieces(const struct timing *timing, enum work_kernel kernel,
                         const uint64_t *buffer, uint64_t first, uint64_t until_tsc,
                         bool *ret_is_wrong);

/* AMD's registers instead: PStateCtl, PStateStat, HWCR [25]; a row's control is its number. */
void sim_freq_make_amd(struct sim_freq *machine);

/* CPPC through PCC instead, always enabled, no _PSS: row i is asked for by level[i]. */
void sim_freq_make_pcc(struct sim_freq *machine, const uint64_t *level);

/* The boost clock of CPU `cpu` with so many cores of its package active. */
uint64_t sim_freq_boost_khz(const struct sim_freq *machine, uint32_t cpu, uint32_t cores);
