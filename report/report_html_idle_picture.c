#include "model/units.h"
#include "report/idle_words.h"
#include "report/ranges.h"
#include "report/report_html_idle.h"
#include "report/svg.h"

#include <string.h>

/*
 * Latencies on a logarithmic axis: for each way a strip for the first read, the second read and the wake-up, with
 * its histogram above it; the declared latency is a dotted line through the way's strips.
 */

#define WIDTH 760U
#define LEFT 190U
#define RIGHT 740U
#define TOP 34U
#define TITLE_HEIGHT 24U
#define STRIP_HEIGHT 46U
#define BARS_HEIGHT 24U
#define BOX_HEIGHT 8U
#define WAYS_MAX 12U
#define COLUMN_WIDTH 5U
#define LONGEST_NS UINT64_C(1000000000000) /* what no state takes stands at the end of the axis */
#define LETTER_WIDTH 7U /* a value of the axis that would touch the one before is left out */
#define COLUMNS ((RIGHT - LEFT) / COLUMN_WIDTH)

struct picture {
    const struct platform *platform;
    struct axis axis; /* in ns, or ticks where the rate is not known */
    struct textbuf *out;
    uint32_t y;
};

enum strip { STRIP_FIRST = 0, STRIP_SECOND, STRIP_WAKE, STRIPS };

static const struct {
    const char *name;
    const char *box;
    const char *line;
    const char *bar;
} strips[STRIPS] = {{"1st read", "box claimed", "whisker claimed", "bar claimed"},
                    {"2nd read", "hatch", "whisker assumed", "bar assumed"},
                    {"wake-up", "box measured", "whisker measured", "bar measured"}};

static const struct distribution *distribution_of(const struct idle_sample_set *set, unsigned strip)
{
    return strip == STRIP_FIRST    ? &set->first_read_tsc
           : strip == STRIP_SECOND ? &set->dummy_read_tsc
                                   : &set->exit_tsc;
}

static uint64_t to_ns(const struct platform *platform, uint64_t tsc)
{
    return platform->tsc_hz == 0 ? tsc : units_tsc_to_ns(tsc, platform->tsc_hz);
}

void report_html_idle_way(const struct platform *platform, const struct idle_sample_set *set,
                          struct textbuf *out)
{
    struct html_escape escape;

    (void)platform;
    html_escape_start(&escape, out);
    idle_words_way(&escape.text, set);
    html_escape_end(&escape);
}

void report_html_idle_cpus(const struct platform *platform, const struct idle_sample_set *set,
                           uint64_t length_ns, struct textbuf *out)
{
    struct ranges ranges;

    ranges_start(&ranges, out);
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *other = &platform->idle[i];

        if (other->requested_ns == length_ns && idle_words_is_alike(other, set)) {
            ranges_add(&ranges, other->cpu);
        }
    }
    ranges_end(&ranges);
}

static void widen(struct axis *axis, uint64_t low, uint64_t high)
{
    axis->low = low < axis->low ? low : axis->low;
    axis->high = high > axis->high ? high : axis->high;
    axis->high = axis->high > LONGEST_NS ? LONGEST_NS : axis->high;
}

/* Over what will be drawn: every strip's whole range, and what is declared. Returns how many strips. */
static uint32_t find_axis(struct picture *picture, uint64_t length_ns, uint32_t *ret_ways)
{
    const struct platform *platform = picture->platform;
    uint32_t count = 0;

    *ret_ways = 0;
    picture->axis =
        (struct axis){.scale = AXIS_LOG, .low = UINT64_MAX, .high = 1, .from = LEFT, .to = RIGHT};
    for (uint32_t i = 0; i < platform->idle_count && *ret_ways < WAYS_MAX; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (!idle_words_is_first(platform, i, length_ns)) {
            continue;
        }
        ++*ret_ways;
        for (unsigned strip = 0; strip < STRIPS; strip++) {
            const struct distribution *tsc = distribution_of(set, strip);

            if (tsc->n != 0) {
                widen(&picture->axis, to_ns(platform, tsc->min), to_ns(platform, tsc->max));
                count++;
            }
        }
        if (set->has_declared_latency && set->declared_latency_us != 0) {
            widen(&picture->axis, set->declared_latency_us * 1000, set->declared_latency_us * 1000);
        }
    }
    picture->axis.low = picture->axis.low == 0 ? 1 : picture->axis.low;
    axis_round(&picture->axis, 0);
    return count;
}

