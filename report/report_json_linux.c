#include "model/linux/view.h"
#include "report/report_json_parts.h"

/* A number that could not be had is absent; its reason stands in the same name with _why. */
static void number(struct json_out *json, const char *key, const char *why_key,
                   const struct linux_number *value)
{
    if (value->avail == AVAIL_PRESENT) {
        json_out_u64(json, key, value->value);
    }
    json_out_string(json, why_key, value->why);
}

static void not_zero(struct json_out *json, const char *key, uint64_t value)
{
    if (value != 0) {
        json_out_u64(json, key, value);
    }
}

static void texts(struct json_out *json, const char *key, uint32_t count, const char *const *text)
{
    json_out_array(json, key);
    for (uint32_t i = 0; i < count; i++) {
        json_out_string(json, NULL, text[i]);
    }
    json_out_end(json);
}

static void table(struct json_out *json, const struct linux_table *table)
{
    json_out_object(json, "acpi_cpufreq");
    json_out_string(json, "no_table_why", table->no_table_why);
    if (table->no_table_why == NULL) {
        json_out_array(json, "table");
        for (uint32_t i = 0; i < table->count; i++) {
            const struct linux_row *row = &table->rows[i];

            json_out_flat_object(json, NULL);
            json_out_u64(json, "khz", row->khz);
            json_out_string(json, "kind", row->kind == FREQUENCY_BOOST ? "boost" : "pstate");
            json_out_u64(json, "control", row->control);
            json_out_u64(json, "pss_index", row->pss_index);
            json_out_end(json);
        }
        json_out_end(json);
        not_zero(json, "boost_ratio_1024", table->boost_ratio_1024);
        if (table->boost_ratio_1024 != 0) {
            json_out_u64(json, "boost_numerator", table->numerator);
        }
        json_out_string(json, "boost_numerator_why", table->numerator_why);
        json_out_string(json, "no_boost_why", table->no_boost_why);
        if (!table->is_boost_unknown) {
            json_out_u64(json, "cpuinfo_max_khz", table->cpuinfo_max_khz);
        }
        json_out_string(json, "cpuinfo_max_why", table->cpuinfo_max_why);
    }
    json_out_array(json, "dropped");
    for (uint32_t i = 0; i < table->dropped_count; i++) {
        json_out_flat_object(json, NULL);
        json_out_u64(json, "pss_index", table->dropped[i].pss_index);
        json_out_u64(json, "mhz", table->dropped[i].mhz);
        json_out_string(json, "why", table->dropped[i].why);
        json_out_end(json);
    }
    json_out_end(json);
    json_out_end(json);
}

static void amd_pstate(struct json_out *json, const struct linux_amd_pstate *amd)
{
    json_out_object(json, "amd_pstate");
    json_out_bool(json, "possible", amd->is_possible);
    json_out_string(json, "why_not", amd->why);
    if (amd->max_khz != 0) {
        json_out_bool(json, "msr", amd->is_msr);
        json_out_u64(json, "highest_perf", amd->highest_perf);
        json_out_string(json, "highest_perf_why", amd->highest_why);
        json_out_u64(json, "nominal_perf", amd->nominal_perf);
        json_out_u64(json, "lowest_nonlinear_perf", amd->lowest_nonlinear_perf);
        json_out_u64(json, "lowest_perf", amd->lowest_perf);
        json_out_u64(json, "min_khz", amd->min_khz);
        json_out_u64(json, "lowest_nonlinear_khz", amd->lowest_nonlinear_khz);
        json_out_u64(json, "nominal_khz", amd->nominal_khz);
        json_out_u64(json, "max_khz", amd->max_khz);
        json_out_u64(json, "transition_latency_ns", amd->latency_ns);
        json_out_u64(json, "transition_delay_us", amd->delay_us);
        json_out_string(json, "transition_delay_why", amd->delay_why);
    }
    json_out_end(json);
}

static void invariance(struct json_out *json, const struct linux_invariance *invariance)
{
    json_out_object(json, "invariance");
    json_out_string(json, "method", invariance->method);
    not_zero(json, "computed_ratio_1024", invariance->computed_ratio_1024);
    not_zero(json, "ratio_1024", invariance->ratio_1024);
    not_zero(json, "max_khz", invariance->max_khz);
    json_out_string(json, "why", invariance->why);
    json_out_array(json, "methods");
    for (uint32_t i = 0; i < invariance->methods_count; i++) {
        json_out_flat_object(json, NULL);
        json_out_string(json, "name", invariance->methods[i].name);
        json_out_bool(json, "taken", invariance->methods[i].is_taken);
        json_out_string(json, "why", invariance->methods[i].why);
        json_out_end(json);
    }
    json_out_end(json);
    json_out_end(json);
}

