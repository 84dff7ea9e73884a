#pragma once

#include "model/avail.h"
#include "model/histogram.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Frequencies as measured: measured.frequency[], boost_by_active_cores[] and settling[] of report.json. Raw counts
 * are kept (and recorded); what follows from them is derived by model/freq_derive.h when the snapshot is
 * frozen, so that a record gives the same figures without the machine.
 */

/* How a frequency is asked for. */
enum freq_request_kind {
    FREQ_NO_REQUEST = 0, /* whatever the firmware left */
    FREQ_PERF_CTL,       /* IA32_PERF_CTL: SDM vol. 3B, 15.1.1 */
    FREQ_PSTATE_CTL,     /* AMD C001_0062: APM vol. 2, 17.1.1 Hardware P-state Control */
    FREQ_SYSTEM_IO,      /* the port of _PCT: ACPI 6.5, 8.4.5.1 */
    FREQ_HWP,            /* IA32_HWP_REQUEST: SDM vol. 3B, 15.4.4 */
    FREQ_CPPC,     /* AMD C001_02B3: APM vol. 2, 17.6 Collaborative Processor Performance Control */
    FREQ_CPPC_PCC, /* the registers of _CPC in PCC shared memory: ACPI 6.5, 8.4.6.1 and 14 */
    FREQ_REQUEST_KINDS
};

/* "none", "perf_ctl", "pstate_ctl", "system_io", "hwp", "cppc", "cppc_pcc" */
const char *freq_request_kind_name(enum freq_request_kind kind);

/* The level that a request of HWP or CPPC asks for: minimum, maximum and desired are the same in the MSRs. */
uint64_t freq_level_of(enum freq_request_kind kind, uint64_t control);

#define FREQ_NO_ROW UINT32_MAX

/* Why a clock was held back while it was measured; bits of `causes`. */
enum freq_cause {
    FREQ_CAUSE_PROCHOT = 1U << 0,
    FREQ_CAUSE_THERMAL = 1U << 1,
    FREQ_CAUSE_POWER = 1U << 2,
    FREQ_CAUSE_CURRENT = 1U << 3,
    FREQ_CAUSE_CROSS_DOMAIN = 1U << 4,
    FREQ_CAUSE_VR = 1U << 5,
    FREQ_CAUSE_PSTATE_LIMIT = 1U << 6, /* AMD C001_0061 [2:0] above the row asked for */
    FREQ_CAUSE_OTHER = 1U << 7
};

/* Counts over one window, from the slices in which nothing went wrong. In C0 all the time unless mperf says
 * otherwise. */
struct freq_counts {
    uint64_t window_tsc; /* 0: no slice was good */
    uint64_t aperf;
    uint64_t mperf;
    uint64_t
        stamp_tsc; /* how far apart the reads of one stamp lay: sum over both ends of all slices */
    uint64_t slow_ppm; /* the slowest slice, APERF per million TSC ticks ... */
    uint64_t fast_ppm; /* ... and the fastest */
    uint32_t slices;
    uint32_t wrapped; /* slices left out: a counter went backwards ... */
    uint32_t stopped; /* ... or stood still ... */
    uint32_t torn;    /* ... or its stamps lay too far apart (an SMI, a host) */
    uint32_t causes;  /* enum freq_cause, seen during the window */
};

/* A figure with its uncertainty; khz 0: none. */
struct freq_figure {
    uint64_t khz;
    uint64_t uncertainty_ppm;
};

/* One CPU under one request. */
struct freq_sample {
    uint32_t cpu;
    enum freq_request_kind kind;
    uint32_t pss_index;     /* row of _PSS, or FREQ_NO_ROW */
    uint64_t requested_khz; /* 0: the request names no frequency */
    uint64_t control;       /* as written */
    uint64_t status_expected;
    enum avail status_avail; /* UNTRIED: this kind has no status register */
    uint64_t status;
    bool was_long; /* 100 ms disagreed, so that 1 s was taken */
    struct freq_counts counts;
    struct freq_figure figure; /* derived */
    uint64_t busy_ppm;         /* derived: MPERF against its rate when never halted */
};

/* What a boost figure is about. */
enum freq_boost_kind {
    FREQ_BOOST_CORES = 0, /* `active` cores of each package, one thread each */
    FREQ_BOOST_THREADS,   /* all threads of all cores */
    FREQ_BOOST_ALONE,     /* one core (of `cpu`) alone in its package */
    FREQ_BOOST_OFF,       /* one core, boost switched off */
    FREQ_BOOST_ON,        /* one core, boost switched on */
    FREQ_BOOST_KINDS
};

struct freq_boost {
    enum freq_boost_kind kind;
    uint32_t package;
    uint32_t active;           /* cores; FREQ_BOOST_THREADS: threads */
    uint32_t cpu;              /* the first active one */
    const char *parked;        /* how the others rested; NULL: there were none */
    bool has_residency;        /* the parked cores have residency counters */
    uint64_t parked_tsc;       /* over all parked cores: time ... */
    uint64_t deep_tsc;         /* ... and how much of it in C3 or deeper */
    uint64_t expected_khz;     /* derived: turbo limit for so many cores; 0: not known */
    struct freq_counts counts; /* of all active CPUs together */
    struct freq_figure figure; /* derived */
    bool is_shallow; /* derived: parked cores were not deep, so that they count as active (Intel) */
};

/* Changes between two requests on one CPU. */
struct freq_settling {
    uint32_t cpu;
    enum freq_request_kind kind;
    uint32_t from_index; /* rows of _PSS, or levels */
    uint32_t to_index;
    uint64_t from_khz; /* requested */
    uint64_t to_khz;
    uint64_t latency_us; /* what _PSS declares for to_index; 0: nothing */
    uint32_t changes;
    uint32_t unsettled;             /* the clock did not arrive in the time given */
    uint64_t loop_from_tsc;         /* a fixed loop at the old clock ... */
    uint64_t loop_to_tsc;           /* ... and at the new one: also the resolution */
    uint64_t limit_tsc;             /* the longest time that could have been seen */
    const char *why;                /* why there is no figure, or NULL */
    struct distribution settle_tsc; /* from just before the request */
};

/* Requests of one kind that were not measured on a CPU. */
struct freq_refusal {
    uint32_t cpu;
    enum freq_request_kind kind;
    const char *why;
};
