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

static const struct {
    uint32_t format;
    const char *name;
    files_writer writer;
} files[] = {
    {FORMAT_JSON, "report.json", write_json},
    {FORMAT_TEXT, "report.txt", write_text},
    {FORMAT_SNAPSHOT, "machine\\cpuid.txt", write_cpuid},
    {FORMAT_SNAPSHOT, "machine\\msr.txt", write_msr},
    {FORMAT_SNAPSHOT, "machine\\meta.md", write_meta},
};

static void write_table(const void *context, struct textbuf *out)
{
    const struct acpi_table *table = context;

    textbuf_bytes(out, (const char *)table->bytes, table->read_bytes);
}

/* MSDM and SLIC hold licence keys, a root table holds only addresses of this boot, and a table without a header
 * cannot be read back. */
static bool is_for_snapshot(const struct acpi_table *table)
{
    static const char *const left_out[] = {"MSDM", "SLIC", "RSDT", "XSDT"};

    for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
        if (strcmp(table->signature, left_out[i]) == 0) {
            return false;
        }
    }
    return table->has_header && table->bytes != NULL;
}

/* A signature is four bytes of the firmware's choice: what is not a letter or digit would not be a file
 * name. */
static void clean_signature(const char *signature, char ret_clean[5])
{
    for (size_t i = 0; i < 5; i++) {
        char c = signature[i];
        bool is_fine = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\0';

        ret_clean[i] = is_fine ? c : '_';
    }
}

/* SSDTs load in file-name order, so they are numbered by the order in which they were found. */
static enum status write_tables(struct results *results, const struct platform *platform)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < platform->tables_count && status == STATUS_OK; i++) {
        const struct acpi_table *table = &platform->tables[i];
        bool is_dynamic = strcmp(table->origin, "dynamic") == 0;
        char signature[5];
        char name[64];
        struct textbuf text;

        if (!is_for_snapshot(table)) {
            continue;
        }
        clean_signature(table->signature, signature);
        textbuf_init(&text, name, sizeof(name), NULL, NULL);
        textbuf_printf(&text, "machine\\%s\\%s", is_dynamic ? "dynamic" : "tables", signature);
        if (strcmp(signature, "DSDT") != 0 && strcmp(signature, "FACP") != 0 &&
            strcmp(signature, "APIC") != 0) {
            textbuf_printf(&text, "-%03u", i);
        }
        textbuf_string(&text, ".aml");
        status = results_write(results, name, write_table, table);
    }
    return status;
}

static enum status write_snapshot(struct results *results, const struct platform *platform,
                                  struct trace *trace)
{
    enum status status = write_tables(results, platform);

    /* No trace is no file: an empty one would claim that nothing was accessed. */
    if (status == STATUS_OK && trace != NULL) {
        status = results_write(results, "machine\\trace.txt", write_trace, &trace);
    }
    return status;
}

enum status write_reports(struct results *results, const struct report *report, struct trace *trace,
                          uint32_t formats)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && status == STATUS_OK; i++) {
        if ((formats & files[i].format) != 0) {
            status = results_write(results, files[i].name, files[i].writer, report);
        }
    }
    if (status == STATUS_OK && (formats & FORMAT_SNAPSHOT) != 0) {
        status = write_snapshot(results, report->platform, trace);
    }
    return status;
}
