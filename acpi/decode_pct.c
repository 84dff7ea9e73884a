#include "acpi/decode_objects.h"

#include <string.h>

void decode_pct(const struct aml_value *value, struct pct *ret_pct)
{
    memset(ret_pct, 0, sizeof(*ret_pct));
    ret_pct->is_package = value->type == AML_PACKAGE;
    ret_pct->elements = ret_pct->is_package ? value->length : 0;
    ret_pct->control = decode_register(aml_element(value, 0));
    ret_pct->status = decode_register(aml_element(value, 1));
}
