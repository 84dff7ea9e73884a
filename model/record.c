#include "model/record.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define FIELD(structure, member, type)                                                             \
    {                                                                                              \
#member, offsetof(struct structure, member), type                                          \
    }

static const struct record_field platform_fields[] = {
    FIELD(platform, vendor, RECORD_TEXT),
    FIELD(platform, product, RECORD_TEXT),
    FIELD(platform, firmware_version, RECORD_TEXT),
    FIELD(platform, firmware_date, RECORD_TEXT),
    FIELD(platform, has_smbios, RECORD_BOOL),
    FIELD(platform, smbios_max_mhz, RECORD_U32),
    FIELD(platform, is_tables_from_medium, RECORD_BOOL),
    FIELD(platform, acpi_error, RECORD_TEXT),
    FIELD(platform, rsdp_revision, RECORD_U8),
    FIELD(platform, has_rsdp, RECORD_BOOL),
    FIELD(platform, is_rsdp_checksum_ok, RECORD_BOOL),
    FIELD(platform, is_fault_handler_proved, RECORD_BOOL),
    FIELD(platform, tsc_hz, RECORD_U64),
    FIELD(platform, tsc_from, RECORD_TEXT),
    FIELD(platform, tsc_sync.compared, RECORD_U32),
    FIELD(platform, tsc_sync.differing, RECORD_U32),
    FIELD(platform, tsc_sync.widest_tsc, RECORD_U64),
    FIELD(platform, tsc_sync.worst_tsc, RECORD_U64),
    FIELD(platform, tsc_sync.worst_cpu, RECORD_U32),
    FIELD(platform, tsc_sync.is_worst_behind, RECORD_BOOL),
    FIELD(platform, idle_skipped, RECORD_TEXT),
    FIELD(platform, work_skipped, RECORD_TEXT),
    FIELD(platform, freq_skipped, RECORD_TEXT),
    FIELD(platform, requests.was_opened, RECORD_BOOL),
    FIELD(platform, requests.has_set_cppc, RECORD_BOOL),
    FIELD(platform, requests.has_set_hwp, RECORD_BOOL),
    FIELD(platform, requests.saved, RECORD_U32),
    FIELD(platform, requests.writes, RECORD_U32),
    FIELD(platform, requests.left, RECORD_U32),
    FIELD(platform, requests.not_opened_why, RECORD_TEXT),
    FIELD(platform, idle_energy_why, RECORD_TEXT),
    FIELD(platform, is_mp_services_absent, RECORD_BOOL),
    FIELD(platform, mp_note, RECORD_TEXT),
    FIELD(platform, nmi_count, RECORD_U64),
    FIELD(platform, incomplete, RECORD_TEXT),
    FIELD(platform, samples.lost, RECORD_U32),
};

static const struct record_field clock_fields[] = {
    FIELD(clock, name, RECORD_TEXT),    FIELD(clock, hz, RECORD_U64),
    FIELD(clock, from, RECORD_TEXT),    FIELD(clock, uncertainty_ppm, RECORD_U64),
    FIELD(clock, status, RECORD_TEXT),  FIELD(clock, runs, RECORD_U32),
    FIELD(clock, rejected, RECORD_U32), FIELD(clock, tolerance_ppm, RECORD_U64),
    FIELD(clock, why, RECORD_TEXT),     FIELD(clock, has_smi_count, RECORD_BOOL),
    FIELD(clock, smi, RECORD_U32),
};
_Static_assert(sizeof(struct clock) == 72, "a new field of struct clock belongs into clock_fields");

_Static_assert(sizeof(struct tsc_sync) == 32, "a new field of struct tsc_sync belongs above");

