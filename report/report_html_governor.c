#include "report/governor_input.h"
#include "report/report_html_parts.h"
#include "report/svg.h"

/* schedutil's loop on this machine's numbers: where it settles for each utilisation, and the steps. */

#define WIDTH 760U
#define LEFT 70U
#define RIGHT 740U
#define TOP 30U
#define BOTTOM 290U
#define TICKS 6U
#define POINTS 128U /* of a curve over utilisation */

static void draw_axes(const struct axis *x, const struct axis *y, struct textbuf *out)
{
    uint64_t tick = axis_tick_first(y, TICKS);

    for (; tick != UINT64_MAX; tick = axis_tick_next(y, TICKS, tick)) {
        svg_line(out, "grid", LEFT, axis_place(y, tick), RIGHT, axis_place(y, tick));
        svg_text(out, "dim", SVG_END, LEFT - 8, axis_place(y, tick) + 4, "%llu",
                 (unsigned long long)(tick / 1000));
    }
    for (uint64_t util = 0; util <= GOVERNOR_CAPACITY; util += 128) {
        svg_line(out, "grid", axis_place(x, util), TOP, axis_place(x, util), BOTTOM);
        svg_text(out, "dim", SVG_MIDDLE, axis_place(x, util), BOTTOM + 18, "%llu",
                 (unsigned long long)util);
    }
    svg_text(out, "dim small", SVG_END, LEFT - 8, TOP - 12, "MHz");
    svg_text(out, "dim", SVG_MIDDLE, (LEFT + RIGHT) / 2, BOTTOM + 38,
             "raw utilisation at P0, of 1024");
}

/* Where a loop from `start_row` settles, as steps over utilisation. */
static void draw_curve(const struct governor_input *input, uint32_t start_row, const char *classes,
                       const struct axis *x, const struct axis *y, struct textbuf *out)
{
    uint32_t previous_y = 0;

    svg_path_open(out, classes);
    for (uint32_t i = 0; i <= POINTS; i++) {
        uint32_t util = i * GOVERNOR_CAPACITY / POINTS;
        uint32_t row = governor_steady_row(input, start_row, util);
        uint32_t at_y = axis_place(y, input->row_khz[row < input->rows_count ? row : 0]);
        uint32_t at_x = axis_place(x, util);

        if (i == 0) {
            svg_path_point(out, true, at_x, at_y);
        } else if (at_y != previous_y || i == POINTS) {
            svg_path_point(out, false, at_x, previous_y);
            svg_path_point(out, false, at_x, at_y);
        }
        previous_y = at_y;
    }
    svg_path_close(out);
}

static void draw_p0(const struct governor_input *input, const struct axis *y, struct textbuf *out)
{
    uint32_t at = axis_place(y, input->row_khz[input->p0_row]);
    char mhz[FIGURE_BYTES];

    svg_line(out, "declared", LEFT, at, RIGHT, at);
    svg_text(out, "declared small", SVG_START, LEFT + 6, at - 5, "P0, %s",
             figure_mhz(input->row_khz[input->p0_row], mhz));
}

static void draw(const struct linux_view *view, const struct governor_input *input,
                 struct textbuf *out)
{
    uint32_t lowest = input->rows_count - 1;
    struct axis x = {AXIS_LINEAR, 0, GOVERNOR_CAPACITY, LEFT, RIGHT};
    struct axis y = {AXIS_LINEAR, input->row_khz[lowest] - input->row_khz[lowest] / 20,
                     input->row_khz[0] + input->row_khz[0] / 50, BOTTOM, TOP};

    axis_round(&y, TICKS);
    svg_open(out, "governor-picture", WIDTH, BOTTOM + 74,
             "Where schedutil settles for each utilisation, from P0 and from the lowest state",
             view->governor.is_trap
                 ? "The curve from the lowest state stays below P0 even at full utilisation: the "
                   "trap. The steps are in the table below."
                 : "Both curves reach P0 at full utilisation. The steps are in the table below.");
    draw_axes(&x, &y, out);
    draw_p0(input, &y, out);
    draw_curve(input, input->p0_row, "curve claimed", &x, &y, out);
    draw_curve(input, lowest, "curve assumed dash", &x, &y, out);
    svg_line(out, "rung claimed", LEFT, BOTTOM + 58, LEFT + 40, BOTTOM + 58);
    svg_text(out, "", SVG_START, LEFT + 48, BOTTOM + 62, "loop started at P0");
    svg_line(out, "rung boost assumed", LEFT + 220, BOTTOM + 58, LEFT + 260, BOTTOM + 58);
    svg_text(out, "", SVG_START, LEFT + 268, BOTTOM + 62, "loop started at the lowest state");
    svg_close(out);
}

