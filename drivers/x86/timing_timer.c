#include "drivers/x86/cpu.h"
#include "drivers/x86/msr.h"
#include "drivers/x86/timing_inner.h"
#include "model/units.h"

#include <stddef.h>

/* The wake-up timer: the local APIC's, in TSC-deadline mode where there is one. */

#define MSR_TSC_DEADLINE 0x6E0U             /* SDM vol. 3A, 11.5.4.1 */
#define CALIBRATION_TSC (UINT64_C(1) << 22) /* about 1 ms at 4 GHz: 40 ppm of a 24 MHz timer */
#define CALIBRATION_TRIES 8U
#define CALIBRATION_PPM 1000U
#define PROOF_TSC (UINT64_C(1) << 14)
#define PROOF_ATTEMPTS 4U
#define RATE_PROOF_TSC                                                                             \
    (UINT64_C(1) << 20) /* 0.3 ms at 3 GHz, beside which an interrupt's way is short */
#define RATE_ATTEMPTS 3U
#define PENDING_MAX 4U /* interrupts of ours that may wait at once */

/* timing.S */
void timing_window(struct timing_run *run);

struct patience patience_begin(void)
{
    return (struct patience){.start_tsc = cpu_tsc()};
}

bool patience_lasts(struct patience *patience)
{
    return patience->looks++ < PATIENCE_LOOKS || cpu_tsc() - patience->start_tsc < PATIENCE_TSC;
}

/* Opens interrupts for a moment; which of ours came, or 0. */
uint32_t timer_take_interrupt(struct timing_native *native)
{
    timing_window(&native->run);
    if (native->run.has_woken != 0) {
        lapic_end_of_interrupt(&native->lapic);
    }
    return native->run.has_woken;
}

static bool take_wake(struct timing_native *native)
{
    return timer_take_interrupt(native) == TIMING_WOKEN;
}

/* Nothing of ours waits at the local APIC afterwards. */
void timer_stop(struct timing_native *native)
{
    if (native->has_deadline) {
        (void)msr_write(MSR_TSC_DEADLINE, 0);
    } else {
        lapic_write(&native->lapic, LAPIC_INITIAL_COUNT, 0);
    }
    for (unsigned i = 0; i < PENDING_MAX && timer_take_interrupt(native) != 0; i++) {
    }
}

static void save_lapic(struct timing_native *native)
{
    const struct lapic *lapic = &native->lapic;
    struct timing_saved *saved = &native->saved;
    uint32_t mode;

    saved->tpr = lapic_read(lapic, LAPIC_TPR);
    saved->svr = lapic_read(lapic, LAPIC_SVR);
    saved->lint0 = lapic_read(lapic, LAPIC_LVT_LINT0) & ~LAPIC_LVT_DELIVERY_STATUS;
    saved->lvt_timer = lapic_read(lapic, LAPIC_LVT_TIMER) & ~LAPIC_LVT_DELIVERY_STATUS;
    saved->divide = lapic_read(lapic, LAPIC_DIVIDE);
    saved->deadline_tsc = 0;
    mode = saved->lvt_timer & LAPIC_TIMER_MODE;
    if (mode == LAPIC_TIMER_DEADLINE) {
        (void)msr_read(MSR_TSC_DEADLINE, &saved->deadline_tsc);
    }
    /* A one-shot timer goes on with what was left; an expired one stays expired. */
    saved->initial_count =
        lapic_read(lapic, mode == LAPIC_TIMER_PERIODIC ? LAPIC_INITIAL_COUNT : LAPIC_CURRENT_COUNT);
}

static void program_lapic(const struct timing_native *native)
{
    const struct lapic *lapic = &native->lapic;

    lapic_write(lapic, LAPIC_TPR, TASK_PRIORITY);
    lapic_write(lapic, LAPIC_SVR, native->saved.svr | LAPIC_SVR_ENABLED);
    lapic_write(lapic, LAPIC_LVT_LINT0, native->saved.lint0 | LAPIC_LVT_MASKED);
    lapic_write(lapic, LAPIC_DIVIDE, LAPIC_DIVIDE_BY_1);
    if (native->has_deadline) {
        /* The mode must be there before the MSR is written: cpu_wrmsr has the MFENCE that orders them
         * (SDM vol. 3A, 11.5.4.1). */
        lapic_write(lapic, LAPIC_LVT_TIMER, WAKE_VECTOR | LAPIC_TIMER_DEADLINE);
    } else {
        lapic_write(lapic, LAPIC_LVT_TIMER, WAKE_VECTOR | LAPIC_TIMER_ONE_SHOT);
        lapic_write(lapic, LAPIC_INITIAL_COUNT, 0);
    }
}

/* The initial count comes last: it starts a timer that everything before has made the firmware's own
 * again. Without it a firmware whose clock is this timer never ticks again. */
