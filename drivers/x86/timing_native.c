#include "drivers/x86/timing_native.h"

#include "drivers/x86/cpu.h"
#include "drivers/x86/timing_inner.h"

#include <stddef.h>
#include <string.h>

/* Taking the machine from the firmware and giving it back. */

#define SVR_VECTOR 0xFFU /* SDM vol. 3A, figure 11-23 */

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
    } else if (timer_start_use(native)) {
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
    /* Before the timer's end, which takes what has arrived already. */
    if (!guard_end(native)) {
        native->why = "a register of the HPET or the I/O APIC did not take its old value back";
    }
    if (!timer_end_use(native)) {
        native->why = "a local APIC register did not take its old value back";
    }
    if (!fault_detach(&native->fault)) {
        native->why = "the interrupt descriptor table could not be put back";
    }
    release(native);
}

static bool give(const struct timing *timing, const char **ret_why)
{
    struct timing_native *native = (struct timing_native *)timing->context;

    if (!native->is_taken) {
        return true;
    }
    put_back(native);
    check_firmware(native);
    if (native->why != NULL) {
        *ret_why = native->why;
    }
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

static const char *source(const struct timing *timing)
{
    const struct timing_native *native = (const struct timing_native *)timing->context;

    return native->has_deadline ? "TSC deadline" : "local APIC timer";
}

void timing_native_init(struct timing_native *native, const struct timing_firmware *firmware,
                        bool has_smi_count)
{
    native->timing = (struct timing){.take = take,
                                     .pass = pass_run,
                                     .give = give,
                                     .breathe = breathe,
                                     .watch = pass_watch,
                                     .burst = pass_burst,
                                     .work = pass_work,
                                     .pieces = pass_pieces,
                                     .guard = guard_watch,
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