static const struct record_field idle_fields[] = {
    FIELD(idle_sample_set, cpu, RECORD_U32),
    FIELD(idle_sample_set, state, RECORD_TEXT),
    FIELD(idle_sample_set, entry, RECORD_U32),
    FIELD(idle_sample_set, port, RECORD_U16),
    FIELD(idle_sample_set, hint, RECORD_U32),
    FIELD(idle_sample_set, port_from, RECORD_TEXT),
    FIELD(idle_sample_set, has_declared_latency, RECORD_BOOL),
    FIELD(idle_sample_set, declared_latency_us, RECORD_U64),
    FIELD(idle_sample_set, dummy_read, RECORD_U32),
    FIELD(idle_sample_set, dummy_port, RECORD_U16),
    FIELD(idle_sample_set, dummy_paddr, RECORD_U64),
    FIELD(idle_sample_set, requested_ns, RECORD_U64),
    FIELD(idle_sample_set, samples, RECORD_U64),
    FIELD(idle_sample_set, dropped, RECORD_U64),
    FIELD(idle_sample_set, never_woke, RECORD_U64),
    FIELD(idle_sample_set, overhead_tsc, RECORD_U64),
    FIELD(idle_sample_set, bare_first_tsc, RECORD_U64),
    FIELD(idle_sample_set, first_read_tsc, RECORD_DISTRIBUTION),
    FIELD(idle_sample_set, dummy_read_tsc, RECORD_DISTRIBUTION),
    FIELD(idle_sample_set, asleep_tsc, RECORD_DISTRIBUTION),
    FIELD(idle_sample_set, exit_tsc, RECORD_DISTRIBUTION),
    FIELD(idle_sample_set, handler_tsc, RECORD_DISTRIBUTION),
    FIELD(idle_sample_set, ran_on_tsc, RECORD_DISTRIBUTION),
    FIELD(idle_sample_set, shape.low, RECORD_U64),
    FIELD(idle_sample_set, shape.width, RECORD_U64),
    FIELD(idle_sample_set, shape.count, RECORD_BINS),
    FIELD(idle_sample_set, flush_tsc, RECORD_DISTRIBUTION),
    FIELD(idle_sample_set, bus, RECORD_U8),
    FIELD(idle_sample_set, bus_busy, RECORD_U64),
    FIELD(idle_sample_set, stopped_in, RECORD_U32),
    FIELD(idle_sample_set, stopped_confidence_pct, RECORD_U32),
    FIELD(idle_sample_set, has_smi_count, RECORD_BOOL),
    FIELD(idle_sample_set, smi, RECORD_U64),
    FIELD(idle_sample_set, wake_source, RECORD_TEXT),
    FIELD(idle_sample_set, watched_by, RECORD_TEXT),
    FIELD(idle_sample_set, others, RECORD_TEXT),
    FIELD(idle_sample_set, is_sweep, RECORD_BOOL),
    FIELD(idle_sample_set, was_cut, RECORD_BOOL),
    FIELD(idle_sample_set, has_residency, RECORD_BOOL),
    FIELD(idle_sample_set, resident_tsc, RECORD_U64),
    FIELD(idle_sample_set, spent_tsc, RECORD_U64),
    FIELD(idle_sample_set, has_package_residency, RECORD_BOOL),
    FIELD(idle_sample_set, package_tsc, RECORD_U64),
    FIELD(idle_sample_set, passes, RECORD_U64),
    FIELD(idle_sample_set, elapsed_tsc, RECORD_U64),
    FIELD(idle_sample_set, elapsed_pmt, RECORD_U64),
    FIELD(idle_sample_set, has_energy, RECORD_BOOL),
    FIELD(idle_sample_set, energy_uj, RECORD_U64),
    FIELD(idle_sample_set, energy_span_tsc, RECORD_U64),
    FIELD(idle_sample_set, energy_uncertainty_ppm, RECORD_U64),
};
_Static_assert(sizeof(struct idle_sample_set) == 888,
               "a new field of struct idle_sample_set belongs into idle_fields");