bool timer_end_use(struct timing_native *native)
{
    const struct lapic *lapic = &native->lapic;
    const struct timing_saved *saved = &native->saved;
    uint32_t mode = saved->lvt_timer & LAPIC_TIMER_MODE;
    bool is_same;

    timer_stop(native);
    lapic_write(lapic, LAPIC_DIVIDE, saved->divide);
    lapic_write(lapic, LAPIC_LVT_TIMER, saved->lvt_timer);
    lapic_write(lapic, LAPIC_LVT_LINT0, saved->lint0);
    lapic_write(lapic, LAPIC_SVR, saved->svr);
    lapic_write(lapic, LAPIC_TPR, saved->tpr);
    if (mode == LAPIC_TIMER_DEADLINE) {
        (void)msr_write(MSR_TSC_DEADLINE, saved->deadline_tsc);
    } else {
        lapic_write(lapic, LAPIC_INITIAL_COUNT, saved->initial_count);
    }
    is_same = lapic_read(lapic, LAPIC_DIVIDE) == saved->divide &&
              lapic_read(lapic, LAPIC_SVR) == saved->svr &&
              lapic_read(lapic, LAPIC_TPR) == saved->tpr &&
              (lapic_read(lapic, LAPIC_LVT_LINT0) & ~LAPIC_LVT_DELIVERY_STATUS) == saved->lint0 &&
              (lapic_read(lapic, LAPIC_LVT_TIMER) & ~LAPIC_LVT_DELIVERY_STATUS) == saved->lvt_timer;
    return is_same && (mode == LAPIC_TIMER_DEADLINE ||
                       lapic_read(lapic, LAPIC_INITIAL_COUNT) == saved->initial_count);
}

struct count_sample {
    uint64_t tsc;
    uint32_t count;
};

/* The count and the time it was read, from the tightest of several tries. */
static struct count_sample sample_count(const struct timing_native *native)
{
    struct count_sample best = {0};
    uint64_t best_width_tsc = UINT64_MAX;

    for (unsigned i = 0; i < 8; i++) {
        uint64_t before_tsc = cpu_tsc();
        uint32_t count = lapic_read(&native->lapic, LAPIC_CURRENT_COUNT);
        uint64_t width_tsc = cpu_tsc() - before_tsc;

        if (width_tsc < best_width_tsc) {
            best_width_tsc = width_tsc;
            best = (struct count_sample){before_tsc + width_tsc / 2, count};
        }
    }
    return best;
}

/* How far the timer counts in duration_tsc; false when it does not count. */
static bool measure_timer(struct timing_native *native, uint64_t duration_tsc)
{
    struct count_sample start, end;

    lapic_write(&native->lapic, LAPIC_INITIAL_COUNT, UINT32_MAX);
    start = sample_count(native);
    while (cpu_tsc() - start.tsc < duration_tsc) {
        cpu_pause();
    }
    end = sample_count(native);
    timer_stop(native);
    native->count_ticks = start.count - end.count;
    native->count_tsc = end.tsc - start.tsc;
    return start.count > end.count;
}

/* Two runs in a row that agree; an SMI in one of them is outvoted by the next. Where none do, longer ones: what lies
 * between reading the count and the clock then weighs less. */
static bool calibrate(struct timing_native *native)
{
    uint64_t last_hz = 0;
    uint64_t duration_tsc = CALIBRATION_TSC;

    for (unsigned i = 0; i < CALIBRATION_TRIES; i++) {
        uint64_t hz = 0;

        if (measure_timer(native, duration_tsc)) {
            hz = mul_div_u64(native->count_ticks, NS_PER_S, native->count_tsc);
        }
        if (hz != 0 && units_difference_ppm(hz, last_hz) <= CALIBRATION_PPM) {
            native->is_rate_proved = true;
            return true;
        }
        last_hz = hz;
        duration_tsc = i < 2 ? duration_tsc : 2 * duration_tsc;
    }
    native->count_tsc = 0;
    native->why = last_hz == 0 ? "the local APIC timer does not count"
                               : "the local APIC timer and the TSC do not run evenly";
    return false;
}

static uint64_t count_of(const struct timing_native *native, uint64_t sleep_tsc)
{
    uint64_t count = mul_div_round_u64(sleep_tsc, native->count_ticks, native->count_tsc);

    return count == 0 ? 1 : count;
}

static void start_timer(const struct timing_native *native, uint64_t sleep_tsc)
{
    if (native->has_deadline) {
        (void)msr_write(MSR_TSC_DEADLINE, cpu_tsc() + sleep_tsc);
    } else {
        lapic_write(&native->lapic, LAPIC_INITIAL_COUNT, (uint32_t)count_of(native, sleep_tsc));
    }
}

