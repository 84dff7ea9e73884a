#include "acpi/decode_objects.h"

#include <string.h>

/* ACPI 6.5, 8.4.3.3 _LPI: Revision, LevelID, Count, then the states. */
#define HEADER_ELEMENTS 3U
/* Table 8.8: the entry method is element 6, the state's name element 9. */
#define ENTRY_ELEMENT 6U
#define NAME_ELEMENT 9U

static void decode_entry(const struct aml_value *value, struct lpi_state *state)
{
    state->entry = decode_register(NULL);
    if (value == NULL) {
        state->entry_kind = CPC_ELEMENT_MISSING;
    } else if (value->type == AML_NULL) {
        state->entry_kind = CPC_ELEMENT_NULL;
    } else if (value->type == AML_INTEGER) {
        state->entry_kind = CPC_ELEMENT_INTEGER;
        state->entry_integer = value->integer;
    } else if (value->type == AML_BUFFER) {
        state->entry_kind = CPC_ELEMENT_REGISTER;
        state->entry = decode_register(value);
    } else {
        state->entry_kind = CPC_ELEMENT_OTHER;
    }
}

static void decode_state(const struct aml_value *value, struct lpi_state *ret_state)
{
    const struct aml_value *name = aml_element(value, NAME_ELEMENT);

    ret_state->elements = value->type == AML_PACKAGE ? value->length : 0;
    ret_state->valid = decode_integers(value, 0, LPI_FIELDS, ret_state->field);
    decode_entry(aml_element(value, ENTRY_ELEMENT), ret_state);
    if (name != NULL && name->type == AML_STRING) {
        ret_state->name = (const char *)name->bytes;
    }
}

void decode_lpi(const struct aml_value *value, struct arena *arena, struct lpi *ret_lpi)
{
    uint64_t header[HEADER_ELEMENTS] = {0};
    struct lpi_state *states;
    uint32_t count;

    memset(ret_lpi, 0, sizeof(*ret_lpi));
    ret_lpi->is_package = value->type == AML_PACKAGE;
    ret_lpi->has_header =
        decode_integers(value, 0, HEADER_ELEMENTS, header) == (1U << HEADER_ELEMENTS) - 1;
    ret_lpi->revision = header[0];
    ret_lpi->level_id = header[1];
    ret_lpi->count = header[2];
    if (!ret_lpi->is_package || value->length < HEADER_ELEMENTS) {
        return;
    }
    count = value->length - HEADER_ELEMENTS;
    states = arena_array(arena, count, sizeof(*states));
    if (states == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        decode_state(&value->elements[i + HEADER_ELEMENTS], &states[i]);
    }
    ret_lpi->states_count = count;
    ret_lpi->states = states;
}
