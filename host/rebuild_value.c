/* Objects of the interpreter out of the forms that report/report_json_objects.c gives them. */
#include "host/json_text.h"
#include "host/rebuild_parts.h"

#include <string.h>

/* What ACPICA nests no deeper either (acpi/convert.c); the JSON reader has its own bound. */
#define DEPTH_MAX 24
/* ACPI 6.5, 6.4.3.7 Generic Register Descriptor: tag, length, gas, then the end tag of 6.4.2.9. */
#define DESCRIPTOR_BYTES 17
#define STATE_HEADER 3 /* of _LPI: revision, level, count */
#define LPI_ELEMENTS 10
#define LPI_NAME 9

struct gas rebuild_gas(const json_t *json)
{
    const json_t *reg = json_object_get(json, "reg");

    return (struct gas){.space = (uint8_t)json_text_number(reg, "space", 0),
                        .width_bits = (uint8_t)json_text_number(reg, "width", 0),
                        .offset_bits = (uint8_t)json_text_number(reg, "offset", 0),
                        .access = (uint8_t)json_text_number(reg, "access", 0),
                        .address = json_text_number(reg, "address", 0)};
}

static struct aml_value *new_package(uint32_t count, struct arena *arena,
                                     struct aml_value *ret_package)
{
    struct aml_value *elements = arena_array(arena, count, sizeof(*elements));

    *ret_package = (struct aml_value){
        .type = AML_PACKAGE, .length = elements == NULL ? 0 : count, .elements = elements};
    return elements;
}

static struct aml_value integer_of(uint64_t value)
{
    return (struct aml_value){.type = AML_INTEGER, .integer = value};
}

static struct aml_value register_of(const json_t *json, struct arena *arena)
{
    uint8_t *bytes = arena_take(arena, DESCRIPTOR_BYTES);
    struct gas gas = rebuild_gas(json);

    if (bytes == NULL) {
        return (struct aml_value){.type = AML_NULL};
    }
    bytes[0] = 0x82;
    bytes[1] = 12;
    bytes[3] = gas.space;
    bytes[4] = gas.width_bits;
    bytes[5] = gas.offset_bits;
    bytes[6] = gas.access;
    memcpy(bytes + 7, &gas.address, sizeof(gas.address));
    bytes[15] = 0x79;
    return (struct aml_value){.type = AML_BUFFER, .length = DESCRIPTOR_BYTES, .bytes = bytes};
}

static struct aml_value bytes_of(enum aml_type type, const char *text)
{
    if (text == NULL) {
        return (struct aml_value){.type = type, .bytes = (const uint8_t *)""};
    }
    return (struct aml_value){
        .type = type, .length = (uint32_t)strlen(text), .bytes = (const uint8_t *)text};
}

static struct aml_value buffer_of(const char *hex, struct arena *arena)
{
    size_t length = hex == NULL ? 0 : strspn(hex, "0123456789abcdef") / 2;
    uint8_t *bytes = arena_take(arena, length);

    if (bytes == NULL) {
        return (struct aml_value){.type = AML_NULL};
    }
    for (size_t i = 0; i < 2 * length; i++) {
        unsigned digit = hex[i] <= '9' ? (unsigned)(hex[i] - '0') : (unsigned)(hex[i] - 'a') + 10;

        bytes[i / 2] = (uint8_t)((unsigned)bytes[i / 2] << 4 | digit);
    }
    return (struct aml_value){.type = AML_BUFFER, .length = (uint32_t)length, .bytes = bytes};
}

/* {"type":"Buffer","hex":"..."} and its kin. */
static struct aml_value typed_of(const json_t *json, struct arena *arena)
{
    const char *name = rebuild_text(json, "type", "");
    struct aml_value package;

    if (strcmp(name, aml_type_name(AML_STRING)) == 0) {
        return bytes_of(AML_STRING, json_text_string(json, "text"));
    }
    if (strcmp(name, aml_type_name(AML_BUFFER)) == 0) {
        return buffer_of(json_text_string(json, "hex"), arena);
    }
    if (strcmp(name, aml_type_name(AML_REFERENCE)) == 0) {
        return bytes_of(AML_REFERENCE, json_text_string(json, "path"));
    }
    if (strcmp(name, aml_type_name(AML_PACKAGE)) == 0) {
        (void)new_package(0, arena, &package);
        return package;
    }
    return (struct aml_value){.type = AML_OTHER};
}

static struct aml_value value_of(const json_t *json, struct arena *arena, unsigned depth)
{
    struct aml_value package;
    struct aml_value *elements;
    uint32_t count = rebuild_count(json);
    uint64_t number;

    if (json_text_u64(json, &number)) {
        return integer_of(number);
    }
    if (json_is_object(json)) {
        return json_object_get(json, "reg") != NULL ? register_of(json, arena)
                                                    : typed_of(json, arena);
    }
    if (!json_is_array(json) || depth == DEPTH_MAX) {
        return (struct aml_value){.type = AML_NULL};
    }
    elements = new_package(count, arena, &package);
    for (uint32_t i = 0; elements != NULL && i < count; i++) {
        elements[i] = value_of(json_array_get(json, i), arena, depth + 1);
    }
    return package;
}

