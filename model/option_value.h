#pragma once

#include "model/textbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The values of options: words out of a list, numbers, texts. Each function returns false for a wrong
 * one, with one line about it in the complaint's message, and then leaves its output alone.
 */

/* Whose value it is: a message starts "name=value: ". */
struct complaint {
    struct textbuf *message;
    const char *name;
    const char *value;
};

/* A right word of a list and what it stands for. */
struct choice {
    const char *word;
    uint32_t value;
};

/* A user's word as printable text of bounded length. */
void option_value_show(struct textbuf *message, const char *text, size_t length);

/* `name=value: "piece" is not WHAT; the nearest right one is `, which the caller completes. */
void option_value_complain(const struct complaint *complaint, const char *piece, size_t length,
                           const char *what);

bool option_value_is(const char *piece, size_t length, const char *word);

/* The value of the one word out of `choices` that the piece is. */
bool option_value_choice(const char *piece, size_t length, const struct choice *choices,
                         size_t count, const struct complaint *complaint, uint32_t *ret_value);

/* Words out of `choices`, separated by commas: the values ORed. */
bool option_value_choices(const char *value, const struct choice *choices, size_t count,
                          const struct complaint *complaint, uint32_t *ret_bits);

/* A decimal or 0x number of 32 bits. */
bool option_value_number(const char *text, size_t length, const struct complaint *complaint,
                         uint32_t *ret_number);

/* A number above 0. */
bool option_value_count(const char *value, const struct complaint *complaint, uint32_t *ret_count);

/* A text that fits `text_bytes` with its NUL. */
bool option_value_text(const char *value, const struct complaint *complaint, char *ret_text,
                       size_t text_bytes);
