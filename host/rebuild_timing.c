/* clocks, idle, idle_not_timed, contention, tsc_gaps: the reverse of report/report_json_measured.c. */
#include "host/json_text.h"
#include "host/rebuild_parts.h"
#include "model/units.h"

#include <string.h>

static const char *const entries[] = {[IDLE_HLT] = "hlt", [IDLE_MWAIT] = "mwait", [IDLE_IO] = "io"};
static const char *const dummies[] = {[DUMMY_NONE] = "none", [DUMMY_PM_TIMER] = "pm_timer"};

static void take_clocks(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(rebuilder->root, "clocks");
    struct platform *platform = rebuilder->platform;
    uint32_t count = rebuild_count(array);

    platform->clocks_count = count < PLATFORM_CLOCKS ? count : PLATFORM_CLOCKS;
    for (uint32_t i = 0; i < platform->clocks_count; i++) {
        const json_t *json = json_array_get(array, i);
        struct clock *clock = &platform->clocks[i];

        clock->name = rebuild_text(json, "name", "?");
        clock->hz = json_text_number(json, "hz", 0);
        clock->uncertainty_ppm = json_text_number(json, "uncertainty_ppm", 0);
        clock->from = json_text_string(json, "from");
        clock->status = json_text_string(json, "status");
        clock->runs = rebuild_u32(json, "runs");
        clock->rejected = rebuild_u32(json, "rejected");
        clock->tolerance_ppm = json_text_number(json, "tolerance_ppm", 0);
        clock->has_smi_count = json_object_get(json, "smi") != NULL;
        clock->smi = rebuild_u32(json, "smi");
        clock->why = json_text_string(json, "why");
        if (strcmp(clock->name, "tsc") == 0 && clock->status != NULL &&
            strcmp(clock->status, "used") == 0) {
            platform->tsc_hz = clock->hz;
            platform->tsc_from = clock->from;
        }
    }
}

struct distribution rebuild_distribution(const json_t *object, const char *key)
{
    const json_t *json = json_object_get(object, key);

    return (struct distribution){.n = json_text_number(json, "n", 0),
                                 .min = json_text_number(json, "min", 0),
                                 .p50 = json_text_number(json, "p50", 0),
                                 .p90 = json_text_number(json, "p90", 0),
                                 .p99 = json_text_number(json, "p99", 0),
                                 .max = json_text_number(json, "max", 0),
                                 .mean = json_text_number(json, "mean", 0),
                                 .stddev = json_text_number(json, "stddev", 0)};
}

static void take_shape(const json_t *json, struct histogram_shape *shape)
{
    const json_t *counts = json_object_get(json, "counts");

    shape->low = json_text_number(json, "low_tsc", 0);
    shape->width = json_text_number(json, "width_tsc", 0);
    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS; i++) {
        shape->count[i] = (uint32_t)json_integer_value(json_array_get(counts, i));
    }
}

static enum stopped_in stopped_in(const json_t *json)
{
    static const char *const words[] = {[STOPPED_UNKNOWN] = "",
                                        [STOPPED_NONE] = "none",
                                        [STOPPED_FIRST_READ] = "first_read",
                                        [STOPPED_DUMMY_READ] = "dummy_read"};

    return (enum stopped_in)rebuild_word(json_text_string(json, "stopped_in"), words, 4,
                                         STOPPED_UNKNOWN);
}

static void take_way(const json_t *json, struct idle_sample_set *set)
{
    uint64_t dummy = json_text_number(json, "dummy_address", 0);

    set->cpu = rebuild_u32(json, "cpu");
    set->state = rebuild_text(json, "state", "?");
    set->entry =
        (enum idle_entry)rebuild_word(json_text_string(json, "entry"), entries, 3, IDLE_HLT);
    set->port = (uint16_t)rebuild_u32(json, "address");
    set->hint = rebuild_u32(json, "hint");
    set->port_from = json_text_string(json, "address_from");
    set->has_declared_latency = json_object_get(json, "declared_latency_us") != NULL;
    set->declared_latency_us = json_text_number(json, "declared_latency_us", 0);
    set->dummy_read =
        (enum dummy_read)rebuild_word(json_text_string(json, "dummy_read"), dummies, 2, DUMMY_NONE);
    set->dummy_port = dummy <= UINT16_MAX ? (uint16_t)dummy : 0;
    set->dummy_paddr = dummy <= UINT16_MAX ? 0 : dummy;
}

