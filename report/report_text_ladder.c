#include "report/ladder.h"
#include "report/report_text_parts.h"

/* The P-state ladder in characters: frequency upwards, a lane a column, each rung with its name. */

#define ROWS 16U /* of the axis; labels that find no room go on below it */
#define TICKS 5U
#define AXIS_COLUMNS 8U
#define MARK_COLUMNS 4U
#define LANE_COLUMNS 24U
#define LABEL_COLUMNS (LANE_COLUMNS - MARK_COLUMNS - 1)

struct cell {
    const char *mark; /* NULL: no rung here */
    char label[LANE_COLUMNS];
};

static void label_of(const struct rung *rung, char *ret_label)
{
    struct textbuf text;

    textbuf_init(&text, ret_label, LABEL_COLUMNS + 1, NULL, NULL);
    textbuf_printf(&text, "%llu ", (unsigned long long)((rung->khz + 500) / 1000));
    ladder_name(rung, &text);
}

/* What stands in one row of a lane: a label that would lie on the one above it moves down and leaves its mark.
 * Returns the row behind the last label of the lane. */
static uint32_t cell_of(const struct platform *platform, const struct axis *axis,
                        enum ladder_lane lane, uint32_t row, struct cell *ret_cell)
{
    struct ladder_walk walk = {platform, lane, UINT64_MAX, 0};
    uint32_t free_row = 0;
    struct rung rung;

    ret_cell->mark = NULL;
    ret_cell->label[0] = '\0';
    while (ladder_next(&walk, &rung)) {
        uint32_t place = axis_place(axis, rung.khz);
        uint32_t label_row = place < free_row ? free_row : place;

        if (place == row) {
            ret_cell->mark = rung.is_boost && (ret_cell->mark == NULL || ret_cell->mark[1] == ' ')
                                 ? "- -"
                                 : "===";
        }
        if (label_row == row) {
            label_of(&rung, ret_cell->label);
        }
        free_row = label_row + 1;
    }
    return free_row;
}

static void axis_mark(const struct axis *axis, uint32_t row, struct wrap *line)
{
    for (uint64_t tick = axis_tick_first(axis, TICKS); tick != UINT64_MAX;
         tick = axis_tick_next(axis, TICKS, tick)) {
        if (row <= axis->from && axis_place(axis, tick) == row) {
            wrap_printf(line, "%6llu +", (unsigned long long)(tick / 1000));
            return;
        }
    }
    wrap_printf(line, "       %c", row <= axis->from ? '|' : ' ');
}

/* Writes one row; false when neither the axis nor a label reaches so far down. */
static bool one_row(const struct platform *platform, const struct axis *axis, uint32_t row,
                    struct wrap *line)
{
    bool is_used = row <= axis->from;
    struct cell cells[LADDER_LANES];
    struct textbuf text;

    for (unsigned lane = 0; lane < LADDER_LANES; lane++) {
        uint32_t end = cell_of(platform, axis, (enum ladder_lane)lane, row, &cells[lane]);

        is_used = is_used || row < end;
        if (end == 0 && row == 0) {
            textbuf_init(&text, cells[lane].label, LANE_COLUMNS, NULL, NULL);
            textbuf_string(&text, lane == LADDER_MEASURED ? "not measured" : "none");
        }
    }
    if (!is_used) {
        return false;
    }
    axis_mark(axis, row, line);
    for (unsigned lane = 0; lane < LADDER_LANES; lane++) {
        wrap_pad(line, AXIS_COLUMNS + lane * LANE_COLUMNS);
        wrap_printf(line, "%-3s %s", cells[lane].mark == NULL ? "" : cells[lane].mark,
                    cells[lane].label);
    }
    wrap_end(line, 0);
    return true;
}

static void heads(const struct platform *platform, struct wrap *line)
{
    const char *version = ladder_linux_version(platform);

    wrap_printf(line, "   MHz");
    for (unsigned lane = 0; lane < LADDER_LANES; lane++) {
        wrap_pad(line, AXIS_COLUMNS + lane * LANE_COLUMNS);
        wrap_printf(line, "%s", ladder_lane_name((enum ladder_lane)lane));
        if (lane == LADDER_ASSUMED) {
            wrap_printf(line, version == NULL ? ", with boost" : ": Linux %s", version);
        }
    }
    wrap_end(line, 0);
}

void report_text_ladder(const struct platform *platform, struct textbuf *out)
{
    struct axis axis = {.from = ROWS - 1, .to = 0};
    struct wrap line;

    if (!ladder_axis(platform, TICKS, &axis)) {
        return;
    }
    wrap_heading(out, "P-states on one axis of frequency");
    wrap_text(out, "", 0,
              "=== a row of a table or a clock reached, - - a boost entry or a limit that is no "
              "row. In whole MHz: the tables have the exact figures.");
    wrap_init(&line, out);
    heads(platform, &line);
    for (uint32_t row = 0; one_row(platform, &axis, row, &line); row++) {
    }
}
