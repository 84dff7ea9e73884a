#include "efi/trace.h"

#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)

struct trace_chunk {
    struct trace_chunk *next;
    size_t length;
    char bytes[CHUNK_BYTES];
};

static bool add_chunk(struct trace *trace)
{
    struct trace_chunk *chunk = arena_take(trace->arena, sizeof(*chunk));

    if (chunk == NULL) {
        return false;
    }
    if (trace->last == NULL) {
        trace->first = chunk;
    } else {
        trace->last->next = chunk;
    }
    trace->last = chunk;
    return true;
}

/* The buffer is much smaller than a chunk, so a piece goes into one or two. */
static bool keep(void *context, const char *bytes, size_t length)
{
    struct trace *trace = context;

    if (length > TRACE_MAX_BYTES - trace->kept_bytes) {
        trace->is_cut = true;
        trace->record.is_recording = false;
        return true;
    }
    while (length > 0) {
        size_t room = trace->last == NULL ? 0 : CHUNK_BYTES - trace->last->length;
        size_t taken = length < room ? length : room;

        if (room == 0) {
            if (!add_chunk(trace)) {
                trace->is_cut = true;
                trace->record.is_recording = false;
                return true;
            }
            continue;
        }
        memcpy(trace->last->bytes + trace->last->length, bytes, taken);
        trace->last->length += taken;
        trace->kept_bytes += taken;
        bytes += taken;
        length -= taken;
    }
    return true;
}

void trace_start(struct trace *trace, const struct hw *inner, struct arena *arena)
{
    trace->arena = arena;
    textbuf_init(&trace->text, trace->buffer, sizeof(trace->buffer), keep, trace);
    hw_record_start(&trace->record, inner, &trace->text);
    trace->record.is_recording = true;
}

void trace_write(struct trace *trace, struct textbuf *out)
{
    /* What is still in the buffer joins the chunks; a second call finds it empty. */
    (void)textbuf_finish(&trace->text);
    for (const struct trace_chunk *chunk = trace->first; chunk != NULL; chunk = chunk->next) {
        textbuf_bytes(out, chunk->bytes, chunk->length);
    }
    if (trace->is_cut) {
        textbuf_string(out, "# more was accessed than could be recorded\n");
    }
}

bool trace_may_write(void *policy, uint64_t paddr, uint32_t bytes)
{
    const struct trace_policy *of = policy;
    bool may_write = of->may_write(of->context, paddr, bytes);

    if (!may_write && of->trace != NULL) {
        hw_record_denied(&of->trace->record, paddr, bytes);
    }
    return may_write;
}
