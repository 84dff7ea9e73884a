#pragma once

#include "drivers/clock_counter.h"

/*
 * The TSC against the seconds of the real-time clock (MC146818): the moment at which its update ends comes once a
 * second. Takes two to three seconds, so only when the other counters contradict each other. Writes the index at
 * port 70H, which everyone who uses the clock sets anew.
 */
void clock_rtc_measure(const struct hw *hw, struct clock_measurement *ret_measurement);
