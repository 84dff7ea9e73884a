#include "model/units.h"
#include "report/report_html_parts.h"
#include "report/svg.h"

/*
 * Fixed work and the energy it takes, in the form in which performance per joule is usually published: what was asked
 * for, how many work, what they do, what they use, and the one by the other; as a table and as bars.
 */

#define WIDTH 760U
#define LEFT 200U
#define RIGHT 660U /* the values stand behind the longest bar */
#define TOP 46U
#define ROW_HEIGHT 24U
#define BAR_HEIGHT 12U
#define TICKS 5U

static void number_or_word(uint64_t number, const char *word, struct textbuf *out)
{
    if (number != 0) {
        html_cell_number(out, "%llu", (unsigned long long)number);
    } else {
        html_cell(out, word);
    }
}

static uint64_t milli_of(const struct platform *platform, uint32_t index)
{
    return work_per_joule_milli(&platform->work[index], platform->tsc_hz);
}

static bool is_drawn(const struct platform *platform, uint32_t index, enum work_kernel kernel)
{
    return platform->work[index].kernel == kernel && milli_of(platform, index) != 0;
}

static void draw_axis(const struct axis *axis, uint32_t bottom, struct textbuf *out)
{
    uint64_t tick = axis_tick_first(axis, TICKS);

    for (; tick != UINT64_MAX; tick = axis_tick_next(axis, TICKS, tick)) {
        uint32_t x = axis_place(axis, tick);

        svg_line(out, "grid", x, TOP - 8, x, bottom);
        if (tick % 1000 == 0) {
            svg_text(out, "dim", SVG_MIDDLE, x, TOP - 14, "%llu",
                     (unsigned long long)(tick / 1000));
        } else {
            svg_text(out, "dim", SVG_MIDDLE, x, TOP - 14, "%llu.%03llu",
                     (unsigned long long)(tick / 1000), (unsigned long long)(tick % 1000));
        }
    }
    svg_text(out, "dim small", SVG_START, 4, TOP - 14, "pieces per joule");
}

static void bar_label(const struct work_sample *sample, uint32_t y, struct textbuf *out)
{
    char label[64];
    char mhz[FIGURE_BYTES];
    struct textbuf text;

    textbuf_init(&text, label, sizeof(label), NULL, NULL);
    if (sample->pss_index != FREQ_NO_ROW) {
        textbuf_printf(&text, "P%u, ", sample->pss_index);
    }
    if (sample->requested_khz != 0) {
        textbuf_printf(&text, "%s, ", figure_mhz(sample->requested_khz, mhz));
    }
    textbuf_printf(&text, "%u CPU%s%s", sample->active, sample->active == 1 ? "" : "s",
                   sample->is_boost_off ? ", boost off" : "");
    svg_text(out, "", SVG_END, LEFT - 10, y + 4, "%s", label);
}

/* The bar ends at the figure; the stroke over its end is its uncertainty. */
static void draw_bar(const struct work_sample *sample, uint64_t milli, const struct axis *axis,
                     uint32_t y, struct textbuf *out)
{
    uint64_t off = mul_div_round_u64(milli, sample->uncertainty_ppm, 1000000);
    uint32_t end = axis_place(axis, milli);
    uint32_t most = axis_place(axis, milli + off);

    bar_label(sample, y, out);
    svg_rect(out, "box measured", LEFT, y - BAR_HEIGHT / 2, end > LEFT + 1 ? end - LEFT : 1,
             BAR_HEIGHT);
    svg_line(out, "whisker measured", axis_place(axis, off < milli ? milli - off : 0), y, most, y);
    svg_text(out, "", SVG_START, most + 8, y + 4, "%llu.%03llu", (unsigned long long)(milli / 1000),
             (unsigned long long)(milli % 1000));
}

