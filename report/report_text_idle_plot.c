#include "model/units.h"
#include "report/figure.h"
#include "report/idle_words.h"
#include "report/report_text_parts.h"
#include "report/text_plot.h"

/* Idle latencies as a picture in characters: for each way a row for the first read, the second and the wake-up. */

#define WAYS_MAX 12U
#define LABEL_BYTES 64

enum strip { STRIP_FIRST = 0, STRIP_SECOND, STRIP_WAKE, STRIPS };

static const struct distribution *distribution_of(const struct idle_sample_set *set, unsigned strip)
{
    return strip == STRIP_FIRST    ? &set->first_read_tsc
           : strip == STRIP_SECOND ? &set->dummy_read_tsc
                                   : &set->exit_tsc;
}

static const char *name_of(const struct idle_sample_set *set, unsigned strip)
{
    static const char *const names[STRIPS] = {"first read", "second read", "wake-up"};

    return strip == STRIP_FIRST && set->entry != IDLE_IO ? "instruction" : names[strip];
}

static void widen(uint64_t value, uint64_t *low, uint64_t *high)
{
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

static bool find_range(const struct platform *platform, uint64_t length_ns, uint64_t *ret_low_ns,
                       uint64_t *ret_high_ns)
{
    *ret_low_ns = UINT64_MAX;
    *ret_high_ns = 0;
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (!idle_words_is_first(platform, i, length_ns)) {
            continue;
        }
        for (unsigned strip = 0; strip < STRIPS; strip++) {
            const struct distribution *tsc = distribution_of(set, strip);

            if (tsc->n != 0) {
                widen(units_tsc_to_ns(tsc->min, platform->tsc_hz), ret_low_ns, ret_high_ns);
                widen(units_tsc_to_ns(tsc->max, platform->tsc_hz), ret_low_ns, ret_high_ns);
            }
        }
        if (set->has_declared_latency && set->declared_latency_us != 0) {
            widen(set->declared_latency_us * 1000, ret_low_ns, ret_high_ns);
        }
    }
    return *ret_high_ns != 0;
}

static void strip_row(const struct platform *platform, const struct idle_sample_set *set,
                      unsigned strip, struct plot *plot, struct wrap *line)
{
    struct distribution ns =
        distribution_scale(distribution_of(set, strip), NS_PER_S, platform->tsc_hz);
    char label[LABEL_BYTES];
    char median[FIGURE_BYTES];
    struct textbuf text;

    textbuf_init(&text, label, sizeof(label), NULL, NULL);
    textbuf_printf(&text, "  %-12s median %s", name_of(set, strip), figure_time(ns.p50, median));
    plot_fill(plot, ns.min, ns.max, '-');
    plot_fill(plot, ns.p50, ns.p90, '=');
    plot_mark(plot, ns.p50, strip == STRIP_FIRST ? '1' : strip == STRIP_SECOND ? '2' : 'W');
    if (set->has_declared_latency && set->declared_latency_us != 0) {
        plot_mark(plot, set->declared_latency_us * 1000, 'D');
    }
    plot_row(plot, label, line);
}

static void way_rows(const struct platform *platform, const struct idle_sample_set *set,
                     struct plot *plot, struct wrap *line)
{
    idle_words_way(&line->line, set);
    if (set->has_declared_latency && set->declared_latency_us != 0) {
        wrap_printf(line, ", declared %lu us", set->declared_latency_us);
    }
    wrap_end(line, 4);
    for (unsigned strip = 0; strip < STRIPS; strip++) {
        if (distribution_of(set, strip)->n != 0) {
            strip_row(platform, set, strip, plot, line);
        }
    }
}

void report_text_idle_plot(const struct platform *platform, struct textbuf *out)
{
    uint64_t length_ns = idle_words_length_ns(platform);
    uint64_t low_ns, high_ns;
    uint32_t drawn = 0;
    struct plot plot;
    struct wrap line;

    if (platform->tsc_hz == 0 || !find_range(platform, length_ns, &low_ns, &high_ns)) {
        return;
    }
    wrap_heading(out, "Idle latencies on a logarithmic axis");
    wrap_init(&line, out);
    wrap_printf(&line, "1: the first read or the instruction, 2: the second read, W: the wake-up, "
                       "each at its median; from the least to the most ----, from the median to "
                       "90 %% ====; D: what is declared.");
    wrap_end(&line, 0);
    plot_start(&plot, AXIS_LOG, low_ns, high_ns);
    for (uint32_t i = 0; i < platform->idle_count && drawn < WAYS_MAX; i++) {
        if (idle_words_is_first(platform, i, length_ns)) {
            way_rows(platform, &platform->idle[i], &plot, &line);
            drawn++;
        }
    }
    plot_scale(&plot, figure_time, &line);
}
