#pragma once

#include "host/rebuild.h"

/* The parts of rebuild, a file per subject. Each takes the whole report. */

/* No machine has more of anything; a report that says so is cut there. */
#define REBUILD_ITEMS_MAX 65536U

struct rebuilder {
    const json_t *root;
    struct arena *arena;
    struct platform *platform;
};

void rebuild_machine(const struct rebuilder *rebuilder);
void rebuild_tables(const struct rebuilder *rebuilder);
void rebuild_aml(const struct rebuilder *rebuilder);
void rebuild_cpuid(const struct rebuilder *rebuilder); /* before the processors */
void rebuild_processors(const struct rebuilder *rebuilder);
void rebuild_msrs(const struct rebuilder *rebuilder); /* after the processors: by CPU number */
void rebuild_timing(const struct rebuilder *rebuilder);
void rebuild_clocked(const struct rebuilder *rebuilder);

/* The object that `json` shows, as it came out of the interpreter; NULL without memory. */
const struct aml_value *rebuild_object(enum object_kind kind, const json_t *json,
                                       struct arena *arena);

/* {"reg":{...}} */
struct gas rebuild_gas(const json_t *json);

/* The members of an array, at most REBUILD_ITEMS_MAX. */
uint32_t rebuild_count(const json_t *array);

/* A member's number, cut to 32 bits. */
uint32_t rebuild_u32(const json_t *object, const char *key);

/* "0x1ad" */
uint64_t rebuild_hex(const json_t *object, const char *key);

/* A member's text, or `otherwise`. */
const char *rebuild_text(const json_t *object, const char *key, const char *otherwise);

/* {"n","min","p50",...}; of zeros when there is none. */
struct distribution rebuild_distribution(const json_t *object, const char *key);

bool rebuild_is_true(const json_t *object, const char *key);

/* The place of `word` in `words`, or `otherwise`. */
unsigned rebuild_word(const char *word, const char *const *words, unsigned count,
                      unsigned otherwise);
