#include "model/linux/view.h"
#include "model/windows.h"
#include "report/report_html_parts.h"

/* What Linux makes of this firmware: the chosen version in full, the others in a table. */

static void row(struct textbuf *out, const char *name, const char *text)
{
    if (text != NULL) {
        html_row_open(out);
        html_cell(out, name);
        html_cell(out, text);
        html_row_close(out);
    }
}

static void number_row(struct textbuf *out, const char *name, const struct linux_number *number,
                       const char *unit)
{
    html_row_open(out);
    html_cell(out, name);
    if (number->avail == AVAIL_PRESENT) {
        html_cell_printf(out, "%llu %s (%s)", (unsigned long long)number->value, unit,
                         number->why == NULL ? "" : number->why);
    } else {
        html_cell_printf(out, "%s: %s", number->avail == AVAIL_UNTRIED ? "not known" : "none",
                         number->why == NULL ? "" : number->why);
    }
    html_row_close(out);
}

static void driver_rows(const struct linux_view *view, struct textbuf *out)
{
    html_row_open(out);
    html_cell(out, "driver");
    html_cell_open(out);
    html_text(out, view->driver_name);
    if (view->mode != LINUX_MODE_TABLE) {
        html_printf(out, ", %s mode (scaling_driver %s)", linux_mode_name(view->mode),
                    view->scaling_driver);
    }
    for (uint32_t i = 0; i < view->why.count; i++) {
        textbuf_string(out, "<br>");
        html_text(out, view->why.text[i]);
    }
    html_cell_close(out);
    html_row_close(out);
    number_row(out, "cpuinfo max", &view->cpuinfo_max, "kHz");
    number_row(out, "cpuinfo min", &view->cpuinfo_min, "kHz");
    number_row(out, "scaling max", &view->scaling_max, "kHz");
    number_row(out, "latency", &view->latency_ns, "ns");
    number_row(out, "delay", &view->delay_us, "us");
    number_row(out, "preference", &view->epp, "EPP");
}

static void boost_row(const struct linux_view *view, struct textbuf *out)
{
    html_row_open(out);
    html_cell(out, "boost");
    if (!view->is_boost_supported) {
        html_cell_printf(out, "not supported: %s", view->boost_why);
    } else if (view->boost_on_avail == AVAIL_PRESENT) {
        html_cell_printf(out, "supported and %s (%s)", view->is_boost_on ? "on" : "off",
                         view->boost_why);
    } else {
        html_cell_printf(out, "supported; whether it is on is not known: %s", view->boost_why);
    }
    html_row_close(out);
}

static void invariance_row(const struct linux_invariance *invariance, struct textbuf *out)
{
    html_row_open(out);
    html_cell(out, "invariance");
    html_cell_open(out);
    if (invariance->ratio_1024 == 0) {
        html_printf(out, "%s: %s", invariance->avail == AVAIL_UNTRIED ? "not known" : "none",
                    invariance->why);
    } else {
        html_printf(out, "%s, ratio %llu/1024", invariance->method,
                    (unsigned long long)invariance->ratio_1024);
        if (invariance->max_khz != 0) {
            html_printf(out, ", maximum %llu kHz", (unsigned long long)invariance->max_khz);
        }
        html_printf(out, " (%s)", invariance->why);
    }
    for (uint32_t i = 0; i < invariance->methods_count; i++) {
        if (!invariance->methods[i].is_taken) {
            textbuf_string(out, "<br>");
            html_printf(out, "not %s: %s", invariance->methods[i].name, invariance->methods[i].why);
        }
    }
    html_cell_close(out);
    html_row_close(out);
}

static void idle_rows(const struct linux_idle *idle, struct textbuf *out)
{
    html_row_open(out);
    html_cell(out, "idle driver");
    html_cell_printf(out, "%s%s%s%s", idle->driver, idle->why == NULL ? "" : " (",
                     idle->why == NULL ? "" : idle->why, idle->why == NULL ? "" : ")");
    html_row_close(out);
    row(out, "", idle->uncertain_why);
    html_row_open(out);
    html_cell(out, "dummy wait");
    html_cell_printf(out, "%s: %s",
                     idle->dummy_rule_avail != AVAIL_PRESENT ? "not known"
                     : idle->dummy_wait                      ? "yes"
                                                             : "no",
                     idle->dummy_why == NULL ? "" : idle->dummy_why);
    html_row_close(out);
    row(out, "C3", idle->bus_master);
    html_row_open(out);
    html_cell(out, "LAPIC timer");
    html_cell_printf(out, "%s: %s", idle->is_lapic_trusted ? "trusted" : "not trusted",
                     idle->lapic_why == NULL ? "" : idle->lapic_why);
    html_row_close(out);
    row(out, "_LPI", idle->lpi_why);
    row(out, "_CSD", idle->csd_why);
}

static void in_full(const struct linux_view *view, struct textbuf *out)
{
    static const char *const columns[] = {"what", "as this kernel has it"};

    html_table_open(out, "Frequencies and idle states", columns, 2);
    driver_rows(view, out);
    boost_row(view, out);
    html_row_open(out);
    html_cell(out, "policies");
    html_cell_printf(out, "%u, of %s%u CPU%s each, coordination %s, %u related CPU%s (%s)",
                     view->policies.count, view->policies.largest_cpus == 1 ? "" : "at most ",
                     view->policies.largest_cpus, view->policies.largest_cpus == 1 ? "" : "s",
                     view->policies.coordination, view->policies.related_cpus,
                     view->policies.related_cpus == 1 ? "" : "s", view->policies.why);
    html_row_close(out);
    invariance_row(&view->invariance, out);
    idle_rows(&view->idle, out);
    html_table_close(out);
}

