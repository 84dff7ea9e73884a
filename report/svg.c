#include "report/svg.h"

#include "model/units.h"
#include "report/html.h"

#define FRACTION_BITS 16

uint32_t svg_log2_q16(uint64_t value)
{
    uint32_t whole = 0;
    uint64_t mantissa; /* 1 <= mantissa < 2, in 2^-31 */
    uint32_t result;

    if (value == 0) {
        return 0;
    }
    while (value >> whole > 1) {
        whole++;
    }
    mantissa = whole >= 31 ? value >> (whole - 31) : value << (31 - whole);
    result = whole;
    /* Squaring doubles the logarithm: each time the next bit of it comes out in front of the point. */
    for (unsigned bit = 0; bit < FRACTION_BITS; bit++) {
        mantissa = mantissa * mantissa >> 31;
        result <<= 1;
        if (mantissa >> 32 != 0) {
            mantissa >>= 1;
            result |= 1U;
        }
    }
    return result;
}

/* How far along the axis, in the numbers that its scale counts in. */
static uint64_t along(const struct svg_axis *axis, uint64_t value)
{
    return axis->scale == SVG_LOG ? svg_log2_q16(value) : value;
}

uint32_t svg_place(const struct svg_axis *axis, uint64_t value)
{
    uint64_t low = along(axis, axis->low);
    uint64_t span = along(axis, axis->high) - low;
    uint64_t pixels;

    if (axis->high <= axis->low || span == 0) {
        return axis->from;
    }
    value = value < axis->low ? axis->low : value;
    value = value > axis->high ? axis->high : value;
    pixels = axis->to > axis->from ? axis->to - axis->from : axis->from - axis->to;
    pixels = mul_div_round_u64(along(axis, value) - low, pixels, span);
    return axis->to > axis->from ? axis->from + (uint32_t)pixels : axis->from - (uint32_t)pixels;
}

/* The smallest of 1, 2, 5 times a power of ten that gives no more than `wanted` steps; at least 1. */
static uint64_t linear_step(const struct svg_axis *axis, unsigned wanted)
{
    uint64_t steps = wanted == 0 ? 1 : wanted;
    uint64_t rough = (axis->high - axis->low - 1) / steps + 1;
    uint64_t power = 1;

    while (power <= rough / 10) {
        power *= 10;
    }
    if (rough <= power) {
        return power;
    }
    return rough <= 2 * power ? 2 * power : rough <= 5 * power ? 5 * power : 10 * power;
}

static uint64_t up_to(const struct svg_axis *axis, uint64_t tick)
{
    return tick > axis->high ? UINT64_MAX : tick;
}

uint64_t svg_tick_first(const struct svg_axis *axis, unsigned wanted)
{
    uint64_t step;

    if (axis->high <= axis->low) {
        return UINT64_MAX;
    }
    if (axis->scale == SVG_LINEAR) {
        step = linear_step(axis, wanted);
        return up_to(axis, axis->low / step * step + (axis->low % step == 0 ? 0 : step));
    }
    step = 1;
    while (step < axis->low && step <= UINT64_MAX / 10) {
        step *= 10;
    }
    return up_to(axis, step);
}

uint64_t svg_tick_next(const struct svg_axis *axis, unsigned wanted, uint64_t tick)
{
    uint64_t step = axis->scale == SVG_LINEAR ? linear_step(axis, wanted) : 0;

    if (tick == UINT64_MAX || (axis->scale == SVG_LOG && tick > UINT64_MAX / 10) ||
        step > UINT64_MAX - tick) {
        return UINT64_MAX;
    }
    return up_to(axis, axis->scale == SVG_LINEAR ? tick + step : tick * 10);
}

void svg_axis_round(struct svg_axis *axis, unsigned wanted)
{
    uint64_t step = 1;

    if (axis->scale == SVG_LINEAR) {
        step = linear_step(axis, wanted);
        axis->low = axis->low / step * step;
        axis->high = axis->high > UINT64_MAX - step ? axis->high : (axis->high / step + 1) * step;
        return;
    }
    while (step <= axis->low / 10) {
        step *= 10;
    }
    axis->low = step;
    while (step < axis->high && step <= UINT64_MAX / 10) {
        step *= 10;
    }
    axis->high = step > axis->low ? step : axis->low * 10;
}

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
