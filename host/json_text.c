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

/* Copies the text with quotes around wide numbers. A number of 19 digits grows by two characters. */
static bool quote_wide(const char *bytes, size_t length, struct quoted *ret_quoted)
{
    struct quoted to = {.bytes = malloc(length + length / SAFE_DIGITS * 2 + 2)};
    bool is_string = false;
    char before = ' ';

    for (size_t i = 0; to.bytes != NULL && i < length; i++) {
        size_t wide = is_string || is_digit(before) || strchr("-.eE+", before) != NULL
                          ? 0
                          : wide_number(bytes + i, length - i);

        if (wide > 0) {
            put(&to, "\"", 1);
            put(&to, bytes + i, wide);
            put(&to, "\"", 1);
            i += wide - 1;
            before = '0';
            continue;
        }
        put(&to, bytes + i, 1);
        before = bytes[i] == '\0' ? ' ' : bytes[i];
        if (is_string && bytes[i] == '\\' && i + 1 < length) {
            put(&to, bytes + ++i, 1);
        } else if (bytes[i] == '"') {
            is_string = !is_string;
        }
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