static const struct record_field port_cost_fields[] = {
    FIELD(port_cost, cpus, RECORD_U32),         FIELD(port_cost, port, RECORD_U16),
    FIELD(port_cost, paddr, RECORD_U64),        FIELD(port_cost, port_name, RECORD_TEXT),
    FIELD(port_cost, overhead_tsc, RECORD_U64), FIELD(port_cost, read_tsc, RECORD_DISTRIBUTION),
    FIELD(port_cost, reads_per_s, RECORD_U64),  FIELD(port_cost, slowest_cpu, RECORD_U32),
    FIELD(port_cost, slowest_tsc, RECORD_U64),  FIELD(port_cost, is_knee, RECORD_BOOL),
};
_Static_assert(sizeof(struct port_cost) == 136,
               "a new field of struct port_cost belongs into port_cost_fields");

static const struct record_field gaps_fields[] = {
    FIELD(tsc_gaps, watched_tsc, RECORD_U64),    FIELD(tsc_gaps, threshold_tsc, RECORD_U64),
    FIELD(tsc_gaps, count, RECORD_U64),          FIELD(tsc_gaps, longest_tsc, RECORD_U64),
    FIELD(tsc_gaps, lost_tsc, RECORD_U64),       FIELD(tsc_gaps, steps, RECORD_STEPS),
    FIELD(tsc_gaps, has_smi_count, RECORD_BOOL), FIELD(tsc_gaps, smi, RECORD_U64),
};
_Static_assert(sizeof(struct tsc_gaps) == 376,
               "a new field of struct tsc_gaps belongs into gaps_fields");

static const struct record_field not_timed_fields[] = {
    FIELD(idle_not_timed, cpu, RECORD_U32),
    FIELD(idle_not_timed, way.state, RECORD_TEXT),
    FIELD(idle_not_timed, way.entry, RECORD_U32),
    FIELD(idle_not_timed, way.port, RECORD_U16),
    FIELD(idle_not_timed, way.hint, RECORD_U32),
    FIELD(idle_not_timed, way.mwait_extensions, RECORD_U32),
    FIELD(idle_not_timed, way.from, RECORD_TEXT),
    FIELD(idle_not_timed, way.has_declared_latency, RECORD_BOOL),
    FIELD(idle_not_timed, way.declared_latency_us, RECORD_U64),
    FIELD(idle_not_timed, way.dummy_read, RECORD_U32),
    FIELD(idle_not_timed, way.dummy_port, RECORD_U16),
    FIELD(idle_not_timed, way.dummy_paddr, RECORD_U64),
    FIELD(idle_not_timed, way.bus, RECORD_U8),
    FIELD(idle_not_timed, way.may_stop_timer, RECORD_BOOL),
    FIELD(idle_not_timed, way.not_timed, RECORD_TEXT),
};
_Static_assert(sizeof(struct idle_not_timed) == 88,
               "a new field of struct idle_not_timed belongs into not_timed_fields");

static const struct record_field interrupted_fields[] = {
    FIELD(interrupted, step, RECORD_TEXT),
    FIELD(interrupted, run_of, RECORD_TEXT),
    FIELD(interrupted, was_left_out, RECORD_BOOL),
};
_Static_assert(sizeof(struct interrupted) == 24,
               "a new field of struct interrupted belongs into interrupted_fields");

static const struct record_field request_left_fields[] = {
    FIELD(request_left, cpu, RECORD_U32),     FIELD(request_left, msr, RECORD_U32),
    FIELD(request_left, end, RECORD_U32),     FIELD(request_left, before, RECORD_U64),
    FIELD(request_left, after, RECORD_U64),   FIELD(request_left, where, RECORD_U32),
    FIELD(request_left, address, RECORD_U64),
};
_Static_assert(sizeof(struct request_left) == 40 && sizeof(struct request_account) == 24,
               "a new field of these belongs into request_left_fields and platform_fields");

