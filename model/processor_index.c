#include "model/processor_index.h"

#include "model/sort.h"

static bool domain_of(const struct dependency *rows, uint64_t *ret_value)
{
    if (rows->count == 0 || (rows->rows[0].valid >> DEPENDENCY_DOMAIN & 1) == 0) {
        return false;
    }
    *ret_value = rows->rows[0].field[DEPENDENCY_DOMAIN];
    return true;
}

/* False for a processor that has no such number. */
static bool value_of(const struct processor *processor, enum processor_key key, uint64_t *ret_value)
{
    const struct object_set *set = NULL;

    switch (key) {
    case PROCESSOR_UID:
        *ret_value = processor->uid;
        return processor->uid_avail == AVAIL_PRESENT && processor->uid_text == NULL;
    case PROCESSOR_PSD_DOMAIN:
        set = processor->objects[OBJECT_PSD].set;
        return set != NULL && domain_of(&set->psd, ret_value);
    case PROCESSOR_CSD_DOMAIN:
        set = processor->objects[OBJECT_CSD].set;
        return set != NULL && domain_of(&set->csd, ret_value);
    case PROCESSOR_KEYS:
        break;
    }
    return false;
}

/* The low half of the value orders; whoever searches compares the whole. */
static uint64_t order_of(uint64_t value, uint32_t position)
{
    return (value & UINT32_MAX) << 32 | position;
}

static void make_order(struct platform *platform, enum processor_key key)
{
    struct processor_order *order = &platform->processor_orders[key];
    uint64_t *items =
        arena_array(platform->arena, platform->processors_count, sizeof(order->items[0]));
    uint32_t count = 0;

    *order = (struct processor_order){.items = NULL};
    if (items == NULL) {
        return;
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        uint64_t value;

        if (value_of(&platform->processors[i], key, &value)) {
            items[count++] = order_of(value, i);
        }
    }
    sort_u64(items, count);
    *order = (struct processor_order){.count = count, .items = items};
}

void processor_index_make(struct platform *platform)
{
    for (unsigned key = 0; key < PROCESSOR_KEYS; key++) {
        make_order(platform, (enum processor_key)key);
    }
}

/* The next processor that may have the value, or the number of processors. */
static uint32_t candidate(const struct platform *platform, enum processor_key key, uint64_t value,
                          uint32_t position)
{
    const struct processor_order *order = &platform->processor_orders[key];
    size_t at;

    if (order->items == NULL) {
        return position;
    }
    at = sort_lower_bound(order->items, order->count, order_of(value, position));
    if (at == order->count || order->items[at] >> 32 != (value & UINT32_MAX)) {
        return platform->processors_count;
    }
    return (uint32_t)order->items[at];
}

const struct processor *processor_index_next(const struct platform *platform,
                                             enum processor_key key, uint64_t value,
                                             uint32_t *position)
{
    uint32_t at = candidate(platform, key, value, *position);

    while (at < platform->processors_count) {
        const struct processor *processor = &platform->processors[at];
        uint64_t has;

        *position = at + 1;
        if (value_of(processor, key, &has) && has == value) {
            return processor;
        }
        at = candidate(platform, key, value, *position);
    }
    return NULL;
}
