#include "host/run_record.h"

#include "host/json_text.h"
#include "model/record.h"

#include <stdio.h>
#include <string.h>

/* A folder with more than that is no record of ours. */
#define ITEMS_MAX 65536
#define CPUS_MAX 65536
#define TABLE_BYTES_MAX ((uint64_t)16 * 1024 * 1024)
#define HEADER_BYTES 36 /* ACPI 6.5, 5.2.6 */

static const char *text_of(const json_t *object, const char *key, struct arena *arena)
{
    const char *text = json_text_string(object, key);

    return text == NULL ? NULL : arena_text(arena, text, strlen(text));
}

static void take_distribution(const json_t *object, struct distribution *ret_distribution)
{
    *ret_distribution = (struct distribution){.n = json_text_number(object, "n", 0),
                                              .min = json_text_number(object, "min", 0),
                                              .p50 = json_text_number(object, "p50", 0),
                                              .p90 = json_text_number(object, "p90", 0),
                                              .p99 = json_text_number(object, "p99", 0),
                                              .max = json_text_number(object, "max", 0),
                                              .mean = json_text_number(object, "mean", 0),
                                              .stddev = json_text_number(object, "stddev", 0)};
}

/* An array of counts, each cut to `width` bytes; what is missing stays 0. */
static void take_counts(const json_t *array, size_t count, size_t width, uint8_t *at)
{
    for (size_t i = 0; i < count && i < json_array_size(array); i++) {
        json_int_t value = json_integer_value(json_array_get(array, i));

        memcpy(at + i * width, &value, width);
    }
}

static void take_field(const json_t *object, const struct record_field *field, struct arena *arena,
                       void *item)
{
    const json_t *value = json_object_get(object, field->name);
    uint8_t *at = (uint8_t *)item + field->offset;
    struct distribution distribution;
    const char *text;

    switch (field->type) {
    case RECORD_TEXT:
        text = text_of(object, field->name, arena);
        memcpy(at, &text, sizeof(text));
        break;
    case RECORD_DISTRIBUTION:
        take_distribution(value, &distribution);
        memcpy(at, &distribution, sizeof(distribution));
        break;
    case RECORD_BINS:
        take_counts(value, HISTOGRAM_SHAPE_BINS, sizeof(uint32_t), at);
        break;
    case RECORD_STEPS:
        take_counts(value, TSC_GAPS_BINS, sizeof(uint64_t), at);
        break;
    case RECORD_BOOL:
        record_set(field, item, json_is_true(value) ? 1 : 0);
        break;
    case RECORD_U8:
    case RECORD_U16:
    case RECORD_U32:
    case RECORD_U64:
        record_set(field, item, json_text_number(object, field->name, 0));
        break;
    }
}

static void take_fields(const json_t *object, struct record_list list, struct arena *arena,
                        void *item)
{
    for (uint32_t i = 0; i < list.count; i++) {
        take_field(object, &list.fields[i], arena, item);
    }
}

/* The array's items, or NULL with *ret_count 0. */
static void *take_array(const json_t *root, const char *key, struct record_list list,
                        struct arena *arena, size_t item_bytes, uint32_t *ret_count)
{
    const json_t *array = json_object_get(root, key);
    size_t count = json_array_size(array);
    uint8_t *items;

    *ret_count = 0;
    items = count == 0 || count > ITEMS_MAX ? NULL : arena_array(arena, count, item_bytes);
    for (size_t i = 0; items != NULL && i < count; i++) {
        take_fields(json_array_get(array, i), list, arena, items + i * item_bytes);
        (*ret_count)++;
    }
    return items;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* Enumerations that index arrays of names: a number beyond the last becomes it. */
static void tame_idle(struct idle_sample_set *idle, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        idle[i].entry = (enum idle_entry)at_most((uint64_t)idle[i].entry, IDLE_IO);
        idle[i].dummy_read = (enum dummy_read)at_most((uint64_t)idle[i].dummy_read, DUMMY_PM_TIMER);
        idle[i].stopped_in =
            (enum stopped_in)at_most((uint64_t)idle[i].stopped_in, STOPPED_DUMMY_READ);
        idle[i].state = idle[i].state == NULL ? "" : idle[i].state;
        idle[i].port_from = idle[i].port_from == NULL ? "" : idle[i].port_from;
    }
}

static void tame_not_timed(struct idle_not_timed *all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct idle_way *way = &all[i].way;

        way->entry = (enum idle_entry)at_most((uint64_t)way->entry, IDLE_IO);
        way->dummy_read = (enum dummy_read)at_most((uint64_t)way->dummy_read, DUMMY_PM_TIMER);
        way->state = way->state == NULL ? "" : way->state;
        way->from = way->from == NULL ? "" : way->from;
        way->not_timed = way->not_timed == NULL ? "" : way->not_timed;
    }
}

