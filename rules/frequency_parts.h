#pragma once

#include "rules/judge.h"

/* Whether there are measured frequencies of a kind that say something: `count` of them, on no emulator. Skips
 * otherwise, with `none` (static text) where nothing else says why there are none. */
bool frequency_is_measured(struct judge *judge, uint32_t count, const char *none);