static bool wakes_once(struct timing_native *native, uint64_t sleep_tsc)
{
    struct patience patience = patience_begin();

    start_timer(native, sleep_tsc);
    while (patience_lasts(&patience)) {
        if (take_wake(native)) {
            return true;
        }
    }
    return false;
}

/* Asked before anything is done to the timer: how far did it come? An expired deadline reads as 0 (SDM vol. 3A,
 * 11.5.4.1). */
static const char *why_no_wake(const struct timing_native *native)
{
    uint64_t left = 0;

    if (lapic_is_requested(&native->lapic, WAKE_VECTOR)) {
        return "the local APIC timer's interrupt waits and is not delivered";
    }
    if (native->has_deadline) {
        (void)msr_read(MSR_TSC_DEADLINE, &left);
    } else {
        left = lapic_read(&native->lapic, LAPIC_CURRENT_COUNT);
    }
    return left != 0 ? "the local APIC timer does not run out"
                     : "the local APIC timer runs out, but its interrupt does not arrive";
}

/* The timer's interrupt is seen to arrive before anything sleeps on it. No HLT: if it never comes, this ends all the
 * same. Not at the first failure: an SMI, or an emulator that was not run for a while, may swallow one try. */
static bool prove_wake(struct timing_native *native)
{
    for (unsigned attempt = 0; attempt < PROOF_ATTEMPTS; attempt++) {
        if (wakes_once(native, PROOF_TSC)) {
            return true;
        }
    }
    native->why = why_no_wake(native);
    return false;
}

/* Lets the timer expire with interrupts off, so that its interrupt waits at the local APIC. */
bool timer_make_wake_pending(struct timing_native *native)
{
    struct patience patience = patience_begin();

    start_timer(native, 1);
    while (patience_lasts(&patience)) {
        if (lapic_is_requested(&native->lapic, WAKE_VECTOR)) {
            return true;
        }
    }
    timer_stop(native);
    return false;
}

/* How the timer is started right before the first stamp. */
enum status timer_prepare(struct timing_native *native, uint64_t sleep_tsc)
{
    struct timing_run *run = &native->run;
    uint64_t count;

    if (native->has_deadline) {
        run->sleep_tsc = sleep_tsc;
        run->arm = (uint64_t)(uintptr_t)timing_arm_deadline;
        return STATUS_OK;
    }
    count = count_of(native, sleep_tsc);
    run->initial_count = (uint32_t)count;
    run->initial_count_address =
        (uint64_t)(uintptr_t)(native->lapic.registers + LAPIC_INITIAL_COUNT / 4);
    run->arm = (uint64_t)(uintptr_t)(native->lapic.is_x2apic ? timing_arm_msr : timing_arm_memory);
    return count <= UINT32_MAX ? STATUS_OK : STATUS_UNSUPPORTED;
}
/* CPUID 1 ECX[24], TSC-Deadline: SDM vol. 3A, 11.5.4.1. */
static bool may_use_deadline(const struct timing_native *native)
{
    struct cpuid_leaf leaf;

    if (native->is_proved) {
        return native->has_deadline;
    }
    cpu_cpuid(CPU_FEATURE_TSC_DEADLINE.leaf, 0, &leaf);
    return (leaf.ecx >> CPU_FEATURE_TSC_DEADLINE.bit & 1U) != 0;
}

/* The boot CPU's rate for this one: all timers count the same clock, but that is seen first. */
static bool rate_fits(struct timing_native *native)
{
    for (unsigned i = 0; i < RATE_ATTEMPTS && native->count_tsc != 0; i++) {
        uint64_t start_tsc = cpu_tsc();
        bool is_awake = wakes_once(native, RATE_PROOF_TSC);
        uint64_t took_tsc = cpu_tsc() - start_tsc;

        if (is_awake && took_tsc >= RATE_PROOF_TSC / 4 * 3 && took_tsc <= RATE_PROOF_TSC / 2 * 3) {
            native->is_rate_proved = true;
            return true;
        }
    }
    return false;
}

static bool has_rate(struct timing_native *native)
{
    return native->has_deadline || native->is_rate_proved || rate_fits(native) || calibrate(native);
}

void timing_native_give_rate(struct timing_native *native, const struct timing_native *boot)
{
    native->count_ticks = boot->count_ticks;
    native->count_tsc = boot->count_tsc;
}

/* The timer in one mode, seen to work. */
static bool try_timer(struct timing_native *native, bool has_deadline)
{
    native->has_deadline = has_deadline;
    program_lapic(native);
    if (has_rate(native) && prove_wake(native)) {
        native->is_proved = true;
        return true;
    }
    timer_stop(native);
    return false;
}

bool timer_start_use(struct timing_native *native)
{
    save_lapic(native);
    if ((may_use_deadline(native) && try_timer(native, true)) || try_timer(native, false)) {
        native->why = NULL;
        pass_measure_lead(native);
        return true;
    }
    (void)timer_end_use(native);
    return false;
}
