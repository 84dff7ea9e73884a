#include "model/histogram.h"

#include "model/units.h"
#include "model/wide.h"

#include <string.h>

_Static_assert(HISTOGRAM_LINEAR == 2 * HISTOGRAM_SUB, "two octaves have buckets of width 1");

#define PERMILLE 1000U

void histogram_clear(struct histogram *histogram)
{
    memset(histogram, 0, sizeof(*histogram));
}

static unsigned highest_bit(uint64_t value)
{
    return 63U - (unsigned)__builtin_clzll(value);
}

uint32_t histogram_bucket_of(uint64_t value)
{
    unsigned octave;
    uint32_t index;

    if (value < HISTOGRAM_SUB) {
        return (uint32_t)value;
    }
    octave = highest_bit(value) - HISTOGRAM_SUB_BITS;
    /* The leading bit is set in the shifted value: it stands for one octave more. */
    index = octave * HISTOGRAM_SUB + (uint32_t)(value >> octave);
    return index < HISTOGRAM_BUCKETS ? index : HISTOGRAM_BUCKETS - 1;
}

uint64_t histogram_bucket_high(uint32_t bucket)
{
    uint32_t octave;
    uint32_t within;

    if (bucket < HISTOGRAM_SUB) {
        return bucket;
    }
    if (bucket == HISTOGRAM_BUCKETS - 1) {
        return UINT64_MAX;
    }
    octave = bucket / HISTOGRAM_SUB - 1;
    within = bucket - octave * HISTOGRAM_SUB;
    return (((uint64_t)within + 1) << octave) - 1;
}

uint64_t histogram_bucket_low(uint32_t bucket)
{
    return bucket == 0 ? 0 : histogram_bucket_high(bucket - 1) + 1;
}

static void add_square(struct histogram *histogram, uint64_t value)
{
    struct wide sum = {.high = histogram->sum_sq_high, .low = histogram->sum_sq_low};

    sum = wide_add(sum, wide_multiply(value, value));
    histogram->sum_sq_high = sum.high;
    histogram->sum_sq_low = sum.low;
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
    uint32_t *bucket = &histogram->bucket[histogram_bucket_of(value)];

    if (histogram->n == 0 || value < histogram->min) {
        histogram->min = value;
    }
    if (value > histogram->max) {
        histogram->max = value;
    }
    histogram->n++;
    histogram->sum = value > UINT64_MAX - histogram->sum ? UINT64_MAX : histogram->sum + value;
    add_square(histogram, value);
    if (*bucket < UINT32_MAX) {
        ++*bucket;
    }
}

/* The 1-based rank of a percentile by the nearest-rank method: ceil(n * permille / 1000), at least 1. */
static uint64_t rank_of(uint64_t n, uint32_t permille)
{
    uint64_t rank = mul_div_u64(n, permille, PERMILLE);

    return rank + (n % PERMILLE * permille % PERMILLE != 0 || rank == 0 ? 1 : 0);
}

uint64_t histogram_percentile(const struct histogram *histogram, uint32_t permille)
{
    uint64_t rank = rank_of(histogram->n, permille < PERMILLE ? permille : PERMILLE);
    uint64_t seen = 0;

    if (permille == 0 || histogram->n == 0) {
        return histogram->min;
    }
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += histogram->bucket[i];
        if (seen >= rank) {
            uint64_t top = histogram_bucket_high(i);

            return top < histogram->max ? top : histogram->max;
        }
    }
    return histogram->max;
}

/*
 * The population's standard deviation, sqrt((sum of squares - sum^2 / n) / n), rounded down. The
 * inner quotient is rounded down as well, which puts the variance off by less than 1 / n.
 */
static uint64_t standard_deviation(const struct histogram *histogram)
{
    struct wide squares = {.high = histogram->sum_sq_high, .low = histogram->sum_sq_low};
    struct wide square_of_sum = wide_multiply(histogram->sum, histogram->sum);
    struct wide spread = wide_subtract(squares, wide_divide(square_of_sum, histogram->n));

    return wide_isqrt(wide_divide(spread, histogram->n));
}

void histogram_summarise(const struct histogram *histogram, struct distribution *ret_distribution)
{
    struct distribution distribution = {.n = histogram->n};

    if (histogram->n != 0) {
        distribution.min = histogram->min;
        distribution.p50 = histogram_percentile(histogram, 500);
        distribution.p90 = histogram_percentile(histogram, 900);
        distribution.p99 = histogram_percentile(histogram, 990);
        distribution.max = histogram->max;
        distribution.mean = mul_div_round_u64(histogram->sum, 1, histogram->n);
        distribution.stddev = standard_deviation(histogram);
    }
    *ret_distribution = distribution;
}

struct distribution distribution_scale(const struct distribution *distribution, uint64_t multiplier,
                                       uint64_t divisor)
{
    return (struct distribution){
        .n = distribution->n,
        .min = mul_div_round_u64(distribution->min, multiplier, divisor),
        .p50 = mul_div_round_u64(distribution->p50, multiplier, divisor),
        .p90 = mul_div_round_u64(distribution->p90, multiplier, divisor),
        .p99 = mul_div_round_u64(distribution->p99, multiplier, divisor),
        .max = mul_div_round_u64(distribution->max, multiplier, divisor),
        .mean = mul_div_round_u64(distribution->mean, multiplier, divisor),
        .stddev = mul_div_round_u64(distribution->stddev, multiplier, divisor),
    };
}

static void add_to_shape(struct histogram_shape *shape, uint64_t value, uint32_t count)
{
    uint64_t bin = value > shape->low ? (value - shape->low) / shape->width : 0;
    uint32_t *slot = &shape->count[bin < HISTOGRAM_SHAPE_BINS ? bin : HISTOGRAM_SHAPE_BINS - 1];

    *slot = count > UINT32_MAX - *slot ? UINT32_MAX : *slot + count;
}

void histogram_shape(const struct histogram *histogram, struct histogram_shape *ret_shape)
{
    uint64_t high = histogram_percentile(histogram, 990);

    *ret_shape = (struct histogram_shape){.low = histogram->min};
    if (histogram->n == 0) {
        return;
    }
    ret_shape->width = (high - histogram->min) / HISTOGRAM_SHAPE_BINS + 1;
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        uint64_t top = histogram_bucket_high(i);

        if (histogram->bucket[i] != 0) {
            add_to_shape(ret_shape, top < histogram->max ? top : histogram->max,
                         histogram->bucket[i]);
        }
    }
}
