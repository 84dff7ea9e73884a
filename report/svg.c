#include "report/svg.h"

#include "report/html.h"

void svg_open(struct textbuf *out, const char *id, uint32_t width, uint32_t height,
              const char *title, const char *description)
{
    textbuf_string(out, "<figure class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html_text(out, title);
    textbuf_printf(out,
                   "\"><svg viewBox=\"0 0 %u %u\" width=\"%u\" height=\"%u\" role=\"img\" "
                   "aria-labelledby=\"%s-t %s-d\"><title id=\"%s-t\">",
                   width, height, width, height, id, id, id);
    html_text(out, title);
    textbuf_printf(out, "</title><desc id=\"%s-d\">", id);
    html_text(out, description);
    textbuf_string(out, "</desc>\n");
}

void svg_close(struct textbuf *out)
{
    textbuf_string(out, "</svg></figure>\n");
}

void svg_line(struct textbuf *out, const char *classes, uint32_t x1, uint32_t y1, uint32_t x2,
              uint32_t y2)
{
    textbuf_printf(out, "<line class=\"%s\" x1=\"%u\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n", classes,
                   x1, y1, x2, y2);
}

void svg_rect(struct textbuf *out, const char *classes, uint32_t x, uint32_t y, uint32_t width,
              uint32_t height)
{
    textbuf_printf(out, "<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>\n",
                   classes, x, y, width, height);
}

void svg_circle(struct textbuf *out, const char *classes, uint32_t x, uint32_t y, uint32_t radius)
{
    textbuf_printf(out, "<circle class=\"%s\" cx=\"%u\" cy=\"%u\" r=\"%u\"/>\n", classes, x, y,
                   radius);
}

void svg_text(struct textbuf *out, const char *classes, enum svg_anchor anchor, uint32_t x,
              uint32_t y, const char *format, ...)
{
    static const char *const anchors[] = {
        [SVG_START] = "", [SVG_MIDDLE] = " middle", [SVG_END] = " end"};
    struct html_escape escape;
    va_list arguments;

    textbuf_printf(out, "<text class=\"%s%s\" x=\"%u\" y=\"%u\">", classes, anchors[anchor], x, y);
    html_escape_start(&escape, out);
    va_start(arguments, format);
    textbuf_vprintf(&escape.text, format, arguments);
    va_end(arguments);
    html_escape_end(&escape);
    textbuf_string(out, "</text>\n");
}

void svg_path_open(struct textbuf *out, const char *classes)
{
    textbuf_printf(out, "<path class=\"%s\" d=\"", classes);
}

void svg_path_point(struct textbuf *out, bool is_first, uint32_t x, uint32_t y)
{
    textbuf_printf(out, "%c%u %u", is_first ? 'M' : 'L', x, y);
}

void svg_path_close(struct textbuf *out)
{
    textbuf_string(out, "\"/>\n");
}
