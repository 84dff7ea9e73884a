#include "model/columns.h"
#include "report/ranges.h"
#include "report/report_html_parts.h"

/* Claimed, assumed and measured beside each other: a row a subject, a word and a star where two disagree. */

static void cell(const struct column_cell *cell, struct textbuf *out)
{
    if (cell->word != NULL) {
        textbuf_string(out,
                       cell->avail == AVAIL_PRESENT ? "<td class=\"n\">" : "<td class=\"n sub\">");
        html_text(out, cell->word);
        textbuf_string(out, "</td>");
    } else if (cell->low == cell->high) {
        html_cell_number(out, "%llu", (unsigned long long)cell->low);
    } else {
        html_cell_number(out, "%llu to %llu", (unsigned long long)cell->low,
                         (unsigned long long)cell->high);
    }
}

static void row(const struct column_row *row, struct textbuf *out)
{
    static const char *const units[] = {
        [COLUMN_WORD] = "", [COLUMN_KHZ] = "kHz", [COLUMN_NS] = "ns"};

    html_row_open(out);
    textbuf_string(out, "<th scope=\"row\">");
    html_text(out, row->subject);
    textbuf_string(out, "</th>");
    html_cell(out, units[row->unit]);
    cell(&row->claimed, out);
    cell(&row->assumed, out);
    cell(&row->measured, out);
    html_cell_open(out);
    if (row->mark == COLUMN_DIFFER) {
        textbuf_string(out, "<strong>&#9733; differ</strong>");
        html_printf(out, "%s%s", row->why == NULL ? "" : ": ", row->why == NULL ? "" : row->why);
    } else {
        html_text(out, column_mark_name(row->mark));
    }
    html_cell_close(out);
    html_row_close(out);
}

static void group_open(const struct column_row *first, struct textbuf *out)
{
    static const char *const columns[] = {"subject",  "unit",      "#claimed",
                                          "#assumed", "#measured", "do they agree"};

    html_table_start(out, column_part_name(first->part));
    textbuf_string(out, ", CPU ");
    ranges_of_set(out, &first->cpus);
    html_table_head(out, columns, 6);
}

/* A table for each part and range of CPUs, in the order in which they come first. */
static void rows(const struct columns *columns, struct textbuf *out)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        if (!columns_is_first(columns, i)) {
            continue;
        }
        group_open(&columns->rows[i], out);
        for (uint32_t n = i; n < columns->count; n++) {
            if (columns_is_alike(&columns->rows[i], &columns->rows[n])) {
                row(&columns->rows[n], out);
            }
        }
        html_table_close(out);
    }
}

void report_html_columns(const struct report *report, struct textbuf *out)
{
    const struct columns *columns = report->platform->columns;

    if (columns == NULL || columns->count == 0) {
        html_absent(out, "There is nothing to put side by side: no P-states and no idle states.");
        return;
    }
    html_paragraph_printf(out,
                          "What the firmware claims, what Linux %s assumes, what the silicon did. "
                          "A star: two of the three disagree, clocks by more than the largest of "
                          "half a bus clock, 0.5 %% and the uncertainty; %u line%s.",
                          columns->linux_version, columns->differ_count,
                          columns->differ_count == 1 ? "" : "s");
    if (columns->measured_note != NULL) {
        html_paragraph_printf(out, "Measured: %s.", columns->measured_note);
    }
    rows(columns, out);
    if (columns->left_out_cpus != 0) {
        html_note(out, "%u more CPUs have claims of yet other kinds.", columns->left_out_cpus);
    }
}
