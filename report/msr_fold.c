#include "report/msr_fold.h"

#include "report/ranges.h"

static const struct msr_value *value_at(const struct msr_fold *fold, uint32_t cpu)
{
    const struct platform *platform = fold->platform;

    return &platform->msr_values[(size_t)cpu * platform->msrs_count + fold->index];
}

static bool is_equal(const struct msr_value *a, const struct msr_value *b)
{
    return a->avail == b->avail && (a->avail != AVAIL_PRESENT || a->value == b->value);
}

static bool is_known(const struct msr_fold *fold, const struct msr_value *value)
{
    for (uint32_t i = 0; i < fold->groups_count; i++) {
        if (is_equal(&fold->groups[i], value)) {
            return true;
        }
    }
    return false;
}

/* Only answers are facts: what was not tried, or not recorded in a replay, belongs to no group. */
static bool is_answer(const struct msr_value *value)
{
    return value->avail == AVAIL_PRESENT || value->avail == AVAIL_FAULTED;
}

void msr_fold_start(const struct platform *platform, uint32_t index, struct msr_fold *ret_fold)
{
    *ret_fold = (struct msr_fold){.platform = platform, .index = index};
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct msr_value *value = value_at(ret_fold, cpu);

        if (!is_answer(value) || is_known(ret_fold, value)) {
            continue;
        }
        if (ret_fold->groups_count == MSR_FOLD_MAX) {
            ret_fold->is_by_run = true;
            return;
        }
        ret_fold->groups[ret_fold->groups_count++] = *value;
    }
}

static uint32_t run_end(const struct msr_fold *fold, uint32_t first)
{
    uint32_t end = first + 1;

    while (end < fold->platform->cpus_count &&
           is_equal(value_at(fold, first), value_at(fold, end))) {
        end++;
    }
    return end;
}

bool msr_fold_next(struct msr_fold *fold, struct msr_value *ret_value)
{
    if (!fold->is_by_run) {
        if (fold->next == fold->groups_count) {
            return false;
        }
        *ret_value = fold->groups[fold->next++];
        return true;
    }
    while (fold->next < fold->platform->cpus_count && !is_answer(value_at(fold, fold->next))) {
        fold->next++;
    }
    if (fold->next == fold->platform->cpus_count) {
        return false;
    }
    *ret_value = *value_at(fold, fold->next);
    fold->run_first = fold->next;
    fold->next = run_end(fold, fold->next);
    return true;
}

void msr_fold_cpus(const struct msr_fold *fold, const struct msr_value *value, struct textbuf *out)
{
    uint32_t first = fold->is_by_run ? fold->run_first : 0;
    uint32_t end = fold->is_by_run ? fold->next : fold->platform->cpus_count;
    struct ranges ranges;

    ranges_start(&ranges, out);
    for (uint32_t cpu = first; cpu < end; cpu++) {
        if (is_equal(value_at(fold, cpu), value)) {
            ranges_add(&ranges, cpu);
        }
    }
    ranges_end(&ranges);
}
