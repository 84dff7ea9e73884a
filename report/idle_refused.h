#pragma once

#include "model/platform.h"
#include "model/textbuf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The ways that were not timed, folded: one line for each way and reason, with all CPUs that it holds for. So no CPU
 * without figures goes unnamed, however many there are.
 */
#define IDLE_REFUSED_LINES 48U

struct idle_refused {
    uint32_t count;
    uint32_t first[IDLE_REFUSED_LINES]; /* into platform.idle_not_timed */
    uint32_t beyond;                    /* entries that belong to further lines */
};

void idle_refused_fold(const struct platform *platform, struct idle_refused *ret_refused);

/* "C2 by port 0x414 and the PM timer, CPU 1-5,7: <reason>" */
void idle_refused_line(struct textbuf *out, const struct platform *platform, uint32_t first);
