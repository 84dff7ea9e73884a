/* processors[], sets and repairs. */
#include "acpi/decode_objects.h"
#include "host/json_text.h"
#include "host/lines.h"
#include "host/rebuild_parts.h"
#include "model/bits.h"
#include "model/numbering.h"

#include <stdlib.h>
#include <string.h>

/* Different errors that are told apart by pointer, as the interpreter's are. */
#define ERRORS_MAX 64U

/* Sets as they are found: at most one an object of each processor and its repair. */
struct collected {
    const struct rebuilder *rebuilder;
    uint32_t count;
    uint32_t capacity;
    struct object_set **sets;
    json_t *by_name; /* "pss#0" -> place in sets */
    uint32_t errors_count;
    const char *errors[ERRORS_MAX];
};

static struct object_set *new_set(struct collected *collected, enum object_kind kind,
                                  bool is_repaired, uint32_t index, const struct aml_value *raw)
{
    struct arena *arena = collected->rebuilder->arena;
    struct object_set *set = arena_take(arena, sizeof(*set));

    if (set == NULL || raw == NULL || collected->count == collected->capacity) {
        return NULL;
    }
    *set = (struct object_set){.kind = kind,
                               .index = index,
                               .is_repaired = is_repaired,
                               .hash = aml_value_hash(raw),
                               .raw = raw};
    decode_object(set, arena);
    collected->sets[collected->count++] = set;
    return set;
}

/* Objects without a name in the report (_PPC, repaired ones): equal ones are one set again. */
static struct object_set *nameless_set(struct collected *collected, enum object_kind kind,
                                       bool is_repaired, const json_t *json)
{
    const struct aml_value *raw = rebuild_object(kind, json, collected->rebuilder->arena);
    uint64_t hash = raw == NULL ? 0 : aml_value_hash(raw);
    uint32_t index = 0;

    for (uint32_t i = 0; raw != NULL && i < collected->count; i++) {
        struct object_set *set = collected->sets[i];

        if (set->kind != kind || set->is_repaired != is_repaired) {
            continue;
        }
        if (set->hash == hash && aml_value_equal(set->raw, raw)) {
            return set;
        }
        index++;
    }
    return new_set(collected, kind, is_repaired, index, raw);
}

/* "pss#0" */
static bool split_name(const char *name, enum object_kind *ret_kind, uint64_t *ret_index)
{
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        const char *field = object_kind_field((enum object_kind)kind);
        size_t length = strlen(field);
        const char *at = name + length + 1;

        if (strncmp(name, field, length) == 0 && name[length] == '#' &&
            scan_decimal(&at, ret_index) && *at == '\0' && *ret_index < REBUILD_ITEMS_MAX) {
            *ret_kind = (enum object_kind)kind;
            return true;
        }
    }
    return false;
}

static void named_sets(struct collected *collected)
{
    json_t *sets = json_object_get(collected->rebuilder->root, "sets");
    const char *name;
    const json_t *json;

    json_object_foreach(sets, name, json)
    {
        enum object_kind kind;
        uint64_t index;
        uint32_t place = collected->count;

        if (split_name(name, &kind, &index) &&
            new_set(collected, kind, false, (uint32_t)index,
                    rebuild_object(kind, json, collected->rebuilder->arena)) != NULL) {
            (void)json_object_set_new(collected->by_name, name, json_integer(place));
        }
    }
}

static const struct object_set *set_by_name(const struct collected *collected,
                                            enum object_kind kind, const char *name)
{
    const json_t *place = name == NULL ? NULL : json_object_get(collected->by_name, name);
    const struct object_set *set =
        place == NULL ? NULL : collected->sets[json_integer_value(place)];

    return set == NULL || set->kind != kind ? NULL : set;
}

/* One pointer for each text: writers fold processors whose errors are the same. */
static const char *shared_error(struct collected *collected, const char *error)
{
    for (uint32_t i = 0; i < collected->errors_count; i++) {
        if (strcmp(collected->errors[i], error) == 0) {
            return collected->errors[i];
        }
    }
    if (collected->errors_count < ERRORS_MAX) {
        collected->errors[collected->errors_count++] = error;
    }
    return error;
}

static void take_object(struct collected *collected, const json_t *json, enum object_kind kind,
                        struct object_result *result)
{
    const json_t *value = json_object_get(json, object_kind_field(kind));