/* The elements of `names` in this order, or the whole as "raw" has it where something was wrong with it. A name
 * that is missing is a missing element at the end, else a null one. */
static struct aml_value row_of(const json_t *json, const char *const *names, uint32_t count,
                               struct arena *arena)
{
    const json_t *raw = json_object_get(json, "raw");
    struct aml_value package;
    struct aml_value *elements;

    if (raw != NULL) {
        return value_of(raw, arena, 1);
    }
    elements = new_package(count, arena, &package);
    for (uint32_t i = 0; elements != NULL && i < count; i++) {
        elements[i] = value_of(json_object_get(json, names[i]), arena, 1);
    }
    return package;
}

/* A row that is no package is shown as the value it is: of objects only {"type":"..."} and {"reg":...}. */
static bool is_row(const json_t *json)
{
    return json_is_object(json) && !json_is_string(json_object_get(json, "type")) &&
           json_object_get(json, "reg") == NULL;
}

static struct aml_value pss_of(const json_t *json, struct arena *arena)
{
    static const char *const names[PSS_FIELDS] = {"freq_mhz",      "power_mw", "latency_us",
                                                  "bm_latency_us", "control",  "status"};
    uint32_t count = rebuild_count(json);
    struct aml_value package;
    struct aml_value *rows = new_package(count, arena, &package);

    for (uint32_t i = 0; rows != NULL && i < count; i++) {
        const json_t *row = json_array_get(json, i);

        rows[i] = is_row(row) ? row_of(row, names, PSS_FIELDS, arena) : value_of(row, arena, 1);
    }
    return package;
}

static struct aml_value cst_of(const json_t *json, struct arena *arena)
{
    static const char *const names[] = {"register", "type", "latency_us", "power_mw"};
    const json_t *states = json_object_get(json, "states");
    uint32_t count = rebuild_count(states);
    struct aml_value package;
    struct aml_value *elements = new_package(count + 1, arena, &package);

    if (elements == NULL) {
        return package;
    }
    elements[0] = value_of(json_object_get(json, "count"), arena, 1);
    for (uint32_t i = 0; i < count; i++) {
        const json_t *state = json_array_get(states, i);

        elements[i + 1] =
            is_row(state) ? row_of(state, names, 4, arena) : value_of(state, arena, 1);
    }
    return package;
}

static struct aml_value lpi_state_of(const json_t *json, struct arena *arena)
{
    static const char *const names[] = {
        "min_residency_us", "wake_latency_us",           "flags",
        "arch_flags",       "residency_counter_freq_hz", "enabled_parent_state",
        "entry_method",     "residency_counter",         "usage_counter"};
    struct aml_value package;
    struct aml_value *elements;
    const char *name = json_text_string(json, "name");

    if (json_object_get(json, "raw") != NULL) {
        return value_of(json_object_get(json, "raw"), arena, 1);
    }
    elements = new_package(LPI_ELEMENTS, arena, &package);
    for (uint32_t i = 0; elements != NULL && i < LPI_NAME; i++) {
        elements[i] = value_of(json_object_get(json, names[i]), arena, 1);
    }
    if (elements != NULL && name != NULL) {
        elements[LPI_NAME] = bytes_of(AML_STRING, name);
    }
    return package;
}

static struct aml_value lpi_of(const json_t *json, struct arena *arena)
{
    static const char *const names[STATE_HEADER] = {"revision", "level_id", "count"};
    const json_t *states = json_object_get(json, "states");
    uint32_t count = rebuild_count(states);
    struct aml_value package;
    struct aml_value *elements;

    if (json_object_get(json, "raw") != NULL) {
        return value_of(json_object_get(json, "raw"), arena, 0);
    }
    elements = new_package(count + STATE_HEADER, arena, &package);
    for (uint32_t i = 0; elements != NULL && i < STATE_HEADER; i++) {
        elements[i] = value_of(json_object_get(json, names[i]), arena, 1);
    }
    for (uint32_t i = 0; elements != NULL && i < count; i++) {
        elements[i + STATE_HEADER] = lpi_state_of(json_array_get(states, i), arena);
    }
    return package;
}

static struct aml_value object_of(enum object_kind kind, const json_t *json, struct arena *arena)
{
    if (kind == OBJECT_PSS && json_is_array(json)) {
        return pss_of(json, arena);
    }
    if (kind == OBJECT_CPC && json_is_array(json_object_get(json, "raw"))) {
        return value_of(json_object_get(json, "raw"), arena, 0);
    }
    if (kind == OBJECT_CST && json_is_array(json_object_get(json, "states"))) {
        return cst_of(json, arena);
    }
    if (kind == OBJECT_LPI && json_is_array(json_object_get(json, "states"))) {
        return lpi_of(json, arena);
    }
    return value_of(json, arena, 0);
}

const struct aml_value *rebuild_object(enum object_kind kind, const json_t *json,
                                       struct arena *arena)
{
    struct aml_value *value = arena_take(arena, sizeof(*value));

    if (value != NULL) {
        *value = object_of(kind, json, arena);
    }
    return value;
}
