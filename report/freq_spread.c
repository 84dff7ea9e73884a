#include "report/freq_spread.h"

static bool is_same_request(const struct freq_sample *a, const struct freq_sample *b)
{
    return a->kind == b->kind && a->pss_index == b->pss_index && a->control == b->control &&
           a->requested_khz == b->requested_khz;
}

bool freq_spread_is_first(const struct platform *platform, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (is_same_request(&platform->freq[i], &platform->freq[index])) {
            return false;
        }
    }
    return true;
}

static void add_status(const struct freq_sample *sample, struct freq_spread *spread)
{
    if (sample->status_avail != AVAIL_PRESENT || sample->kind == FREQ_NO_REQUEST) {
        return;
    }
    spread->reported++;
    if (sample->status != sample->status_expected) {
        spread->unlike_as = spread->unlike == 0 ? sample->status : spread->unlike_as;
        spread->unlike++;
    }
}

struct freq_spread freq_spread_of(const struct platform *platform,
                                  const struct freq_sample *request)
{
    struct freq_spread spread = {.low_khz = UINT64_MAX};

    for (uint32_t i = 0; i < platform->freq_count; i++) {
        const struct freq_sample *sample = &platform->freq[i];
        uint64_t khz = sample->figure.khz;
        uint64_t ppm = sample->figure.uncertainty_ppm;

        if (!is_same_request(sample, request)) {
            continue;
        }
        add_status(sample, &spread);
        if (khz != 0) {
            spread.cpus++;
            spread.low_khz = khz < spread.low_khz ? khz : spread.low_khz;
            spread.high_khz = khz > spread.high_khz ? khz : spread.high_khz;
            spread.worst_ppm = ppm > spread.worst_ppm ? ppm : spread.worst_ppm;
            spread.causes |= sample->counts.causes;
        }
    }
    return spread;
}
