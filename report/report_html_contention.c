#include "model/units.h"
#include "report/report_html_parts.h"
#include "report/svg.h"

#include <string.h>

/* What a read of a port costs while several CPUs read it: a curve a port, and the table. */

#define WIDTH 900U
#define HEIGHT 320U
#define LEFT 80U
#define RIGHT 620U /* the names of the curves stand behind it */
#define TOP 30U
#define BOTTOM 270U
#define TICKS 6U
#define CURVES_MAX 6U
#define NAME_HEIGHT 32U

static bool is_same_port(const struct port_cost *a, const struct port_cost *b)
{
    return a->port == b->port && a->paddr == b->paddr && strcmp(a->port_name, b->port_name) == 0;
}

static bool is_first(const struct platform *platform, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (is_same_port(&platform->port_costs[i], &platform->port_costs[index])) {
            return false;
        }
    }
    return true;
}

static uint64_t read_ns(const struct platform *platform, const struct port_cost *cost)
{
    return platform->tsc_hz == 0 ? cost->read_tsc.p50
                                 : units_tsc_to_ns(cost->read_tsc.p50, platform->tsc_hz);
}

static bool has_crowd(const struct platform *platform)
{
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        if (platform->port_costs[i].cpus > 1) {
            return true;
        }
    }
    return false;
}

static void find_axes(const struct platform *platform, struct axis *x, struct axis *y)
{
    *x = (struct axis){AXIS_LOG, 1, 2, LEFT, RIGHT};
    *y = (struct axis){AXIS_LOG, UINT64_MAX, 1, BOTTOM, TOP};
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        const struct port_cost *cost = &platform->port_costs[i];
        uint64_t ns = read_ns(platform, cost);

        x->high = cost->cpus > x->high ? cost->cpus : x->high;
        y->low = ns < y->low ? ns : y->low;
        y->high = ns > y->high ? ns : y->high;
    }
    y->low = y->low == 0 ? 1 : y->low;
    axis_round(y, 0);
}

static void draw_axes(const struct axis *x, const struct axis *y, struct textbuf *out)
{
    uint64_t tick = axis_tick_first(y, 0);

    for (; tick != UINT64_MAX; tick = axis_tick_next(y, 0, tick)) {
        uint32_t at = axis_place(y, tick);
        char text[FIGURE_BYTES];

        svg_line(out, "grid", LEFT, at, RIGHT, at);
        svg_text(out, "dim", SVG_END, LEFT - 8, at + 4, "%s", figure_time(tick, text));
    }
    for (uint64_t cpus = 1; cpus <= x->high; cpus *= 2) {
        uint32_t at = axis_place(x, cpus);

        svg_line(out, "grid", at, TOP, at, BOTTOM);
        svg_text(out, "dim", SVG_MIDDLE, at, BOTTOM + 18, "%llu", (unsigned long long)cpus);
    }
    svg_text(out, "dim", SVG_MIDDLE, (LEFT + RIGHT) / 2, BOTTOM + 38, "CPUs that read at once");
    svg_text(out, "dim", SVG_START, 8, TOP - 14, "median time of a read");
}

static void draw_curve(const struct platform *platform, uint32_t first, const struct axis *x,
                       const struct axis *y, unsigned curve, struct textbuf *out)
{
    static const char *const classes[] = {"claimed", "assumed", "measured"};
    const struct port_cost *port = &platform->port_costs[first];
    const char *class = classes[curve % 3];
    uint32_t name_y = TOP + 10 + curve * NAME_HEIGHT;
    bool is_start = true;
    char line[48];
    struct textbuf text;

    textbuf_init(&text, line, sizeof(line), NULL, NULL);
    textbuf_printf(&text, "curve %s%s", class, curve >= 3 ? " dash" : "");
    svg_path_open(out, line);
    for (uint32_t i = first; i < platform->port_costs_count; i++) {
        const struct port_cost *cost = &platform->port_costs[i];

        if (is_same_port(cost, port)) {
            svg_path_point(out, is_start, axis_place(x, cost->cpus),
                           axis_place(y, read_ns(platform, cost)));
            is_start = false;
        }
    }
    svg_path_close(out);
    for (uint32_t i = first; i < platform->port_costs_count; i++) {
        const struct port_cost *cost = &platform->port_costs[i];

        if (is_same_port(cost, port)) {
            uint32_t at_x = axis_place(x, cost->cpus);
            uint32_t at_y = axis_place(y, read_ns(platform, cost));

            svg_circle(out, class, at_x, at_y, cost->is_knee ? 7 : 3);
            svg_text(out, "small strong", SVG_MIDDLE, at_x, at_y - 8, "%u%s", curve + 1,
                     cost->is_knee ? " knee" : "");
        }
    }
    svg_text(out, "strong", SVG_START, RIGHT + 16, name_y, "%u  %s", curve + 1, port->port_name);
    svg_text(out, "dim small", SVG_START, RIGHT + 32, name_y + 14, "0x%llX",
             (unsigned long long)(port->paddr != 0 ? port->paddr : port->port));
}

static void draw(const struct platform *platform, struct textbuf *out)
{
    struct axis x, y;
    unsigned curve = 0;

    find_axes(platform, &x, &y);
    svg_open(
        out, "contention-picture", WIDTH, HEIGHT,
        "Median time of a read by the number of CPUs that read at once, both logarithmic",
        "A curve a port, each point with the number of its curve; a large point is the knee, "
        "from which on more CPUs bring hardly more reads. The numbers are in the table below.");
    draw_axes(&x, &y, out);
    for (uint32_t i = 0; i < platform->port_costs_count && curve < CURVES_MAX; i++) {
        if (is_first(platform, i)) {
            draw_curve(platform, i, &x, &y, curve++, out);
        }
    }
    svg_close(out);
}

static void table(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"port", "address",  "#CPUs",       "#p50",
                                          "#p99", "#reads/s", "slowest CPU", "knee"};

    html_table_open(out,
                    platform->tsc_hz == 0 ? "What a read costs, in ticks of the TSC"
                                          : "What a read costs, in ns",
                    columns, 8);
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        const struct port_cost *cost = &platform->port_costs[i];
        uint64_t p99 = platform->tsc_hz == 0
                           ? cost->read_tsc.p99
                           : units_tsc_to_ns(cost->read_tsc.p99, platform->tsc_hz);

        html_row_open(out);
        html_cell(out, cost->port_name);
        html_cell_printf(out, "0x%llX",
                         (unsigned long long)(cost->paddr != 0 ? cost->paddr : cost->port));
        html_cell_number(out, "%u", cost->cpus);
        html_cell_number(out, "%llu", (unsigned long long)read_ns(platform, cost));
        html_cell_number(out, "%llu", (unsigned long long)p99);
        if (cost->reads_per_s != 0) {
            html_cell_number(out, "%llu", (unsigned long long)cost->reads_per_s);
        } else {
            html_cell(out, "not counted");
        }
        if (cost->cpus > 1) {
            html_cell_printf(out, "%u", cost->slowest_cpu);
        } else {
            html_cell(out, "");
        }
        html_cell(out, cost->is_knee ? "from here on more CPUs bring hardly more reads" : "");
        html_row_close(out);
    }
    html_table_close(out);
}

void report_html_contention(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    if (platform->port_costs_count == 0) {
        html_absent(out,
                    platform->idle_skipped != NULL ? platform->idle_skipped : "No port was timed.");
        return;
    }
    if (has_crowd(platform)) {
        draw(platform, out);
    } else {
        html_absent(out, "No port was read by several CPUs at once: there is no curve.");
    }
    table(platform, out);
}
