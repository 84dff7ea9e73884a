#include "report/report_html_parts.h"

#include <string.h>

/* Findings in full; beyond that a line each, so that 4,096 of them keep the page below its size. */
#define IN_FULL_MAX 700U

static void filter_box(struct textbuf *out, const char *name, const char *value, const char *label,
                       uint32_t count)
{
    textbuf_printf(out,
                   "<label><input type=\"checkbox\" name=\"%s\" value=\"%s\" checked> %s "
                   "<span class=\"sev\">%u</span></label>\n",
                   name, value, label, count);
}

static uint32_t of_severity(const struct findings *findings, enum severity severity)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < findings->count; i++) {
        count += findings->items[i].severity == severity ? 1 : 0;
    }
    return count;
}

static void filter(const struct findings *findings, struct textbuf *out)
{
    static const enum verdict order[] = {VERDICT_FAIL, VERDICT_WARN, VERDICT_INFO, VERDICT_SKIP,
                                         VERDICT_PASS};
    struct totals totals = findings_totals(findings);

    textbuf_string(out, "<form class=\"filter\" id=\"filter\" hidden aria-label=\"Filter the "
                        "rules\">\n<fieldset><legend>Verdict</legend>\n");
    for (size_t i = 0; i < VERDICTS; i++) {
        filter_box(out, "verdict", report_html_verdict_class(order[i]), verdict_name(order[i]),
                   totals.by_verdict[order[i]] - findings->dropped_by_verdict[order[i]]);
    }
    textbuf_string(out, "</fieldset>\n<fieldset><legend>Severity</legend>\n");
    for (unsigned i = SEVERITY_CRITICAL; i <= SEVERITY_LOW; i++) {
        const char *name = severity_name((enum severity)i);

        filter_box(out, "severity", name, name, of_severity(findings, (enum severity)i));
    }
    textbuf_string(out, "</fieldset>\n<label>Words <input type=\"search\" id=\"filter-words\" "
                        "autocomplete=\"off\"></label>\n"
                        "<p class=\"sub\" id=\"filter-said\" role=\"status\"></p></form>\n");
}

static void line(struct textbuf *out, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        textbuf_printf(out, "<dt>%s</dt><dd>", name);
        html_text(out, text);
        textbuf_string(out, "</dd>\n");
    }
}

static void name_of(const struct finding *finding, struct textbuf *out)
{
    report_html_badge(out, finding->verdict);
    textbuf_printf(out, "<b>%s</b> ", finding->id);
    html_text(out, finding->title);
    textbuf_printf(out, " <span class=\"sev\">(%s)</span>", severity_name(finding->severity));
}

static void in_full(const struct finding *finding, uint32_t index, struct textbuf *out)
{
    textbuf_printf(out, "<details id=\"f%u\" data-verdict=\"%s\" data-severity=\"%s\"%s><summary>",
                   index, report_html_verdict_class(finding->verdict),
                   severity_name(finding->severity),
                   finding->verdict == VERDICT_FAIL ? " open" : "");
    name_of(finding, out);
    textbuf_string(out, "</summary>\n<dl class=\"finding\">\n<dt>where</dt><dd>");
    report_html_where(out, finding);
    textbuf_string(out, "</dd>\n");
    line(out, "expected", finding->expected);
    line(out, finding->verdict == VERDICT_SKIP ? "reason" : "actual", finding->actual);
    line(out, "why", finding->why);
    if (finding->verdict == VERDICT_FAIL || finding->verdict == VERDICT_WARN) {
        line(out, "advice", finding->advice);
    }
    line(out, "see", finding->spec);
    textbuf_string(out, "</dl></details>\n");
}

static void in_short(const struct finding *finding, uint32_t index, struct textbuf *out)
{
    textbuf_printf(out, "<p class=\"brief\" id=\"f%u\" data-verdict=\"%s\" data-severity=\"%s\">",
                   index, report_html_verdict_class(finding->verdict),
                   severity_name(finding->severity));
    report_html_badge(out, finding->verdict);
    textbuf_printf(out, "<b>%s</b> ", finding->id);
    report_html_where(out, finding);
    textbuf_string(out, " ");
    html_text(out, finding->actual);
    textbuf_string(out, "</p>\n");
}

void report_html_rules(const struct report *report, struct textbuf *out)
{
    const struct findings *findings = report->findings;

    html_paragraph(out, "Every rule with what it found: FAIL, WARN, INFO, then what could not be "
                        "judged (SKIP, never counted as good) and what holds (PASS). Open a line "
                        "for what was expected, why it matters and where it is written.");
    filter(findings, out);
    textbuf_string(out, "<div class=\"rules\">\n");
    for (uint32_t i = 0; i < findings->count; i++) {
        if (i < IN_FULL_MAX) {
            in_full(&findings->items[i], i, out);
        } else {
            in_short(&findings->items[i], i, out);
        }
    }
    textbuf_string(out, "</div>\n");
    if (findings->count > IN_FULL_MAX) {
        html_note(out, "From finding %u on only the line is shown; report.json has all of each.",
                  IN_FULL_MAX + 1);
    }
    if (findings->dropped > 0) {
        html_note(out, "%u more findings did not fit into memory.", findings->dropped);
    }
}
