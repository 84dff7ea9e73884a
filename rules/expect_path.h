#pragma once

#include "model/platform.h"
#include "model/status.h"

/*
 * What an expectation may name: the values of report.json, by their names there (docs/json.md). A path is
 * about each CPU, or about the machine.
 */
enum expect_dimension { EXPECT_PLAIN = 0, EXPECT_FREQUENCY, EXPECT_TIME, EXPECT_POWER };

struct expect_reading {
    bool is_of_cpu; /* may differ from CPU to CPU */
    bool is_known;  /* value holds it; false: this machine has no such value */
    uint64_t value; /* in the path's own unit */
    enum expect_dimension dimension;
    uint64_t unit; /* how many Hz, ns or mW the path's unit is; 1 for plain numbers */
};

/*
 * Reads `path` for CPU `cpu` (0 for the machine's). NOT_FOUND when there is no such path; *ret_nearest is then
 * a path that looks like it.
 */
enum status expect_path_read(const char *path, const struct platform *platform, uint32_t cpu,
                             struct expect_reading *ret_reading,
                             const char **ret_nearest) MUST_CHECK;
