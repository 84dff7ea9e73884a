#include "model/columns.h"
#include "report/ranges.h"
#include "report/report_text_parts.h"

/* Claimed, assumed and measured beside each other: a line a subject, a star where two disagree. */

#define SUBJECT_COLUMNS 26
#define CELL_COLUMNS 16
#define CELL_BYTES 48

static void cell_text(const struct column_cell *cell, char *text)
{
    struct textbuf out;

    textbuf_init(&out, text, CELL_BYTES, NULL, NULL);
    if (cell->word != NULL) {
        textbuf_string(&out, cell->word);
    } else if (cell->low == cell->high) {
        textbuf_printf(&out, "%lu", cell->low);
    } else {
        textbuf_printf(&out, "%lu-%lu", cell->low, cell->high);
    }
}

static void row_lines(const struct column_row *row, struct wrap *line)
{
    char claimed[CELL_BYTES];
    char assumed[CELL_BYTES];
    char measured[CELL_BYTES];

    cell_text(&row->claimed, claimed);
    cell_text(&row->assumed, assumed);
    cell_text(&row->measured, measured);
    wrap_printf(line, "  %-*s%*s%*s%*s%s", SUBJECT_COLUMNS, row->subject, CELL_COLUMNS, claimed,
                CELL_COLUMNS, assumed, CELL_COLUMNS, measured,
                row->mark == COLUMN_DIFFER ? " *" : "");
    wrap_end(line, SUBJECT_COLUMNS);
    if (row->mark == COLUMN_DIFFER && row->why != NULL) {
        wrap_printf(line, "    * %s", row->why);
        wrap_end(line, 6);
    }
}

static void cpus_line(const struct column_row *row, struct wrap *line)
{
    static const char *const units[COLUMN_PARTS] = {[COLUMN_PSTATES] = "kHz",
                                                    [COLUMN_BOOST] = "kHz",
                                                    [COLUMN_TIMING] = "ns",
                                                    [COLUMN_IDLE] = "latencies in ns"};

    wrap_printf(line, "%s, %s, CPU ", column_part_name(row->part), units[row->part]);
    ranges_of_set(&line->line, &row->cpus);
    wrap_end(line, 4);
}

static void legend(const struct columns *columns, struct textbuf *out)
{
    struct wrap line;

    wrap_init(&line, out);
    wrap_printf(
        &line,
        "Assumed by Linux %s. A star: two of the three disagree, clocks by more than the "
        "largest of half a bus clock, 0.5 %% and the uncertainty, times by more than twice what is "
        "claimed; %u line%s.",
        columns->linux_version, columns->differ_count, columns->differ_count == 1 ? "" : "s");
    wrap_end(&line, 0);
    if (columns->measured_note != NULL) {
        wrap_printf(&line, "Measured: %s.", columns->measured_note);
        wrap_end(&line, 0);
    }
    wrap_printf(&line, "  %-*s%*s%*s%*s", SUBJECT_COLUMNS, "", CELL_COLUMNS, "claimed",
                CELL_COLUMNS, "assumed", CELL_COLUMNS, "measured");
    wrap_end(&line, 0);
}

void report_text_columns(const struct report *report, struct textbuf *out)
{
    const struct columns *columns = report->platform->columns;
    struct wrap line;

    if (columns == NULL || columns->count == 0) {
        return;
    }
    wrap_heading(out, "Claimed, assumed, measured");
    legend(columns, out);
    wrap_init(&line, out);
    for (uint32_t i = 0; i < columns->count; i++) {
        if (!columns_is_first(columns, i)) {
            continue;
        }
        cpus_line(&columns->rows[i], &line);
        for (uint32_t n = i; n < columns->count; n++) {
            if (columns_is_alike(&columns->rows[i], &columns->rows[n])) {
                row_lines(&columns->rows[n], &line);
            }
        }
    }
    if (columns->left_out_cpus != 0) {
        wrap_printf(&line, "and %u CPUs with claims of yet other kinds", columns->left_out_cpus);
        wrap_end(&line, 4);
    }
}
