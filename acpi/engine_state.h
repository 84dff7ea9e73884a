#pragma once

#include "acpi/engine.h"

/* What acpi/engine.c and acpi/interpreter.c share about the one interpreter there is. */

/* Starts ACPICA on the tables of the platform, and loads the namespace. BAD_INPUT when it could not;
 * platform->acpi_error then says why. */
enum status interpreter_start(const struct engine_config *config,
                              struct platform *platform) MUST_CHECK;

/* Appends the tables that AML has loaded since to the platform, with the origin "dynamic". */
void interpreter_list_dynamic(struct platform *platform);

/* Definition blocks loaded since the start of the interpreter, those of the firmware's root table
 * included. */
uint32_t interpreter_loads(void);

void interpreter_stop(void);
