#include "model/aml_value.h"

#include "model/hash.h"

#include <stddef.h>
#include <string.h>

const char *aml_type_name(enum aml_type type)
{
    switch (type) {
    case AML_NULL:
        return "NULL";
    case AML_INTEGER:
        return "Integer";
    case AML_STRING:
        return "String";
    case AML_BUFFER:
        return "Buffer";
    case AML_PACKAGE:
        return "Package";
    case AML_REFERENCE:
        return "Reference";
    case AML_OTHER:
        break;
    }
    return "other object";
}

static bool has_bytes(enum aml_type type)
{
    return type == AML_STRING || type == AML_BUFFER || type == AML_REFERENCE;
}

/* Recursion is bounded: acpi/ copies no value that nests deeper than AML_COPY_DEPTH. */
bool aml_value_equal(const struct aml_value *a,
                     const struct aml_value *b) /* NOLINT(misc-no-recursion) */
{
    if (a->type != b->type || a->length != b->length || a->integer != b->integer) {
        return false;
    }
    if (has_bytes(a->type)) {
        return a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0;
    }
    if (a->type == AML_PACKAGE) {
        for (uint32_t i = 0; i < a->length; i++) {
            if (!aml_value_equal(&a->elements[i], &b->elements[i])) {
                return false;
            }
        }
    }
    return true;
}

uint64_t aml_value_hash(const struct aml_value *value) /* NOLINT(misc-no-recursion) */
{
    uint64_t hash = hash_word(HASH_START, (uint64_t)value->type);

    hash = hash_word(hash_word(hash, value->length), value->integer);
    if (has_bytes(value->type)) {
        hash = hash_bytes(hash, value->bytes, value->length);
    } else if (value->type == AML_PACKAGE) {
        for (uint32_t i = 0; i < value->length; i++) {
            hash = hash_word(hash, aml_value_hash(&value->elements[i]));
        }
    }
    return hash;
}

const struct aml_value *aml_element(const struct aml_value *value, uint32_t index)
{
    if (value == NULL || value->type != AML_PACKAGE || index >= value->length) {
        return NULL;
    }
    return &value->elements[index];
}

bool aml_element_integer(const struct aml_value *value, uint32_t index, uint64_t *ret_integer)
{
    const struct aml_value *element = aml_element(value, index);

    if (element == NULL || element->type != AML_INTEGER) {
        return false;
    }
    *ret_integer = element->integer;
    return true;
}
