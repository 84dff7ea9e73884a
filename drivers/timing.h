#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * The timing core as the rest of the program sees it: architecture.md section 6. The native one lives in
 * drivers/x86; a simulated one in the tests. It runs short sequences with interrupts under its own
 * control and gives the machine back as it was.
 */
struct port_sequence {
    uint16_t first_port; /* 8-bit IN: P_LVLx or a _CST port; 0 none (an empty sequence) */
    bool has_dummy_read;
    uint16_t dummy_port; /* 32-bit IN: the PM timer */
    uint64_t sleep_tsc;  /* wake-up timer, TSC ticks from the first stamp; 0: none programmed */
};

/* Stamps of one pass, TSC ticks. */
struct port_stamps {
    uint64_t before;
    uint64_t after_first;
    uint64_t after_dummy; /* equals after_first without a dummy read */
    uint64_t in_handler;  /* when the wake-up interrupt's handler ran; 0 when it did not */
    bool is_disturbed;    /* an NMI, SMI or stray interrupt fell in */
};

struct timing {
    /* Takes the machine (TPL, IDT, LAPIC). UNSUPPORTED with *ret_why when it cannot be done here. */
    enum status (*take)(const struct timing *timing, const char **ret_why);
    /* Runs one pass. Only between take and give. */
    void (*pass)(const struct timing *timing, const struct port_sequence *sequence,
                 struct port_stamps *ret_stamps);
    /* Gives the machine back and checks that the firmware's clock ticks again; false when it does not. */
    bool (*give)(const struct timing *timing);
    void *context;
};

/*
 * The first timing: for P_LVL2 (from P_BLK or a _CST SystemIO state) one sequence without and one with the
 * PM-timer read, on the boot CPU; without such a port the PM-timer read alone (port_costs). Fills
 * platform->idle, port_costs and idle_skipped. At most 50 ms between take and give.
 */
void timing_first(const struct hw *hw, const struct timing *timing, struct platform *platform);
