#include "model/option_value.h"

#include "model/nearest.h"

#include <string.h>

#define SHOWN_BYTES 60 /* of a wrong word: the message stays one line */

void option_value_show(struct textbuf *message, const char *text, size_t length)
{
    size_t shown = length < SHOWN_BYTES ? length : SHOWN_BYTES;

    for (size_t i = 0; i < shown; i++) {
        textbuf_byte(message, text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
    }
    if (shown < length) {
        textbuf_string(message, "...");
    }
}

void option_value_complain(const struct complaint *complaint, const char *piece, size_t length,
                           const char *what)
{
    textbuf_printf(complaint->message, "%s=", complaint->name);
    option_value_show(complaint->message, complaint->value, strlen(complaint->value));
    textbuf_string(complaint->message, ": \"");
    option_value_show(complaint->message, piece, length);
    textbuf_printf(complaint->message, "\" is not %s; the nearest right one is ", what);
}

bool option_value_is(const char *piece, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(piece, word, length) == 0;
}

bool option_value_choice(const char *piece, size_t length, const struct choice *choices,
                         size_t count, const struct complaint *complaint, uint32_t *ret_value)
{
    const char *nearest = choices[0].word;

    for (size_t i = 0; i < count; i++) {
        if (option_value_is(piece, length, choices[i].word)) {
            *ret_value = choices[i].value;
            return true;
        }
        if (nearest_rank(piece, length, choices[i].word) < nearest_rank(piece, length, nearest)) {
            nearest = choices[i].word;
        }
    }
    option_value_complain(complaint, piece, length, "one of its words");
    textbuf_string(complaint->message, nearest);
    return false;
}

bool option_value_choices(const char *value, const struct choice *choices, size_t count,
                          const struct complaint *complaint, uint32_t *ret_bits)
{
    uint32_t bits = 0;

    for (;;) {
        size_t length = strcspn(value, ",");
        uint32_t bit = 0;

        if (!option_value_choice(value, length, choices, count, complaint, &bit)) {
            return false;
        }
        bits |= bit;
        if (value[length] == '\0') {
            break;
        }
        value += length + 1;
    }
    *ret_bits = bits;
    return true;
}

/* 16 for what is no digit. */
static uint32_t digit_value(char digit)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = digit == '\0' ? NULL : strchr(digits, digit);

    return at == NULL ? 16 : (uint32_t)(at - digits) % 16;
}

static bool is_hex(const char *text, size_t length)
{
    return length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

/* A decimal or 0x number of 32 bits. */
static bool parse_u32(const char *text, size_t length, uint32_t *ret_number)
{
    uint32_t base = is_hex(text, length) ? 16 : 10;
    uint64_t number = 0;

    for (size_t i = base == 16 ? 2 : 0; i < length; i++) {
        uint32_t digit = digit_value(text[i]);

        if (digit >= base) {
            return false;
        }
        number = number * base + digit;
        if (number > UINT32_MAX) {
            return false;
        }
    }
    *ret_number = (uint32_t)number;
    return length > 0;
}

/* What was probably meant: a hexadecimal number without 0x, the digits it starts with, the limit. */
static void suggest_number(struct textbuf *message, const char *text, size_t length)
{
    size_t start = is_hex(text, length) ? 2 : 0;
    size_t good = start;
    uint32_t base = 10;

    while (good < length && digit_value(text[good]) < 16) {
        base = start != 0 || digit_value(text[good]) >= 10 ? 16 : base;
        good++;
    }
    if (good == start) {
        textbuf_string(message, "1000");
    } else if (good - start > (base == 16 ? 8U : 9U)) {
        textbuf_string(message, base == 16 ? "0xffffffff" : "4294967295");
    } else {
        textbuf_printf(message, "%s%.*s", base == 16 ? "0x" : "", (int)(good - start),
                       text + start);
    }
}

bool option_value_number(const char *text, size_t length, const struct complaint *complaint,
                         uint32_t *ret_number)
{
    if (parse_u32(text, length, ret_number)) {
        return true;
    }
    option_value_complain(complaint, text, length, "a number up to 0xffffffff");
    suggest_number(complaint->message, text, length);
    return false;
}

bool option_value_count(const char *value, const struct complaint *complaint, uint32_t *ret_count)
{
    uint32_t count = 0;

    if (!option_value_number(value, strlen(value), complaint, &count)) {
        return false;
    }
    if (count == 0) {
        option_value_complain(complaint, value, strlen(value), "a number above 0");
        textbuf_string(complaint->message, "1");
        return false;
    }
    *ret_count = count;
    return true;
}

bool option_value_text(const char *value, const struct complaint *complaint, char *ret_text,
                       size_t text_bytes)
{
    size_t length = strlen(value);

    if (length >= text_bytes) {
        option_value_complain(complaint, value, length, "short enough");
        textbuf_printf(complaint->message, "one of up to %zu bytes", text_bytes - 1);
        return false;
    }
    memcpy(ret_text, value, length + 1);
    return true;
}
