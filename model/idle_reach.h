#pragma once

#include "model/platform.h"

/*
 * From which length of sleep a way really enters its state: parts demote short sleeps to a shallower state,
 * which wakes faster, or do not stop at all. Fills platform->idle_reach, one entry for each way of each
 * sweep, from platform->idle.
 */
void idle_reach_find(struct platform *platform);

/* Whether two sets are of one way on one CPU. */
bool idle_is_same_way(const struct idle_sample_set *a, const struct idle_sample_set *b);
