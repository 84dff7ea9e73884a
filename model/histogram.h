#pragma once

#include <stdint.h>

/*
 * Samples of one timed quantity in bounded memory: a log-linear histogram. Values below
 * HISTOGRAM_LINEAR are exact; above, each power of two is cut into HISTOGRAM_SUB buckets, so a
 * percentile is at most 1/HISTOGRAM_SUB (0.4 %) above the true sample and never below it. Minimum,
 * maximum, count, sum and sum of squares are exact.
 */
#define HISTOGRAM_SUB_BITS 8
#define HISTOGRAM_SUB (1U << HISTOGRAM_SUB_BITS)
#define HISTOGRAM_LINEAR (2U * HISTOGRAM_SUB)
#define HISTOGRAM_OCTAVES 40 /* up to 2^(39 + 8) ticks: 13 hours at 3 GHz */
#define HISTOGRAM_BUCKETS (HISTOGRAM_SUB * HISTOGRAM_OCTAVES)

struct histogram {
    uint64_t n;
    uint64_t min;
    uint64_t max;
    uint64_t sum;         /* saturates */
    uint64_t sum_sq_high; /* 128-bit sum of squares; saturates */
    uint64_t sum_sq_low;
    uint32_t bucket[HISTOGRAM_BUCKETS];
};

/* {dist} of report.json: all in the samples' own unit. Meaningless when n is 0. */
struct distribution {
    uint64_t n;
    uint64_t min;
    uint64_t p50;
    uint64_t p90;
    uint64_t p99;
    uint64_t max;
    uint64_t mean;
    uint64_t stddev;
};

/* The smallest and the largest value that count in a bucket; the last bucket has no upper end. */
uint64_t histogram_bucket_low(uint32_t bucket);
uint64_t histogram_bucket_high(uint32_t bucket);

/* The bucket that a value counts in. */
uint32_t histogram_bucket_of(uint64_t value);

void histogram_clear(struct histogram *histogram);

/* Adds one sample; values beyond the last octave count in the last bucket (max stays exact). */
void histogram_add(struct histogram *histogram, uint64_t value);

/* The value below or at which `permille` thousandths of the samples lie (nearest rank), to
 * the precision above; 0 thousandths give the minimum, an empty histogram 0. */
uint64_t histogram_percentile(const struct histogram *histogram, uint32_t permille);

void histogram_summarise(const struct histogram *histogram, struct distribution *ret_distribution);

/* A distribution with every value converted by value * multiplier / divisor (rounded); stddev too. */
struct distribution distribution_scale(const struct distribution *distribution, uint64_t multiplier,
                                       uint64_t divisor);

/* The shape of a histogram for a reader's eye: equal steps from the minimum to the 99th percentile. */
#define HISTOGRAM_SHAPE_BINS 24
struct histogram_shape {
    uint64_t low;                         /* start of the first bin */
    uint64_t width;                       /* of a bin; 0 when there are no samples */
    uint32_t count[HISTOGRAM_SHAPE_BINS]; /* the last also has what lies beyond */
};

void histogram_shape(const struct histogram *histogram, struct histogram_shape *ret_shape);
