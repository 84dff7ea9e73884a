#include "model/msr_catalog.h"
#include "model/units.h"
#include "report/msr_fold.h"
#include "report/report_text_parts.h"

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
    }
}

void report_text_msrs(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (platform->msrs_count == 0) {
        return;
    }
    wrap_heading(out, "MSRs");
    wrap_init(&line, out);
    for (uint32_t i = 0; i < platform->msrs_count; i++) {
        one_msr(platform, i, &line);
    }
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
        wrap_end(&line, 13);
    }
}

/* Minimum, median and 99th percentile in ticks, and in ns where the rate is known. */
static void dist_line(const char *name, const struct distribution *dist, uint64_t tsc_hz,
                      struct wrap *line)
{
    if (dist->n == 0) {
        return;
    }
    wrap_printf(line, "  %-18s min %lu, median %lu, p99 %lu ticks", name, dist->min, dist->p50,
                dist->p99);
    if (tsc_hz != 0) {
        wrap_printf(line, " = %lu, %lu, %lu ns", units_tsc_to_ns(dist->min, tsc_hz),
                    units_tsc_to_ns(dist->p50, tsc_hz), units_tsc_to_ns(dist->p99, tsc_hz));
    }
    wrap_end(line, 8);
}

static void idle_lines(const struct platform *platform, const struct idle_sample_set *idle,
                       struct wrap *line)
{
    static const char *const entries[] = {
        [IDLE_HLT] = "HLT", [IDLE_MWAIT] = "MWAIT", [IDLE_IO] = "I/O read"};

    wrap_printf(line, "CPU %u, %s by %s", idle->cpu, idle->state, entries[idle->entry]);
    if (idle->entry == IDLE_IO) {
        wrap_printf(line, " of port 0x%X (%s)", idle->port,
                    idle->port_from == NULL ? "" : idle->port_from);
    }
    if (idle->dummy_read == DUMMY_PM_TIMER) {
        wrap_printf(line, ", then a PM-timer read of port 0x%X", idle->dummy_port);
    }
    if (idle->has_declared_latency) {
        wrap_printf(line, "; declared latency %lu us", idle->declared_latency_us);
    }
    wrap_printf(line, "; %lu samples, %lu dropped", idle->samples, idle->dropped);
    wrap_end(line, 4);
    dist_line("first read", &idle->first_read_tsc, platform->tsc_hz, line);
    dist_line("PM-timer read", &idle->dummy_read_tsc, platform->tsc_hz, line);
    dist_line("asleep", &idle->asleep_tsc, platform->tsc_hz, line);
}

void report_text_timing(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct wrap line;

    if (platform->idle_count == 0 && platform->port_costs_count == 0 &&
        platform->idle_skipped == NULL) {
        return;
    }
    wrap_heading(out, "Port timing");
    wrap_init(&line, out);
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        idle_lines(platform, &platform->idle[i], &line);
    }
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        const struct port_cost *cost = &platform->port_costs[i];

        wrap_printf(&line, "%s at port 0x%X, %u CPU%s at once", cost->port_name, cost->port,
                    cost->cpus, cost->cpus == 1 ? "" : "s");
        wrap_end(&line, 4);
        dist_line("one read", &cost->read_tsc, platform->tsc_hz, &line);
    }
    if (platform->idle_skipped != NULL) {
        wrap_text(out, "Not timed:", 11, platform->idle_skipped);
    }
}
