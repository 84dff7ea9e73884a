#pragma once

#include "model/finding.h"
#include "model/platform.h"
#include "model/status.h"

#include <stddef.h>

/*
 * Expectation files: what a vendor says its product must have, and which findings it accepts for now. One a
 * line, # starts a comment:
 *   [cpus=LIST|kind=P|E] PATH OP VALUE[unit]     OP: = != < <= > >=
 *   [cpus=LIST|kind=P|E] PATH within N% of VALUE[unit]
 *   [cpus=LIST|kind=P|E] PATH in VALUE..VALUE[unit]
 *   waive RULE-ID [cpus=LIST] until YYYY-MM-DD "reason"
 * Units: Hz kHz MHz GHz, ns us ms s, mW W; without one, that of the path.
 */

#define EXPECT_MESSAGE_BYTES 200

struct expect_error {
    uint32_t line;
    char text[EXPECT_MESSAGE_BYTES]; /* names the word and, where it helps, the nearest right one */
};

/*
 * Adds one finding a line to `findings` (id EXP-<line>; FAIL when the value is missing) and turns findings that
 * are waived into INFO, with the reason and the date in `actual`; an expired waiver changes nothing and is a WARN
 * of its own; today_yyyymmdd 0 means that the date is not known and nothing expires. Sorts the findings. BAD_INPUT with *ret_error at the first wrong line; nothing is then changed.
 */
enum status expect_judge(const char *text, size_t length, const struct platform *platform,
                         uint32_t today_yyyymmdd, struct findings *findings,
                         struct expect_error *ret_error) MUST_CHECK;
