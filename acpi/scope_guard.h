#pragma once

#include <stdint.h>

/*
 * Stands before acpi_ps_pop_scope for the calls of ACPICA's psobject.c (the Makefile renames them there). A Break or
 * Continue in a table's own code, in a While after an If that failed, makes acpi_ps_complete_op (20240827) pop scopes
 * until it finds the While, which is gone: for ever, without a call that our other guards could see. When the root
 * scope has been popped more often in a row than any table can ask for, this raises an exception on purpose, and
 * engine_config.protect comes back from it. The arguments are ACPICA's.
 */
void scope_guard_pop(void *parser_state, void **op, uint32_t *arg_types, uint32_t *arg_count);

/* Before each start of the interpreter. */
void scope_guard_init(void);

/* Why the exception was raised, for the report; NULL: it was not. Static text. */
const char *scope_guard_reason(void);
