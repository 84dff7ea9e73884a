#include "model/units.h"
#include "report/figure.h"
#include "report/report_text_parts.h"
#include "report/text_plot.h"

/* What a read of a port costs while several CPUs read it: the lines, and a picture. */

#define LABEL_BYTES 64

static uint64_t to_ns(const struct platform *platform, uint64_t tsc)
{
    return platform->tsc_hz == 0 ? tsc : units_tsc_to_ns(tsc, platform->tsc_hz);
}

static void cost_line(const struct platform *platform, const struct port_cost *cost,
                      struct wrap *line)
{
    wrap_printf(line, "%s at 0x%lX, %u CPU%s at once: %lu ns a read, p99 %lu", cost->port_name,
                cost->paddr != 0 ? cost->paddr : cost->port, cost->cpus, cost->cpus == 1 ? "" : "s",
                to_ns(platform, cost->read_tsc.p50), to_ns(platform, cost->read_tsc.p99));
    if (cost->reads_per_s != 0) {
        wrap_printf(line, ", %lu reads a second", cost->reads_per_s);
    }
    if (cost->cpus > 1) {
        wrap_printf(line, ", slowest CPU %u", cost->slowest_cpu);
    }
    if (cost->is_knee) {
        wrap_printf(line, "; from here on more CPUs bring hardly more reads");
    }
    wrap_end(line, 4);
}

/* false where no port was read by more than one CPU at once: there is no curve. */
static bool start(const struct platform *platform, struct plot *ret_plot)
{
    uint64_t low_ns = UINT64_MAX;
    uint64_t high_ns = 0;
    bool has_crowd = false;

    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        uint64_t ns = to_ns(platform, platform->port_costs[i].read_tsc.p50);

        low_ns = ns < low_ns ? ns : low_ns;
        high_ns = ns > high_ns ? ns : high_ns;
        has_crowd = has_crowd || platform->port_costs[i].cpus > 1;
    }
    if (has_crowd) {
        plot_start(ret_plot, AXIS_LOG, low_ns, high_ns);
    }
    return has_crowd;
}

static const char *ticks_of_tsc(uint64_t tsc, char *ret_text)
{
    struct textbuf text;

    textbuf_init(&text, ret_text, FIGURE_BYTES, NULL, NULL);
    textbuf_printf(&text, "%llu", (unsigned long long)tsc);
    return ret_text;
}

static void picture(const struct platform *platform, struct wrap *line)
{
    struct plot plot;

    if (!start(platform, &plot)) {
        return;
    }
    wrap_printf(line, "The median time of a read by how many CPUs read, both on logarithmic "
                      "scales; K: the knee, from which on more CPUs bring hardly more reads.");
    wrap_end(line, 0);
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        const struct port_cost *cost = &platform->port_costs[i];
        char label[LABEL_BYTES];
        struct textbuf text;

        textbuf_init(&text, label, sizeof(label), NULL, NULL);
        textbuf_printf(&text, "%4u CPU%s %s", cost->cpus, cost->cpus == 1 ? " " : "s",
                       cost->port_name);
        plot_point(&plot, to_ns(platform, cost->read_tsc.p50), cost->is_knee ? 'K' : '*');
        plot_row(&plot, label, line);
    }
    plot_scale(&plot, platform->tsc_hz == 0 ? ticks_of_tsc : figure_time, line);
}

void report_text_contention(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (platform->port_costs_count == 0) {
        return;
    }
    wrap_heading(out, "Ports that several CPUs read at once");
    wrap_init(&line, out);
    if (platform->tsc_hz == 0) {
        wrap_text(out, "Note", TEXT_LABEL_COLUMN,
                  "The rate of the TSC is not known: figures in ns are ticks of the TSC.");
    }
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        cost_line(platform, &platform->port_costs[i], &line);
    }
    picture(platform, &line);
}
