#pragma once

#include "drivers/x86/timing_native.h"

/*
 * What the files of the native timing core share: timing_native.c takes the machine and gives it back,
 * timing_timer.c has the wake-up timer, timing_pass.c runs the sequences of timing.S. All of it on the core's
 * own CPU with interrupts off.
 */

/*
 * Vectors F0H to FFH are class F: with the task priority at E0H the local APIC delivers them and holds
 * back everything below, which then arrives when the priority is restored. SDM vol. 3A, 11.8.3.1 Task
 * and Processor Priorities.
 */
#define WAKE_VECTOR 0xF3U
#define RESCUE_VECTOR 0xF4U
#define TASK_PRIORITY 0xE0U

/* When to give up on an interrupt: 90 ms at 3 GHz, and not before this CPU itself has looked so often. The host of an
 * emulator with more CPUs than it has itself may let each run for a small part of the time only. */
#define PATIENCE_TSC (UINT64_C(1) << 28)
#define PATIENCE_LOOKS (UINT32_C(1) << 18)

struct patience {
    uint64_t start_tsc;
    uint32_t looks;
};

struct patience patience_begin(void);

/* True while it is worth to look once more; counts the look. */
bool patience_lasts(struct patience *patience);

/* timing.S: gates, and ways to start the timer. */
void timing_arm_none(void);
void timing_arm_memory(void);
void timing_arm_msr(void);
void timing_arm_deadline(void);
void timing_wake(void);
void timing_rescue(void);

#define TIMING_FIXUPS 8U
extern const struct fault_fixup timing_fixups[TIMING_FIXUPS];

/* Saves the local APIC, sets its timer up and sees its interrupt arrive; measures lead_tsc. False with `why`
 * when it does not, and the local APIC is then as it was. */
bool timer_start_use(struct timing_native *native);

/* Puts the local APIC back as it was saved; false when a register did not take its old value. */
bool timer_end_use(struct timing_native *native);

/* Stops the timer and takes what it has sent already: nothing of ours waits at the local APIC afterwards. */
void timer_stop(struct timing_native *native);

/* Opens interrupts for a moment; which of ours came (TIMING_WOKEN, TIMING_RESCUED), or 0. */
uint32_t timer_take_interrupt(struct timing_native *native);

/* Lets the timer expire with interrupts off, so that its interrupt waits; false when it never does. */
bool timer_make_wake_pending(struct timing_native *native);

/* Sets native->run up so that the sequence starts the timer right before its first stamp. UNSUPPORTED when
 * the timer cannot count that far. */
enum status timer_prepare(struct timing_native *native, uint64_t sleep_tsc) MUST_CHECK;

/* The operations of struct timing that run sequences, and what the timer needs of them. */
enum status pass_run(const struct timing *timing, const struct port_sequence *sequence,
                     struct port_stamps *ret_stamps) MUST_CHECK;
void pass_watch(const struct timing *timing, uint64_t duration_tsc, struct tsc_gaps *ret_gaps);
uint32_t pass_burst(const struct timing *timing, const struct port_sequence *sequence,
                    uint64_t until_tsc, uint32_t room, uint32_t *ret_step_tsc);
uint32_t pass_work(const struct timing *timing, uint32_t additions, uint64_t until_tsc,
                   uint32_t room, uint32_t *ret_step_tsc);
uint64_t pass_pieces(const struct timing *timing, enum work_kernel kernel, const uint64_t *buffer,
                     uint64_t first, uint64_t until_tsc, bool *ret_is_wrong);

/* struct timing's guard; and its end: false when a register was not put back. */
const char *guard_watch(const struct timing *timing, uint64_t ns, const char **ret_why);
bool guard_end(struct timing_native *native);

/* Measures how long after the timer's start the first stamp is taken, since sleeps are counted from there. */
void pass_measure_lead(struct timing_native *native);
