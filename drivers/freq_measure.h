#pragma once

#include "drivers/hw.h"
#include "drivers/timing.h"
#include "model/freq.h"
#include "model/platform.h"

/*
 * The one measuring loop: how fast does this core run? Everything that gives a frequency uses it. It runs on
 * the CPU that it is about, between take and give of that CPU's timing core, works all the time (so that the
 * core is never in a C-state) and calls no firmware but through `breathe`.
 */
struct freq_meter {
    const struct hw *hw;
    const struct timing *timing;
    uint64_t tsc_hz; /* not 0 */
    uint64_t
        slice_tsc; /* how long until the counters are looked at again; a window is some slices */
    /* Between two slices, where the core must let the firmware run: false ends the window. NULL: never. */
    bool (*breathe)(void *context);
    void *breathe_context;
    bool has_core_status;    /* IA32_THERM_STATUS may be read */
    bool has_package_status; /* IA32_PACKAGE_THERM_STATUS */
    uint32_t limit_msr;      /* CORE_PERF_LIMIT_REASONS of this model, or 0 */
    bool has_pstate_limit;   /* AMD C001_0061 */
    uint64_t asked_pstate;   /* for has_pstate_limit: what is asked for, by the caller */
};

/* A look at both counters. */
struct freq_stamp {
    uint64_t tsc;
    uint64_t width_tsc; /* from before the first read to after the last */
    uint64_t aperf;
    uint64_t mperf;
};

/* The meter for CPU `cpu`: which status registers it has, as far as the collectors could read them. */
void freq_meter_init(struct freq_meter *meter, const struct hw *hw, const struct timing *timing,
                     const struct platform *platform, uint32_t cpu);

/* Whether CPU `cpu` has APERF and MPERF (CPUID 6 ECX[0]: SDM vol. 2A, CPUID; APM vol. 3, appendix E). */
bool freq_meter_has_counters(const struct platform *platform, uint32_t cpu);

/* The tightest of a few looks. False when a counter cannot be read. */
bool freq_meter_stamp(const struct freq_meter *meter, struct freq_stamp *ret_stamp);

/* Works for window_ns and fills *ret_counts. A slice in which a counter went backwards or stood still, or whose
 * stamps are wide, is left out and counted. */
void freq_meter_window(struct freq_meter *meter, uint64_t window_ns,
                       struct freq_counts *ret_counts);

/* Works without looking. */
void freq_meter_work(const struct freq_meter *meter, uint64_t ns);
