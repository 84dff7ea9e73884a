#include "report/text_plot.h"

#include "report/figure.h"

#include <string.h>

#define TICKS 4U

static void clear(struct plot *plot)
{
    memset(plot->cells, ' ', PLOT_COLUMNS);
    plot->cells[PLOT_COLUMNS] = '\0';
}

void plot_start(struct plot *plot, enum axis_scale scale, uint64_t low, uint64_t high)
{
    plot->axis = (struct axis){scale, low, high, 0, PLOT_COLUMNS - 1};
    if (scale == AXIS_LOG && low == 0) {
        plot->axis.low = 1;
    }
    if (plot->axis.high <= plot->axis.low) {
        plot->axis.low -= plot->axis.low == UINT64_MAX ? 1 : 0;
        plot->axis.high = plot->axis.low + 1;
    }
    axis_round(&plot->axis, TICKS);
    clear(plot);
}

void plot_mark(struct plot *plot, uint64_t value, char mark)
{
    plot->cells[axis_place(&plot->axis, value)] = mark;
}

void plot_fill(struct plot *plot, uint64_t from, uint64_t to, char mark)
{
    uint32_t last = axis_place(&plot->axis, to);

    for (uint32_t i = axis_place(&plot->axis, from); i <= last; i++) {
        plot->cells[i] = mark;
    }
}

void plot_point(struct plot *plot, uint64_t value, char mark)
{
    plot_fill(plot, plot->axis.low, value, '.');
    plot_mark(plot, value, mark);
}

void plot_row(struct plot *plot, const char *label, struct wrap *line)
{
    wrap_printf(line, "%-*.*s|%s|", (int)PLOT_LABEL_COLUMNS, (int)PLOT_LABEL_COLUMNS - 1, label,
                plot->cells);
    wrap_end(line, 0);
    clear(plot);
}

/* A value is centred below its tick, and left out where it would touch the one before or leave the line. */
void plot_scale(const struct plot *plot, const char *(*text)(uint64_t value, char *ret_text),
                struct wrap *line)
{
    char ticks[PLOT_COLUMNS + 1];
    char values[WRAP_COLUMNS + 1];
    uint32_t free_column = PLOT_LABEL_COLUMNS / 2;
    uint64_t tick = axis_tick_first(&plot->axis, TICKS);

    memset(ticks, '-', PLOT_COLUMNS);
    memset(values, ' ', WRAP_COLUMNS);
    ticks[PLOT_COLUMNS] = '\0';
    values[WRAP_COLUMNS] = '\0';
    for (; tick != UINT64_MAX; tick = axis_tick_next(&plot->axis, TICKS, tick)) {
        uint32_t place = axis_place(&plot->axis, tick);
        char figure[FIGURE_BYTES];
        uint32_t length = (uint32_t)strlen(text(tick, figure));
        uint32_t start = PLOT_LABEL_COLUMNS + 1 + place - length / 2;

        ticks[place] = '+';
        if (start + length > WRAP_COLUMNS) {
            start = WRAP_COLUMNS - length;
        }
        if (start >= free_column) {
            memcpy(values + start, figure, length);
            free_column = start + length + 1;
        }
    }
    wrap_printf(line, "%*s %s", (int)PLOT_LABEL_COLUMNS, "", ticks);
    wrap_end(line, 0);
    wrap_printf(line, "%s", values);
    wrap_end(line, 0);
}
