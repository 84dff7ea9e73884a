#include "report/repair_what.h"
#include "report/report_text_parts.h"

#include <string.h>

#define REPAIRS_SHOWN_MAX 64

static void what_of(const struct processor *processor, unsigned kind, char *ret_what)
{
    struct textbuf text;

    textbuf_init(&text, ret_what, REPAIR_WHAT_BYTES, NULL, NULL);
    repair_what(&processor->objects[kind], (enum object_kind)kind, &text);
}

/* The last of the processors that follow `first` and had the same repair made to the same object. */
static uint32_t last_alike(const struct platform *platform, uint32_t first, unsigned kind)
{
    const struct object_result *result = &platform->processors[first].objects[kind];
    uint32_t last = first;

    while (last + 1 < platform->processors_count) {
        const struct object_result *next = &platform->processors[last + 1].objects[kind];

        if (next->repair != result->repair || next->set != result->set ||
            next->repaired != result->repaired) {
            break;
        }
        last++;
    }
    return last;
}

static void repair_lines(const struct platform *platform, unsigned kind, struct wrap *line)
{
    char what[REPAIR_WHAT_BYTES];
    uint32_t lines = 0;

    for (uint32_t i = 0; i < platform->processors_count && lines < REPAIRS_SHOWN_MAX; i++) {
        const struct processor *processor = &platform->processors[i];
        uint32_t last;

        if (!repair_is_told(processor->objects[kind].repair)) {
            continue;
        }
        lines++;
        last = last_alike(platform, i, kind);
        what_of(processor, kind, what);
        wrap_printf(line, "  %s", processor->path);
        if (last != i) {
            wrap_printf(line, " to %s", platform->processors[last].path);
        }
        wrap_printf(line, " %s: %s", object_kind_name((enum object_kind)kind), what);
        wrap_end(line, 6);
        i = last;
    }
}

static bool has_repairs(const struct platform *platform)
{
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
            if (repair_is_told(platform->processors[i].objects[kind].repair)) {
                return true;
            }
        }
    }
    return false;
}

void report_text_repairs(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (!has_repairs(platform)) {
        return;
    }
    wrap_heading(out, "What the interpreter repairs before Linux sees it");
    wrap_init(&line, out);
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        repair_lines(platform, kind, &line);
    }
}

static void handshake_lines(const struct handshake *handshake, struct textbuf *out)
{
    struct wrap line;

    wrap_init(&line, out);
    wrap_printf(&line, "  Handshake  ");
    if (!handshake->is_done) {
        wrap_printf(&line, "none was made");
        wrap_end(&line, 13);
        return;
    }
    wrap_printf(&line,
                "platform _OSC %s, capabilities 0x%X; _OSC on %u and _PDC on %u processors, "
                "capabilities 0x%X; %u tables loaded by it",
                handshake->platform_error != NULL ? handshake->platform_error
                : handshake->has_platform_osc     ? "answered"
                                                  : "absent",
                handshake->platform_caps, handshake->osc_count, handshake->pdc_count,
                handshake->proc_caps, handshake->dynamic_tables);
    wrap_end(&line, 13);
}

static void accounting_lines(const struct aml_accounting *aml, struct textbuf *out)
{
    struct wrap line;

    wrap_init(&line, out);
    wrap_printf(&line,
                "  Accesses   memory %lu read, %lu written; I/O %lu read, %lu written; PCI %lu "
                "read, %lu written",
                aml->memory_reads, aml->memory_writes, aml->io_reads, aml->io_writes,
                aml->pci_reads, aml->pci_writes);
    wrap_end(&line, 13);
    if (aml->denied > 0) {
        wrap_printf(&line, "  Denied     %lu writes, the first: %s", aml->denied,
                    aml->first_denied == NULL ? "not recorded" : aml->first_denied);
        wrap_end(&line, 13);
    }
    if (aml->absent_memory > 0) {
        wrap_printf(&line, "  Absent     %lu accesses to memory that is not there, the first: %s",
                    aml->absent_memory,
                    aml->first_absent == NULL ? "not recorded" : aml->first_absent);
        wrap_end(&line, 13);
    }
    if (aml->unrecorded > 0) {
        wrap_printf(&line,
                    "  Unrecorded %lu accesses had no recorded answer and read as zero; what "
                    "depends on them is not certain",
                    aml->unrecorded);
        wrap_end(&line, 13);
    }
}

void report_text_aml(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (platform->acpi_error != NULL) {
        return;
    }
    wrap_heading(out, "AML");
    handshake_lines(&platform->handshake, out);
    accounting_lines(&platform->aml, out);
    wrap_init(&line, out);
    for (uint32_t i = 0; i < platform->aml_messages_count && i < TEXT_MESSAGES_MAX; i++) {
        wrap_printf(&line, "  %4ux  %s", platform->aml_messages[i].count,
                    platform->aml_messages[i].text);
        wrap_end(&line, 9);
    }
    if (platform->aml_messages_count > TEXT_MESSAGES_MAX) {
        wrap_printf(&line, "  and %u other messages in report.json",
                    platform->aml_messages_count - TEXT_MESSAGES_MAX);
        wrap_end(&line, 2);
    }
}

void report_text_tables(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (platform->tables_count == 0) {
        return;
    }
    wrap_heading(out, "ACPI tables");
    wrap_init(&line, out);
    for (uint32_t i = 0; i < platform->tables_count; i++) {
        const struct acpi_table *table = &platform->tables[i];

        wrap_printf(&line, "  %-4s %7u bytes", table->signature, table->length);
        if (table->has_header) {
            wrap_printf(&line, "  rev %-3u %-6s %-8s  checksum %-5s", table->revision,
                        table->oem_id, table->oem_table_id, table->checksum_ok ? "ok" : "wrong");
        } else {
            wrap_printf(&line, "%41s", "");
        }
        wrap_printf(&line, " %s", table->origin == NULL ? "" : table->origin);
        if (table->read_bytes < table->length) {
            wrap_printf(&line, ", only %u bytes there", table->read_bytes);
        }
        wrap_end(&line, 8);
    }
}
