#include "efi/write.h"

#include "model/options.h"

#include <stdbool.h>
#include <string.h>

static void write_json(const void *context, struct textbuf *out)
{
    report_json(context, out);
}

static void write_text(const void *context, struct textbuf *out)
{
    report_text(context, out);
}

static void write_html(const void *context, struct textbuf *out)
{
    report_html(context, out);
}

static void write_junit(const void *context, struct textbuf *out)
{
    report_junit(context, out);
}

static void write_tap(const void *context, struct textbuf *out)
{
    report_tap(context, out);
}

static void write_csv(const void *context, struct textbuf *out)
{
    report_csv(context, out);
}

static void write_cpuid(const void *context, struct textbuf *out)
{
    report_snapshot_cpuid(context, out);
}

static void write_msr(const void *context, struct textbuf *out)
{
    report_snapshot_msr(context, out);
}

static void write_meta(const void *context, struct textbuf *out)
{
    report_snapshot_meta(context, out);
}

static void write_trace(const void *context, struct textbuf *out)
{
    struct trace *const *trace = context;

    trace_write(*trace, out);
}

struct run {
    const struct report *report;
    const struct trace *trace;
};

static void write_run(const void *context, struct textbuf *out)
{
    const struct run *run = context;

    report_snapshot_run(run->report, run->trace != NULL && !run->trace->is_cut, out);
}

static const struct {
    uint32_t format;
    const char *name;
    files_writer writer;
} files[] = {
    {FORMAT_JSON, "report.json", write_json},
    {FORMAT_TEXT, "report.txt", write_text},
    {FORMAT_HTML, "report.html", write_html},
    {FORMAT_JUNIT, "report.xml", write_junit},
    {FORMAT_TAP, "report.tap", write_tap},
    {FORMAT_CSV, "samples.csv", write_csv},
    {FORMAT_SNAPSHOT, "machine\\samples.csv", write_csv},
    {FORMAT_SNAPSHOT, "machine\\cpuid.txt", write_cpuid},
    {FORMAT_SNAPSHOT, "machine\\msr.txt", write_msr},
    {FORMAT_SNAPSHOT, "machine\\meta.md", write_meta},
};

static void write_table(const void *context, struct textbuf *out)
{
    const struct acpi_table *table = context;

    textbuf_bytes(out, (const char *)table->bytes, table->read_bytes);
}

static enum status write_tables(struct results *results, const struct platform *platform)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < platform->tables_count && status == STATUS_OK; i++) {
        char name[SNAPSHOT_TABLE_NAME_BYTES + sizeof("machine\\")];
        struct textbuf text;

        textbuf_init(&text, name, sizeof(name), NULL, NULL);
        textbuf_string(&text, "machine\\");
        if (report_snapshot_table_name(platform, i, '\\', &text)) {
            status = results_write(results, name, write_table, &platform->tables[i]);
        }
    }
    return status;
}

static enum status write_snapshot(struct results *results, const struct report *report,
                                  struct trace *trace)
{
    const struct run run = {.report = report, .trace = trace};
    enum status status = write_tables(results, report->platform);

    /* No trace is no file: an empty one would claim that nothing was accessed. */
    if (status == STATUS_OK && trace != NULL) {
        status = results_write(results, "machine\\trace.txt", write_trace, &trace);
    }
    if (status == STATUS_OK) {
        status = results_write(results, "machine\\run.json", write_run, &run);
    }
    return status;
}

static enum status write_once(struct results *results, const struct report *report,
                              struct trace *trace, uint32_t formats)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && status == STATUS_OK; i++) {
        if ((formats & files[i].format) != 0) {
            status = results_write(results, files[i].name, files[i].writer, report);
        }
    }
    if (status == STATUS_OK && (formats & FORMAT_SNAPSHOT) != 0) {
        status = write_snapshot(results, report, trace);
    }
    return status;
}

enum status write_reports(struct results *results, const struct report *report, struct trace *trace,
                          uint32_t formats)
{
    enum status status;

    /* NOT_FOUND: the place is another one now. There are only so many, and the last, the serial port, stays. */
    do {
        status = write_once(results, report, trace, formats);
    } while (status == STATUS_NOT_FOUND);
    return status;
}
