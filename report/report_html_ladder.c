#include "report/report_html_ladder.h"

#include "model/columns.h"
#include "model/linux/view.h"
#include "report/svg.h"

/*
 * The P-state ladder: what the firmware claims, what Linux assumes and what was measured, on one axis of
 * frequency, and the same numbers in tables.
 */

#define LADDER_WIDTH 760U
#define LADDER_TOP 46U
#define LADDER_BOTTOM 440U
#define LADDER_LEFT 70U /* of the lanes; the axis stands before it */
#define LANE_WIDTH 228U
#define RUNG_WIDTH 64U
#define LABEL_HEIGHT 14U
#define LADDER_TICKS 7U

enum lane { LANE_CLAIMED = 0, LANE_ASSUMED, LANE_MEASURED, LANES };

/* That of the CPU whose table is assumed, else the first one there is. */
static const struct object_set *claimed_set(const struct platform *platform)
{
    uint32_t processor = platform->frequency.processor;
    const struct object_set *set = NULL;

    if (processor < platform->processors_count) {
        set = platform_object(&platform->processors[processor], OBJECT_PSS);
    }
    for (uint32_t i = 0; set == NULL && i < platform->sets_count; i++) {
        const struct object_set *other = platform->sets[i];

        set = other->kind == OBJECT_PSS && !other->is_repaired ? other : NULL;
    }
    return set;
}

/* The frequency that highest_perf stands for: no row of _PSS, and still a claim. */
static bool boost_by_cpc(const struct platform *platform, struct rung *ret_rung)
{
    const struct frequency *frequency = &platform->frequency;

    *ret_rung = (struct rung){
        .khz = frequency->max_boost_khz, .is_boost = true, .subject = "boost by _CPC"};
    return frequency->boost_ratio_1024 != 0;
}

static bool claimed_rung(const struct platform *platform, uint32_t index, struct rung *ret_rung)
{
    const struct object_set *set = claimed_set(platform);

    if (set == NULL || index >= set->pss.count) {
        return set != NULL && index == set->pss.count && boost_by_cpc(platform, ret_rung);
    }
    *ret_rung = (struct rung){.pss_index = index};
    if ((set->pss.rows[index].valid >> PSS_FREQ_MHZ & 1U) != 0) {
        ret_rung->khz = set->pss.rows[index].field[PSS_FREQ_MHZ] * 1000;
    }
    return true;
}

static const struct linux_view *view_of(const struct platform *platform)
{
    return platform->linux_views != NULL && platform->linux_views->count > 0
               ? &platform->linux_views->views[0]
               : NULL;
}

/* What the kernel knows beside its rows: a maximum above them, and what utilisation is scaled by. */
static bool limit_above(const struct linux_view *view, uint32_t index, struct rung *ret_rung)
{
    const struct linux_table *table = &view->table;
    bool has_maximum =
        table->count > 0 && !table->is_boost_unknown && table->cpuinfo_max_khz > table->rows[0].khz;

    if (has_maximum && index-- == 0) {
        *ret_rung = (struct rung){
            .khz = table->cpuinfo_max_khz, .is_boost = true, .subject = "cpuinfo.max_freq"};
        return true;
    }
    *ret_rung = (struct rung){
        .khz = view->governor.invariance_khz, .is_boost = true, .subject = "scales utilisation"};
    return index == 0 && view->governor.is_invariant && view->governor.invariance_khz != 0;
}

/* Linux' table where its driver makes one, and its cpuinfo.max_freq; else the extended table of the model. */
bool report_html_assumed_rung(const struct platform *platform, uint32_t index,
                              struct rung *ret_rung)
{
    const struct linux_view *view = view_of(platform);
    const struct frequency *frequency = &platform->frequency;

    if (view != NULL && view->table.no_table_why == NULL) {
        const struct linux_table *table = &view->table;

        if (index < table->count) {
            *ret_rung = (struct rung){.khz = table->rows[index].khz,
                                      .pss_index = table->rows[index].pss_index,
                                      .is_boost = table->rows[index].kind == FREQUENCY_BOOST};
            return true;
        }
        return limit_above(view, index - table->count, ret_rung);
    }
    if (index >= frequency->count) {
        return false;
    }
    *ret_rung = (struct rung){.khz = frequency->rows[index].khz,
                              .pss_index = frequency->rows[index].pss_index,
                              .is_boost = frequency->rows[index].kind == FREQUENCY_BOOST};
    return true;
}

