#pragma once

#include "drivers/x86/fault.h"

/*
 * An exception that nobody expected, in our code or in the firmware's: a fault_handler. cpu->context is the run's
 * struct options. Prints one page (what, where, the registers, the step, what is left on the medium) and ends the
 * machine's run as the options ask; where a person may read, after a minute, by a reset. An exception of the AML
 * interpreter does not come that far: crash_guard.h.
 */
void crash_page(struct fault_cpu *cpu, const struct fault_record *record);
