#include "acpi/decode_objects.h"

#include <string.h>

void decode_dependency(const struct aml_value *value, struct arena *arena,
                       struct dependency *ret_dependency)
{
    struct dependency_row *rows;

    memset(ret_dependency, 0, sizeof(*ret_dependency));
    ret_dependency->is_package = value->type == AML_PACKAGE;
    if (!ret_dependency->is_package) {
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
            rows[i].valid = decode_integers(row, 0, DEPENDENCY_FIELDS, rows[i].field);
        }
    }
    ret_dependency->count = value->length;
    ret_dependency->rows = rows;
}
