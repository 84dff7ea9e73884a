#pragma once

#include "drivers/hw.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A counter of the machine that runs at a known rate, and the rate of the TSC measured against it. Every
 * loop is bounded: a counter that stands still ends the measurement, it never hangs it.
 */
struct clock_counter {
    uint64_t hz;
    uint64_t mask; /* of the bits that count; it wraps after that */
    bool counts_down;
    uint16_t port;  /* PM timer */
    uint64_t paddr; /* HPET main counter */
    unsigned bytes;
    bool reads_thrice; /* a single read may be torn */
    enum status (*read)(const struct clock_counter *counter, const struct hw *hw,
                        uint64_t *ret_count);
};

/* PM timer: ACPI 6.5, 4.8.3.3. Its low 24 bits, as Linux uses it, whatever its width. */
void clock_counter_pm_timer(uint16_t port, struct clock_counter *ret_counter);

/* The same in memory, at an address that is read as 4 bytes. */
void clock_counter_pm_timer_memory(uint64_t paddr, struct clock_counter *ret_counter);

/* HPET at `base_paddr`, its rate from its own capability register. NULL, or why it cannot be used; an HPET
 * that does not run is not started. */
const char *clock_counter_hpet(const struct hw *hw, uint64_t base_paddr,
                               struct clock_counter *ret_counter);

/* PIT channel 2 (the speaker's): starts it, and clock_counter_pit_end puts the gate in port 61H back as
 * *ret_gate. The channel's own mode and count are lost. */
void clock_counter_pit(const struct hw *hw, struct clock_counter *ret_counter, uint32_t *ret_gate);
void clock_counter_pit_end(const struct hw *hw, uint32_t gate);

enum clock_verdict {
    CLOCK_GOOD = 0,
    CLOCK_UNREADABLE, /* a read failed */
    CLOCK_STANDS_STILL,
    CLOCK_RUNS_BACK, /* it went backwards too often to be used */
    CLOCK_TSC_STILL, /* the TSC does not count */
    CLOCK_UNSTABLE   /* the runs do not agree; the value is their median */
};

#define CLOCK_RUNS 8U

struct clock_measurement {
    enum clock_verdict verdict;
    uint64_t tsc_hz; /* 0 unless GOOD or UNSTABLE */
    uint64_t uncertainty_ppm;
    uint32_t rejected;  /* of CLOCK_RUNS runs: too far from the median */
    uint32_t backwards; /* reads that went back */
    uint32_t torn;      /* the same, and reading three times over mended it: backwards is then 0 */
};

/* CLOCK_RUNS runs of about 12 ms each, and once more with threefold reads when the counter went backwards. */
void clock_counter_measure(const struct hw *hw, const struct clock_counter *counter,
                           struct clock_measurement *ret_measurement);
