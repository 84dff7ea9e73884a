#pragma once

#include "report/axis.h"
#include "report/wrap.h"

/*
 * Pictures of the text report in plain ASCII: a row is a label and a field of PLOT_COLUMNS characters between two
 * bars, in which marks stand where their value lies on the axis. A row is never wider than a console of 80 columns;
 * the numbers themselves are in the labels and in the lines beside the picture.
 */
#define PLOT_LABEL_COLUMNS 31U
#define PLOT_COLUMNS 46U

struct plot {
    struct axis axis;
    char cells[PLOT_COLUMNS + 1];
};

/* A plot over low..high (low <= high), widened to whole ticks, with an empty row. */
void plot_start(struct plot *plot, enum axis_scale scale, uint64_t low, uint64_t high);

/* `mark` at a value, or from one value to another, over what is there already. */
void plot_mark(struct plot *plot, uint64_t value, char mark);
void plot_fill(struct plot *plot, uint64_t from, uint64_t to, char mark);

/* `mark` at a value with dots from the left up to it: for one value a row. */
void plot_point(struct plot *plot, uint64_t value, char mark);

/* Ends the row: writes the label, cut to its columns, and the field, and starts an empty one. */
void plot_row(struct plot *plot, const char *label, struct wrap *line);

/* The ticks with their values, under or above the rows; `text` is figure_mhz, figure_time or the like. */
void plot_scale(const struct plot *plot, const char *(*text)(uint64_t value, char *ret_text),
                struct wrap *line);
