#pragma once

#include "model/platform.h"

/*
 * Finding processors by a number that many of them may share, so that a rule that compares processors
 * stays fast with thousands of CPUs. The orders are made by platform_freeze; without them (no memory, or a
 * snapshot that was not frozen) the same answers come from a walk over all processors.
 */

/* Makes the orders in the platform's arena. */
void processor_index_make(struct platform *platform);

/*
 * The next processor, in namespace order and enabled or not, whose `key` is `value`, from *position on; NULL
 * when there is none. Start with *position 0 and call again for the following one.
 */
const struct processor *processor_index_next(const struct platform *platform,
                                             enum processor_key key, uint64_t value,
                                             uint32_t *position);