static void cppc(struct json_out *json, const struct linux_cppc *cppc)
{
    json_out_object(json, "cppc");
    json_out_string(json, "unusable_why", cppc->unusable_why);
    json_out_bool(json, "preferred_cores", cppc->is_ranked);
    if (cppc->rankings_count != 0) {
        json_out_u64(json, "ranking_min", cppc->ranking_min);
        json_out_u64(json, "ranking_max", cppc->ranking_max);
    }
    json_out_string(json, "khz_from", cppc->khz_from);
    json_out_string(json, "no_khz_why", cppc->no_khz_why);
    json_out_array(json, "points");
    for (uint32_t i = 0; i < cppc->points_count; i++) {
        const struct linux_perf_point *point = &cppc->points[i];

        json_out_flat_object(json, NULL);
        json_out_string(json, "name", point->name);
        json_out_u64(json, "perf", point->perf);
        not_zero(json, "khz", point->khz);
        json_out_end(json);
    }
    json_out_end(json);
    json_out_end(json);
}

static void cstates(struct json_out *json, const char *key, uint32_t count,
                    const struct linux_cstate *states)
{
    json_out_array(json, key);
    for (uint32_t i = 0; i < count; i++) {
        const struct linux_cstate *state = &states[i];

        json_out_flat_object(json, NULL);
        json_out_string(json, "name", state->name);
        not_zero(json, "type", state->type);
        json_out_string(json, "entry", linux_entry_name(state->entry));
        json_out_u64(json, "address", state->address);
        json_out_u64(json, "latency_us", state->latency_us);
        json_out_u64(json, "residency_us", state->residency_us);
        json_out_string(json, "from", state->from);
        json_out_u64(json, "index", state->index);
        json_out_bool(json, "kept", state->is_kept);
        if (state->is_latency_sorted) {
            json_out_bool(json, "latency_reordered", true);
        }
        json_out_string(json, "why", state->why);
        json_out_end(json);
    }
    json_out_end(json);
}

static void idle(struct json_out *json, const struct linux_idle *idle)
{
    json_out_string(json, "idle_driver", idle->driver);
    json_out_string(json, "idle_why", idle->why);
    json_out_string(json, "idle_uncertain_why", idle->uncertain_why);
    if (idle->dummy_rule_avail == AVAIL_PRESENT) {
        json_out_bool(json, "dummy_wait", idle->dummy_wait);
        json_out_bool(json, "dummy_wait_rule", idle->dummy_rule);
    }
    json_out_string(json, "dummy_wait_why", idle->dummy_why);
    cstates(json, "cstates", idle->count, idle->states);
    if (idle->states != idle->acpi_states) {
        cstates(json, "acpi_idle_cstates", idle->acpi_count, idle->acpi_states);
    }
    json_out_bool(json, "lapic_timer_trusted", idle->is_lapic_trusted);
    json_out_string(json, "lapic_timer_why", idle->lapic_why);
    json_out_string(json, "bus_master", idle->bus_master);
    json_out_string(json, "max_cstate_why", idle->max_cstate_why);
    json_out_string(json, "lpi", idle->lpi_why);
    json_out_string(json, "csd", idle->csd_why);
}

static void run(struct json_out *json, const struct linux_governor_run *run)
{
    json_out_flat_object(json, NULL);
    json_out_u64(json, "util", run->util);
    json_out_u64(json, "delivered_khz", run->delivered_khz);
    json_out_u64(json, "start_khz", run->start_khz);
    json_out_flat_array(json, "visited_khz");
    for (uint32_t i = 0; i < run->visited_count; i++) {
        json_out_u64(json, NULL, run->visited_khz[i]);
    }
    json_out_end(json);
    json_out_u64(json, "steady_khz", run->steady_khz);
    json_out_bool(json, "trapped", run->is_trapped);
    json_out_end(json);
}

static void runs(struct json_out *json, const char *key, const struct linux_governor *governor)
{
    json_out_array(json, key);
    for (uint32_t i = 0; i < governor->runs_count; i++) {
        run(json, &governor->runs[i]);
    }
    json_out_end(json);
}

static void governor(struct json_out *json, const struct linux_governor *governor)
{
    runs(json, "governor", governor);
    json_out_object(json, "governor_inputs");
    json_out_string(json, "default", governor->default_name);
    json_out_string(json, "default_why", governor->default_why);
    json_out_string(json, "formula", governor->formula);
    json_out_string(json, "no_runs_why", governor->no_runs_why);
    if (governor->no_runs_why == NULL) {
        json_out_bool(json, "invariant", governor->is_invariant);
        json_out_u64(json, "reference_khz", governor->reference_khz);
        not_zero(json, "invariance_khz", governor->invariance_khz);
        json_out_u64(json, "delivered_khz", governor->delivered_khz);
        json_out_bool(json, "trap", governor->is_trap);
        json_out_u64(json, "leaves_p0_below", governor->leaves_p0_below);
        json_out_u64(json, "falls_to_lowest_below", governor->falls_to_lowest_below);
    }
    json_out_end(json);
}

