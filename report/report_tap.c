#include "report/ranges.h"
#include "report/report.h"

/* TAP 14 (testanything.org, TAP version 14 specification, Escaping): # starts a directive and a backslash
 * escapes, so each takes a backslash in front; a line break must not come from the text. */
static void plain(struct textbuf *out, const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        bool is_plain = *text >= ' ' && *text <= '~';

        if (*text == '#' || *text == '\\') {
            textbuf_byte(out, '\\');
        }
        textbuf_byte(out, is_plain ? *text : '?');
    }
}

/* A single-quoted YAML 1.1 scalar: a quote is doubled. */
static void yaml(struct textbuf *out, const char *key, const char *text)
{
    if (text == NULL || text[0] == '\0') {
        return;
    }
    textbuf_printf(out, "  %s: '", key);
    for (; *text != '\0'; text++) {
        bool is_printable = *text >= ' ' && *text <= '~';

        if (*text == '\'') {
            textbuf_byte(out, '\'');
        }
        textbuf_byte(out, is_printable ? *text : '?');
    }
    textbuf_string(out, "'\n");
}

static void diagnosis(const struct finding *finding, struct textbuf *out)
{
    textbuf_string(out, "  ---\n");
    yaml(out, "severity", severity_name(finding->severity));
    if (finding->cpus.words != NULL && cpuset_count(&finding->cpus) > 0) {
        textbuf_string(out, "  cpus: '");
        ranges_of_set(out, &finding->cpus);
        textbuf_string(out, "'\n");
    }
    yaml(out, "object", finding->object);
    yaml(out, "expected", finding->expected);
    yaml(out, "actual", finding->actual);
    yaml(out, "advice", finding->advice);
    yaml(out, "spec", finding->spec);
    textbuf_string(out, "  ...\n");
}

void report_tap(const struct report *report, struct textbuf *out)
{
    const struct findings *findings = report->findings;

    textbuf_printf(out, "TAP version 14\n1..%u\n", findings->count);
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        bool is_failed = finding->verdict == VERDICT_FAIL;

        textbuf_printf(out, "%s %u - %s ", is_failed ? "not ok" : "ok", i + 1, finding->id);
        plain(out, finding->title);
        if (finding->verdict == VERDICT_SKIP) {
            textbuf_string(out, " # SKIP ");
            plain(out, finding->actual);
        }
        textbuf_byte(out, '\n');
        if (is_failed || finding->verdict == VERDICT_WARN) {
            diagnosis(finding, out);
        }
    }
}
