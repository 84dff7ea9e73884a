#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * The rate of the TSC: as CPUID 15H/16H, 40000010H, platform MSRs and AMD's P0 state it, and measured against the PM
 * timer, the HPET and the PIT, each with its uncertainty. All that exist are measured, since only several of
 * them show which one is wrong. Fills platform->clocks and the best known tsc_hz, with the reason. On a back end
 * that is not live only the stated rates are taken.
 */
void clocks_collect(const struct hw *hw, struct platform *platform);
