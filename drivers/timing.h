#pragma once

#include "drivers/hw.h"
#include "model/platform.h"
#include "model/work.h"

/*
 * The timing core as the rest of the program sees it: architecture.md section 6. The native one lives in
 * drivers/x86; a simulated one in the tests. It runs short sequences with interrupts under its own
 * control and gives the machine back as it was. There is one core for each CPU; all that is said below holds
 * for the CPU that calls, which must be the core's own.
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
    uint16_t dummy_port;  /* 32-bit IN between after_first and after_dummy: the PM timer; or ... */
    uint64_t dummy_paddr; /* ... when not 0, a 32-bit read of this physical address */
    uint64_t sleep_tsc;   /* wake-up timer, TSC ticks from the first stamp; 0: none programmed */
    bool
        is_wake_pending; /* the wake-up interrupt waits already: the bare cost of a port that stops */
    bool has_flush;      /* WBINVD before the timer is started */
};

/* Stamps of one pass, TSC ticks. */
struct port_stamps {
    uint64_t before;
    uint64_t after_first;
    uint64_t after_dummy; /* equals after_first without a dummy read */
    uint64_t in_handler;  /* when the wake-up interrupt's handler ran; 0 when it did not */
    uint64_t due;         /* when the wake-up timer was to fire; 0 when none was programmed */
    /* TIMING_IO with a timer that had not fired after the last stamp: the longest step of the TSC between two
     * reads while the core waited for it. A CPU that stops late stops there. Both 0 otherwise. */
    uint64_t step_from;
    uint64_t step_to;
    uint64_t flush_tsc; /* what WBINVD took; 0 without one */
    bool is_disturbed;  /* an NMI, SMI or stray interrupt fell in */
    bool is_rescued;    /* ended by `wake` from another CPU, not by the timer */
};

struct timing {
    /* Takes the machine (TPL, IDT, LAPIC). UNSUPPORTED with *ret_why when it cannot be done here. */
    enum status (*take)(const struct timing *timing, const char **ret_why);
    /* Runs one pass. Only between take and give. UNSUPPORTED, and nothing run, for an entry that this core
     * cannot do or that nothing would wake; TIMEOUT when its wake-up interrupt did not get ready; FAULT
     * when MONITOR or MWAIT raised an exception. */
    enum status (*pass)(const struct timing *timing, const struct port_sequence *sequence,
                        struct port_stamps *ret_stamps);
    /* Gives the machine back and checks that the firmware's clock ticks again; false with *ret_why when that, or
     * anything that had to be put back, is not as it was. */
    bool (*give)(const struct timing *timing, const char **ret_why);
    /* Between take and give: lets the firmware run for a moment (its keyboard and clocks) and takes the machine
     * again. Anything but OK: as after a take that failed, with *ret_why. */
    enum status (*breathe)(const struct timing *timing, const char **ret_why);
    /* Reads the TSC back to back for about duration_tsc ticks and says where it jumped: an SMI, or a host that
     * took the CPU. Only between take and give. Adds to *ret_gaps, whose threshold_tsc the caller sets. */
    void (*watch)(const struct timing *timing, uint64_t duration_tsc, struct tsc_gaps *ret_gaps);
    /* Reads the sequence's dummy port or address back to back until the TSC reaches until_tsc or `room`
     * reads are made, with nothing but one stamp between two of them; ret_step_tsc[i] is what read i took,
     * stamp included. Gives the number of reads. Only between take and give. */
    uint32_t (*burst)(const struct timing *timing, const struct port_sequence *sequence,
                      uint64_t until_tsc, uint32_t room, uint32_t *ret_step_tsc);
    /* Works: chains of `additions` (at least 1) dependent additions back to back until the TSC reaches until_tsc or,
     * where ret_step_tsc is not NULL, `room` chains are made; ret_step_tsc[i] is what chain i took, one stamp
     * included. A chain takes a fixed number of core clocks. Gives the number of chains. Only between take and
     * give. */
    uint32_t (*work)(const struct timing *timing, uint32_t additions, uint64_t until_tsc,
                     uint32_t room, uint32_t *ret_step_tsc);
    /* Does pieces of a fixed kernel (drivers/work_kernel.h), from number `first` on, until the TSC reaches until_tsc; at
     * least one. Gives how many, and sets *ret_is_wrong when a result was wrong (never clears it). Only between take
     * and give. NULL: this core has no kernels. */
    uint64_t (*pieces)(const struct timing *timing, enum work_kernel kernel, const uint64_t *buffer,
                       uint64_t first, uint64_t until_tsc, bool *ret_is_wrong);
    /* A second source of wake-ups, for a CPU that no other watches: ends the pass that is under way `ns` from now as
     * is_rescued, in the place of what was asked for before; 0 ns: nothing more. Its name ("HPET"), or NULL with
     * *ret_why where none was seen to work. Only between take and give, which ends it, as breathe does. NULL: this core
     * has none. */
    const char *(*guard)(const struct timing *timing, uint64_t ns, const char **ret_why);
    /* "TSC deadline" or "local APIC timer". After the first take. */
    const char *(*source)(const struct timing *timing);
    void *context;
};

/* The cores of all CPUs. Without it only the boot CPU can measure. */
struct timing_crew {
    /* The core of a CPU, made on first use by the boot CPU; NULL when there is none. */
    const struct timing *(*core)(const struct timing_crew *crew, uint32_t cpu);
    /* Sends CPU `target`, which is between take and give, the interrupt that ends a pass under way as
     * is_rescued. From any CPU that is itself between take and give. */
    void (*wake)(const struct timing_crew *crew, uint32_t from, uint32_t target);
    /* Lets the calling CPU rest for a moment in a loop that polls. */
    void (*relax)(const struct timing_crew *crew, uint32_t cpu);
    void *context;
};

/* No longer than this between take (or breathe) and give: the firmware's keyboard and clocks stand still
 * meanwhile. */
#define TIMING_STRETCH_US UINT64_C(50000)
