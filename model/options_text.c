#include "model/option_value.h"
#include "model/options.h"
#include "model/textbuf.h"

#include <string.h>

/* A word holds an option's name, "=" and its value; a longer one is wrong. */
#define WORD_BYTES (OPTIONS_TEXT_MAX + 64)

struct reader {
    const char *text;
    size_t length;
    size_t at;
};

enum word_end { WORD_NONE, WORD_READ, WORD_TOO_LONG, WORD_QUOTE_OPEN };

/* NUL is blank too: firmware and editors leave it at the end of what they hand over. */
static bool is_blank(char byte)
{
    return (unsigned char)byte <= ' ';
}

static void skip_line(struct reader *reader)
{
    while (reader->at < reader->length && reader->text[reader->at] != '\n' &&
           reader->text[reader->at] != '\r') {
        reader->at++;
    }
}

/* Moves to the next word, over blanks and comments. false at the end. */
static bool find_word(struct reader *reader)
{
    while (reader->at < reader->length) {
        char byte = reader->text[reader->at];

        if (byte == '#') {
            skip_line(reader);
        } else if (is_blank(byte)) {
            reader->at++;
        } else {
            return true;
        }
    }
    return false;
}

/* Whether the word ends before this byte. A quote reaches to the next one, but not over a line. */
static bool is_end(char byte, bool is_quoted)
{
    return is_quoted ? byte == '\n' || byte == '\r' || byte == '\0' : is_blank(byte);
}

static enum word_end read_word(struct reader *reader, char *ret_word)
{
    bool is_quoted = false;
    size_t length = 0;

    if (!find_word(reader)) {
        return WORD_NONE;
    }
    for (; reader->at < reader->length; reader->at++) {
        char byte = reader->text[reader->at];

        if (is_end(byte, is_quoted)) {
            break;
        }
        if (byte == '"') {
            is_quoted = !is_quoted;
            continue;
        }
        if (length == WORD_BYTES - 1) {
            ret_word[length] = '\0';
            return WORD_TOO_LONG;
        }
        ret_word[length++] = byte;
    }
    ret_word[length] = '\0';
    return is_quoted ? WORD_QUOTE_OPEN : WORD_READ;
}

static void complain(const char *word, const char *what, char *message, size_t message_bytes)
{
    struct textbuf out;

    textbuf_init(&out, message, message_bytes, NULL, NULL);
    option_value_show(&out, word, strlen(word));
    textbuf_printf(&out, ": %s", what);
}

enum status options_take_text(struct options *options, const char *text, size_t length,
                              char *message, size_t message_bytes)
{
    struct reader reader = {.text = text, .length = length};
    char word[WORD_BYTES];

    /* The byte order mark that some editors put before UTF-8. */
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        reader.at = 3;
    }
    for (;;) {
        switch (read_word(&reader, word)) {
        case WORD_NONE:
            return STATUS_OK;
        case WORD_TOO_LONG:
            complain(word, "too long; the nearest right one is shorter", message, message_bytes);
            return STATUS_BAD_INPUT;
        case WORD_QUOTE_OPEN:
            complain(word, "a quote is not closed; the nearest right one ends with \"", message,
                     message_bytes);
            return STATUS_BAD_INPUT;
        case WORD_READ:
            if (options_take(options, word, message, message_bytes) != STATUS_OK) {
                return STATUS_BAD_INPUT;
            }
            break;
        }
    }
}
