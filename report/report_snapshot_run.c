#include "model/options_write.h"
#include "model/record.h"
#include "report/json_out.h"
#include "report/report.h"

#include <string.h>

/* Counts up when a key of run.json changes its meaning. */
#define RUN_SCHEMA 1

static void distribution(struct json_out *json, const char *key, const struct distribution *dist)
{
    const uint64_t values[] = {dist->n,   dist->min, dist->p50,  dist->p90,
                               dist->p99, dist->max, dist->mean, dist->stddev};
    static const char *const names[] = {"n", "min", "p50", "p90", "p99", "max", "mean", "stddev"};

    json_out_flat_object(json, key);
    for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        json_out_u64(json, names[i], values[i]);
    }
    json_out_end(json);
}

static void bins(struct json_out *json, const char *key, const uint32_t *count)
{
    json_out_flat_array(json, key);
    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS; i++) {
        json_out_u64(json, NULL, count[i]);
    }
    json_out_end(json);
}

static void steps(struct json_out *json, const char *key, const uint64_t *count)
{
    json_out_flat_array(json, key);
    for (unsigned i = 0; i < TSC_GAPS_BINS; i++) {
        json_out_u64(json, NULL, count[i]);
    }
    json_out_end(json);
}

static void one_field(struct json_out *json, const struct record_field *field, const void *item)
{
    const void *at = (const uint8_t *)item + field->offset;
    const char *text = NULL;

    switch (field->type) {
    case RECORD_TEXT:
        memcpy(&text, at, sizeof(text));
        json_out_string(json, field->name, text);
        break;
    case RECORD_DISTRIBUTION:
        distribution(json, field->name, at);
        break;
    case RECORD_BINS:
        bins(json, field->name, at);
        break;
    case RECORD_STEPS:
        steps(json, field->name, at);
        break;
    case RECORD_BOOL:
        json_out_bool(json, field->name, record_get(field, item) != 0);
        break;
    case RECORD_U8:
    case RECORD_U16:
    case RECORD_U32:
    case RECORD_U64:
        json_out_u64(json, field->name, record_get(field, item));
        break;
    }
}

static void fields(struct json_out *json, struct record_list list, const void *item)
{
    for (uint32_t i = 0; i < list.count; i++) {
        one_field(json, &list.fields[i], item);
    }
}

static void array(struct json_out *json, const char *key, struct record_list list,
                  const void *items, uint32_t count, size_t item_bytes)
{
    json_out_array(json, key);
    for (uint32_t i = 0; i < count; i++) {
        json_out_flat_object(json, NULL);
        fields(json, list, (const uint8_t *)items + i * item_bytes);
        json_out_end(json);
    }
    json_out_end(json);
}

static void add_word(void *context, const char *word)
{
    json_out_string(context, NULL, word);
}

static void program(const struct report *report, struct json_out *json)
{
    json_out_flat_object(json, "assay");
    json_out_string(json, "version", report->build->version);
    json_out_string(json, "acpica", report->build->acpica);
    json_out_string(json, "build", report->build->build);
    json_out_end(json);
    json_out_flat_array(json, "options");
    options_write(report->platform->options, add_word, json);
    json_out_end(json);
}

static void file_of(const struct platform *platform, uint32_t index, struct json_out *json)
{
    char name[SNAPSHOT_TABLE_NAME_BYTES];
    struct textbuf text;

    textbuf_init(&text, name, sizeof(name), NULL, NULL);
    if (report_snapshot_table_name(platform, index, '/', &text)) {
        json_out_string(json, "file", name);
    }
}

/* In the order in which they were found. One without a file is left out of the snapshot; what the report says
 * of it is here. */
static void tables(const struct platform *platform, struct json_out *json)
{
    json_out_array(json, "tables");
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];

        json_out_flat_object(json, NULL);
        file_of(platform, i, json);
        json_out_string(json, "origin", table->origin);
        json_out_string(json, "signature", table->signature);
        json_out_u64(json, "length", table->length);
        json_out_u64(json, "read_bytes", table->read_bytes);
        json_out_u64(json, "revision", table->revision);
        json_out_string(json, "oem_id", table->oem_id);
        json_out_string(json, "oem_table_id", table->oem_table_id);
        json_out_bool(json, "has_header", table->has_header);
        json_out_bool(json, "checksum_ok", table->checksum_ok);
        json_out_end(json);
    }
    json_out_end(json);
}

