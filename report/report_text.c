#include "report/cause.h"
#include "report/report_pages.h"
#include "report/report_text_parts.h"

#include <string.h>

static const char *or_unknown(const char *text)
{
    return text == NULL || text[0] == '\0' ? "unknown" : text;
}

static void machine_lines(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    wrap_init(&line, out);
    wrap_printf(&line, "Assay       %s (%s), ACPICA %s", report->build->version,
                report->build->build, report->build->acpica);
    wrap_end(&line, TEXT_LABEL_COLUMN);
    if (platform->source == SOURCE_FIRMWARE || platform->product != NULL) {
        wrap_printf(&line, "Machine     %s %s", or_unknown(platform->vendor),
                    or_unknown(platform->product));
        wrap_end(&line, TEXT_LABEL_COLUMN);
    }
    if (platform->firmware_version != NULL) {
        wrap_printf(&line, "Firmware    %s, %s", platform->firmware_version,
                    or_unknown(platform->firmware_date));
        wrap_end(&line, TEXT_LABEL_COLUMN);
    }
    if (platform->source != SOURCE_FIRMWARE) {
        wrap_text(out, "From", TEXT_LABEL_COLUMN, or_unknown(platform->source_name));
    }
    if (platform->is_tables_from_medium) {
        wrap_text(out, "Note", TEXT_LABEL_COLUMN,
                  "The ACPI tables come from the boot medium, not from this machine's firmware.");
    }
}

static void cpu_lines(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    const struct cpu_identity *identity = &platform->identity;
    struct wrap line;

    wrap_init(&line, out);
    wrap_printf(&line, "CPU         ");
    if (identity->avail != AVAIL_PRESENT) {
        wrap_printf(&line, "not known (no CPUID)");
    } else {
        wrap_printf(&line, "%s, %s family %u model %u stepping %u", or_unknown(identity->brand),
                    identity->vendor_text, identity->family, identity->model, identity->stepping);
    }
    wrap_printf(&line, ", %u CPU%s", platform->cpus_count, platform->cpus_count == 1 ? "" : "s");
    wrap_end(&line, TEXT_LABEL_COLUMN);
    if (platform->is_emulated) {
        wrap_printf(&line,
                    "Note        Runs under a hypervisor or emulator (%s): timed figures say "
                    "nothing about silicon.",
                    or_unknown(identity->hypervisor_text));
        wrap_end(&line, TEXT_LABEL_COLUMN);
    }
    if (platform->mp_note != NULL) {
        wrap_text(out, "Other CPUs", TEXT_LABEL_COLUMN, platform->mp_note);
    }
}

static void acpi_lines(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (platform->acpi_error != NULL) {
        wrap_text(out, "ACPI", TEXT_LABEL_COLUMN, platform->acpi_error);
        return;
    }
    wrap_init(&line, out);
    wrap_printf(&line, "ACPI        %u tables", platform->tables_count);
    if (platform->fadt.avail == AVAIL_PRESENT) {
        wrap_printf(&line, ", FADT revision %u", platform->fadt.revision);
    }
    if (platform->madt.avail == AVAIL_PRESENT) {
        wrap_printf(&line, ", MADT %u of %u processors enabled", platform->madt.enabled_count,
                    platform->madt.count);
    }
    wrap_printf(&line, ", %u in the namespace", platform->processors_count);
    wrap_end(&line, TEXT_LABEL_COLUMN);
    if (platform->incomplete != NULL) {
        wrap_text(out, "Incomplete", TEXT_LABEL_COLUMN, platform->incomplete);
    }
}

const char *report_verdict(const struct report *report)
{
    if (findings_totals(report->findings).by_verdict[VERDICT_FAIL] > 0) {
        return "FAIL";
    }
    /* Nothing was judged, or not everything was there to be judged: that is no good news. */
    return report->platform->incomplete != NULL || report->findings->count == 0 ? "incomplete"
                                                                                : "no failure";
}

static void verdict_line(const struct report *report, struct textbuf *out)
{
    struct totals totals = findings_totals(report->findings);
    const uint32_t *by = totals.by_verdict;
    bool is_only_felt = report->platform->incomplete == NULL && by[VERDICT_FAIL] == 0 &&
                        by[VERDICT_WARN] == 0 && cause_is_any(report->platform);
    struct wrap line;

    wrap_init(&line, out);
    wrap_printf(&line,
                "Verdict     %s%s: %u failed, %u warning%s, %u passed, %u noted, %u not judged",
                report_verdict(report), is_only_felt ? " of the firmware" : "", by[VERDICT_FAIL],
                by[VERDICT_WARN], by[VERDICT_WARN] == 1 ? "" : "s", by[VERDICT_PASS],
                by[VERDICT_INFO], by[VERDICT_SKIP]);
    wrap_end(&line, TEXT_LABEL_COLUMN);
}

void report_final_line(const struct report *report, struct textbuf *out)
{
    struct totals totals = findings_totals(report->findings);
    const uint32_t *by = totals.by_verdict;

    textbuf_printf(out, "assay: %u pass, %u fail, %u warn, %u skip\n", by[VERDICT_PASS],
                   by[VERDICT_FAIL], by[VERDICT_WARN], by[VERDICT_SKIP]);
}

void report_summary(const struct report *report, struct textbuf *out)
{
    verdict_line(report, out);
    report_text_cause(report, out);
    report_text_findings(report, out);
    textbuf_byte(out, '\n');
    report_final_line(report, out);
}

void report_text(const struct report *report, struct textbuf *out)
{
    machine_lines(report, out);
    cpu_lines(report, out);
    acpi_lines(report, out);
    verdict_line(report, out);
    report_text_cause(report, out);
    report_text_findings(report, out);
    for (uint32_t i = 0; i < report_pages_count(); i++) {
        const struct report_page *page = report_pages_at(i);

        if (page->is_section) {
            page->write(report, out);
        }
    }
    textbuf_byte(out, '\n');
    report_final_line(report, out);
}
