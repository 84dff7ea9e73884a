#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Length in bytes of what stands at the start of `bytes` (length >= 1): a well-formed UTF-8 sequence,
 * with *ret_is_valid true; or what one U+FFFD stands for, with false (The Unicode Standard 15.0, 3.9,
 * Table 3-7 Well-Formed UTF-8 Byte Sequences, and "U+FFFD Substitution of Maximal Subparts").
 */
size_t utf8_sequence(const char *bytes, size_t length, bool *ret_is_valid);

/* U+FFFD REPLACEMENT CHARACTER in UTF-8. */
#define UTF8_REPLACEMENT "\xEF\xBF\xBD"
