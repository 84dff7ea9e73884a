#pragma once

#include "drivers/hw.h"
#include "model/platform.h"
#include "model/request_register.h"

/*
 * The two bits that stay set until reset, CPPC_ENABLE and IA32_PM_ENABLE: set only where --allow=NAME says so, the
 * processor has the interface and the firmware left it off. What can be asked for is then measured once more through
 * the interface (frequency_measure.h).
 */

/* Which of the two is to be set in this run; ONE_WAY_NOT: none. Reads the collected platform only. */
enum one_way one_way_wanted(const struct platform *platform);

/*
 * Sets it on every CPU that answered, on the boot CPU for all, and says so in platform->requests. Registers of the
 * interface that could not be read before (SDM vol. 3B, 15.4.2: those of HWP fault while it is off) are read then and
 * added to the platform's MSRs. False when no CPU reads 1 afterwards.
 */
bool one_way_set(const struct hw *hw, struct platform *platform, enum one_way which);
