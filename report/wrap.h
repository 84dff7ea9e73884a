#pragma once

#include "model/textbuf.h"

/*
 * Lines of at most WRAP_COLUMNS columns of printable ASCII, whatever the text holds: other bytes become
 * '?', a longer line is broken at its last blank and goes on under an indent, a word longer than a line is
 * broken hard.
 */
#define WRAP_COLUMNS 80
#define WRAP_LINE_BYTES 768

/* One line in the making; a text longer than its buffer ends in "...". */
struct wrap {
    struct textbuf *out;
    struct textbuf line;
    char buffer[WRAP_LINE_BYTES];
};

void wrap_init(struct wrap *wrap, struct textbuf *out);

/* Appends to the line. */
void wrap_printf(struct wrap *wrap, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends blanks up to `column` (0-based); at least one when the line is already that long. */
void wrap_pad(struct wrap *wrap, unsigned column);

/* Writes the line out and starts the next; `indent` columns for what does not fit on the first. */
void wrap_end(struct wrap *wrap, unsigned indent);

/* `label` padded to `indent` columns, then `text` of any length, wrapped. */
void wrap_text(struct textbuf *out, const char *label, unsigned indent, const char *text);

/* An empty line, `title`, and a line of dashes as long as the title. */
void wrap_heading(struct textbuf *out, const char *title);
