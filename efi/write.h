#pragma once

#include "efi/files.h"
#include "report/report.h"

/* Writes every report that options ask for into the results folder. IO when one of them found no place. */
enum status write_reports(struct results *results, const struct report *report,
                          uint32_t formats) MUST_CHECK;
