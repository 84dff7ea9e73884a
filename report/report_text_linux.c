#include "model/linux/view.h"
#include "report/report_text_parts.h"

#define LABEL 16 /* where a value starts in this section */

static void label(struct wrap *line, const char *name)
{
    wrap_printf(line, "%-15s ", name);
}

static void line_of(struct wrap *line, const char *name, const char *text)
{
    if (text != NULL) {
        label(line, name);
        wrap_printf(line, "%s", text);
        wrap_end(line, LABEL);
    }
}

/* "2250000 kHz (the highest _PSS row)", or "not known: why". */
static void number_line(struct wrap *line, const char *name, const struct linux_number *number,
                        const char *unit)
{
    label(line, name);
    if (number->avail == AVAIL_PRESENT) {
        wrap_printf(line, "%lu %s (%s)", number->value, unit, number->why);
    } else {
        wrap_printf(line, "%s: %s", number->avail == AVAIL_UNTRIED ? "not known" : "none",
                    number->why);
    }
    wrap_end(line, LABEL);
}

static void driver_lines(const struct linux_view *view, struct wrap *line)
{
    label(line, "driver");
    wrap_printf(line, "%s", view->driver_name);
    if (view->mode != LINUX_MODE_TABLE) {
        wrap_printf(line, ", %s mode (scaling_driver %s)", linux_mode_name(view->mode),
                    view->scaling_driver);
    }
    wrap_end(line, LABEL);
    for (uint32_t i = 0; i < view->why.count; i++) {
        line_of(line, "", view->why.text[i]);
    }
    number_line(line, "cpuinfo max", &view->cpuinfo_max, "kHz");
    number_line(line, "cpuinfo min", &view->cpuinfo_min, "kHz");
    number_line(line, "scaling max", &view->scaling_max, "kHz");
    for (uint32_t i = 0; view->limits_count > 1 && i < view->limits_count; i++) {
        wrap_printf(line, "                %u CPU%s from CPU %u: %lu to %lu kHz",
                    view->limits[i].cpus, view->limits[i].cpus == 1 ? "" : "s",
                    view->limits[i].first_cpu, view->limits[i].min_khz, view->limits[i].max_khz);
        wrap_end(line, LABEL);
    }
    number_line(line, "latency", &view->latency_ns, "ns");
    number_line(line, "delay", &view->delay_us, "us");
    number_line(line, "preference", &view->epp, "EPP");
}

static void boost_line(const struct linux_view *view, struct wrap *line)
{
    label(line, "boost");
    if (!view->is_boost_supported) {
        wrap_printf(line, "not supported: %s", view->boost_why);
    } else if (view->boost_on_avail == AVAIL_PRESENT) {
        wrap_printf(line, "supported and %s (%s)", view->is_boost_on ? "on" : "off",
                    view->boost_why);
    } else {
        wrap_printf(line, "supported; whether it is on is not known: %s", view->boost_why);
    }
    wrap_end(line, LABEL);
}

static void table_lines(const struct linux_table *table, struct wrap *line)
{
    if (table->no_table_why != NULL) {
        label(line, "table");
        wrap_printf(line, "none: %s", table->no_table_why);
        wrap_end(line, LABEL);
        return;
    }
    label(line, "table");
    for (uint32_t i = 0; i < table->count; i++) {
        wrap_printf(line, "%s%lu%s", i == 0 ? "" : " ", table->rows[i].khz,
                    table->rows[i].kind == FREQUENCY_BOOST ? "(boost)" : "");
    }
    wrap_printf(line, " kHz");
    wrap_end(line, LABEL);
    for (uint32_t i = 0; i < table->dropped_count; i++) {
        wrap_printf(line, "                row %u, %lu MHz, dropped: %s",
                    table->dropped[i].pss_index, table->dropped[i].mhz, table->dropped[i].why);
        wrap_end(line, LABEL);
    }
    label(line, "boost ratio");
    if (table->boost_ratio_1024 != 0) {
        wrap_printf(line, "%lu/1024 (numerator %lu: %s)", table->boost_ratio_1024, table->numerator,
                    table->numerator_why);
    } else {
        wrap_printf(line, "none: %s", table->no_boost_why);
    }
    wrap_end(line, LABEL);
}

