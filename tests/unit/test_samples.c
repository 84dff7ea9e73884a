#include "host/samples_text.h"
#include "model/samples.h"
#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct histogram histogram;
static struct sim_report sample;
static struct rubbish rubbish;
static struct idle_sample_set set;
static struct port_cost cost;

static int set_up(void **state)
{
    (void)state;
    histogram_clear(&histogram);
    sim_report_init(&sample);
    set = (struct idle_sample_set){.state = "C1"};
    cost = (struct port_cost){.cpus = 2, .port_name = "PM timer"};
    sample.sim.platform.idle = &set;
    sample.sim.platform.idle_count = 1;
    sample.sim.platform.port_costs = &cost;
    sample.sim.platform.port_costs_count = 1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_report_free(&sample);
    return 0;
}

static void keeps_each_bucket_in_order(void **state)
{
    struct sample_bin bins[4];
    struct sample_store store = {.bins = bins, .capacity = 4};
    struct sample_bins kept;

    (void)state;
    histogram_add(&histogram, 100000);
    histogram_add(&histogram, 7);
    histogram_add(&histogram, 7);
    kept = samples_keep(&store, &histogram);
    assert_int_equal(kept.count, 2);
    assert_int_equal(bins[kept.first].bucket, 7);
    assert_int_equal(bins[kept.first].count, 2);
    assert_int_equal(bins[kept.first + 1].bucket, histogram_bucket_of(100000));
    assert_int_equal(store.used, 2);
}

static void leaves_out_what_does_not_fit(void **state)
{
    struct sample_bin bins[2];
    struct sample_store store = {.bins = bins, .capacity = 2, .used = 1};

    (void)state;
    histogram_add(&histogram, 1);
    histogram_add(&histogram, 2);
    assert_int_equal(samples_keep(&store, &histogram).count, 0);
    assert_int_equal(store.lost, 1);
    assert_int_equal(store.used, 1);
    assert_int_equal(samples_keep(NULL, &histogram).count, 0);
}

/* Every bucket's bounds name it and no other, without a gap. */
static void bounds_cover_all_values(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        assert_int_equal(histogram_bucket_of(histogram_bucket_low(i)), i);
        assert_int_equal(histogram_bucket_of(histogram_bucket_high(i)), i);
        if (i + 1 < HISTOGRAM_BUCKETS) {
            assert_true(histogram_bucket_high(i) + 1 == histogram_bucket_low(i + 1));
        }
    }
    assert_true(histogram_bucket_high(HISTOGRAM_BUCKETS - 1) == UINT64_MAX);
}

/* The sample's first set gets two histograms, its first port another. */
static void give_samples(struct sample_bin *bins, uint32_t capacity)
{
    struct platform *platform = &sample.sim.platform;

    platform->samples = (struct sample_store){.bins = bins, .capacity = capacity};
    for (uint64_t i = 0; i < 40; i++) {
        histogram_add(&histogram, i * i * i * 1000);
    }
    set.bins[SAMPLE_FIRST_READ] = samples_keep(&platform->samples, &histogram);
    cost.bins = samples_keep(&platform->samples, &histogram);
    set.bins[SAMPLE_EXIT] = samples_keep(&platform->samples, &histogram);
}

static void forget_samples(void)
{
    struct platform *platform = &sample.sim.platform;

    memset(set.bins, 0, sizeof(set.bins));
    memset(&cost.bins, 0, sizeof(cost.bins));
    platform->samples = (struct sample_store){0};
}

static enum status parse(const char *text)
{
    return samples_text_parse(text, strlen(text), &sample.sim.heap.arena, &sample.sim.platform,
                              &rubbish);
}

static void comes_back_as_it_was_written(void **state)
{
    struct sample_bin bins[256];
    char *written;

    (void)state;
    give_samples(bins, 256);
    written = strdup(sim_report_write(&sample, report_csv));
    forget_samples();
    assert_int_equal(parse(written), STATUS_OK);
    assert_int_equal(rubbish.count, 0);
    assert_string_equal(sim_report_write(&sample, report_csv), written);
    assert_non_null(strstr(written, "contention,0,"));
    assert_non_null(strstr(written, ",exit,0,0,1\n"));
    free(written);
}

/* A state's name is the firmware's (_LPI), and must not shift a column or end the text. */
static void a_hostile_name_stays_one_column(void **state)
{
    static const char *const names[] = {"a,b",  "q\"b",      "two\nlines", "\x01",
                                        "\xFF", SIM_HOSTILE, NULL};
    struct sample_bin bins[256];
    const char *before = set.state;

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *text;

        give_samples(bins, 256);
        set.state = names[i];
        text = sim_report_write(&sample, report_csv);
        assert_non_null(strstr(text, "idle,0,0,?,first_read,0,0,"));
        forget_samples();
        for (const char *at = text; *at != '\0'; at++) {
            assert_true(*at == '\n' || (*at >= ' ' && *at <= '~' && *at != '"'));
        }
        assert_int_equal(parse(text), STATUS_OK);
        assert_int_equal(rubbish.count, 0);
    }
    set.state = before;
}

#define HEADER "list,index,cpu,state,quantity,from_tsc,to_tsc,count\n"

static void names_what_is_no_sample(void **state)
{
    static const char *const wrong[] = {
        "idle,0,0,C1,exit,7,7",                     /* a column is missing */
        "idle,0,0,C1,exit,7,7,1,1",                 /* one too many */
        "idle,99999,0,C1,exit,7,7,1",               /* no such set */
        "idle,0,0,C1,entry,7,7,1",                  /* no such quantity */
        "idle,0,0,C1,exit,1000000,1000001,1",       /* no bucket */
        "idle,0,0,C1,exit,-7,7,1",                  /* no number */
        "idle,0,0,C1,exit,7,7,18446744073709551615" /* no 32-bit count */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        char text[256];

        forget_samples();
        (void)snprintf(text, sizeof(text), HEADER "%s\nidle,0,0,C1,exit,9,9,1\n", wrong[i]);
        assert_int_equal(parse(text), STATUS_OK);
        assert_int_equal(rubbish.count, 1);
        assert_int_equal(rubbish.first_number, 2);
        assert_int_equal(set.bins[SAMPLE_EXIT].count, 1);
    }
}

/* Lines of one histogram that stand apart would overlap another's in the store. */
static void takes_each_histogram_in_one_piece(void **state)
{
    (void)state;
    forget_samples();
    assert_int_equal(parse(HEADER "idle,0,0,C1,exit,7,7,1\n"
                                  "idle,0,0,C1,first_read,8,8,1\n"
                                  "idle,0,0,C1,exit,9,9,1\n"),
                     STATUS_OK);
    assert_int_equal(rubbish.count, 1);
    assert_int_equal(set.bins[SAMPLE_EXIT].count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_each_bucket_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_out_what_does_not_fit, set_up, tear_down),
        cmocka_unit_test(bounds_cover_all_values),
        cmocka_unit_test_setup_teardown(comes_back_as_it_was_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hostile_name_stays_one_column, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_what_is_no_sample, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_each_histogram_in_one_piece, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
