#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * Counters that are read before the first and after the last sleep of a set, so that the sleeps can be held
 * against them: residency counters of the core and the package, the count of SMIs, the PM timer. Read on the
 * CPU that sleeps; only what the collector was allowed to read and found.
 */
#define IDLE_METERS_CORE 4U
#define IDLE_METERS_PACKAGE 8U

struct idle_meters {
    bool has_smi_count; /* MSR 34H */
    uint32_t core_count;
    uint32_t core_msr[IDLE_METERS_CORE];
    uint32_t package_count;
    uint32_t package_msr[IDLE_METERS_PACKAGE];
    uint16_t pm_timer_port; /* 0: there is none */
};

/* What the counters said, with the time of the reading. */
struct idle_meter_reading {
    uint64_t tsc;
    uint64_t smi;
    uint64_t core[IDLE_METERS_CORE];
    uint64_t package[IDLE_METERS_PACKAGE];
    bool has_pm_timer;
    uint32_t pm_timer; /* its low 24 bits count on every machine */
};

/* The counters of `cpu` that may be read: those that were present when the machine was collected. */
void idle_meters_choose(const struct platform *platform, uint32_t cpu,
                        struct idle_meters *ret_meters);

void idle_meters_read(const struct idle_meters *meters, const struct hw *hw,
                      struct idle_meter_reading *ret_reading);

/* Fills the fields of *set that come from counters. tsc_hz must not be 0. */
void idle_meters_fill(const struct idle_meters *meters, const struct idle_meter_reading *before,
                      const struct idle_meter_reading *after, uint64_t tsc_hz,
                      struct idle_sample_set *set);
