#include "acpi/decode_objects.h"

#include <string.h>

void decode_pss(const struct aml_value *value, struct arena *arena, struct pss *ret_pss)
{
    struct pss_row *rows;

    memset(ret_pss, 0, sizeof(*ret_pss));
    ret_pss->is_package = value->type == AML_PACKAGE;
    if (!ret_pss->is_package) {
        return;
    }
    rows = arena_array(arena, value->length, sizeof(*rows));
    if (rows == NULL) {
        return;
    }
    for (uint32_t i = 0; i < value->length; i++) {
        const struct aml_value *row = &value->elements[i];

        if (row->type == AML_PACKAGE) {
            rows[i].elements = row->length;
            rows[i].valid = decode_integers(row, 0, PSS_FIELDS, rows[i].field);
        }
    }
    ret_pss->count = value->length;
    ret_pss->rows = rows;
}
