#include "report/report_json_parts.h"

/* Below this many levels of packages a value is only named; acpi/ does not copy deeper ones anyway. */
#define VALUE_DEPTH_MAX 16

static void put_hex(struct json_out *json, const char *key, const struct aml_value *value)
{
    if (!json_out_open_string(json, key)) {
        return;
    }
    for (uint32_t i = 0; i < value->length; i++) {
        textbuf_printf(json->out, "%02x", (unsigned)value->bytes[i]);
    }
    json_out_close_string(json);
}

/* What has no JSON type of its own. */
static void put_typed(struct json_out *json, const char *key, const struct aml_value *value)
{
    json_out_flat_object(json, key);
    json_out_string(json, "type", aml_type_name(value->type));
    if (value->type == AML_STRING) {
        json_out_bytes(json, "text", (const char *)value->bytes, value->length);
    } else if (value->type == AML_BUFFER) {
        put_hex(json, "hex", value);
    } else if (value->type == AML_REFERENCE && value->length > 0) {
        json_out_bytes(json, "path", (const char *)value->bytes, value->length);
    } else if (value->type == AML_PACKAGE) {
        json_out_u64(json, "elements", value->length);
    }
    json_out_end(json);
}

static void put_value(struct json_out *json, const char *key, const struct aml_value *value,
                      unsigned depth)
{
    if (value == NULL || value->type == AML_NULL) {
        json_out_null(json, key);
    } else if (value->type == AML_INTEGER) {
        json_out_u64(json, key, value->integer);
    } else if (value->type == AML_PACKAGE && depth < VALUE_DEPTH_MAX) {
        json_out_flat_array(json, key);
        for (uint32_t i = 0; i < value->length; i++) {
            put_value(json, NULL, &value->elements[i], depth + 1);
        }
        json_out_end(json);
    } else {
        put_typed(json, key, value);
    }
}

void report_json_value(struct json_out *json, const char *key, const struct aml_value *value)
{
    put_value(json, key, value, 0);
}

/* A register where it could be decoded, else what stands in its place. */
static void put_register(struct json_out *json, const char *key, const struct object_register *reg,
                         const struct aml_value *raw)
{
    if (reg->avail == AVAIL_PRESENT) {
        report_json_gas(json, key, &reg->gas);
    } else if (raw != NULL) {
        report_json_value(json, key, raw);
    }
}

static bool is_valid(uint32_t valid, unsigned field)
{
    return (valid >> field & 1U) != 0;
}

static void pss(struct json_out *json, const char *key, const struct object_set *set)
{
    static const char *const names[PSS_FIELDS] = {"freq_mhz",      "power_mw", "latency_us",
                                                  "bm_latency_us", "control",  "status"};

    json_out_array(json, key);
    for (uint32_t i = 0; i < set->pss.count; i++) {
        const struct pss_row *row = &set->pss.rows[i];
        const struct aml_value *raw = aml_element(set->raw, i);

        if (raw == NULL || raw->type != AML_PACKAGE) {
            report_json_value(json, NULL, raw);
            continue;
        }
        json_out_flat_object(json, NULL);
        for (unsigned field = 0; field < PSS_FIELDS; field++) {
            if (is_valid(row->valid, field)) {
                json_out_u64(json, names[field], row->field[field]);
            }
        }
        if (row->elements != PSS_FIELDS || row->valid != (1U << PSS_FIELDS) - 1) {
            report_json_value(json, "raw", raw);
        }
        json_out_end(json);
    }
    json_out_end(json);
}

static void pct(struct json_out *json, const char *key, const struct object_set *set)
{
    json_out_array(json, key);
    for (uint32_t i = 0; i < set->pct.elements; i++) {
        const struct aml_value *raw = aml_element(set->raw, i);

        if (i < 2) {
            put_register(json, NULL, i == 0 ? &set->pct.control : &set->pct.status, raw);
        } else {
            report_json_value(json, NULL, raw);
        }
    }
    json_out_end(json);
}

void report_json_cpc_values(struct json_out *json, const struct processor *processor,
                            const struct processor *but)
{
    for (unsigned i = 0; i < CPC_REGISTERS; i++) {
        if (processor->cpc_avail[i] != AVAIL_PRESENT) {
            continue;
        }
        if (but == NULL || but->cpc_avail[i] != AVAIL_PRESENT ||
            but->cpc_value[i] != processor->cpc_value[i]) {
            json_out_u64(json, cpc_register_name((enum cpc_register)i), processor->cpc_value[i]);
        }
    }
}

