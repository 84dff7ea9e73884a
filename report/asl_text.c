#include "report/asl_text.h"

#include "model/gas.h"

#define DEPTH_MAX 16U
#define BYTES_SHOWN_MAX 256U
/* ACPI 6.5, 6.4.3.7 Generic Register Descriptor: 0x82, length 0x000C, then the register; 6.4.2.9 End Tag. */
#define REGISTER_TAG 0x82U
#define REGISTER_LENGTH 0x0CU
#define REGISTER_BYTES 15U

static void indent(struct textbuf *out, unsigned depth)
{
    textbuf_printf(out, "%*s", (int)depth * 4, "");
}

static void put_string(struct textbuf *out, const struct aml_value *value)
{
    textbuf_byte(out, '"');
    for (uint32_t i = 0; i < value->length; i++) {
        unsigned byte = value->bytes[i];

        if (byte == '"' || byte == '\\') {
            textbuf_printf(out, "\\%c", (int)byte);
        } else if (byte < ' ' || byte > '~') {
            textbuf_printf(out, "\\x%02X", byte);
        } else {
            textbuf_byte(out, (char)byte);
        }
    }
    textbuf_byte(out, '"');
}

static bool is_register(const struct aml_value *value)
{
    return value->length >= REGISTER_BYTES && value->bytes[0] == REGISTER_TAG &&
           value->bytes[1] == REGISTER_LENGTH && value->bytes[2] == 0;
}

static void put_register(struct textbuf *out, const uint8_t *bytes)
{
    uint64_t address = 0;

    for (unsigned i = 8; i > 0; i--) {
        address = address << 8 | bytes[6 + i];
    }
    textbuf_printf(out, " /* Register (%s, 0x%02X, 0x%02X, 0x%llX, %u) */",
                   gas_space_name(bytes[3]), (unsigned)bytes[4], (unsigned)bytes[5],
                   (unsigned long long)address, (unsigned)bytes[6]);
}

static void put_buffer(struct textbuf *out, const struct aml_value *value)
{
    textbuf_printf(out, "Buffer (0x%02X) {", value->length);
    for (uint32_t i = 0; i < value->length && i < BYTES_SHOWN_MAX; i++) {
        textbuf_printf(out, "%s%02X", i == 0 ? "" : " ", (unsigned)value->bytes[i]);
    }
    textbuf_string(out, value->length > BYTES_SHOWN_MAX ? " ...}" : "}");
    if (is_register(value)) {
        put_register(out, value->bytes);
    }
}

static void put_value(struct textbuf *out, const struct aml_value *value, unsigned depth);

static bool is_flat(const struct aml_value *value)
{
    for (uint32_t i = 0; i < value->length; i++) {
        if (value->elements[i].type != AML_INTEGER) {
            return false;
        }
    }
    return true;
}

static void put_package(struct textbuf *out, const struct aml_value *value, unsigned depth)
{
    bool is_one_line = is_flat(value) && value->length <= 8;

    textbuf_printf(out, "Package (0x%02X)", value->length);
    if (depth >= DEPTH_MAX) {
        textbuf_string(out, " {...}");
        return;
    }
    textbuf_string(out, is_one_line ? " {" : "\n");
    if (!is_one_line) {
        indent(out, depth);
        textbuf_string(out, "{\n");
    }
    for (uint32_t i = 0; i < value->length; i++) {
        if (!is_one_line) {
            indent(out, depth + 1);
        }
        put_value(out, &value->elements[i], depth + 1);
        textbuf_string(out, i + 1 == value->length ? (is_one_line ? "" : "\n")
                            : is_one_line          ? ", "
                                                   : ",\n");
    }
    if (!is_one_line) {
        indent(out, depth);
    }
    textbuf_byte(out, '}');
}

static void put_value(struct textbuf *out, const struct aml_value *value, unsigned depth)
{
    switch (value->type) {
    case AML_INTEGER:
        textbuf_printf(out, "0x%llX", (unsigned long long)value->integer);
        break;
    case AML_STRING:
        put_string(out, value);
        break;
    case AML_BUFFER:
        put_buffer(out, value);
        break;
    case AML_PACKAGE:
        put_package(out, value, depth);
        break;
    case AML_REFERENCE:
        textbuf_printf(out, "%.*s", (int)value->length,
                       value->length == 0 ? "" : (const char *)value->bytes);
        break;
    case AML_NULL:
        textbuf_string(out, "/* empty */");
        break;
    case AML_OTHER:
    default:
        textbuf_printf(out, "/* %s */", aml_type_name(value->type));
        break;
    }
}

void asl_text(struct textbuf *out, const struct aml_value *value)
{
    if (value == NULL) {
        textbuf_string(out, "/* empty */");
        return;
    }
    put_value(out, value, 0);
}
