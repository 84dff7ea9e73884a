#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * The rate of the TSC: as CPUID 15H/16H, 40000010H and platform MSRs state it, and measured against the
 * PM timer (and HPET or PIT where there is none), each with its uncertainty. Fills platform->clocks and
 * the best known tsc_hz. On a back end that is not live only the stated rates are taken.
 */
void clocks_collect(const struct hw *hw, struct platform *platform);
