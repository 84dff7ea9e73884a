#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads JSON whose author nobody vouches for. Integers of 64 bits without a sign, which jansson refuses, come out
 * as strings of their digits; json_text_u64 takes both. NULL with one line in `message` otherwise; the
 * caller gives the value back with json_decref.
 */
json_t *json_text_read(const char *bytes, size_t length, char *message, size_t message_bytes);

/* A whole number of 64 bits, as integer or as decimal digits in a string. */
bool json_text_u64(const json_t *value, uint64_t *ret_value);

/* The member's text, or NULL when it is absent or no string. */
const char *json_text_string(const json_t *object, const char *key);

/* The member's number, or `otherwise`. */
uint64_t json_text_number(const json_t *object, const char *key, uint64_t otherwise);
