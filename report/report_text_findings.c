#include "report/ranges.h"
#include "report/report_text_parts.h"

#include <string.h>

#define FIELD_COLUMN 16
#define ALSO_MAX 8 /* further findings of one rule that are shown */

static void field(struct textbuf *out, const char *label, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        wrap_text(out, label, FIELD_COLUMN, text);
    }
}

static void where(const struct finding *finding, struct textbuf *out)
{
    bool has_cpus = finding->cpus.words != NULL && cpuset_count(&finding->cpus) > 0;
    bool has_object = finding->object != NULL && finding->object[0] != '\0';
    struct wrap line;

    if (!has_cpus && !has_object) {
        return;
    }
    wrap_init(&line, out);
    wrap_printf(&line, "      where     ");
    if (has_cpus) {
        wrap_printf(&line, "CPU ");
        ranges_of_set(&line.line, &finding->cpus);
    }
    if (has_object) {
        wrap_printf(&line, "%s%s", has_cpus ? ": " : "", finding->object);
    }
    wrap_end(&line, FIELD_COLUMN);
}

/* FAIL and WARN in full: what should be, what is, and what to change. */
static void in_full(const struct finding *finding, struct textbuf *out)
{
    struct wrap line;

    wrap_init(&line, out);
    wrap_printf(&line, "%-5s %s (%s) %s", verdict_name(finding->verdict), finding->id,
                severity_name(finding->severity), finding->title);
    wrap_end(&line, 6);
    where(finding, out);
    field(out, "      expected", finding->expected);
    field(out, "      actual", finding->actual);
    field(out, "      why", finding->why);
    field(out, "      advice", finding->advice);
    field(out, "      see", finding->spec);
}

/* INFO: what was found, on one wrapped line. */
static void in_short(const struct finding *finding, struct textbuf *out)
{
    struct wrap line;

    wrap_init(&line, out);
    wrap_printf(&line, "%-5s %s ", verdict_name(finding->verdict), finding->id);
    if (finding->cpus.words != NULL && cpuset_count(&finding->cpus) > 0) {
        wrap_printf(&line, "CPU ");
        ranges_of_set(&line.line, &finding->cpus);
        wrap_printf(&line, ": ");
    }
    wrap_printf(&line, "%s",
                finding->actual == NULL || finding->actual[0] == '\0' ? finding->title
                                                                      : finding->actual);
    wrap_end(&line, 6);
}

static uint32_t count_of(const struct findings *findings, enum verdict verdict)
{
    struct totals totals = findings_totals(findings);

    return totals.by_verdict[verdict];
}

static bool is_same_rule(const struct finding *a, const struct finding *b)
{
    return a->verdict == b->verdict && strcmp(a->id, b->id) == 0;
}

/* A rule that is broken in many places is explained once: what else it found, a line each. Returns how many
 * findings behind `first` were dealt with. */
static uint32_t also(const struct findings *findings, uint32_t first, struct textbuf *out)
{
    const struct finding *rule = &findings->items[first];
    uint32_t count = 0;
    struct wrap line;

    wrap_init(&line, out);
    while (first + count + 1 < findings->count &&
           is_same_rule(rule, &findings->items[first + count + 1])) {
        const struct finding *finding = &findings->items[first + ++count];

        if (count > ALSO_MAX) {
            continue;
        }
        wrap_printf(&line, "      also      ");
        if (finding->cpus.words != NULL && cpuset_count(&finding->cpus) > 0) {
            wrap_printf(&line, "CPU ");
            ranges_of_set(&line.line, &finding->cpus);
            wrap_printf(&line, ": ");
        }
        wrap_printf(&line, "%s: %s", finding->object == NULL ? "" : finding->object,
                    finding->actual == NULL ? "" : finding->actual);
        wrap_end(&line, FIELD_COLUMN);
    }
    if (count > ALSO_MAX) {
        wrap_printf(&line, "      also      %u more of this rule: report.json has each",
                    count - ALSO_MAX);
        wrap_end(&line, FIELD_COLUMN);
    }
    return count;
}

static void of_verdict(const struct findings *findings, enum verdict verdict, struct textbuf *out)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];

        if (finding->verdict != verdict) {
            continue;
        }
        if (verdict == VERDICT_FAIL || verdict == VERDICT_WARN) {
            in_full(finding, out);
            i += also(findings, i, out);
        } else {
            in_short(finding, out);
        }
    }
}

/* Everything that holds in one line: the ids are in report.json and in `assay rules`. */
static void passed(const struct findings *findings, struct textbuf *out)
{
    uint32_t count = count_of(findings, VERDICT_PASS);
    struct wrap line;

    if (count == 0) {
        return;
    }
    wrap_init(&line, out);
    wrap_printf(&line, "PASS  %u requirement%s", count, count == 1 ? " is met" : "s are met");
    wrap_end(&line, 6);
}

static bool is_same_reason(const struct finding *a, const struct finding *b)
{
    return a->verdict == b->verdict && strcmp(a->actual, b->actual) == 0;
}

static bool is_first_of_reason(const struct findings *findings, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (is_same_reason(&findings->items[i], &findings->items[index])) {
            return false;
        }
    }
    return true;
}

/* SKIP: every reason once, with the rules that it kept from judging. */
void report_text_skipped(const struct report *report, struct textbuf *out)
{
    const struct findings *findings = report->findings;
    struct wrap line;

    if (count_of(findings, VERDICT_SKIP) == 0) {
        return;
    }
    wrap_heading(out, "Not judged, and why");

    wrap_init(&line, out);
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        const char *previous = "";

        if (finding->verdict != VERDICT_SKIP || !is_first_of_reason(findings, i)) {
            continue;
        }
        wrap_printf(&line, "%s:", finding->actual);
        for (uint32_t n = i; n < findings->count; n++) {
            const struct finding *other = &findings->items[n];

            if (is_same_reason(finding, other) && strcmp(other->id, previous) != 0) {
                wrap_printf(&line, " %s", other->id);
                previous = other->id;
            }
        }
        wrap_end(&line, 4);
    }
}

void report_text_findings(const struct report *report, struct textbuf *out)
{
    static const enum verdict order[] = {VERDICT_FAIL, VERDICT_WARN, VERDICT_INFO};
    const struct findings *findings = report->findings;
    struct wrap line;

    if (findings->count == 0) {
        return;
    }
    wrap_heading(out, "Findings");
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        of_verdict(findings, order[i], out);
    }
    passed(findings, out);
    if (findings->dropped > 0) {
        wrap_init(&line, out);
        wrap_printf(&line, "%u more findings did not fit into memory.", findings->dropped);
        wrap_end(&line, 6);
    }
}