/* The value of a tick, centred below it or ending at it where the picture ends; one that would touch what ends at
 * free_x is left out. Returns where the next may start. */
static uint32_t draw_value(uint32_t x, const char *text, uint32_t free_x, struct textbuf *out)
{
    uint32_t width = (uint32_t)strlen(text) * LETTER_WIDTH;
    bool is_last = x + width / 2 > WIDTH;
    uint32_t start = is_last ? x - width : x - width / 2;

    if (start < free_x) {
        return free_x;
    }
    svg_text(out, "dim", is_last ? SVG_END : SVG_MIDDLE, x, TOP - 14, "%s", text);
    return start + width + LETTER_WIDTH;
}

static void draw_grid(const struct picture *picture, uint32_t bottom)
{
    uint64_t tick = axis_tick_first(&picture->axis, 0);
    uint32_t free_x = 0;

    for (; tick != UINT64_MAX; tick = axis_tick_next(&picture->axis, 0, tick)) {
        uint32_t x = axis_place(&picture->axis, tick);
        char text[FIGURE_BYTES];

        svg_line(picture->out, "grid", x, TOP - 8, x, bottom);
        free_x = draw_value(x, figure_time(tick, text), free_x, picture->out);
    }
}

/* Every sample that was kept, by the column of pixels that it falls into; false when none was. */
static bool draw_kept(const struct picture *picture, const struct idle_sample_set *set,
                      unsigned strip, uint32_t base)
{
    static const enum sample_quantity quantities[STRIPS] = {SAMPLE_FIRST_READ, SAMPLE_DUMMY_READ,
                                                            SAMPLE_EXIT};
    const struct sample_bins *kept = &set->bins[quantities[strip]];
    const struct sample_store *store = &picture->platform->samples;
    uint32_t counts[COLUMNS] = {0};
    uint32_t most = 0;

    if (kept->count == 0 || store->bins == NULL || kept->first > store->used ||
        kept->count > store->used - kept->first) {
        return false;
    }
    for (uint32_t i = 0; i < kept->count; i++) {
        const struct sample_bin *bin = &store->bins[kept->first + i];
        uint64_t ns = to_ns(picture->platform, histogram_bucket_low(bin->bucket));
        uint32_t column = (axis_place(&picture->axis, ns) - LEFT) / COLUMN_WIDTH;

        column = column < COLUMNS ? column : COLUMNS - 1;
        counts[column] += bin->count;
        most = counts[column] > most ? counts[column] : most;
    }
    for (uint32_t i = 0; i < COLUMNS && most > 0; i++) {
        uint32_t height = (uint32_t)(((uint64_t)counts[i] * BARS_HEIGHT + most - 1) / most);

        if (height > 0) {
            svg_rect(picture->out, strips[strip].bar, LEFT + i * COLUMN_WIDTH, base - height,
                     COLUMN_WIDTH - 1, height);
        }
    }
    return true;
}

/* Without the samples themselves: the shape that the set keeps is that of the wake-up, else of the first read. */
static void draw_bars(const struct picture *picture, const struct idle_sample_set *set,
                      unsigned strip, uint32_t base)
{
    const struct histogram_shape *shape = &set->shape;
    bool is_shape_of = strip == (set->exit_tsc.n != 0 ? STRIP_WAKE : STRIP_FIRST);
    uint32_t most = 0;

    if (!is_shape_of || shape->width == 0) {
        return;
    }
    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS; i++) {
        most = shape->count[i] > most ? shape->count[i] : most;
    }
    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS && most > 0; i++) {
        uint64_t low = to_ns(picture->platform, shape->low + shape->width * i);
        uint64_t high = to_ns(picture->platform, shape->low + shape->width * (i + 1));
        uint32_t x1 = axis_place(&picture->axis, low == 0 ? 1 : low);
        uint32_t x2 = axis_place(&picture->axis, high);
        uint32_t height = (uint32_t)(((uint64_t)shape->count[i] * BARS_HEIGHT + most - 1) / most);

        if (height > 0) {
            svg_rect(picture->out, strips[strip].bar, x1, base - height,
                     x2 - x1 > 1 ? x2 - x1 - 1 : 1, height);
        }
    }
}

/* The first read is the instruction itself where the state is not entered by a port. */
static const char *name_of(const struct idle_sample_set *set, unsigned strip)
{
    return strip == STRIP_FIRST && set->entry != IDLE_IO ? "instruction" : strips[strip].name;
}