static void messages(struct json_out *json, const struct linux_view *view)
{
    json_out_array(json, "messages");
    for (uint32_t i = 0; i < view->messages_count; i++) {
        const struct linux_message *message = &view->messages[i];

        json_out_flat_object(json, NULL);
        json_out_string(json, "level", linux_level_name(message->level));
        json_out_string(json, "text", message->text);
        json_out_string(json, "meaning", message->meaning);
        json_out_u64(json, "times", message->cpus);
        json_out_end(json);
    }
    json_out_end(json);
}

static void policies(struct json_out *json, const struct linux_policies *policies)
{
    json_out_flat_object(json, "policies");
    json_out_u64(json, "count", policies->count);
    json_out_u64(json, "largest_cpus", policies->largest_cpus);
    json_out_u64(json, "affected_cpus", policies->affected_cpus);
    json_out_u64(json, "related_cpus", policies->related_cpus);
    json_out_string(json, "coordination", policies->coordination);
    json_out_string(json, "why", policies->why);
    json_out_end(json);
}

static void limits(struct json_out *json, const struct linux_view *view)
{
    if (view->limits_count < 2) {
        return;
    }
    json_out_array(json, "limits");
    for (uint32_t i = 0; i < view->limits_count; i++) {
        json_out_flat_object(json, NULL);
        json_out_u64(json, "first_cpu", view->limits[i].first_cpu);
        json_out_u64(json, "cpus", view->limits[i].cpus);
        json_out_u64(json, "cpuinfo_max_khz", view->limits[i].max_khz);
        json_out_u64(json, "cpuinfo_min_khz", view->limits[i].min_khz);
        json_out_end(json);
    }
    json_out_end(json);
}

static void numbers(struct json_out *json, const struct linux_view *view)
{
    number(json, "cpuinfo_max_khz", "cpuinfo_max_why", &view->cpuinfo_max);
    number(json, "cpuinfo_min_khz", "cpuinfo_min_why", &view->cpuinfo_min);
    number(json, "scaling_max_khz", "scaling_max_why", &view->scaling_max);
    number(json, "transition_delay_us", "transition_delay_why", &view->delay_us);
    number(json, "transition_latency_ns", "transition_latency_why", &view->latency_ns);
    number(json, "epp", "epp_why", &view->epp);
    limits(json, view);
    json_out_bool(json, "boost_supported", view->is_boost_supported);
    if (view->boost_on_avail == AVAIL_PRESENT) {
        json_out_bool(json, "boost_on", view->is_boost_on);
    }
    json_out_string(json, "boost_why", view->boost_why);
}

static void one_view(struct json_out *json, const struct linux_view *view)
{
    json_out_object(json, NULL);
    json_out_string(json, "version", view->version_text);
    json_out_string(json, "driver", view->driver_name);
    json_out_string(json, "mode", linux_mode_name(view->mode));
    json_out_string(json, "scaling_driver", view->scaling_driver);
    texts(json, "why", view->why.count, view->why.text);
    numbers(json, view);
    table(json, &view->table);
    policies(json, &view->policies);
    amd_pstate(json, &view->amd);
    cppc(json, &view->cppc);
    invariance(json, &view->invariance);
    idle(json, &view->idle);
    governor(json, &view->governor);
    messages(json, view);
    texts(json, "uncertain", view->uncertain_count, view->uncertain);
    json_out_end(json);
}

static void remedies(struct json_out *json, const struct linux_remedies *remedies)
{
    json_out_object(json, "boost_remedies");
    json_out_string(json, "none_why", remedies->none_why);
    if (remedies->none_why == NULL) {
        json_out_u64(json, "boost_ratio_1024", remedies->boost_ratio_1024);
        json_out_u64(json, "boost_khz", remedies->boost_khz);
        runs(json, "without", &remedies->without);
        runs(json, "extended_table", &remedies->extended_table);
        runs(json, "max_boost", &remedies->max_boost);
    }
    json_out_end(json);
}

void report_json_linux(const struct report *report, struct json_out *json)
{
    const struct linux_views *views = report->platform->linux_views;

    json_out_array(json, "linux");
    for (uint32_t i = 0; views != NULL && i < views->count; i++) {
        one_view(json, &views->views[i]);
    }
    json_out_end(json);
    if (views != NULL) {
        remedies(json, &views->remedies);
    }
}
