#pragma once

#include "tests/sim/sim_freq.h"

/* The PCC subspace of a struct sim_freq: sim_freq.h says what it is. Called by the machine's own accesses. */
enum status sim_pcc_read(struct sim_freq *machine, uint64_t now_ps, uint64_t paddr, unsigned bytes,
                         uint64_t *ret_value);
enum status sim_pcc_write(struct sim_freq *machine, uint64_t now_ps, uint64_t paddr, unsigned bytes,
                          uint64_t value);
void sim_pcc_ring(struct sim_freq *machine, uint64_t now_ps, uint64_t value);

/* CPU `cpu` is asked for a level, from that moment on. */
void sim_freq_ask_at(struct sim_freq *machine, uint32_t cpu, uint64_t control, uint64_t from_ps);
