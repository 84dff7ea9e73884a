#pragma once

#include "drivers/x86/fault.h"

/*
 * Comes back from an exception in the AML interpreter, which malformed tables can lead to wild addresses or divisions
 * by zero: the counterpart of host/crash_guard.h. Boot CPU only, not to be nested.
 */

/* engine_config.protect; `cpu` is the boot CPU's struct fault_cpu, whose on_exception calls crash_guard_return.
 * False: the procedure raised an exception, and what it worked on must not be used again. */
bool crash_guard_run(void *cpu, void (*procedure)(void *argument), void *argument);

/* Does not return when the exception is one of a procedure that is under way; returns when it is not. To be asked
 * only for exceptions within this program: within the firmware its state would be left half changed. */
void crash_guard_return(const struct fault_cpu *cpu, const struct fault_record *record);
