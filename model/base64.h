#pragma once

#include <stddef.h>
#include <stdint.h>

/* RFC 4648, section 4: 57 bytes make a line of 76 characters. */
#define BASE64_LINE_BYTES 57
#define BASE64_LINE_CHARS 76

/* Encodes up to 57 bytes into at most 76 characters, padded with '='; returns how many characters. */
size_t base64_line(const uint8_t *bytes, size_t length, char ret_line[BASE64_LINE_CHARS]);
