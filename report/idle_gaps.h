#pragma once

#include "model/platform.h"
#include "model/textbuf.h"

#include <stdbool.h>

/* The watch for gaps in the TSC (platform.tsc_gaps), in words: it bounds every timed figure. */

/* Whether there was a watch that can be told in time. */
bool idle_gaps_were_watched(const struct platform *platform);

/* "The TSC was watched for 1000 ms: 2 jumps over 10 us, longest step 101234 ns, 2 SMIs" */
void idle_gaps_sentence(struct textbuf *out, const struct platform *platform);

/* "steps below 26 ns: 39999998, 52 ns: 12, 137438 ns: 2": each class is twice the one before. */
void idle_gaps_histogram(struct textbuf *out, const struct platform *platform);
