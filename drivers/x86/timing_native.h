#pragma once

#include "drivers/timing.h"
#include "drivers/wake_guard.h"
#include "drivers/x86/fault.h"
#include "drivers/x86/lapic.h"

#include <stdint.h>

/*
 * The timing core on the machine itself: its own IDT, its own LAPIC timer at a vector of class F with
 * every lower class held back by the task priority, LINT0 masked. One for each CPU that measures.
 */

/* What the firmware has to do around a stretch; all NULL on a CPU that the firmware does not run on. */
struct timing_firmware {
    void *context;
    /* Raises the task priority level to TPL_HIGH_LEVEL, and restores it. */
    void (*raise)(void *context);
    void (*restore)(void *context);
    /* Whether a timer event of the firmware ticks, waiting for one no longer than needed. Called with the
     * level restored. */
    bool (*ticks)(void *context);
    /* Lets the firmware run for a moment; called like ticks. */
    void (*rest)(void *context);
};

/* The block that timing.S reads and writes: offsets are fixed there. */
struct timing_run {
    uint64_t arm; /* address of the function of timing.S that starts the wake-up timer */
    uint64_t initial_count_address;
    uint32_t initial_count;
    uint32_t first_port; /* or MWAIT's ECX */
    uint32_t unused;
    uint32_t armed_tsc; /* stamps: the low 32 bits */
    uint32_t before_tsc;
    uint32_t after_first_tsc;
    uint32_t after_dummy_tsc;
    uint32_t in_handler_tsc;
    uint32_t has_woken;   /* 0, or TIMING_WOKEN or TIMING_RESCUED: which handler ran */
    uint32_t has_faulted; /* MONITOR or MWAIT raised an exception */
    uint32_t mwait_hint;
    uint32_t reserved;
    uint64_t monitored; /* address that MONITOR watches: nothing writes there */
    uint64_t dummy;     /* port or address of the second read */
    uint64_t sleep_tsc; /* TSC-deadline mode: from the armed stamp */
    uint64_t until_tsc; /* a burst: when it ends, ... */
    uint64_t steps;     /* ... where its steps go ... */
    uint32_t room;      /* ... and how many fit */
};

#define TIMING_WOKEN 1U
#define TIMING_RESCUED 2U

/* What was found and is put back. */
struct timing_saved {
    uint64_t rflags;
    uint32_t tpr;
    uint32_t svr;
    uint32_t lint0;
    uint32_t lvt_timer;
    uint32_t divide;
    uint32_t initial_count;
    uint64_t deadline_tsc; /* TSC-deadline mode only; 0 when not armed */
};

struct timing_native {
    struct timing timing; /* what the rest of the program gets */
    struct timing_firmware firmware;
    bool has_smi_count; /* MSR_SMI_COUNT (34H) may be read here: model/msr_catalog.h */
    bool is_taken;
    bool has_deadline;    /* the timer is used in TSC-deadline mode; after the first take */
    bool is_proved;       /* its interrupt was seen to arrive, in that mode */
    uint64_t count_ticks; /* LAPIC timer counts per ... */
    uint64_t count_tsc;   /* ... TSC ticks; 0 before the first take */
    uint64_t lead_tsc;    /* from the start of the timer to the first stamp */
    const char *why;      /* what went wrong in the last take or give, or NULL */
    bool is_rate_proved;  /* count_ticks and count_tsc were measured here, or seen to be right */
    const struct hw *guard_hw; /* NULL: no second source of wake-ups */
    const struct platform *guard_platform;
    bool has_looked_for_guard;
    bool guard_damaged; /* a register of it was not put back */
    uint32_t guard_route;
    const char *guard_why; /* why there is none, or NULL */
    struct wake_guard guard;
    struct lapic lapic;
    struct timing_saved saved;
    uint8_t strays[FAULT_VECTORS / 8]; /* vectors to hand to the firmware afterwards */
    struct timing_run run;
    struct fault_cpu fault;
};

/* Prepares a core in zeroed memory, aligned to 16, that is never freed. `firmware` is copied. */
void timing_native_init(struct timing_native *native, const struct timing_firmware *firmware,
                        bool has_smi_count);

/* The rate of the boot CPU's timer, for another CPU's: both count the same clock (SDM vol. 3A, 11.5.4, the bus or core
 * crystal clock). It is checked before use, and measured where it does not fit. */
void timing_native_give_rate(struct timing_native *native, const struct timing_native *boot);

/* Lets the core look for a second source of wake-ups (drivers/wake_guard.h) when it is first asked for; both must live as
 * long as the core. */
void timing_native_set_guard(struct timing_native *native, const struct hw *hw,
                             const struct platform *platform);

/* From the core's own CPU while it is taken: the interrupt that ends a pass of the CPU with this APIC id,
 * which must have its core taken. */
void timing_native_wake(const struct timing_native *native, uint32_t apic_id);
