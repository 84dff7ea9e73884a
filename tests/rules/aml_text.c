#include "tests/rules/aml_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ELEMENTS_MAX 1200
#define REGISTER_BYTES 17

struct reader {
    struct arena *arena;
    const char *at;
};

static struct aml_value read_value(struct reader *reader);

static void skip_blanks(struct reader *reader)
{
    while (*reader->at == ' ' || *reader->at == '\n') {
        reader->at++;
    }
}

static uint64_t read_number(struct reader *reader, int base)
{
    char *end;
    uint64_t number = strtoull(reader->at, &end, base);

    if (end == reader->at) {
        fail_msg("no number at \"%s\"", reader->at);
    }
    reader->at = end;
    return number;
}

static struct aml_value buffer_of(struct reader *reader, const uint8_t *bytes, uint32_t length)
{
    uint8_t *copy = arena_take(reader->arena, length);

    assert_non_null(copy);
    memcpy(copy, bytes, length);
    return (struct aml_value){.type = AML_BUFFER, .length = length, .bytes = copy};
}

/* ACPI 6.5, 6.4.3.7 Generic Register Descriptor, and an end tag. */
static struct aml_value register_of(struct reader *reader, const uint64_t *field)
{
    uint8_t bytes[REGISTER_BYTES] = {0x82, 0x0C, 0x00};

    for (unsigned i = 0; i < 4; i++) {
        bytes[3 + i] = (uint8_t)field[i];
    }
    for (unsigned i = 0; i < 8; i++) {
        bytes[7 + i] = (uint8_t)(field[4] >> (8 * i));
    }
    bytes[15] = 0x79;
    return buffer_of(reader, bytes, sizeof(bytes));
}

static struct aml_value read_register(struct reader *reader)
{
    uint64_t field[5];

    reader->at++;
    for (unsigned i = 0; i < 5; i++) {
        field[i] = read_number(reader, 0);
    }
    skip_blanks(reader);
    assert_int_equal(*reader->at, '}');
    reader->at++;
    return register_of(reader, field);
}

static struct aml_value read_buffer(struct reader *reader)
{
    uint8_t bytes[64];
    uint32_t length = 0;

    reader->at++;
    skip_blanks(reader);
    while (*reader->at != ']') {
        assert_true(length < sizeof(bytes));
        bytes[length++] = (uint8_t)read_number(reader, 16);
        skip_blanks(reader);
    }
    reader->at++;
    return buffer_of(reader, bytes, length);
}

static struct aml_value read_string(struct reader *reader)
{
    const char *end = strchr(reader->at + 1, '"');
    size_t length;
    char *copy;

    assert_non_null(end);
    length = (size_t)(end - reader->at - 1);
    copy = arena_text(reader->arena, reader->at + 1, length);
    assert_non_null(copy);
    reader->at = end + 1;
    return (struct aml_value){
        .type = AML_STRING, .length = (uint32_t)length, .bytes = (const uint8_t *)copy};
}

static struct aml_value read_package(struct reader *reader)
{
    struct aml_value *elements = calloc(ELEMENTS_MAX, sizeof(struct aml_value));
    struct aml_value *copy;
    uint32_t count = 0;

    assert_non_null(elements);
    reader->at++;
    skip_blanks(reader);
    while (*reader->at != ')') {
        assert_true(count < ELEMENTS_MAX);
        elements[count++] = read_value(reader);
        skip_blanks(reader);
    }
    reader->at++;
    copy = arena_array(reader->arena, count + 1, sizeof(struct aml_value));
    assert_non_null(copy);
    memcpy(copy, elements, count * sizeof(struct aml_value));
    free(elements);
    return (struct aml_value){.type = AML_PACKAGE, .length = count, .elements = copy};
}

static struct aml_value read_value(struct reader *reader)
{
    static const uint64_t null_register[5] = {0};

    skip_blanks(reader);
    switch (*reader->at) {
    case '(':
        return read_package(reader);
    case '{':
        return read_register(reader);
    case '[':
        return read_buffer(reader);
    case '"':
        return read_string(reader);
    case '~':
        reader->at++;
        return (struct aml_value){.type = AML_NULL};
    case 'N':
        reader->at++;
        return register_of(reader, null_register);
    default:
        return (struct aml_value){.type = AML_INTEGER, .integer = read_number(reader, 0)};
    }
}

struct aml_value aml_text_parse(struct arena *arena, const char *text)
{
    struct reader reader = {arena, text};
    struct aml_value value = read_value(&reader);

    skip_blanks(&reader);
    if (*reader.at != '\0' && *reader.at != ';') {
        fail_msg("more than one value at \"%s\"", reader.at);
    }
    return value;
}
