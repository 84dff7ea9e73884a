#include "acpi/decode_objects.h"

#include <string.h>

/* ACPI 6.5, 8.4.6.1: NumEntries and Revision come first. */
#define FIRST_REGISTER 2U

static struct cpc_element decode_element(const struct aml_value *value)
{
    struct cpc_element element = {.kind = CPC_ELEMENT_MISSING, .reg = decode_register(NULL)};

    if (value == NULL) {
        return element;
    }
    switch (value->type) {
    case AML_NULL:
        element.kind = CPC_ELEMENT_NULL;
        break;
    case AML_INTEGER:
        element.kind = CPC_ELEMENT_INTEGER;
        element.integer = value->integer;
        break;
    case AML_BUFFER:
        element.kind = CPC_ELEMENT_REGISTER;
        element.reg = decode_register(value);
        break;
    case AML_STRING:
    case AML_PACKAGE:
    case AML_REFERENCE:
    case AML_OTHER:
        element.kind = CPC_ELEMENT_OTHER;
        break;
    }
    return element;
}

void decode_cpc(const struct aml_value *value, struct cpc *ret_cpc)
{
    memset(ret_cpc, 0, sizeof(*ret_cpc));
    ret_cpc->is_package = value->type == AML_PACKAGE;
    ret_cpc->elements = ret_cpc->is_package ? value->length : 0;
    ret_cpc->has_entries = aml_element_integer(value, 0, &ret_cpc->entries);
    ret_cpc->has_revision = aml_element_integer(value, 1, &ret_cpc->revision);
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        ret_cpc->registers[i] = decode_element(aml_element(value, FIRST_REGISTER + i));
    }
}
