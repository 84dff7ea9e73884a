#include "report/msr_fold.h"
#include "report/report.h"

#include <stddef.h>
#include <string.h>

static void leaf_line(const struct cpuid_leaf *leaf, struct textbuf *out)
{
    textbuf_printf(out, "CPUID %08X: %08X-%08X-%08X-%08X", leaf->leaf, leaf->eax, leaf->ebx,
                   leaf->ecx, leaf->edx);
    if (leaf->subleaf != 0) {
        textbuf_printf(out, " [SL %02X]", leaf->subleaf);
    }
    textbuf_byte(out, '\n');
}

/* A CPU without a heading of its own has the leaves of the one before it. */
void report_snapshot_cpuid(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    const struct cpuid_set *previous = NULL;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct cpuid_set *set = platform_cpuid(platform, cpu);

        if (set == NULL || set == previous) {
            continue;
        }
        textbuf_printf(out, "------[ CPUID Registers / Logical CPU #%u ]------\n", cpu);
        for (uint32_t i = 0; i < set->count; i++) {
            leaf_line(&set->leaves[i], out);
        }
        previous = set;
    }
}

/* A reader of lines need not take longer ones. */
#define RANGES_A_LINE 32U

struct msr_lines {
    struct textbuf *out;
    uint32_t msr;
    struct msr_value value;
    uint32_t ranges; /* on the line that is open */
};

static void end_msr_line(struct msr_lines *lines)
{
    if (lines->ranges == 0) {
        return;
    }
    if (lines->value.avail == AVAIL_PRESENT) {
        textbuf_printf(lines->out, "] 0x%x 0x%lx\n", lines->msr, lines->value.value);
    } else {
        textbuf_printf(lines->out, "] 0x%x #GP\n", lines->msr);
    }
    lines->ranges = 0;
}

static void add_msr_range(struct msr_lines *lines, uint32_t first, uint32_t last)
{
    textbuf_printf(lines->out, "%s%u", lines->ranges == 0 ? "[cpu " : ",", first);
    if (last != first) {
        textbuf_printf(lines->out, "-%u", last);
    }
    lines->ranges++;
    if (lines->ranges == RANGES_A_LINE) {
        end_msr_line(lines);
    }
}

static bool is_value(const struct platform *platform, uint32_t cpu, uint32_t index,
                     const struct msr_value *value)
{
    const struct msr_value *other =
        &platform->msr_values[(size_t)cpu * platform->msrs_count + index];

    return other->avail == value->avail && other->value == value->value;
}

/* The CPUs that have this value, from `first` on to where the fold's group ends. */
static void msr_group(const struct msr_fold *fold, const struct msr_value *value,
                      struct textbuf *out)
{
    const struct platform *platform = fold->platform;
    struct msr_lines lines = {.out = out, .msr = platform->msrs[fold->index], .value = *value};
    uint32_t end = fold->is_by_run ? fold->next : platform->cpus_count;

    for (uint32_t cpu = fold->is_by_run ? fold->run_first : 0; cpu < end; cpu++) {
        uint32_t first = cpu;

        if (!is_value(platform, cpu, fold->index, value)) {
            continue;
        }
        while (cpu + 1 < end && is_value(platform, cpu + 1, fold->index, value)) {
            cpu++;
        }
        add_msr_range(&lines, first, cpu);
    }
    end_msr_line(&lines);
}

/* Folded: each value with the CPUs that have it. */
void report_snapshot_msr(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    for (uint32_t i = 0; platform->msr_values != NULL && i < platform->msrs_count; i++) {
        struct msr_fold fold;
        struct msr_value value;

        msr_fold_start(platform, i, &fold);
        while (msr_fold_next(&fold, &value)) {
            msr_group(&fold, &value, out);
        }
    }
    for (uint32_t i = 0; i < platform->extra_msrs_count; i++) {
        const struct extra_msr *extra = &platform->extra_msrs[i];

        if (extra->value.avail == AVAIL_PRESENT || extra->value.avail == AVAIL_FAULTED) {
            struct msr_lines lines = {.out = out, .msr = extra->msr, .value = extra->value};

            add_msr_range(&lines, extra->cpu, extra->cpu);
            end_msr_line(&lines);
        }
    }
}

