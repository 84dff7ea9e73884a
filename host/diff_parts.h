#pragma once

#include <jansson.h>
#include <stdbool.h>

/* What the parts of diff_values share. Values are texts under names, in a JSON object; a change is an object with
 * "section", "name", "old" and "new". */

typedef void (*diff_found)(const char *name, const char *old_text, const char *new_text,
                           void *context);

/* Calls `found` for each name whose texts differ; a text that is missing is NULL. */
void diff_texts(const json_t *old_values, const json_t *new_values, diff_found found,
                void *context);

/* A new change; a text that is NULL is left out. */
json_t *diff_change(const char *section, const char *name, const char *old_text,
                    const char *new_text);

/* Where diff_add puts changes: its context. Reasons are no changes. */
struct diff_section {
    const char *name;
    json_t *changes;
};

void diff_add(const char *name, const char *old_text, const char *new_text, void *context);

/* Where diff_fold puts them: one change for all members (processors, kernels) that have the same. */
struct diff_folded {
    const char *section;
    const char *members; /* the key of the list */
    json_t *changes;
    json_t *known;      /* name and texts -> the change */
    const char *member; /* whose changes are being told */
};

void diff_fold(const char *name, const char *old_text, const char *new_text, void *context);

/* Each appends to `changes` what differs between two reports. */
void diff_aml(const json_t *old_report, const json_t *new_report, json_t *changes);
void diff_linux(const json_t *old_report, const json_t *new_report, json_t *changes);