static void take_counters(const json_t *json, struct idle_sample_set *set)
{
    set->has_residency = json_object_get(json, "resident_tsc") != NULL;
    set->resident_tsc = json_text_number(json, "resident_tsc", 0);
    set->has_package_residency = json_object_get(json, "package_resident_tsc") != NULL;
    set->package_tsc = json_text_number(json, "package_resident_tsc", 0);
    set->spent_tsc = json_text_number(json, "spent_tsc", 0);
    set->passes = json_text_number(json, "passes", 0);
    set->elapsed_tsc = json_text_number(json, "elapsed_tsc", 0);
    set->elapsed_pmt = json_text_number(json, "elapsed_pmt", 0);
    set->has_energy = json_object_get(json, "energy_uj") != NULL;
    set->energy_uj = json_text_number(json, "energy_uj", 0);
    set->energy_span_tsc = json_text_number(json, "energy_span_tsc", 0);
    set->energy_uncertainty_ppm = json_text_number(json, "energy_uncertainty_ppm", 0);
}

static void take_set(const json_t *json, struct idle_sample_set *set)
{
    take_way(json, set);
    set->requested_ns = json_text_number(json, "requested_ns", 0);
    set->samples = json_text_number(json, "samples", 0);
    set->dropped = json_text_number(json, "dropped", 0);
    set->never_woke = json_text_number(json, "never_woke", 0);
    set->overhead_tsc = json_text_number(json, "overhead_tsc", 0);
    set->bare_first_tsc = json_text_number(json, "bare_first_tsc", 0);
    set->first_read_tsc = rebuild_distribution(json, "first_read_tsc");
    set->dummy_read_tsc = rebuild_distribution(json, "dummy_read_tsc");
    set->asleep_tsc = rebuild_distribution(json, "asleep_tsc");
    set->exit_tsc = rebuild_distribution(json, "exit_tsc");
    set->handler_tsc = rebuild_distribution(json, "exit_to_handler_tsc");
    set->ran_on_tsc = rebuild_distribution(json, "ran_on_tsc");
    take_shape(json_object_get(json, "shape"), &set->shape);
    set->stopped_in = stopped_in(json);
    set->stopped_confidence_pct = rebuild_u32(json, "stopped_confidence");
    set->has_smi_count = json_object_get(json, "smi") != NULL;
    set->smi = json_text_number(json, "smi", 0);
    set->wake_source = json_text_string(json, "wake_source");
    set->watched_by = json_text_string(json, "watched_by");
    set->others = json_text_string(json, "others");
    set->is_sweep = rebuild_is_true(json, "sweep");
    set->was_cut = rebuild_is_true(json, "cut_by_time_limit");
    take_counters(json, set);
    set->flush_tsc = rebuild_distribution(json, "flush_tsc");
    set->bus = (uint8_t)((rebuild_is_true(json, "bus_master_checked") ? IDLE_BUS_CHECK : 0) |
                         (rebuild_is_true(json, "arbitration_disabled") ? IDLE_BUS_ARBITER : 0) |
                         (rebuild_is_true(json, "caches_flushed") ? IDLE_BUS_FLUSH : 0));
    set->bus_busy = json_text_number(json, "put_off_by_bus_masters", 0);
}

static void take_idle(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(rebuilder->root, "idle");
    uint32_t count = rebuild_count(array);
    struct idle_sample_set *sets = arena_array(rebuilder->arena, count, sizeof(*sets));
    struct platform *platform = rebuilder->platform;

    for (uint32_t i = 0; sets != NULL && i < count; i++) {
        take_set(json_array_get(array, i), &sets[i]);
    }
    platform->idle = sets;
    platform->idle_count = sets == NULL ? 0 : count;
    platform->idle_energy_why = json_text_string(rebuilder->root, "idle_energy_why");
    platform->idle_skipped =
        json_text_string(rebuilder->root, count == 0 ? "idle_skipped" : "idle_ended_early");
}

static void take_tsc_sync(const json_t *json, struct tsc_sync *sync)
{
    const char *worst = json_text_string(json, "worst_is");

    sync->compared = rebuild_u32(json, "cpus_compared");
    sync->differing = rebuild_u32(json, "differing");
    sync->widest_tsc = json_text_number(json, "known_to_tsc", 0);
    sync->worst_cpu = rebuild_u32(json, "worst_cpu");
    sync->worst_tsc = json_text_number(json, "worst_tsc", 0);
    sync->is_worst_behind = worst != NULL && strcmp(worst, "behind") == 0;
}

