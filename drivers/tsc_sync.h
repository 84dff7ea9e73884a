#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * Whether the TSCs of all CPUs show the same time. The boot CPU and each other CPU hand a word to and fro: what the
 * other CPU reads between must lie between the boot CPU's reads before and after, which bounds how far apart the two
 * counters are. Where the firmware runs other CPUs only while the boot CPU waits, the reads around the whole call
 * bound it, by milliseconds. One start of the other CPUs; every wait is limited.
 *
 * Fills platform->tsc_sync. Does nothing on a back end that is not live, or with one CPU.
 */
void tsc_sync_measure(const struct hw *hw, struct platform *platform);
