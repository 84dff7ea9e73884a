#pragma once

#include "drivers/hw.h"
#include "model/platform.h"

/*
 * Reads every _CPC register of every enabled processor where it lives: Integer, SystemMemory, SystemIO,
 * FFH (MSR of that CPU with bit offset and width), PCC subspace (shared memory after a READ command
 * through the doorbell, with a time limit; not with --read-only). Fills cpc_avail and cpc_value.
 * ACPI 6.5, 8.4.6.1 and 14; Linux 6.12 drivers/acpi/cppc_acpi.c cpc_read, send_pcc_cmd.
 */
void cpc_read_all(const struct hw *hw, struct platform *platform);
