#include "host/sheet.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 1536
#define COLUMNS_MAX 32
/* A wider cell does not widen its column. */
#define WIDTH_MAX 48U

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em;"
    "color:#1a1a1a;background:#fff}table{border-collapse:collapse;margin:.5em 0 1.5em}"
    "th,td{text-align:left;padding:.25em .8em .25em 0;border-bottom:1px solid #ddd;"
    "vertical-align:top;overflow-wrap:anywhere}th{font-weight:600}h2{margin-top:1.8em}"
    "@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}"
    "th,td{border-color:#444}}";

static void put_html(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<':
            (void)fputs("&lt;", out);
            break;
        case '>':
            (void)fputs("&gt;", out);
            break;
        case '&':
            (void)fputs("&amp;", out);
            break;
        case '"':
            (void)fputs("&quot;", out);
            break;
        default:
            (void)fputc((unsigned char)*text < ' ' || *text == 0x7F ? '?' : *text, out);
            break;
        }
    }
}

static void put_plain(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        (void)fputc((unsigned char)*text < ' ' || *text == 0x7F ? '?' : *text, out);
    }
}

static void put(const struct sheet *sheet, const char *text)
{
    if (sheet->is_html) {
        put_html(sheet->out, text);
    } else {
        put_plain(sheet->out, text);
    }
}

void sheet_open(struct sheet *sheet, FILE *out, bool is_html, const char *title)
{
    *sheet = (struct sheet){.out = out, .is_html = is_html};
    if (is_html) {
        (void)fprintf(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                           "<meta name=\"viewport\" content=\"width=device-width\"><title>");
        put(sheet, title);
        (void)fprintf(out, "</title><style>%s</style></head><body>\n<h1>", style);
        put(sheet, title);
        (void)fprintf(out, "</h1>\n");
    } else {
        put(sheet, title);
        (void)fprintf(out, "\n");
    }
}

void sheet_heading(const struct sheet *sheet, const char *text)
{
    (void)fputs(sheet->is_html ? "<h2>" : "\n", sheet->out);
    put(sheet, text);
    (void)fputs(sheet->is_html ? "</h2>\n" : "\n", sheet->out);
}

void sheet_line(const struct sheet *sheet, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    (void)fputs(sheet->is_html ? "<p>" : "  ", sheet->out);
    put(sheet, text);
    (void)fputs(sheet->is_html ? "</p>\n" : "\n", sheet->out);
}

/* Columns of a terminal, nearly: bytes that continue a UTF-8 sequence take none. */
static size_t width_of(const char *text)
{
    size_t width = 0;

    for (; *text != '\0'; text++) {
        width += ((unsigned char)*text & 0xC0U) != 0x80U ? 1 : 0;
    }
    return width;
}

static const char *cell_of(const json_t *row, size_t column)
{
    const char *text = json_string_value(json_array_get(row, column));

    return text == NULL ? "" : text;
}

static void widen(size_t *width, const char *text)
{
    size_t wanted = width_of(text);

    wanted = wanted > WIDTH_MAX ? WIDTH_MAX : wanted;
    *width = wanted > *width ? wanted : *width;
}

static void plain_row(const struct sheet *sheet, const char *const *cells, const size_t *widths,
                      size_t count)
{
    size_t last = count;

    while (last > 0 && cells[last - 1][0] == '\0') {
        last--;
    }
    for (size_t i = 0; i < last; i++) {
        size_t width = width_of(cells[i]);

        (void)fputs("  ", sheet->out);
        put(sheet, cells[i]);
        for (; i + 1 < last && width < widths[i]; width++) {
            (void)fputc(' ', sheet->out);
        }
    }
    (void)fputc('\n', sheet->out);
}

static void plain_table(const struct sheet *sheet, const char *const *columns, size_t count,
                        const json_t *rows)
{
    size_t widths[COLUMNS_MAX] = {0};
    const char *cells[COLUMNS_MAX];

    for (size_t i = 0; i < count; i++) {
        widen(&widths[i], columns[i]);
        for (size_t row = 0; row < json_array_size(rows); row++) {
            widen(&widths[i], cell_of(json_array_get(rows, row), i));
        }
    }
    plain_row(sheet, columns, widths, count);
    for (size_t row = 0; row < json_array_size(rows); row++) {
        for (size_t i = 0; i < count; i++) {
            cells[i] = cell_of(json_array_get(rows, row), i);
        }
        plain_row(sheet, cells, widths, count);
    }
}

static void html_table(const struct sheet *sheet, const char *const *columns, size_t count,
                       const json_t *rows)
{
    (void)fputs("<table><tr>", sheet->out);
    for (size_t i = 0; i < count; i++) {
        (void)fputs("<th>", sheet->out);
        put(sheet, columns[i]);
    }
    (void)fputs("</tr>\n", sheet->out);
    for (size_t row = 0; row < json_array_size(rows); row++) {
        (void)fputs("<tr>", sheet->out);
        for (size_t i = 0; i < count; i++) {
            (void)fputs("<td>", sheet->out);
            put(sheet, cell_of(json_array_get(rows, row), i));
        }
        (void)fputs("</tr>\n", sheet->out);
    }
    (void)fputs("</table>\n", sheet->out);
}

void sheet_table(const struct sheet *sheet, const char *const *columns, size_t columns_count,
                 const json_t *rows)
{
    size_t count = columns_count < COLUMNS_MAX ? columns_count : COLUMNS_MAX;

    if (json_array_size(rows) == 0) {
        return;
    }
    if (sheet->is_html) {
        html_table(sheet, columns, count, rows);
    } else {
        plain_table(sheet, columns, count, rows);
    }
}

bool sheet_close(const struct sheet *sheet)
{
    if (sheet->is_html) {
        (void)fputs("</body></html>\n", sheet->out);
    }
    return fflush(sheet->out) == 0 && ferror(sheet->out) == 0;
}

json_t *sheet_row(json_t *rows)
{
    json_t *row = json_array();

    (void)json_array_append_new(rows, row);
    return row;
}

void sheet_cell(json_t *row, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;
    json_t *cell;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    cell = json_string(text);
    /* A cut in the middle of a UTF-8 sequence is the one way to fail. */
    (void)json_array_append_new(row, cell == NULL ? json_string("?") : cell);
}
