#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Headings, lines and tables for a person, as plain text or as one self-contained HTML page (no script, no
 * network). What comes from a firmware is escaped: a control byte becomes '?', markup becomes text.
 */
struct sheet {
    FILE *out;
    bool is_html;
};

void sheet_open(struct sheet *sheet, FILE *out, bool is_html, const char *title);
void sheet_heading(const struct sheet *sheet, const char *text);
void sheet_line(const struct sheet *sheet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* `rows` is an array of arrays of strings, each at most as long as `columns`. */
void sheet_table(const struct sheet *sheet, const char *const *columns, size_t columns_count,
                 const json_t *rows);

/* false when something could not be written. */
bool sheet_close(const struct sheet *sheet);

/* An empty row for sheet_table, already in `rows`, and a cell for it; NULL is an empty cell. */
json_t *sheet_row(json_t *rows);
void sheet_cell(json_t *row, const char *format, ...) __attribute__((format(printf, 2, 3)));