static void cstates(const struct linux_idle *idle, struct textbuf *out)
{
    static const char *const columns[] = {"state",          "entry", "#latency us",
                                          "#worth from us", "from",  "kept"};

    if (idle->count == 0) {
        return;
    }
    html_table_open(out, "Idle states in use, and what was dropped", columns, 6);
    for (uint32_t i = 0; i < idle->count; i++) {
        const struct linux_cstate *state = &idle->states[i];

        html_row_open(out);
        html_cell(out, state->name);
        if (state->entry == LINUX_ENTRY_HALT) {
            html_cell(out, linux_entry_name(state->entry));
        } else {
            html_cell_printf(out, "%s 0x%llX", linux_entry_name(state->entry),
                             (unsigned long long)state->address);
        }
        html_cell_number(out, "%llu", (unsigned long long)state->latency_us);
        html_cell_number(out, "%llu", (unsigned long long)state->residency_us);
        html_cell(out, state->from);
        html_cell_printf(out, "%s%s%s", state->is_kept ? "yes" : "dropped",
                         state->why == NULL ? "" : ": ", state->why == NULL ? "" : state->why);
        html_row_close(out);
    }
    html_table_close(out);
}

static void messages(const struct linux_view *view, struct textbuf *out)
{
    static const char *const columns[] = {"level", "message", "#times", "what it means"};

    if (view->messages_count == 0) {
        return;
    }
    html_table_open(out, "Lines in the kernel log that this firmware causes", columns, 4);
    for (uint32_t i = 0; i < view->messages_count; i++) {
        const struct linux_message *message = &view->messages[i];

        html_row_open(out);
        html_cell(out, linux_level_name(message->level));
        html_cell(out, message->text);
        html_cell_number(out, "%u", message->cpus);
        html_cell(out, message->meaning);
        html_row_close(out);
    }
    html_table_close(out);
}

static void number_cell(const struct linux_number *number, struct textbuf *out)
{
    if (number->avail == AVAIL_PRESENT) {
        html_cell_number(out, "%llu", (unsigned long long)number->value);
    } else {
        html_cell(out, number->avail == AVAIL_UNTRIED ? "not known" : "none");
    }
}

static void every_version(const struct linux_views *views, struct textbuf *out)
{
    static const char *const columns[] = {"Linux",       "driver",      "#max kHz",   "#min kHz",
                                          "#ratio/1024", "idle driver", "dummy wait", "schedutil"};

    html_table_open(out, "Every modelled version", columns, 8);
    for (uint32_t i = 0; i < views->count; i++) {
        const struct linux_view *view = &views->views[i];

        html_row_open(out);
        html_cell(out, view->version_text);
        html_cell(out, view->scaling_driver);
        number_cell(&view->cpuinfo_max, out);
        number_cell(&view->cpuinfo_min, out);
        html_cell_number(out, "%llu", (unsigned long long)view->invariance.ratio_1024);
        html_cell(out, view->idle.driver);
        html_cell(out, view->idle.dummy_rule_avail != AVAIL_PRESENT ? "not known"
                       : view->idle.dummy_wait                      ? "yes"
                                                                    : "no");
        html_cell(out, view->governor.no_runs_why != NULL ? "not run"
                       : view->governor.is_trap           ? "TRAP: stays below P0"
                                                          : "reaches P0");
        html_row_close(out);
    }
    html_table_close(out);
}

static void windows(const struct windows_view *view, struct textbuf *out)
{
    static const char *const columns[] = {"type",    "entry", "#latency us", "from",
                                          "verdict", "why",   "source"};

    if (view == NULL || view->count == 0) {
        return;
    }
    html_heading(out, "Windows");
    html_table_open(out, "What Windows documents that it takes of the idle states", columns, 7);
    for (uint32_t i = 0; i < view->count; i++) {
        const struct windows_cstate *state = &view->states[i];

        html_row_open(out);
        html_cell_printf(out, "C%u", (unsigned)state->type);
        if (state->is_port) {
            html_cell_printf(out, "port 0x%llX", (unsigned long long)state->address);
        } else {
            html_cell(out, "instruction");
        }
        html_cell_number(out, "%llu", (unsigned long long)state->latency_us);
        html_cell(out, state->from);
        html_cell(out, windows_verdict_name(state->verdict));
        html_cell(out, state->why);
        html_cell(out, state->source);
        html_row_close(out);
    }
    html_table_close(out);
    for (uint32_t i = 0; i < view->notes_count; i++) {
        html_note(out, "%s (%s)", view->notes[i].text, view->notes[i].source);
    }
}

void report_html_linux(const struct report *report, struct textbuf *out)
{
    const struct linux_views *views = report->platform->linux_views;

    if (views == NULL || views->count == 0 || report->platform->processors_count == 0) {
        html_absent(out, "There is nothing in these tables that Linux could make anything of.");
        return;
    }
    textbuf_string(out, "<h3>Linux ");
    html_text(out, views->views[0].version_text);
    textbuf_string(out, "</h3>\n");
    in_full(&views->views[0], out);
    cstates(&views->views[0].idle, out);
    messages(&views->views[0], out);
    html_heading(out, "Other kernels");
    every_version(views, out);
    windows(report->platform->windows, out);
}