/* Folded: one entry for each run of CPUs that answered alike. */
static void answers(const struct platform *platform, struct json_out *json)
{
    json_out_array(json, "answers");
    for (uint32_t first = 0; first < platform->cpus_count;) {
        enum cpu_answer answer = platform->cpus[first].answer;
        uint32_t end = first + 1;

        while (end < platform->cpus_count && platform->cpus[end].answer == answer) {
            end++;
        }
        json_out_flat_object(json, NULL);
        json_out_u64(json, "first_cpu", first);
        json_out_u64(json, "count", end - first);
        json_out_u64(json, "answer", (uint64_t)answer);
        json_out_end(json);
        first = end;
    }
    json_out_end(json);
}

static void frequencies(struct json_out *json, const struct platform *platform)
{
    array(json, "freq", record_freq(), platform->freq, platform->freq_count,
          sizeof(*platform->freq));
    array(json, "freq_boosts", record_freq_boost(), platform->freq_boosts,
          platform->freq_boosts_count, sizeof(*platform->freq_boosts));
    array(json, "freq_settlings", record_freq_settling(), platform->freq_settlings,
          platform->freq_settlings_count, sizeof(*platform->freq_settlings));
    array(json, "freq_refusals", record_freq_refusal(), platform->freq_refusals,
          platform->freq_refusals_count, sizeof(*platform->freq_refusals));
}

void report_snapshot_measured(const struct platform *platform, struct textbuf *out)
{
    struct json_out json;

    json_out_init(&json, out);
    json_out_object(&json, NULL);
    json_out_u64(&json, "tsc_hz", platform->tsc_hz);
    array(&json, "pcc", record_pcc(), platform->pcc, platform->pcc_count, sizeof(*platform->pcc));
    frequencies(&json, platform);
    json_out_end(&json);
    (void)json_out_finish(&json);
}

void report_snapshot_run(const struct report *report, bool is_trace_whole, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct json_out json;

    json_out_init(&json, out);
    json_out_object(&json, NULL);
    json_out_u64(&json, "run", RUN_SCHEMA);
    program(report, &json);
    json_out_bool(&json, "trace_whole", is_trace_whole);
    if (platform->expectation != NULL) {
        json_out_bytes(&json, "expectation", platform->expectation, platform->expectation_bytes);
        json_out_u64(&json, "expectation_yyyymmdd", platform->expectation_yyyymmdd);
    }
    json_out_object(&json, "platform");
    fields(&json, record_platform(), platform);
    json_out_end(&json);
    tables(platform, &json);
    answers(platform, &json);
    array(&json, "clocks", record_clock(), platform->clocks, platform->clocks_count,
          sizeof(platform->clocks[0]));
    array(&json, "idle", record_idle(), platform->idle, platform->idle_count,
          sizeof(*platform->idle));
    array(&json, "idle_not_timed", record_not_timed(), platform->idle_not_timed,
          platform->idle_not_timed_count, sizeof(*platform->idle_not_timed));
    array(&json, "port_costs", record_port_cost(), platform->port_costs, platform->port_costs_count,
          sizeof(*platform->port_costs));
    array(&json, "interrupted", record_interrupted(), platform->interrupted,
          platform->interrupted_count, sizeof(*platform->interrupted));
    array(&json, "work", record_work(), platform->work, platform->work_count,
          sizeof(*platform->work));
    array(&json, "requests_left", record_request_left(), platform->requests_left,
          platform->requests_left_count, sizeof(*platform->requests_left));
    array(&json, "pcc", record_pcc(), platform->pcc, platform->pcc_count, sizeof(*platform->pcc));
    frequencies(&json, platform);
    json_out_flat_object(&json, "tsc_gaps");
    fields(&json, record_gaps(), &platform->tsc_gaps);
    json_out_end(&json);
    json_out_end(&json);
    (void)json_out_finish(&json);
}
