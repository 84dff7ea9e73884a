#include "acpi/decode_objects.h"

#include <string.h>

/* ACPI 6.5, 8.4.1.1: {Count, {Register, Type, Latency, Power}, ...}. */
void decode_cst(const struct aml_value *value, struct arena *arena, struct cst *ret_cst)
{
    struct cst_state *states;
    uint32_t count;

    memset(ret_cst, 0, sizeof(*ret_cst));
    ret_cst->is_package = value->type == AML_PACKAGE;
    ret_cst->has_count = aml_element_integer(value, 0, &ret_cst->count);
    if (!ret_cst->is_package || value->length == 0) {
        return;
    }
    count = value->length - 1;
    states = arena_array(arena, count, sizeof(*states));
    if (states == NULL) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct aml_value *state = &value->elements[i + 1];

        if (state->type == AML_PACKAGE) {
            states[i].elements = state->length;
            states[i].valid = decode_integers(state, 1, CST_FIELDS, states[i].field);
        }
        states[i].reg = decode_register(aml_element(state, 0));
    }
    ret_cst->states_count = count;
    ret_cst->states = states;
}
