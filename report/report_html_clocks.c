#include "report/report_html_parts.h"

void report_html_clocks(const struct report *report, struct textbuf *out)
{
    static const char *const columns[] = {"clock", "#Hz", "#+/- ppm", "from", "status", "why"};
    const struct platform *platform = report->platform;

    if (platform->clocks_count == 0) {
        html_absent(out, "No clock was looked at.");
        return;
    }
    html_table_open(out, "The clocks of this machine", columns, 6);
    for (uint32_t i = 0; i < platform->clocks_count && i < PLATFORM_CLOCKS; i++) {
        const struct clock *clock = &platform->clocks[i];

        html_row_open(out);
        html_cell(out, clock->name);
        if (clock->hz != 0) {
            html_cell_number(out, "%llu", (unsigned long long)clock->hz);
            html_cell_number(out, "%llu", (unsigned long long)clock->uncertainty_ppm);
        } else {
            html_cell(out, "not known");
            html_cell(out, "");
        }
        html_cell(out, clock->from);
        html_cell(out, clock->status);
        html_cell(out, clock->why);
        html_row_close(out);
    }
    html_table_close(out);
}
