#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A strict validator of JSON Schema, draft 2020-12, for the keywords that docs/report.schema.json uses: $ref into
 * $defs, type, enum, const, properties, patternProperties, additionalProperties, required, items, minItems,
 * maxItems, minimum, maximum, pattern (as an extended regular expression), oneOf, anyOf. Any other keyword is an
 * error, so that nothing in a schema is passed over in silence.
 */

/* Whether `value` is valid; otherwise one line in `message` that starts with the place ("/idle/3/cpu: ..."). */
bool json_schema_validate(const json_t *schema, const json_t *value, char *message,
                          size_t message_bytes);
