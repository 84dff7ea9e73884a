#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * For messages about a wrong word: which of the right ones was meant. Nearest is the one with the
 * smallest edit distance (insert, delete, replace one character; capital and small letters are the
 * same; a word cut short counts as one mistake); of several equally near ones the one that begins
 * alike, then the first.
 */

/* Words are compared by their first NEAREST_LENGTH_MAX bytes. */
#define NEAREST_LENGTH_MAX 63U

/* How far `word` is from `candidate`; only for comparing with another rank. Smaller is nearer. */
uint32_t nearest_rank(const char *word, size_t length, const char *candidate);

/* The nearest of `count` candidates (at least one). */
const char *nearest_of(const char *word, size_t length, const char *const *candidates,
                       size_t count);
