#pragma once

#include "model/arena.h"
#include "model/finding.h"
#include "model/options.h"
#include "model/platform.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The expectation file of --expect, from the boot volume. */
struct expectation {
    const char *path;
    const uint8_t *bytes; /* NULL: none was asked for */
    size_t length;
    uint32_t today_yyyymmdd; /* when it was read; 0: the date is not known */
};

/* Reads the file before the run starts; false, with one line on the console, when it cannot be read. */
bool expectation_read(const struct options *options, struct arena *arena,
                      struct expectation *ret_expectation);

/* Judges each line by today's date; false, with one line on the console, at a wrong one. */
bool expectation_judge(const struct expectation *expectation, const struct platform *platform,
                       struct findings *findings);
