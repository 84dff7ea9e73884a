#pragma once

#include "model/status.h"

#include <stdbool.h>

/*
 * Installs our handlers for SystemMemory and SystemIO operation regions on the namespace root. To be called
 * after the subsystem is initialised and before the tables load. PCI_Config keeps ACPICA's handler, which
 * finds the device's bus number and then accesses through the OS layer, so it ends in acpi/access.h as
 * well; ACPICA's SystemMemory handler would read mapped pointers itself. `has_ec`: EmbeddedControl as well, which reads as zero
 * and is counted; for dumps, where no hardware is anyway. STATUS_NO_MEMORY or STATUS_UNSUPPORTED when the
 * interpreter refuses.
 */
enum status regions_install(bool has_ec) MUST_CHECK;