    result->avail = AVAIL_ABSENT;
    result->hardware_reads =
        rebuild_u32(json_object_get(json, "hardware_reads"), object_kind_field(kind));
    result->unrecorded = rebuild_u32(json_object_get(json, "unrecorded"), object_kind_field(kind));
    if (value == NULL) {
        return;
    }
    if (json_object_get(value, "error") != NULL) {
        result->avail = AVAIL_FAULTED;
        result->error = shared_error(collected, rebuild_text(value, "error", "AE_ERROR"));
        result->error_path = json_text_string(value, "at");
        return;
    }
    result->set = kind == OBJECT_PPC ? nameless_set(collected, kind, false, value)
                                     : set_by_name(collected, kind, json_string_value(value));
    result->avail = result->set == NULL ? AVAIL_ABSENT : AVAIL_PRESENT;
    result->repair = REPAIR_SAME;
}

/* Where a _CPC's values are: those of the set's first processor stand in the set. */
static void take_cpc_values(const struct rebuilder *rebuilder, const json_t *json,
                            struct processor *processor)
{
    const char *name = json_text_string(json, "cpc");
    const json_t *set =
        name == NULL ? NULL : json_object_get(json_object_get(rebuilder->root, "sets"), name);
    const json_t *own = json_object_get(json, "cpc_values");

    for (unsigned i = 0; i < CPC_REGISTERS; i++) {
        const char *key = cpc_register_name((enum cpc_register)i);
        bool is_read = json_text_u64(json_object_get(own, key), &processor->cpc_value[i]) ||
                       json_text_u64(json_object_get(set, key), &processor->cpc_value[i]);

        processor->cpc_avail[i] = is_read ? AVAIL_PRESENT : AVAIL_ABSENT;
    }
}

/* A uid that is a number may be a string of digits here as well: jansson knows 63 bits. */
static enum avail take_uid(const json_t *value, uint64_t *ret_uid, const char **ret_text)
{
    if (value == NULL) {
        return AVAIL_ABSENT;
    }
    if (json_is_integer(value)) {
        return json_text_u64(value, ret_uid) ? AVAIL_PRESENT : AVAIL_MALFORMED;
    }
    *ret_text = json_string_value(value);
    return AVAIL_MALFORMED;
}

static void take_processor(struct collected *collected, const json_t *json,
                           struct processor *processor)
{
    bool is_device = strcmp(rebuild_text(json, "kind", ""), "device") == 0;

    processor->path = rebuild_text(json, "path", "?");
    processor->kind = is_device ? PROCESSOR_DEVICE : PROCESSOR_OBJECT;
    processor->uid_avail =
        take_uid(json_object_get(json, "uid"), &processor->uid, &processor->uid_text);
    processor->second_uid_avail = take_uid(json_object_get(json, "second_uid"),
                                           &processor->second_uid, &processor->second_uid_text);
    processor->pblk_address = rebuild_u32(json, "pblk_address");
    processor->pblk_length = (uint8_t)rebuild_u32(json, "pblk_length");
    if (json_object_get(json, "sta") != NULL) {
        processor->sta_avail = AVAIL_PRESENT;
        processor->sta = rebuild_u32(json, "sta");
    } else {
        processor->sta_avail = AVAIL_ABSENT;
    }
    processor->osc_error = json_text_string(json, "osc_error");
    processor->pdc_error = json_text_string(json, "pdc_error");
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        take_object(collected, json, (enum object_kind)kind, &processor->objects[kind]);
    }
    take_cpc_values(collected->rebuilder, json, processor);
}

/* What the report's sentence about a repair says of its outcome: report/repair_what.c. */
static void take_outcome(const json_t *repair, struct arena *arena, struct object_result *result)
{
    const char *what = rebuild_text(repair, "what", "");
    const char *error = strstr(what, "fails with ");
    const char *end = error == NULL ? NULL : strstr(error, " with repair");

    if (strncmp(what, "not evaluated", strlen("not evaluated")) == 0) {
        result->repair = REPAIR_UNSAFE;
    } else if (end != NULL) {
        error += strlen("fails with ");
        result->repair = REPAIR_FAILED;
        result->repair_error = end < error ? NULL : arena_text(arena, error, (size_t)(end - error));
    }
}

