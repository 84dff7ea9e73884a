#include "report/asl_text.h"
#include "report/ranges.h"
#include "report/repair_what.h"
#include "report/report_html_parts.h"

/* Every different object as the firmware gave it, in the form of ASL; the tables' bytes. */

#define SETS_MAX 12U /* of one kind that are shown in full; the others are in report.json */
#define REPAIRS_MAX 32U
#define DUMP_BYTES_MAX 4096U
#define DUMP_COLUMNS 16U

static void one_set(const struct platform *platform, const struct object_set *set,
                    struct textbuf *out)
{
    struct html_escape escape;

    textbuf_printf(out, "<details><summary><b>%s</b> %s#%u%s: CPU ", object_kind_name(set->kind),
                   object_kind_field(set->kind), set->index,
                   set->is_repaired ? " as the interpreter repairs it" : "");
    if (set->is_repaired) {
        textbuf_string(out, "as above");
    } else {
        ranges_of_object(out, platform, set);
    }
    textbuf_string(out, "</summary>\n<pre tabindex=\"0\">");
    html_escape_start(&escape, out);
    textbuf_printf(&escape.text, "Name (%s, ", object_kind_name(set->kind));
    asl_text(&escape.text, set->raw);
    textbuf_string(&escape.text, ")");
    html_escape_end(&escape);
    textbuf_string(out, "</pre></details>\n");
}

static void sets_of_kind(const struct platform *platform, enum object_kind kind,
                         struct textbuf *out)
{
    uint32_t shown = 0;
    uint32_t more = 0;

    for (uint32_t i = 0; i < platform->sets_count; i++) {
        if (platform->sets[i]->kind != kind) {
            continue;
        }
        if (shown == SETS_MAX) {
            more++;
        } else {
            one_set(platform, platform->sets[i], out);
            shown++;
        }
    }
    if (more > 0) {
        html_note(out, "%u more different %s are in report.json.", more, object_kind_name(kind));
    }
}

static void repairs(const struct platform *platform, struct textbuf *out)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < platform->processors_count && shown < REPAIRS_MAX; i++) {
        for (unsigned kind = 0; kind < OBJECT_KINDS && shown < REPAIRS_MAX; kind++) {
            const struct object_result *result = &platform->processors[i].objects[kind];
            char what[REPAIR_WHAT_BYTES];
            struct textbuf text;

            if (!repair_is_told(result->repair)) {
                continue;
            }
            textbuf_init(&text, what, sizeof(what), NULL, NULL);
            repair_what(result, (enum object_kind)kind, &text);
            if (shown++ == 0) {
                html_heading(out, "What the interpreter repairs before Linux sees it");
                textbuf_string(out, "<ul>\n");
            }
            textbuf_string(out, "<li><code>");
            html_printf(out, "%s.%s", platform->processors[i].path,
                        object_kind_name((enum object_kind)kind));
            textbuf_string(out, "</code>: ");
            html_text(out, what);
            textbuf_string(out, "</li>\n");
        }
    }
    textbuf_string(out, shown > 0 ? "</ul>\n" : "");
}

void report_html_objects(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    if (platform->sets_count == 0) {
        html_absent(out, "No processor object was evaluated.");
        return;
    }
    html_paragraph(out, "Each different object once, with the CPUs that have it.");
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        sets_of_kind(platform, (enum object_kind)kind, out);
    }
    repairs(platform, out);
}

static void dump(const struct acpi_table *table, struct textbuf *out)
{
    for (uint32_t at = 0; at < table->read_bytes; at += DUMP_COLUMNS) {
        struct html_escape escape;

        html_escape_start(&escape, out);
        textbuf_printf(&escape.text, "%04X ", at);
        for (uint32_t i = 0; i < DUMP_COLUMNS; i++) {
            if (at + i < table->read_bytes) {
                textbuf_printf(&escape.text, " %02X", (unsigned)table->bytes[at + i]);
            } else {
                textbuf_string(&escape.text, "   ");
            }
        }
        textbuf_string(&escape.text, "  ");
        for (uint32_t i = 0; i < DUMP_COLUMNS && at + i < table->read_bytes; i++) {
            uint8_t byte = table->bytes[at + i];

            textbuf_byte(&escape.text, byte < ' ' || byte > '~' ? '.' : (char)byte);
        }
        textbuf_byte(&escape.text, '\n');
        html_escape_end(&escape);
    }
}

/* MSDM and SLIC hold licence keys: their bytes stay out of every report. */
static bool is_secret(const struct platform *platform, uint32_t index)
{
    char name[SNAPSHOT_TABLE_NAME_BYTES];
    struct textbuf text;

    textbuf_init(&text, name, sizeof(name), NULL, NULL);
    return !report_snapshot_table_name(platform, index, '/', &text);
}

static void bytes_of(const struct platform *platform, uint32_t index, struct textbuf *out)
{
    const struct acpi_table *table = &platform->tables[index];

    if (table->bytes == NULL || table->read_bytes > DUMP_BYTES_MAX || is_secret(platform, index)) {
        return;
    }
    textbuf_string(out, "<details><summary>");
    html_printf(out, "%s, %u bytes, %s", table->signature, table->read_bytes, table->oem_table_id);
    textbuf_string(out, "</summary>\n<pre tabindex=\"0\">");
    dump(table, out);
    textbuf_string(out, "</pre></details>\n");
}

static void table_row(const struct acpi_table *table, struct textbuf *out)
{
    html_row_open(out);
    html_cell(out, table->signature);
    html_cell_number(out, "%u", table->length);
    if (table->has_header) {
        html_cell_number(out, "%u", table->revision);
        html_cell(out, table->oem_id);
        html_cell(out, table->oem_table_id);
        html_cell(out, table->checksum_ok ? "ok" : "wrong");
    } else {
        textbuf_string(out, "<td></td><td></td><td></td><td>has none</td>");
    }
    html_cell(out, table->origin);
    html_row_close(out);
}

void report_html_tables(const struct report *report, struct textbuf *out)
{
    static const char *const columns[] = {"table",     "#bytes",   "#revision", "OEM",
                                          "OEM table", "checksum", "from"};
    const struct platform *platform = report->platform;

    if (platform->tables_count == 0) {
        html_absent(out, platform->acpi_error != NULL ? platform->acpi_error
                                                      : "There are no ACPI tables.");
        return;
    }
    html_table_open(out, "ACPI tables", columns, 7);
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        table_row(&platform->tables[i], out);
    }
    html_table_close(out);
    html_note(out,
              "Bytes of the tables up to %u bytes; longer ones are files in the machine "
              "folder.",
              DUMP_BYTES_MAX);
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        bytes_of(platform, i, out);
    }
}
