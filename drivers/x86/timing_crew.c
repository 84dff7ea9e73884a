#include "drivers/x86/timing_crew.h"

#include "drivers/x86/cpu.h"

#include <stddef.h>

/* On another CPU there is no firmware to be asked. */
static const struct timing_firmware no_firmware;

static struct timing_native *core_at(const struct native_crew *native, uint32_t cpu)
{
    if (cpu == 0) {
        return native->boot;
    }
    return cpu < native->count ? native->cores[cpu] : NULL;
}

static const struct timing *core(const struct timing_crew *crew, uint32_t cpu)
{
    struct native_crew *native = (struct native_crew *)crew->context;

    if (native->cores == NULL) {
        native->count = native->platform->cpus_count;
        native->cores = arena_array(native->arena, native->count, sizeof(struct timing_native *));
    }
    if (native->cores == NULL || cpu >= native->count) {
        return NULL;
    }
    if (cpu != 0 && native->cores[cpu] == NULL) {
        native->cores[cpu] = arena_take(native->arena, sizeof(struct timing_native));
        if (native->cores[cpu] == NULL) {
            return NULL;
        }
        timing_native_init(native->cores[cpu], &no_firmware, native->boot->has_smi_count);
        timing_native_give_rate(native->cores[cpu], native->boot);
    }
    return &core_at(native, cpu)->timing;
}

static void wake(const struct timing_crew *crew, uint32_t from, uint32_t target)
{
    const struct native_crew *native = (const struct native_crew *)crew->context;
    const struct timing_native *sender = core_at(native, from);

    if (sender != NULL && core_at(native, target) != NULL) {
        timing_native_wake(sender, native->platform->cpus[target].apic_id);
    }
}

static void relax(const struct timing_crew *crew, uint32_t cpu)
{
    (void)crew;
    (void)cpu;
    cpu_pause();
}

void native_crew_init(struct native_crew *native, struct timing_native *boot,
                      const struct platform *platform, struct arena *arena)
{
    *native = (struct native_crew){.arena = arena, .platform = platform, .boot = boot};
    native->crew =
        (struct timing_crew){.core = core, .wake = wake, .relax = relax, .context = native};
}