static void cpc(struct json_out *json, const char *key, const struct object_set *set,
                const struct processor *first)
{
    const struct cpc *cpc = &set->cpc;

    json_out_object(json, key);
    if (cpc->has_entries) {
        json_out_u64(json, "entries", cpc->entries);
    }
    if (cpc->has_revision) {
        json_out_u64(json, "revision", cpc->revision);
    }
    json_out_array(json, "raw");
    for (uint32_t i = 0; i < cpc->elements; i++) {
        const struct aml_value *raw = aml_element(set->raw, i);

        if (i >= 2 && i - 2 < CPC_REGISTERS && cpc->registers[i - 2].kind == CPC_ELEMENT_REGISTER) {
            put_register(json, NULL, &cpc->registers[i - 2].reg, raw);
        } else {
            report_json_value(json, NULL, raw);
        }
    }
    json_out_end(json);
    if (first != NULL) {
        report_json_cpc_values(json, first, NULL);
    }
    json_out_end(json);
}

static void cst_state(struct json_out *json, const struct cst_state *state,
                      const struct aml_value *raw)
{
    static const char *const names[CST_FIELDS] = {"type", "latency_us", "power_mw"};

    if (raw == NULL || raw->type != AML_PACKAGE) {
        report_json_value(json, NULL, raw);
        return;
    }
    json_out_flat_object(json, NULL);
    put_register(json, "register", &state->reg, aml_element(raw, 0));
    for (unsigned field = 0; field < CST_FIELDS; field++) {
        if (is_valid(state->valid, field)) {
            json_out_u64(json, names[field], state->field[field]);
        }
    }
    if (state->elements != CST_FIELDS + 1 || state->valid != (1U << CST_FIELDS) - 1) {
        report_json_value(json, "raw", raw);
    }
    json_out_end(json);
}

static void cst(struct json_out *json, const char *key, const struct object_set *set)
{
    json_out_object(json, key);
    if (set->cst.has_count) {
        json_out_u64(json, "count", set->cst.count);
    } else {
        report_json_value(json, "count", aml_element(set->raw, 0));
    }
    json_out_array(json, "states");
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        cst_state(json, &set->cst.states[i], aml_element(set->raw, i + 1));
    }
    json_out_end(json);
    json_out_end(json);
}

/* ACPI 6.5, Table 8.8, elements 7 and 8: a register or, where there is none, the Integer 0. */
static void counter(struct json_out *json, const char *key, const struct aml_value *value)
{
    if (value != NULL && value->type != AML_NULL) {
        report_json_value(json, key, value);
    }
}

static void lpi_state(struct json_out *json, const struct lpi_state *state,
                      const struct aml_value *raw)
{
    static const char *const names[LPI_FIELDS] = {
        "min_residency_us", "wake_latency_us",           "flags",
        "arch_flags",       "residency_counter_freq_hz", "enabled_parent_state"};

    json_out_object(json, NULL);
    for (unsigned field = 0; field < LPI_FIELDS; field++) {
        if (is_valid(state->valid, field)) {
            json_out_u64(json, names[field], state->field[field]);
        }
    }
    if (state->entry_kind == CPC_ELEMENT_INTEGER) {
        json_out_u64(json, "entry_method", state->entry_integer);
    } else if (state->entry_kind == CPC_ELEMENT_REGISTER) {
        put_register(json, "entry_method", &state->entry, aml_element(raw, LPI_FIELDS));
    }
    counter(json, "residency_counter", aml_element(raw, LPI_FIELDS + 1));
    counter(json, "usage_counter", aml_element(raw, LPI_FIELDS + 2));
    json_out_string(json, "name", state->name);
    if (state->valid != (1U << LPI_FIELDS) - 1) {
        report_json_value(json, "raw", raw);
    }
    json_out_end(json);
}

static void lpi(struct json_out *json, const char *key, const struct object_set *set)
{
    json_out_object(json, key);
    if (set->lpi.has_header) {
        json_out_u64(json, "revision", set->lpi.revision);
        json_out_u64(json, "level_id", set->lpi.level_id);
        json_out_u64(json, "count", set->lpi.count);
    } else {
        report_json_value(json, "raw", set->raw);
    }
    json_out_array(json, "states");
    for (uint32_t i = 0; i < set->lpi.states_count; i++) {
        lpi_state(json, &set->lpi.states[i], aml_element(set->raw, i + 3));
    }
    json_out_end(json);
    json_out_end(json);
}

/* An object that is no package at all, and the dependency rows, are shown as they are. */
void report_json_object(struct json_out *json, const char *key, const struct object_set *set,
                        const struct processor *first)
{
    bool is_package = set->raw != NULL && set->raw->type == AML_PACKAGE;

    if (is_package && set->kind == OBJECT_PSS) {
        pss(json, key, set);
    } else if (is_package && set->kind == OBJECT_PCT) {
        pct(json, key, set);
    } else if (is_package && set->kind == OBJECT_CPC) {
        cpc(json, key, set, first);
    } else if (is_package && set->kind == OBJECT_CST) {
        cst(json, key, set);
    } else if (is_package && set->kind == OBJECT_LPI) {
        lpi(json, key, set);
    } else {
        report_json_value(json, key, set->raw);
    }
}
