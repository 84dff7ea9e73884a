#pragma once

#include "model/arena.h"
#include "model/objects.h"
#include "model/platform.h"

/*
 * The distinct objects found so far. Equal objects of several processors share one set; finding it takes
 * constant time, so the whole is linear in the number of processors.
 */

/* A set and what ACPICA's repair makes of it, which depends on the object alone. */
struct object_entry {
    struct object_set set; /* first: the platform points to it */
    bool is_repair_known;
    enum repair_outcome repair;
    const struct object_set *repaired;
    const char *repair_error;
};

/* Forgets all sets; new ones go into `arena`. */
void object_sets_init(struct arena *arena);

/* The set equal to `value`, made (copied, decoded and numbered) when it is new; NULL when memory is
 * exhausted. `value` may lie in scratch memory. */
struct object_entry *object_sets_take(enum object_kind kind, bool is_repaired,
                                      const struct aml_value *value);

/* The entry that `set` is in; `set` came from object_sets_take. */
struct object_entry *object_sets_entry(const struct object_set *set);

/* Hands the sets to the platform, by kind, then raw before repaired, then index. */
void object_sets_publish(struct platform *platform);
