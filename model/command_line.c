#include "model/command_line.h"

#include "model/textbuf.h"

#include <stdbool.h>
#include <string.h>

static bool is_text_byte(uint8_t byte)
{
    return byte == '\t' || (byte >= 0x20 && byte < 0x7F);
}

static bool put_character(struct textbuf *text, uint32_t character)
{
    /* A surrogate is half a character; UEFI's text is UCS-2, which has none (UEFI 2.10, 2.3.1). */
    if ((character < 0x20 && character != '\t') || character == 0x7F ||
        (character >= 0xD800 && character < 0xE000) || character >= 0xFFFE) {
        return false;
    }
    if (character < 0x80) {
        textbuf_byte(text, (char)character);
    } else if (character < 0x800) {
        textbuf_byte(text, (char)(0xC0 | character >> 6));
        textbuf_byte(text, (char)(0x80 | (character & 0x3F)));
    } else {
        textbuf_byte(text, (char)(0xE0 | character >> 12));
        textbuf_byte(text, (char)(0x80 | (character >> 6 & 0x3F)));
        textbuf_byte(text, (char)(0x80 | (character & 0x3F)));
    }
    return true;
}

static bool take_ucs2(const uint8_t *bytes, size_t length, struct textbuf *text)
{
    for (size_t at = 0; length - at >= 2; at += 2) {
        uint32_t character = bytes[at] | (uint32_t)bytes[at + 1] << 8;

        if (character == 0) {
            return true;
        }
        if (!put_character(text, character)) {
            return false;
        }
    }
    return length % 2 == 0;
}

static bool take_ascii(const uint8_t *bytes, size_t length, struct textbuf *text)
{
    for (size_t at = 0; at < length && bytes[at] != 0; at++) {
        if (!is_text_byte(bytes[at])) {
            return false;
        }
        textbuf_byte(text, (char)bytes[at]);
    }
    return true;
}

/* ASCII text has no NUL before its end; in UCS-2 every other byte of a plain word is one. */
static bool take_text(const uint8_t *bytes, size_t length, struct textbuf *text)
{
    if (length >= 2 && bytes[0] != 0 && bytes[1] != 0) {
        return take_ascii(bytes, length, text);
    }
    return take_ucs2(bytes, length, text);
}

static bool is_blank(char character)
{
    return character == ' ' || character == '\t';
}

/* Where the words after the program's name start; a name with blanks is in quotes. */
static size_t skip_program(const char *text)
{
    size_t at = 0;
    bool is_quoted = false;

    while (is_blank(text[at])) {
        at++;
    }
    if (text[at] == '-') {
        return at;
    }
    while (text[at] != '\0' && (is_quoted || !is_blank(text[at]))) {
        is_quoted = text[at] == '"' ? !is_quoted : is_quoted;
        at++;
    }
    while (is_blank(text[at])) {
        at++;
    }
    return at;
}

size_t command_line_decode(const uint8_t *bytes, size_t length, char *ret_text, size_t text_bytes)
{
    struct textbuf text;
    size_t start;
    size_t left;

    textbuf_init(&text, ret_text, text_bytes, NULL, NULL);
    if (!take_text(bytes, length, &text) || text.has_failed) {
        ret_text[0] = '\0';
        return 0;
    }
    ret_text[text.length] = '\0';
    start = skip_program(ret_text);
    left = text.length - start;
    memmove(ret_text, ret_text + start, left + 1);
    return left;
}
