#include "tests/sim/sim_energy.h"

#include "model/units.h"

/* 1 mW is 1 pJ in 1 ns. */
#define PS_PER_NS 1000

uint64_t sim_energy_pj(const struct sim_energy_counter *counter, uint64_t ps)
{
    if (ps <= counter->changed_ps) {
        return counter->used_pj;
    }
    return counter->used_pj + mul_div_u64(ps - counter->changed_ps, counter->mw, PS_PER_NS);
}

void sim_energy_set_mw(struct sim_energy_counter *counter, uint64_t now_ps, uint64_t mw)
{
    counter->used_pj = sim_energy_pj(counter, now_ps);
    counter->changed_ps = now_ps;
    counter->mw = mw;
}

uint64_t sim_energy_raw(const struct sim_energy_counter *counter, uint64_t now_ps)
{
    uint64_t updates = (now_ps + counter->phase_ps) / counter->period_ps;
    uint64_t shown_ps = updates * counter->period_ps;
    uint64_t at_ps = shown_ps > counter->phase_ps ? shown_ps - counter->phase_ps : 0;

    if (counter->is_stuck) {
        return counter->start_raw;
    }
    return (counter->start_raw + sim_energy_pj(counter, at_ps) / counter->step_pj) & UINT32_MAX;
}
