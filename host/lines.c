#include "host/lines.h"

#include <string.h>

void lines_init(struct lines *lines, const char *bytes, size_t length)
{
    memset(lines, 0, sizeof(*lines));
    lines->bytes = bytes;
    lines->length = length;
}

static void keep(struct lines *lines, const char *start, size_t length)
{
    if (length > 0 && start[length - 1] == '\r') {
        length--;
    }
    if (length > LINES_TEXT_BYTES - 1) {
        length = LINES_TEXT_BYTES - 1;
    }
    for (size_t i = 0; i < length; i++) {
        lines->text[i] = start[i];
        if (start[i] == '\0') {
            lines->text[i] = '?';
        }
    }
    lines->text[length] = '\0';
}

bool lines_next(struct lines *lines)
{
    size_t left = lines->length - lines->position;
    const char *start;
    const char *end;
    size_t length = left;

    if (left == 0) {
        return false;
    }
    start = lines->bytes + lines->position;
    end = memchr(start, '\n', left);
    if (end != NULL) {
        length = (size_t)(end - start);
    }
    keep(lines, start, length);
    lines->position += length + (end != NULL ? 1 : 0);
    lines->number++;
    return true;
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t') {
        at++;
    }
    return at;
}

bool scan_is_end(const char *at)
{
    at = skip_blanks(at);
    return *at == '\0' || *at == '#';
}

bool lines_is_blank(const struct lines *lines)
{
    return scan_is_end(lines->text);
}

void rubbish_add(struct rubbish *rubbish, const struct lines *lines)
{
    size_t length = strlen(lines->text);

    if (rubbish->count++ > 0) {
        return;
    }
    rubbish->first_number = lines->number;
    if (length > sizeof(rubbish->first_text) - 1) {
        length = sizeof(rubbish->first_text) - 1;
    }
    for (size_t i = 0; i < length; i++) {
        char c = lines->text[i];

        rubbish->first_text[i] = c;
        if (c < ' ' || c > '~') {
            rubbish->first_text[i] = '?';
        }
    }
    rubbish->first_text[length] = '\0';
}

bool scan_word(const char **at, const char *word)
{
    const char *start = skip_blanks(*at);
    size_t length = strlen(word);

    if (strncmp(start, word, length) != 0) {
        return false;
    }
    *at = start + length;
    return true;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return 16;
}

/* Digits of `base` at `at`; false without any or when the value needs more than 64 bits. */
static bool take_digits(const char **at, unsigned base, unsigned *ret_digits, uint64_t *ret_value)
{
    uint64_t value = 0;
    unsigned digits = 0;

    for (; (unsigned)digit_of(**at) < base; (*at)++) {
        unsigned digit = (unsigned)digit_of(**at);

        if (value > (UINT64_MAX - digit) / base) {
            return false;
        }
        value = value * base + digit;
        digits++;
    }
    *ret_digits = digits;
    *ret_value = value;
    return digits > 0;
}

bool scan_decimal(const char **at, uint64_t *ret_value)
{
    const char *start = skip_blanks(*at);
    unsigned digits;
    uint64_t value;

    if (!take_digits(&start, 10, &digits, &value)) {
        return false;
    }
    *at = start;
    *ret_value = value;
    return true;
}

bool scan_hex_digits(const char **at, unsigned digits, uint64_t *ret_value)
{
    const char *start = skip_blanks(*at);
    unsigned found;
    uint64_t value;

    if (!take_digits(&start, 16, &found, &value) || found != digits) {
        return false;
    }
    *at = start;
    *ret_value = value;
    return true;
}

bool scan_hex(const char **at, uint64_t *ret_value)
{
    const char *start = *at;
    unsigned found;
    uint64_t value;

    if ((!scan_word(&start, "0x") && !scan_word(&start, "0X")) ||
        !take_digits(&start, 16, &found, &value)) {
        return false;
    }
    *at = start;
    *ret_value = value;
    return true;
}

bool scan_number(const char **at, uint64_t *ret_value)
{
    return scan_hex(at, ret_value) || scan_decimal(at, ret_value);
}
