#pragma once

#include "model/arena.h"

/* The one arena of a run, over calloc. It is never freed: the program ends with it. */
void memory_init(struct arena *arena);
