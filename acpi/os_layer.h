#pragma once

#include "acpi/engine.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The operating system that ACPICA asks for: its AcpiOs functions over the arena, the hardware seam and
 * the guard. One thread, no interrupts, no firmware services, so it runs the same in UEFI and on the host.
 */

/* Makes the layer ready for an interpreter that shall find its root pointer at `root_paddr`, an address
 * that may be used as a pointer. */
void os_layer_init(uint64_t root_paddr);

/* Ends an evaluation: a mutex that AML kept becomes a message when that is the evaluation's fault, and no
 * other error ended it. */
void os_layer_report_mutex(bool is_fault);

/* Waits that would never have ended, because the one thread there is holds the lock itself. */
uint32_t os_layer_deadlocks(void);
