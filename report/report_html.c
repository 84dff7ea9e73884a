#include "report/report_html_parts.h"

struct part {
    const char *id;
    const char *name;
    void (*write)(const struct report *report, struct textbuf *out);
};

static const struct part parts[] = {
    {"columns", "Side by side", report_html_columns},
    {"pstates", "P-states", report_html_pstates},
    {"idle", "Idle states", report_html_idle},
    {"contention", "Contention", report_html_contention},
    {"measured", "Measured clocks", report_html_measured},
    {"work", "Work and energy", report_html_work},
    {"clocks", "Time sources", report_html_clocks},
    {"linux", "As Linux sees it", report_html_linux},
    {"governor", "The governor's loop", report_html_governor},
    {"rules", "All rules", report_html_rules},
    {"processors", "Processors", report_html_processors},
    {"objects", "Raw objects", report_html_objects},
    {"msrs", "MSRs", report_html_msrs},
    {"tables", "ACPI tables", report_html_tables},
};

#define PARTS (sizeof(parts) / sizeof(parts[0]))

static void pieces(const char *const *list, struct textbuf *out)
{
    for (; *list != NULL; list++) {
        textbuf_string(out, *list);
    }
}

static void head(const struct report *report, struct textbuf *out)
{
    textbuf_string(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                        "<link rel=\"icon\" href=\"data:,\">\n<title>Assay: ");
    report_html_machine_name(report->platform, out);
    textbuf_string(out, "</title>\n<style>\n");
    pieces(html_style, out);
    textbuf_string(out, "</style>\n</head>\n");
}

static void contents(struct textbuf *out)
{
    textbuf_string(out, "<nav class=\"toc\" aria-labelledby=\"h-toc\"><h2 id=\"h-toc\">On this "
                        "page</h2>\n<ul>\n");
    for (size_t i = 0; i < PARTS; i++) {
        textbuf_printf(out, "<li><a href=\"#%s\">", parts[i].id);
        html_text(out, parts[i].name);
        textbuf_string(out, "</a></li>\n");
    }
    textbuf_string(out, "</ul></nav>\n");
}

/* Hatching tells the second read from the first without colour; a picture names it by its id. */
static void patterns(struct textbuf *out)
{
    textbuf_string(out,
                   "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" "
                   "style=\"position:absolute\"><defs><pattern id=\"hatch\" width=\"5\" "
                   "height=\"5\" patternUnits=\"userSpaceOnUse\"><path d=\"M0 5L5 0\" "
                   "style=\"stroke:var(--assumed);stroke-width:1.4\"/></pattern></defs></svg>\n");
}

void report_html(const struct report *report, struct textbuf *out)
{
    head(report, out);
    textbuf_string(out, "<body>\n<a class=\"skip-link\" href=\"#main\">Skip to the report</a>\n"
                        "<div class=\"page\">\n");
    patterns(out);
    report_html_overview(report, out);
    contents(out);
    textbuf_string(out, "<div class=\"body\">\n");
    for (size_t i = 0; i < PARTS; i++) {
        html_section_open(out, parts[i].id, parts[i].name);
        parts[i].write(report, out);
        html_section_close(out);
    }
    textbuf_string(out, "</div>\n</div>\n<script>\n");
    pieces(html_script, out);
    textbuf_string(out, "</script>\n</body>\n</html>\n");
}
