/* Tables whose AML is not the same bytes. */
#include "host/diff_parts.h"
#include "host/json_text.h"

#include <stdio.h>

#define TEXT_BYTES 128

/* Hashes of AML, as keys. */
static json_t *aml_hashes(const json_t *report)
{
    const json_t *array = json_object_get(json_object_get(report, "machine"), "tables");
    json_t *hashes = json_object();
    const json_t *table;
    size_t index;

    json_array_foreach(array, index, table)
    {
        const char *hash = json_text_string(table, "fnv1a");

        if (hash != NULL) {
            (void)json_object_set_new(hashes, hash, json_true());
        }
    }
    return hashes;
}

/* Tables of AML that the other report does not have byte for byte, by the names that their maker gave them. */
static json_t *own_aml(const json_t *report, const json_t *others)
{
    const json_t *array = json_object_get(json_object_get(report, "machine"), "tables");
    json_t *own = json_object();
    const json_t *table;
    size_t index;

    json_array_foreach(array, index, table)
    {
        const char *hash = json_text_string(table, "fnv1a");
        const char *id = json_text_string(table, "oem_table_id");
        const char *signature = json_text_string(table, "signature");
        char name[64];
        char text[TEXT_BYTES];
        unsigned alike = 1;

        if (hash == NULL || json_object_get(others, hash) != NULL) {
            continue;
        }
        (void)snprintf(name, sizeof(name), "%.8s %.16s", signature == NULL ? "?" : signature,
                       id == NULL ? "" : id);
        while (json_object_get(own, name) != NULL && alike < 1000) {
            (void)snprintf(name, sizeof(name), "%.8s %.16s #%u", signature, id == NULL ? "" : id,
                           ++alike);
        }
        (void)snprintf(text, sizeof(text), "%llu bytes, %.24s",
                       (unsigned long long)json_text_number(table, "length", 0), hash);
        (void)json_object_set_new(own, name, json_string(text));
    }
    return own;
}

/* Nothing of reports that were made before tables had a hash. */
void diff_aml(const json_t *old_report, const json_t *new_report, json_t *changes)
{
    struct diff_section section = {.name = "aml", .changes = changes};
    json_t *old_hashes = aml_hashes(old_report);
    json_t *new_hashes = aml_hashes(new_report);
    json_t *old_own = own_aml(old_report, new_hashes);
    json_t *new_own = own_aml(new_report, old_hashes);

    if (json_object_size(old_hashes) > 0 && json_object_size(new_hashes) > 0) {
        diff_texts(old_own, new_own, diff_add, &section);
    }
    json_decref(old_hashes);
    json_decref(new_hashes);
    json_decref(old_own);
    json_decref(new_own);
}
