#pragma once

#include "model/avail.h"
#include "model/histogram.h"
#include "model/samples.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Idle states as timed: idle[] and contention[] of report.json. A way is one manner of going idle (an
 * instruction and its operands, with or without the second read); a sample set is what one way did on one
 * CPU at one length of sleep. Times are in TSC ticks unless the name says otherwise.
 */
enum idle_entry { IDLE_HLT = 0, IDLE_MWAIT, IDLE_IO };
/* What has to be done around the entry of a state that does not keep the caches coherent: drivers/bus_master.h. */
enum idle_bus {
    IDLE_BUS_CHECK = 1,   /* BM_STS is looked at and cleared, BM_RLD set */
    IDLE_BUS_ARBITER = 2, /* ARB_DIS keeps bus masters off meanwhile */
    IDLE_BUS_FLUSH = 4    /* WBINVD before the entry */
};

enum dummy_read { DUMMY_NONE = 0, DUMMY_PM_TIMER };
enum stopped_in { STOPPED_UNKNOWN = 0, STOPPED_NONE, STOPPED_FIRST_READ, STOPPED_DUMMY_READ };

/* One manner of going idle, as the frozen claims offer it. */
struct idle_way {
    const char *state; /* "C1", "C2", ... by _CST's type; "MWAIT" when only CPUID 5 offers it */
    enum idle_entry entry;
    uint16_t port;             /* IDLE_IO: the P_LVLx or _CST port */
    uint32_t hint;             /* IDLE_MWAIT: EAX */
    uint32_t mwait_extensions; /* IDLE_MWAIT: ECX; bit 0: a masked interrupt ends it */
    const char *from;          /* "_CST", "_LPI", "CPUID 5", "P_BLK", "architecture" */
    bool has_declared_latency;
    uint64_t declared_latency_us;
    enum dummy_read dummy_read;
    uint16_t dummy_port;   /* DUMMY_PM_TIMER: the port, or ... */
    uint64_t dummy_paddr;  /* ... when not 0, the address in memory */
    uint8_t bus;           /* IDLE_BUS_* that the entry needs */
    bool may_stop_timer;   /* the local APIC timer may stop in this state: needs a second wake-up */
    const char *not_timed; /* why this way is not to be entered on this CPU, or NULL */
};

/* What is timed of a way; the histograms of a set that samples.csv has. */
enum sample_quantity {
    SAMPLE_FIRST_READ = 0,
    SAMPLE_DUMMY_READ,
    SAMPLE_ASLEEP,
    SAMPLE_EXIT,
    SAMPLE_HANDLER,
    SAMPLE_RAN_ON,
    SAMPLE_QUANTITIES
};

