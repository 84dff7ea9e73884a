#include "model/msr_catalog.h"
#include "model/units.h"
#include "report/msr_fields.h"
#include "report/msr_fold.h"
#include "report/report_text_parts.h"

#define FIELDS_COLUMN 12U

static void msr_title(const struct platform *platform, uint32_t index, struct wrap *line)
{
    const struct msr_entry *entry =
        msr_catalog_find(platform->identity.vendor, platform->msrs[index]);

    wrap_printf(line, "  %08X  %-28s ", platform->msrs[index], entry == NULL ? "" : entry->name);
}

/* A register with more values than the fold keeps apart is a counter: its range says enough here. */
static void counter_line(const struct platform *platform, uint32_t index, struct wrap *line)
{
    uint64_t smallest = UINT64_MAX;
    uint64_t largest = 0;
    struct msr_fold fold;
    struct msr_value value;

    msr_fold_start(platform, index, &fold);
    while (msr_fold_next(&fold, &value)) {
        if (value.avail == AVAIL_PRESENT) {
            smallest = value.value < smallest ? value.value : smallest;
            largest = value.value > largest ? value.value : largest;
        }
    }
    msr_title(platform, index, line);
    wrap_printf(line, "%016lX to %016lX", smallest, largest);
    wrap_end(line, 12);
}

/* The documented fields of a value, below it. */
static void fields_line(const struct platform *platform, uint32_t msr, uint64_t value,
                        struct wrap *line)
{
    if (msr_field_at(&platform->identity, msr, 0) != NULL) {
        wrap_pad(line, FIELDS_COLUMN);
        (void)msr_fields_text(&platform->identity, msr, value, &line->line);
        wrap_end(line, FIELDS_COLUMN);
    }
}

static void one_msr(const struct platform *platform, uint32_t index, struct wrap *line)
{
    struct msr_fold fold;
    struct msr_value value;

    msr_fold_start(platform, index, &fold);
    if (fold.is_by_run) {
        counter_line(platform, index, line);
        return;
    }
    while (msr_fold_next(&fold, &value)) {
        msr_title(platform, index, line);
        if (value.avail == AVAIL_PRESENT) {
            wrap_printf(line, "%016lX", value.value);
        } else {
            wrap_printf(line, "%-16s", "fault (#GP)");
        }
        wrap_printf(line, "  CPU ");
        msr_fold_cpus(&fold, &value, &line->line);
        wrap_end(line, 12);
        if (value.avail == AVAIL_PRESENT) {
            fields_line(platform, platform->msrs[index], value.value, line);
        }
    }
}

static bool was_tried(const struct platform *platform, uint32_t index)
{
    struct msr_fold fold;
    struct msr_value value;

    msr_fold_start(platform, index, &fold);
    return msr_fold_next(&fold, &value);
}

void report_text_msrs(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    bool has_heading = false;
    struct wrap line;

    wrap_init(&line, out);
    for (uint32_t i = 0; i < platform->msrs_count; i++) {
        if (!was_tried(platform, i)) {
            continue;
        }
        if (!has_heading) {
            wrap_heading(out, "MSRs");
            has_heading = true;
        }
        one_msr(platform, i, &line);
    }
}

static void tsc_sync_line(const struct platform *platform, struct wrap *line)
{
    const struct tsc_sync *sync = &platform->tsc_sync;

    if (sync->compared == 0) {
        return;
    }
    wrap_printf(line,
                "  The TSC%s of %u CPU%s against the boot CPU: ", sync->compared == 1 ? "" : "s",
                sync->compared, sync->compared == 1 ? "" : "s");
    if (sync->differing == 0) {
        wrap_printf(line, "no difference, known to %lu us",
                    platform->tsc_hz == 0
                        ? 0
                        : units_tsc_to_ns(sync->widest_tsc, platform->tsc_hz) / 1000 + 1);
    } else {
        wrap_printf(line, "%u differ, CPU %u by at least %lu ticks", sync->differing,
                    sync->worst_cpu, sync->worst_tsc);
    }
    wrap_end(line, 4);
}

void report_text_clocks(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (platform->clocks_count == 0) {
        return;
    }
    wrap_heading(out, "Clocks");
    wrap_init(&line, out);
    for (uint32_t i = 0; i < platform->clocks_count && i < PLATFORM_CLOCKS; i++) {
        const struct clock *clock = &platform->clocks[i];

        wrap_printf(&line, "  %-10s ", clock->name);
        if (clock->hz != 0) {
            wrap_printf(&line, "%13lu Hz +/- %lu ppm  ", clock->hz, clock->uncertainty_ppm);
        }
        wrap_printf(&line, "%s: %s", clock->from == NULL ? "" : clock->from,
                    clock->status == NULL ? "" : clock->status);
        if (clock->why != NULL) {
            wrap_printf(&line, " (%s)", clock->why);
        }
        wrap_end(&line, 13);
    }
    tsc_sync_line(platform, &line);
}
