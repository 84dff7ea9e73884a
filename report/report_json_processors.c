#include "report/repair_what.h"
#include "report/report_json_parts.h"

void report_json_set_name(const struct object_set *set, char *ret_name)
{
    struct textbuf text;

    textbuf_init(&text, ret_name, SET_NAME_BYTES, NULL, NULL);
    textbuf_printf(&text, "%s#%u", object_kind_field(set->kind), set->index);
}

const struct processor *report_json_first(const struct platform *platform,
                                          const struct object_set *set)
{
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        if (platform->processors[i].objects[set->kind].set == set) {
            return &platform->processors[i];
        }
    }
    return NULL;
}

static void error(struct json_out *json, const char *key, const struct object_result *result)
{
    json_out_flat_object(json, key);
    json_out_string(json, "error", result->error == NULL ? "AE_ERROR" : result->error);
    json_out_string(json, "at", result->error_path);
    json_out_end(json);
}

static void object(struct json_out *json, enum object_kind kind, const struct object_result *result)
{
    const char *key = object_kind_field(kind);
    char name[SET_NAME_BYTES];

    if (result->avail == AVAIL_FAULTED) {
        error(json, key, result);
    } else if (result->set == NULL) {
        return;
    } else if (kind == OBJECT_PPC) {
        report_json_value(json, key, result->set->raw);
    } else {
        report_json_set_name(result->set, name);
        json_out_string(json, key, name);
    }
}

/* Values read on this CPU that are not those that the set shows. */
static void cpc_values(const struct platform *platform, const struct processor *processor,
                       struct json_out *json)
{
    const struct object_set *set = processor->objects[OBJECT_CPC].set;
    const struct processor *first = set == NULL ? NULL : report_json_first(platform, set);
    bool is_different = false;

    for (unsigned i = 0; i < CPC_REGISTERS && first != NULL && first != processor; i++) {
        is_different |= processor->cpc_avail[i] == AVAIL_PRESENT &&
                        (first->cpc_avail[i] != AVAIL_PRESENT ||
                         first->cpc_value[i] != processor->cpc_value[i]);
    }
    if (is_different) {
        json_out_flat_object(json, "cpc_values");
        report_json_cpc_values(json, processor, first);
        json_out_end(json);
    }
}

static void uid(const struct processor *processor, struct json_out *json)
{
    if (processor->uid_text != NULL) {
        json_out_string(json, "uid", processor->uid_text);
    } else if (processor->uid_avail == AVAIL_PRESENT) {
        json_out_u64(json, "uid", processor->uid);
    }
    if (processor->second_uid_text != NULL) {
        json_out_string(json, "second_uid", processor->second_uid_text);
    } else if (processor->second_uid_avail == AVAIL_PRESENT) {
        json_out_u64(json, "second_uid", processor->second_uid);
    }
}

/* Of the objects whose evaluation reached into the hardware: how often it read, or read what a dump does not hold,
 * so that the value is not certain. */
static void counts(const struct processor *processor, const char *key, bool is_unrecorded,
                   struct json_out *json)
{
    bool is_open = false;

    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        const struct object_result *result = &processor->objects[kind];
        uint32_t count = is_unrecorded ? result->unrecorded : result->hardware_reads;

        if (count > 0 && !is_open) {
            json_out_flat_object(json, key);
            is_open = true;
        }
        if (count > 0) {
            json_out_u64(json, object_kind_field((enum object_kind)kind), count);
        }
    }
    if (is_open) {
        json_out_end(json);
    }
}

static void processor_entry(const struct platform *platform, const struct processor *processor,
                            struct json_out *json)
{
    json_out_flat_object(json, NULL);
    json_out_string(json, "path", processor->path);
    json_out_string(json, "kind", processor->kind == PROCESSOR_OBJECT ? "processor" : "device");
    if (processor->cpu != CPU_NONE) {
        json_out_u64(json, "cpu", processor->cpu);
    }
    uid(processor, json);
    if (processor->madt_index != MADT_NONE) {
        json_out_u64(json, "apic_id", processor->apic_id);
    }
    json_out_bool(json, "enabled", processor->is_enabled);
    if (processor->sta_avail == AVAIL_PRESENT) {
        json_out_u64(json, "sta", processor->sta);
    }
    if (processor->kind == PROCESSOR_OBJECT) {
        json_out_u64(json, "pblk_address", processor->pblk_address);
        json_out_u64(json, "pblk_length", processor->pblk_length);
    }
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        object(json, (enum object_kind)kind, &processor->objects[kind]);
    }
    cpc_values(platform, processor, json);
    counts(processor, "hardware_reads", false, json);
    counts(processor, "unrecorded", true, json);
    json_out_string(json, "osc_error", processor->osc_error);
    json_out_string(json, "pdc_error", processor->pdc_error);
    json_out_end(json);
}

void report_json_processors(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;

    json_out_array(json, "processors");
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        processor_entry(platform, &platform->processors[i], json);
    }
    json_out_end(json);
}

/* _PPC is an integer in its place and needs no set. */
void report_json_sets(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;
    char name[SET_NAME_BYTES];

    json_out_object(json, "sets");
    for (uint32_t i = 0; i < platform->sets_count; i++) {
        const struct object_set *set = platform->sets[i];

        if (set->is_repaired || set->kind == OBJECT_PPC) {
            continue;
        }
        report_json_set_name(set, name);
        report_json_object(json, name, set,
                           set->kind == OBJECT_CPC ? report_json_first(platform, set) : NULL);
    }
    json_out_end(json);
}

static void repair(const struct processor *processor, enum object_kind kind, struct json_out *json)
{
    const struct object_result *result = &processor->objects[kind];
    char buffer[REPAIR_WHAT_BYTES];
    struct textbuf what;

    textbuf_init(&what, buffer, sizeof(buffer), NULL, NULL);
    repair_what(result, kind, &what);
    json_out_object(json, NULL);
    json_out_string(json, "path", processor->path);
    json_out_string(json, "object", object_kind_name(kind));
    json_out_string(json, "what", buffer);
    if (result->repaired != NULL) {
        report_json_object(json, "repaired", result->repaired, NULL);
    }
    json_out_end(json);
}

void report_json_repairs(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;

    json_out_array(json, "repairs");
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        const struct processor *processor = &platform->processors[i];

        for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
            if (repair_is_told(processor->objects[kind].repair)) {
                repair(processor, (enum object_kind)kind, json);
            }
        }
    }
    json_out_end(json);
}
