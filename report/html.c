#include "report/html.h"

#include "model/utf8.h"

#include <string.h>

static void put_escaped(struct textbuf *out, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)bytes[i];

        if (byte == '&') {
            textbuf_string(out, "&amp;");
        } else if (byte == '<') {
            textbuf_string(out, "&lt;");
        } else if (byte == '>') {
            textbuf_string(out, "&gt;");
        } else if (byte == '"') {
            textbuf_string(out, "&quot;");
        } else if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7F) {
            textbuf_string(out, UTF8_REPLACEMENT);
        } else {
            textbuf_byte(out, bytes[i]);
        }
    }
}

/* C1 controls (U+0080 to U+009F) are well-formed UTF-8 and still no text. */
static bool is_control(const char *sequence, size_t length)
{
    return length == 2 && (unsigned char)sequence[0] == 0xC2 && (unsigned char)sequence[1] < 0xA0;
}

/* Writes what is whole and returns how many bytes that was. With is_last everything is. */
static size_t put_sequences(struct textbuf *out, const char *bytes, size_t length, bool is_last)
{
    size_t at = 0;

    while (at < length) {
        bool is_valid = false;
        size_t step = utf8_sequence(bytes + at, length - at, &is_valid);

        if (!is_valid && !is_last && length - at < HTML_ESCAPE_KEPT) {
            break;
        }
        if (is_valid && !is_control(bytes + at, step)) {
            put_escaped(out, bytes + at, step);
        } else {
            textbuf_string(out, UTF8_REPLACEMENT);
        }
        at += step;
    }
    return at;
}

void html_text(struct textbuf *out, const char *text)
{
    if (text != NULL) {
        (void)put_sequences(out, text, strlen(text), true);
    }
}

static bool escape_flush(void *context, const char *bytes, size_t length)
{
    struct html_escape *escape = context;
    char joined[HTML_ESCAPE_BYTES + HTML_ESCAPE_KEPT];
    size_t whole;

    if (length > HTML_ESCAPE_BYTES) {
        return false;
    }
    memcpy(joined, escape->kept, escape->kept_bytes);
    memcpy(joined + escape->kept_bytes, bytes, length);
    length += escape->kept_bytes;
    whole = put_sequences(escape->out, joined, length, false);
    escape->kept_bytes = length - whole;
    memcpy(escape->kept, joined + whole, escape->kept_bytes);
    return true;
}

void html_escape_start(struct html_escape *escape, struct textbuf *out)
{
    escape->out = out;
    escape->kept_bytes = 0;
    textbuf_init(&escape->text, escape->buffer, sizeof(escape->buffer), escape_flush, escape);
}

void html_escape_end(struct html_escape *escape)
{
    if (!textbuf_finish(&escape->text)) {
        escape->out->has_failed = true;
    }
    (void)put_sequences(escape->out, escape->kept, escape->kept_bytes, true);
}

static void put_formatted(struct textbuf *out, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

static void put_formatted(struct textbuf *out, const char *format, va_list arguments)
{
    struct html_escape escape;

    html_escape_start(&escape, out);
    textbuf_vprintf(&escape.text, format, arguments);
    html_escape_end(&escape);
}

void html_printf(struct textbuf *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    put_formatted(out, format, arguments);
    va_end(arguments);
}

void html_section_open(struct textbuf *out, const char *id, const char *title)
{
    textbuf_printf(out, "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">", id, id,
                   id);
    html_text(out, title);
    textbuf_string(out, "</h2>\n");
}

void html_section_close(struct textbuf *out)
{
    textbuf_string(out, "</section>\n");
}

static void element(struct textbuf *out, const char *open, const char *text, const char *close)
{
    textbuf_string(out, open);
    html_text(out, text);
    textbuf_string(out, close);
}

void html_heading(struct textbuf *out, const char *title)
{
    element(out, "<h3>", title, "</h3>\n");
}

void html_paragraph(struct textbuf *out, const char *text)
{
    element(out, "<p>", text, "</p>\n");
}

void html_absent(struct textbuf *out, const char *why)
{
    element(out, "<p class=\"absent\">", why, "</p>\n");
}

static void formatted_element(struct textbuf *out, const char *open, const char *close,
                              const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

static void formatted_element(struct textbuf *out, const char *open, const char *close,
                              const char *format, va_list arguments)
{
    textbuf_string(out, open);
    put_formatted(out, format, arguments);
    textbuf_string(out, close);
}

void html_paragraph_printf(struct textbuf *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    formatted_element(out, "<p>", "</p>\n", format, arguments);
    va_end(arguments);
}

void html_absent_printf(struct textbuf *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    formatted_element(out, "<p class=\"absent\">", "</p>\n", format, arguments);
    va_end(arguments);
}

void html_note(struct textbuf *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    formatted_element(out, "<p class=\"note\">", "</p>\n", format, arguments);
    va_end(arguments);
}

void html_table_start(struct textbuf *out, const char *caption)
{
    element(out, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"", caption,
            "\">");
    textbuf_string(out, "<table><caption>");
    html_text(out, caption);
}

void html_table_head(struct textbuf *out, const char *const *columns, unsigned count)
{
    textbuf_string(out, "</caption>\n<thead><tr>");
    for (unsigned i = 0; i < count; i++) {
        bool is_number = columns[i][0] == '#';

        element(out, is_number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">",
                columns[i] + (is_number ? 1 : 0), "</th>");
    }
    textbuf_string(out, "</tr></thead>\n<tbody>\n");
}

void html_table_open(struct textbuf *out, const char *caption, const char *const *columns,
                     unsigned count)
{
    html_table_start(out, caption);
    html_table_head(out, columns, count);
}

void html_table_close(struct textbuf *out)
{
    textbuf_string(out, "</tbody></table></div>\n");
}

void html_row_open(struct textbuf *out)
{
    textbuf_string(out, "<tr>");
}

void html_row_close(struct textbuf *out)
{
    textbuf_string(out, "</tr>\n");
}

void html_cell_open(struct textbuf *out)
{
    textbuf_string(out, "<td>");
}

void html_cell_list_open(struct textbuf *out)
{
    textbuf_string(out, "<td class=\"list\">");
}

void html_cell_close(struct textbuf *out)
{
    textbuf_string(out, "</td>");
}

void html_cell(struct textbuf *out, const char *text)
{
    element(out, "<td>", text, "</td>");
}

void html_cell_printf(struct textbuf *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    formatted_element(out, "<td>", "</td>", format, arguments);
    va_end(arguments);
}

void html_cell_number(struct textbuf *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    formatted_element(out, "<td class=\"n\">", "</td>", format, arguments);
    va_end(arguments);
}
