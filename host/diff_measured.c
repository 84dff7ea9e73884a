#include "host/diff_compare.h"
#include "host/json_text.h"
#include "host/significance.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NAME_BYTES 256
/* Of a thousand comparisons of equal things, one is called different, whatever the number of comparisons:
 * Bonferroni's correction divides it. */
#define ERROR_RATE 0.001
/* A figure in whole nanoseconds is known to half of one. */
#define RESOLUTION_NS 1.0
/* Of work in a second, from run to run. */
#define WORK_PPM 5000U

/* Everything that was measured, by name: {dist}, or {"value", "uncertainty_ppm"}. */
static void keep(json_t *into, const char *name, const json_t *value)
{
    if (json_object_get(into, name) == NULL) {
        (void)json_object_set(into, name, (json_t *)(uintptr_t)value);
    }
}

static const char *word(const json_t *object, const char *key)
{
    const char *text = json_text_string(object, key);

    return text == NULL ? "" : text;
}

static void distributions(const json_t *entry, const char *of, json_t *into)
{
    const json_t *member;
    const char *key;

    json_object_foreach((json_t *)(uintptr_t)entry, key, member)
    {
        size_t length = strlen(key);
        bool is_ns = length > 3 && strcmp(key + length - 3, "_ns") == 0;
        char name[NAME_BYTES];

        if (is_ns && json_object_get(member, "mean") != NULL) {
            (void)snprintf(name, sizeof(name), "%.180s: %.60s", of, key);
            keep(into, name, member);
        }
    }
}

static void idle_entries(const json_t *report, json_t *into)
{
    const json_t *entry;
    size_t index;

    json_array_foreach(json_object_get(report, "idle"), index, entry)
    {
        char name[NAME_BYTES];

        (void)snprintf(name, sizeof(name), "CPU %llu, %.16s by %.16s 0x%llx, dummy read %.16s",
                       (unsigned long long)json_text_number(entry, "cpu", 0), word(entry, "state"),
                       word(entry, "entry"),
                       (unsigned long long)json_text_number(entry, "address",
                                                            json_text_number(entry, "hint", 0)),
                       word(entry, "dummy_read"));
        distributions(entry, name, into);
    }
    json_array_foreach(json_object_get(report, "contention"), index, entry)
    {
        char name[NAME_BYTES];

        (void)snprintf(name, sizeof(name), "%.40s 0x%llx on %llu CPUs at once",
                       word(entry, "port_name"),
                       (unsigned long long)json_text_number(entry, "port", 0),
                       (unsigned long long)json_text_number(entry, "cpus", 0));
        distributions(entry, name, into);
    }
}

static void with_uncertainty(const char *name, uint64_t value, uint64_t ppm, json_t *into)
{
    json_t *entry = json_object();

    (void)json_object_set_new(entry, "value", json_integer((json_int_t)value));
    (void)json_object_set_new(entry, "uncertainty_ppm", json_integer((json_int_t)ppm));
    keep(into, name, entry);
    json_decref(entry);
}

static void rates(const json_t *report, json_t *into)
{
    const json_t *frequency = json_object_get(json_object_get(report, "measured"), "frequency");
    const json_t *entry;
    size_t index;
    char name[NAME_BYTES];

    json_array_foreach(json_object_get(report, "clocks"), index, entry)
    {
        /* Only what was measured scatters; a stated rate is compared where it is stated. */
        if (json_object_get(entry, "runs") != NULL) {
            (void)snprintf(name, sizeof(name), "clock %.40s, %.80s: hz", word(entry, "name"),
                           word(entry, "from"));
            with_uncertainty(name, json_text_number(entry, "hz", 0),
                             json_text_number(entry, "uncertainty_ppm", 0), into);
        }
    }
    json_array_foreach(frequency, index, entry)
    {
        const json_t *request = json_object_get(entry, "request");

        (void)snprintf(name, sizeof(name), "CPU %llu at %.20s 0x%llx, %llu kHz: effective_khz",
                       (unsigned long long)json_text_number(entry, "cpu", 0), word(request, "kind"),
                       (unsigned long long)json_text_number(request, "control", 0),
                       (unsigned long long)json_text_number(request, "khz", 0));
        if (json_object_get(entry, "effective_khz") != NULL) {
            with_uncertainty(name, json_text_number(entry, "effective_khz", 0),
                             json_text_number(entry, "uncertainty_ppm", 0), into);
        }
    }
}

