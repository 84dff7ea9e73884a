#include "model/idle_booking.h"
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
        if (clock->tolerance_ppm != 0) {
            json_out_u64(json, "tolerance_ppm", clock->tolerance_ppm);
        }
        if (clock->has_smi_count) {
            json_out_u64(json, "smi", clock->smi);
        }
        if (clock->why != NULL) {
            json_out_string(json, "why", clock->why);
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

static const char *const entries[] = {[IDLE_HLT] = "hlt", [IDLE_MWAIT] = "mwait", [IDLE_IO] = "io"};
static const char *const dummies[] = {[DUMMY_NONE] = "none", [DUMMY_PM_TIMER] = "pm_timer"};

/* What an operating system would book as idle, against the time the CPU was stopped. */
static void booking(const struct idle_sample_set *idle, uint64_t tsc_hz, struct json_out *json)
{
    struct idle_booking booked;

    if (!idle_booking_of(idle, tsc_hz, &booked)) {
        return;
    }
    json_out_u64(json, "booked_ns", booked.booked_ns);
    json_out_u64(json, "true_ns", booked.true_ns);
    if (booked.is_at_most) {
        json_out_bool(json, "true_is_at_most", true);
    }
    json_out_u64(json, "booking_error_pct", booked.error_pct);
}

/* What the bars of the text and the page are drawn from. */
static void shape(const struct histogram_shape *shape, struct json_out *json)
{
    if (shape->width == 0) {
        return;
    }
    json_out_object(json, "shape");
    json_out_u64(json, "low_tsc", shape->low);
    json_out_u64(json, "width_tsc", shape->width);
    json_out_flat_array(json, "counts");
    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS; i++) {
        json_out_u64(json, NULL, shape->count[i]);
    }
    json_out_end(json);
    json_out_end(json);
}

/* What was done around each entry, as C3 needs it. */
static void bus_master(const struct idle_sample_set *idle, uint64_t tsc_hz, struct json_out *json)
{
    if (idle->bus == 0) {
        return;
    }
    json_out_bool(json, "bus_master_checked", (idle->bus & IDLE_BUS_CHECK) != 0);
    json_out_bool(json, "arbitration_disabled", (idle->bus & IDLE_BUS_ARBITER) != 0);
    json_out_bool(json, "caches_flushed", (idle->bus & IDLE_BUS_FLUSH) != 0);
    json_out_u64(json, "put_off_by_bus_masters", idle->bus_busy);
    both(json, "flush_ns", "flush_tsc", &idle->flush_tsc, tsc_hz);
}

/* Counters beside the sleeps of the set. */
static void counters(const struct idle_sample_set *idle, struct json_out *json)
{
    if (idle->has_residency) {
        json_out_u64(json, "resident_tsc", idle->resident_tsc);
    }
    if (idle->has_package_residency) {
        json_out_u64(json, "package_resident_tsc", idle->package_tsc);
    }
    if (idle->has_residency || idle->has_package_residency) {
        json_out_u64(json, "spent_tsc", idle->spent_tsc);
    }
    json_out_u64(json, "passes", idle->passes);
    json_out_u64(json, "elapsed_tsc", idle->elapsed_tsc);
    if (idle->elapsed_pmt != 0) {
        json_out_u64(json, "elapsed_pmt", idle->elapsed_pmt);
    }
    if (idle->has_energy) {
        json_out_u64(json, "energy_uj", idle->energy_uj);
        json_out_u64(json, "energy_span_tsc", idle->energy_span_tsc);
        json_out_u64(json, "energy_uncertainty_ppm", idle->energy_uncertainty_ppm);
    }
}

static void surroundings(const struct idle_sample_set *idle, struct json_out *json)
{
    json_out_string(json, "wake_source", idle->wake_source);
    json_out_string(json, "watched_by", idle->watched_by);
    json_out_string(json, "others", idle->others);
    if (idle->never_woke > 0) {
        json_out_u64(json, "never_woke", idle->never_woke);
    }
    if (idle->was_cut) {
        json_out_bool(json, "cut_by_time_limit", true);
    }
    if (idle->is_sweep) {
        json_out_bool(json, "sweep", true);
    }
}

