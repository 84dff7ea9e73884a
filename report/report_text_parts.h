#pragma once

#include "report/report.h"
#include "report/wrap.h"

/* The sections of report_text, a file per subject. Each writes its heading only when it has content. */

#define TEXT_LABEL_COLUMN 12 /* where a field's value starts */
#define TEXT_MESSAGES_MAX 8  /* different messages of the interpreter; likewise */
#define TEXT_SETS_MAX 16 /* distinct objects of one kind that are shown; the others are counted */

/* What a user will feel: report/cause.h. */
void report_text_cause(const struct report *report, struct textbuf *out);

void report_text_findings(const struct report *report, struct textbuf *out);
void report_text_skipped(const struct report *report, struct textbuf *out);

/* Claimed, assumed and measured on one axis, in characters; nothing where there is no frequency. */
void report_text_ladder(const struct platform *platform, struct textbuf *out);
void report_text_pstates(const struct report *report, struct textbuf *out);
void report_text_idle_states(const struct report *report, struct textbuf *out);
void report_text_cpc(const struct report *report, struct textbuf *out);
void report_text_dependencies(const struct report *report, struct textbuf *out);
void report_text_processors(const struct report *report, struct textbuf *out);

void report_text_columns(const struct report *report, struct textbuf *out);
void report_text_linux(const struct report *report, struct textbuf *out);
void report_text_windows(const struct report *report, struct textbuf *out);

void report_text_msrs(const struct report *report, struct textbuf *out);
void report_text_clocks(const struct report *report, struct textbuf *out);
void report_text_work(const struct report *report, struct textbuf *out);
void report_text_clocked(const struct report *report, struct textbuf *out);
void report_text_clocked_plots(const struct report *report, struct textbuf *out);
void report_text_timing(const struct report *report, struct textbuf *out);
/* The latencies of report_text_timing as a picture; nothing where the rate of the TSC is not known. */
void report_text_idle_plot(const struct platform *platform, struct textbuf *out);
void report_text_contention(const struct report *report, struct textbuf *out);

void report_text_repairs(const struct report *report, struct textbuf *out);
void report_text_aml(const struct report *report, struct textbuf *out);
void report_text_tables(const struct report *report, struct textbuf *out);

/* "SystemIO 0x414 width 8 offset 0 access 1", or why there is no register. */
void report_text_register(struct wrap *line, const struct object_register *reg);