static void policies_line(const struct linux_policies *policies, struct wrap *line)
{
    label(line, "policies");
    wrap_printf(line, "%u, of %s%u CPU%s each, coordination %s, %u related CPU%s (%s)",
                policies->count, policies->largest_cpus == 1 ? "" : "at most ",
                policies->largest_cpus, policies->largest_cpus == 1 ? "" : "s",
                policies->coordination, policies->related_cpus,
                policies->related_cpus == 1 ? "" : "s", policies->why);
    wrap_end(line, LABEL);
}

static void invariance_lines(const struct linux_invariance *invariance, struct wrap *line)
{
    label(line, "invariance");
    if (invariance->ratio_1024 == 0) {
        wrap_printf(line, "%s: %s", invariance->avail == AVAIL_UNTRIED ? "not known" : "none",
                    invariance->why);
    } else {
        wrap_printf(line, "%s, ratio %lu/1024", invariance->method, invariance->ratio_1024);
        if (invariance->max_khz != 0) {
            wrap_printf(line, ", maximum %lu kHz", invariance->max_khz);
        }
        wrap_printf(line, " (%s)", invariance->why);
    }
    wrap_end(line, LABEL);
    for (uint32_t i = 0; i < invariance->methods_count; i++) {
        if (!invariance->methods[i].is_taken) {
            wrap_printf(line, "                not %s: %s", invariance->methods[i].name,
                        invariance->methods[i].why);
            wrap_end(line, LABEL);
        }
    }
    if (invariance->is_per_cpu) {
        line_of(line, "", "hybrid: each CPU has its own ratio");
    }
}

static void cppc_lines(const struct linux_view *view, struct wrap *line)
{
    const struct linux_cppc *cppc = &view->cppc;
    const struct linux_amd_pstate *amd = &view->amd;

    if (cppc->unusable_why != NULL) {
        label(line, "CPPC");
        wrap_printf(line, "not usable: %s", cppc->unusable_why);
        wrap_end(line, LABEL);
        return;
    }
    label(line, "CPPC");
    for (uint32_t i = 0; i < cppc->points_count; i++) {
        wrap_printf(line, "%s%s %lu", i == 0 ? "" : ", ", cppc->points[i].name,
                    cppc->points[i].perf);
        if (cppc->khz_from != NULL) {
            wrap_printf(line, " = %lu kHz", cppc->points[i].khz);
        }
    }
    wrap_printf(line, "%s", cppc->is_ranked ? "; the CPUs differ: preferred cores" : "");
    wrap_end(line, LABEL);
    line_of(line, "", cppc->khz_from != NULL ? cppc->khz_from : cppc->no_khz_why);
    if (amd->max_khz != 0) {
        label(line, "amd-pstate");
        wrap_printf(line,
                    "min %lu, lowest non-linear %lu, nominal %lu, max %lu kHz (highest %lu: %s); "
                    "passive mode: delay %lu us",
                    amd->min_khz, amd->lowest_nonlinear_khz, amd->nominal_khz, amd->max_khz,
                    amd->highest_perf, amd->highest_why, amd->delay_us);
        wrap_end(line, LABEL);
    }
}

static void cstate_line(const struct linux_cstate *state, struct wrap *line)
{
    wrap_printf(line, "  %-5s %-5s ", state->is_kept ? state->name : "-",
                linux_entry_name(state->entry));
    if (state->entry != LINUX_ENTRY_HALT) {
        wrap_printf(line, "0x%-4lX ", state->address);
    } else {
        wrap_printf(line, "       ");
    }
    wrap_printf(line, "%6lu us, worth %6lu us  from %s", state->latency_us, state->residency_us,
                state->from);
    if (state->is_latency_sorted) {
        wrap_printf(line, ", latency handed out anew");
    }
    if (state->why != NULL) {
        wrap_printf(line, "%s: %s", state->is_kept ? "" : ", dropped", state->why);
    }
    wrap_end(line, LABEL);
}