static void take_requests(const json_t *root, struct arena *arena, struct platform *platform)
{
    struct request_left *left = take_array(root, "requests_left", record_request_left(), arena,
                                           sizeof(*left), &platform->requests_left_count);

    for (uint32_t i = 0; i < platform->requests_left_count; i++) {
        left[i].end = (enum request_end)at_most((uint64_t)left[i].end, REQUEST_END_NO_ANSWER);
        left[i].where = (enum request_where)at_most((uint64_t)left[i].where, REQUEST_IN_MEMORY);
    }
    platform->requests_left = left;
    platform->pcc =
        take_array(root, "pcc", record_pcc(), arena, sizeof(*platform->pcc), &platform->pcc_count);
}

static void take_work(const json_t *root, struct arena *arena, struct platform *platform)
{
    struct work_sample *work =
        take_array(root, "work", record_work(), arena, sizeof(*work), &platform->work_count);

    for (uint32_t i = 0; i < platform->work_count; i++) {
        work[i].kernel = (enum work_kernel)at_most((uint64_t)work[i].kernel, WORK_MEMORY);
        work[i].package_avail =
            (enum avail)at_most((uint64_t)work[i].package_avail, AVAIL_MALFORMED);
        work[i].dram_avail = (enum avail)at_most((uint64_t)work[i].dram_avail, AVAIL_MALFORMED);
    }
    platform->work = work;
}

static enum freq_request_kind tame_kind(enum freq_request_kind kind)
{
    return (enum freq_request_kind)at_most((uint64_t)kind, FREQ_REQUEST_KINDS - 1);
}

/* What indexes arrays becomes a number that does; sums that make no sense become none. */
static void tame_counts(struct freq_counts *counts)
{
    if (counts->fast_ppm < counts->slow_ppm) {
        counts->fast_ppm = counts->slow_ppm;
    }
}

static void take_boosts(const json_t *root, struct arena *arena, struct platform *platform)
{
    struct freq_boost *boosts = take_array(root, "freq_boosts", record_freq_boost(), arena,
                                           sizeof(*boosts), &platform->freq_boosts_count);

    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        boosts[i].kind =
            (enum freq_boost_kind)at_most((uint64_t)boosts[i].kind, FREQ_BOOST_KINDS - 1);
        tame_counts(&boosts[i].counts);
    }
    platform->freq_boosts = boosts;
}

static void take_frequencies(const json_t *root, struct arena *arena, struct platform *platform)
{
    struct freq_settling *settlings;
    struct freq_refusal *refusals;

    platform->freq = take_array(root, "freq", record_freq(), arena, sizeof(*platform->freq),
                                &platform->freq_count);
    for (uint32_t i = 0; i < platform->freq_count; i++) {
        platform->freq[i].kind = tame_kind(platform->freq[i].kind);
        tame_counts(&platform->freq[i].counts);
    }
    take_boosts(root, arena, platform);
    settlings = take_array(root, "freq_settlings", record_freq_settling(), arena,
                           sizeof(*settlings), &platform->freq_settlings_count);
    for (uint32_t i = 0; i < platform->freq_settlings_count; i++) {
        settlings[i].kind = tame_kind(settlings[i].kind);
    }
    platform->freq_settlings = settlings;
    refusals = take_array(root, "freq_refusals", record_freq_refusal(), arena, sizeof(*refusals),
                          &platform->freq_refusals_count);
    for (uint32_t i = 0; i < platform->freq_refusals_count; i++) {
        refusals[i].kind = tame_kind(refusals[i].kind);
        refusals[i].why = refusals[i].why == NULL ? "" : refusals[i].why;
    }
    platform->freq_refusals = refusals;
}

