#pragma once

#include "model/arena.h"
#include "model/options.h"

#include <stdbool.h>

/*
 * Before a run that nobody gave words for: three seconds' time to take over, then the run starts by itself. In the menu
 * a person chooses a group, changes options, reads past results or leaves. `options` is what will be run. True: run;
 * false: leave by *ret_way.
 */
bool start_menu(struct options *options, struct arena *arena, enum exit_way *ret_way);
