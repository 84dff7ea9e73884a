#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes out: where writers put text. A textbuf formats into a fixed buffer and hands full buffers
 * to a flush function, so a report of any size needs bounded memory. Without a flush function it
 * keeps what fits and remembers that something was cut.
 */
typedef bool (*textbuf_flush)(void *context, const char *bytes, size_t length);

struct textbuf {
    char *buffer;
    size_t capacity;
    size_t length;
    textbuf_flush flush; /* may be NULL */
    void *context;
    uint64_t written_bytes; /* in all, flushed or not */
    bool has_failed;        /* a flush failed or text was cut */
};

/* A textbuf over caller's memory; capacity >= 1. Without flush the text is kept NUL-terminated. */
void textbuf_init(struct textbuf *text, char *buffer, size_t capacity, textbuf_flush flush,
                  void *context);

void textbuf_byte(struct textbuf *text, char byte);
void textbuf_bytes(struct textbuf *text, const char *bytes, size_t length);
void textbuf_string(struct textbuf *text, const char *string);

/* printf's %s %c %d %i %u %x %X %% with flags '-' and '0', width and precision (also as '*'), and
 * h/l/ll/z sizes. NULL for %s gives "(null)". Nothing else, no floating point: from a conversion that
 * is not known the format itself is put out and has_failed is set. */
void textbuf_printf(struct textbuf *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void textbuf_vprintf(struct textbuf *text, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Gives what is buffered to flush. false when that or an earlier flush failed. */
bool textbuf_finish(struct textbuf *text);
