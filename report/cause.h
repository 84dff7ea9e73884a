#pragma once

#include "model/platform.h"
#include "model/textbuf.h"

#include <stdbool.h>

/*
 * What a user of this machine will feel, and why, in a sentence or two before any list: for the page, the console
 * and the text report alike.
 */
enum cause_part {
    CAUSE_TRAP = 0, /* schedutil never goes back to P0 */
    CAUSE_CURE,     /* and what would mend that */
    CAUSE_DUMMY,    /* the read after the C-state port only costs */
    CAUSE_PARTS
};

#define CAUSE_TITLE "What a user will feel"
#define CAUSE_BYTES 1200 /* the longest part */

/* Whether any part applies to this machine. */
bool cause_is_any(const struct platform *platform);

/* One part as a paragraph of plain text without a newline; false, and nothing written, where it does not apply. */
bool cause_write(const struct platform *platform, enum cause_part part, struct textbuf *out);
