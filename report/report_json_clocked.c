#include "model/freq_derive.h"
#include "model/units.h"
#include "report/report_json_parts.h"

#include <stddef.h>

/* measured{}: what the clocks really do. */

#define CAUSES_BYTES 96
#define US_PER_S UINT64_C(1000000)

static void mark_emulated(const struct platform *platform, struct json_out *json)
{
    if (platform->is_emulated) {
        json_out_bool(json, "emulated", true);
    }
}

static void request(const struct freq_sample *sample, struct json_out *json)
{
    json_out_flat_object(json, "request");
    json_out_string(json, "kind", freq_request_kind_name(sample->kind));
    if (sample->requested_khz != 0) {
        json_out_u64(json, "khz", sample->requested_khz);
    }
    if (sample->kind != FREQ_NO_REQUEST) {
        json_out_u64(json, "control", sample->control);
    }
    if (sample->pss_index != FREQ_NO_ROW) {
        json_out_u64(json, "pss_index", sample->pss_index);
    }
    json_out_end(json);
}

static void figure(const struct freq_figure *one, const struct freq_counts *counts, const char *key,
                   struct json_out *json)
{
    char causes[CAUSES_BYTES];

    if (one->khz != 0) {
        json_out_u64(json, key, one->khz);
        json_out_u64(json, "uncertainty_ppm", one->uncertainty_ppm);
    } else {
        json_out_string(json, "no_figure_why", freq_no_figure_why(counts));
    }
    if (counts->causes != 0) {
        json_out_string(json, "held_back_by",
                        freq_causes_text(counts->causes, causes, sizeof(causes)));
    }
}

static void unless_zero(const char *key, uint64_t value, struct json_out *json)
{
    if (value != 0) {
        json_out_u64(json, key, value);
    }
}

/* All that the figure follows from. */
static void counts_of(const struct freq_counts *counts, struct json_out *json)
{
    json_out_u64(json, "window_tsc", counts->window_tsc);
    json_out_u64(json, "aperf", counts->aperf);
    json_out_u64(json, "mperf", counts->mperf);
    json_out_u64(json, "stamp_tsc", counts->stamp_tsc);
    json_out_u64(json, "slices", counts->slices);
    json_out_u64(json, "slowest_slice_ppm", counts->slow_ppm);
    json_out_u64(json, "fastest_slice_ppm", counts->fast_ppm);
    unless_zero("slices_left_out", (uint64_t)counts->wrapped + counts->stopped + counts->torn,
                json);
    unless_zero("backward_slices", counts->wrapped, json);
    unless_zero("stopped_slices", counts->stopped, json);
}

static void distribution_out(const char *key, struct distribution us, struct json_out *json)
{
    json_out_flat_object(json, key);
    json_out_u64(json, "n", us.n);
    json_out_u64(json, "min", us.min);
    json_out_u64(json, "p50", us.p50);
    json_out_u64(json, "p90", us.p90);
    json_out_u64(json, "p99", us.p99);
    json_out_u64(json, "max", us.max);
    json_out_u64(json, "mean", us.mean);
    json_out_u64(json, "stddev", us.stddev);
    json_out_end(json);
}

static void distribution(const struct platform *platform, const struct distribution *settle_tsc,
                         struct json_out *json)
{
    struct distribution us = distribution_scale(settle_tsc, US_PER_S, platform->tsc_hz);

    distribution_out("settle_us", us, json);
}
/* The slowest change to this request on its CPU. */
static const struct freq_settling *settling_to(const struct platform *platform,
                                               const struct freq_sample *sample)
{
    const struct freq_settling *slowest = NULL;

    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        const struct freq_settling *one = &platform->freq_settlings[i];

        if (one->cpu == sample->cpu && one->kind == sample->kind && one->settle_tsc.n != 0 &&
            one->to_khz == sample->requested_khz &&
            (slowest == NULL || one->settle_tsc.p50 > slowest->settle_tsc.p50)) {
            slowest = one;
        }
    }
    return slowest;
}

static void sample_entry(const struct platform *platform, const struct freq_sample *sample,
                         struct json_out *json)
{
    const struct freq_settling *settling = settling_to(platform, sample);

    json_out_flat_object(json, NULL);
    json_out_u64(json, "cpu", sample->cpu);
    request(sample, json);
    figure(&sample->figure, &sample->counts, "effective_khz", json);
    if (sample->status_avail == AVAIL_PRESENT) {
        json_out_u64(json, "status_expected", sample->status_expected);
        json_out_u64(json, "status", sample->status);
    }
    if (sample->busy_ppm != 0) {
        json_out_u64(json, "busy_ppm", sample->busy_ppm);
    }
    if (sample->was_long) {
        json_out_bool(json, "measured_longer", true);
    }
    counts_of(&sample->counts, json);
    if (settling != NULL && platform->tsc_hz != 0) {
        distribution(platform, &settling->settle_tsc, json);
    }
    mark_emulated(platform, json);
    json_out_end(json);
}