/* Boost by active cores, and how long changed requests take. */
static void boosts(const json_t *report, json_t *into)
{
    const json_t *measured = json_object_get(report, "measured");
    const json_t *entry;
    size_t index;
    char name[NAME_BYTES];

    json_array_foreach(json_object_get(measured, "boost_by_active_cores"), index, entry)
    {
        const char *kind = word(entry, "kind");

        (void)snprintf(name, sizeof(name), "boost, package %llu, %.16s, %llu active, CPU %llu: khz",
                       (unsigned long long)json_text_number(entry, "package", 0), kind,
                       (unsigned long long)json_text_number(entry, "active", 0),
                       (unsigned long long)json_text_number(entry, "cpu", 0));
        if (json_object_get(entry, "khz") != NULL) {
            with_uncertainty(name, json_text_number(entry, "khz", 0),
                             json_text_number(entry, "uncertainty_ppm", 0), into);
        }
    }
    json_array_foreach(json_object_get(measured, "settling"), index, entry)
    {
        (void)snprintf(name, sizeof(name), "CPU %llu, %.20s change %llu to %llu: settle_us",
                       (unsigned long long)json_text_number(entry, "cpu", 0), word(entry, "kind"),
                       (unsigned long long)json_text_number(entry, "from", 0),
                       (unsigned long long)json_text_number(entry, "to", 0));
        if (json_object_get(entry, "settle_us") != NULL) {
            keep(into, name, json_object_get(entry, "settle_us"));
        }
    }
}

/* Work in a second and for a joule; the first has no stated uncertainty: that of the time it was counted in is far
 * below the half of a percent by which such figures scatter from run to run. */
static void work_figures(const json_t *report, json_t *into)
{
    const json_t *entry;
    size_t index;
    char name[NAME_BYTES];

    json_array_foreach(json_object_get(report, "work"), index, entry)
    {
        (void)snprintf(name, sizeof(name), "%.16s kernel, package %llu, %llu cores at %llu kHz%s",
                       word(entry, "kernel"),
                       (unsigned long long)json_text_number(entry, "package", 0),
                       (unsigned long long)json_text_number(entry, "active_cores", 0),
                       (unsigned long long)json_text_number(entry, "requested_khz", 0),
                       json_is_true(json_object_get(entry, "boost_off")) ? ", boost off" : "");
        with_uncertainty(name, json_text_number(entry, "work", 0), WORK_PPM, into);
    }
}

static bool is_emulated(const json_t *report)
{
    static const char *const lists[] = {"idle", "contention", "clocks"};
    const json_t *entry;
    size_t index;

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        json_array_foreach(json_object_get(report, lists[i]), index, entry)
        {
            if (json_is_true(json_object_get(entry, "emulated"))) {
                return true;
            }
        }
    }
    return false;
}

static struct sample sample_of(const json_t *dist)
{
    return (struct sample){.n = (double)json_text_number(dist, "n", 0),
                           .mean = (double)json_text_number(dist, "mean", 0),
                           .stddev = (double)json_text_number(dist, "stddev", 0)};
}

static void differ(json_t *list, const char *name, const char *old_text, const char *new_text,
                   const char *test, double confidence_pct)
{
    json_t *entry = json_object();

    (void)json_object_set_new(entry, "name", json_string(name));
    (void)json_object_set_new(entry, "old", json_string(old_text));
    (void)json_object_set_new(entry, "new", json_string(new_text));
    (void)json_object_set_new(entry, "test", json_string(test));
    if (confidence_pct > 0) {
        (void)json_object_set_new(entry, "confidence_pct", json_real(confidence_pct));
    }
    (void)json_array_append_new(list, entry);
}