static void take_not_timed(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(rebuilder->root, "idle_not_timed");
    uint32_t count = rebuild_count(array);
    struct idle_not_timed *items = arena_array(rebuilder->arena, count, sizeof(*items));

    for (uint32_t i = 0; items != NULL && i < count; i++) {
        const json_t *json = json_array_get(array, i);
        struct idle_sample_set set = {0};

        take_way(json, &set);
        items[i].cpu = set.cpu;
        items[i].way = (struct idle_way){.state = set.state,
                                         .entry = set.entry,
                                         .port = set.port,
                                         .hint = set.hint,
                                         .dummy_read = set.dummy_read,
                                         .not_timed = rebuild_text(json, "why", "")};
    }
    rebuilder->platform->idle_not_timed = items;
    rebuilder->platform->idle_not_timed_count = items == NULL ? 0 : count;
}

/* The writer works a rate out where none was counted; only a counted one is kept. */
static uint64_t counted_rate(const struct platform *platform, const json_t *json,
                             const struct port_cost *cost)
{
    uint64_t rate = json_text_number(json, "reads_per_s", 0);

    if (cost->read_tsc.mean > 0 &&
        rate == mul_div_u64(platform->tsc_hz, cost->cpus, cost->read_tsc.mean)) {
        return 0;
    }
    return rate;
}

static void take_cost(const struct platform *platform, const json_t *json, struct port_cost *cost)
{
    uint64_t port = json_text_number(json, "port", 0);

    cost->cpus = rebuild_u32(json, "cpus");
    cost->port = port <= UINT16_MAX ? (uint16_t)port : 0;
    cost->paddr = port <= UINT16_MAX ? 0 : port;
    cost->port_name = rebuild_text(json, "port_name", "?");
    cost->overhead_tsc = json_text_number(json, "overhead_tsc", 0);
    cost->read_tsc = rebuild_distribution(json, "read_tsc");
    cost->reads_per_s = counted_rate(platform, json, cost);
    cost->slowest_cpu = rebuild_u32(json, "slowest_cpu");
    cost->slowest_tsc = json_text_number(json, "slowest_p50_tsc", 0);
    cost->is_knee = rebuild_is_true(json, "knee");
}

static void take_costs(const struct rebuilder *rebuilder)
{
    const json_t *array = json_object_get(rebuilder->root, "contention");
    uint32_t count = rebuild_count(array);
    struct port_cost *costs = arena_array(rebuilder->arena, count, sizeof(*costs));

    for (uint32_t i = 0; costs != NULL && i < count; i++) {
        take_cost(rebuilder->platform, json_array_get(array, i), &costs[i]);
    }
    rebuilder->platform->port_costs = costs;
    rebuilder->platform->port_costs_count = costs == NULL ? 0 : count;
}

static void take_gaps(const json_t *json, struct tsc_gaps *gaps)
{
    const json_t *steps = json_object_get(json, "steps_by_bit");

    gaps->watched_tsc = json_text_number(json, "watched_tsc", 0);
    gaps->threshold_tsc = json_text_number(json, "threshold_tsc", 0);
    gaps->count = json_text_number(json, "count", 0);
    gaps->longest_tsc = json_text_number(json, "longest_tsc", 0);
    gaps->lost_tsc = json_text_number(json, "lost_tsc", 0);
    gaps->has_smi_count = json_object_get(json, "smi") != NULL;
    gaps->smi = json_text_number(json, "smi", 0);
    for (unsigned i = 0; i < TSC_GAPS_BINS; i++) {
        gaps->steps[i] = (uint64_t)json_integer_value(json_array_get(steps, i));
    }
}

void rebuild_timing(const struct rebuilder *rebuilder)
{
    take_clocks(rebuilder);
    take_idle(rebuilder);
    take_not_timed(rebuilder);
    take_costs(rebuilder);
    rebuilder->platform->samples.lost = rebuild_u32(rebuilder->root, "histograms_not_kept");
    take_tsc_sync(json_object_get(rebuilder->root, "tsc_sync"), &rebuilder->platform->tsc_sync);
    take_gaps(json_object_get(rebuilder->root, "tsc_gaps"), &rebuilder->platform->tsc_gaps);
}
