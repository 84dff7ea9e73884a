#include "drivers/x86/timing_native.h"

#include "drivers/x86/cpu.h"
#include "drivers/x86/msr.h"
#include "model/units.h"

#include <stddef.h>
#include <string.h>

/*
 * Vectors F0H to FFH are class F: with the task priority at E0H the local APIC delivers them and holds
 * back everything below, which then arrives when the priority is restored. SDM vol. 3A, 11.8.3.1 Task
 * and Processor Priorities.
 */
#define WAKE_VECTOR 0xF3U
#define RESCUE_VECTOR 0xF4U
#define TASK_PRIORITY 0xE0U
#define SVR_VECTOR 0xFFU

#define MSR_SMI_COUNT 0x34U                 /* SDM vol. 4, table 2-15, MSR_SMI_COUNT [31:0] */
#define MSR_TSC_DEADLINE 0x6E0U             /* SDM vol. 3A, 11.5.4.1 */
#define CALIBRATION_TSC (UINT64_C(1) << 22) /* about 1 ms at 4 GHz: 40 ppm of a 24 MHz timer */
#define CALIBRATION_TRIES 4U
#define CALIBRATION_PPM 1000U
#define LEAD_TRIES 8U
#define PROOF_TSC (UINT64_C(1) << 14)
#define PENDING_MAX 4U /* interrupts of ours that may wait at once */
/* When to give up on an interrupt: 90 ms at 3 GHz, since the host of an emulator may be busy elsewhere. */
#define PATIENCE_TSC (UINT64_C(1) << 28)

_Static_assert(offsetof(struct timing_run, initial_count) == 16 &&
                   offsetof(struct timing_run, armed_tsc) == 28 &&
                   offsetof(struct timing_run, before_tsc) == 32 &&
                   offsetof(struct timing_run, has_woken) == 48 &&
                   offsetof(struct timing_run, monitored) == 64 &&
                   offsetof(struct timing_run, dummy) == 72 &&
                   offsetof(struct timing_run, sleep_tsc) == 80 &&
                   offsetof(struct timing_run, room) == 104,
               "timing.S has these offsets");

typedef void (*timed_function)(struct timing_run *run);
typedef uint32_t (*burst_function)(struct timing_run *run);

/* timing.S */
void timing_nothing(struct timing_run *run);
void timing_nothing_dummy(struct timing_run *run);
void timing_nothing_memory(struct timing_run *run);
void timing_io(struct timing_run *run);
void timing_io_dummy(struct timing_run *run);
void timing_io_memory(struct timing_run *run);
void timing_hlt(struct timing_run *run);
void timing_hlt_dummy(struct timing_run *run);
void timing_mwait(struct timing_run *run);
void timing_mwait_dummy(struct timing_run *run);
void timing_sti_mwait(struct timing_run *run);
void timing_sti_mwait_dummy(struct timing_run *run);
void timing_window(struct timing_run *run);
void timing_arm_none(void);
void timing_arm_memory(void);
void timing_arm_msr(void);
void timing_arm_deadline(void);
void timing_wake(void);
void timing_rescue(void);
uint32_t timing_burst_nothing(struct timing_run *run);
uint32_t timing_burst_byte(struct timing_run *run);
uint32_t timing_burst_port(struct timing_run *run);
uint32_t timing_burst_memory(struct timing_run *run);

#define TIMING_FIXUPS 8U
extern const struct fault_fixup timing_fixups[TIMING_FIXUPS];

/* An interrupt that is not ours, on our own gate: it is ended here and handed to the firmware's handler
 * afterwards. One that the local APIC does not know came from the PIC through an I/O APIC, and only the
 * firmware can end it; a spurious one (SDM vol. 3A, 11.9) needs no end. */
static void note_stray(struct fault_cpu *cpu, unsigned vector)
{
    struct timing_native *native = (struct timing_native *)cpu->context;
    bool is_in_service = lapic_is_in_service(&native->lapic, vector);

    if (is_in_service) {
        lapic_end_of_interrupt(&native->lapic);
    }
    if (is_in_service || vector != (native->saved.svr & SVR_VECTOR)) {
        native->strays[vector / 8U] |= (uint8_t)(1U << vector % 8U);
    }
}

