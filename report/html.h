#pragma once

#include "model/textbuf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The grammar of report.html: escaped text, sections and tables. Text that comes from the machine passes through
 * html_text, html_printf or an html_escape; only the page's own markup is written with textbuf_string.
 */

/* Text in content or in a double-quoted attribute. Bytes that are not UTF-8 and control characters become U+FFFD,
 * NULL becomes nothing. */
void html_text(struct textbuf *out, const char *text);

/* The same of what printf makes (textbuf_printf's conversions), of any length. */
void html_printf(struct textbuf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A textbuf whose bytes arrive escaped in `out`, for functions that write into one. */
#define HTML_ESCAPE_BYTES 256
#define HTML_ESCAPE_KEPT 4 /* more than the bytes of a sequence that a flush cuts in two */

struct html_escape {
    struct textbuf text;
    struct textbuf *out;
    size_t kept_bytes; /* of a sequence whose end is still to come */
    char kept[HTML_ESCAPE_KEPT];
    char buffer[HTML_ESCAPE_BYTES];
};

void html_escape_start(struct html_escape *escape, struct textbuf *out);
void html_escape_end(struct html_escape *escape);

/* A section of the page with its heading; `id` is what a link to it names. */
void html_section_open(struct textbuf *out, const char *id, const char *title);
void html_section_close(struct textbuf *out);

/* A heading inside a section, and a paragraph. Both take plain text. */
void html_heading(struct textbuf *out, const char *title);
void html_paragraph(struct textbuf *out, const char *text);

/* A paragraph that says why there is nothing to show. */
void html_absent(struct textbuf *out, const char *why);

/* The three kinds of paragraph with numbers in them; a note is what is left out. */
void html_paragraph_printf(struct textbuf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void html_absent_printf(struct textbuf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void html_note(struct textbuf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A table with a caption and its head; it scrolls by itself where the window is too narrow. A column name that
 * starts with '#' holds numbers; the sign is not shown. */
void html_table_open(struct textbuf *out, const char *caption, const char *const *columns,
                     unsigned count);

/* The same in two steps, so that more can be written behind the caption in between. */
void html_table_start(struct textbuf *out, const char *caption);
void html_table_head(struct textbuf *out, const char *const *columns, unsigned count);

void html_table_close(struct textbuf *out);

void html_row_open(struct textbuf *out);
void html_row_close(struct textbuf *out);
void html_cell(struct textbuf *out, const char *text);
void html_cell_printf(struct textbuf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void html_cell_number(struct textbuf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A cell or a paragraph that is written piece by piece. A list of CPUs may break anywhere: it has no blanks. */
void html_cell_open(struct textbuf *out);
void html_cell_list_open(struct textbuf *out);
void html_cell_close(struct textbuf *out);
