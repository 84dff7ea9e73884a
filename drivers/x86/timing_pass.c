#include "drivers/work_kernel.h"
#include "drivers/x86/cpu.h"
#include "drivers/x86/msr.h"
#include "drivers/x86/timing_inner.h"
#include "model/units.h"

#include <stddef.h>

/* The sequences of timing.S: which one fits, its preparation, and its stamps made whole. */

#define MSR_SMI_COUNT 0x34U /* SDM vol. 4, table 2-15, MSR_SMI_COUNT [31:0] */
#define LEAD_TRIES 8U

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
#define UNKEPT_STEPS 64U /* of work that nobody looks at */

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
uint32_t timing_burst_nothing(struct timing_run *run);
uint32_t timing_burst_byte(struct timing_run *run);
uint32_t timing_burst_port(struct timing_run *run);
uint32_t timing_burst_memory(struct timing_run *run);
uint32_t timing_burst_chain(struct timing_run *run);

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
        return timer_make_wake_pending(native) ? STATUS_OK : STATUS_TIMEOUT;
    }
    if (sequence->sleep_tsc == 0) {
        return sequence->entry == TIMING_NOTHING ? STATUS_OK : STATUS_UNSUPPORTED;
    }
    return timer_prepare(native, sequence->sleep_tsc + native->lead_tsc);
}

/* Ends the timer's interrupt if it came; otherwise stops the timer and lets in what was just under way. */
static void settle(struct timing_native *native)
{
    uint32_t woken = native->run.has_woken;

    if (woken != 0) {
        lapic_end_of_interrupt(&native->lapic);
    }
    if (woken != TIMING_WOKEN) {
        timer_stop(native);
        native->run.has_woken = woken;
    }
}

/* How long after the timer's start the first stamp is taken: sleeps are counted from there. */
void pass_measure_lead(struct timing_native *native)
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
void pass_watch(const struct timing *timing, uint64_t duration_tsc, struct tsc_gaps *ret_gaps)
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
uint32_t pass_burst(const struct timing *timing, const struct port_sequence *sequence,
                    uint64_t until_tsc, uint32_t room, uint32_t *ret_step_tsc)
{
    struct timing_native *native = (struct timing_native *)timing->context;
    struct timing_run *run = &native->run;
    uint32_t count;

    if (!native->is_taken || room == 0 ||
        (sequence->entry == TIMING_IO && !timer_make_wake_pending(native))) {
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
        timer_stop(native);
    }
    return count;
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
    uint32_t looks = 0;

    while (native->run.has_woken == 0 &&
           ((int64_t)(last_tsc - due_tsc) < (int64_t)PATIENCE_TSC || looks++ < PATIENCE_LOOKS)) {
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

/* Whatever of the caches is not in memory goes there: Linux flushes right before such an entry, too. */
static uint64_t flush_caches(void)
{
    uint64_t start_tsc = cpu_tsc();

    cpu_flush_caches();
    return cpu_tsc() - start_tsc;
}

enum status pass_run(const struct timing *timing, const struct port_sequence *sequence,
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
    ret_stamps->flush_tsc = sequence->has_flush ? flush_caches() : 0;
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

uint32_t pass_work(const struct timing *timing, uint32_t additions, uint64_t until_tsc,
                   uint32_t room, uint32_t *ret_step_tsc)
{
    struct timing_native *native = (struct timing_native *)timing->context;
    struct timing_run *run = &native->run;
    uint32_t unkept[UNKEPT_STEPS];
    uint32_t count = 0;

    if (!native->is_taken || additions == 0) {
        return 0;
    }
    run->dummy = additions;
    run->until_tsc = until_tsc;
    run->room = ret_step_tsc == NULL ? UNKEPT_STEPS : room;
    run->steps = (uint64_t)(uintptr_t)(ret_step_tsc == NULL ? unkept : ret_step_tsc);
    if (run->room != 0) {
        count = timing_burst_chain(run);
    }
    while (ret_step_tsc == NULL && cpu_tsc() < until_tsc) {
        count += timing_burst_chain(run);
    }
    return count;
}

/* The seam gives the parameters. NOLINTNEXTLINE(readability-function-size) */
uint64_t pass_pieces(const struct timing *timing, enum work_kernel kernel, const uint64_t *buffer,
                     uint64_t first, uint64_t until_tsc, bool *ret_is_wrong)
{
    const struct timing_native *native = timing->context;
    uint64_t count = 0;

    if (!native->is_taken) {
        return 0;
    }
    do {
        *ret_is_wrong = !work_piece(kernel, first + count, buffer) || *ret_is_wrong;
        count++;
    } while (cpu_tsc() < until_tsc);
    return count;
}
