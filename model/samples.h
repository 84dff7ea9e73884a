#pragma once

#include "model/histogram.h"

#include <stdint.h>

/*
 * The buckets of histograms that hold samples, kept for samples.csv: bounded memory for any number of
 * measurements. What no longer fits is left out and counted. CPUs that measure at the same time share a store.
 */
struct sample_bin {
    uint32_t bucket; /* of model/histogram.h */
    uint32_t count;
};

struct sample_store {
    struct sample_bin *bins;
    uint32_t capacity;
    uint32_t used; /* claimed atomically */
    uint32_t lost; /* histograms that were left out */
};

/* A histogram's place in the store: ascending buckets. count 0: not kept, or no samples. */
struct sample_bins {
    uint32_t first;
    uint32_t count;
};

/* Keeps the histogram's buckets; `store` may be NULL. Callable on any CPU: no memory is taken. */
struct sample_bins samples_keep(struct sample_store *store, const struct histogram *histogram);
