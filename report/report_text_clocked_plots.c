#include "model/units.h"
#include "report/figure.h"
#include "report/report_text_parts.h"
#include "report/text_plot.h"

/* Boost by active cores and settling times as pictures in characters. */

#define LABEL_BYTES 64

static bool is_point(const struct freq_boost *boost)
{
    return boost->kind == FREQ_BOOST_CORES && boost->figure.khz != 0;
}

static void widen(uint64_t value, uint64_t *low, uint64_t *high)
{
    if (value != 0) {
        *low = value < *low ? value : *low;
        *high = value > *high ? value : *high;
    }
}

static void boost_row(const struct platform *platform, const struct freq_boost *boost,
                      bool has_packages, struct plot *plot, struct wrap *line)
{
    char label[LABEL_BYTES];
    char mhz[FIGURE_BYTES];
    struct textbuf text;

    textbuf_init(&text, label, sizeof(label), NULL, NULL);
    textbuf_printf(&text, "%5u core%s", boost->active, boost->active == 1 ? " " : "s");
    if (has_packages) {
        textbuf_printf(&text, " of %u", boost->package);
    }
    textbuf_printf(&text, "%*s%s", has_packages ? 1 : 3, "", figure_mhz(boost->figure.khz, mhz));
    plot_point(plot, boost->figure.khz, '*');
    if (boost->expected_khz != 0) {
        plot_mark(plot, boost->expected_khz, 'T');
    }
    if (platform->frequency.max_boost_khz != 0) {
        plot_mark(plot, platform->frequency.max_boost_khz, 'B');
    }
    plot_row(plot, label, line);
}

static void boost_words(const struct platform *platform, bool has_limit, struct wrap *line)
{
    char mhz[FIGURE_BYTES];

    wrap_printf(line, "*: the clock reached");
    if (has_limit) {
        wrap_printf(line, "; T: the turbo limit for so many cores");
    }
    if (platform->frequency.max_boost_khz != 0) {
        wrap_printf(line, "; B: the boost entry, %s",
                    figure_mhz(platform->frequency.max_boost_khz, mhz));
    }
    wrap_end(line, 0);
}

static void boost_picture(const struct platform *platform, struct wrap *line)
{
    uint64_t low_khz = UINT64_MAX;
    uint64_t high_khz = 0;
    bool has_packages = false;
    bool has_limit = false;
    struct plot plot;

    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];

        if (is_point(boost)) {
            widen(boost->figure.khz, &low_khz, &high_khz);
            widen(boost->expected_khz, &low_khz, &high_khz);
            has_packages = has_packages || boost->package != 0;
            has_limit = has_limit || boost->expected_khz != 0;
        }
    }
    if (high_khz == 0) {
        return;
    }
    widen(platform->frequency.max_boost_khz, &low_khz, &high_khz);
    plot_start(&plot, AXIS_LINEAR, low_khz - low_khz / 20, high_khz);
    wrap_heading(line->out, "Boost by active cores of a package");
    boost_words(platform, has_limit, line);
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        if (is_point(&platform->freq_boosts[i])) {
            boost_row(platform, &platform->freq_boosts[i], has_packages, &plot, line);
        }
    }
    plot_scale(&plot, figure_mhz, line);
}

/* The first CPU stands for all: the others are in the lines and in report.json. */
static bool is_strip(const struct platform *platform, uint32_t index)
{
    const struct freq_settling *one = &platform->freq_settlings[index];

    return one->cpu == platform->freq_settlings[0].cpu && one->settle_tsc.n != 0;
}

static void settling_row(const struct platform *platform, const struct freq_settling *one,
                         struct plot *plot, struct wrap *line)
{
    static const uint64_t waits_ns[] = {20000, 600000, 1000000};
    struct distribution ns = distribution_scale(&one->settle_tsc, NS_PER_S, platform->tsc_hz);
    char label[LABEL_BYTES];
    char median[FIGURE_BYTES];
    struct textbuf text;

    textbuf_init(&text, label, sizeof(label), NULL, NULL);
    textbuf_printf(&text, "%5u to %-3u median %s", one->from_index, one->to_index,
                   figure_time(ns.p50, median));
    for (size_t i = 0; i < sizeof(waits_ns) / sizeof(waits_ns[0]); i++) {
        plot_mark(plot, waits_ns[i], ':');
    }
    plot_fill(plot, ns.min, ns.max, '-');
    plot_fill(plot, ns.min, ns.p90, '=');
    plot_mark(plot, ns.p50, 'M');
    if (one->latency_us != 0) {
        plot_mark(plot, one->latency_us * 1000, 'D');
    }
    plot_row(plot, label, line);
}

static void settling_picture(const struct platform *platform, struct wrap *line)
{
    uint64_t low_ns = 20000;
    uint64_t high_ns = 1000000;
    bool is_any = false;
    struct plot plot;

    for (uint32_t i = 0; i < platform->freq_settlings_count && platform->tsc_hz != 0; i++) {
        const struct freq_settling *one = &platform->freq_settlings[i];

        if (is_strip(platform, i)) {
            widen(units_tsc_to_ns(one->settle_tsc.min, platform->tsc_hz), &low_ns, &high_ns);
            widen(units_tsc_to_ns(one->settle_tsc.max, platform->tsc_hz), &low_ns, &high_ns);
            widen(one->latency_us * 1000, &low_ns, &high_ns);
            is_any = true;
        }
    }
    if (!is_any) {
        return;
    }
    wrap_heading(line->out, "Settling time of a change between two rows");
    wrap_printf(line,
                "CPU %u. From the least to the most with ----, up to 90 %% with ====; M: the "
                "median, D: what _PSS declares, colons: what Linux waits (20, 600, 1000 us).",
                platform->freq_settlings[0].cpu);
    wrap_end(line, 0);
    plot_start(&plot, AXIS_LOG, low_ns, high_ns);
    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        if (is_strip(platform, i)) {
            settling_row(platform, &platform->freq_settlings[i], &plot, line);
        }
    }
    plot_scale(&plot, figure_time, line);
}

void report_text_clocked_plots(const struct report *report, struct textbuf *out)
{
    struct wrap line;

    wrap_init(&line, out);
    boost_picture(report->platform, &line);
    settling_picture(report->platform, &line);
}
