#include "model/idle_reach.h"

#include "model/idle_energy.h"

#include <stddef.h>

/* A way out that takes less than this share of the longest sleep's is another state's. */
#define SAME_STATE_PCT 50U

bool idle_is_same_way(const struct idle_sample_set *a, const struct idle_sample_set *b)
{
    return a->cpu == b->cpu && a->entry == b->entry && a->port == b->port && a->hint == b->hint &&
           a->dummy_read == b->dummy_read;
}

static bool has_stopped(const struct idle_sample_set *set)
{
    return set->stopped_in == STOPPED_FIRST_READ || set->stopped_in == STOPPED_DUMMY_READ;
}

static bool is_as_deep(const struct idle_sample_set *set, const struct idle_sample_set *deepest)
{
    return set->exit_tsc.p50 * 100 >= deepest->exit_tsc.p50 * SAME_STATE_PCT;
}

/* Backwards from the longest sleep, while each shorter one ends as it does. */
static void find_one(const struct platform *platform, uint32_t first, struct idle_reach *ret_reach)
{
    const struct idle_sample_set *way = &platform->idle[first];
    const struct idle_sample_set *deepest = NULL;

    *ret_reach = (struct idle_reach){.cpu = way->cpu, .first_set = first};
    for (uint32_t i = platform->idle_count; i > first; i--) {
        const struct idle_sample_set *set = &platform->idle[i - 1];

        if (!idle_is_same_way(set, way) || (deepest == NULL && !has_stopped(set))) {
            continue;
        }
        deepest = deepest == NULL ? set : deepest;
        if (!has_stopped(set) || !is_as_deep(set, deepest)) {
            ret_reach->is_demoted_below = has_stopped(set);
            return;
        }
        ret_reach->entered_from_ns = set->requested_ns;
    }
}

static bool is_first(const struct platform *platform, uint32_t index)
{
    for (uint32_t i = index; i > 0; i--) {
        if (idle_is_same_way(&platform->idle[i - 1], &platform->idle[index])) {
            return false;
        }
    }
    return true;
}

void idle_reach_find(struct platform *platform)
{
    platform->idle_reach_count = 0;
    platform->idle_reach =
        arena_array(platform->arena, platform->idle_count, sizeof(*platform->idle_reach));
    for (uint32_t i = 0; platform->idle_reach != NULL && i < platform->idle_count; i++) {
        if (platform->idle[i].is_sweep && is_first(platform, i)) {
            struct idle_reach *reach = &platform->idle_reach[platform->idle_reach_count++];

            find_one(platform, i, reach);
            reach->break_even = idle_break_even(platform, i, &reach->break_even_us);
        }
    }
}