struct idle_sample_set {
    uint32_t cpu;
    const char *state; /* "C2", ... */
    enum idle_entry entry;
    uint16_t port;         /* IDLE_IO: the P_LVLx or _CST port */
    uint32_t hint;         /* IDLE_MWAIT */
    const char *port_from; /* where the way was taken from: idle_way.from */
    bool has_declared_latency;
    uint64_t declared_latency_us;
    enum dummy_read dummy_read;
    uint16_t dummy_port;
    uint64_t dummy_paddr;
    uint64_t requested_ns; /* programmed sleep; 0 when no wake-up was programmed */
    uint64_t samples;
    uint64_t dropped;        /* samples disturbed by SMI, NMI or a stray interrupt */
    uint64_t never_woke;     /* sleeps that the second wake-up source had to end; also in dropped */
    uint64_t overhead_tsc;   /* of the empty sequence; already subtracted below */
    uint64_t bare_first_tsc; /* the first read with a wake-up waiting: it cannot stop */
    struct distribution first_read_tsc;
    struct distribution dummy_read_tsc; /* n is 0 without a dummy read */
    struct distribution asleep_tsc;     /* from the stop to the wake-up event */
    struct distribution exit_tsc;       /* from the wake-up event to the next instruction */
    struct distribution handler_tsc;    /* from the wake-up event to the interrupt's handler */
    struct distribution ran_on_tsc;     /* stopped after the last read only: how long it ran on */
    struct histogram_shape shape;       /* of exit_tsc, else of first_read_tsc */
    struct distribution flush_tsc;      /* WBINVD before the entry; n is 0 without one */
    uint8_t bus;                        /* IDLE_BUS_* that was done around each entry */
    uint64_t bus_busy; /* entries put off because a bus master had been active (BM_STS) */
    struct sample_bins bins[SAMPLE_QUANTITIES]; /* into platform.samples */
    enum stopped_in stopped_in;
    uint32_t stopped_confidence_pct; /* share of the samples that agree */
    bool has_smi_count;
    uint64_t smi;
    const char *wake_source; /* "TSC deadline", "local APIC timer"; NULL: not known */
    const char *watched_by;  /* the second wake-up source, or NULL when there was none */
    const char *others;      /* what the other CPUs did meanwhile, or NULL when there are none */
    bool is_sweep;           /* one of several lengths on this CPU */
    bool was_cut;            /* a time limit ended it before all samples were had */
    /* Counters over all passes of the set: drivers/idle_meters.h. */
    bool has_residency;
    uint64_t resident_tsc; /* sum of the core counters' steps */
    uint64_t
        spent_tsc; /* sum of the time asleep in the same passes, those that only warm up included */
    bool has_package_residency;
    uint64_t package_tsc; /* sum of the package counters' steps */
    uint64_t passes;      /* all of them, those that only warm up included */
    uint64_t elapsed_tsc; /* from before the first sleep to after the last ... */
    uint64_t elapsed_pmt; /* ... and the same by the PM timer; 0: not known */
    /* Of the package, by its energy counter, between two of its steps: model/rapl.h. */
    bool has_energy;
    uint64_t energy_uj;
    uint64_t energy_span_tsc;        /* the time that energy_uj is of */
    uint64_t energy_uncertainty_ppm; /* of their quotient */
};

/* From which length on a way really enters its state, on one CPU of a sweep. */
struct idle_reach {
    uint32_t cpu;
    uint32_t first_set;       /* into platform.idle: any set of this way */
    uint64_t entered_from_ns; /* 0: never */
    bool is_demoted_below;    /* shorter sleeps end in a shallower state, not in none */
    enum avail break_even;    /* model/idle_energy.h; PRESENT: ... */
    uint64_t break_even_us;
};

/* What reading the PM timer after the port is worth on this machine. */
enum dummy_verdict { DUMMY_VERDICT_UNKNOWN = 0, DUMMY_NEEDED, DUMMY_HARMLESS, DUMMY_HARMFUL };

/* A way that was not timed, and why. */
struct idle_not_timed {
    uint32_t cpu;
    struct idle_way way;
};

/* Jumps of the TSC between two reads back to back with interrupts off: time that somebody else took. */
#define TSC_GAPS_BINS 40
struct tsc_gaps {
    uint64_t watched_tsc;   /* how long was watched; 0: not at all */
    uint64_t threshold_tsc; /* what counted as a jump */
    uint64_t count;
    uint64_t longest_tsc;          /* of all steps, a jump or not */
    uint64_t lost_tsc;             /* sum of the jumps */
    uint64_t steps[TSC_GAPS_BINS]; /* how many steps had their highest bit at this place */
    bool has_smi_count;
    uint64_t smi; /* MSR 34H over the watch */
};

/* A port read back to back on `cpus` CPUs at once: contention[]. */
struct port_cost {
    uint32_t cpus;
    uint16_t port;
    uint64_t paddr;        /* not 0: read in memory instead */
    const char *port_name; /* "PM timer" */
    uint64_t overhead_tsc;
    struct distribution read_tsc;
    struct sample_bins bins; /* of read_tsc, into platform.samples */
    uint64_t reads_per_s;    /* of all CPUs together; 0: to be had from read_tsc */
    uint32_t slowest_cpu;    /* cpus > 1: whose median was the longest ... */
    uint64_t slowest_tsc;    /* ... and that median */
    bool is_knee;            /* from here on more CPUs bring hardly more reads */
};
