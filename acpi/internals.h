#pragma once

#include <stdbool.h>

/*
 * What only ACPICA's own headers tell about a moment of its work. Asked for while it calls us.
 */

/* Room for a table's signature, a space and its OEM table id. */
#define INTERNALS_TABLE_BYTES 16

/* The name of the table that is being loaded, e.g. "SSDT CpuSsdt"; empty when none is. */
void internals_loading_table(char ret_name[INTERNALS_TABLE_BYTES]);

/* Is told each error of AML in a table's own code: the table as above, and "AE_AML_...". To be set after
 * each start of the interpreter. */
void internals_watch_tables(void (*on_error)(const char *table, const char *error));

/* Drops the thread of a start that ended in the middle of a method: ACPICA's own start leaves the pointer as it is, and
 * what it points to is gone. To be called before each start of the interpreter. */
void internals_forget(void);

/* Whether the semaphore that is given back is a mutex of AML which no Release gave back: all code has
 * returned, and the interpreter clears up. Then its name, e.g. "MUTX". */
bool internals_is_left_mutex(const void *semaphore, char ret_name[5]);