/* The figures of the measured column that are frequencies, by its own subjects. */
bool report_html_measured_rung(const struct platform *platform, uint32_t index,
                               struct rung *ret_rung)
{
    const struct columns *columns = platform->columns;

    for (uint32_t i = 0; columns != NULL && i < columns->count; i++) {
        const struct column_row *row = &columns->rows[i];
        bool is_shown = (row->part == COLUMN_PSTATES || row->part == COLUMN_BOOST) &&
                        row->unit == COLUMN_KHZ && row->measured.avail == AVAIL_PRESENT &&
                        row->measured.word == NULL;

        if (is_shown && index-- == 0) {
            *ret_rung = (struct rung){.khz = row->measured.high,
                                      .is_boost = row->part == COLUMN_BOOST,
                                      .subject = row->subject};
            return true;
        }
    }
    return false;
}

typedef bool (*rung_at)(const struct platform *platform, uint32_t index, struct rung *ret_rung);

static const struct {
    const char *name;
    const char *class;
    rung_at at;
} lanes[LANES] = {{"claimed", "claimed", claimed_rung},
                  {"assumed", "assumed", report_html_assumed_rung},
                  {"measured", "measured", report_html_measured_rung}};

/* The axis over all lanes; false when there is nothing to draw. */
static bool ladder_axis(const struct platform *platform, struct svg_axis *ret_axis)
{
    struct rung rung;

    *ret_axis = (struct svg_axis){
        .scale = SVG_LINEAR, .low = UINT64_MAX, .high = 0, .from = LADDER_BOTTOM, .to = LADDER_TOP};
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (uint32_t i = 0; lanes[lane].at(platform, i, &rung); i++) {
            if (rung.khz != 0) {
                ret_axis->low = rung.khz < ret_axis->low ? rung.khz : ret_axis->low;
                ret_axis->high = rung.khz > ret_axis->high ? rung.khz : ret_axis->high;
            }
        }
    }
    if (ret_axis->high == 0) {
        return false;
    }
    ret_axis->low -= ret_axis->low / 20;
    ret_axis->high += ret_axis->high / 50;
    svg_axis_round(ret_axis, LADDER_TICKS);
    return true;
}

static void draw_axis(const struct svg_axis *axis, struct textbuf *out)
{
    uint64_t tick = svg_tick_first(axis, LADDER_TICKS);

    svg_text(out, "dim small", SVG_END, LADDER_LEFT - 8, LADDER_TOP - 22, "MHz");
    for (; tick != UINT64_MAX; tick = svg_tick_next(axis, LADDER_TICKS, tick)) {
        uint32_t y = svg_place(axis, tick);

        svg_line(out, "grid", LADDER_LEFT, y, LADDER_WIDTH - 8, y);
        svg_text(out, "dim", SVG_END, LADDER_LEFT - 8, y + 4, "%llu",
                 (unsigned long long)(tick / 1000));
    }
}

/* The axis says MHz once; the labels are only the numbers. */
static void mhz_of(uint64_t khz, char *ret_text)
{
    struct textbuf text;

    textbuf_init(&text, ret_text, HTML_MHZ_BYTES, NULL, NULL);
    textbuf_printf(&text, "%llu", (unsigned long long)(khz / 1000));
    if (khz % 1000 != 0) {
        textbuf_printf(&text, ".%03llu", (unsigned long long)(khz % 1000));
    }
}

static void rung_label(const struct rung *rung, uint32_t x, uint32_t y, struct textbuf *out)
{
    char mhz[HTML_MHZ_BYTES];

    mhz_of(rung->khz, mhz);
    if (rung->subject != NULL) {
        svg_text(out, "", SVG_START, x, y, "%s %s", mhz, rung->subject);
    } else if (rung->is_boost) {
        svg_text(out, "strong", SVG_START, x, y, "%s boost", mhz);
    } else {
        svg_text(out, "", SVG_START, x, y, "%s P%u", mhz, rung->pss_index);
    }
}

