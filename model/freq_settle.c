#include "model/freq_settle.h"

#include "model/sort.h"
#include "model/units.h"

#include <stddef.h>

#define MEDIAN_PERMILLE 500U
#define NOISE_PERMILLE 900U

/* How near a loop must be to its clock's median: this part of what the two clocks differ by. */
#define NEAR_PART 4U

/* The last loops that must be at the new clock. */
#define TAIL 8U
#define TAIL_NEAR 6U

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

void freq_loop_of(const uint32_t *step_tsc, uint32_t count, struct freq_loop *ret_loop)
{
    uint32_t kept = count < FREQ_LOOP_KEPT ? count : FREQ_LOOP_KEPT;
    uint64_t keys[FREQ_LOOP_KEPT];

    *ret_loop = (struct freq_loop){0};
    if (kept == 0) {
        return;
    }
    for (uint32_t i = 0; i < kept; i++) {
        keys[i] = step_tsc[count - kept + i];
    }
    sort_u64(keys, kept);
    ret_loop->median_tsc = keys[kept * MEDIAN_PERMILLE / 1000];
    for (uint32_t i = 0; i < kept; i++) {
        keys[i] = distance(keys[i], ret_loop->median_tsc);
    }
    sort_u64(keys, kept);
    ret_loop->noise_tsc = keys[kept * NOISE_PERMILLE / 1000];
}

bool freq_loops_differ(const struct freq_loop *a, const struct freq_loop *b)
{
    uint64_t apart_tsc = distance(a->median_tsc, b->median_tsc);

    return apart_tsc * 100 >= a->median_tsc && apart_tsc > 2 * (a->noise_tsc + b->noise_tsc);
}

static bool is_near(uint64_t step_tsc, const struct freq_loop *from, const struct freq_loop *to)
{
    uint64_t apart_tsc = distance(from->median_tsc, to->median_tsc);

    return distance(step_tsc, to->median_tsc) <= apart_tsc / NEAR_PART + 1;
}

bool freq_loop_is_at(const struct freq_loop *loop, const struct freq_loop *at,
                     const struct freq_loop *other)
{
    return loop->median_tsc != 0 && is_near(loop->median_tsc, other, at);
}

/* One past the last loop of the old clock, or of a clock between: two in a row that are not near, or the
 * very first. Lone ones are disturbances. */
static uint32_t last_away(const uint32_t *step_tsc, uint32_t count, const struct freq_loop *from,
                          const struct freq_loop *to)
{
    for (uint32_t i = count; i > 1; i--) {
        if (!is_near(step_tsc[i - 1], from, to) && !is_near(step_tsc[i - 2], from, to)) {
            return i;
        }
    }
    return count > 0 && !is_near(step_tsc[0], from, to) ? 1 : 0;
}

static bool is_tail_near(const uint32_t *step_tsc, uint32_t count, const struct freq_loop *from,
                         const struct freq_loop *to)
{
    uint32_t near = 0;

    for (uint32_t i = count - TAIL; i < count; i++) {
        near += is_near(step_tsc[i], from, to) ? 1U : 0U;
    }
    return near >= TAIL_NEAR;
}

/*
 * How much of a loop of `step_tsc` was still at the clock before. With L0 and L1 the loop's lengths at either clock,
 * t0/L0 + t1/L1 = 1 and t0 + t1 = step, so t0 = L0 * (step - L1) / (L0 - L1). A loop longer than both stood still
 * while the clock was changed: then half of the new clock's length was left at most and at least nothing.
 */
static uint64_t part_before(uint64_t step_tsc, uint64_t before_tsc, uint64_t after_tsc)
{
    uint64_t longer_tsc = before_tsc > after_tsc ? before_tsc : after_tsc;
    uint64_t shorter_tsc = before_tsc > after_tsc ? after_tsc : before_tsc;
    uint64_t from_after_tsc = distance(step_tsc, after_tsc);

    if (step_tsc > longer_tsc + (longer_tsc - shorter_tsc) / NEAR_PART) {
        return step_tsc > after_tsc / 2 ? step_tsc - after_tsc / 2 : step_tsc;
    }
    if (longer_tsc == shorter_tsc || (step_tsc > after_tsc) != (before_tsc > after_tsc)) {
        return 0;
    }
    from_after_tsc = mul_div_round_u64(before_tsc, from_after_tsc, longer_tsc - shorter_tsc);
    return from_after_tsc < step_tsc ? from_after_tsc : step_tsc;
}

enum freq_settled freq_settle_find(const uint32_t *step_tsc, uint32_t count, uint64_t lead_tsc,
                                   const struct freq_loop *from, const struct freq_loop *to,
                                   uint64_t *ret_settle_tsc)
{
    uint64_t at_tsc = lead_tsc;
    uint64_t before_tsc = from->median_tsc;
    uint32_t away;

    if (count < 2 * TAIL || !is_tail_near(step_tsc, count, from, to)) {
        return FREQ_NOT_SETTLED;
    }
    away = last_away(step_tsc, count, from, to);
    if (away > count - TAIL) {
        return FREQ_NOT_SETTLED;
    }
    for (uint32_t i = 0; i + 1 < away; i++) {
        at_tsc += step_tsc[i];
    }
    /* The clock changed in the last loop that was away from the new one, or in the next, so late or early in it
     * that this one looks like the loops beside it. */
    if (away > 1) {
        before_tsc = step_tsc[away - 2];
    }
    if (away > 0) {
        at_tsc += part_before(step_tsc[away - 1], before_tsc, to->median_tsc);
        if (part_before(step_tsc[away - 1], before_tsc, to->median_tsc) < step_tsc[away - 1]) {
            *ret_settle_tsc = at_tsc;
            return FREQ_SETTLED;
        }
    }
    if (away < count) {
        at_tsc += part_before(step_tsc[away], before_tsc, to->median_tsc);
    }
    *ret_settle_tsc = at_tsc;
    return FREQ_SETTLED;
}
