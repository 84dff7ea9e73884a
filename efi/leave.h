#pragma once

#include "drivers/hw.h"
#include "model/options.h"

#include <efi.h>

/*
 * Ends the program the way that options ask for; interfaces.md, "Exit status". Returns only for EXIT_RETURN
 * with may_return, or where the firmware's reset does not work: then EFI_SUCCESS for status 0, else
 * EFI_ABORTED. A program that may not return, because a CPU is still somewhere in it, resets the machine.
 */
EFI_STATUS leave(const struct hw *hw, enum exit_way way, int status, bool may_return);
