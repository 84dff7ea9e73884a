#include "model/units.h"
#include "report/report_json_parts.h"

static void mark_emulated(const struct platform *platform, struct json_out *json)
{
    if (platform->is_emulated) {
        json_out_bool(json, "emulated", true);
    }
}

void report_json_clocks(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;

    json_out_array(json, "clocks");
    for (uint32_t i = 0; i < platform->clocks_count && i < PLATFORM_CLOCKS; i++) {
        const struct clock *clock = &platform->clocks[i];

        json_out_flat_object(json, NULL);
        json_out_string(json, "name", clock->name);
        if (clock->hz != 0) {
            json_out_u64(json, "hz", clock->hz);
            json_out_u64(json, "uncertainty_ppm", clock->uncertainty_ppm);
        }
        json_out_string(json, "from", clock->from);
        json_out_string(json, "status", clock->status);
        if (clock->runs > 0) {
            json_out_u64(json, "runs", clock->runs);
            json_out_u64(json, "rejected", clock->rejected);
        }
        mark_emulated(platform, json);
        json_out_end(json);
    }
    json_out_end(json);
}

static void frequency_table(const struct frequency *frequency, struct json_out *json)
{
    json_out_array(json, "table");
    for (uint32_t i = 0; i < frequency->count; i++) {
        const struct frequency_row *row = &frequency->rows[i];

        json_out_flat_object(json, NULL);
        json_out_u64(json, "khz", row->khz);
        json_out_string(json, "kind", row->kind == FREQUENCY_BOOST ? "boost" : "pstate");
        json_out_u64(json, "control", row->control);
        json_out_u64(json, "pss_index", row->pss_index);
        json_out_end(json);
    }
    json_out_end(json);
}

static void boost(const struct frequency *frequency, struct json_out *json)
{
    if (frequency->boost_avail != AVAIL_PRESENT || frequency->boost_ratio_1024 == 0) {
        json_out_string(json, "no_boost_why", frequency->no_boost_why);
        return;
    }
    json_out_u64(json, "boost_ratio_1024", frequency->boost_ratio_1024);
    json_out_flat_object(json, "boost_numerator");
    json_out_u64(json, "value", frequency->boost_numerator);
    json_out_string(json, "why", frequency->boost_numerator_why);
    json_out_bool(json, "verified", frequency->is_boost_numerator_verified);
    json_out_u64(json, "firmware", frequency->firmware_numerator);
    json_out_end(json);
    json_out_u64(json, "max_boost_khz", frequency->max_boost_khz);
    if (frequency->cpuinfo_max_khz != 0) {
        json_out_u64(json, "cpuinfo_max_khz", frequency->cpuinfo_max_khz);
    }
    json_out_u64(json, "raw_boost_khz", frequency->raw_boost_khz);
    json_out_u64(json, "midpoint_ratio_1024", frequency->midpoint_ratio_1024);
}

static void invariance(const struct frequency *frequency, struct json_out *json)
{
    if (frequency->invariance_method == NULL) {
        return;
    }
    json_out_object(json, "invariance");
    json_out_string(json, "method", frequency->invariance_method);
    json_out_bool(json, "active", frequency->is_invariance_active);
    if (frequency->invariance_ratio_1024 != 0) {
        json_out_u64(json, "ratio_1024", frequency->invariance_ratio_1024);
    }
    if (frequency->invariance_max_khz != 0) {
        json_out_u64(json, "max_khz", frequency->invariance_max_khz);
    }
    json_out_string(json, "why", frequency->invariance_why);
    json_out_end(json);
}

void report_json_frequency(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;
    const struct frequency *frequency = &platform->frequency;

    json_out_object(json, "frequency");
    frequency_table(frequency, json);
    if (frequency->processor < platform->processors_count) {
        json_out_string(json, "processor", platform->processors[frequency->processor].path);
        json_out_u64(json, "skipped_rows", frequency->skipped_rows);
    }
    json_out_string(json, "no_table_why", frequency->no_table_why);
    boost(frequency, json);
    invariance(frequency, json);
    json_out_end(json);
}

static void dist(struct json_out *json, const char *key, const struct distribution *dist)
{
    json_out_flat_object(json, key);
    json_out_u64(json, "n", dist->n);
    json_out_u64(json, "min", dist->min);
    json_out_u64(json, "p50", dist->p50);
    json_out_u64(json, "p90", dist->p90);
    json_out_u64(json, "p99", dist->p99);
    json_out_u64(json, "max", dist->max);
    json_out_u64(json, "mean", dist->mean);
    json_out_u64(json, "stddev", dist->stddev);
    json_out_end(json);
}