static void replay_strays(struct timing_native *native)
{
    for (unsigned vector = 0; vector < FAULT_VECTORS; vector++) {
        uint64_t handler = fault_saved_handler(&native->fault, vector);

        if (((unsigned)native->strays[vector / 8U] >> vector % 8U & 1U) != 0 && handler != 0) {
            cpu_call_handler(handler);
        }
    }
    memset(native->strays, 0, sizeof(native->strays));
}

/* Opens interrupts for a moment; which of ours came, or 0. */
static uint32_t take_interrupt(struct timing_native *native)
{
    timing_window(&native->run);
    if (native->run.has_woken != 0) {
        lapic_end_of_interrupt(&native->lapic);
    }
    return native->run.has_woken;
}

static bool take_wake(struct timing_native *native)
{
    return take_interrupt(native) == TIMING_WOKEN;
}

/* Nothing of ours waits at the local APIC afterwards. */
static void stop_timer(struct timing_native *native)
{
    if (native->has_deadline) {
        (void)msr_write(MSR_TSC_DEADLINE, 0);
    } else {
        lapic_write(&native->lapic, LAPIC_INITIAL_COUNT, 0);
    }
    for (unsigned i = 0; i < PENDING_MAX && take_interrupt(native) != 0; i++) {
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
static bool restore_lapic(struct timing_native *native)
{
    const struct lapic *lapic = &native->lapic;
    const struct timing_saved *saved = &native->saved;
    uint32_t mode = saved->lvt_timer & LAPIC_TIMER_MODE;
    bool is_same;

    stop_timer(native);
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

/* How far the timer counts in CALIBRATION_TSC; false when it does not count. */
static bool measure_timer(struct timing_native *native)
{
    struct count_sample start, end;

    lapic_write(&native->lapic, LAPIC_INITIAL_COUNT, UINT32_MAX);
    start = sample_count(native);
    while (cpu_tsc() - start.tsc < CALIBRATION_TSC) {
        cpu_pause();
    }
    end = sample_count(native);
    stop_timer(native);
    native->count_ticks = start.count - end.count;
    native->count_tsc = end.tsc - start.tsc;
    return start.count > end.count;
}

/* Two runs in a row that agree; an SMI in one of them is outvoted by the next. */
static bool calibrate(struct timing_native *native)
{
    uint64_t last_hz = 0;

    for (unsigned i = 0; i < CALIBRATION_TRIES && measure_timer(native); i++) {
        uint64_t hz = mul_div_u64(native->count_ticks, NS_PER_S, native->count_tsc);

        if (i > 0 && units_difference_ppm(hz, last_hz) <= CALIBRATION_PPM) {
            return true;
        }
        last_hz = hz;
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

/* The timer's interrupt is seen to arrive before anything sleeps on it. No HLT: if it never comes, this
 * ends all the same. */
static bool prove_wake(struct timing_native *native)
{
    uint64_t start_tsc = cpu_tsc();

    start_timer(native, PROOF_TSC);
    while (cpu_tsc() - start_tsc < PATIENCE_TSC) {
        if (take_wake(native)) {
            return true;
        }
    }
    native->why = "the local APIC timer's interrupt does not arrive";
    return false;
}

/* Lets the timer expire with interrupts off, so that its interrupt waits at the local APIC. */
static bool make_wake_pending(struct timing_native *native)
{
    uint64_t start_tsc = cpu_tsc();

    start_timer(native, 1);
    while (cpu_tsc() - start_tsc < PATIENCE_TSC) {
        if (lapic_is_requested(&native->lapic, WAKE_VECTOR)) {
            return true;
        }
    }
    stop_timer(native);
    return false;
}

/* How the timer is started right before the first stamp. */
static enum status prepare_timer(struct timing_native *native, uint64_t sleep_tsc)
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

static enum status prepare(struct timing_native *native, const struct port_sequence *sequence)
{
    struct timing_run *run = &native->run;

    run->first_port =
        sequence->entry == TIMING_MWAIT ? sequence->mwait_extensions : sequence->first_port;
    run->mwait_hint = sequence->mwait_hint;
    run->monitored = (uint64_t)(uintptr_t)&native->fault.gates[FAULT_VECTORS / 2];
    run->has_faulted = 0;
    run->dummy = sequence->dummy_paddr != 0 ? sequence->dummy_paddr : sequence->dummy_port;
    run->arm = (uint64_t)(uintptr_t)timing_arm_none;
    if (sequence->is_wake_pending) {
        return make_wake_pending(native) ? STATUS_OK : STATUS_TIMEOUT;
    }
    if (sequence->sleep_tsc == 0) {
        return sequence->entry == TIMING_NOTHING ? STATUS_OK : STATUS_UNSUPPORTED;
    }
    return prepare_timer(native, sequence->sleep_tsc + native->lead_tsc);
}

/* Ends the timer's interrupt if it came; otherwise stops the timer and lets in what was just under way. */
static void settle(struct timing_native *native)
{
    uint32_t woken = native->run.has_woken;

    if (woken != 0) {
        lapic_end_of_interrupt(&native->lapic);
    }
    if (woken != TIMING_WOKEN) {
        stop_timer(native);
        native->run.has_woken = woken;
    }
}

/* How long after the timer's start the first stamp is taken: sleeps are counted from there. */
static void measure_lead(struct timing_native *native)
{
    struct port_sequence sequence = {.entry = TIMING_NOTHING, .sleep_tsc = PATIENCE_TSC};

    native->lead_tsc = 0;
    for (unsigned i = 0; i < LEAD_TRIES && prepare(native, &sequence) == STATUS_OK; i++) {
        uint32_t lead_tsc;

        timing_nothing(&native->run);
        settle(native);
        lead_tsc = native->run.before_tsc - native->run.armed_tsc;
        if (native->lead_tsc == 0 || lead_tsc < native->lead_tsc) {
            native->lead_tsc = lead_tsc;
        }
    }
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

/* The timer in one mode, seen to work. */
static bool try_timer(struct timing_native *native, bool has_deadline)
{
    native->has_deadline = has_deadline;
    program_lapic(native);
    if ((has_deadline || native->count_tsc != 0 || calibrate(native)) && prove_wake(native)) {
        native->is_proved = true;
        return true;
    }
    stop_timer(native);
    return false;
}

static bool start_timer_use(struct timing_native *native)
{
    save_lapic(native);
    if ((may_use_deadline(native) && try_timer(native, true)) || try_timer(native, false)) {
        native->why = NULL;
        measure_lead(native);
        return true;
    }
    (void)restore_lapic(native);
    return false;
}

static bool start(struct timing_native *native)
{
    if (!fault_attach(&native->fault, FAULT_ALL)) {
        native->why = "the fault handler could not be proved";
        return false;
    }
    fault_set_gate(&native->fault, WAKE_VECTOR, timing_wake);
    fault_set_gate(&native->fault, RESCUE_VECTOR, timing_rescue);
    if (lapic_open(&native->lapic) != STATUS_OK) {
        native->why = "the local APIC is switched off";
    } else if (start_timer_use(native)) {
        return true;
    }
    (void)fault_detach(&native->fault);
    return false;
}

/* The level first: restoring it may switch interrupts on, and then everything must be back already. */
static void release(struct timing_native *native)
{
    if (native->firmware.restore != NULL) {
        native->firmware.restore(native->firmware.context);
    }
    cpu_restore_flags(native->saved.rflags);
    replay_strays(native);
}

/* On every way out: does the firmware's clock go on? */
static void check_firmware(struct timing_native *native)
{
    if (native->firmware.ticks != NULL && !native->firmware.ticks(native->firmware.context)) {
        native->why = "the firmware's timer does not tick any more";
    }
}

static enum status take(const struct timing *timing, const char **ret_why)
{
    struct timing_native *native = (struct timing_native *)timing->context;

    native->why = NULL;
    if (native->firmware.raise != NULL) {
        native->firmware.raise(native->firmware.context);
    }
    native->saved.rflags = cpu_disable_interrupts();
    native->is_taken = start(native);
    if (!native->is_taken) {
        release(native);
        check_firmware(native);
        *ret_why = native->why;
        return STATUS_UNSUPPORTED;
    }
    return STATUS_OK;
}

static void put_back(struct timing_native *native)
{
    native->is_taken = false;
    if (!restore_lapic(native)) {
        native->why = "a local APIC register did not take its old value back";
    }
    if (!fault_detach(&native->fault)) {
        native->why = "the interrupt descriptor table could not be put back";
    }
    release(native);
}

static bool give(const struct timing *timing)
{
    struct timing_native *native = (struct timing_native *)timing->context;

    if (!native->is_taken) {
        return true;
    }
    put_back(native);
    check_firmware(native);
    return native->why == NULL;
}

static enum status breathe(const struct timing *timing, const char **ret_why)
{
    struct timing_native *native = (struct timing_native *)timing->context;

    if (native->firmware.rest == NULL) {
        return STATUS_OK;
    }
    if (native->is_taken) {
        put_back(native);
    }
    if (native->why != NULL) {
        *ret_why = native->why;
        return STATUS_IO;
    }
    native->firmware.rest(native->firmware.context);
    return take(timing, ret_why);
}

static void count_step(struct tsc_gaps *gaps, uint64_t step_tsc)
{
    unsigned bit = step_tsc == 0 ? 0 : 63U - (unsigned)__builtin_clzll(step_tsc);

    gaps->steps[bit < TSC_GAPS_BINS ? bit : TSC_GAPS_BINS - 1]++;
    gaps->longest_tsc = step_tsc > gaps->longest_tsc ? step_tsc : gaps->longest_tsc;
    if (step_tsc > gaps->threshold_tsc) {
        gaps->count++;
        gaps->lost_tsc += step_tsc;
    }
}

/* An SMI is not seen by any interrupt of ours, only by the time that is missing. */
static void watch(const struct timing *timing, uint64_t duration_tsc, struct tsc_gaps *ret_gaps)
{
    uint64_t start_tsc = cpu_tsc();
    uint64_t last_tsc = start_tsc;

    (void)timing;
    while (last_tsc - start_tsc < duration_tsc) {
        uint64_t now_tsc = cpu_tsc();

        count_step(ret_gaps, now_tsc - last_tsc);
        last_tsc = now_tsc;
    }
    ret_gaps->watched_tsc += last_tsc - start_tsc;
}

static burst_function burst_of(const struct port_sequence *sequence)
{
    if (sequence->entry == TIMING_IO) {
        return timing_burst_byte;
    }
    if (!sequence->has_dummy_read) {
        return timing_burst_nothing;
    }
    return sequence->dummy_paddr != 0 ? timing_burst_memory : timing_burst_port;
}

/* A port that stops the CPU is read with the wake-up waiting, so that it does not. */
static uint32_t burst(const struct timing *timing, const struct port_sequence *sequence,
                      uint64_t until_tsc, uint32_t room, uint32_t *ret_step_tsc)
{
    struct timing_native *native = (struct timing_native *)timing->context;
    struct timing_run *run = &native->run;
    uint32_t count;

    if (!native->is_taken || room == 0 ||
        (sequence->entry == TIMING_IO && !make_wake_pending(native))) {
        return 0;
    }
    run->dummy = sequence->entry == TIMING_IO ? sequence->first_port
                 : sequence->dummy_paddr != 0 ? sequence->dummy_paddr
                                              : sequence->dummy_port;
    run->until_tsc = until_tsc;
    run->room = room;
    run->steps = (uint64_t)(uintptr_t)ret_step_tsc;
    count = burst_of(sequence)(run);
    if (sequence->entry == TIMING_IO) {
        stop_timer(native);
    }
    return count;
}

static const char *source(const struct timing *timing)
{
    const struct timing_native *native = (const struct timing_native *)timing->context;

    return native->has_deadline ? "TSC deadline" : "local APIC timer";
}

/* ECX bit 0: an interrupt ends MWAIT although IF is off. Without it interrupts must be on. */
static timed_function mwait_of(const struct port_sequence *sequence)
{
    if ((sequence->mwait_extensions & 1U) != 0) {
        return sequence->has_dummy_read ? timing_mwait_dummy : timing_mwait;
    }
    return sequence->has_dummy_read ? timing_sti_mwait_dummy : timing_sti_mwait;
}

static timed_function with_second(const struct port_sequence *sequence, timed_function alone,
                                  timed_function port, timed_function memory)
{
    if (!sequence->has_dummy_read) {
        return alone;
    }
    return sequence->dummy_paddr != 0 ? memory : port;
}

static timed_function function_of(const struct port_sequence *sequence)
{
    switch (sequence->entry) {
    case TIMING_NOTHING:
        return with_second(sequence, timing_nothing, timing_nothing_dummy, timing_nothing_memory);
    case TIMING_IO:
        return with_second(sequence, timing_io, timing_io_dummy, timing_io_memory);
    case TIMING_HLT:
        return sequence->has_dummy_read ? timing_hlt_dummy : timing_hlt;
    case TIMING_MWAIT:
        return mwait_of(sequence);
    default:
        return NULL;
    }
}

static uint64_t smi_count(const struct timing_native *native)
{
    uint64_t count = 0;

    if (native->has_smi_count) {
        (void)msr_read(MSR_SMI_COUNT, &count);
    }
    return count;
}

static uint64_t disturbances(const struct timing_native *native)
{
    return native->fault.nmi_count + native->fault.stray_count + smi_count(native);
}

/* The 64-bit stamp whose low half is `low`, at or after `base_tsc` by less than 2^32 ticks. */
static uint64_t widen(uint64_t base_tsc, uint32_t low)
{
    return base_tsc + (uint32_t)(low - (uint32_t)base_tsc);
}

static uint64_t due_of(const struct timing_native *native, uint64_t base_tsc)
{
    const struct timing_run *run = &native->run;

    return widen(base_tsc, run->armed_tsc) +
           (native->has_deadline
                ? run->sleep_tsc
                : mul_div_round_u64(run->initial_count, native->count_tsc, native->count_ticks));
}

static void fill_stamps(const struct timing_native *native, uint64_t base_tsc, bool has_timer,
                        struct port_stamps *ret_stamps)
{
    const struct timing_run *run = &native->run;

    ret_stamps->before = widen(base_tsc, run->before_tsc);
    ret_stamps->after_first = widen(base_tsc, run->after_first_tsc);
    ret_stamps->after_dummy = widen(base_tsc, run->after_dummy_tsc);
    ret_stamps->in_handler =
        run->has_woken == TIMING_WOKEN ? widen(base_tsc, run->in_handler_tsc) : 0;
    ret_stamps->is_rescued = run->has_woken == TIMING_RESCUED;
    ret_stamps->due = has_timer ? due_of(native, base_tsc) : 0;
}

/* A CPU that did not stop may still do so: on some chipsets the stop comes some time after the read. So the
 * timer is waited for, and the longest step shows the stop. It also keeps the timer armed meanwhile. */
static void run_on(struct timing_native *native, uint64_t base_tsc, struct port_stamps *ret_stamps)
{
    uint64_t due_tsc = due_of(native, base_tsc);
    uint64_t last_tsc = cpu_tsc();
    uint64_t longest_tsc = 0;

    while (native->run.has_woken == 0 && (int64_t)(last_tsc - due_tsc) < (int64_t)PATIENCE_TSC) {
        uint64_t now_tsc;

        timing_window(&native->run);
        now_tsc = cpu_tsc();
        if (now_tsc - last_tsc > longest_tsc) {
            longest_tsc = now_tsc - last_tsc;
            ret_stamps->step_from = last_tsc;
            ret_stamps->step_to = now_tsc;
        }
        last_tsc = now_tsc;
    }
}

static enum status pass(const struct timing *timing, const struct port_sequence *sequence,
                        struct port_stamps *ret_stamps)
{
    struct timing_native *native = (struct timing_native *)timing->context;
    timed_function function = function_of(sequence);
    bool has_timer = sequence->sleep_tsc != 0 && !sequence->is_wake_pending;
    uint64_t disturbed_before, base_tsc;
    enum status status =
        native->is_taken && function != NULL ? prepare(native, sequence) : STATUS_UNSUPPORTED;

    if (status != STATUS_OK) {
        return status;
    }
    disturbed_before = disturbances(native);
    base_tsc = cpu_tsc();
    function(&native->run);
    ret_stamps->step_from = 0;
    ret_stamps->step_to = 0;
    if (sequence->entry == TIMING_IO && has_timer) {
        run_on(native, base_tsc, ret_stamps);
    }
    settle(native);
    if (native->run.has_faulted != 0) {
        return STATUS_FAULT;
    }
    fill_stamps(native, base_tsc, has_timer, ret_stamps);
    ret_stamps->is_disturbed = disturbances(native) != disturbed_before;
    return STATUS_OK;
}

void timing_native_init(struct timing_native *native, const struct timing_firmware *firmware,
                        bool has_smi_count)
{
    native->timing = (struct timing){.take = take,
                                     .pass = pass,
                                     .give = give,
                                     .breathe = breathe,
                                     .watch = watch,
                                     .burst = burst,
                                     .source = source,
                                     .context = native};
    native->firmware = *firmware;
    native->has_smi_count = has_smi_count;
    native->fault.context = native;
    native->fault.on_stray = note_stray;
    native->fault.fixups = timing_fixups;
    native->fault.fixups_count = TIMING_FIXUPS;
}

void timing_native_wake(const struct timing_native *native, uint32_t apic_id)
{
    lapic_send(&native->lapic, apic_id, RESCUE_VECTOR);
}