static void take_timed(const json_t *root, struct arena *arena, struct platform *platform)
{
    struct clock *clocks;
    struct idle_sample_set *idle;
    struct idle_not_timed *not_timed;
    struct port_cost *costs;

    clocks =
        take_array(root, "clocks", record_clock(), arena, sizeof(*clocks), &platform->clocks_count);
    platform->clocks_count = (uint32_t)at_most(platform->clocks_count, PLATFORM_CLOCKS);
    for (uint32_t i = 0; i < platform->clocks_count; i++) {
        platform->clocks[i] = clocks[i];
        platform->clocks[i].name = clocks[i].name == NULL ? "" : clocks[i].name;
        platform->clocks[i].from = clocks[i].from == NULL ? "" : clocks[i].from;
        platform->clocks[i].status = clocks[i].status == NULL ? "" : clocks[i].status;
    }
    idle = take_array(root, "idle", record_idle(), arena, sizeof(*idle), &platform->idle_count);
    tame_idle(idle, platform->idle_count);
    platform->idle = idle;
    not_timed = take_array(root, "idle_not_timed", record_not_timed(), arena, sizeof(*not_timed),
                           &platform->idle_not_timed_count);
    tame_not_timed(not_timed, platform->idle_not_timed_count);
    platform->idle_not_timed = not_timed;
    costs = take_array(root, "port_costs", record_port_cost(), arena, sizeof(*costs),
                       &platform->port_costs_count);
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        costs[i].port_name = costs[i].port_name == NULL ? "" : costs[i].port_name;
    }
    platform->port_costs = costs;
    take_requests(root, arena, platform);
    take_work(root, arena, platform);
    take_fields(json_object_get(root, "tsc_gaps"), record_gaps(), arena, &platform->tsc_gaps);
    take_frequencies(root, arena, platform);
}

static void take_interrupted(const json_t *root, struct arena *arena, struct platform *platform)
{
    struct interrupted *all = take_array(root, "interrupted", record_interrupted(), arena,
                                         sizeof(*all), &platform->interrupted_count);

    for (uint32_t i = 0; i < platform->interrupted_count; i++) {
        all[i].step = all[i].step == NULL ? "" : all[i].step;
    }
    platform->interrupted = all;
}

static void copy_text(const json_t *object, const char *key, char *ret_text, size_t bytes)
{
    const char *text = json_text_string(object, key);

    (void)snprintf(ret_text, bytes, "%s", text == NULL ? "" : text);
}

/* A file name leads nowhere but into the folder. */
static bool is_inside(const char *file)
{
    return file == NULL || (file[0] != '/' && strstr(file, "..") == NULL);
}

static void take_table(const json_t *object, struct arena *arena, struct run_table *ret_table)
{
    struct acpi_table *about = &ret_table->about;

    ret_table->file = text_of(object, "file", arena);
    if (!is_inside(ret_table->file)) {
        ret_table->file = NULL;
    }
    about->origin = text_of(object, "origin", arena);
    about->origin = about->origin == NULL ? "" : about->origin;
    copy_text(object, "signature", about->signature, sizeof(about->signature));
    copy_text(object, "oem_id", about->oem_id, sizeof(about->oem_id));
    copy_text(object, "oem_table_id", about->oem_table_id, sizeof(about->oem_table_id));
    about->length = (uint32_t)at_most(json_text_number(object, "length", 0), UINT32_MAX);
    about->read_bytes =
        (uint32_t)at_most(json_text_number(object, "read_bytes", 0), TABLE_BYTES_MAX);
    about->revision = (uint8_t)json_text_number(object, "revision", 0);
    about->has_header = json_is_true(json_object_get(object, "has_header"));
    about->checksum_ok = json_is_true(json_object_get(object, "checksum_ok"));
}

static bool take_tables(const json_t *root, struct arena *arena, struct run_record *record)
{
    const json_t *array = json_object_get(root, "tables");
    size_t count = json_array_size(array);

    count = (size_t)at_most(count, RUN_RECORD_TABLES_MAX);
    record->tables = arena_array(arena, count, sizeof(*record->tables));
    if (record->tables == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        take_table(json_array_get(array, i), arena, &record->tables[i]);
    }
    record->tables_count = (uint32_t)count;
    return true;
}

static void set_answers(struct cpu *cpus, uint64_t first, uint64_t count, uint64_t answer)
{
    for (uint64_t i = 0; i < count && first < CPUS_MAX && i < CPUS_MAX - first; i++) {
        cpus[first + i].answer = (enum cpu_answer)at_most(answer, CPU_NOT_PRESENT);
    }
}

static bool take_answers(const json_t *root, struct arena *arena, struct platform *platform)
{
    const json_t *array = json_object_get(root, "answers");
    size_t entries = json_array_size(array);
    const json_t *last = entries == 0 ? NULL : json_array_get(array, entries - 1);
    uint64_t count = at_most(json_text_number(last, "first_cpu", 0), CPUS_MAX) +
                     at_most(json_text_number(last, "count", 0), CPUS_MAX);

    count = at_most(count, CPUS_MAX);
    platform->cpus = arena_array(arena, CPUS_MAX, sizeof(*platform->cpus));
    if (platform->cpus == NULL) {
        return false;
    }
    for (size_t i = 0; i < entries && i < CPUS_MAX; i++) {
        const json_t *entry = json_array_get(array, i);

        set_answers(platform->cpus, json_text_number(entry, "first_cpu", 0),
                    json_text_number(entry, "count", 0), json_text_number(entry, "answer", 0));
    }
    platform->cpus_count = (uint32_t)count;
    return true;
}

