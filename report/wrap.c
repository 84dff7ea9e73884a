#include "report/wrap.h"

#include <string.h>

static void blanks(struct textbuf *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        textbuf_byte(out, ' ');
    }
}

static void printable(struct textbuf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool is_printable = text[i] >= ' ' && text[i] <= '~';

        textbuf_byte(out, is_printable ? text[i] : '?');
    }
}

/* How much of `text` goes on a line of `room` columns: up to the last blank, or all of the room. */
static size_t fitting(const char *text, size_t length, size_t room)
{
    size_t newline = 0;

    while (newline < length && newline <= room && text[newline] != '\n') {
        newline++;
    }
    if (newline <= room) {
        return newline;
    }
    for (size_t i = room; i > 0; i--) {
        if (text[i] == ' ') {
            return i;
        }
    }
    return room;
}

/* Blanks at the end of a line are not written. */
static size_t without_tail(const char *text, size_t length)
{
    while (length > 0 && text[length - 1] == ' ') {
        length--;
    }
    return length;
}

/* `used` columns of the first line are taken. */
static void emit(struct textbuf *out, const char *text, size_t length, size_t used, size_t indent)
{
    size_t room = used < WRAP_COLUMNS ? WRAP_COLUMNS - used : 1;

    for (;;) {
        size_t take = fitting(text, length, room);

        printable(out, text, without_tail(text, take));
        textbuf_byte(out, '\n');
        text += take;
        length -= take;
        while (length > 0 && (*text == ' ' || *text == '\n')) {
            text++;
            length--;
        }
        if (length == 0) {
            return;
        }
        blanks(out, indent);
        room = WRAP_COLUMNS - indent;
    }
}

static void restart(struct wrap *wrap)
{
    textbuf_init(&wrap->line, wrap->buffer, sizeof(wrap->buffer), NULL, NULL);
}

void wrap_init(struct wrap *wrap, struct textbuf *out)
{
    wrap->out = out;
    restart(wrap);
}

void wrap_printf(struct wrap *wrap, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    textbuf_vprintf(&wrap->line, format, arguments);
    va_end(arguments);
}

void wrap_pad(struct wrap *wrap, unsigned column)
{
    do {
        textbuf_byte(&wrap->line, ' ');
    } while (wrap->line.length < column && !wrap->line.has_failed);
}

void wrap_end(struct wrap *wrap, unsigned indent)
{
    if (wrap->line.has_failed && wrap->line.length >= 3) {
        memcpy(wrap->buffer + wrap->line.length - 3, "...", 3);
    }
    emit(wrap->out, wrap->buffer, wrap->line.length, 0, indent);
    restart(wrap);
}

void wrap_text(struct textbuf *out, const char *label, unsigned indent, const char *text)
{
    size_t length = strlen(label);

    printable(out, label, length);
    if (length < indent) {
        blanks(out, indent - length);
        length = indent;
    }
    emit(out, text, strlen(text), length, indent);
}

void wrap_heading(struct textbuf *out, const char *title)
{
    textbuf_printf(out, "\n%s\n", title);
    for (size_t i = 0; title[i] != '\0'; i++) {
        textbuf_byte(out, '-');
    }
    textbuf_byte(out, '\n');
}
