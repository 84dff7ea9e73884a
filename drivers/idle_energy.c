#include "drivers/idle_energy.h"

#include "model/units.h"

#include <stddef.h>

/* A counter that has not moved by then does not count: it ought to move every millisecond. */
#define STEP_NS UINT64_C(8000000)

static uint64_t now(const struct hw *hw)
{
    return hw->ops->tsc(hw);
}

void idle_energy_init(struct idle_energy *energy, const struct rapl_counters *counters)
{
    *energy = (struct idle_energy){.counters = {.avail = AVAIL_PRESENT}};
    for (unsigned i = 0; i < RAPL_DOMAINS; i++) {
        energy->counters.domain[i].avail = AVAIL_UNTRIED;
    }
    energy->counters.domain[RAPL_PACKAGE] = counters->domain[RAPL_PACKAGE];
}

void idle_energy_clear(struct idle_energy *energy)
{
    energy->is_open = false;
    energy->uj = 0;
    energy->inside_tsc = 0;
    energy->uncertainty_ppm = 0;
}

bool idle_energy_open(struct idle_energy *energy, const struct hw *hw, uint64_t tsc_hz)
{
    uint64_t start_tsc = now(hw);
    bool is_seen = false;

    rapl_meter_init(&energy->meter, &energy->counters, tsc_hz);
    rapl_meter_arm(hw, &energy->meter, false);
    while (!is_seen && now(hw) - start_tsc < units_ns_to_tsc(STEP_NS, tsc_hz)) {
        is_seen = rapl_meter_poll(hw, &energy->meter);
    }
    energy->is_open = is_seen;
    energy->opened_tsc = now(hw);
    if (!is_seen) {
        energy->why = "the energy counter of the package does not move";
    }
    return is_seen;
}

/* The last step lies up to a millisecond back: the power until then is taken for all of the stretch. */
void idle_energy_close(struct idle_energy *energy, const struct hw *hw)
{
    struct rapl_reading reading;
    uint64_t inside_tsc;

    if (!energy->is_open) {
        return;
    }
    energy->is_open = false;
    rapl_meter_end_now(hw, &energy->meter);
    inside_tsc = now(hw) - energy->opened_tsc;
    rapl_meter_reading(&energy->meter, RAPL_PACKAGE, &reading);
    if (reading.avail != AVAIL_PRESENT || reading.span_tsc == 0) {
        return;
    }
    energy->uj += mul_div_round_u64(reading.uj, inside_tsc, reading.span_tsc);
    energy->inside_tsc += inside_tsc;
    if (reading.uncertainty_ppm > energy->uncertainty_ppm) {
        energy->uncertainty_ppm = reading.uncertainty_ppm;
    }
}

uint64_t idle_energy_so_far_tsc(const struct idle_energy *energy, const struct hw *hw)
{
    return energy->inside_tsc + (energy->is_open ? now(hw) - energy->opened_tsc : 0);
}
