#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * What an AML object evaluated to, copied out of the interpreter into the arena and const from then
 * on. It is the raw claim of the firmware: the decoders in acpi/ read it, the rules judge its shape,
 * and the report prints it. Buffers, strings and packages point into the same arena.
 */
enum aml_type {
    AML_NULL = 0, /* an uninitialised package element */
    AML_INTEGER,
    AML_STRING, /* bytes, length without the terminating NUL; a NUL follows in memory */
    AML_BUFFER,
    AML_PACKAGE,
    AML_REFERENCE, /* bytes hold the path of what is referred to, where it is known */
    AML_OTHER      /* any other ACPI object type (power resource, device, ...) */
};

struct aml_value {
    enum aml_type type;
    uint32_t length; /* AML_STRING, AML_BUFFER, AML_REFERENCE: bytes; AML_PACKAGE: elements */
    uint64_t integer;
    union {
        const uint8_t *bytes;
        const struct aml_value *elements;
    };
};

/* The word for a type, as the ACPI specification names it ("Integer", "Package", ...). */
const char *aml_type_name(enum aml_type type);

/* Whether two values are equal in type, shape and content. Depth is bounded by the copier. */
bool aml_value_equal(const struct aml_value *a, const struct aml_value *b);

/* A 64-bit FNV-1a style hash over type, shape and content, for finding equal objects quickly. */
uint64_t aml_value_hash(const struct aml_value *value);

/* Element `index` of a package, or NULL when value is not a package or is shorter than that. */
const struct aml_value *aml_element(const struct aml_value *value, uint32_t index);

/* The integer of element `index`; false (and *ret_integer untouched) when it is not an Integer. */
bool aml_element_integer(const struct aml_value *value, uint32_t index, uint64_t *ret_integer);