static void take_repair(struct collected *collected, const json_t *repair, json_t *by_path)
{
    const struct rebuilder *rebuilder = collected->rebuilder;
    const json_t *place = json_object_get(by_path, rebuild_text(repair, "path", ""));
    const json_t *repaired = json_object_get(repair, "repaired");
    struct processor *processor;
    struct object_result *result = NULL;
    unsigned kind = 0;

    while (kind < OBJECT_KINDS && strcmp(object_kind_name((enum object_kind)kind),
                                         rebuild_text(repair, "object", "")) != 0) {
        kind++;
    }
    if (place == NULL || kind == OBJECT_KINDS) {
        return;
    }
    processor = &rebuilder->platform->processors[json_integer_value(place)];
    result = &processor->objects[kind];
    if (repaired == NULL) {
        take_outcome(repair, rebuilder->arena, result);
        return;
    }
    result->repaired = nameless_set(collected, (enum object_kind)kind, true, repaired);
    if (result->repaired != NULL) {
        result->repair = result->set == NULL ? REPAIR_RESCUED : REPAIR_CHANGED;
    }
}

static void repairs(struct collected *collected)
{
    const struct platform *platform = collected->rebuilder->platform;
    const json_t *array = json_object_get(collected->rebuilder->root, "repairs");
    json_t *by_path = json_object();

    for (uint32_t i = 0; i < platform->processors_count; i++) {
        (void)json_object_set_new(by_path, platform->processors[i].path, json_integer(i));
    }
    for (uint32_t i = 0; i < rebuild_count(array); i++) {
        take_repair(collected, json_array_get(array, i), by_path);
    }
    json_decref(by_path);
}

/* By kind, then as firmware gave them before repaired ones, then by index: model/platform.h. */
static int compare_sets(const void *a, const void *b)
{
    const struct object_set *left = *(struct object_set *const *)a;
    const struct object_set *right = *(struct object_set *const *)b;

    if (left->kind != right->kind) {
        return left->kind < right->kind ? -1 : 1;
    }
    if (left->is_repaired != right->is_repaired) {
        return left->is_repaired ? 1 : -1;
    }
    return left->index < right->index ? -1 : left->index > right->index;
}

static uint32_t boot_apic_id(const struct platform *platform)
{
    const struct cpuid_set *set = platform->cpuid_kinds_count == 0 ? NULL : platform->cpuid_kinds;
    const struct cpuid_leaf *leaf;

    if (set == NULL || !platform_is_firsthand(platform)) {
        return NUMBERING_BOOT_UNKNOWN;
    }
    leaf = cpuid_find(set, 0xB, 0);
    if (leaf != NULL && bits_get(leaf->ebx, 15, 0) != 0) {
        return leaf->edx;
    }
    leaf = cpuid_find(set, 1, 0);
    return leaf == NULL ? NUMBERING_BOOT_UNKNOWN : (uint32_t)bits_get(leaf->ebx, 31, 24);
}

static void collect_processors(struct collected *collected)
{
    const struct rebuilder *rebuilder = collected->rebuilder;
    const json_t *array = json_object_get(rebuilder->root, "processors");
    struct platform *platform = rebuilder->platform;
    uint32_t count = rebuild_count(array);

    platform->processors = arena_array(rebuilder->arena, count, sizeof(struct processor));
    platform->processors_count = platform->processors == NULL ? 0 : count;
    named_sets(collected);
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        take_processor(collected, json_array_get(array, i), &platform->processors[i]);
    }
    repairs(collected);
    qsort(collected->sets, collected->count, sizeof(struct object_set *), compare_sets);
    platform->sets_count = collected->count;
    platform->sets = (const struct object_set *const *)collected->sets;
}

void rebuild_processors(const struct rebuilder *rebuilder)
{
    const json_t *root = rebuilder->root;
    struct collected collected = {.rebuilder = rebuilder, .by_name = json_object()};

    collected.capacity = (uint32_t)json_object_size(json_object_get(root, "sets")) +
                         rebuild_count(json_object_get(root, "processors")) +
                         rebuild_count(json_object_get(root, "repairs"));
    collected.sets = arena_array(rebuilder->arena, collected.capacity, sizeof(struct object_set *));
    if (collected.sets != NULL && collected.by_name != NULL) {
        collect_processors(&collected);
    }
    json_decref(collected.by_name);
    numbering_assign(rebuilder->platform, boot_apic_id(rebuilder->platform));
}
