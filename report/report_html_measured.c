#include "model/freq_derive.h"
#include "model/units.h"
#include "report/freq_spread.h"
#include "report/html_heat.h"
#include "report/report_html_clocked.h"

/* What the clocks really do: at each request, by active cores, how long a
 * change takes, what energy it costs. */

#define CAUSES_BYTES 96
#define REFUSALS_MAX 12U
#define HEAT_CPUS_MIN 9U

static void request_cell(const struct freq_sample *sample, struct textbuf *out)
{
    if (sample->kind == FREQ_NO_REQUEST) {
        html_cell(out, "as the firmware left it");
    } else if (sample->pss_index != FREQ_NO_ROW) {
        html_cell_printf(out, "P%u", sample->pss_index);
    } else {
        html_cell_printf(out, "%s level %llu", freq_request_kind_name(sample->kind),
                         (unsigned long long)freq_level_of(sample->kind, sample->control));
    }
}

static void number_or_word(uint64_t number, const char *word, struct textbuf *out)
{
    if (number != 0) {
        html_cell_number(out, "%llu", (unsigned long long)number);
    } else {
        html_cell(out, word);
    }
}

/* What the status register told beside the figure. */
static void reported_cell(const struct freq_spread *spread, struct textbuf *out)
{
    if (spread->reported == 0) {
        html_cell(out, "no status register");
    } else if (spread->unlike == 0) {
        html_cell(out, "as asked");
    } else {
        html_cell_printf(out, "0x%llx on %u of %u CPUs", (unsigned long long)spread->unlike_as,
                         spread->unlike, spread->reported);
    }
}

static void request_row(const struct platform *platform, const struct freq_sample *sample,
                        struct textbuf *out)
{
    struct freq_spread spread = freq_spread_of(platform, sample);
    char causes[CAUSES_BYTES];

    html_row_open(out);
    request_cell(sample, out);
    number_or_word(sample->requested_khz, "no frequency", out);
    reported_cell(&spread, out);
    if (spread.cpus == 0) {
        html_cell(out, freq_no_figure_why(&sample->counts));
        textbuf_string(out, "<td></td><td></td><td></td><td></td>");
    } else {
        html_cell_number(out, "%llu", (unsigned long long)spread.low_khz);
        html_cell_number(out, "%llu", (unsigned long long)spread.high_khz);
        html_cell_number(out, "%llu", (unsigned long long)spread.worst_ppm);
        html_cell_number(out, "%u", spread.cpus);
        html_cell(out, freq_causes_text(spread.causes, causes, sizeof(causes)));
    }
    html_row_close(out);
}

static void requests(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {
        "request",  "#asked for kHz", "reported", "#slowest CPU kHz",
        "#fastest", "#+/- ppm",       "#CPUs",    "held back by"};

    if (platform->freq_count == 0) {
        return;
    }
    html_table_open(out, "The clock at each request", columns, 8);
    for (uint32_t i = 0; i < platform->freq_count; i++) {
        if (freq_spread_is_first(platform, i)) {
            request_row(platform, &platform->freq[i], out);
        }
    }
    html_table_close(out);
}

static void boost_row(const struct freq_boost *boost, struct textbuf *out)
{
    static const char *const kinds[FREQ_BOOST_KINDS] = {
        [FREQ_BOOST_CORES] = "cores",
        [FREQ_BOOST_THREADS] = "all threads of all cores",
        [FREQ_BOOST_ALONE] = "one core alone",
        [FREQ_BOOST_OFF] = "one core, boost switched off",
        [FREQ_BOOST_ON] = "one core, boost switched on"};
    char causes[CAUSES_BYTES];

    html_row_open(out);
    html_cell_number(out, "%u", boost->package);
    html_cell_number(out, "%u", boost->active);
    html_cell(out, kinds[boost->kind]);
    number_or_word(boost->figure.khz, freq_no_figure_why(&boost->counts), out);
    html_cell_number(out, "%llu", (unsigned long long)boost->figure.uncertainty_ppm);
    number_or_word(boost->expected_khz, "not known", out);
    html_cell(out, boost->parked);
    html_cell_open(out);
    html_text(out,
              boost->is_shallow ? "the others were no deeper than C1 and count as active. " : "");
    html_text(out, freq_causes_text(boost->counts.causes, causes, sizeof(causes)));
    html_cell_close(out);
    html_row_close(out);
}

