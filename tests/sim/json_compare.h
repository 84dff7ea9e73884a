#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Comparing what a report says with what a file of expectations holds, value by value. Every scalar counts as
 * one value, and so does the length of every array; only what is expected is compared, more may be there.
 */
struct json_score {
    uint32_t equal;
    uint32_t different;
    uint32_t told; /* differences printed so far */
    uint32_t told_max;
};

/*
 * Reads a JSON file. Integers of 16 digits and more become strings, so that both sides compare exactly
 * although jansson has no unsigned 64-bit type. NULL, with a line on standard error, when it cannot.
 */
json_t *json_file_load(const char *path);

/* Compares and counts; differences are printed with `where`. An expected null wants no value or null. */
void json_compare(const char *where, const json_t *expected, const json_t *actual,
                  struct json_score *score);

/* One value more, equal or not. */
void json_score_add(struct json_score *score, bool is_equal, const char *where, const char *what);
