#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * The timing core as the rest of the program sees it: architecture.md section 6. The native one lives in
 * drivers/x86; a simulated one in the tests. It runs short sequences with interrupts under its own
 * control and gives the machine back as it was.
 */

/* The instruction under test, between the stamps `before` and `after_first`. */
enum timing_entry {
    TIMING_NOTHING = 0, /* left out: what is left is the overhead of the stamps */
    TIMING_IO,          /* 8-bit IN from first_port, interrupts off */
    TIMING_HLT,         /* STI; HLT: only with a wake-up timer */
    TIMING_MWAIT        /* MWAIT with mwait_hint: only with a wake-up timer */
};

struct port_sequence {
    enum timing_entry entry;
    uint16_t first_port;       /* TIMING_IO: P_LVLx or a _CST port */
    uint32_t mwait_hint;       /* TIMING_MWAIT: EAX */
    uint32_t mwait_extensions; /* TIMING_MWAIT: ECX; bit 0 set: interrupts off */
    bool has_dummy_read;
    uint16_t dummy_port; /* 32-bit IN between after_first and after_dummy: the PM timer */
    uint64_t sleep_tsc;  /* wake-up timer, TSC ticks from the first stamp; 0: none programmed */
    bool
        is_wake_pending; /* the wake-up interrupt waits already: the bare cost of a port that stops */
};

/* Stamps of one pass, TSC ticks. */
struct port_stamps {
    uint64_t before;
    uint64_t after_first;
    uint64_t after_dummy; /* equals after_first without a dummy read */
    uint64_t in_handler;  /* when the wake-up interrupt's handler ran; 0 when it did not */
    uint64_t due;         /* when the wake-up timer was to fire; 0 when none was programmed */
    bool is_disturbed;    /* an NMI, SMI or stray interrupt fell in */
};

struct timing {
    /* Takes the machine (TPL, IDT, LAPIC). UNSUPPORTED with *ret_why when it cannot be done here. */
    enum status (*take)(const struct timing *timing, const char **ret_why);
    /* Runs one pass. Only between take and give. UNSUPPORTED, and nothing run, for an entry that this core
     * cannot do or that nothing would wake; TIMEOUT when its wake-up interrupt did not get ready; FAULT
     * when MONITOR or MWAIT raised an exception. */
    enum status (*pass)(const struct timing *timing, const struct port_sequence *sequence,
                        struct port_stamps *ret_stamps);
    /* Gives the machine back and checks that the firmware's clock ticks again; false when it does not. */
    bool (*give)(const struct timing *timing);
    /* Reads the TSC back to back for about duration_tsc ticks and says where it jumped: an SMI, or a host that
     * took the CPU. Only between take and give. */
    void (*watch)(const struct timing *timing, uint64_t duration_tsc, uint64_t threshold_tsc,
                  struct tsc_gaps *ret_gaps);
    void *context;
};

/* No longer than this between take and give: the firmware's keyboard and clocks stand still meanwhile. */
#define TIMING_STRETCH_US UINT64_C(50000)

/*
 * The first timing: for P_LVL2 (from P_BLK or a _CST SystemIO state) one sequence without and one with the
 * PM-timer read, on the boot CPU; without such a port the PM-timer read alone (port_costs). Fills
 * platform->idle, port_costs and idle_skipped. At most 50 ms between take and give. Without a timing core
 * (timing is NULL, or hw is not live) only idle_skipped is filled.
 */
void timing_first(const struct hw *hw, const struct timing *timing, struct platform *platform);