static const struct record_field pcc_fields[] = {
    FIELD(pcc_account, subspace, RECORD_U32),   FIELD(pcc_account, commands, RECORD_U32),
    FIELD(pcc_account, timeouts, RECORD_U32),   FIELD(pcc_account, errors, RECORD_U32),
    FIELD(pcc_account, timed, RECORD_U32),      FIELD(pcc_account, sum_ns, RECORD_U64),
    FIELD(pcc_account, longest_ns, RECORD_U64),
};
_Static_assert(sizeof(struct pcc_account) == 40,
               "a new field of struct pcc_account belongs into pcc_fields");

static const struct record_field work_fields[] = {
    FIELD(work_sample, kernel, RECORD_U32),
    FIELD(work_sample, pss_index, RECORD_U32),
    FIELD(work_sample, requested_khz, RECORD_U64),
    FIELD(work_sample, is_boost_off, RECORD_BOOL),
    FIELD(work_sample, package, RECORD_U32),
    FIELD(work_sample, active, RECORD_U32),
    FIELD(work_sample, cpu, RECORD_U32),
    FIELD(work_sample, pieces_per_s, RECORD_U64),
    FIELD(work_sample, is_wrong, RECORD_BOOL),
    FIELD(work_sample, package_avail, RECORD_U32),
    FIELD(work_sample, package_uj, RECORD_U64),
    FIELD(work_sample, dram_avail, RECORD_U32),
    FIELD(work_sample, dram_uj, RECORD_U64),
    FIELD(work_sample, energy_tsc, RECORD_U64),
    FIELD(work_sample, uncertainty_ppm, RECORD_U64),
    FIELD(work_sample, no_energy_why, RECORD_TEXT),
};
_Static_assert(sizeof(struct work_sample) == 96,
               "a new field of struct work_sample belongs into work_fields");

/* Derived fields (figure, busy_ppm, expected_khz, is_shallow) are made again when the snapshot is frozen. */
static const struct record_field freq_fields[] = {
    FIELD(freq_sample, cpu, RECORD_U32),
    FIELD(freq_sample, kind, RECORD_U32),
    FIELD(freq_sample, pss_index, RECORD_U32),
    FIELD(freq_sample, requested_khz, RECORD_U64),
    FIELD(freq_sample, control, RECORD_U64),
    FIELD(freq_sample, status_expected, RECORD_U64),
    FIELD(freq_sample, status_avail, RECORD_U32),
    FIELD(freq_sample, status, RECORD_U64),
    FIELD(freq_sample, was_long, RECORD_BOOL),
    FIELD(freq_sample, counts.window_tsc, RECORD_U64),
    FIELD(freq_sample, counts.aperf, RECORD_U64),
    FIELD(freq_sample, counts.mperf, RECORD_U64),
    FIELD(freq_sample, counts.stamp_tsc, RECORD_U64),
    FIELD(freq_sample, counts.slow_ppm, RECORD_U64),
    FIELD(freq_sample, counts.fast_ppm, RECORD_U64),
    FIELD(freq_sample, counts.slices, RECORD_U32),
    FIELD(freq_sample, counts.wrapped, RECORD_U32),
    FIELD(freq_sample, counts.stopped, RECORD_U32),
    FIELD(freq_sample, counts.torn, RECORD_U32),
    FIELD(freq_sample, counts.causes, RECORD_U32),
};
_Static_assert(sizeof(struct freq_sample) == 160,
               "a new field of struct freq_sample belongs into freq_fields");

