#include "host/json_text.h"

#include "host/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits of the largest number that jansson takes: 9223372036854775807. */
#define SAFE_DIGITS 18

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The token at `at` is a whole number that may exceed 63 bits; its length, or 0. */
static size_t wide_number(const char *at, size_t length)
{
    size_t digits = 0;

    while (digits < length && is_digit(at[digits])) {
        digits++;
    }
    if (digits <= SAFE_DIGITS || (digits < length && strchr(".eE", at[digits]) != NULL)) {
        return 0;
    }
    return digits;
}

struct quoted {
    char *bytes;
    size_t length;
};

static void put(struct quoted *to, const char *bytes, size_t length)
{
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
}

/* Behind the string whose opening quote is at `first` - 1. */
static size_t end_of_string(const char *bytes, size_t length, size_t first)
{
    size_t at = first;

    while (at < length) {
        const char *quote = memchr(bytes + at, '"', length - at);
        size_t escapes = 0;

        if (quote == NULL) {
            return length;
        }
        at = (size_t)(quote - bytes) + 1;
        while (at - 2 - escapes >= first && bytes[at - 2 - escapes] == '\\') {
            escapes++;
        }
        if (escapes % 2 == 0) {
            return at;
        }
    }
    return length;
}

/* A digit that goes on with a number: behind a sign, a point or an exponent. */
static bool continues_number(const char *bytes, size_t at)
{
    char before = at == 0 ? ' ' : bytes[at - 1];

    return before == '-' || before == '+' || before == '.' || before == 'e' || before == 'E';
}

static size_t digits_from(const char *bytes, size_t length, size_t at)
{
    size_t first = at;

    while (at < length && is_digit(bytes[at])) {
        at++;
    }
    return at - first;
}

/* Copies the text with quotes around wide numbers. A number of 19 digits grows by two characters. */
static bool quote_wide(const char *bytes, size_t length, struct quoted *ret_quoted)
{
    struct quoted to = {.bytes = malloc(length + length / SAFE_DIGITS * 2 + 2)};
    size_t copied = 0;
    size_t at = 0;

    while (to.bytes != NULL && at < length) {
        size_t wide;

        if (bytes[at] == '"') {
            at = end_of_string(bytes, length, at + 1);
            continue;
        }
        if (!is_digit(bytes[at])) {
            at++;
            continue;
        }
        wide = continues_number(bytes, at) ? 0 : wide_number(bytes + at, length - at);
        if (wide > 0) {
            put(&to, bytes + copied, at - copied);
            put(&to, "\"", 1);
            put(&to, bytes + at, wide);
            put(&to, "\"", 1);
            copied = at + wide;
        }
        at += digits_from(bytes, length, at);
    }
    if (to.bytes != NULL) {
        put(&to, bytes + copied, length - copied);
    }
    *ret_quoted = to;
    return to.bytes != NULL;
}

/* Whether there is a run of so many digits at all; most texts have none and need no copy. */
static bool has_wide(const char *bytes, size_t length)
{
    /* A run of 19 digits covers one of the places that are a multiple of 19 apart. */
    for (size_t i = SAFE_DIGITS; i < length; i += SAFE_DIGITS + 1) {
        size_t digits = 0;
        size_t first = i;

        if (!is_digit(bytes[i])) {
            continue;
        }
        while (first > 0 && is_digit(bytes[first - 1]) && i - first < SAFE_DIGITS) {
            first--;
        }
        while (first + digits < length && is_digit(bytes[first + digits]) &&
               digits <= SAFE_DIGITS) {
            digits++;
        }
        if (digits > SAFE_DIGITS) {
            return true;
        }
    }
    return false;
}

json_t *json_text_read(const char *bytes, size_t length, char *message, size_t message_bytes)
{
    struct quoted quoted;
    json_error_t error;
    json_t *root;

    if (!has_wide(bytes, length)) {
        root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
    } else if (quote_wide(bytes, length, &quoted)) {
        root = json_loadb(quoted.bytes, quoted.length, JSON_REJECT_DUPLICATES, &error);
        free(quoted.bytes);
    } else {
        (void)snprintf(message, message_bytes, "does not fit into memory");
        return NULL;
    }
    if (root == NULL) {
        (void)snprintf(message, message_bytes, "is not JSON: line %d: %.120s", error.line,
                       error.text);
    }
    return root;
}

bool json_text_u64(const json_t *value, uint64_t *ret_value)
{
    const char *text = json_string_value(value);

    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *ret_value = (uint64_t)json_integer_value(value);
        return true;
    }
    return text != NULL && scan_decimal(&text, ret_value) && *text == '\0';
}

const char *json_text_string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

uint64_t json_text_number(const json_t *object, const char *key, uint64_t otherwise)
{
    uint64_t value = otherwise;

    return json_text_u64(json_object_get(object, key), &value) ? value : otherwise;
}
