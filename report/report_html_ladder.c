#include "report/report_html_ladder.h"

#include "report/ladder.h"
#include "report/svg.h"

/* The P-state ladder as a picture: a lane a column, its rungs at their frequency, each with its name. */

#define LADDER_WIDTH 760U
#define LADDER_TOP 46U
#define LADDER_BOTTOM 440U
#define LADDER_LEFT 70U /* of the lanes; the axis stands before it */
#define LANE_WIDTH 228U
#define RUNG_WIDTH 64U
#define LABEL_HEIGHT 14U
#define LADDER_TICKS 7U
#define LABEL_BYTES 96

static void draw_axis(const struct axis *axis, struct textbuf *out)
{
    uint64_t tick = axis_tick_first(axis, LADDER_TICKS);

    svg_text(out, "dim small", SVG_END, LADDER_LEFT - 8, LADDER_TOP - 22, "MHz");
    for (; tick != UINT64_MAX; tick = axis_tick_next(axis, LADDER_TICKS, tick)) {
        uint32_t y = axis_place(axis, tick);

        svg_line(out, "grid", LADDER_LEFT, y, LADDER_WIDTH - 8, y);
        svg_text(out, "dim", SVG_END, LADDER_LEFT - 8, y + 4, "%llu",
                 (unsigned long long)(tick / 1000));
    }
}

/* The axis says MHz once; the labels are only the numbers. */
static void rung_label(const struct rung *rung, uint32_t x, uint32_t y, struct textbuf *out)
{
    char label[LABEL_BYTES];
    struct textbuf text;

    textbuf_init(&text, label, sizeof(label), NULL, NULL);
    textbuf_printf(&text, "%llu", (unsigned long long)(rung->khz / 1000));
    if (rung->khz % 1000 != 0) {
        textbuf_printf(&text, ".%03llu", (unsigned long long)(rung->khz % 1000));
    }
    textbuf_byte(&text, ' ');
    ladder_name(rung, &text);
    svg_text(out, rung->is_boost && rung->subject == NULL ? "strong" : "", SVG_START, x, y, "%s",
             label);
}

/* A label that would lie on the one above it moves down. */
static uint32_t label_of(const struct axis *axis, const struct rung *rung, uint32_t *free_y)
{
    uint32_t y = axis_place(axis, rung->khz);
    uint32_t label_y = y < *free_y ? *free_y : y;

    *free_y = label_y + LABEL_HEIGHT;
    return label_y;
}

/* A label that was moved keeps a thin line to its rung. */
static void draw_rung(const struct axis *axis, enum ladder_lane lane, const struct rung *rung,
                      uint32_t label_y, struct textbuf *out)
{
    static const char *const classes[LADDER_LANES] = {"rung claimed", "rung assumed",
                                                      "rung measured"};
    static const char *const boosts[LADDER_LANES] = {"rung boost claimed", "rung boost assumed",
                                                     "rung boost measured"};
    uint32_t x = LADDER_LEFT + 8 + lane * LANE_WIDTH;
    uint32_t y = axis_place(axis, rung->khz);

    svg_line(out, rung->is_boost ? boosts[lane] : classes[lane], x, y, x + RUNG_WIDTH, y);
    svg_line(out, "lead", x + RUNG_WIDTH + 2, y, x + RUNG_WIDTH + 10, label_y);
    rung_label(rung, x + RUNG_WIDTH + 13, label_y + 4, out);
}

static void lane_name(const struct platform *platform, enum ladder_lane lane, struct textbuf *out)
{
    const char *version = ladder_linux_version(platform);
    uint32_t x = LADDER_LEFT + 8 + lane * LANE_WIDTH;

    if (lane != LADDER_ASSUMED) {
        svg_text(out, "strong", SVG_START, x, 18, "%s", ladder_lane_name(lane));
    } else if (version != NULL) {
        svg_text(out, "strong", SVG_START, x, 18, "assumed: Linux %s", version);
    } else {
        svg_text(out, "strong", SVG_START, x, 18, "assumed: with the boost entry");
    }
}

static void draw_lane(const struct platform *platform, const struct axis *axis,
                      enum ladder_lane lane, struct textbuf *out)
{
    struct ladder_walk walk = {platform, lane, UINT64_MAX, 0};
    uint32_t free_y = 0;
    struct rung rung;

    lane_name(platform, lane, out);
    while (ladder_next(&walk, &rung)) {
        draw_rung(axis, lane, &rung, label_of(axis, &rung, &free_y), out);
    }
    if (free_y == 0) {
        svg_text(out, "dim", SVG_START, LADDER_LEFT + 8 + lane * LANE_WIDTH, LADDER_TOP + 14,
                 lane == LADDER_MEASURED ? "not measured" : "none");
    }
}

static uint32_t rungs_of(const struct platform *platform, enum ladder_lane lane)
{
    struct rung rung;
    uint32_t count = 0;

    while (count < LADDER_RUNGS_MAX && ladder_rung(platform, lane, count, &rung)) {
        count++;
    }
    return count;
}

/* Where the lowest label ends, which may be below the axis. */
static uint32_t bottom_of(const struct platform *platform, const struct axis *axis)
{
    uint32_t bottom = axis->from;

    for (unsigned lane = 0; lane < LADDER_LANES; lane++) {
        struct ladder_walk walk = {platform, (enum ladder_lane)lane, UINT64_MAX, 0};
        uint32_t free_y = 0;
        struct rung rung;

        while (ladder_next(&walk, &rung)) {
            (void)label_of(axis, &rung, &free_y);
        }
        bottom = free_y > bottom ? free_y : bottom;
    }
    return bottom + LABEL_HEIGHT;
}

/* The axis is as long as the fullest lane wants. */
static uint32_t axis_bottom(const struct platform *platform)
{
    uint32_t most = 0;
    uint32_t bottom;

    for (unsigned lane = 0; lane < LADDER_LANES; lane++) {
        uint32_t count = rungs_of(platform, (enum ladder_lane)lane);

        most = count > most ? count : most;
    }
    bottom = LADDER_TOP + most * LABEL_HEIGHT * 3 / 2;
    if (bottom > LADDER_BOTTOM) {
        return bottom;
    }
    return most <= 6 ? LADDER_BOTTOM - 120 : LADDER_BOTTOM;
}

bool report_html_ladder(const struct platform *platform, struct textbuf *out)
{
    struct axis axis = {.from = axis_bottom(platform), .to = LADDER_TOP};

    if (!ladder_axis(platform, LADDER_TICKS, &axis)) {
        return false;
    }
    svg_open(out, "ladder", LADDER_WIDTH, bottom_of(platform, &axis),
             "P-states on one axis of frequency: claimed, assumed, measured",
             "The same numbers are in the tables below. A dashed rung is a boost entry, or a limit "
             "that is no row of a table.");
    draw_axis(&axis, out);
    for (unsigned lane = 0; lane < LADDER_LANES; lane++) {
        draw_lane(platform, &axis, (enum ladder_lane)lane, out);
    }
    svg_close(out);
    return true;
}
