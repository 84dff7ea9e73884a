#include "model/utf8.h"
#include "report/ranges.h"
#include "report/report.h"

#include <string.h>

/* Character data and attribute values of XML 1.0: markup escaped, what is no XML character (2.2 Characters:
 * most of the controls) as '?', bytes that are no UTF-8 as U+FFFD. */
static void xml_byte(struct textbuf *out, char byte)
{
    switch (byte) {
    case '<':
        textbuf_string(out, "&lt;");
        break;
    case '>':
        textbuf_string(out, "&gt;");
        break;
    case '&':
        textbuf_string(out, "&amp;");
        break;
    case '"':
        textbuf_string(out, "&quot;");
        break;
    default:
        textbuf_byte(out, byte >= ' ' && byte <= '~' ? byte : '?');
        break;
    }
}

static void xml(struct textbuf *out, const char *text)
{
    size_t length = text == NULL ? 0 : strlen(text);

    for (size_t at = 0; at < length;) {
        bool is_valid = false;
        size_t sequence = utf8_sequence(text + at, length - at, &is_valid);

        bool is_noncharacter = sequence == 3 && (memcmp(text + at, "\xEF\xBF\xBE", 3) == 0 ||
                                                 memcmp(text + at, "\xEF\xBF\xBF", 3) == 0);

        if (!is_valid || is_noncharacter) {
            textbuf_string(out, UTF8_REPLACEMENT);
        } else if (sequence == 1) {
            xml_byte(out, text[at]);
        } else {
            textbuf_bytes(out, text + at, sequence);
        }
        at += sequence;
    }
}

static void line(struct textbuf *out, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        textbuf_printf(out, "%s: ", name);
        xml(out, text);
        textbuf_byte(out, '\n');
    }
}

static void details(const struct finding *finding, struct textbuf *out)
{
    if (finding->cpus.words != NULL && cpuset_count(&finding->cpus) > 0) {
        textbuf_string(out, "cpus: ");
        ranges_of_set(out, &finding->cpus);
        textbuf_byte(out, '\n');
    }
    line(out, "object", finding->object);
    line(out, "expected", finding->expected);
    line(out, "actual", finding->actual);
    line(out, "why", finding->why);
    line(out, "advice", finding->advice);
    line(out, "spec", finding->spec);
}

static void element(const struct finding *finding, const char *name, struct textbuf *out)
{
    textbuf_printf(out, "    <%s type=\"%s\" message=\"", name, severity_name(finding->severity));
    xml(out, finding->actual);
    textbuf_string(out, "\">");
    details(finding, out);
    textbuf_printf(out, "</%s>\n", name);
}

static void test_case(const struct finding *finding, struct textbuf *out)
{
    textbuf_string(out, "  <testcase classname=\"assay.");
    xml(out, finding->id);
    textbuf_string(out, "\" name=\"");
    xml(out, finding->title);
    textbuf_string(out, "\">\n");
    if (finding->verdict == VERDICT_FAIL) {
        element(finding, "failure", out);
    } else if (finding->verdict == VERDICT_SKIP) {
        textbuf_string(out, "    <skipped message=\"");
        xml(out, finding->actual);
        textbuf_string(out, "\"/>\n");
    } else if (finding->verdict != VERDICT_PASS) {
        textbuf_printf(out, "    <system-out>%s\n", verdict_name(finding->verdict));
        details(finding, out);
        textbuf_string(out, "</system-out>\n");
    }
    textbuf_string(out, "  </testcase>\n");
}

void report_junit(const struct report *report, struct textbuf *out)
{
    const struct findings *findings = report->findings;
    struct totals totals = findings_totals(findings);

    textbuf_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    textbuf_printf(out,
                   "<testsuite name=\"assay\" tests=\"%u\" failures=\"%u\" errors=\"0\" "
                   "skipped=\"%u\">\n",
                   findings->count, totals.by_verdict[VERDICT_FAIL],
                   totals.by_verdict[VERDICT_SKIP]);
    for (uint32_t i = 0; i < findings->count; i++) {
        test_case(&findings->items[i], out);
    }
    textbuf_string(out, "</testsuite>\n");
}
