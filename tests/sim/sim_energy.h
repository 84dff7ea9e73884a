#pragma once

#include "model/rapl.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Energy counters in virtual time: each gains mw over time, but shows it only once every period_ps, in whole
 * steps of 32 bits. Where the MSRs are is the test's matter.
 */
struct sim_energy_counter {
    uint32_t msr; /* 0: none */
    uint64_t mw;  /* power from changed_ps on */
    uint64_t used_pj;
    uint64_t changed_ps;
    uint64_t start_raw; /* what it shows at time 0 */
    uint64_t step_pj;
    uint64_t period_ps;
    uint64_t phase_ps;
    bool is_stuck;
};

/* Another power from `now_ps` on. */
void sim_energy_set_mw(struct sim_energy_counter *counter, uint64_t now_ps, uint64_t mw);

/* Energy really used until `ps`, in picojoules. */
uint64_t sim_energy_pj(const struct sim_energy_counter *counter, uint64_t ps);

/* What the counter reads at `now_ps`. Power may have changed only once since the last update. */
uint64_t sim_energy_raw(const struct sim_energy_counter *counter, uint64_t now_ps);