/* In ticks always; in ns when the rate of the TSC is known. Nothing when there are no samples. */
static void both(struct json_out *json, const char *key_ns, const char *key_tsc,
                 const struct distribution *ticks, uint64_t tsc_hz)
{
    struct distribution ns;

    if (ticks->n == 0) {
        return;
    }
    if (tsc_hz != 0) {
        ns = distribution_scale(ticks, NS_PER_S, tsc_hz);
        dist(json, key_ns, &ns);
    }
    dist(json, key_tsc, ticks);
}

static void idle_entry(const struct platform *platform, const struct idle_sample_set *idle,
                       struct json_out *json)
{
    static const char *const entries[] = {
        [IDLE_HLT] = "hlt", [IDLE_MWAIT] = "mwait", [IDLE_IO] = "io"};
    static const char *const stopped[] = {[STOPPED_UNKNOWN] = NULL,
                                          [STOPPED_NONE] = "none",
                                          [STOPPED_FIRST_READ] = "first_read",
                                          [STOPPED_DUMMY_READ] = "dummy_read"};
    uint64_t tsc_hz = platform->tsc_hz;

    json_out_object(json, NULL);
    json_out_u64(json, "cpu", idle->cpu);
    json_out_string(json, "state", idle->state);
    json_out_string(json, "entry", entries[idle->entry]);
    if (idle->entry == IDLE_IO) {
        json_out_u64(json, "address", idle->port);
        json_out_string(json, "address_from", idle->port_from);
    }
    if (idle->has_declared_latency) {
        json_out_u64(json, "declared_latency_us", idle->declared_latency_us);
    }
    json_out_string(json, "dummy_read", idle->dummy_read == DUMMY_PM_TIMER ? "pm_timer" : "none");
    if (idle->dummy_read == DUMMY_PM_TIMER) {
        json_out_u64(json, "dummy_address", idle->dummy_port);
    }
    json_out_u64(json, "requested_ns", idle->requested_ns);
    json_out_u64(json, "samples", idle->samples);
    json_out_u64(json, "dropped", idle->dropped);
    if (tsc_hz != 0) {
        json_out_u64(json, "overhead_ns", units_tsc_to_ns(idle->overhead_tsc, tsc_hz));
    }
    json_out_u64(json, "overhead_tsc", idle->overhead_tsc);
    both(json, "first_read_ns", "first_read_tsc", &idle->first_read_tsc, tsc_hz);
    both(json, "dummy_read_ns", "dummy_read_tsc", &idle->dummy_read_tsc, tsc_hz);
    both(json, "asleep_ns", "asleep_tsc", &idle->asleep_tsc, tsc_hz);
    json_out_string(json, "stopped_in", stopped[idle->stopped_in]);
    if (idle->stopped_in != STOPPED_UNKNOWN) {
        json_out_u64(json, "stopped_confidence", idle->stopped_confidence_pct);
    }
    if (idle->has_smi_count) {
        json_out_u64(json, "smi", idle->smi);
    }
    mark_emulated(platform, json);
    json_out_end(json);
}

static void contention_entry(const struct platform *platform, const struct port_cost *cost,
                             struct json_out *json)
{
    json_out_object(json, NULL);
    json_out_u64(json, "cpus", cost->cpus);
    json_out_u64(json, "port", cost->port);
    json_out_string(json, "port_name", cost->port_name);
    json_out_u64(json, "overhead_tsc", cost->overhead_tsc);
    both(json, "read_ns", "read_tsc", &cost->read_tsc, platform->tsc_hz);
    if (cost->read_tsc.n > 0 && cost->read_tsc.mean > 0 && platform->tsc_hz != 0) {
        json_out_u64(json, "reads_per_s",
                     mul_div_u64(platform->tsc_hz, cost->cpus, cost->read_tsc.mean));
    }
    mark_emulated(platform, json);
    json_out_end(json);
}

void report_json_measured(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;

    json_out_array(json, "idle");
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        idle_entry(platform, &platform->idle[i], json);
    }
    json_out_end(json);
    if (platform->idle_count == 0) {
        json_out_string(json, "idle_skipped", platform->idle_skipped);
    }
    json_out_array(json, "contention");
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        contention_entry(platform, &platform->port_costs[i], json);
    }
    json_out_end(json);
}
