#pragma once

#include "model/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of CPU numbers (Linux's) below a fixed capacity. The words live in an arena. */
struct cpuset {
    uint32_t capacity; /* in CPUs */
    uint64_t *words;
};

/* An empty set for CPUs 0..capacity-1; words is NULL (and every operation a no-op) without memory. */
struct cpuset cpuset_create(struct arena *arena, uint32_t capacity);

void cpuset_add(struct cpuset *set, uint32_t cpu); /* numbers beyond capacity are ignored */
bool cpuset_has(const struct cpuset *set, uint32_t cpu);
uint32_t cpuset_count(const struct cpuset *set);
bool cpuset_equal(const struct cpuset *a, const struct cpuset *b);

/* "0-3,7,64-127" into text, always NUL-terminated; cut at the last whole range that fits plus "...".
 * Returns the length written. The empty set gives "". */
size_t cpuset_format(const struct cpuset *set, char *text, size_t text_bytes);

/* Parses the same form into a set that cpuset_create made, replacing what was in it. BAD_INPUT for
 * anything else, a descending range or a number >= capacity; the set is then unchanged. */
enum status cpuset_parse(const char *text, struct cpuset *ret_set) MUST_CHECK;

/* The 64-bit words that a set of `capacity` CPUs needs. */
size_t cpuset_words(uint32_t capacity);

/* The first CPU of the set that is >= cpu, or CPUSET_NONE. */
#define CPUSET_NONE UINT32_MAX
uint32_t cpuset_next(const struct cpuset *set, uint32_t cpu);

/* Whether cpuset_parse would take the text for a set of this capacity. "" is the empty set. */
bool cpuset_is_list(const char *text, uint32_t capacity);
