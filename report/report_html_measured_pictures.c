#include "model/units.h"
#include "report/report_html_clocked.h"
#include "report/svg.h"

#include <string.h>

#define WIDTH 760U
#define LEFT 70U
#define RIGHT 640U
#define TOP 30U
#define BOTTOM 290U
#define TICKS 6U
#define PACKAGES_MAX 8U

static bool is_drawn(const struct freq_boost *boost)
{
    return boost->kind == FREQ_BOOST_CORES && boost->figure.khz != 0 && boost->active != 0;
}

static void widen(struct axis *axis, uint64_t value)
{
    if (value != 0) {
        axis->low = value < axis->low ? value : axis->low;
        axis->high = value > axis->high ? value : axis->high;
    }
}

/* false when there is nothing to draw. */
static bool boost_axes(const struct platform *platform, struct axis *x, struct axis *y)
{
    *x = (struct axis){AXIS_LOG, 1, 2, LEFT, RIGHT};
    *y = (struct axis){AXIS_LINEAR, UINT64_MAX, 0, BOTTOM, TOP};
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];

        if (is_drawn(boost)) {
            x->high = boost->active > x->high ? boost->active : x->high;
            widen(y, boost->figure.khz);
            widen(y, boost->expected_khz);
        }
    }
    if (y->high == 0) {
        return false;
    }
    widen(y, platform->frequency.max_boost_khz);
    y->low -= y->low / 20;
    y->high += y->high / 50;
    axis_round(y, TICKS);
    return true;
}

static void boost_grid(const struct axis *x, const struct axis *y, struct textbuf *out)
{
    uint64_t tick = axis_tick_first(y, TICKS);

    for (; tick != UINT64_MAX; tick = axis_tick_next(y, TICKS, tick)) {
        svg_line(out, "grid", LEFT, axis_place(y, tick), RIGHT, axis_place(y, tick));
        svg_text(out, "dim", SVG_END, LEFT - 8, axis_place(y, tick) + 4, "%llu",
                 (unsigned long long)(tick / 1000));
    }
    for (uint64_t cores = 1; cores <= x->high; cores *= 2) {
        svg_line(out, "grid", axis_place(x, cores), TOP, axis_place(x, cores), BOTTOM);
        svg_text(out, "dim", SVG_MIDDLE, axis_place(x, cores), BOTTOM + 18, "%llu",
                 (unsigned long long)cores);
    }
    svg_text(out, "dim small", SVG_END, LEFT - 8, TOP - 12, "MHz");
    svg_text(out, "dim", SVG_MIDDLE, (LEFT + RIGHT) / 2, BOTTOM + 38,
             "active cores of the package");
}

/* One package's curve: measured, or with is_limit the turbo limit for so many
 * cores. */
static bool boost_curve(const struct platform *platform, uint32_t package, bool is_limit,
                        const struct axis *x, const struct axis *y, struct textbuf *out)
{
    bool is_start = true;

    svg_path_open(out, is_limit ? "curve assumed dash" : "curve measured");
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];
        uint64_t khz = is_limit ? boost->expected_khz : boost->figure.khz;

        if (is_drawn(boost) && boost->package == package && khz != 0) {
            svg_path_point(out, is_start, axis_place(x, boost->active), axis_place(y, khz));
            is_start = false;
        }
    }
    svg_path_close(out);
    return !is_start;
}

static void boost_points(const struct platform *platform, const struct axis *x,
                         const struct axis *y, struct textbuf *out)
{
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];

        if (is_drawn(boost) && boost->package < PACKAGES_MAX) {
            svg_circle(out, "measured", axis_place(x, boost->active),
                       axis_place(y, boost->figure.khz), 3);
        }
    }
}

void report_html_boost_picture(const struct platform *platform, struct textbuf *out)
{
    struct axis x, y;
    bool has_limit = false;
    char mhz[FIGURE_BYTES];

    if (!boost_axes(platform, &x, &y)) {
        return;
    }
    svg_open(out, "boost-picture", WIDTH, BOTTOM + 74, "The clock reached, by active cores",
             "A solid curve with points for each package: measured. Dashed: the "
             "turbo limit for so "
             "many cores. Dotted: the boost entry that Linux makes of _CPC. The "
             "numbers are in the "
             "table below.");
    boost_grid(&x, &y, out);
    for (uint32_t package = 0; package < PACKAGES_MAX; package++) {
        (void)boost_curve(platform, package, false, &x, &y, out);
        has_limit = boost_curve(platform, package, true, &x, &y, out) || has_limit;
    }
    boost_points(platform, &x, &y, out);
    if (platform->frequency.max_boost_khz != 0) {
        uint32_t at = axis_place(&y, platform->frequency.max_boost_khz);

        svg_line(out, "declared", LEFT, at, RIGHT, at);
        svg_text(out, "declared small", SVG_END, RIGHT - 6, at - 5, "boost entry");
    }
    svg_line(out, "rung measured", LEFT, BOTTOM + 58, LEFT + 40, BOTTOM + 58);
    svg_text(out, "", SVG_START, LEFT + 48, BOTTOM + 62, "measured");
    if (has_limit) {
        svg_line(out, "rung boost assumed", LEFT + 160, BOTTOM + 58, LEFT + 200, BOTTOM + 58);
        svg_text(out, "", SVG_START, LEFT + 208, BOTTOM + 62, "turbo limit");
    }
    svg_close(out);
    if (platform->frequency.max_boost_khz != 0) {
        html_paragraph_printf(out, "The boost entry is %s.",
                              figure_mhz(platform->frequency.max_boost_khz, mhz));
    }
}