/* Each kernel has its own scale: a piece of one is not a piece of the other. */
static void picture(const struct platform *platform, enum work_kernel kernel, struct textbuf *out)
{
    struct axis axis = {AXIS_LINEAR, 0, 0, LEFT, RIGHT};
    char id[32];
    char title[96];
    struct textbuf text;
    uint32_t count = 0;

    for (uint32_t i = 0; i < platform->work_count; i++) {
        if (is_drawn(platform, i, kernel)) {
            axis.high = milli_of(platform, i) > axis.high ? milli_of(platform, i) : axis.high;
            count++;
        }
    }
    if (count == 0) {
        return;
    }
    axis_round(&axis, TICKS);
    textbuf_init(&text, id, sizeof(id), NULL, NULL);
    textbuf_printf(&text, "work-%s", work_kernel_name(kernel));
    textbuf_init(&text, title, sizeof(title), NULL, NULL);
    textbuf_printf(&text, "Work per joule at each request, %s kernel", work_kernel_name(kernel));
    html_heading(out, title);
    svg_open(out, id, WIDTH, TOP + count * ROW_HEIGHT + 8, title,
             "A bar for each request and number of CPUs at work; a line over its end is its "
             "uncertainty. The numbers are in the table below.");
    draw_axis(&axis, TOP + count * ROW_HEIGHT, out);
    count = 0;
    for (uint32_t i = 0; i < platform->work_count; i++) {
        if (is_drawn(platform, i, kernel)) {
            draw_bar(&platform->work[i], milli_of(platform, i), &axis,
                     TOP + count++ * ROW_HEIGHT + ROW_HEIGHT / 2, out);
        }
    }
    svg_close(out);
}

static void row(const struct platform *platform, uint32_t index, struct textbuf *out)
{
    const struct work_sample *sample = &platform->work[index];
    uint64_t milli = milli_of(platform, index);

    html_row_open(out);
    html_cell(out, work_kernel_name(sample->kernel));
    if (sample->pss_index != FREQ_NO_ROW) {
        html_cell_printf(out, "P%u%s", sample->pss_index,
                         sample->is_boost_off ? ", boost off" : "");
    } else {
        html_cell(out, "as the firmware left it, or a level");
    }
    number_or_word(sample->requested_khz, "no frequency", out);
    html_cell_number(out, "%u", sample->active);
    html_cell_number(out, "%llu", (unsigned long long)sample->pieces_per_s);
    if (sample->package_avail == AVAIL_PRESENT) {
        html_cell_number(out, "%llu",
                         (unsigned long long)work_package_mw(sample, platform->tsc_hz));
        html_cell_number(out, "%llu.%03llu", (unsigned long long)(milli / 1000),
                         (unsigned long long)(milli % 1000));
    } else {
        html_cell(out, "not known");
        html_cell(out, sample->no_energy_why);
    }
    html_cell_number(out, "%llu", (unsigned long long)sample->uncertainty_ppm);
    html_cell(out, sample->is_wrong ? "a CPU gave a wrong result" : "");
    html_row_close(out);
}

static void work(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"kernel",    "request",   "#kHz",
                                          "#CPUs",     "#pieces/s", "#package mW",
                                          "#pieces/J", "#+/- ppm",  "note"};

    for (unsigned kernel = 0; kernel < WORK_KERNELS; kernel++) {
        picture(platform, (enum work_kernel)kernel, out);
    }
    html_table_open(out, "Fixed work, and the energy it takes", columns, 9);
    for (uint32_t i = 0; i < platform->work_count; i++) {
        row(platform, i, out);
    }
    html_table_close(out);
}

/* What an idle state draws: of all sets with an energy, in the order they were
 * timed. */
static void idle_energy(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"#CPU", "state", "#sleeps us", "#mW", "#+/- ppm"};
    bool is_open = false;

    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (!set->has_energy || set->energy_span_tsc == 0) {
            continue;
        }
        if (!is_open) {
            html_heading(out, "Power in idle states");
            html_table_open(out, "What the package draws while it sleeps", columns, 5);
            is_open = true;
        }
        html_row_open(out);
        html_cell_number(out, "%u", set->cpu);
        html_cell(out, set->state);
        html_cell_number(out, "%llu", (unsigned long long)set->requested_ns / 1000);
        html_cell_number(out, "%llu",
                         (unsigned long long)mul_div_u64(set->energy_uj, platform->tsc_hz,
                                                         set->energy_span_tsc) /
                             1000);
        html_cell_number(out, "%llu", (unsigned long long)set->energy_uncertainty_ppm);
        html_row_close(out);
    }
    if (is_open) {
        html_table_close(out);
    } else if (platform->idle_energy_why != NULL) {
        html_absent_printf(out, "No idle state has an energy: %s.", platform->idle_energy_why);
    }
}

void report_html_work(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    if (platform->work_skipped != NULL) {
        html_absent_printf(out, "%s: %s.",
                           platform->work_count == 0 ? "Not measured" : "Incomplete",
                           platform->work_skipped);
    } else if (platform->work_count == 0) {
        html_absent(out, "Work per joule was not measured in this run.");
    }
    if (platform->work_count > 0) {
        work(platform, out);
    }
    idle_energy(platform, out);
}
