#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reading the lines of a text whose bytes nobody vouches for: any length, NULs, no final newline. A line
 * longer than the buffer is cut, a NUL becomes '?', a carriage return before the newline goes away.
 */
#define LINES_TEXT_BYTES 512

struct lines {
    const char *bytes;
    size_t length;
    size_t position;
    uint32_t number;             /* of the current line, from 1 */
    char text[LINES_TEXT_BYTES]; /* the current line, NUL-terminated */
};

/* Lines that a parser did not understand: counted, the first one kept for the message. */
struct rubbish {
    uint32_t count;
    uint32_t first_number;
    char first_text[48];
};

void lines_init(struct lines *lines, const char *bytes, size_t length);

/* Moves to the next line; false at the end. */
bool lines_next(struct lines *lines);

/* Whether the current line is empty, blank or a # comment. */
bool lines_is_blank(const struct lines *lines);

void rubbish_add(struct rubbish *rubbish, const struct lines *lines);

/*
 * Scanners over a NUL-terminated line: blanks before the item are skipped, *at moves behind it on success
 * and stays where it was otherwise.
 */
bool scan_word(const char **at, const char *word);
bool scan_decimal(const char **at, uint64_t *ret_value);

/* Exactly `digits` hexadecimal digits without 0x, and no further digit behind them. */
bool scan_hex_digits(const char **at, unsigned digits, uint64_t *ret_value);

/* "0x" and 1 to 16 hexadecimal digits. */
bool scan_hex(const char **at, uint64_t *ret_value);

/* scan_hex or scan_decimal. */
bool scan_number(const char **at, uint64_t *ret_value);

/* Whether only blanks or a # comment follow. */
bool scan_is_end(const char *at);