bool report_html_is_shown_settling(const struct platform *platform, uint32_t index)
{
    return platform->freq_settlings[index].cpu == platform->freq_settlings[0].cpu;
}

#define STRIP_LEFT 150U
#define STRIP_RIGHT 720U
#define STRIP_HEIGHT 30U
#define LETTER_WIDTH 7U /* a value of the axis that would touch the one before is left out */
#define BOX_HEIGHT 8U

static uint64_t to_ns(const struct platform *platform, uint64_t tsc)
{
    return units_tsc_to_ns(tsc, platform->tsc_hz);
}

static uint32_t settling_axis(const struct platform *platform, struct axis *axis)
{
    uint32_t count = 0;

    *axis = (struct axis){AXIS_LOG, 10000, 1000000, STRIP_LEFT, STRIP_RIGHT};
    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        const struct freq_settling *one = &platform->freq_settlings[i];

        if (report_html_is_shown_settling(platform, i) && one->settle_tsc.n != 0) {
            widen(axis, to_ns(platform, one->settle_tsc.min));
            widen(axis, to_ns(platform, one->settle_tsc.max));
            widen(axis, one->latency_us * 1000);
            count++;
        }
    }
    axis_round(axis, 0);
    return count;
}

/* What Linux waits: 20 us where a driver says nothing, 600 and 1000 us
 * amd-pstate with and without FAST_CPPC. */
static void settling_grid(const struct axis *axis, uint32_t bottom, struct textbuf *out)
{
    static const uint32_t waits_us[] = {20, 600, 1000};
    uint64_t tick = axis_tick_first(axis, 0);
    uint32_t free_x = 0;
    char text[FIGURE_BYTES];

    for (; tick != UINT64_MAX; tick = axis_tick_next(axis, 0, tick)) {
        svg_line(out, "grid", axis_place(axis, tick), TOP + 8, axis_place(axis, tick), bottom);
        if (axis_place(axis, tick) >= free_x) {
            svg_text(out, "dim", SVG_MIDDLE, axis_place(axis, tick), TOP - 12, "%s",
                     figure_time(tick, text));
            free_x = axis_place(axis, tick) + (uint32_t)(strlen(text) + 1) * LETTER_WIDTH;
        }
    }
    for (size_t i = 0; i < sizeof(waits_us) / sizeof(waits_us[0]); i++) {
        uint32_t x = axis_place(axis, (uint64_t)waits_us[i] * 1000);

        svg_line(out, "declared", x, TOP + 8, x, bottom);
        svg_text(out, "dim small", waits_us[i] == 1000 ? SVG_START : SVG_END,
                 waits_us[i] == 1000 ? x + 4 : x - 4, TOP + 6, "%u", waits_us[i]);
    }
}

static void settling_strip(const struct platform *platform, const struct freq_settling *one,
                           const struct axis *axis, uint32_t y, struct textbuf *out)
{
    const struct distribution *tsc = &one->settle_tsc;
    uint32_t low = axis_place(axis, to_ns(platform, tsc->min));
    uint32_t median = axis_place(axis, to_ns(platform, tsc->p50));
    uint32_t most = axis_place(axis, to_ns(platform, tsc->p99));
    uint32_t high = axis_place(axis, to_ns(platform, tsc->max));

    svg_text(out, "", SVG_END, STRIP_LEFT - 12, y + 5, "%u to %u", one->from_index, one->to_index);
    svg_line(out, "whisker measured", low, y, high, y);
    svg_rect(out, "box measured", low, y - BOX_HEIGHT / 2, most > low + 2 ? most - low : 2,
             BOX_HEIGHT);
    svg_line(out, "rung measured", median, y - BOX_HEIGHT, median, y + BOX_HEIGHT);
    if (one->latency_us != 0) {
        svg_circle(out, "claimed", axis_place(axis, one->latency_us * 1000), y, 5);
    }
}

void report_html_settling_picture(const struct platform *platform, struct textbuf *out)
{
    struct axis axis;
    uint32_t count = settling_axis(platform, &axis);
    uint32_t bottom = TOP + 16 + count * STRIP_HEIGHT;
    uint32_t y = TOP + 16 + STRIP_HEIGHT / 2;

    if (count == 0) {
        return;
    }
    svg_open(out, "settling-picture", WIDTH, bottom + 8,
             "Settling times of the clock on a logarithmic axis",
             "For each change between two rows: a bar from the least to the 99th "
             "percentile, a "
             "stroke at the median, a line to the most; a dot is the latency "
             "that _PSS declares. "
             "The dotted lines are what Linux waits: 20, 600 and 1000 us. The "
             "numbers are in the "
             "table below.");
    settling_grid(&axis, bottom, out);
    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        const struct freq_settling *one = &platform->freq_settlings[i];

        if (report_html_is_shown_settling(platform, i) && one->settle_tsc.n != 0) {
            settling_strip(platform, one, &axis, y, out);
            y += STRIP_HEIGHT;
        }
    }
    svg_close(out);
    html_paragraph(out, "The dotted lines are what Linux waits between two changes: 20 us where "
                        "a "
                        "driver asks for nothing, 600 us and 1000 us amd-pstate with and without "
                        "FAST_CPPC. A dot is the latency that _PSS declares.");
}
