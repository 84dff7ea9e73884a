#pragma once

#include "model/arena.h"

/*
 * A small arena that is emptied again and again: for values that are looked at once, or that turn out to
 * be the same as one already kept. Emptying it ends the life of everything in it.
 */

/* Takes the scratch memory from `arena`. */
void scratch_init(struct arena *arena);

/* The empty scratch arena. Requests that do not fit give NULL. */
struct arena *scratch_empty(void);
