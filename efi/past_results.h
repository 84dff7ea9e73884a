#pragma once

#include "model/arena.h"

/* Lets a person choose among the results on the boot volume, newest first, and read one's report.txt. `out` is the
 * folder of results (--out). */
void past_results(const char *out, struct arena *arena);