static const struct record_field freq_boost_fields[] = {
    FIELD(freq_boost, kind, RECORD_U32),
    FIELD(freq_boost, package, RECORD_U32),
    FIELD(freq_boost, active, RECORD_U32),
    FIELD(freq_boost, cpu, RECORD_U32),
    FIELD(freq_boost, parked, RECORD_TEXT),
    FIELD(freq_boost, has_residency, RECORD_BOOL),
    FIELD(freq_boost, parked_tsc, RECORD_U64),
    FIELD(freq_boost, deep_tsc, RECORD_U64),
    FIELD(freq_boost, counts.window_tsc, RECORD_U64),
    FIELD(freq_boost, counts.aperf, RECORD_U64),
    FIELD(freq_boost, counts.mperf, RECORD_U64),
    FIELD(freq_boost, counts.stamp_tsc, RECORD_U64),
    FIELD(freq_boost, counts.slow_ppm, RECORD_U64),
    FIELD(freq_boost, counts.fast_ppm, RECORD_U64),
    FIELD(freq_boost, counts.slices, RECORD_U32),
    FIELD(freq_boost, counts.wrapped, RECORD_U32),
    FIELD(freq_boost, counts.stopped, RECORD_U32),
    FIELD(freq_boost, counts.torn, RECORD_U32),
    FIELD(freq_boost, counts.causes, RECORD_U32),
};
_Static_assert(sizeof(struct freq_boost) == 152,
               "a new field of struct freq_boost belongs into freq_boost_fields");

static const struct record_field freq_settling_fields[] = {
    FIELD(freq_settling, cpu, RECORD_U32),
    FIELD(freq_settling, kind, RECORD_U32),
    FIELD(freq_settling, from_index, RECORD_U32),
    FIELD(freq_settling, to_index, RECORD_U32),
    FIELD(freq_settling, from_khz, RECORD_U64),
    FIELD(freq_settling, to_khz, RECORD_U64),
    FIELD(freq_settling, latency_us, RECORD_U64),
    FIELD(freq_settling, changes, RECORD_U32),
    FIELD(freq_settling, unsettled, RECORD_U32),
    FIELD(freq_settling, loop_from_tsc, RECORD_U64),
    FIELD(freq_settling, loop_to_tsc, RECORD_U64),
    FIELD(freq_settling, limit_tsc, RECORD_U64),
    FIELD(freq_settling, why, RECORD_TEXT),
    FIELD(freq_settling, settle_tsc, RECORD_DISTRIBUTION),
};
_Static_assert(sizeof(struct freq_settling) == 144,
               "a new field of struct freq_settling belongs into freq_settling_fields");

static const struct record_field freq_refusal_fields[] = {
    FIELD(freq_refusal, cpu, RECORD_U32),
    FIELD(freq_refusal, kind, RECORD_U32),
    FIELD(freq_refusal, why, RECORD_TEXT),
};
_Static_assert(sizeof(struct freq_refusal) == 16,
               "a new field of struct freq_refusal belongs into freq_refusal_fields");

struct record_list record_freq(void)
{
    return (struct record_list){COUNT(freq_fields), freq_fields};
}

struct record_list record_freq_boost(void)
{
    return (struct record_list){COUNT(freq_boost_fields), freq_boost_fields};
}

struct record_list record_freq_settling(void)
{
    return (struct record_list){COUNT(freq_settling_fields), freq_settling_fields};
}

struct record_list record_freq_refusal(void)
{
    return (struct record_list){COUNT(freq_refusal_fields), freq_refusal_fields};
}

struct record_list record_platform(void)
{
    return (struct record_list){COUNT(platform_fields), platform_fields};
}

struct record_list record_clock(void)
{
    return (struct record_list){COUNT(clock_fields), clock_fields};
}

struct record_list record_idle(void)
{
    return (struct record_list){COUNT(idle_fields), idle_fields};
}

struct record_list record_port_cost(void)
{
    return (struct record_list){COUNT(port_cost_fields), port_cost_fields};
}

struct record_list record_gaps(void)
{
    return (struct record_list){COUNT(gaps_fields), gaps_fields};
}

struct record_list record_not_timed(void)
{
    return (struct record_list){COUNT(not_timed_fields), not_timed_fields};
}

struct record_list record_interrupted(void)
{
    return (struct record_list){COUNT(interrupted_fields), interrupted_fields};
}

struct record_list record_work(void)
{
    return (struct record_list){COUNT(work_fields), work_fields};
}

struct record_list record_pcc(void)
{
    return (struct record_list){COUNT(pcc_fields), pcc_fields};
}