static void idle_entry(const struct platform *platform, const struct idle_sample_set *idle,
                       struct json_out *json)
{
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
    } else if (idle->entry == IDLE_MWAIT) {
        json_out_u64(json, "hint", idle->hint);
    }
    json_out_string(json, "address_from", idle->port_from);
    if (idle->has_declared_latency) {
        json_out_u64(json, "declared_latency_us", idle->declared_latency_us);
    }
    json_out_string(json, "dummy_read", dummies[idle->dummy_read]);
    if (idle->dummy_read == DUMMY_PM_TIMER) {
        json_out_u64(json, "dummy_address",
                     idle->dummy_paddr != 0 ? idle->dummy_paddr : idle->dummy_port);
    }
    json_out_u64(json, "requested_ns", idle->requested_ns);
    json_out_u64(json, "samples", idle->samples);
    json_out_u64(json, "dropped", idle->dropped);
    if (tsc_hz != 0) {
        json_out_u64(json, "overhead_ns", units_tsc_to_ns(idle->overhead_tsc, tsc_hz));
    }
    json_out_u64(json, "overhead_tsc", idle->overhead_tsc);
    if (idle->bare_first_tsc != 0) {
        json_out_u64(json, "bare_first_tsc", idle->bare_first_tsc);
    }
    both(json, "first_read_ns", "first_read_tsc", &idle->first_read_tsc, tsc_hz);
    both(json, "dummy_read_ns", "dummy_read_tsc", &idle->dummy_read_tsc, tsc_hz);
    both(json, "asleep_ns", "asleep_tsc", &idle->asleep_tsc, tsc_hz);
    both(json, "exit_ns", "exit_tsc", &idle->exit_tsc, tsc_hz);
    both(json, "exit_to_handler_ns", "exit_to_handler_tsc", &idle->handler_tsc, tsc_hz);
    both(json, "ran_on_ns", "ran_on_tsc", &idle->ran_on_tsc, tsc_hz);
    json_out_string(json, "stopped_in", stopped[idle->stopped_in]);
    if (idle->stopped_in != STOPPED_UNKNOWN) {
        json_out_u64(json, "stopped_confidence", idle->stopped_confidence_pct);
    }
    if (idle->has_smi_count) {
        json_out_u64(json, "smi", idle->smi);
    }
    shape(&idle->shape, json);
    surroundings(idle, json);
    counters(idle, json);
    bus_master(idle, tsc_hz, json);
    booking(idle, tsc_hz, json);
    mark_emulated(platform, json);
    json_out_end(json);
}

static void contention_entry(const struct platform *platform, const struct port_cost *cost,
                             struct json_out *json)
{
    uint64_t per_s = cost->reads_per_s;

    if (per_s == 0 && cost->read_tsc.n > 0 && cost->read_tsc.mean > 0) {
        per_s = mul_div_u64(platform->tsc_hz, cost->cpus, cost->read_tsc.mean);
    }
    json_out_object(json, NULL);
    json_out_u64(json, "cpus", cost->cpus);
    json_out_u64(json, "port", cost->paddr != 0 ? cost->paddr : cost->port);
    json_out_string(json, "port_name", cost->port_name);
    json_out_u64(json, "overhead_tsc", cost->overhead_tsc);
    both(json, "read_ns", "read_tsc", &cost->read_tsc, platform->tsc_hz);
    if (per_s != 0) {
        json_out_u64(json, "reads_per_s", per_s);
    }
    if (cost->cpus > 1) {
        json_out_u64(json, "slowest_cpu", cost->slowest_cpu);
        json_out_u64(json, "slowest_p50_tsc", cost->slowest_tsc);
        json_out_bool(json, "knee", cost->is_knee);
    }
    mark_emulated(platform, json);
    json_out_end(json);
}

static void not_timed(const struct platform *platform, struct json_out *json)
{
    json_out_array(json, "idle_not_timed");
    for (uint32_t i = 0; i < platform->idle_not_timed_count; i++) {
        const struct idle_not_timed *one = &platform->idle_not_timed[i];

        json_out_flat_object(json, NULL);
        json_out_u64(json, "cpu", one->cpu);
        json_out_string(json, "state", one->way.state);
        json_out_string(json, "entry", entries[one->way.entry]);
        if (one->way.entry == IDLE_IO) {
            json_out_u64(json, "address", one->way.port);
        } else if (one->way.entry == IDLE_MWAIT) {
            json_out_u64(json, "hint", one->way.hint);
        }
        json_out_string(json, "dummy_read", dummies[one->way.dummy_read]);
        json_out_string(json, "why", one->way.not_timed);
        json_out_end(json);
    }
    json_out_end(json);
}

