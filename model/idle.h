#pragma once

#include "model/avail.h"
#include "model/histogram.h"

#include <stdbool.h>
#include <stdint.h>

/* One timed way of going idle on one CPU: idle[] and contention[] of report.json. Times in TSC ticks. */
enum idle_entry { IDLE_HLT = 0, IDLE_MWAIT, IDLE_IO };
enum dummy_read { DUMMY_NONE = 0, DUMMY_PM_TIMER };
enum stopped_in { STOPPED_UNKNOWN = 0, STOPPED_NONE, STOPPED_FIRST_READ, STOPPED_DUMMY_READ };

struct idle_sample_set {
    uint32_t cpu;
    const char *state; /* "C2", ... */
    enum idle_entry entry;
    uint16_t port;         /* IDLE_IO: the P_LVLx or _CST port */
    const char *port_from; /* "_CST", "P_BLK": where the port was taken from */
    bool has_declared_latency;
    uint64_t declared_latency_us;
    enum dummy_read dummy_read;
    uint16_t dummy_port;
    uint64_t requested_ns; /* programmed sleep; 0 when no wake-up was programmed */
    uint64_t samples;
    uint64_t dropped;      /* samples disturbed by SMI, NMI or a stray interrupt */
    uint64_t overhead_tsc; /* of the empty sequence; already subtracted below */
    struct distribution first_read_tsc;
    struct distribution dummy_read_tsc; /* n is 0 without a dummy read */
    struct distribution asleep_tsc;
    enum stopped_in stopped_in;
    uint32_t stopped_confidence_pct; /* share of the samples that agree */
    bool has_smi_count;
    uint64_t smi;
};

/* Jumps of the TSC between two reads back to back with interrupts off: time that somebody else took. */
struct tsc_gaps {
    uint64_t watched_tsc;   /* how long was watched; 0: not at all */
    uint64_t threshold_tsc; /* what counted as a jump */
    uint64_t count;
    uint64_t longest_tsc; /* of all steps, a jump or not */
    uint64_t lost_tsc;    /* sum of the jumps */
};

/* A port read back to back on `cpus` CPUs at once: contention[]. */
struct port_cost {
    uint32_t cpus;
    uint16_t port;
    const char *port_name; /* "PM timer" */
    uint64_t overhead_tsc;
    struct distribution read_tsc;
};
