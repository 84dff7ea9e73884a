#include "model/bits.h"
#include "model/msr_catalog.h"
#include "model/rapl.h"
#include "report/msr_fields.h"
#include "report/msr_fold.h"
#include "report/report_html_parts.h"

/* MSRs, folded by value over the CPUs, decoded field by field. */

#define MSR_PKG_POWER_LIMIT 0x610U /* SDM vol. 4: windows in [23:17] and [55:49] */

/* The windows of a package's two power limits, in time. */
static void windows(const struct platform *platform, uint32_t msr, uint64_t value,
                    struct textbuf *out)
{
    uint64_t unit_us = rapl_time_unit_us(platform, 0);

    if (msr == MSR_PKG_POWER_LIMIT && unit_us != 0) {
        textbuf_printf(out, "; windows of %llu and %llu us",
                       (unsigned long long)rapl_window_us(bits_get(value, 23, 17), unit_us),
                       (unsigned long long)rapl_window_us(bits_get(value, 55, 49), unit_us));
    }
}

/* Every documented field by name: "[15:8] maximum non-turbo ratio 22". */
static void fields_cell(const struct platform *platform, uint32_t msr, uint64_t value,
                        struct textbuf *out)
{
    struct html_escape escape;

    html_cell_open(out);
    html_escape_start(&escape, out);
    (void)msr_fields_text(&platform->identity, msr, value, &escape.text);
    windows(platform, msr, value, &escape.text);
    html_escape_end(&escape);
    html_cell_close(out);
}

static void value_row(const struct platform *platform, uint32_t index, const struct msr_fold *fold,
                      const struct msr_value *value, struct textbuf *out)
{
    const struct msr_entry *entry =
        msr_catalog_find(platform->identity.vendor, platform->msrs[index]);

    html_row_open(out);
    textbuf_printf(out, "<td class=\"mono\">%08X</td>", platform->msrs[index]);
    html_cell(out, entry == NULL ? "" : entry->name);
    if (value->avail == AVAIL_PRESENT) {
        textbuf_printf(out, "<td class=\"mono\">%016llX</td>", (unsigned long long)value->value);
    } else {
        html_cell(out, "fault (#GP)");
    }
    html_cell_list_open(out);
    msr_fold_cpus(fold, value, out);
    html_cell_close(out);
    if (value->avail == AVAIL_PRESENT) {
        fields_cell(platform, platform->msrs[index], value->value, out);
    } else {
        html_cell(out, "");
    }
    html_row_close(out);
}

/* A register with more values than the fold keeps apart is a counter: its range says enough here. */
static void counter_row(const struct platform *platform, uint32_t index, struct msr_fold *fold,
                        struct textbuf *out)
{
    const struct msr_entry *entry =
        msr_catalog_find(platform->identity.vendor, platform->msrs[index]);
    uint64_t smallest = UINT64_MAX;
    uint64_t largest = 0;
    struct msr_value value;

    while (msr_fold_next(fold, &value)) {
        if (value.avail == AVAIL_PRESENT) {
            smallest = value.value < smallest ? value.value : smallest;
            largest = value.value > largest ? value.value : largest;
        }
    }
    html_row_open(out);
    textbuf_printf(out, "<td class=\"mono\">%08X</td>", platform->msrs[index]);
    html_cell(out, entry == NULL ? "" : entry->name);
    textbuf_printf(out, "<td class=\"mono\">%016llX to %016llX</td>", (unsigned long long)smallest,
                   (unsigned long long)largest);
    html_cell(out, "each CPU its own");
    html_cell(out, "a counter, or a value for each CPU");
    html_row_close(out);
}

void report_html_msrs(const struct report *report, struct textbuf *out)
{
    static const char *const columns[] = {"MSR", "name", "value", "CPUs", "fields"};
    const struct platform *platform = report->platform;

    if (platform->msrs_count == 0) {
        html_absent(out, "No MSR was read: none is documented for this CPU, or this is a dump "
                         "without them.");
        return;
    }
    html_table_open(out, "Model-specific registers", columns, 5);
    for (uint32_t i = 0; i < platform->msrs_count; i++) {
        struct msr_fold fold;
        struct msr_value value;

        msr_fold_start(platform, i, &fold);
        if (fold.is_by_run) {
            counter_row(platform, i, &fold, out);
            continue;
        }
        while (msr_fold_next(&fold, &value)) {
            value_row(platform, i, &fold, &value, out);
        }
    }
    html_table_close(out);
}