/* One line of Markdown; a line break in what firmware says must not make two of it. */
static void meta_line(struct textbuf *out, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0') {
        return;
    }
    textbuf_printf(out, "- %s: ", name);
    for (; *value != '\0'; value++) {
        bool is_printable = *value >= ' ' && *value <= '~';

        textbuf_byte(out, is_printable ? *value : '?');
    }
    textbuf_byte(out, '\n');
}

void report_snapshot_meta(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    const struct cpu_identity *identity = &platform->identity;

    textbuf_string(out, "# Machine snapshot\n\n");
    meta_line(out, "vendor", platform->vendor);
    meta_line(out, "product", platform->product);
    meta_line(out, "firmware version", platform->firmware_version);
    meta_line(out, "firmware date", platform->firmware_date);
    if (identity->avail == AVAIL_PRESENT) {
        meta_line(out, "cpu", identity->brand);
        textbuf_printf(out, "- cpu model: %s family %u model %u stepping %u\n",
                       identity->vendor_text, identity->family, identity->model,
                       identity->stepping);
    }
    textbuf_printf(out, "- cpus: %u\n", platform->cpus_count);
    meta_line(out, "hypervisor", identity->hypervisor_text);
    if (platform->is_tables_from_medium) {
        textbuf_string(out, "- tables: from the boot medium, not from this firmware\n");
    }
    textbuf_printf(out, "- made by: Assay %s (%s), ACPICA %s\n", report->build->version,
                   report->build->build, report->build->acpica);
    textbuf_string(
        out, "\nLeft out: serial numbers, UUIDs, asset tags and owner strings of SMBIOS, and\n"
             "the tables MSDM and SLIC, which hold licence keys.\n");
}

/* Of SMBIOS only what a kernel counts with: smbios.txt, one word and one number a line. */
void report_snapshot_smbios(const struct report *report, struct textbuf *out)
{
    textbuf_printf(out, "max_speed_mhz %u\n", report->platform->smbios_max_mhz);
}

static bool is_from(const struct acpi_table *table, const char *origin)
{
    return table->origin != NULL && strcmp(table->origin, origin) == 0;
}

static bool stays_out(const struct acpi_table *table)
{
    static const char *const left_out[] = {"MSDM", "SLIC", "RSDT", "XSDT"};

    for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
        if (strcmp(table->signature, left_out[i]) == 0) {
            return true;
        }
    }
    return table->bytes == NULL || table->read_bytes < 8 || is_from(table, "synthetic");
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

/* The first of the tables of which firmware has one each goes without a number. */
static bool is_plain(const struct platform *platform, uint32_t index)
{
    static const char *const plain[] = {"DSDT", "FACP", "APIC"};
    const char *signature = platform->tables[index].signature;

    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
        if (strcmp(signature, plain[i]) == 0) {
            return platform_table(platform, signature) == &platform->tables[index];
        }
    }
    return false;
}

/* SSDTs load in file-name order, so they are numbered by the order in which they were found. */
bool report_snapshot_table_name(const struct platform *platform, uint32_t index, char separator,
                                struct textbuf *out)
{
    const struct acpi_table *table = &platform->tables[index];
    bool is_dynamic = is_from(table, "dynamic");
    char signature[5];

    if (stays_out(table)) {
        return false;
    }
    clean_signature(table->signature, signature);
    textbuf_printf(out, "%s%c%s", is_dynamic ? "dynamic" : "tables", separator, signature);
    if (!is_plain(platform, index)) {
        textbuf_printf(out, "-%03u", index);
    }
    textbuf_string(out, ".aml");
    return true;
}
