#pragma once

#include "drivers/hw.h"
#include "model/options.h"

/*
 * Ends the machine's run the way that options ask for; interfaces.md, "Exit status". Returns for EXIT_RETURN, and
 * where the firmware's shutdown or reset does not work.
 */
void leave_machine(const struct hw *hw, enum exit_way way, int status);
