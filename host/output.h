#pragma once

#include "model/status.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdio.h>

/* A file to write to ("-": standard output), or NULL with one line on standard error. */
FILE *output_open(const char *path);

/* Flushes and closes it, standard output excepted. false, with one line on standard error, when that or what
 * was written before (is_written) failed. */
bool output_close(FILE *file, const char *path, bool is_written);

typedef void (*report_writer)(const struct report *report, struct textbuf *out);

/* Writes one report to an open file; false when that failed. */
bool output_write(FILE *file, report_writer writer, const struct report *report);

/* Writes one report to `path` ("-": standard output). IO when the file cannot be made or written whole; the
 * message is then on standard error. */
enum status output_report(const char *path, report_writer writer,
                          const struct report *report) MUST_CHECK;
