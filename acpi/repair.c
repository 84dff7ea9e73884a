#include "acpi/repair.h"

#include <stddef.h>

/* Elements that acpi_ns_check_package demands of a _PSS row (acpredef.h, _PSS). */
#define PSS_ELEMENTS 6U

static bool is_integer(const struct aml_value *row, uint32_t index)
{
    const struct aml_value *element = aml_element(row, index);

    return element != NULL && element->type == AML_INTEGER;
}

/* The first element that is not NULL: acpi_ns_remove_null_elements drops the others first. */
static const struct aml_value *first_element(const struct aml_value *raw)
{
    for (uint32_t i = 0; i < raw->length; i++) {
        if (raw->elements[i].type != AML_NULL) {
            return &raw->elements[i];
        }
    }
    return NULL;
}

/* A row whose elements are all Integers once NULL ones are made Integer 0. */
static bool is_well_formed(const struct aml_value *row)
{
    if (row->type != AML_PACKAGE || row->length < PSS_ELEMENTS) {
        return false;
    }
    for (uint32_t i = 0; i < PSS_ELEMENTS; i++) {
        if (row->elements[i].type != AML_INTEGER && row->elements[i].type != AML_NULL) {
            return false;
        }
    }
    return true;
}

/* A row that sorting and the power check can read. */
static bool is_sortable(const struct aml_value *row)
{
    return is_integer(row, 0) && is_integer(row, 1);
}

static bool all_rows(const struct aml_value *raw, bool (*is_good)(const struct aml_value *row))
{
    for (uint32_t i = 0; i < raw->length; i++) {
        if (raw->elements[i].type != AML_NULL && !is_good(&raw->elements[i])) {
            return false;
        }
    }
    return true;
}

/* acpi_ns_check_sorted_list: leaves quietly at the first row it cannot read, but an out-of-order pair
 * before that sorts the whole list, unread rows included. */
static bool is_pss_safe(const struct aml_value *raw)
{
    uint64_t previous = UINT32_MAX;

    if (all_rows(raw, is_well_formed) || all_rows(raw, is_sortable)) {
        return true;
    }
    for (uint32_t i = 0; i < raw->length; i++) {
        const struct aml_value *row = &raw->elements[i];

        if (row->type == AML_NULL) {
            continue;
        }
        if (row->type != AML_PACKAGE || row->length < PSS_ELEMENTS) {
            return true;
        }
        if (!is_sortable(row) || row->elements[0].integer > previous) {
            return false;
        }
        previous = (uint32_t)row->elements[0].integer;
    }
    return true;
}

static bool is_state_safe(const struct aml_value *state)
{
    return state->type == AML_PACKAGE && (state->length == 0 || is_integer(state, 1));
}

/* acpi_ns_repair_CST: element 0 is written as an Integer, the others are read as packages. */
static bool is_cst_safe(const struct aml_value *raw)
{
    const struct aml_value *first = raw->type == AML_PACKAGE ? first_element(raw) : NULL;

    if (first == NULL || first->type != AML_INTEGER) {
        return false;
    }
    for (const struct aml_value *at = first + 1; at < raw->elements + raw->length; at++) {
        if (at->type != AML_NULL && !is_state_safe(at)) {
            return false;
        }
    }
    return true;
}

static bool is_dependency_row_safe(const struct aml_value *row)
{
    return row->type == AML_PACKAGE && row->length > 0;
}

/* acpi_ns_check_package_list, ACPI_PTYPE2_COUNT: counts down from the element count minus one, and reads
 * the elements of what is no package. A list whose first element is none is wrapped, which is safe. */
static bool is_dependency_safe(const struct aml_value *raw)
{
    const struct aml_value *first = first_element(raw);

    return first == NULL || first->type != AML_PACKAGE || all_rows(raw, is_dependency_row_safe);
}

/* _PSS and dependency lists whose first element is no package are wrapped in one. */
bool repair_is_safe(enum object_kind kind, const struct aml_value *raw)
{
    const struct aml_value *first;

    if (kind == OBJECT_CST) {
        return is_cst_safe(raw);
    }
    if (raw->type != AML_PACKAGE) {
        return true;
    }
    if (kind == OBJECT_PSD || kind == OBJECT_CSD) {
        return is_dependency_safe(raw);
    }
    first = first_element(raw);
    if (kind == OBJECT_PSS && first != NULL && first->type == AML_PACKAGE) {
        return is_pss_safe(raw);
    }
    return true;
}
