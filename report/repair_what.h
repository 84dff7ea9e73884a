#pragma once

#include "model/objects.h"
#include "model/textbuf.h"

#include <stdbool.h>

/* The longest sentence that repair_what writes, with its NUL. */
#define REPAIR_WHAT_BYTES 320

/* Whether an outcome is worth a line: repair changed something, or could not be tried, or broke it. */
bool repair_is_told(enum repair_outcome outcome);

/*
 * One sentence about what the interpreter's repair did to an object, from the object with repair off and on:
 * "sorted: row 3 (2300) before row 4 (2400)". Sources: ACPICA 20240827 nsrepair.c, nsrepair2.c, nsprepkg.c.
 */
void repair_what(const struct object_result *result, enum object_kind kind, struct textbuf *out);
