#include "host/flatten.h"

#include "host/json_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 512

static void put(json_t *into, const char *name, const char *text)
{
    if (json_object_size(into) < FLATTEN_MEMBERS) {
        (void)json_object_set_new(into, name, json_string(text));
    }
}

static void put_compact(json_t *into, const char *name, const json_t *value)
{
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);

    put(into, name, text == NULL ? "" : text);
    free(text);
}

/* {"reg": {...}} is one value: a person compares registers, not their parts. */
static bool put_register(json_t *into, const char *name, const json_t *value)
{
    static const char *const spaces[] = {"SystemMemory", "SystemIO", "PCI_Config"};
    const json_t *reg = json_object_size(value) == 1 ? json_object_get(value, "reg") : NULL;
    uint64_t space = json_text_number(reg, "space", UINT64_MAX);
    char text[NAME_BYTES];
    char number[32];

    if (!json_is_object(reg)) {
        return false;
    }
    (void)snprintf(number, sizeof(number), "space %llu", (unsigned long long)space);
    (void)snprintf(text, sizeof(text), "%s 0x%llx, width %llu, offset %llu, access %llu",
                   space < sizeof(spaces) / sizeof(spaces[0]) ? spaces[space]
                   : space == 127                             ? "FFixedHW"
                   : space == 10                              ? "PCC"
                                                              : number,
                   (unsigned long long)json_text_number(reg, "address", 0),
                   (unsigned long long)json_text_number(reg, "width", 0),
                   (unsigned long long)json_text_number(reg, "offset", 0),
                   (unsigned long long)json_text_number(reg, "access", 0));
    put(into, name, text);
    return true;
}

static void walk(const char *name, const json_t *value, json_t *into, unsigned depth)
{
    char below[NAME_BYTES];
    const json_t *member;
    const char *key;
    size_t index;

    if (put_register(into, name, value)) {
        return;
    }
    if (json_is_object(value) && depth < FLATTEN_DEPTH) {
        json_object_foreach((json_t *)(uintptr_t)value, key, member)
        {
            (void)snprintf(below, sizeof(below), "%.300s%s%.200s", name, name[0] == '\0' ? "" : ".",
                           key);
            walk(below, member, into, depth + 1);
        }
    } else if (json_is_array(value) && depth < FLATTEN_DEPTH) {
        json_array_foreach(value, index, member)
        {
            (void)snprintf(below, sizeof(below), "%.480s[%zu]", name, index);
            walk(below, member, into, depth + 1);
        }
    } else if (json_is_string(value)) {
        put(into, name, json_string_value(value));
    } else if (value != NULL) {
        put_compact(into, name, value);
    }
}

void flatten(const char *name, const json_t *value, json_t *into)
{
    walk(name, value, into, 0);
}

void flatten_object(const json_t *root, const json_t *processor, const char *object, json_t *into)
{
    const json_t *value = json_object_get(processor, object);
    const char *set = json_string_value(value);
    const json_t *found = set == NULL ? value : json_object_get(json_object_get(root, "sets"), set);
    const json_t *member;
    const char *key;
    char name[NAME_BYTES];

    if (strcmp(object, "cpc") != 0 || !json_is_object(found)) {
        flatten(object, found, into);
        return;
    }
    json_object_foreach((json_t *)(uintptr_t)found, key, member)
    {
        if (strcmp(key, "raw") != 0) {
            (void)snprintf(name, sizeof(name), "%s.%.200s", object, key);
            flatten(name, member, into);
        }
    }
}
