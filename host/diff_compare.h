#pragma once

#include <jansson.h>
#include <stdbool.h>

/*
 * What changed between two reports, by meaning: {"changed": bool, "note"?, "changes": [{"section", "name", "old"?,
 * "new"?, "processors"?: [path]}], "findings": {"fixed", "new", "changed", "not_judged": [...]},
 * "measurements": {"compared", "differ": [{"name", "old", "new", "test", "confidence_pct"}]}}. Where the files
 * lie, what wrote them, and counters that run are no changes. The caller gives the value back.
 */
json_t *diff_compare(const json_t *old_report, const json_t *new_report);

/* The parts of it, for diff_compare alone. */
void diff_values(const json_t *old_report, const json_t *new_report, json_t *changes);
json_t *diff_findings(const json_t *old_report, const json_t *new_report);
json_t *diff_measurements(const json_t *old_report, const json_t *new_report);
