#include "model/clock_choice.h"

#include "model/units.h"

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool clock_agrees(const struct clock_candidate *a, const struct clock_candidate *b)
{
    return units_difference_ppm(a->tsc_hz, b->tsc_hz) <=
           larger(a->tolerance_ppm, b->tolerance_ppm) + a->uncertainty_ppm + b->uncertainty_ppm;
}

static uint32_t votes_for(const struct clock_candidate *candidates, uint32_t count, uint32_t index)
{
    uint32_t votes = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (i == index || candidates[i].kind == CLOCK_MEASURED_UNSTABLE ||
            !clock_agrees(&candidates[i], &candidates[index])) {
            continue;
        }
        votes += candidates[i].kind == CLOCK_STATED_NOMINAL ? 1 : 2;
    }
    return votes;
}

static struct clock_choice chosen(uint32_t index, const char *why)
{
    return (struct clock_choice){.index = index, .why = why};
}

struct best {
    uint32_t index;
    uint32_t votes;
};

static struct best best_of(const struct clock_candidate *candidates, uint32_t count,
                           enum clock_kind kind)
{
    struct best best = {.index = CLOCK_NO_CHOICE};

    for (uint32_t i = 0; i < count; i++) {
        uint32_t votes = votes_for(candidates, count, i);

        if (candidates[i].kind != kind || candidates[i].tsc_hz == 0) {
            continue;
        }
        if (best.index == CLOCK_NO_CHOICE || votes > best.votes ||
            (votes == best.votes &&
             candidates[i].uncertainty_ppm < candidates[best.index].uncertainty_ppm)) {
            best = (struct best){i, votes};
        }
    }
    return best;
}

static struct clock_choice choose_measured(const struct best *measured, const struct best *exact)
{
    if (measured->votes >= 2) {
        return chosen(measured->index,
                      "measured; another source agrees, and of those it is the least uncertain");
    }
    if (exact->index != CLOCK_NO_CHOICE) {
        return chosen(measured->index, "measured; the rate that is stated disagrees, and nothing "
                                       "else decides between them");
    }
    return chosen(measured->index, measured->votes == 1
                                       ? "measured; a nominal rate agrees"
                                       : "measured; nothing else confirms or contradicts it");
}

static struct clock_choice choose_unmeasured(const struct clock_candidate *candidates,
                                             uint32_t count, const struct best *exact)
{
    struct best other = best_of(candidates, count, CLOCK_STATED_NOMINAL);

    if (exact->index != CLOCK_NO_CHOICE) {
        return chosen(exact->index, "stated exactly; it could not be measured");
    }
    if (other.index != CLOCK_NO_CHOICE) {
        return chosen(other.index, "only a nominal rate is known");
    }
    other = best_of(candidates, count, CLOCK_MEASURED_UNSTABLE);
    return chosen(other.index, other.index == CLOCK_NO_CHOICE
                                   ? "no rate is stated and none could be measured"
                                   : "measured, but the runs do not agree");
}

static void decide(const struct clock_candidate *candidates, uint32_t count,
                   struct clock_choice *ret_choice)
{
    struct best exact = best_of(candidates, count, CLOCK_STATED_EXACT);
    struct best measured = best_of(candidates, count, CLOCK_MEASURED);

    if (measured.index == CLOCK_NO_CHOICE) {
        *ret_choice = choose_unmeasured(candidates, count, &exact);
    } else if (exact.index != CLOCK_NO_CHOICE &&
               clock_agrees(&candidates[exact.index], &candidates[measured.index])) {
        *ret_choice = chosen(exact.index, "stated exactly, and a measurement confirms it");
    } else if (exact.index != CLOCK_NO_CHOICE && exact.votes > measured.votes) {
        *ret_choice = chosen(
            exact.index, "stated exactly; more sources agree with it than with any measurement");
    } else {
        *ret_choice = choose_measured(&measured, &exact);
    }
}

static bool is_independent(enum clock_kind kind)
{
    return kind == CLOCK_MEASURED || kind == CLOCK_STATED_EXACT;
}

void clock_choose(const struct clock_candidate *candidates, uint32_t count,
                  struct clock_choice *ret_choice)
{
    uint32_t others = 0;

    decide(candidates, count, ret_choice);
    for (uint32_t i = 0; i < count; i++) {
        others += i != ret_choice->index && is_independent(candidates[i].kind) ? 1 : 0;
    }
    ret_choice->is_disputed = ret_choice->index != CLOCK_NO_CHOICE && others > 0 &&
                              votes_for(candidates, count, ret_choice->index) < 2;
}