static void boosts(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"#package", "#active",          "of",
                                          "#kHz",     "#+/- ppm",         "#turbo limit kHz",
                                          "others",   "what held it back"};
    bool is_any = false;

    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        is_any = is_any || platform->freq_boosts[i].kind != FREQ_BOOST_ALONE;
    }
    html_heading(out, "Boost by active cores");
    if (!is_any) {
        html_absent(out, "Boost was not measured in this run.");
        return;
    }
    report_html_boost_picture(platform, out);
    html_table_open(out, "The clock by active cores", columns, 8);
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        if (platform->freq_boosts[i].kind != FREQ_BOOST_ALONE) {
            boost_row(&platform->freq_boosts[i], out);
        }
    }
    html_table_close(out);
}

/* The clock in MHz of one CPU alone in its package. */
static bool alone_of_cpu(void *context, uint32_t cpu, uint64_t *ret_value)
{
    const struct platform *platform = context;

    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];

        if (boost->kind == FREQ_BOOST_ALONE && boost->cpu == cpu && boost->figure.khz != 0) {
            *ret_value = boost->figure.khz;
            return true;
        }
    }
    return false;
}

static void alone_map(const struct platform *platform, struct textbuf *out)
{
    if (platform->cpus_count >= HEAT_CPUS_MIN) {
        html_heat(out, &(struct html_heat){.id = "alone",
                                           .title = "Each core alone: its clock in kHz",
                                           .cpus_count = platform->cpus_count,
                                           .value = alone_of_cpu,
                                           .context = (void *)(uintptr_t)platform});
    }
}

static void settling_row(const struct platform *platform, const struct freq_settling *one,
                         struct textbuf *out)
{
    struct distribution ns = distribution_scale(&one->settle_tsc, NS_PER_S, platform->tsc_hz);

    html_row_open(out);
    html_cell_number(out, "%u", one->cpu);
    html_cell_printf(out, "%u to %u", one->from_index, one->to_index);
    html_cell_printf(out, "%llu to %llu", (unsigned long long)one->from_khz,
                     (unsigned long long)one->to_khz);
    number_or_word(one->latency_us, "nothing", out);
    if (one->settle_tsc.n == 0) {
        html_cell(out, one->why == NULL ? "no change was seen" : one->why);
        textbuf_string(out, "<td></td><td></td><td></td>");
    } else {
        html_cell_number(out, "%llu", (unsigned long long)ns.min);
        html_cell_number(out, "%llu", (unsigned long long)ns.p50);
        html_cell_number(out, "%llu", (unsigned long long)ns.p99);
        html_cell_number(out, "%llu", (unsigned long long)ns.max);
    }
    html_cell_number(out, "%u", one->changes);
    html_cell_number(out, "%u", one->unsettled);
    html_row_close(out);
}

static void settlings(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"#CPU", "rows", "kHz",  "#declared us", "#min ns",
                                          "#p50", "#p99", "#max", "#changes",     "#unsettled"};

    html_heading(out, "Settling time");
    if (platform->freq_settlings_count == 0 || platform->tsc_hz == 0) {
        html_absent(out, "How long a change of the clock takes was not measured in this run.");
        return;
    }
    report_html_settling_picture(platform, out);
    html_table_open(out, "From a changed request to a settled clock", columns, 10);
    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        if (report_html_is_shown_settling(platform, i)) {
            settling_row(platform, &platform->freq_settlings[i], out);
        }
    }
    html_table_close(out);
}

static void refusals(const struct platform *platform, struct textbuf *out)
{
    if (platform->freq_refusals_count == 0) {
        return;
    }
    html_heading(out, "Not asked for");
    textbuf_string(out, "<ul>\n");
    for (uint32_t i = 0; i < platform->freq_refusals_count && i < REFUSALS_MAX; i++) {
        const struct freq_refusal *one = &platform->freq_refusals[i];

        textbuf_string(out, "<li>");
        html_printf(out, "CPU %u, %s: %s", one->cpu, freq_request_kind_name(one->kind), one->why);
        textbuf_string(out, "</li>\n");
    }
    textbuf_string(out, "</ul>\n");
    if (platform->freq_refusals_count > REFUSALS_MAX) {
        html_note(out, "%u more are in report.json.", platform->freq_refusals_count - REFUSALS_MAX);
    }
}

void report_html_measured(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    if (platform->freq_skipped != NULL) {
        html_absent_printf(out, "%s: %s.",
                           platform->freq_count == 0 ? "No clock was measured" : "It ended early",
                           platform->freq_skipped);
    } else if (platform->freq_count == 0) {
        html_absent(out, "The clocks that the CPUs really reach were not measured in this run.");
    }
    if (platform->is_emulated && platform->freq_count > 0) {
        html_paragraph(out, "An emulator's or hypervisor's figures: they say nothing about "
                            "silicon.");
    }
    requests(platform, out);
    boosts(platform, out);
    alone_map(platform, out);
    settlings(platform, out);
    refusals(platform, out);
}
