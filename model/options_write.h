#pragma once

#include "model/options.h"

/*
 * The words that give these options, for the record of a run: each goes to `word`, and options_take takes
 * them all back. Where results go, how the run ends and what it shows are not part of it.
 */
void options_write(const struct options *options, void (*word)(void *context, const char *text),
                   void *context);
