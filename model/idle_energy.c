#include "model/idle_energy.h"

#include "model/idle_reach.h"
#include "model/units.h"

#include <stddef.h>

uint64_t idle_energy_nj(const struct idle_sample_set *set)
{
    uint64_t whole_nj;

    if (!set->has_energy || set->passes == 0) {
        return 0;
    }
    whole_nj = mul_div_u64(set->energy_uj, 1000, 1);
    return mul_div_round_u64(whole_nj, 1, set->passes);
}

static const struct idle_sample_set *halt_of(const struct platform *platform,
                                             const struct idle_sample_set *set)
{
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *other = &platform->idle[i];

        if (other->cpu == set->cpu && other->entry == IDLE_HLT &&
            other->requested_ns == set->requested_ns) {
            return other;
        }
    }
    return NULL;
}

/* What the way takes more than HLT; false when one of them is not known. */
static bool excess_of(const struct platform *platform, const struct idle_sample_set *set,
                      int64_t *ret_nj)
{
    const struct idle_sample_set *halt = halt_of(platform, set);
    uint64_t own_nj = idle_energy_nj(set);
    uint64_t halt_nj = halt == NULL ? 0 : idle_energy_nj(halt);

    *ret_nj = (int64_t)(own_nj - halt_nj);
    return own_nj != 0 && halt_nj != 0 && own_nj <= INT64_MAX / 2 && halt_nj <= INT64_MAX / 2;
}

/* Where the line from one excess to the other crosses zero. */
static uint64_t crossing_ns(uint64_t from_ns, int64_t from_nj, uint64_t to_ns, int64_t to_nj)
{
    return from_ns + mul_div_round_u64(to_ns - from_ns, (uint64_t)from_nj,
                                       (uint64_t)from_nj + (uint64_t)-to_nj);
}

enum avail idle_break_even(const struct platform *platform, uint32_t first_set, uint64_t *ret_us)
{
    const struct idle_sample_set *way = &platform->idle[first_set];
    uint64_t longer_ns = 0; /* 0: none yet */
    int64_t longer_nj = 0;

    *ret_us = 0;
    if (way->entry == IDLE_HLT) {
        return AVAIL_UNTRIED;
    }
    /* Backwards from the longest, while each pays. */
    for (uint32_t i = platform->idle_count; i > first_set; i--) {
        const struct idle_sample_set *set = &platform->idle[i - 1];
        int64_t excess_nj;

        if (!idle_is_same_way(set, way) || !excess_of(platform, set, &excess_nj)) {
            continue;
        }
        if (excess_nj >= 0) {
            *ret_us = longer_ns == 0
                          ? 0
                          : crossing_ns(set->requested_ns, excess_nj, longer_ns, longer_nj) / 1000;
            return longer_ns == 0 ? AVAIL_ABSENT : AVAIL_PRESENT;
        }
        longer_ns = set->requested_ns;
        longer_nj = excess_nj;
    }
    return longer_ns == 0 ? AVAIL_UNTRIED : AVAIL_PRESENT;
}
