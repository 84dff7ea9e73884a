#include "model/samples.h"

#include <stdbool.h>
#include <stddef.h>

static uint32_t buckets_used(const struct histogram *histogram)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        used += histogram->bucket[i] != 0 ? 1U : 0U;
    }
    return used;
}

/* A range of its own in the store. */
static uint32_t claim(struct sample_store *store, uint32_t count)
{
    uint32_t first = __atomic_load_n(&store->used, __ATOMIC_RELAXED);

    do {
        if (count > store->capacity || first > store->capacity - count) {
            (void)__atomic_fetch_add(&store->lost, 1, __ATOMIC_RELAXED);
            return UINT32_MAX;
        }
    } while (!__atomic_compare_exchange_n(&store->used, &first, first + count, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return first;
}

struct sample_bins samples_keep(struct sample_store *store, const struct histogram *histogram)
{
    struct sample_bins kept = {0, 0};
    uint32_t first;

    if (store == NULL || store->bins == NULL || histogram->n == 0) {
        return kept;
    }
    first = claim(store, buckets_used(histogram));
    if (first == UINT32_MAX) {
        return kept;
    }
    kept.first = first;
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        if (histogram->bucket[i] != 0) {
            store->bins[kept.first + kept.count++] = (struct sample_bin){i, histogram->bucket[i]};
        }
    }
    return kept;
}
