/* The measured figures of the snapshot, in the form that the table takes. */
#include "model/columns.h"
#include "model/columns_parts.h"
#include "model/freq_derive.h"
#include "model/units.h"

struct collector {
    struct platform *platform;
    struct column_measurement *items;
    uint32_t count;
    uint32_t room;
};

static void add(struct collector *collector, struct column_measurement item)
{
    if (item.value != 0 && collector->items != NULL && collector->count < collector->room) {
        collector->items[collector->count++] = item;
    }
}

static bool is_row(const struct freq_sample *sample)
{
    return sample->pss_index != FREQ_NO_ROW &&
           (sample->kind == FREQ_PERF_CTL || sample->kind == FREQ_PSTATE_CTL ||
            sample->kind == FREQ_SYSTEM_IO);
}

static void take_rows(struct collector *collector)
{
    const struct platform *platform = collector->platform;

    for (uint32_t i = 0; i < platform->freq_count; i++) {
        const struct freq_sample *sample = &platform->freq[i];

        if (is_row(sample)) {
            add(collector,
                (struct column_measurement){.what = COLUMN_MEASURED_ROW,
                                            .cpu = sample->cpu,
                                            .index = sample->pss_index,
                                            .value = sample->figure.khz,
                                            .uncertainty_ppm = sample->figure.uncertainty_ppm});
        }
    }
}

/* A figure of a package is one of each of its CPUs. */
static void take_package(struct collector *collector, const struct freq_boost *boost)
{
    const struct platform *platform = collector->platform;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        if (platform->cpus[cpu].package_id == boost->package) {
            add(collector,
                (struct column_measurement){.what = COLUMN_MEASURED_ACTIVE,
                                            .cpu = cpu,
                                            .index = boost->active,
                                            .value = boost->figure.khz,
                                            .uncertainty_ppm = boost->figure.uncertainty_ppm});
        }
    }
}

static void take_boost(struct collector *collector)
{
    const struct platform *platform = collector->platform;

    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];

        if (boost->kind == FREQ_BOOST_CORES) {
            take_package(collector, boost);
        } else if (boost->kind == FREQ_BOOST_ALONE) {
            add(collector,
                (struct column_measurement){.what = COLUMN_MEASURED_ALONE,
                                            .cpu = boost->cpu,
                                            .index = 1,
                                            .value = boost->figure.khz,
                                            .uncertainty_ppm = boost->figure.uncertainty_ppm});
        }
    }
}

/* The slowest of the changes on a CPU, which stand together: their 99th percentile. */
static void add_settling(struct collector *collector, uint32_t cpu, uint64_t settle_ns)
{
    struct column_measurement *last =
        collector->count == 0 ? NULL : &collector->items[collector->count - 1];

    if (last != NULL && last->what == COLUMN_MEASURED_SETTLE && last->cpu == cpu) {
        last->value = settle_ns > last->value ? settle_ns : last->value;
        return;
    }
    add(collector, (struct column_measurement){
                       .what = COLUMN_MEASURED_SETTLE, .cpu = cpu, .value = settle_ns});
}

static void take_settling(struct collector *collector)
{
    const struct platform *platform = collector->platform;

    for (uint32_t i = 0; platform->tsc_hz != 0 && i < platform->freq_settlings_count; i++) {
        const struct freq_settling *settling = &platform->freq_settlings[i];

        if (settling->settle_tsc.n != 0) {
            add_settling(collector, settling->cpu,
                         units_tsc_to_ns(settling->settle_tsc.p99, platform->tsc_hz));
        }
    }
}

/* MPERF counts at the nominal clock: kernel-facts 4.2. */
static void take_nominal(struct collector *collector)
{
    const struct platform *platform = collector->platform;
    uint64_t clock_ppm = freq_clock_ppm(platform);
    uint32_t last = CPU_NONE;

    for (uint32_t i = 0; i < platform->freq_count; i++) {
        uint32_t cpu = platform->freq[i].cpu;

        if (cpu == last) {
            continue;
        }
        last = cpu;
        add(collector,
            (struct column_measurement){.what = COLUMN_MEASURED_NOMINAL,
                                        .cpu = cpu,
                                        .value = mul_div_round_u64(platform->tsc_hz,
                                                                   freq_mperf_ppb(platform, cpu),
                                                                   UINT64_C(1000000000000)),
                                        .uncertainty_ppm = clock_ppm});
    }
}

void columns_measured_take(struct platform *platform, struct column_measurements *ret_measured)
{
    uint64_t room = (uint64_t)platform->freq_count * 2 +
                    (uint64_t)platform->freq_boosts_count * platform->cpus_count +
                    platform->freq_settlings_count;
    struct collector collector = {.platform = platform,
                                  .room = room > UINT32_MAX ? UINT32_MAX : (uint32_t)room};

    *ret_measured = (struct column_measurements){.none_why = platform->freq_skipped};
    collector.items = arena_array(platform->arena, collector.room, sizeof(*collector.items));
    if (collector.items == NULL) {
        return;
    }
    take_rows(&collector);
    take_boost(&collector);
    take_settling(&collector);
    take_nominal(&collector);
    ret_measured->count = collector.count;
    ret_measured->items = collector.items;
    if (collector.count == 0 && ret_measured->none_why == NULL) {
        ret_measured->none_why = "frequencies were not measured in this run";
    }
}