static void reach(const struct platform *platform, struct json_out *json)
{
    json_out_string(json, "idle_energy_why", platform->idle_energy_why);
    json_out_array(json, "idle_reach");
    for (uint32_t i = 0; i < platform->idle_reach_count; i++) {
        const struct idle_reach *one = &platform->idle_reach[i];
        const struct idle_sample_set *set = &platform->idle[one->first_set];

        json_out_flat_object(json, NULL);
        json_out_u64(json, "cpu", one->cpu);
        json_out_string(json, "state", set->state);
        json_out_string(json, "entry", entries[set->entry]);
        if (set->entry == IDLE_IO) {
            json_out_u64(json, "address", set->port);
        } else if (set->entry == IDLE_MWAIT) {
            json_out_u64(json, "hint", set->hint);
        }
        json_out_string(json, "dummy_read", dummies[set->dummy_read]);
        if (one->entered_from_ns != 0) {
            json_out_u64(json, "entered_from_ns", one->entered_from_ns);
        }
        json_out_bool(json, "demoted_below", one->is_demoted_below);
        if (one->break_even == AVAIL_PRESENT) {
            json_out_u64(json, "break_even_us", one->break_even_us);
        } else if (one->break_even == AVAIL_ABSENT) {
            json_out_bool(json, "pays_at_no_length", true);
        }
        json_out_end(json);
    }
    json_out_end(json);
}

static void verdicts(const struct platform *platform, struct json_out *json)
{
    static const char *const words[] = {[DUMMY_VERDICT_UNKNOWN] = "unknown",
                                        [DUMMY_NEEDED] = "needed",
                                        [DUMMY_HARMLESS] = "harmless",
                                        [DUMMY_HARMFUL] = "harmful"};

    json_out_array(json, "dummy_read_verdicts");
    for (uint32_t i = 0; idle_dummy_next(platform, &i); i++) {
        struct dummy_judgement judgement;

        idle_dummy_judge(platform, i, &judgement);
        json_out_flat_object(json, NULL);
        json_out_u64(json, "cpu", judgement.with->cpu);
        json_out_string(json, "state", judgement.with->state);
        json_out_u64(json, "address", judgement.with->port);
        json_out_u64(json, "requested_ns", judgement.with->requested_ns);
        json_out_string(json, "verdict", words[judgement.verdict]);
        json_out_string(json, "why", judgement.why);
        json_out_u64(json, "cost_ns", judgement.cost_ns);
        if (judgement.crowd_cpus != 0) {
            json_out_u64(json, "crowd_cpus", judgement.crowd_cpus);
            json_out_u64(json, "crowd_cost_ns", judgement.crowd_cost_ns);
        }
        json_out_u64(json, "share_permyriad", judgement.booking.dummy_permyriad);
        if (judgement.sleeps_until_wrong != 0) {
            json_out_u64(json, "sleeps_until_wrong", judgement.sleeps_until_wrong);
            json_out_u64(json, "wrong_length_ns", judgement.wrong_length_ns);
        }
        mark_emulated(platform, json);
        json_out_end(json);
    }
    json_out_end(json);
}

/* Time that somebody else took, an SMI or a host: it bounds every figure of idle[]. */
static void gaps(const struct platform *platform, struct json_out *json)
{
    const struct tsc_gaps *watched = &platform->tsc_gaps;

    if (watched->watched_tsc == 0) {
        return;
    }
    json_out_object(json, "tsc_gaps");
    json_out_u64(json, "watched_tsc", watched->watched_tsc);
    json_out_u64(json, "threshold_tsc", watched->threshold_tsc);
    json_out_u64(json, "count", watched->count);
    json_out_u64(json, "longest_tsc", watched->longest_tsc);
    json_out_u64(json, "lost_tsc", watched->lost_tsc);
    if (platform->tsc_hz != 0) {
        json_out_u64(json, "longest_ns", units_tsc_to_ns(watched->longest_tsc, platform->tsc_hz));
    }
    if (watched->has_smi_count) {
        json_out_u64(json, "smi", watched->smi);
    }
    json_out_flat_array(json, "steps_by_bit");
    for (unsigned i = 0; i < TSC_GAPS_BINS; i++) {
        json_out_u64(json, NULL, watched->steps[i]);
    }
    json_out_end(json);
    mark_emulated(platform, json);
    json_out_end(json);
}