struct record_list record_request_left(void)
{
    return (struct record_list){COUNT(request_left_fields), request_left_fields};
}

static size_t width_of(enum record_type type)
{
    static const size_t widths[] = {[RECORD_BOOL] = sizeof(bool),
                                    [RECORD_U8] = 1,
                                    [RECORD_U16] = 2,
                                    [RECORD_U32] = 4,
                                    [RECORD_U64] = 8,
                                    [RECORD_TEXT] = sizeof(char *),
                                    [RECORD_DISTRIBUTION] = sizeof(struct distribution),
                                    [RECORD_BINS] = sizeof(uint32_t[HISTOGRAM_SHAPE_BINS]),
                                    [RECORD_STEPS] = sizeof(uint64_t[TSC_GAPS_BINS])};

    return widths[type];
}

/* Little-endian only, as all of x86-64 is. */
uint64_t record_get(const struct record_field *field, const void *item)
{
    uint64_t value = 0;

    if (field->type <= RECORD_U64) {
        memcpy(&value, (const uint8_t *)item + field->offset, width_of(field->type));
    }
    return value;
}

void record_set(const struct record_field *field, void *item, uint64_t value)
{
    if (field->type == RECORD_BOOL) {
        value = value != 0 ? 1 : 0;
    }
    if (field->type <= RECORD_U64) {
        memcpy((uint8_t *)item + field->offset, &value, width_of(field->type));
    }
}

static void take_frequencies(const struct platform *recorded, struct platform *platform)
{
    platform->freq_count = recorded->freq_count;
    platform->freq = recorded->freq;
    platform->freq_boosts_count = recorded->freq_boosts_count;
    platform->freq_boosts = recorded->freq_boosts;
    platform->freq_settlings_count = recorded->freq_settlings_count;
    platform->freq_settlings = recorded->freq_settlings;
    platform->freq_refusals_count = recorded->freq_refusals_count;
    platform->freq_refusals = recorded->freq_refusals;
}

void record_apply_frequencies(const struct platform *recorded, struct platform *platform)
{
    take_frequencies(recorded, platform);
    platform->freq_skipped = recorded->freq_skipped;
    if (platform->tsc_hz == 0) {
        platform->tsc_hz = recorded->tsc_hz;
        platform->tsc_from = "measured.json";
    }
}

void record_apply(const struct platform *recorded, struct platform *platform)
{
    for (size_t i = 0; i < COUNT(platform_fields); i++) {
        size_t offset = platform_fields[i].offset;

        memcpy((uint8_t *)platform + offset, (const uint8_t *)recorded + offset,
               width_of(platform_fields[i].type));
    }
    platform->clocks_count = recorded->clocks_count;
    memcpy(platform->clocks, recorded->clocks, sizeof(platform->clocks));
    platform->idle_count = recorded->idle_count;
    platform->idle = recorded->idle;
    platform->idle_not_timed_count = recorded->idle_not_timed_count;
    platform->idle_not_timed = recorded->idle_not_timed;
    platform->port_costs_count = recorded->port_costs_count;
    platform->port_costs = recorded->port_costs;
    platform->tsc_gaps = recorded->tsc_gaps;
    platform->samples = recorded->samples;
    take_frequencies(recorded, platform);
    platform->interrupted_count = recorded->interrupted_count;
    platform->interrupted = recorded->interrupted;
    platform->work_count = recorded->work_count;
    platform->work = recorded->work;
    platform->pcc_count = recorded->pcc_count;
    platform->pcc = recorded->pcc;
    platform->requests_left_count = recorded->requests_left_count;
    platform->requests_left = recorded->requests_left;
    for (uint32_t cpu = 0; cpu < platform->cpus_count && cpu < recorded->cpus_count; cpu++) {
        platform->cpus[cpu].answer = recorded->cpus[cpu].answer;
    }
    platform->is_replay = true;
}