static void words(const struct linux_view *view, struct textbuf *out)
{
    const struct linux_governor *governor = &view->governor;

    textbuf_string(out, "<p>");
    html_printf(out, "Linux %s: next frequency = %s; ", view->version_text, governor->formula);
    if (governor->is_invariant) {
        html_printf(out, "max %llu kHz, utilisation by %llu kHz",
                    (unsigned long long)governor->reference_khz,
                    (unsigned long long)governor->invariance_khz);
    } else {
        html_printf(out, "max is the current frequency (not invariant)");
    }
    html_printf(out, "; P0 delivers %llu kHz (all cores busy).",
                (unsigned long long)governor->delivered_khz);
    textbuf_string(out, "</p>\n<p>");
    if (governor->is_trap) {
        textbuf_string(out, "<strong>TRAP</strong>: a fully loaded CPU that once left P0 does not "
                            "come back. ");
    }
    html_printf(out,
                "From P0, it leaves it up to utilisation %u; it falls to the lowest row up to %u.",
                governor->leaves_p0_below, governor->falls_to_lowest_below);
    textbuf_string(out, "</p>\n");
}

static void runs_table(const struct linux_governor *governor, const char *caption,
                       struct textbuf *out)
{
    static const char *const columns[] = {"#utilisation", "#starts at kHz", "visits kHz",
                                          "#settles at kHz", "how it ends"};

    html_table_open(out, caption, columns, 5);
    for (uint32_t i = 0; i < governor->runs_count; i++) {
        const struct linux_governor_run *run = &governor->runs[i];

        html_row_open(out);
        html_cell_number(out, "%u", run->util);
        html_cell_number(out, "%llu", (unsigned long long)run->start_khz);
        html_cell_open(out);
        for (uint32_t n = 0; n < run->visited_count; n++) {
            html_printf(out, "%s%llu", n == 0 ? "" : ", ", (unsigned long long)run->visited_khz[n]);
        }
        html_cell_close(out);
        html_cell_number(out, "%llu", (unsigned long long)run->steady_khz);
        html_cell(out, run->is_trapped   ? "trapped: full load does not bring P0 back"
                       : run->is_settled ? "settles"
                                         : "goes on in a cycle");
        html_row_close(out);
    }
    html_table_close(out);
}

static void remedies(const struct linux_remedies *remedies, struct textbuf *out)
{
    if (remedies->none_why != NULL) {
        return;
    }
    html_heading(out, "The two remedies for a missing boost row, on this machine's numbers");
    html_paragraph_printf(out, "By the rules of 5.11-rc4: boost %llu kHz, ratio %llu/1024.",
                          (unsigned long long)remedies->boost_khz,
                          (unsigned long long)remedies->boost_ratio_1024);
    runs_table(&remedies->without, "Without a remedy", out);
    runs_table(&remedies->extended_table, "A: one more row, the boost entry, in front", out);
    runs_table(&remedies->max_boost, "B: a maximum of the governor's own, above the table", out);
}

void report_html_governor(const struct report *report, struct textbuf *out)
{
    const struct linux_views *views = report->platform->linux_views;
    uint64_t row_khz[GOVERNOR_INPUT_ROWS];
    struct governor_input input;

    if (views == NULL || views->count == 0) {
        html_absent(out, "No kernel's view was computed.");
        return;
    }
    if (views->views[0].governor.no_runs_why != NULL) {
        html_absent_printf(out, "schedutil does not run under Linux %s here: %s.",
                           views->views[0].version_text, views->views[0].governor.no_runs_why);
    } else {
        words(&views->views[0], out);
        if (governor_input_of_view(&views->views[0], row_khz, &input)) {
            draw(&views->views[0], &input, out);
        }
        runs_table(&views->views[0].governor, "The loop, step by step", out);
    }
    remedies(&views->remedies, out);
}