static void draw_strip(const struct picture *picture, const struct idle_sample_set *set,
                       unsigned strip)
{
    const struct distribution *tsc = distribution_of(set, strip);
    const struct platform *platform = picture->platform;
    uint32_t base = picture->y + BARS_HEIGHT;
    uint32_t middle = base + 2 + BOX_HEIGHT / 2;
    uint32_t at[6];
    const uint64_t values[6] = {tsc->min, tsc->p50, tsc->p90, tsc->p99, tsc->max, tsc->p50};
    char text[FIGURE_BYTES];

    for (unsigned i = 0; i < 6; i++) {
        at[i] = axis_place(&picture->axis, to_ns(platform, values[i]));
    }
    svg_text(picture->out, "", SVG_END, LEFT - 12, base + 2, "%s", name_of(set, strip));
    svg_text(picture->out, "dim small", SVG_END, LEFT - 12, base + 14, "p50 %s",
             figure_time(to_ns(platform, tsc->p50), text));
    if (!draw_kept(picture, set, strip, base)) {
        draw_bars(picture, set, strip, base);
    }
    svg_line(picture->out, strips[strip].line, at[0], middle, at[4], middle);
    svg_rect(picture->out, strips[strip].box, at[0] < at[1] ? at[1] : at[0], base + 2,
             at[2] > at[1] + 2 ? at[2] - at[1] : 2, BOX_HEIGHT);
    svg_line(picture->out, strips[strip].line, at[3], base, at[3], base + BOX_HEIGHT + 4);
}

static void draw_declared(const struct picture *picture, const struct idle_sample_set *set,
                          uint32_t top, uint32_t bottom)
{
    uint32_t x;
    bool is_far;

    if (!set->has_declared_latency || set->declared_latency_us == 0) {
        return;
    }
    x = axis_place(&picture->axis, set->declared_latency_us * 1000);
    is_far = x > (LEFT + RIGHT) / 2;
    svg_line(picture->out, "declared", x, top, x, bottom);
    svg_text(picture->out, "declared small", is_far ? SVG_END : SVG_START, is_far ? x - 5 : x + 5,
             top + 8, "declared %llu us", (unsigned long long)set->declared_latency_us);
}

static void draw_way(struct picture *picture, const struct idle_sample_set *set, uint64_t length_ns)
{
    uint32_t top = picture->y;

    textbuf_printf(picture->out, "<text class=\"strong\" x=\"4\" y=\"%u\">", top + 14);
    report_html_idle_way(picture->platform, set, picture->out);
    textbuf_string(picture->out, ", CPU ");
    report_html_idle_cpus(picture->platform, set, length_ns, picture->out);
    textbuf_string(picture->out, "</text>\n");
    picture->y += TITLE_HEIGHT;
    for (unsigned strip = 0; strip < STRIPS; strip++) {
        if (distribution_of(set, strip)->n != 0) {
            draw_strip(picture, set, strip);
            picture->y += STRIP_HEIGHT;
        }
    }
    draw_declared(picture, set, top + TITLE_HEIGHT - 4, picture->y);
    picture->y += 8;
}

void report_html_idle_picture(const struct platform *platform, struct textbuf *out)
{
    struct picture picture = {.platform = platform, .out = out, .y = TOP};
    uint64_t length_ns = idle_words_length_ns(platform);
    uint32_t ways = 0;
    uint32_t count = find_axis(&picture, length_ns, &ways);
    uint32_t height = TOP + count * STRIP_HEIGHT + ways * (TITLE_HEIGHT + 8);
    uint32_t drawn = 0;

    if (count == 0) {
        return;
    }
    svg_open(out, "idle-picture", WIDTH, height + 4,
             platform->tsc_hz == 0 ? "Idle latencies in ticks of the TSC, on a logarithmic axis"
                                   : "Idle latencies on a logarithmic axis of time",
             "For each way: a bar from the median to the 90th percentile, a line from the least to "
             "the most, a stroke at the 99th percentile, the histogram above. Solid: first read; "
             "hatched: second read; the dotted line is the declared latency. The numbers are in "
             "the tables below.");
    draw_grid(&picture, height);
    for (uint32_t i = 0; i < platform->idle_count && drawn < ways; i++) {
        if (idle_words_is_first(platform, i, length_ns)) {
            draw_way(&picture, &platform->idle[i], length_ns);
            drawn++;
        }
    }
    svg_close(out);
}