static void idle_lines(const struct linux_idle *idle, struct wrap *line)
{
    label(line, "idle driver");
    wrap_printf(line, "%s%s%s%s", idle->driver, idle->why == NULL ? "" : " (",
                idle->why == NULL ? "" : idle->why, idle->why == NULL ? "" : ")");
    wrap_end(line, LABEL);
    line_of(line, "", idle->uncertain_why);
    for (uint32_t i = 0; i < idle->count; i++) {
        cstate_line(&idle->states[i], line);
    }
    label(line, "dummy wait");
    wrap_printf(line, "%s: %s",
                idle->dummy_rule_avail != AVAIL_PRESENT ? "not known"
                : idle->dummy_wait                      ? "yes"
                                                        : "no",
                idle->dummy_why);
    if (idle->dummy_wait) {
        wrap_printf(line, " (port 0x%X)", idle->dummy_port);
    }
    wrap_end(line, LABEL);
    line_of(line, "C3", idle->bus_master);
    label(line, "LAPIC timer");
    wrap_printf(line, "%s: %s", idle->is_lapic_trusted ? "trusted" : "not trusted",
                idle->lapic_why);
    wrap_end(line, LABEL);
    line_of(line, "_LPI", idle->lpi_why);
    line_of(line, "_CSD", idle->csd_why);
}

static void run_line(const struct linux_governor_run *run, struct wrap *line)
{
    wrap_printf(line, "  util %4u from %7lu:", run->util, run->start_khz);
    for (uint32_t i = 0; i < run->visited_count; i++) {
        wrap_printf(line, " %lu", run->visited_khz[i]);
    }
    wrap_printf(line, ", %s %lu%s", run->is_settled ? "stays at" : "cycles down to",
                run->steady_khz, run->is_trapped ? " TRAPPED" : "");
    wrap_end(line, LABEL);
}

static void governor_lines(const struct linux_governor *governor, struct wrap *line)
{
    label(line, "governor");
    wrap_printf(line, "%s (%s)", governor->default_name, governor->default_why);
    wrap_end(line, LABEL);
    label(line, "schedutil");
    if (governor->no_runs_why != NULL) {
        wrap_printf(line, "not run: %s", governor->no_runs_why);
        wrap_end(line, LABEL);
        return;
    }
    wrap_printf(line, "%s; ", governor->formula);
    if (governor->is_invariant) {
        wrap_printf(line, "max %lu kHz, utilisation by %lu kHz", governor->reference_khz,
                    governor->invariance_khz);
    } else {
        wrap_printf(line, "max is the current frequency (not invariant)");
    }
    wrap_printf(line, "; P0 delivers %lu kHz (all cores busy)", governor->delivered_khz);
    wrap_end(line, LABEL);
    for (uint32_t i = 0; i < governor->runs_count; i++) {
        run_line(&governor->runs[i], line);
    }
    if (governor->is_trap) {
        line_of(line, "TRAP", "a fully loaded CPU that once left P0 does not come back");
    }
    label(line, "thresholds");
    wrap_printf(line, "from P0, leaves it up to util %u; falls to the lowest row up to util %u",
                governor->leaves_p0_below, governor->falls_to_lowest_below);
    wrap_end(line, LABEL);
}

static void message_lines(const struct linux_view *view, struct wrap *line)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        const struct linux_message *message = &view->messages[i];

        label(line, i == 0 ? "messages" : "");
        wrap_printf(line, "%s \"%s\"", linux_level_name(message->level), message->text);
        if (message->cpus > 1) {
            wrap_printf(line, " (%u times)", message->cpus);
        }
        wrap_printf(line, ": %s", message->meaning);
        wrap_end(line, LABEL);
    }
    for (uint32_t i = 0; i < view->uncertain_count; i++) {
        line_of(line, i == 0 ? "uncertain" : "", view->uncertain[i]);
    }
}

