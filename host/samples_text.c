#include "host/samples_text.h"

#include "report/report.h"

#include <string.h>

/* More than the largest machine keeps: drivers/idle_measure.c. */
#define BINS_MAX ((size_t)32 * 1024 * 1024)
#define FIELDS 8

enum field { LIST = 0, INDEX, CPU, STATE, QUANTITY, FROM, TO, COUNT };

/* Cuts the line at its commas. */
static bool split(char *line, const char *fields[FIELDS])
{
    unsigned count = 0;

    fields[count++] = line;
    for (char *at = line; *at != '\0'; at++) {
        if (*at != ',') {
            continue;
        }
        if (count == FIELDS) {
            return false;
        }
        *at = '\0';
        fields[count++] = at + 1;
    }
    return count == FIELDS;
}

static bool number(const char *text, uint64_t most, uint64_t *ret_value)
{
    return scan_decimal(&text, ret_value) && *text == '\0' && *ret_value <= most;
}

/* Where the line's histogram is kept, or NULL. */
static struct sample_bins *bins_of(const char *const *fields, struct platform *recorded)
{
    uint64_t index;

    if (!number(fields[INDEX], UINT32_MAX, &index)) {
        return NULL;
    }
    if (strcmp(fields[LIST], "contention") == 0 && index < recorded->port_costs_count) {
        return (struct sample_bins *)(uintptr_t)&recorded->port_costs[index].bins;
    }
    if (strcmp(fields[LIST], "idle") != 0 || index >= recorded->idle_count) {
        return NULL;
    }
    for (unsigned i = 0; i < SAMPLE_QUANTITIES; i++) {
        if (strcmp(fields[QUANTITY], report_csv_quantity((enum sample_quantity)i)) == 0) {
            return (struct sample_bins *)(uintptr_t)&recorded->idle[index].bins[i];
        }
    }
    return NULL;
}

/* Lines whose figures are in run.json too. */
static bool is_elsewhere(const char *list)
{
    return strcmp(list, "frequency") == 0 || strcmp(list, "boost_by_active_cores") == 0 ||
           strcmp(list, "settling") == 0;
}

/* A bucket by its bounds: those of model/histogram.h and no others. */
static bool bin_of(const char *const *fields, struct sample_bin *ret_bin)
{
    uint64_t from;
    uint64_t to;
    uint64_t count;
    uint32_t bucket;

    if (!number(fields[FROM], UINT64_MAX, &from) || !number(fields[TO], UINT64_MAX, &to) ||
        !number(fields[COUNT], UINT32_MAX, &count)) {
        return false;
    }
    bucket = histogram_bucket_of(from);
    *ret_bin = (struct sample_bin){bucket, (uint32_t)count};
    return histogram_bucket_low(bucket) == from && histogram_bucket_high(bucket) == to;
}

/* A histogram's lines stand together. */
static bool take(struct sample_store *store, struct sample_bins *bins, struct sample_bin bin)
{
    if (bins->count == 0) {
        bins->first = store->used;
    }
    if (store->used == store->capacity || bins->first + bins->count != store->used) {
        return false;
    }
    store->bins[store->used++] = bin;
    bins->count++;
    return true;
}

static size_t count_lines(const char *bytes, size_t length)
{
    size_t count = 1;

    for (size_t i = 0; i < length; i++) {
        count += bytes[i] == '\n' ? 1 : 0;
    }
    return count < BINS_MAX ? count : BINS_MAX;
}

enum status samples_text_parse(const char *bytes, size_t length, struct arena *arena,
                               struct platform *recorded, struct rubbish *ret_rubbish)
{
    struct sample_store *store = &recorded->samples;
    struct lines lines;

    memset(ret_rubbish, 0, sizeof(*ret_rubbish));
    store->capacity = (uint32_t)count_lines(bytes, length);
    store->used = 0;
    store->bins = arena_array(arena, store->capacity, sizeof(*store->bins));
    if (store->bins == NULL) {
        store->capacity = 0;
        return STATUS_NO_MEMORY;
    }
    lines_init(&lines, bytes, length);
    (void)lines_next(&lines); /* the names of the columns */
    while (lines_next(&lines)) {
        const char *fields[FIELDS];
        struct sample_bins *bins = NULL;
        struct sample_bin bin;
        char copy[LINES_TEXT_BYTES];

        memcpy(copy, lines.text, sizeof(copy));
        if (lines_is_blank(&lines)) {
            continue;
        }
        if (split(copy, fields)) {
            if (is_elsewhere(fields[LIST])) {
                continue;
            }
            bins = bins_of(fields, recorded);
        }
        if (bins == NULL || !bin_of(fields, &bin) || !take(store, bins, bin)) {
            rubbish_add(ret_rubbish, &lines);
        }
    }
    return STATUS_OK;
}
