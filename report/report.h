#pragma once

#include "model/build_info.h"
#include "model/finding.h"
#include "model/platform.h"
#include "model/textbuf.h"

/*
 * The writers: bytes out, no judgement, no allocation. Each writes one whole report into `out` and leaves
 * failure in out->has_failed.
 */
struct report {
    const struct build_info *build;
    const struct platform *platform;
    const struct findings *findings; /* sorted */
};

/* report.json of interfaces.md: strict JSON, UTF-8, whatever bytes the firmware holds. */
void report_json(const struct report *report, struct textbuf *out);

/* report.html: one page of its own, with pictures, that needs no network, no script and no second file. */
void report_html(const struct report *report, struct textbuf *out);

/* report.txt and the screen: 80 columns, CPUs folded into ranges. */
void report_text(const struct report *report, struct textbuf *out);

/* The last lines of a run: the findings that matter and the totals, for screen and serial. */
void report_summary(const struct report *report, struct textbuf *out);

/* "FAIL", "no failure", or "incomplete" when not everything could be judged. */
const char *report_verdict(const struct report *report);

/* "assay: N pass, N fail, N warn, N skip" and a newline: interfaces.md, the final line. */
void report_final_line(const struct report *report, struct textbuf *out);

/* report.xml: JUnit, one test case a finding; warnings and notes are in its output, not failures. */
void report_junit(const struct report *report, struct textbuf *out);

/* report.tap: TAP version 14, one test a finding, failures and warnings with a YAML block. */
void report_tap(const struct report *report, struct textbuf *out);

/* samples.csv: one bucket of a histogram a line. The columns are law: docs/offline.md. */
void report_csv(const struct report *report, struct textbuf *out);

/* "first_read", "exit", ...: its column "quantity". */
const char *report_csv_quantity(enum sample_quantity quantity);

/* The parts of a machine folder that come from the platform. */
void report_snapshot_cpuid(const struct report *report, struct textbuf *out);
void report_snapshot_msr(const struct report *report, struct textbuf *out);
void report_snapshot_meta(const struct report *report, struct textbuf *out);
void report_snapshot_smbios(const struct report *report, struct textbuf *out);

/* run.json: what of the run lies neither in tables, CPUID, MSRs nor trace (model/record.h), so that a replay of
 * the folder gives the same report. is_trace_whole: trace.txt holds every access. */
void report_snapshot_run(const struct report *report, bool is_trace_whole, struct textbuf *out);

/* measured.json: the frequencies of the platform alone, as a machine folder without run.json takes them. */
void report_snapshot_measured(const struct platform *platform, struct textbuf *out);

/* Where in the folder table `index` goes ("tables/SSDT-008.aml"), with the separator given. false when it stays out:
 * MSDM and SLIC hold licence keys, a root table holds only addresses of this boot. */
#define SNAPSHOT_TABLE_NAME_BYTES 64
bool report_snapshot_table_name(const struct platform *platform, uint32_t index, char separator,
                                struct textbuf *out);
