#include "acpi/object_sets.h"

#include "acpi/decode_objects.h"

#include <string.h>

#define FIRST_SLOTS 256U

static struct object_sets {
    struct arena *arena;
    uint32_t slots_count; /* a power of two, at least twice `count` */
    uint32_t count;
    struct object_entry **slots; /* open addressing by hash */
    uint32_t next_index[OBJECT_KINDS][2];
} sets;

void object_sets_init(struct arena *arena)
{
    memset(&sets, 0, sizeof(sets));
    sets.arena = arena;
}

static struct object_entry **find_slot(struct object_entry **slots, uint32_t slots_count,
                                       const struct object_set *wanted)
{
    uint32_t at = (uint32_t)(wanted->hash ^ wanted->hash >> 32) & (slots_count - 1);

    while (slots[at] != NULL) {
        const struct object_set *set = &slots[at]->set;

        if (set->hash == wanted->hash && set->kind == wanted->kind &&
            set->is_repaired == wanted->is_repaired && aml_value_equal(set->raw, wanted->raw)) {
            break;
        }
        at = (at + 1) & (slots_count - 1);
    }
    return &slots[at];
}

static bool make_room(void)
{
    uint32_t wanted = sets.slots_count == 0 ? FIRST_SLOTS : 2 * sets.slots_count;
    struct object_entry **slots;

    if (sets.slots_count != 0 && sets.count < sets.slots_count / 2) {
        return true;
    }
    slots = arena_array(sets.arena, wanted, sizeof(struct object_entry *));
    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < sets.slots_count; i++) {
        if (sets.slots[i] != NULL) {
            *find_slot(slots, wanted, &sets.slots[i]->set) = sets.slots[i];
        }
    }
    sets.slots = slots;
    sets.slots_count = wanted;
    return true;
}

static const void *copy_bytes(const struct aml_value *value)
{
    uint8_t *copy = arena_take(sets.arena, (size_t)value->length + 1);

    if (copy != NULL && value->length > 0) {
        memcpy(copy, value->bytes, value->length);
    }
    return copy;
}

/* Copies a value out of scratch memory; its depth is bounded where it was made. */
static bool copy_value(const struct aml_value *value, struct aml_value *ret_value)
{
    struct aml_value *elements;

    *ret_value = *value;
    if (value->type == AML_STRING || value->type == AML_BUFFER || value->type == AML_REFERENCE) {
        ret_value->bytes = copy_bytes(value);
        return ret_value->bytes != NULL;
    }
    if (value->type != AML_PACKAGE) {
        return true;
    }
    elements = arena_array(sets.arena, value->length, sizeof(*elements));
    ret_value->elements = elements;
    if (elements == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < value->length; i++) {
        if (!copy_value(&value->elements[i], &elements[i])) {
            return false;
        }
    }
    return true;
}

static struct object_entry *make_entry(const struct object_set *wanted)
{
    struct object_entry *entry = arena_take(sets.arena, sizeof(*entry));
    struct aml_value *raw = arena_take(sets.arena, sizeof(*raw));

    if (entry == NULL || raw == NULL || !copy_value(wanted->raw, raw)) {
        return NULL;
    }
    entry->set = *wanted;
    entry->set.raw = raw;
    entry->set.index = sets.next_index[wanted->kind][wanted->is_repaired]++;
    decode_object(&entry->set, sets.arena);
    return entry;
}

struct object_entry *object_sets_take(enum object_kind kind, bool is_repaired,
                                      const struct aml_value *value)
{
    struct object_set wanted = {
        .kind = kind, .is_repaired = is_repaired, .hash = aml_value_hash(value), .raw = value};
    struct object_entry **slot;

    if (!make_room()) {
        return NULL;
    }
    slot = find_slot(sets.slots, sets.slots_count, &wanted);
    if (*slot == NULL) {
        *slot = make_entry(&wanted);
        sets.count += *slot == NULL ? 0 : 1;
    }
    return *slot;
}

struct object_entry *object_sets_entry(const struct object_set *set)
{
    return (struct object_entry *)(uintptr_t)set;
}

void object_sets_publish(struct platform *platform)
{
    const struct object_set **list =
        arena_array(sets.arena, sets.count, sizeof(struct object_set *));
    uint32_t start[OBJECT_KINDS][2];
    uint32_t at = 0;

    if (list == NULL || sets.count == 0) {
        return;
    }
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        for (unsigned repaired = 0; repaired < 2; repaired++) {
            start[kind][repaired] = at;
            at += sets.next_index[kind][repaired];
        }
    }
    for (uint32_t i = 0; i < sets.slots_count; i++) {
        if (sets.slots[i] != NULL) {
            const struct object_set *set = &sets.slots[i]->set;

            list[start[set->kind][set->is_repaired] + set->index] = set;
        }
    }
    platform->sets = list;
    platform->sets_count = sets.count;
}
