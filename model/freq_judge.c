#include "model/freq_judge.h"

#include "model/freq_derive.h"

#include <stddef.h>

/* Of a status of IA32_PERF_STATUS only the ratio [15:8] is compared: the rest is a voltage that differs from part to
 * part (SDM vol. 3B, 15.1.1). */
#define INTEL_RATIO_MASK UINT64_C(0xFF00)

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static bool has_figure(const struct freq_sample *sample)
{
    return sample->figure.khz != 0;
}

/* The sample before on the same CPU, of the same kind, with a figure; NULL for the first. */
static const struct freq_sample *before(const struct platform *platform, uint32_t index)
{
    const struct freq_sample *sample = &platform->freq[index];
    const struct freq_sample *last = index == 0 ? NULL : &platform->freq[index - 1];

    return last != NULL && last->cpu == sample->cpu && last->kind == sample->kind &&
                   has_figure(last)
               ? last
               : NULL;
}

static enum freq_verdict verdict_of(const struct freq_sample *sample, bool is_first,
                                    uint64_t tolerance_khz)
{
    if (!has_figure(sample) || sample->requested_khz == 0) {
        return FREQ_NO_FIGURE;
    }
    if (distance(sample->figure.khz, sample->requested_khz) <= tolerance_khz) {
        return FREQ_AS_ASKED;
    }
    if (sample->figure.khz > sample->requested_khz) {
        return is_first ? FREQ_BOOSTED : FREQ_OFF;
    }
    return sample->counts.causes != 0 ? FREQ_HELD_BACK : FREQ_OFF;
}

static bool differs_in_status(const struct platform *platform, uint32_t index, bool is_boosted)
{
    const struct freq_sample *sample = &platform->freq[index];
    uint64_t mask = sample->kind == FREQ_PERF_CTL ? INTEL_RATIO_MASK : UINT64_MAX;

    if (sample->status_avail != AVAIL_PRESENT || is_boosted || sample->counts.causes != 0) {
        return false;
    }
    /* Low values without a ratio (a part's own numbering) are compared whole. */
    if (sample->kind == FREQ_PERF_CTL && (sample->status_expected & INTEL_RATIO_MASK) == 0) {
        mask = UINT64_MAX;
    }
    return (sample->status & mask) != (sample->status_expected & mask);
}

static void compare_with_above(const struct platform *platform, uint32_t index,
                               struct freq_judgement *ret)
{
    const struct freq_sample *sample = &platform->freq[index];
    const struct freq_sample *above = before(platform, index);
    uint64_t asked_khz;
    uint64_t same_khz;

    if (above == NULL || !has_figure(sample) || above->requested_khz <= sample->requested_khz ||
        sample->counts.causes != 0 || above->counts.causes != 0) {
        return;
    }
    /* P0 and P1 of a table with a turbo row are 1 MHz apart: no row of its own. */
    asked_khz = above->requested_khz - sample->requested_khz;
    if (asked_khz * 200 < sample->requested_khz) {
        return;
    }
    same_khz = asked_khz / 4;
    ret->is_faster = sample->figure.khz > above->figure.khz + same_khz;
    ret->is_above_same = distance(sample->figure.khz, above->figure.khz) <= same_khz;
}

void freq_judge(const struct platform *platform, uint32_t index, struct freq_judgement *ret)
{
    const struct freq_sample *sample = &platform->freq[index];
    bool is_first = index == 0 || platform->freq[index - 1].cpu != sample->cpu ||
                    platform->freq[index - 1].kind != sample->kind;

    *ret = (struct freq_judgement){0};
    ret->tolerance_khz = freq_tolerance_khz(platform, sample->cpu, sample->requested_khz,
                                            sample->figure.uncertainty_ppm);
    ret->verdict = verdict_of(sample, is_first, ret->tolerance_khz);
    ret->status_differs =
        has_figure(sample) && differs_in_status(platform, index, ret->verdict == FREQ_BOOSTED);
    compare_with_above(platform, index, ret);
}

bool freq_requests_do_nothing(const struct platform *platform, uint32_t cpu)
{
    uint64_t low_khz = UINT64_MAX, high_khz = 0;
    uint64_t low_asked_khz = UINT64_MAX, high_asked_khz = 0;

    for (uint32_t i = 0; i < platform->freq_count; i++) {
        const struct freq_sample *sample = &platform->freq[i];

        if (sample->cpu != cpu || !has_figure(sample) || sample->requested_khz == 0) {
            continue;
        }
        if (sample->counts.causes != 0) {
            return false;
        }
        low_khz = sample->figure.khz < low_khz ? sample->figure.khz : low_khz;
        high_khz = sample->figure.khz > high_khz ? sample->figure.khz : high_khz;
        low_asked_khz =
            sample->requested_khz < low_asked_khz ? sample->requested_khz : low_asked_khz;
        high_asked_khz =
            sample->requested_khz > high_asked_khz ? sample->requested_khz : high_asked_khz;
    }
    return high_asked_khz > low_asked_khz &&
           (high_asked_khz - low_asked_khz) * 50 >= high_asked_khz &&
           high_khz - low_khz <= (high_asked_khz - low_asked_khz) / 8;
}

const struct freq_sample *freq_find(const struct platform *platform, uint32_t cpu, uint32_t row)
{
    for (uint32_t i = 0; i < platform->freq_count; i++) {
        if (platform->freq[i].cpu == cpu && platform->freq[i].pss_index == row) {
            return &platform->freq[i];
        }
    }
    return NULL;
}

const struct freq_settling *freq_slowest(const struct platform *platform, uint32_t cpu, bool is_up)
{
    const struct freq_settling *slowest = NULL;

    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        const struct freq_settling *one = &platform->freq_settlings[i];

        if ((cpu != CPU_NONE && one->cpu != cpu) || one->settle_tsc.n == 0 ||
            (one->to_index < one->from_index) != is_up) {
            continue;
        }
        if (slowest == NULL || one->settle_tsc.p99 > slowest->settle_tsc.p99) {
            slowest = one;
        }
    }
    return slowest;
}
