#pragma once

#include "drivers/hw_replay.h"
#include "host/lines.h"
#include "model/arena.h"

/* Recorded accesses from a trace.txt: the form that drivers/hw_replay.h describes, one a line. */
struct trace_text {
    uint32_t trace_count;
    const struct trace_access *trace; /* in the order of the file */
    struct rubbish rubbish;
};

/* Never fails on what the text holds; NO_MEMORY when the arena is exhausted. */
enum status trace_text_parse(const char *bytes, size_t length, struct arena *arena,
                             struct trace_text *ret_text) MUST_CHECK;
