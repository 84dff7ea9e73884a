#include "model/histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define SAMPLES 20000

static struct histogram histogram;
static uint64_t samples[SAMPLES];

/* Marsaglia's xorshift64: a fixed sequence, so that a failure can be repeated. */
static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void fill(size_t count, unsigned shift_least, uint64_t seed)
{
    histogram_clear(&histogram);
    for (size_t i = 0; i < count; i++) {
        samples[i] = next_random(&seed) >> (shift_least + next_random(&seed) % (64 - shift_least));
        histogram_add(&histogram, samples[i]);
    }
    qsort(samples, count, sizeof(samples[0]), ascending);
}

static uint64_t sorted_percentile(size_t count, uint32_t permille)
{
    size_t rank = (count * permille + 999) / 1000;

    return samples[rank == 0 ? 0 : rank - 1];
}

static void percentiles_agree_with_sorted_samples(void **state)
{
    static const size_t counts[] = {1, 2, 3, 99, 100, 101, 999, 1000, 1001, SAMPLES};

    (void)state;
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        /* Samples of 1 to 47 bits: all octaves but no overflow. */
        fill(counts[i], 17, 12345 + i);
        for (uint32_t permille = 0; permille <= 1000; permille++) {
            uint64_t truth = sorted_percentile(counts[i], permille);
            uint64_t found = histogram_percentile(&histogram, permille);

            assert_true(found >= truth);
            assert_true(found - truth <= truth / HISTOGRAM_SUB);
            if (truth < HISTOGRAM_LINEAR) {
                assert_int_equal(found, truth);
            }
        }
        assert_int_equal(histogram_percentile(&histogram, 0), histogram.min);
        assert_int_equal(histogram_percentile(&histogram, 1000), histogram.max);
        assert_int_equal(histogram_percentile(&histogram, UINT32_MAX), histogram.max);
    }
}

static void mean_and_deviation_agree_with_floating_point(void **state)
{
    struct distribution found;
    long double sum = 0;
    long double spread = 0;

    (void)state;
    fill(SAMPLES, 17, 777);
    for (size_t i = 0; i < SAMPLES; i++) {
        sum += (long double)samples[i];
    }
    for (size_t i = 0; i < SAMPLES; i++) {
        long double off = (long double)samples[i] - sum / SAMPLES;

        spread += off * off / SAMPLES;
    }
    histogram_summarise(&histogram, &found);
    assert_int_equal(found.n, SAMPLES);
    assert_int_equal(found.mean, (uint64_t)(sum / SAMPLES + 0.5L));
    assert_true((long double)found.stddev * (long double)found.stddev <= spread * (1 + 1e-15L) + 1);
    assert_true(((long double)found.stddev + 1) * ((long double)found.stddev + 1) >=
                spread * (1 - 1e-15L));
}

static void known_set_has_known_figures(void **state)
{
    static const uint64_t values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct distribution found;

    (void)state;
    histogram_clear(&histogram);
    for (size_t i = 0; i < 8; i++) {
        histogram_add(&histogram, values[i]);
    }
    histogram_summarise(&histogram, &found);
    assert_int_equal(found.n, 8);
    assert_int_equal(found.min, 2);
    assert_int_equal(found.p50, 4);
    assert_int_equal(found.p90, 9);
    assert_int_equal(found.p99, 9);
    assert_int_equal(found.max, 9);
    assert_int_equal(found.mean, 5);
    assert_int_equal(found.stddev, 2);
}

static void empty_histogram_is_all_zero(void **state)
{
    struct distribution found = {.n = 1, .max = 1};

    (void)state;
    histogram_clear(&histogram);
    assert_int_equal(histogram_percentile(&histogram, 500), 0);
    histogram_summarise(&histogram, &found);
    assert_int_equal(found.n, 0);
    assert_int_equal(found.max, 0);
    assert_int_equal(found.mean, 0);
    assert_int_equal(found.stddev, 0);
}

static void single_sample_is_every_percentile(void **state)
{
    static const uint64_t values[] = {0, 1, 255, 256, 511, 512, 1000001, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        struct distribution found;

        histogram_clear(&histogram);
        histogram_add(&histogram, values[i]);
        histogram_summarise(&histogram, &found);
        assert_int_equal(found.min, values[i]);
        assert_int_equal(found.p50, values[i]);
        assert_int_equal(found.p99, values[i]);
        assert_int_equal(found.max, values[i]);
        assert_int_equal(found.mean, values[i]);
        assert_int_equal(found.stddev, 0);
    }
}

static void huge_samples_saturate(void **state)
{
    struct distribution found;

    (void)state;
    histogram_clear(&histogram);
    for (int i = 0; i < 3; i++) {
        histogram_add(&histogram, UINT64_MAX);
    }
    assert_int_equal(histogram.sum, UINT64_MAX);
    assert_int_equal(histogram.sum_sq_high, UINT64_MAX);
    assert_int_equal(histogram.sum_sq_low, UINT64_MAX);
    histogram_summarise(&histogram, &found);
    assert_int_equal(found.p50, UINT64_MAX);
    assert_int_equal(found.max, UINT64_MAX);
}

/* 0 and 2^46 in equal numbers: the deviation is half the distance, whatever the squares' size. */
static void large_deviation_is_exact(void **state)
{
    struct distribution found;

    (void)state;
    histogram_clear(&histogram);
    for (int i = 0; i < 1000; i++) {
        histogram_add(&histogram, i % 2 == 0 ? 0 : UINT64_C(1) << 46);
    }
    histogram_summarise(&histogram, &found);
    assert_int_equal(found.stddev, UINT64_C(1) << 45);
    assert_int_equal(found.mean, UINT64_C(1) << 45);
    assert_int_equal(found.p50, 0);
    assert_int_equal(found.p90, UINT64_C(1) << 46);
}

static void full_bucket_stays_full(void **state)
{
    (void)state;
    histogram_clear(&histogram);
    histogram_add(&histogram, 7);
    histogram.bucket[7] = UINT32_MAX;
    histogram.n = UINT32_MAX;
    histogram_add(&histogram, 7);
    assert_int_equal(histogram.bucket[7], UINT32_MAX);
    assert_int_equal(histogram.n, UINT64_C(1) << 32);
    assert_int_equal(histogram_percentile(&histogram, 1000), 7);
}

static void scale_rounds_every_value(void **state)
{
    const struct distribution ticks = {
        .n = 9, .min = 1, .p50 = 2, .p90 = 3, .p99 = 4, .max = UINT64_MAX, .mean = 5, .stddev = 6};
    struct distribution ns = distribution_scale(&ticks, 1000, 3000);

    (void)state;
    assert_int_equal(ns.n, 9);
    assert_int_equal(ns.min, 0);
    assert_int_equal(ns.p50, 1);
    assert_int_equal(ns.p90, 1);
    assert_int_equal(ns.p99, 1);
    assert_int_equal(ns.max, UINT64_MAX / 3);
    assert_int_equal(ns.mean, 2);
    assert_int_equal(ns.stddev, 2);
    ns = distribution_scale(&ticks, 2, 1);
    assert_int_equal(ns.max, UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_agree_with_sorted_samples),
        cmocka_unit_test(mean_and_deviation_agree_with_floating_point),
        cmocka_unit_test(known_set_has_known_figures),
        cmocka_unit_test(empty_histogram_is_all_zero),
        cmocka_unit_test(single_sample_is_every_percentile),
        cmocka_unit_test(huge_samples_saturate),
        cmocka_unit_test(large_deviation_is_exact),
        cmocka_unit_test(full_bucket_stays_full),
        cmocka_unit_test(scale_rounds_every_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
