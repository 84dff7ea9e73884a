#include "report/cause.h"
#include "report/ranges.h"
#include "report/report_html_parts.h"

#include <string.h>

#define WORST_MAX 5

static const char *or_unknown(const char *text)
{
    return text == NULL || text[0] == '\0' ? "unknown" : text;
}

const char *report_html_verdict_class(enum verdict verdict)
{
    static const char *const names[VERDICTS] = {"pass", "fail", "warn", "info", "skip"};

    return (unsigned)verdict < VERDICTS ? names[verdict] : "skip";
}

void report_html_badge(struct textbuf *out, enum verdict verdict)
{
    textbuf_printf(out, "<span class=\"badge %s\">%s</span> ", report_html_verdict_class(verdict),
                   verdict_name(verdict));
}

void report_html_machine_name(const struct platform *platform, struct textbuf *out)
{
    if (platform->product != NULL) {
        html_printf(out, "%s %s", platform->vendor == NULL ? "" : platform->vendor,
                    platform->product);
    } else if (platform->identity.avail == AVAIL_PRESENT && platform->identity.brand[0] != '\0') {
        html_printf(out, "A machine with %s", platform->identity.brand);
    } else {
        html_text(out, platform->source_name == NULL || platform->source_name[0] == '\0'
                           ? "Unnamed machine"
                           : platform->source_name);
    }
}

static void fact(struct textbuf *out, const char *name, const char *value)
{
    textbuf_string(out, "<dt>");
    html_text(out, name);
    textbuf_string(out, "</dt><dd>");
    html_text(out, value);
    textbuf_string(out, "</dd>\n");
}

static void title(const struct platform *platform, struct textbuf *out)
{
    textbuf_string(out, "<p class=\"eyebrow\">Assay: CPU power management of this firmware, "
                        "claimed, assumed and measured</p>\n<h1>");
    report_html_machine_name(platform, out);
    textbuf_string(out, "</h1>\n");
}

static void cpu_fact(const struct platform *platform, struct textbuf *out)
{
    const struct cpu_identity *identity = &platform->identity;

    textbuf_string(out, "<dt>CPU</dt><dd>");
    if (identity->avail == AVAIL_PRESENT) {
        html_printf(out, "%s, %s family %u model %u stepping %u", or_unknown(identity->brand),
                    identity->vendor_text, identity->family, identity->model, identity->stepping);
    } else {
        textbuf_string(out, "not known (no CPUID)");
    }
    html_printf(out, ", %u CPU%s", platform->cpus_count, platform->cpus_count == 1 ? "" : "s");
    textbuf_string(out, "</dd>\n");
}

static void machine(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    title(platform, out);
    textbuf_string(out, "<dl class=\"facts\">\n");
    cpu_fact(platform, out);
    if (platform->firmware_version != NULL) {
        textbuf_string(out, "<dt>Firmware</dt><dd>");
        html_printf(out, "%s, %s", platform->firmware_version, or_unknown(platform->firmware_date));
        textbuf_string(out, "</dd>\n");
    }
    if (platform->source != SOURCE_FIRMWARE) {
        fact(out, "From", or_unknown(platform->source_name));
    }
    textbuf_string(out, "<dt>Assay</dt><dd>");
    html_printf(out, "%s (%s), ACPICA %s", report->build->version, report->build->build,
                report->build->acpica);
    textbuf_string(out, "</dd>\n");
    if (platform->is_emulated) {
        fact(out, "Note",
             "Runs under a hypervisor or emulator: timed figures say nothing about silicon.");
    }
    if (platform->is_tables_from_medium) {
        fact(out, "Note",
             "The ACPI tables come from the boot medium, not from this machine's firmware.");
    }
    if (platform->acpi_error != NULL) {
        fact(out, "ACPI", platform->acpi_error);
    }
    if (platform->incomplete != NULL) {
        fact(out, "Incomplete", platform->incomplete);
    }
    textbuf_string(out, "</dl>\n");
}

