#include "host/diff_parts.h"
#include "host/flatten.h"
#include "host/json_text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define TEXT_BYTES 400

static json_t *views_by_version(const json_t *report)
{
    json_t *views = json_object();
    const json_t *view;
    size_t index;

    json_array_foreach(json_object_get(report, "linux"), index, view)
    {
        const char *version = json_text_string(view, "version");

        if (version != NULL) {
            (void)json_object_set(views, version, (json_t *)(uintptr_t)view);
        }
    }
    return views;
}

/* A message of the kernel by its text: its place in the list says nothing. */
static void put_message(const json_t *message, json_t *into)
{
    const char *text = json_text_string(message, "text");
    const char *level = json_text_string(message, "level");
    char name[TEXT_BYTES];
    char value[64];
    uint64_t times = json_text_number(message, "times", 1);

    (void)snprintf(name, sizeof(name), "message \"%.380s\"", text == NULL ? "" : text);
    (void)snprintf(value, sizeof(value), "%.32s, %llu time%s", level == NULL ? "" : level,
                   (unsigned long long)times, times == 1 ? "" : "s");
    (void)json_object_set_new(into, name, json_string(value));
}

/* Reasons say in words what the values beside them say, and their wording is Assay's. */
static bool is_reason(const char *name)
{
    return strstr(name, "why") != NULL || strcmp(name, "uncertain") == 0 ||
           strcmp(name, "version") == 0;
}

static json_t *values_of(const json_t *view)
{
    json_t *values = json_object();
    const json_t *member;
    const json_t *message;
    const char *key;
    size_t index;

    json_object_foreach((json_t *)(uintptr_t)view, key, member)
    {
        if (strcmp(key, "messages") == 0) {
            json_array_foreach(member, index, message)
            {
                put_message(message, values);
            }
        } else if (!is_reason(key)) {
            flatten(key, member, values);
        }
    }
    return values;
}

/* diff_fold, but for reasons further down. */
static void fold_value(const char *name, const char *old_text, const char *new_text, void *context)
{
    if (strstr(name, "why") == NULL && strstr(name, ".formula") == NULL) {
        diff_fold(name, old_text, new_text, context);
    }
}

/* Kernels that both reports know; another Assay may know more. */
void diff_linux(const json_t *old_report, const json_t *new_report, json_t *changes)
{
    struct diff_folded folded = {
        .section = "linux", .members = "kernels", .changes = changes, .known = json_object()};
    json_t *old_views = views_by_version(old_report);
    json_t *new_views = views_by_version(new_report);
    json_t *view;
    const char *version;

    json_object_foreach(old_views, version, view)
    {
        const json_t *other = json_object_get(new_views, version);
        json_t *old_values = values_of(view);
        json_t *new_values = values_of(other);

        folded.member = version;
        if (other != NULL) {
            diff_texts(old_values, new_values, fold_value, &folded);
        }
        json_decref(old_values);
        json_decref(new_values);
    }
    json_decref(folded.known);
    json_decref(old_views);
    json_decref(new_views);
}
