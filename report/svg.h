#pragma once

#include "model/textbuf.h"
#include "report/axis.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Pictures of report.html: inline SVG with whole-number coordinates in CSS pixels, y downwards. Looks come from
 * the page's classes, so that a picture follows light, dark and print. Every picture has a title for a screen
 * reader; the numbers stand in a table beside it.
 */

/* Opens a picture in a box that scrolls by itself where the window is too narrow. `id` must be the page's only
 * one; `title` and `description` are plain text. */
void svg_open(struct textbuf *out, const char *id, uint32_t width, uint32_t height,
              const char *title, const char *description);
void svg_close(struct textbuf *out);

/* `classes` are names of the page's style sheet. */
void svg_line(struct textbuf *out, const char *classes, uint32_t x1, uint32_t y1, uint32_t x2,
              uint32_t y2);
void svg_rect(struct textbuf *out, const char *classes, uint32_t x, uint32_t y, uint32_t width,
              uint32_t height);
void svg_circle(struct textbuf *out, const char *classes, uint32_t x, uint32_t y, uint32_t radius);

/* Text that starts, is centred or ends at x. */
enum svg_anchor { SVG_START = 0, SVG_MIDDLE, SVG_END };
void svg_text(struct textbuf *out, const char *classes, enum svg_anchor anchor, uint32_t x,
              uint32_t y, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* A line through points that are added one by one. */
void svg_path_open(struct textbuf *out, const char *classes);
void svg_path_point(struct textbuf *out, bool is_first, uint32_t x, uint32_t y);
void svg_path_close(struct textbuf *out);
