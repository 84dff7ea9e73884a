#pragma once

#include "model/platform.h"
#include "model/textbuf.h"

#include <stdbool.h>
#include <stdint.h>

/* Timed idle states as every writer names and folds them. */

/* Whether sets of two CPUs are one line: the same way, which stops in the same place. */
bool idle_words_is_alike(const struct idle_sample_set *a, const struct idle_sample_set *b);

/* The length of sleep in ns that all CPUs were asked for, or else the first one; 0 without sets. */
uint64_t idle_words_length_ns(const struct platform *platform);

/* Whether `index` is the first set of this length in its fold. */
bool idle_words_is_first(const struct platform *platform, uint32_t index, uint64_t length_ns);

/* "C2 by port 0x414 and the PM timer" */
void idle_words_way(struct textbuf *out, const struct idle_sample_set *set);

/* "stops in the second read" */
const char *idle_words_stop(const struct idle_sample_set *set);

/* "harmful" */
const char *idle_words_dummy(unsigned verdict);
