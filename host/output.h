#pragma once

#include "model/status.h"
#include "report/report.h"

typedef void (*report_writer)(const struct report *report, struct textbuf *out);

/* Writes one report to `path` ("-": standard output). IO when the file cannot be made or written whole; the
 * message is then on standard error. */
enum status output_report(const char *path, report_writer writer,
                          const struct report *report) MUST_CHECK;
