#pragma once

#include "model/arena.h"
#include "model/options.h"
#include "report/report.h"

/*
 * After a run: a person reads the results page by page, and says how to leave. `place` is where the results are.
 * Gives the way to leave; a reset into the set-up or another boot entry has then been arranged.
 */
enum exit_way browse(const struct report *report, const char *place, struct arena *arena);

/* The ways to leave, for the menu before a run as well: true with *ret_way when one was chosen. */
bool browse_leave(enum exit_way *ret_way);
