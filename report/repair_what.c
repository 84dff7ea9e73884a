#include "report/repair_what.h"

bool repair_is_told(enum repair_outcome outcome)
{
    return outcome != REPAIR_NOT_TRIED && outcome != REPAIR_SAME;
}

static uint32_t elements_of(const struct aml_value *value)
{
    return value != NULL && value->type == AML_PACKAGE ? value->length : 0;
}

static uint32_t nulls_of(const struct aml_value *value)
{
    uint32_t nulls = 0;

    for (uint32_t i = 0; i < elements_of(value); i++) {
        nulls += value->elements[i].type == AML_NULL ? 1 : 0;
    }
    return nulls;
}

/* The first neighbours whose keys (element `key` of each row) stand in the wrong order. */
static bool told_order(const struct aml_value *raw, uint32_t start, uint32_t key,
                       bool is_descending, struct textbuf *out)
{
    for (uint32_t i = start; i + 1 < elements_of(raw); i++) {
        uint64_t here;
        uint64_t next;

        if (!aml_element_integer(&raw->elements[i], key, &here) ||
            !aml_element_integer(&raw->elements[i + 1], key, &next)) {
            continue;
        }
        if (is_descending ? here < next : here > next) {
            textbuf_printf(out, "sorted: row %u (%lu) before row %u (%lu)", i - start, here,
                           i + 1 - start, next);
            return true;
        }
    }
    return false;
}

static void separate(struct textbuf *out)
{
    if (out->length > 0) {
        textbuf_string(out, "; ");
    }
}

static void told_count(const struct aml_value *raw, const struct aml_value *repaired,
                       struct textbuf *out)
{
    uint32_t before = elements_of(raw);
    uint32_t after = elements_of(repaired);

    if (before == after) {
        return;
    }
    separate(out);
    if (nulls_of(raw) > 0) {
        textbuf_printf(out, "%u null elements dropped", nulls_of(raw));
    } else {
        textbuf_printf(out, "%u elements became %u", before, after);
    }
}

/* _CST: the count that firmware gave is overwritten with the number of states. */
static void told_cst(const struct aml_value *raw, const struct aml_value *repaired,
                     struct textbuf *out)
{
    uint64_t before;
    uint64_t after;

    (void)told_order(raw, 1, 1 + CST_TYPE, false, out);
    told_count(raw, repaired, out);
    if (aml_element_integer(raw, 0, &before) && aml_element_integer(repaired, 0, &after) &&
        before != after) {
        separate(out);
        textbuf_printf(out, "count %lu became %lu", before, after);
    }
}

/* _PSD, _CSD: NumEntries 0 is replaced; a single row is wrapped into a list. */
static void told_dependency(const struct aml_value *raw, const struct aml_value *repaired,
                            struct textbuf *out)
{
    uint64_t before;
    uint64_t after;

    if (aml_element_integer(aml_element(raw, 0), 0, &before) &&
        aml_element_integer(aml_element(repaired, 0), 0, &after) && before != after) {
        textbuf_printf(out, "NumEntries %lu became %lu", before, after);
    }
    told_count(raw, repaired, out);
}

/* The first element that repair gave another type. */
static void told_element(const struct aml_value *raw, const struct aml_value *repaired,
                         struct textbuf *out)
{
    for (uint32_t i = 0; i < raw->length && i < repaired->length; i++) {
        if (raw->elements[i].type != repaired->elements[i].type) {
            separate(out);
            textbuf_printf(out, "element %u: %s became %s", i, aml_type_name(raw->elements[i].type),
                           aml_type_name(repaired->elements[i].type));
            return;
        }
    }
}

/* nsprepkg.c: a single row that stands where a list of rows belongs. */
static bool is_wrapped(const struct aml_value *raw, const struct aml_value *repaired)
{
    const struct aml_value *first = aml_element(raw, 0);
    const struct aml_value *outer = aml_element(repaired, 0);

    return first != NULL && outer != NULL && first->type != AML_PACKAGE &&
           outer->type == AML_PACKAGE && outer->length == raw->length;
}

static void told_change(const struct aml_value *raw, const struct aml_value *repaired,
                        enum object_kind kind, struct textbuf *out)
{
    if (raw->type != repaired->type) {
        textbuf_printf(out, "%s became %s", aml_type_name(raw->type),
                       aml_type_name(repaired->type));
        return;
    }
    if (is_wrapped(raw, repaired)) {
        textbuf_string(out, "wrapped into an outer package");
        return;
    }
    if (kind == OBJECT_PSS) {
        (void)told_order(raw, 0, PSS_FREQ_MHZ, true, out);
        told_count(raw, repaired, out);
    } else if (kind == OBJECT_CST) {
        told_cst(raw, repaired, out);
    } else if (kind == OBJECT_PSD || kind == OBJECT_CSD) {
        told_dependency(raw, repaired, out);
    } else {
        told_count(raw, repaired, out);
    }
    if (raw->type == AML_PACKAGE && raw->length == repaired->length) {
        told_element(raw, repaired, out);
    }
    if (out->length == 0) {
        textbuf_string(out, "elements converted to the type that the specification demands");
    }
}

void repair_what(const struct object_result *result, enum object_kind kind, struct textbuf *out)
{
    const char *error = result->error == NULL ? "an error" : result->error;

    switch (result->repair) {
    case REPAIR_CHANGED:
        if (result->set != NULL && result->repaired != NULL) {
            told_change(result->set->raw, result->repaired->raw, kind, out);
        }
        break;
    case REPAIR_RESCUED:
        textbuf_printf(out, "fails with %s as it is, and gives a value with repair", error);
        break;
    case REPAIR_FAILED:
        textbuf_printf(out, "evaluates as it is, and fails with %s with repair",
                       result->repair_error == NULL ? "an error" : result->repair_error);
        break;
    case REPAIR_UNSAFE:
        textbuf_string(out, "not evaluated with repair: this object makes the interpreter's repair "
                            "read out of bounds");
        break;
    case REPAIR_NOT_TRIED:
    case REPAIR_SAME:
        break;
    }
}
