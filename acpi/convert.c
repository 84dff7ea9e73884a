#include "acpi/convert.h"

#include "acpi/acpi.h"

#include <string.h>

#define PATH_BYTES 256

struct conversion {
    struct arena *arena;
    uint32_t elements;
    uint32_t bytes;
};

/* ACPICA marks an uninitialised package element with type 0. */
static enum status copy_bytes(struct conversion *conversion, const void *bytes, uint32_t length,
                              struct aml_value *ret_value)
{
    uint8_t *copy;

    if (length > CONVERT_BYTES - conversion->bytes) {
        return STATUS_BAD_INPUT;
    }
    conversion->bytes += length;
    copy = arena_take(conversion->arena, (size_t)length + 1);
    if (copy == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (length > 0) {
        memcpy(copy, bytes, length);
    }
    ret_value->length = length;
    ret_value->bytes = copy;
    return STATUS_OK;
}

static enum status copy_reference(struct conversion *conversion, acpi_handle handle,
                                  struct aml_value *ret_value)
{
    char path[PATH_BYTES] = "";
    struct acpi_buffer buffer = {.length = sizeof(path), .pointer = path};

    if (handle == NULL ||
        ACPI_FAILURE(acpi_get_name(handle, ACPI_FULL_PATHNAME_NO_TRAILING, &buffer))) {
        path[0] = '\0';
    }
    return copy_bytes(conversion, path, (uint32_t)strlen(path), ret_value);
}

static enum status copy(struct conversion *conversion, const union acpi_object *object,
                        uint32_t depth, struct aml_value *ret_value);

static enum status copy_package(struct conversion *conversion, const union acpi_object *object,
                                uint32_t depth, struct aml_value *ret_value)
{
    uint32_t count = object->package.count;
    struct aml_value *elements;

    if (depth >= CONVERT_DEPTH || count > CONVERT_ELEMENTS - conversion->elements) {
        return STATUS_BAD_INPUT;
    }
    conversion->elements += count;
    elements = arena_array(conversion->arena, count, sizeof(*elements));
    if (elements == NULL) {
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        enum status status =
            copy(conversion, &object->package.elements[i], depth + 1, &elements[i]);

        if (status != STATUS_OK) {
            return status;
        }
    }
    ret_value->length = count;
    ret_value->elements = elements;
    return STATUS_OK;
}

static enum status copy(struct conversion *conversion, const union acpi_object *object,
                        uint32_t depth, struct aml_value *ret_value)
{
    switch (object->type) {
    case ACPI_TYPE_ANY:
        ret_value->type = AML_NULL;
        return STATUS_OK;
    case ACPI_TYPE_INTEGER:
        ret_value->type = AML_INTEGER;
        ret_value->integer = object->integer.value;
        return STATUS_OK;
    case ACPI_TYPE_STRING:
        ret_value->type = AML_STRING;
        return copy_bytes(conversion, object->string.pointer, object->string.length, ret_value);
    case ACPI_TYPE_BUFFER:
        ret_value->type = AML_BUFFER;
        return copy_bytes(conversion, object->buffer.pointer, object->buffer.length, ret_value);
    case ACPI_TYPE_PACKAGE:
        ret_value->type = AML_PACKAGE;
        return copy_package(conversion, object, depth, ret_value);
    case ACPI_TYPE_LOCAL_REFERENCE:
        ret_value->type = AML_REFERENCE;
        return copy_reference(conversion, object->reference.handle, ret_value);
    default:
        ret_value->type = AML_OTHER;
        return STATUS_OK;
    }
}

enum status convert_object(const void *object, struct arena *arena, struct aml_value *ret_value)
{
    struct conversion conversion = {.arena = arena};

    memset(ret_value, 0, sizeof(*ret_value));
    if (object == NULL) {
        return STATUS_OK;
    }
    return copy(&conversion, object, 0, ret_value);
}

const char *convert_text(const struct aml_value *value)
{
    return value->type == AML_STRING ? (const char *)value->bytes : NULL;
}
