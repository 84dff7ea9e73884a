#pragma once

#include "model/status.h"

/*
 * Installs our handlers for SystemMemory and SystemIO operation regions on the namespace root. To be called
 * after the subsystem is initialised and before the tables load. PCI_Config keeps ACPICA's handler, which
 * finds the device's bus number and then accesses through the OS layer, so it ends in acpi/access.h as
 * well; ACPICA's SystemMemory handler would read mapped pointers itself. STATUS_NO_MEMORY or
 * STATUS_UNSUPPORTED when the interpreter refuses.
 */
enum status regions_install(void) MUST_CHECK;