static void verdict(const struct report *report, struct textbuf *out)
{
    struct totals totals = findings_totals(report->findings);
    const uint32_t *by = totals.by_verdict;
    bool is_whole = report->platform->incomplete == NULL && report->findings->count > 0;
    bool is_felt = cause_is_any(report->platform);
    const char *kind = by[VERDICT_FAIL] > 0                ? "fail"
                       : by[VERDICT_WARN] > 0 || !is_whole ? "warn"
                       : is_felt                           ? "info"
                                                           : "pass";

    textbuf_printf(out, "<div class=\"verdict %s\"><strong>Verdict: %s%s</strong><span>", kind,
                   report_verdict(report),
                   !is_whole || by[VERDICT_FAIL] > 0 ? ""
                   : by[VERDICT_WARN] > 0            ? ", with warnings"
                   : is_felt                         ? " of the firmware"
                                                     : "");
    html_printf(out, "%u failed, %u warning%s, %u passed, %u noted, %u not judged",
                by[VERDICT_FAIL], by[VERDICT_WARN], by[VERDICT_WARN] == 1 ? "" : "s",
                by[VERDICT_PASS], by[VERDICT_INFO], by[VERDICT_SKIP]);
    textbuf_string(out, "</span></div>\n");
}

void report_html_where(struct textbuf *out, const struct finding *finding)
{
    bool has_cpus = finding->cpus.words != NULL && cpuset_count(&finding->cpus) > 0;
    bool has_object = finding->object != NULL && finding->object[0] != '\0';

    if (has_cpus) {
        textbuf_string(out, "CPU ");
        ranges_of_set(out, &finding->cpus);
    }
    if (has_object) {
        textbuf_string(out, has_cpus ? ": <code>" : "<code>");
        html_text(out, finding->object);
        textbuf_string(out, "</code>");
    }
}

static bool is_worth_a_look(enum verdict verdict)
{
    return verdict == VERDICT_FAIL || verdict == VERDICT_WARN || verdict == VERDICT_INFO;
}

/* How often the rule of `index` has this verdict; 0 when an earlier finding has both, too. */
static uint32_t times(const struct findings *findings, uint32_t index)
{
    const struct finding *first = &findings->items[index];
    uint32_t count = 0;

    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *other = &findings->items[i];

        if (other->verdict == first->verdict && strcmp(other->id, first->id) == 0) {
            if (i < index) {
                return 0;
            }
            count++;
        }
    }
    return count;
}

static void one_of_the_worst(const struct findings *findings, uint32_t index, uint32_t count,
                             struct textbuf *out)
{
    const struct finding *finding = &findings->items[index];

    textbuf_string(out, "<li><p class=\"name\">");
    report_html_badge(out, finding->verdict);
    textbuf_printf(out, "<a href=\"#f%u\">%s</a> ", index, finding->id);
    html_text(out, finding->title);
    textbuf_printf(out, " <span class=\"sev\">(%s)</span></p>\n<p>",
                   severity_name(finding->severity));
    report_html_where(out, finding);
    textbuf_string(out, finding->object != NULL && finding->object[0] != '\0' ? ": " : "");
    html_text(out, finding->actual);
    if (count > 1) {
        html_printf(out, " (and %u more of this rule)", count - 1);
    }
    textbuf_string(out, "</p>\n");
    if (finding->verdict != VERDICT_INFO && finding->advice != NULL) {
        textbuf_string(out, "<p class=\"sub\">");
        html_text(out, finding->advice);
        textbuf_string(out, "</p>\n");
    }
    textbuf_string(out, "</li>\n");
}

/* The findings are sorted: FAIL, WARN, INFO, each by severity. A rule is named once. */
static void worst(const struct findings *findings, struct textbuf *out)
{
    uint32_t shown = 0;

    textbuf_string(out, "<div class=\"worst\"><h2>What matters most</h2>\n");
    for (uint32_t i = 0; i < findings->count && shown < WORST_MAX; i++) {
        uint32_t count = is_worth_a_look(findings->items[i].verdict) ? times(findings, i) : 0;

        if (count == 0) {
            continue;
        }
        textbuf_string(out, shown++ == 0 ? "<ol>\n" : "");
        one_of_the_worst(findings, i, count, out);
    }
    textbuf_string(out, shown > 0 ? "</ol>\n" : "<p>Every rule that could be judged holds.</p>\n");
    textbuf_string(out, "</div>\n");
}

void report_html_overview(const struct report *report, struct textbuf *out)
{
    textbuf_string(out, "<header class=\"top\" id=\"main\">\n");
    machine(report, out);
    verdict(report, out);
    report_html_cause(report->platform, out);
    worst(report->findings, out);
    textbuf_string(out, "</header>\n");
}
