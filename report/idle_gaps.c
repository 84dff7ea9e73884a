#include "report/idle_gaps.h"

#include "model/units.h"

bool idle_gaps_were_watched(const struct platform *platform)
{
    return platform->tsc_gaps.watched_tsc != 0 && platform->tsc_hz != 0;
}

void idle_gaps_sentence(struct textbuf *out, const struct platform *platform)
{
    const struct tsc_gaps *gaps = &platform->tsc_gaps;
    uint64_t hz = platform->tsc_hz;

    textbuf_printf(
        out, "The TSC was watched for %lu ms: %lu jumps over %lu us, longest step %lu ns",
        units_tsc_to_ns(gaps->watched_tsc, hz) / 1000000, gaps->count,
        units_tsc_to_ns(gaps->threshold_tsc, hz) / 1000, units_tsc_to_ns(gaps->longest_tsc, hz));
    if (gaps->has_smi_count) {
        textbuf_printf(out, ", %lu SMIs", gaps->smi);
    }
}

void idle_gaps_histogram(struct textbuf *out, const struct platform *platform)
{
    const struct tsc_gaps *gaps = &platform->tsc_gaps;
    const char *before = "steps below ";

    for (unsigned bit = 0; bit < TSC_GAPS_BINS; bit++) {
        if (gaps->steps[bit] == 0) {
            continue;
        }
        textbuf_string(out, before);
        before = ", ";
        if (bit + 1 == TSC_GAPS_BINS) {
            textbuf_printf(out, "longer: %lu", gaps->steps[bit]);
        } else {
            textbuf_printf(out, "%lu ns: %lu",
                           units_tsc_to_ns(UINT64_C(2) << bit, platform->tsc_hz), gaps->steps[bit]);
        }
    }
}
