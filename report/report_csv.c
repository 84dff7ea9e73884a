#include "report/report.h"

/*
 * samples.csv: what was timed, as histograms; columns in docs/offline.md. Where only the coarse shape is known (a
 * stored report without its samples), that is what there is.
 */
static const char *const quantities[SAMPLE_QUANTITIES] = {
    [SAMPLE_FIRST_READ] = "first_read", [SAMPLE_DUMMY_READ] = "dummy_read",
    [SAMPLE_ASLEEP] = "asleep",         [SAMPLE_EXIT] = "exit",
    [SAMPLE_HANDLER] = "handler",       [SAMPLE_RAN_ON] = "ran_on"};

const char *report_csv_quantity(enum sample_quantity quantity)
{
    return quantities[quantity];
}

#define NAME_BYTES 32U

struct row {
    const char *list; /* of report.json */
    uint32_t index;
    uint32_t cpu; /* contention: how many CPUs */
    const char *state;
    const char *quantity;
};

static void put(const struct row *row, uint64_t low, uint64_t high, uint64_t count,
                struct textbuf *out)
{
    textbuf_printf(out, "%s,%u,%u,%s,%s,%lu,%lu,%lu\n", row->list, row->index, row->cpu, row->state,
                   row->quantity, low, high, count);
}

static void put_bins(const struct platform *platform, const struct row *row,
                     const struct sample_bins *bins, struct textbuf *out)
{
    const struct sample_store *store = &platform->samples;

    for (uint32_t i = 0; i < bins->count && i < store->capacity - bins->first; i++) {
        const struct sample_bin *bin = &store->bins[bins->first + i];

        put(row, histogram_bucket_low(bin->bucket), histogram_bucket_high(bin->bucket), bin->count,
            out);
    }
}

static void put_shape(const struct row *row, const struct histogram_shape *shape,
                      struct textbuf *out)
{
    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS; i++) {
        uint64_t low = shape->low + i * shape->width;

        if (shape->count[i] != 0) {
            put(row, low, low + shape->width - 1, shape->count[i], out);
        }
    }
}

/* A comma or a quote in a name would shift the columns, and other bytes may be no text at all; a state's name is a
 * word of ASCII. */
static const char *word(const char *text)
{
    if (text == NULL) {
        return "?";
    }
    for (const char *at = text; *at != '\0'; at++) {
        if (*at < ' ' || *at > '~' || *at == ',' || *at == '"') {
            return "?";
        }
    }
    return text;
}

static void put_set(const struct platform *platform, uint32_t index, struct textbuf *out)
{
    const struct idle_sample_set *set = &platform->idle[index];
    struct row row = {"idle", index, set->cpu, word(set->state), NULL};
    bool has_bins = false;

    for (unsigned i = 0; i < SAMPLE_QUANTITIES; i++) {
        row.quantity = quantities[i];
        has_bins = has_bins || set->bins[i].count != 0;
        put_bins(platform, &row, &set->bins[i], out);
    }
    if (!has_bins && set->shape.width != 0) {
        row.quantity = quantities[set->exit_tsc.n != 0 ? SAMPLE_EXIT : SAMPLE_FIRST_READ];
        put_shape(&row, &set->shape, out);
    }
}

/* How far APERF and MPERF went in so many ticks of the TSC: what the figure follows from. */
static void put_counts(struct row *row, const struct freq_counts *counts, struct textbuf *out)
{
    if (counts->window_tsc == 0) {
        return;
    }
    row->quantity = "aperf";
    put(row, 0, counts->window_tsc, counts->aperf, out);
    row->quantity = "mperf";
    put(row, 0, counts->window_tsc, counts->mperf, out);
}

static const char *name_request(const struct freq_sample *sample, char *text)
{
    struct textbuf name;

    textbuf_init(&name, text, NAME_BYTES, NULL, NULL);
    if (sample->pss_index != FREQ_NO_ROW) {
        textbuf_printf(&name, "P%u", sample->pss_index);
    } else if (sample->kind == FREQ_NO_REQUEST) {
        textbuf_printf(&name, "none");
    } else {
        textbuf_printf(&name, "%s_%lu", freq_request_kind_name(sample->kind),
                       freq_level_of(sample->kind, sample->control));
    }
    return text;
}

/* Of the changes the distribution is kept, not each: its points, with the number of changes that they are of. */
static void put_settling(const struct platform *platform, uint32_t index, struct textbuf *out)
{
    static const char *const names[] = {"settle_min", "settle_p50", "settle_p90", "settle_max"};
    const struct freq_settling *one = &platform->freq_settlings[index];
    const uint64_t points[] = {one->settle_tsc.min, one->settle_tsc.p50, one->settle_tsc.p90,
                               one->settle_tsc.max};
    char state[NAME_BYTES];
    struct row row = {"settling", index, one->cpu, state, NULL};
    struct textbuf name;

    textbuf_init(&name, state, NAME_BYTES, NULL, NULL);
    textbuf_printf(&name, "%u_to_%u", one->from_index, one->to_index);
    for (unsigned i = 0; one->settle_tsc.n != 0 && i < 4; i++) {
        row.quantity = names[i];
        put(&row, points[i], points[i], one->settle_tsc.n, out);
    }
}

static void put_frequencies(const struct platform *platform, struct textbuf *out)
{
    static const char *const kinds[FREQ_BOOST_KINDS] = {[FREQ_BOOST_CORES] = "cores",
                                                        [FREQ_BOOST_THREADS] = "threads",
                                                        [FREQ_BOOST_ALONE] = "alone",
                                                        [FREQ_BOOST_OFF] = "boost_off",
                                                        [FREQ_BOOST_ON] = "boost_on"};
    char state[NAME_BYTES];

    for (uint32_t i = 0; i < platform->freq_count; i++) {
        const struct freq_sample *sample = &platform->freq[i];
        struct row row = {"frequency", i, sample->cpu, name_request(sample, state), NULL};

        put_counts(&row, &sample->counts, out);
    }
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];
        struct row row = {"boost_by_active_cores", i, boost->cpu, kinds[boost->kind], NULL};

        put_counts(&row, &boost->counts, out);
    }
    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        put_settling(platform, i, out);
    }
}

void report_csv(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    textbuf_string(out, "list,index,cpu,state,quantity,from_tsc,to_tsc,count\n");
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        put_set(platform, i, out);
    }
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        const struct row row = {"contention", i, platform->port_costs[i].cpus, "", "read"};

        put_bins(platform, &row, &platform->port_costs[i].bins, out);
    }
    put_frequencies(platform, out);
}