static void compare_means(json_t *list, const char *name, const json_t *old_dist,
                          const json_t *new_dist, double error_rate)
{
    struct sample one = sample_of(old_dist);
    struct sample other = sample_of(new_dist);
    double probability = significance_welch(&one, &other);
    char old_text[64];
    char new_text[64];

    if (probability >= error_rate || fabs(one.mean - other.mean) <= RESOLUTION_NS) {
        return;
    }
    (void)snprintf(old_text, sizeof(old_text), "mean %.0f, n %.0f", one.mean, one.n);
    (void)snprintf(new_text, sizeof(new_text), "mean %.0f, n %.0f", other.mean, other.n);
    /* More digits than these would claim what no sample of timings bears. */
    probability = probability < 1e-9 ? 1e-9 : probability;
    differ(list, name, old_text, new_text, "Welch's t-test of the means", 100 * (1 - probability));
}

static void compare_rates(json_t *list, const char *name, const json_t *old_rate,
                          const json_t *new_rate)
{
    double old_value = (double)json_text_number(old_rate, "value", 0);
    double new_value = (double)json_text_number(new_rate, "value", 0);
    double old_ppm = (double)json_text_number(old_rate, "uncertainty_ppm", 0);
    double new_ppm = (double)json_text_number(new_rate, "uncertainty_ppm", 0);
    char old_text[64];
    char new_text[64];

    if (fabs(old_value - new_value) <= (old_value * old_ppm + new_value * new_ppm) / 1e6) {
        return;
    }
    (void)snprintf(old_text, sizeof(old_text), "%.0f (%.0f ppm)", old_value, old_ppm);
    (void)snprintf(new_text, sizeof(new_text), "%.0f (%.0f ppm)", new_value, new_ppm);
    differ(list, name, old_text, new_text, "the stated uncertainties do not overlap", 0);
}

static void compare_all(const json_t *old_ones, const json_t *new_ones, json_t *result)
{
    json_t *list = json_object_get(result, "differ");
    const json_t *value;
    const char *name;
    size_t both = 0;

    json_object_foreach((json_t *)(uintptr_t)old_ones, name, value)
    {
        both += json_object_get(new_ones, name) != NULL ? 1 : 0;
    }
    json_object_foreach((json_t *)(uintptr_t)old_ones, name, value)
    {
        const json_t *other = json_object_get(new_ones, name);

        if (other == NULL) {
            continue;
        }
        if (json_object_get(value, "mean") != NULL) {
            compare_means(list, name, value, other, ERROR_RATE / (double)both);
        } else {
            compare_rates(list, name, value, other);
        }
    }
    (void)json_object_set_new(result, "compared", json_integer((json_int_t)both));
}

json_t *diff_measurements(const json_t *old_report, const json_t *new_report)
{
    json_t *result = json_object();
    json_t *old_ones = json_object();
    json_t *new_ones = json_object();

    (void)json_object_set_new(result, "compared", json_integer(0));
    (void)json_object_set_new(result, "differ", json_array());
    if (is_emulated(old_report) || is_emulated(new_report)) {
        (void)json_object_set_new(result, "why_not",
                                  json_string("emulated clocks: the figures mean nothing"));
    } else {
        idle_entries(old_report, old_ones);
        idle_entries(new_report, new_ones);
        rates(old_report, old_ones);
        rates(new_report, new_ones);
        boosts(old_report, old_ones);
        boosts(new_report, new_ones);
        work_figures(old_report, old_ones);
        work_figures(new_report, new_ones);
        compare_all(old_ones, new_ones, result);
    }
    json_decref(old_ones);
    json_decref(new_ones);
    return result;
}