static void tsc_sync(const struct platform *platform, struct json_out *json)
{
    const struct tsc_sync *sync = &platform->tsc_sync;

    if (sync->compared == 0) {
        return;
    }
    json_out_flat_object(json, "tsc_sync");
    json_out_u64(json, "cpus_compared", sync->compared);
    json_out_u64(json, "differing", sync->differing);
    json_out_u64(json, "known_to_tsc", sync->widest_tsc);
    if (platform->tsc_hz != 0) {
        json_out_u64(json, "known_to_ns", units_tsc_to_ns(sync->widest_tsc, platform->tsc_hz));
    }
    if (sync->differing != 0) {
        json_out_u64(json, "worst_cpu", sync->worst_cpu);
        json_out_u64(json, "worst_tsc", sync->worst_tsc);
        json_out_string(json, "worst_is", sync->is_worst_behind ? "behind" : "ahead");
    }
    mark_emulated(platform, json);
    json_out_end(json);
}

/* What was done to the registers by which frequencies are asked for. */
static void requests(const struct platform *platform, struct json_out *json)
{
    static const char *const ends[] = {[REQUEST_END_DIFFERENT] = "different",
                                       [REQUEST_END_FAULTED] = "faulted",
                                       [REQUEST_END_NO_ANSWER] = "no answer"};
    const struct request_account *account = &platform->requests;

    if (!account->was_opened && account->not_opened_why == NULL) {
        return;
    }
    json_out_object(json, "requests");
    json_out_string(json, "not_opened_why", account->not_opened_why);
    if (account->has_set_cppc || account->has_set_hwp) {
        json_out_string(json, "set_until_reset",
                        account->has_set_cppc ? "cppc-enable" : "hwp-enable");
    }
    json_out_u64(json, "registers_saved", account->saved);
    json_out_u64(json, "writes", account->writes);
    json_out_array(json, "left_behind");
    for (uint32_t i = 0; i < platform->requests_left_count; i++) {
        const struct request_left *left = &platform->requests_left[i];

        json_out_flat_object(json, NULL);
        json_out_u64(json, "cpu", left->cpu);
        if (left->where == REQUEST_IN_MSR) {
            json_out_hex(json, "msr", left->msr, 0);
        } else {
            json_out_hex(json, left->where == REQUEST_IN_PORT ? "port" : "address", left->address,
                         0);
        }
        json_out_string(json, "end", ends[left->end]);
        json_out_hex(json, "before", left->before, 0);
        if (left->end == REQUEST_END_DIFFERENT) {
            json_out_hex(json, "after", left->after, 0);
        }
        json_out_end(json);
    }
    json_out_end(json);
    json_out_end(json);
}

/* Commands through PCC subspaces, and how long the platform took for them. */
static void pcc_commands(const struct platform *platform, struct json_out *json)
{
    json_out_array(json, "pcc_commands");
    for (uint32_t i = 0; i < platform->pcc_count; i++) {
        const struct pcc_account *account = &platform->pcc[i];

        json_out_flat_object(json, NULL);
        json_out_u64(json, "subspace", account->subspace);
        json_out_u64(json, "commands", account->commands);
        json_out_u64(json, "timeouts", account->timeouts);
        json_out_u64(json, "errors", account->errors);
        if (account->timed > 0) {
            json_out_u64(json, "timed", account->timed);
            json_out_u64(json, "sum_ns", account->sum_ns);
            json_out_u64(json, "mean_ns", account->sum_ns / account->timed);
            json_out_u64(json, "longest_ns", account->longest_ns);
        }
        mark_emulated(platform, json);
        json_out_end(json);
    }
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
    json_out_string(json, platform->idle_count == 0 ? "idle_skipped" : "idle_ended_early",
                    platform->idle_skipped);
    not_timed(platform, json);
    reach(platform, json);
    verdicts(platform, json);
    gaps(platform, json);
    tsc_sync(platform, json);
    requests(platform, json);
    if (platform->pcc_count > 0) {
        pcc_commands(platform, json);
    }
    if (platform->samples.lost > 0) {
        json_out_u64(json, "histograms_not_kept", platform->samples.lost);
    }
    json_out_array(json, "contention");
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        contention_entry(platform, &platform->port_costs[i], json);
    }
    json_out_end(json);
}
