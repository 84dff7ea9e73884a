#pragma once

#include "host/lines.h"
#include "model/platform.h"

/*
 * Reads samples.csv (report/report_csv.c) back into the buckets of a recorded platform's idle[] and port_costs[].
 * Lines that do not fit a measurement of the record are counted in *ret_rubbish. NO_MEMORY is the only failure.
 */
enum status samples_text_parse(const char *bytes, size_t length, struct arena *arena,
                               struct platform *recorded, struct rubbish *ret_rubbish) MUST_CHECK;
