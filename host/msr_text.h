#pragma once

#include "drivers/hw_replay.h"
#include "host/lines.h"
#include "model/arena.h"

/*
 * MSRs from a text: "[cpu 3] 0x1ad 0x2222222223232525" (also "[cpu 0-3,7]"), the same without [cpu N] for every CPU, "#GP" in
 * place of a value that faulted, or InstLatx64 lines ("MSR 0000001B: 0000-0000-FEE0-0900", "< FAILED >")
 * under "Logical CPU #N" headings. Of repeated samples of one MSR on one CPU the last counts.
 */
struct msr_text {
    uint32_t msrs_count;
    const struct replay_msr *msrs; /* by ascending CPU (CPU_NONE last), then MSR; no two alike */
    struct rubbish rubbish;
};

/* Never fails on what the text holds; NO_MEMORY when the arena is exhausted. */
enum status msr_text_parse(const char *bytes, size_t length, struct arena *arena,
                           struct msr_text *ret_text) MUST_CHECK;
