#include "host/diff_compare.h"
#include "host/json_text.h"

#include <stdio.h>
#include <string.h>

#define KEY_BYTES 1024

static const char *text_of(const json_t *finding, const char *key)
{
    const char *text = json_text_string(finding, key);

    return text == NULL ? "" : text;
}

static bool is_verdict(const json_t *finding, const char *verdict)
{
    return strcmp(text_of(finding, "verdict"), verdict) == 0;
}

/* Something to mend or to know; PASS and SKIP are not. */
static bool says_something(const json_t *finding)
{
    return is_verdict(finding, "FAIL") || is_verdict(finding, "WARN") ||
           is_verdict(finding, "INFO");
}

/* About what: the rule, and the object it is about. */
static void subject(const json_t *finding, char *ret_key)
{
    (void)snprintf(ret_key, KEY_BYTES, "%.32s\x1f%.400s", text_of(finding, "id"),
                   text_of(finding, "object"));
}

/* The whole of it but the CPUs' numbers, which a processor more or less shifts. */
static void whole(const json_t *finding, char *ret_key)
{
    (void)snprintf(ret_key, KEY_BYTES, "%.32s\x1f%.200s\x1f%.8s\x1f%.300s\x1f%.200s",
                   text_of(finding, "id"), text_of(finding, "object"), text_of(finding, "verdict"),
                   text_of(finding, "actual"), text_of(finding, "expected"));
}

typedef void (*key_maker)(const json_t *finding, char *ret_key);

/* Findings that say something by key; `all`: whichever. The first of two alike is kept. */
static json_t *index_by(const json_t *report, key_maker make, bool all)
{
    json_t *index = json_object();
    const json_t *finding;
    size_t i;

    json_array_foreach(json_object_get(report, "findings"), i, finding)
    {
        char key[KEY_BYTES];

        make(finding, key);
        if ((all || says_something(finding)) && json_object_get(index, key) == NULL) {
            (void)json_object_set(index, key, (json_t *)(uintptr_t)finding);
        }
    }
    return index;
}

static void id_of(const json_t *finding, char *ret_key)
{
    (void)snprintf(ret_key, KEY_BYTES, "%.32s", text_of(finding, "id"));
}

static void add(json_t *list, const json_t *finding, const json_t *other)
{
    static const char *const keys[] = {"id",   "verdict", "severity", "title",
                                       "cpus", "object",  "expected", "actual"};
    json_t *entry = json_object();

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        json_t *value = json_object_get(finding, keys[i]);

        if (value != NULL) {
            (void)json_object_set(entry, keys[i], value);
        }
    }
    if (other != NULL) {
        (void)json_object_set_new(entry, "was", json_string(text_of(other, "actual")));
        (void)json_object_set_new(entry, "was_verdict", json_string(text_of(other, "verdict")));
    }
    (void)json_array_append_new(list, entry);
}

static void find_new(const json_t *old_report, const json_t *new_report, json_t *result)
{
    json_t *wholes = index_by(old_report, whole, false);
    json_t *subjects = index_by(old_report, subject, false);
    const json_t *finding;
    size_t i;

    json_array_foreach(json_object_get(new_report, "findings"), i, finding)
    {
        char key[KEY_BYTES];
        const json_t *before;

        whole(finding, key);
        if (!says_something(finding) || json_object_get(wholes, key) != NULL) {
            continue;
        }
        subject(finding, key);
        before = json_object_get(subjects, key);
        add(json_object_get(result, before == NULL ? "new" : "changed"), finding, before);
    }
    json_decref(wholes);
    json_decref(subjects);
}

/* A rule that no longer judges has mended nothing. */
static void find_gone(const json_t *old_report, const json_t *new_report, json_t *result)
{
    json_t *subjects = index_by(new_report, subject, false);
    json_t *rules = index_by(new_report, id_of, true);
    const json_t *finding;
    size_t i;

    json_array_foreach(json_object_get(old_report, "findings"), i, finding)
    {
        char key[KEY_BYTES];
        const json_t *now;

        subject(finding, key);
        if (!says_something(finding) || json_object_get(subjects, key) != NULL) {
            continue;
        }
        id_of(finding, key);
        now = json_object_get(rules, key);
        add(json_object_get(result,
                            now == NULL || is_verdict(now, "SKIP") ? "not_judged" : "fixed"),
            finding, NULL);
    }
    json_decref(subjects);
    json_decref(rules);
}

json_t *diff_findings(const json_t *old_report, const json_t *new_report)
{
    static const char *const lists[] = {"fixed", "new", "changed", "not_judged"};
    json_t *result = json_object();

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        (void)json_object_set_new(result, lists[i], json_array());
    }
    find_new(old_report, new_report, result);
    find_gone(old_report, new_report, result);
    return result;
}
