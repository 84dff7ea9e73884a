#pragma once

#include "model/platform.h"

/*
 * What a sleep costs in energy, and from which length on a way of going idle pays against HLT. Energy is the
 * package's, so it is that of one CPU's sleep with all that the others do meanwhile.
 */

/* Energy of one pass of the set: the sleep, the way in and out, and what lies between two sleeps; in nanojoules.
 * 0: not known. */
uint64_t idle_energy_nj(const struct idle_sample_set *set);

/*
 * The length from which on the way of `first_set`'s index takes less energy than HLT on the same CPU, both at the
 * same lengths; between two lengths linearly, which is exact where a state costs a fixed amount and saves power
 * for the rest. PRESENT and *ret_us (0: at every length); ABSENT: at none; UNTRIED: not known.
 */
enum avail idle_break_even(const struct platform *platform, uint32_t first_set, uint64_t *ret_us);
