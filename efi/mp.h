#pragma once

#include "drivers/hw.h"
#include "drivers/x86/fault.h"
#include "efi/mp_services.h"
#include "model/arena.h"
#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The other CPUs, through the firmware: architecture.md section 7. All are started by one call and without
 * blocking where the firmware allows that, else by one blocking call with a time limit while a timer event does
 * the boot CPU's part, else in turn. Code on another CPU calls no UEFI service, has a fault table of its own around the
 * procedure, and writes its own slot only. A CPU that does not come back is never used again.
 */

/* A processor as the firmware numbers it. */
struct mp_processor {
    uint32_t apic_id;
    bool is_boot;
    bool is_usable; /* enabled and healthy */
    bool is_lost;   /* did not come back once */
    bool is_wanted; /* in the present run */
    uint32_t cpu;   /* Linux's number of it, valid when is_wanted */
    volatile bool has_started;
    volatile bool is_done;
    struct fault_cpu *fault; /* NULL for the boot processor */
};

enum mp_way {
    MP_AT_ONCE = 0, /* without blocking */
    MP_WITH_TIMER,  /* blocking; the boot CPU's part runs in a timer event meanwhile */
    MP_BLOCKING,    /* blocking, the boot CPU's part before it */
    MP_ONE_BY_ONE
};

struct mp {
    struct mp_services *services; /* NULL: the firmware has none */
    const struct platform *platform;
    struct arena *arena;
    uint32_t count;
    struct mp_processor *processors;
    bool is_list_whole; /* the firmware told of every processor */
    enum mp_way way;
    EFI_EVENT event;  /* of the non-blocking start */
    bool is_pending;  /* the firmware has not yet taken all CPUs back from the last start */
    bool is_unusable; /* it never did: no further start */
    /* The present run, read by the other CPUs. */
    const struct hw *hw;
    hw_procedure procedure;
    void *argument;
    /* MP_WITH_TIMER: what the event runs, and whether it has begun. */
    bool awaits_boot_cpu;
    bool has_boot_cpu_begun;
    bool has_clock_stopped; /* the firmware's, after such a part */
    uint32_t wanted_count;  /* other CPUs that are to come ... */
    uint32_t arrived_count; /* ... and that wait for it */
    uint32_t ticks;
    uint32_t own_count;
    const uint8_t *own_wanted;
    enum hw_run *own_run;
};

/* Finds the services and lists the processors. CPU numbers are looked up in `platform` at each run, by
 * APIC id. Works without services: there is then only the boot CPU. */
void mp_open(struct mp *mp, const struct platform *platform, struct arena *arena);

/* native_services.run_on_cpus; `context` is a struct mp. */
enum status mp_run(void *context, const struct hw *hw, uint32_t count, const uint8_t *wanted,
                   hw_procedure procedure, void *argument, uint32_t timeout_ms,
                   enum hw_run *ret_run);

/* Waits until the firmware has its CPUs back. Call before the program ends. */
void mp_settle(struct mp *mp);

/* Says in the platform how the CPUs were run, which did not answer, and why others could not be asked. */
void mp_describe(const struct mp *mp, struct platform *platform);

/* Whether the program may return to the firmware: no CPU is lost, or each lost one works again. */
bool mp_may_return(struct mp *mp);
