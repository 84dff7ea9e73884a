#include "model/idle_clock.h"

#include "model/units.h"

/* ACPI 6.5, 4.8.2.1 Power Management Timer: 3.579545 MHz. */
#define PM_TIMER_HZ UINT64_C(3579545)

/* 10 ms: a tick more or less is nothing then. */
#define LEAST_PMT (PM_TIMER_HZ / 100)

uint64_t idle_tsc_pct(const struct idle_sample_set *set, uint64_t tsc_hz)
{
    uint64_t true_tsc = mul_div_u64(set->elapsed_pmt, tsc_hz, PM_TIMER_HZ);
    uint64_t pct;

    if (set->elapsed_pmt < LEAST_PMT || true_tsc == 0) {
        return 0;
    }
    pct = mul_div_round_u64(set->elapsed_tsc, 100, true_tsc);
    /* A TSC that stood still is not one that is unknown. */
    return pct == 0 ? 1 : pct;
}

bool idle_tsc_stops(const struct idle_sample_set *set, uint64_t tsc_hz)
{
    uint64_t pct = idle_tsc_pct(set, tsc_hz);

    return pct != 0 && pct < IDLE_TSC_RUNS_PCT;
}
