#include "report/report.h"

#include <stddef.h>

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

void report_snapshot_msr(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        for (uint32_t i = 0; i < platform->msrs_count; i++) {
            const struct msr_value *value =
                &platform->msr_values[(size_t)cpu * platform->msrs_count + i];

            if (value->avail == AVAIL_PRESENT) {
                textbuf_printf(out, "[cpu %u] 0x%x 0x%lx\n", cpu, platform->msrs[i], value->value);
            } else if (value->avail == AVAIL_FAULTED) {
                textbuf_printf(out, "[cpu %u] 0x%x #GP\n", cpu, platform->msrs[i]);
            }
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
    textbuf_string(out, "\nSerial numbers, UUIDs and asset tags are not kept.\n");
}
