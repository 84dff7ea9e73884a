#pragma once

#include "model/arena.h"
#include "report/report.h"

#include <jansson.h>
#include <stdbool.h>

/*
 * A stored report.json put back into the structures that it was written from, so that the ordinary writers
 * render it: text in the layout of report.txt, HTML, JUnit, TAP. Facts, findings and figures are those of the
 * report. What the snapshot derives (frequencies, Linux' views, bookings) is derived again by this program;
 * rebuild_differs tells which parts come out otherwise than they were stored.
 */
struct rebuilt {
    struct platform platform;
    struct findings findings;
    struct options options;
    struct build_info build;
    struct report report; /* over the others: give this to a writer */
};

/* Makes every string of the report printable: control bytes become '?'. Firmware and file authors are not trusted
 * with a terminal. */
void rebuild_tame(json_t *root);

/* Whatever is missing or of another type in the JSON stays absent. The strings are those of `root`, which must
 * outlive the result. NO_MEMORY is the only failure. */
enum status rebuild(const json_t *root, struct arena *arena,
                    struct rebuilt *ret_rebuilt) MUST_CHECK;

/* The top-level members of `root` that the report as rebuilt has not, or has otherwise: an object with them,
 * to be shown as they were stored. The caller gives it back with json_decref; NULL: out of memory. */
json_t *rebuild_differs(const json_t *root, const struct rebuilt *rebuilt);
