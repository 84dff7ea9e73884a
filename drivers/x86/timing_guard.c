#include "drivers/x86/cpu.h"
#include "drivers/x86/timing_inner.h"
#include "model/units.h"

#include <stddef.h>

/* The second source of wake-ups of a CPU that no other watches: its interrupt arrives at the rescue vector. */

#define PROOF_NS UINT64_C(100000)
#define LATE_MAX 2U

/* One that came too late waits at the local APIC: it would end the next sleep. */
static void take_late(struct timing_native *native)
{
    for (unsigned i = 0; i < LATE_MAX && lapic_is_requested(&native->lapic, RESCUE_VECTOR); i++) {
        (void)timer_take_interrupt(native);
    }
}

static uint32_t own_apic_id(const struct timing_native *native)
{
    uint32_t id = lapic_read(&native->lapic, LAPIC_ID);

    return native->lapic.is_x2apic ? id : id >> 24; /* SDM vol. 3A, figure 11-6 */
}

static bool open_route(struct timing_native *native, uint32_t route)
{
    return wake_guard_open(&native->guard, route, own_apic_id(native), RESCUE_VECTOR);
}

/* The interrupt is seen to arrive before anything relies on it. */
static bool prove_route(struct timing_native *native, uint32_t route)
{
    struct patience patience = patience_begin();

    if (!open_route(native, route)) {
        return false;
    }
    wake_guard_arm(&native->guard, PROOF_NS);
    while (patience_lasts(&patience)) {
        if (timer_take_interrupt(native) == TIMING_RESCUED) {
            native->guard_route = route;
            return true;
        }
    }
    native->guard_damaged = !wake_guard_close(&native->guard);
    return false;
}

static bool find_guard(struct timing_native *native)
{
    native->has_looked_for_guard = true;
    native->guard_why = wake_guard_find(&native->guard, native->guard_hw, native->guard_platform);
    for (uint32_t i = 0; native->guard_why == NULL && i < native->guard.routes_count; i++) {
        if (prove_route(native, i)) {
            return true;
        }
    }
    if (native->guard_why == NULL) {
        native->guard_why = "no interrupt of the HPET arrives";
    }
    return false;
}

/* Opened anew in every stretch: in between all is the firmware's. */
static bool is_ready(struct timing_native *native)
{
    if (native->guard.is_open) {
        return true;
    }
    if (!native->has_looked_for_guard) {
        return find_guard(native);
    }
    if (native->guard_why == NULL && !open_route(native, native->guard_route)) {
        native->guard_why = "the HPET could not be set up again";
    }
    return native->guard_why == NULL;
}

const char *guard_watch(const struct timing *timing, uint64_t ns, const char **ret_why)
{
    struct timing_native *native = (struct timing_native *)timing->context;

    *ret_why = "this CPU has none";
    if (!native->is_taken || native->guard_hw == NULL) {
        return NULL;
    }
    if (!is_ready(native)) {
        *ret_why = native->guard_why;
        return NULL;
    }
    wake_guard_arm(&native->guard, 0);
    take_late(native);
    wake_guard_arm(&native->guard, ns);
    return "HPET";
}

bool guard_end(struct timing_native *native)
{
    bool is_same = wake_guard_close(&native->guard) && !native->guard_damaged;

    native->guard_damaged = false;
    return is_same;
}

void timing_native_set_guard(struct timing_native *native, const struct hw *hw,
                             const struct platform *platform)
{
    native->guard_hw = hw;
    native->guard_platform = platform;
}
