#include "report/html_heat.h"

#include "report/ranges.h"
#include "report/svg.h"

#define CELL 18U
#define LEFT 52U
#define TOP 22U
#define LEVELS 10U

struct spread {
    uint32_t count;
    uint64_t low;
    uint64_t high;
};

static struct spread spread_of(const struct html_heat *heat)
{
    struct spread spread = {0, UINT64_MAX, 0};
    uint64_t value;

    for (uint32_t cpu = 0; cpu < heat->cpus_count; cpu++) {
        if (heat->value(heat->context, cpu, &value)) {
            spread.count++;
            spread.low = value < spread.low ? value : spread.low;
            spread.high = value > spread.high ? value : spread.high;
        }
    }
    return spread;
}

/* 0 for the lowest value, LEVELS - 1 for the highest. */
static uint32_t level_of(const struct spread *spread, uint64_t value)
{
    uint64_t span = spread->high - spread->low;
    uint64_t step = span / LEVELS + 1;
    uint64_t level = (value - spread->low) / step;

    return level < LEVELS ? (uint32_t)level : LEVELS - 1;
}

/* One path a level, one square a CPU: small, however many CPUs there are. */
static void shade(const struct html_heat *heat, const struct spread *spread, uint32_t level,
                  struct textbuf *out)
{
    bool is_any = false;
    uint64_t value;

    for (uint32_t cpu = 0; cpu < heat->cpus_count; cpu++) {
        if (!heat->value(heat->context, cpu, &value) || level_of(spread, value) != level) {
            continue;
        }
        if (!is_any) {
            textbuf_printf(out, "<path class=\"cell\" fill-opacity=\"0.%02u\" d=\"", 5 + level * 5);
            is_any = true;
        }
        textbuf_printf(out, "M%u %uh%uv%uh-%uz", LEFT + cpu % HTML_HEAT_COLUMNS * CELL,
                       TOP + cpu / HTML_HEAT_COLUMNS * CELL, CELL, CELL, CELL);
    }
    textbuf_string(out, is_any ? "\"/>\n" : "");
}

static uint32_t columns_of(const struct html_heat *heat)
{
    return heat->cpus_count < HTML_HEAT_COLUMNS ? heat->cpus_count : HTML_HEAT_COLUMNS;
}

static void digits(const struct html_heat *heat, const struct spread *spread, uint32_t row,
                   struct textbuf *out)
{
    uint32_t first = row * HTML_HEAT_COLUMNS;
    uint32_t y = TOP + row * CELL + CELL - 5;
    uint64_t value;

    svg_text(out, "dim small", SVG_END, LEFT - 8, y, "%u", first);
    textbuf_string(out, "<text class=\"mono\" x=\"");
    for (uint32_t i = 0; i < HTML_HEAT_COLUMNS && first + i < heat->cpus_count; i++) {
        textbuf_printf(out, "%s%u", i == 0 ? "" : " ", LEFT + i * CELL + 6);
    }
    textbuf_printf(out, "\" y=\"%u\">", y);
    for (uint32_t i = 0; i < HTML_HEAT_COLUMNS && first + i < heat->cpus_count; i++) {
        if (heat->value(heat->context, first + i, &value)) {
            textbuf_printf(out, "%u", level_of(spread, value));
        } else {
            textbuf_byte(out, '-');
        }
    }
    textbuf_string(out, "</text>\n");
}

static void picture(const struct html_heat *heat, const struct spread *spread, struct textbuf *out)
{
    uint32_t rows = (heat->cpus_count + HTML_HEAT_COLUMNS - 1) / HTML_HEAT_COLUMNS;
    char id[32];
    struct textbuf name;

    textbuf_init(&name, id, sizeof(id), NULL, NULL);
    textbuf_printf(&name, "%s%u", heat->id, heat->number);
    svg_open(out, id, LEFT + columns_of(heat) * CELL + 4, TOP + rows * CELL + 4, heat->title,
             "One cell a CPU, by number from left to right; 0 is the least, 9 the most.");
    svg_text(out, "dim small", SVG_END, LEFT - 8, TOP - 8, "CPU");
    for (uint32_t i = 0; i < columns_of(heat); i += 8) {
        svg_text(out, "dim small", SVG_START, LEFT + i * CELL + 5, TOP - 8, "+%u", i);
    }
    for (uint32_t level = 0; level < LEVELS; level++) {
        shade(heat, spread, level, out);
    }
    for (uint32_t row = 0; row < rows; row++) {
        digits(heat, spread, row, out);
    }
    svg_close(out);
}

static void legend_row(const struct html_heat *heat, const struct spread *spread, uint32_t level,
                       struct textbuf *out)
{
    struct spread inside = {0, UINT64_MAX, 0};
    struct ranges ranges;
    uint64_t value;

    for (uint32_t cpu = 0; cpu < heat->cpus_count; cpu++) {
        if (heat->value(heat->context, cpu, &value) && level_of(spread, value) == level) {
            inside.count++;
            inside.low = value < inside.low ? value : inside.low;
            inside.high = value > inside.high ? value : inside.high;
        }
    }
    if (inside.count == 0) {
        return;
    }
    html_row_open(out);
    html_cell_printf(out, "%u", level);
    html_cell_number(out, "%llu", (unsigned long long)inside.low);
    html_cell_number(out, "%llu", (unsigned long long)inside.high);
    html_cell_list_open(out);
    ranges_start(&ranges, out);
    for (uint32_t cpu = 0; cpu < heat->cpus_count; cpu++) {
        if (heat->value(heat->context, cpu, &value) && level_of(spread, value) == level) {
            ranges_add(&ranges, cpu);
        }
    }
    ranges_end(&ranges);
    html_cell_close(out);
    html_row_close(out);
}

void html_heat(struct textbuf *out, const struct html_heat *heat)
{
    static const char *const columns[] = {"digit", "#from", "#to", "CPUs"};
    struct spread spread = spread_of(heat);

    if (spread.count == 0) {
        return;
    }
    html_heading(out, heat->title);
    if (spread.low == spread.high) {
        html_paragraph_printf(out, "%llu on each of %u CPU%s.", (unsigned long long)spread.low,
                              spread.count, spread.count == 1 ? "" : "s");
        return;
    }
    picture(heat, &spread, out);
    html_table_open(out, "What the digits stand for", columns, 4);
    for (uint32_t level = 0; level < LEVELS; level++) {
        legend_row(heat, &spread, level, out);
    }
    html_table_close(out);
}
