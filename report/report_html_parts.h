#pragma once

#include "report/figure.h"
#include "report/html.h"
#include "report/report.h"

/* The sections of report.html, a file per subject. Each says in a sentence why when it has nothing to show. */

/* The style sheet and the script of the page, in pieces; NULL ends each list. */
extern const char *const html_style[];
extern const char *const html_script[];

/* The first screen: the machine, the verdict, the cause in plain words, the findings that matter most. */
void report_html_overview(const struct report *report, struct textbuf *out);

/* The part of the first screen that names the cause; nothing when there is none to name. */
void report_html_cause(const struct platform *platform, struct textbuf *out);

void report_html_columns(const struct report *report, struct textbuf *out);
void report_html_pstates(const struct report *report, struct textbuf *out);
void report_html_idle(const struct report *report, struct textbuf *out);
void report_html_contention(const struct report *report, struct textbuf *out);
void report_html_measured(const struct report *report, struct textbuf *out);
void report_html_work(const struct report *report, struct textbuf *out);
void report_html_clocks(const struct report *report, struct textbuf *out);
void report_html_linux(const struct report *report, struct textbuf *out);
void report_html_governor(const struct report *report, struct textbuf *out);
void report_html_rules(const struct report *report, struct textbuf *out);
void report_html_processors(const struct report *report, struct textbuf *out);
void report_html_objects(const struct report *report, struct textbuf *out);
void report_html_msrs(const struct report *report, struct textbuf *out);
void report_html_tables(const struct report *report, struct textbuf *out);

/* The machine by its product, else by its CPU, else by its file. */
void report_html_machine_name(const struct platform *platform, struct textbuf *out);

/* The class of a verdict in the style sheet: "fail", ... */
const char *report_html_verdict_class(enum verdict verdict);

/* "FAIL" as the page shows it everywhere: the word in a frame of its colour. */
void report_html_badge(struct textbuf *out, enum verdict verdict);

/* "CPU 0-7: \_SB.C000._PSS", in a paragraph; nothing for a finding of the machine as a whole. */
void report_html_where(struct textbuf *out, const struct finding *finding);
