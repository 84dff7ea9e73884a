#pragma once

#include <jansson.h>

/*
 * A JSON value as flat names and texts: "fadt.flags" -> "33957", "pss[0].freq_mhz" -> "2250". Into an object of
 * strings. Beyond FLATTEN_DEPTH levels a value is one compact text.
 */
#define FLATTEN_DEPTH 16
#define FLATTEN_MEMBERS 65536

void flatten(const char *name, const json_t *value, json_t *into);

/* The same for one object of a processor ("pss"), whose set is looked up in the report: an error is
 * "pss.error", the raw package of a _CPC, which says the same once more, is left out. */
void flatten_object(const json_t *root, const json_t *processor, const char *object, json_t *into);
