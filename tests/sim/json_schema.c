#include "tests/sim/json_schema.h"

#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PLACE_BYTES 512
#define PATTERNS_MAX 32
#define NESTING_MAX 64

struct pattern {
    const char *text;
    regex_t compiled;
};

struct walk {
    const json_t *root;
    char place[PLACE_BYTES];
    char *message;
    size_t message_bytes;
    unsigned depth;
    unsigned patterns_count;
    struct pattern patterns[PATTERNS_MAX];
};

static bool validate(struct walk *walk, const json_t *schema, const json_t *value);

static bool wrong(struct walk *walk, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool wrong(struct walk *walk, const char *format, ...)
{
    int length = snprintf(walk->message, walk->message_bytes,
                          "%s: ", walk->place[0] == '\0' ? "/" : walk->place);
    va_list arguments;

    va_start(arguments, format);
    if (length >= 0 && (size_t)length < walk->message_bytes) {
        (void)vsnprintf(walk->message + length, walk->message_bytes - (size_t)length, format,
                        arguments);
    }
    va_end(arguments);
    return false;
}

/* Validates a part of the value; the place of a message then has its name. */
static bool validate_at(struct walk *walk, const json_t *schema, const json_t *value,
                        const char *name)
{
    size_t length = strlen(walk->place);
    bool is_valid;

    (void)snprintf(walk->place + length, PLACE_BYTES - length, "/%s", name);
    is_valid = validate(walk, schema, value);
    walk->place[length] = '\0';
    return is_valid;
}

static bool matches(struct walk *walk, const char *text, const char *string)
{
    unsigned i = 0;

    while (i < walk->patterns_count && strcmp(walk->patterns[i].text, text) != 0) {
        i++;
    }
    if (i == walk->patterns_count) {
        if (i == PATTERNS_MAX ||
            regcomp(&walk->patterns[i].compiled, text, REG_EXTENDED | REG_NOSUB) != 0) {
            return wrong(walk, "the schema's pattern %s cannot be used", text);
        }
        walk->patterns[i].text = text;
        walk->patterns_count++;
    }
    return regexec(&walk->patterns[i].compiled, string, 0, NULL, 0) == 0;
}

/* An Integer beyond 63 bits is a real to jansson; a fraction is no Integer. */
static bool is_integer(const json_t *value)
{
    return json_is_integer(value) ||
           (json_is_real(value) && floor(json_real_value(value)) == json_real_value(value));
}

static bool is_of_type(const json_t *value, const char *type)
{
    return (strcmp(type, "object") == 0 && json_is_object(value)) ||
           (strcmp(type, "array") == 0 && json_is_array(value)) ||
           (strcmp(type, "string") == 0 && json_is_string(value)) ||
           (strcmp(type, "boolean") == 0 && json_is_boolean(value)) ||
           (strcmp(type, "null") == 0 && json_is_null(value)) ||
           (strcmp(type, "number") == 0 && json_is_number(value)) ||
           (strcmp(type, "integer") == 0 && is_integer(value));
}

static bool type(struct walk *walk, const json_t *wanted, const json_t *value)
{
    const json_t *one;
    size_t index;

    if (json_is_string(wanted)) {
        return is_of_type(value, json_string_value(wanted)) ||
               wrong(walk, "is no %s", json_string_value(wanted));
    }
    json_array_foreach(wanted, index, one)
    {
        if (json_is_string(one) && is_of_type(value, json_string_value(one))) {
            return true;
        }
    }
    return wrong(walk, "is of none of the types");
}

static bool one_of_values(struct walk *walk, const json_t *values, const json_t *value)
{
    const json_t *one;
    size_t index;

    json_array_foreach(values, index, one)
    {
        if (json_equal(one, value)) {
            return true;
        }
    }
    return wrong(walk, "is none of the values of enum");
}

static bool required(struct walk *walk, const json_t *names, const json_t *value)
{
    const json_t *name;
    size_t index;

    json_array_foreach(names, index, name)
    {
        if (json_is_object(value) && json_object_get(value, json_string_value(name)) == NULL) {
            return wrong(walk, "has no \"%s\"", json_string_value(name));
        }
    }
    return true;
}

/* properties, patternProperties and additionalProperties, which stand on each other. */
static bool member(struct walk *walk, const json_t *schema, const char *key, const json_t *value)
{
    const json_t *by_name = json_object_get(json_object_get(schema, "properties"), key);
    const json_t *others = json_object_get(schema, "additionalProperties");
    const json_t *by_pattern;
    const char *pattern;
    bool is_known = by_name != NULL;

    if (by_name != NULL && !validate_at(walk, by_name, value, key)) {
        return false;
    }
    json_object_foreach(json_object_get(schema, "patternProperties"), pattern, by_pattern)
    {
        if (matches(walk, pattern, key)) {
            is_known = true;
            if (!validate_at(walk, by_pattern, value, key)) {
                return false;
            }
        }
    }
    if (is_known || others == NULL || json_is_true(others)) {
        return true;
    }
    return json_is_false(others) ? wrong(walk, "\"%s\" is not in the schema: add it there", key)
                                 : validate_at(walk, others, value, key);
}

static bool members(struct walk *walk, const json_t *schema, const json_t *value)
{
    const json_t *part;
    const char *key;

    json_object_foreach((json_t *)(uintptr_t)value, key, part)
    {
        if (!member(walk, schema, key, part)) {
            return false;
        }
    }
    return true;
}

static bool items(struct walk *walk, const json_t *schema, const json_t *value)
{
    const json_t *part;
    size_t index;

    json_array_foreach(value, index, part)
    {
        char name[24];

        (void)snprintf(name, sizeof(name), "%zu", index);
        if (!validate_at(walk, schema, part, name)) {
            return false;
        }
    }
    return true;
}

/* How many of the schemas hold; the message is that of the last one that does not. */
static unsigned count_valid(struct walk *walk, const json_t *schemas, const json_t *value)
{
    const json_t *one;
    size_t index;
    unsigned count = 0;

    json_array_foreach(schemas, index, one)
    {
        count += validate(walk, one, value) ? 1 : 0;
    }
    return count;
}

static bool any_of(struct walk *walk, const json_t *schemas, const json_t *value)
{
    return count_valid(walk, schemas, value) > 0;
}

static bool one_of(struct walk *walk, const json_t *schemas, const json_t *value)
{
    unsigned count = count_valid(walk, schemas, value);

    return count == 1 || (count > 1 && wrong(walk, "fits %u schemas of oneOf", count));
}

static bool reference(struct walk *walk, const json_t *name, const json_t *value)
{
    static const char prefix[] = "#/$defs/";
    const char *text = json_string_value(name);
    const json_t *schema = NULL;

    if (text != NULL && strncmp(text, prefix, sizeof(prefix) - 1) == 0) {
        schema = json_object_get(json_object_get(walk->root, "$defs"), text + sizeof(prefix) - 1);
    }
    return schema == NULL ? wrong(walk, "the schema's $ref %s leads nowhere", text)
                          : validate(walk, schema, value);
}

static bool limit(struct walk *walk, const char *keyword, const json_t *bound, const json_t *value)
{
    bool is_least = keyword[1] == 'i';
    double number;

    if (strcmp(keyword + 3, "Items") == 0) {
        if (!json_is_array(value)) {
            return true;
        }
        number = (double)json_array_size(value);
    } else if (json_is_number(value)) {
        number = json_number_value(value);
    } else {
        return true;
    }
    return (is_least ? number >= json_number_value(bound) : number <= json_number_value(bound)) ||
           wrong(walk, "is beyond %s", keyword);
}

static bool pattern(struct walk *walk, const json_t *wanted, const json_t *value)
{
    return !json_is_string(value) ||
           matches(walk, json_string_value(wanted), json_string_value(value)) ||
           wrong(walk, "\"%.40s\" does not match %s", json_string_value(value),
                 json_string_value(wanted));
}

static bool is_annotation(const char *keyword)
{
    static const char *const known[] = {"$schema", "$id", "$defs", "title", "description"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(keyword, known[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_of_members(const char *keyword)
{
    return strcmp(keyword, "properties") == 0 || strcmp(keyword, "patternProperties") == 0 ||
           strcmp(keyword, "additionalProperties") == 0;
}

static bool is_limit(const char *keyword)
{
    return strcmp(keyword, "minimum") == 0 || strcmp(keyword, "maximum") == 0 ||
           strcmp(keyword, "minItems") == 0 || strcmp(keyword, "maxItems") == 0;
}

static bool apply(struct walk *walk, const char *keyword, const json_t *part, const json_t *value)
{
    static const struct {
        const char *keyword;
        bool (*apply)(struct walk *walk, const json_t *part, const json_t *value);
    } table[] = {{"$ref", reference},    {"type", type},      {"enum", one_of_values},
                 {"required", required}, {"items", items},    {"anyOf", any_of},
                 {"oneOf", one_of},      {"pattern", pattern}};

    if (is_annotation(keyword) || is_of_members(keyword)) {
        return true;
    }
    if (strcmp(keyword, "const") == 0) {
        return json_equal(part, value) || wrong(walk, "is not the value of const");
    }
    if (is_limit(keyword)) {
        return limit(walk, keyword, part, value);
    }
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(keyword, table[i].keyword) == 0) {
            return table[i].apply(walk, part, value);
        }
    }
    return wrong(walk, "the schema has the keyword %s, which this validator does not know",
                 keyword);
}

static bool validate(struct walk *walk, const json_t *schema, const json_t *value)
{
    const json_t *part;
    const char *keyword;
    bool is_valid = true;

    if (!json_is_object(schema) || walk->depth >= NESTING_MAX) {
        return wrong(walk, "the schema is no object here, or nested too deep");
    }
    walk->depth++;
    json_object_foreach((json_t *)(uintptr_t)schema, keyword, part)
    {
        is_valid = is_valid && apply(walk, keyword, part, value);
    }
    is_valid = is_valid && (!json_is_object(value) || members(walk, schema, value));
    walk->depth--;
    return is_valid;
}

bool json_schema_validate(const json_t *schema, const json_t *value, char *message,
                          size_t message_bytes)
{
    struct walk walk = {.root = schema, .message = message, .message_bytes = message_bytes};
    bool is_valid = validate(&walk, schema, value);

    for (unsigned i = 0; i < walk.patterns_count; i++) {
        regfree(&walk.patterns[i].compiled);
    }
    return is_valid;
}
