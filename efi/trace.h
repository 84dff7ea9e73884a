#pragma once

#include "drivers/hw_record.h"
#include "model/arena.h"
#include "model/textbuf.h"

#include <stddef.h>

/*
 * Records what AML and the _CPC registers read and wrote, in memory, for machine\trace.txt of the snapshot:
 * with it the host program evaluates the machine as it was here. Beyond TRACE_MAX_BYTES nothing more is
 * recorded, and the file says so.
 */
#define TRACE_MAX_BYTES ((size_t)8 * 1024 * 1024)

struct trace_chunk;

struct trace {
    struct hw_record record; /* hand out &trace->record.hw */
    struct textbuf text;
    char buffer[4096];
    struct arena *arena;
    struct trace_chunk *first;
    struct trace_chunk *last;
    size_t kept_bytes;
    bool is_cut;
};

/* For engine_config.may_write, with a struct trace_policy: asks `may_write` and records what it denies. */
struct trace_policy {
    struct trace *trace; /* NULL: nothing is recorded */
    bool (*may_write)(void *context, uint64_t paddr, uint32_t bytes);
    void *context;
};
bool trace_may_write(void *policy, uint64_t paddr, uint32_t bytes);

/* Starts recording what goes to `inner` through trace->record.hw. */
void trace_start(struct trace *trace, const struct hw *inner, struct arena *arena);

/* Writes all that was recorded. */
void trace_write(struct trace *trace, struct textbuf *out);