static void take_program(const json_t *root, struct arena *arena, struct run_record *record)
{
    const json_t *program = json_object_get(root, "assay");
    const json_t *words = json_object_get(root, "options");
    const char *version = text_of(program, "version", arena);
    const char *build = text_of(program, "build", arena);
    const char *acpica = text_of(program, "acpica", arena);

    record->build = (struct build_info){.version = version == NULL ? "unknown" : version,
                                        .build = build == NULL ? "unknown" : build,
                                        .acpica = acpica == NULL ? "unknown" : acpica};
    for (size_t i = 0; i < json_array_size(words) && i < RUN_RECORD_WORDS_MAX; i++) {
        const char *word = json_string_value(json_array_get(words, i));

        if (word != NULL) {
            record->words[record->words_count++] = arena_text(arena, word, strlen(word));
        }
    }
}

static void take_expectation(const json_t *root, struct arena *arena, struct platform *platform)
{
    platform->expectation = text_of(root, "expectation", arena);
    if (platform->expectation != NULL) {
        platform->expectation_bytes = strlen(platform->expectation);
        platform->expectation_yyyymmdd =
            (uint32_t)json_text_number(root, "expectation_yyyymmdd", 0);
    }
}

static enum status take(const json_t *root, struct arena *arena, struct run_record *record,
                        char *message, size_t message_bytes)
{
    uint64_t schema = json_text_number(root, "run", 0);

    if (schema != 1) {
        (void)snprintf(message, message_bytes,
                       schema == 0 ? "is no record of a run (it has no \"run\")"
                                   : "is a record of a newer Assay; only schema 1 is known here");
        return STATUS_BAD_INPUT;
    }
    record->is_trace_whole = json_is_true(json_object_get(root, "trace_whole"));
    take_program(root, arena, record);
    take_fields(json_object_get(root, "platform"), record_platform(), arena, &record->platform);
    take_timed(root, arena, &record->platform);
    take_interrupted(root, arena, &record->platform);
    take_expectation(root, arena, &record->platform);
    if (!take_tables(root, arena, record) || !take_answers(root, arena, &record->platform)) {
        (void)snprintf(message, message_bytes, "does not fit into memory");
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

enum status run_record_samples(const char *text, size_t length, struct arena *arena,
                               struct platform *ret_platform, char *message, size_t message_bytes)
{
    json_t *root = json_text_read(text, length, message, message_bytes);

    memset(ret_platform, 0, sizeof(*ret_platform));
    if (root == NULL) {
        return STATUS_BAD_INPUT;
    }
    ret_platform->tsc_hz = json_text_number(root, "tsc_hz", 0);
    take_frequencies(root, arena, ret_platform);
    json_decref(root);
    return STATUS_OK;
}

enum status run_record_parse(const char *text, size_t length, struct arena *arena,
                             struct run_record *ret_record, char *message, size_t message_bytes)
{
    json_t *root = json_text_read(text, length, message, message_bytes);
    enum status status;

    memset(ret_record, 0, sizeof(*ret_record));
    if (root == NULL) {
        return STATUS_BAD_INPUT;
    }
    status = take(root, arena, ret_record, message, message_bytes);
    json_decref(root);
    return status;
}

static void put_padded(uint8_t *to, const char *text, size_t bytes)
{
    size_t length = strlen(text);

    memset(to, ' ', bytes);
    memcpy(to, text, length < bytes ? length : bytes);
}

const uint8_t *run_record_stand_in(const struct acpi_table *about, struct arena *arena)
{
    size_t bytes = about->read_bytes < HEADER_BYTES ? HEADER_BYTES : about->read_bytes;
    uint8_t *table = arena_take(arena, bytes);
    uint8_t sum = 0;

    if (table == NULL) {
        return NULL;
    }
    put_padded(table, about->signature, 4);
    memcpy(table + 4, &about->length, sizeof(about->length));
    table[8] = about->revision;
    put_padded(table + 10, about->oem_id, 6);
    put_padded(table + 16, about->oem_table_id, 8);
    for (size_t i = 0; i < bytes; i++) {
        sum = (uint8_t)(sum + table[i]);
    }
    table[9] = (uint8_t)(0x100U - sum + (about->checksum_ok ? 0U : 1U));
    return table;
}