/* A label that would lie on the one above it moves down and keeps a thin line to its rung. */
static void draw_rung(const struct svg_axis *axis, unsigned lane, const struct rung *rung,
                      uint32_t *free_y, struct textbuf *out)
{
    static const char *const classes[LANES] = {"rung claimed", "rung assumed", "rung measured"};
    static const char *const boosts[LANES] = {"rung boost claimed", "rung boost assumed",
                                              "rung boost measured"};
    uint32_t x = LADDER_LEFT + 8 + lane * LANE_WIDTH;
    uint32_t y = svg_place(axis, rung->khz);
    uint32_t label_y = y < *free_y ? *free_y : y;

    svg_line(out, rung->is_boost ? boosts[lane] : classes[lane], x, y, x + RUNG_WIDTH, y);
    svg_line(out, "lead", x + RUNG_WIDTH + 2, y, x + RUNG_WIDTH + 10, label_y);
    rung_label(rung, x + RUNG_WIDTH + 13, label_y + 4, out);
    *free_y = label_y + LABEL_HEIGHT;
}

static void lane_name(const struct platform *platform, unsigned lane, struct textbuf *out)
{
    const struct linux_view *view = view_of(platform);
    uint32_t x = LADDER_LEFT + 8 + lane * LANE_WIDTH;

    if (lane != LANE_ASSUMED) {
        svg_text(out, "strong", SVG_START, x, 18, "%s", lanes[lane].name);
    } else if (view != NULL && view->table.no_table_why == NULL) {
        svg_text(out, "strong", SVG_START, x, 18, "assumed: Linux %s", view->version_text);
    } else {
        svg_text(out, "strong", SVG_START, x, 18, "assumed: with the boost entry");
    }
}

/* From the highest to the lowest, whatever the order of the rows. */
static void draw_lane(const struct platform *platform, const struct svg_axis *axis, unsigned lane,
                      struct textbuf *out)
{
    uint64_t below_khz = UINT64_MAX;
    uint32_t free_y = 0;
    bool is_any = true;

    lane_name(platform, lane, out);
    while (is_any) {
        uint64_t next_khz = 0;
        struct rung rung;

        for (uint32_t i = 0; lanes[lane].at(platform, i, &rung); i++) {
            next_khz = rung.khz < below_khz && rung.khz > next_khz ? rung.khz : next_khz;
        }
        is_any = next_khz != 0;
        for (uint32_t i = 0; is_any && lanes[lane].at(platform, i, &rung); i++) {
            if (rung.khz == next_khz) {
                draw_rung(axis, lane, &rung, &free_y, out);
            }
        }
        below_khz = next_khz;
    }
    if (free_y == 0) {
        svg_text(out, "dim", SVG_START, LADDER_LEFT + 8 + lane * LANE_WIDTH, LADDER_TOP + 14,
                 lane == LANE_MEASURED ? "not measured" : "none");
    }
}

static uint32_t rungs_of(const struct platform *platform, unsigned lane)
{
    struct rung rung;
    uint32_t count = 0;

    while (lanes[lane].at(platform, count, &rung)) {
        count++;
    }
    return count;
}

/* Room for as many labels as the fullest lane has. */
static void draw_ladder(const struct platform *platform, struct svg_axis *axis, struct textbuf *out)
{
    uint32_t most = 0;
    uint32_t bottom;

    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t count = rungs_of(platform, lane);

        most = count > most ? count : most;
    }
    bottom = most * LABEL_HEIGHT * 3 / 2 + LADDER_TOP;
    axis->from =
        bottom > LADDER_BOTTOM ? bottom : (most <= 6 ? LADDER_BOTTOM - 120 : LADDER_BOTTOM);
    svg_open(out, "ladder", LADDER_WIDTH, axis->from + 40 + LABEL_HEIGHT * most / 3,
             "P-states on one axis of frequency: claimed, assumed, measured",
             "The same numbers are in the tables below. A dashed rung is a boost entry.");
    draw_axis(axis, out);
    for (unsigned lane = 0; lane < LANES; lane++) {
        draw_lane(platform, axis, lane, out);
    }
    svg_close(out);
}

bool report_html_ladder(const struct platform *platform, struct textbuf *out)
{
    struct svg_axis axis;

    if (!ladder_axis(platform, &axis)) {
        return false;
    }
    draw_ladder(platform, &axis, out);
    return true;
}