static void in_full(const struct linux_view *view, struct wrap *line)
{
    driver_lines(view, line);
    boost_line(view, line);
    table_lines(&view->table, line);
    policies_line(&view->policies, line);
    invariance_lines(&view->invariance, line);
    cppc_lines(view, line);
    governor_lines(&view->governor, line);
    idle_lines(&view->idle, line);
    message_lines(view, line);
}

static void khz_or_dash(struct wrap *line, const struct linux_number *number)
{
    if (number->avail == AVAIL_PRESENT) {
        wrap_printf(line, " %9lu", number->value);
    } else {
        wrap_printf(line, " %9s", "?");
    }
}

/* version, driver, cpuinfo max and min, ratio, dummy wait, trap: one line. */
static void in_one_line(const struct linux_view *view, struct wrap *line)
{
    const struct linux_idle *idle = &view->idle;

    wrap_printf(line, "%-9s %-14s", view->version_text, view->scaling_driver);
    khz_or_dash(line, &view->cpuinfo_max);
    khz_or_dash(line, &view->cpuinfo_min);
    wrap_printf(line, " %5lu  %-10s %-4s %s", view->invariance.ratio_1024, idle->driver,
                idle->dummy_rule_avail != AVAIL_PRESENT ? "?"
                : idle->dummy_wait                      ? "yes"
                                                        : "no",
                view->governor.no_runs_why != NULL ? "-"
                : view->governor.is_trap           ? "TRAP"
                                                   : "ok");
    wrap_end(line, LABEL);
}

static void remedy_line(struct wrap *line, const char *name, const struct linux_governor *governor)
{
    label(line, name);
    for (uint32_t i = 0; i < governor->runs_count; i++) {
        wrap_printf(line, "%s%u: %lu%s", i == 0 ? "" : ", ", governor->runs[i].util,
                    governor->runs[i].steady_khz, governor->runs[i].is_trapped ? "!" : "");
    }
    wrap_end(line, LABEL);
}

static void remedies_lines(const struct linux_remedies *remedies, struct wrap *line)
{
    if (remedies->none_why != NULL) {
        return;
    }
    wrap_printf(line,
                "Remedies of the 5.11-rc4 regression here (boost %lu kHz, ratio %lu/1024; "
                "util: steady kHz, the last from the lowest row, ! trapped)",
                remedies->boost_khz, remedies->boost_ratio_1024);
    wrap_end(line, 2);
    remedy_line(line, "  none", &remedies->without);
    remedy_line(line, "  A, boost row", &remedies->extended_table);
    remedy_line(line, "  B, max_boost", &remedies->max_boost);
}

void report_text_linux(const struct report *report, struct textbuf *out)
{
    const struct linux_views *views = report->platform->linux_views;
    char title[48];
    struct textbuf heading;
    struct wrap line;

    if (views == NULL || views->count == 0 || report->platform->processors_count == 0) {
        return;
    }
    textbuf_init(&heading, title, sizeof(title), NULL, NULL);
    textbuf_printf(&heading, "As Linux %s sees it", views->views[0].version_text);
    wrap_heading(out, title);
    wrap_init(&line, out);
    in_full(&views->views[0], &line);
    wrap_heading(out, "Other kernels");
    wrap_printf(&line, "%-9s %-14s %9s %9s %5s  %-10s %-4s %s", "version", "driver", "max kHz",
                "min kHz", "ratio", "idle", "wait", "loop");
    wrap_end(&line, LABEL);
    for (uint32_t i = 1; i < views->count; i++) {
        in_one_line(&views->views[i], &line);
    }
    remedies_lines(&views->remedies, &line);
}
