#pragma once

#include "rules/judge.h"

/*
 * Rules across CPUs: an object that some processors lack, and objects that differ where they must not.
 * Two kinds of core (CPUID 1AH) may differ from each other, not within a kind.
 */

/* What two equal objects share and two different ones do not. */
typedef uint64_t (*alike_key)(const struct processor *processor, const struct object_set *set);

/* Says in a few words what the object claims, for "this, where the others say that". */
typedef const char *(*alike_words)(const struct processor *processor, const struct object_set *set,
                                   struct judge_text *text);

/* Fails for every enabled processor without the object when others have it (rule->kind). */
void alike_presence(struct judge *judge);

/*
 * Compares the objects (rule->kind) of all enabled processors of one kind of core by `key` and reports
 * those that are not like the majority: FAIL, or WARN where kinds of core cannot be told apart. Without
 * CPUID two variants that several CPUs share each may be two kinds of core: SKIP.
 */
void alike_values(struct judge *judge, alike_key key, alike_words words);

/* The object as a whole, as a key. */
uint64_t alike_whole(const struct processor *processor, const struct object_set *set);