static void boost_entry(const struct platform *platform, const struct freq_boost *boost,
                        struct json_out *json)
{
    static const char *const kinds[FREQ_BOOST_KINDS] = {[FREQ_BOOST_CORES] = "cores",
                                                        [FREQ_BOOST_THREADS] = "threads",
                                                        [FREQ_BOOST_ALONE] = "alone",
                                                        [FREQ_BOOST_OFF] = "boost_off",
                                                        [FREQ_BOOST_ON] = "boost_on"};

    json_out_flat_object(json, NULL);
    json_out_string(json, "kind", kinds[boost->kind]);
    json_out_u64(json, "package", boost->package);
    json_out_u64(json, "active", boost->active);
    json_out_u64(json, "cpu", boost->cpu);
    figure(&boost->figure, &boost->counts, "khz", json);
    if (boost->expected_khz != 0) {
        json_out_u64(json, "turbo_limit_khz", boost->expected_khz);
    }
    counts_of(&boost->counts, json);
    json_out_string(json, "parked", boost->parked);
    if (boost->has_residency && boost->parked_tsc != 0) {
        json_out_u64(json, "parked_deep_pct", mul_div_u64(boost->deep_tsc, 100, boost->parked_tsc));
        json_out_u64(json, "parked_tsc", boost->parked_tsc);
        json_out_u64(json, "parked_deep_tsc", boost->deep_tsc);
    }
    if (boost->is_shallow) {
        json_out_bool(json, "parked_count_as_active", true);
    }
    mark_emulated(platform, json);
    json_out_end(json);
}

static void settling_entry(const struct platform *platform, const struct freq_settling *one,
                           struct json_out *json)
{
    json_out_flat_object(json, NULL);
    json_out_u64(json, "cpu", one->cpu);
    json_out_string(json, "kind", freq_request_kind_name(one->kind));
    json_out_u64(json, "from", one->from_index);
    json_out_u64(json, "to", one->to_index);
    if (one->from_khz != 0 && one->to_khz != 0) {
        json_out_u64(json, "from_khz", one->from_khz);
        json_out_u64(json, "to_khz", one->to_khz);
    }
    if (one->latency_us != 0) {
        json_out_u64(json, "declared_latency_us", one->latency_us);
    }
    json_out_u64(json, "changes", one->changes);
    json_out_u64(json, "unsettled", one->unsettled);
    if (one->settle_tsc.n != 0 && platform->tsc_hz != 0) {
        distribution(platform, &one->settle_tsc, json);
        distribution_out("settle_tsc", one->settle_tsc, json);
        json_out_u64(json, "resolution_ns", units_tsc_to_ns(one->loop_to_tsc, platform->tsc_hz));
    }
    unless_zero("loop_from_tsc", one->loop_from_tsc, json);
    unless_zero("loop_to_tsc", one->loop_to_tsc, json);
    unless_zero("limit_tsc", one->limit_tsc, json);
    json_out_string(json, "why", one->why);
    mark_emulated(platform, json);
    json_out_end(json);
}

static void refusals(const struct platform *platform, struct json_out *json)
{
    json_out_array(json, "not_asked");
    for (uint32_t i = 0; i < platform->freq_refusals_count; i++) {
        const struct freq_refusal *one = &platform->freq_refusals[i];

        json_out_flat_object(json, NULL);
        json_out_u64(json, "cpu", one->cpu);
        json_out_string(json, "kind", freq_request_kind_name(one->kind));
        json_out_string(json, "why", one->why);
        json_out_end(json);
    }
    json_out_end(json);
}

void report_json_clocked(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;

    json_out_object(json, "measured");
    if (platform->freq_count > 0 && platform->tsc_hz != 0) {
        json_out_u64(json, "tsc_hz", platform->tsc_hz);
    }
    json_out_array(json, "frequency");
    for (uint32_t i = 0; i < platform->freq_count; i++) {
        sample_entry(platform, &platform->freq[i], json);
    }
    json_out_end(json);
    json_out_array(json, "boost_by_active_cores");
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        boost_entry(platform, &platform->freq_boosts[i], json);
    }
    json_out_end(json);
    json_out_array(json, "settling");
    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        settling_entry(platform, &platform->freq_settlings[i], json);
    }
    json_out_end(json);
    refusals(platform, json);
    json_out_string(json, platform->freq_count == 0 ? "frequency_skipped" : "frequency_ended_early",
                    platform->freq_skipped);
    json_out_end(json);
}
