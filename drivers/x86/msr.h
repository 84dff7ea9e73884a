#pragma once

#include "model/avail.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Model-specific registers on the calling CPU. UNTRIED unless a fault handler of ours is attached there
 * (fault.h). Which MSRs may be read is the collectors' matter (model/msr_catalog.h).
 */
enum avail msr_read(uint32_t msr, uint64_t *ret_value);

/*
 * Writes only what the one allow-list of the program names: UNTRIED, and nothing written, for every
 * other MSR. Whoever writes has read the value before and writes it back in the same function.
 */
enum avail msr_write(uint32_t msr, uint64_t value);

/* Whether the allow-list names the MSR for writing. In read-only mode only the local APIC is on it. Of a request
 * register (model/request_register.h) only the bits of its mask may be changed. */
bool msr_may_write(uint32_t msr);

/* From now on nothing but the local APIC may be written, to the end of the program. */
void msr_set_read_only(void);

/* --allow=NAME: registers that keep what is written to them until reset. Without it they are not on the list. */
void msr_allow_one_way(bool cppc_enable, bool hwp_enable);
