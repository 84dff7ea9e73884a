#pragma once

#include "efi/files.h"
#include "efi/trace.h"
#include "report/report.h"

/* Writes every report that options ask for into the results folder, and the snapshot with `trace`. IO when one
 * of them found no place. */
enum status write_reports(struct results *results, const struct report *report, struct trace *trace,
                          uint32_t formats) MUST_CHECK;
