#include "model/idle_booking.h"
#include "model/idle_clock.h"
#include "model/idle_energy.h"
#include "model/idle_reach.h"
#include "model/units.h"
#include "report/idle_gaps.h"
#include "report/idle_refused.h"
#include "report/idle_words.h"
#include "report/ranges.h"
#include "report/report_text_parts.h"

#include <string.h>

/* Idle states as timed: a line for each way and range of CPUs, its histogram, the verdict in a sentence. */

#define WAYS_MAX 48U
#define LEVELS " .:-=+*#%@"

struct printer {
    const struct platform *platform;
    struct wrap line;
    uint64_t length_ns; /* the lines are of sleeps this long */
};

/* Where the rate is not known ticks are shown as they are, and a line says so. */
static uint64_t to_ns(const struct printer *printer, uint64_t tsc)
{
    uint64_t tsc_hz = printer->platform->tsc_hz;

    return tsc_hz == 0 ? tsc : units_tsc_to_ns(tsc, tsc_hz);
}

/* All CPUs whose set of this length is like `first`: their range, and the extremes of their wake-ups. */
static void fold_cpus(struct printer *printer, const struct idle_sample_set *first,
                      uint64_t *ret_low_tsc, uint64_t *ret_high_tsc, uint64_t *ret_p99_tsc)
{
    struct ranges ranges;

    *ret_low_tsc = UINT64_MAX;
    *ret_high_tsc = 0;
    *ret_p99_tsc = 0;
    ranges_start(&ranges, &printer->line.line);
    for (uint32_t i = 0; i < printer->platform->idle_count; i++) {
        const struct idle_sample_set *set = &printer->platform->idle[i];
        const struct distribution *exit = &set->exit_tsc;

        if (set->requested_ns == printer->length_ns && idle_words_is_alike(set, first)) {
            ranges_add(&ranges, set->cpu);
            *ret_low_tsc = exit->p50 < *ret_low_tsc ? exit->p50 : *ret_low_tsc;
            *ret_high_tsc = exit->p50 > *ret_high_tsc ? exit->p50 : *ret_high_tsc;
            *ret_p99_tsc = exit->p99 > *ret_p99_tsc ? exit->p99 : *ret_p99_tsc;
        }
    }
    ranges_end(&ranges);
}

static void way_line(struct printer *printer, const struct idle_sample_set *set)
{
    struct wrap *line = &printer->line;
    uint64_t low_tsc, high_tsc, p99_tsc;

    idle_words_way(&line->line, set);
    wrap_printf(line, ", CPU ");
    fold_cpus(printer, set, &low_tsc, &high_tsc, &p99_tsc);
    wrap_printf(line, "%s: %s", printer->platform->is_emulated ? " (emulated)" : "",
                idle_words_stop(set));
    if (set->stopped_in != STOPPED_UNKNOWN) {
        wrap_printf(line, " (%u %%)", set->stopped_confidence_pct);
    }
    if (set->exit_tsc.n != 0) {
        wrap_printf(line, "; wakes after %lu", to_ns(printer, low_tsc));
        if (high_tsc != low_tsc) {
            wrap_printf(line, " to %lu", to_ns(printer, high_tsc));
        }
        wrap_printf(line, " ns, p99 %lu", to_ns(printer, p99_tsc));
    } else {
        wrap_printf(line, "; first read %lu ns, p99 %lu", to_ns(printer, set->first_read_tsc.p50),
                    to_ns(printer, set->first_read_tsc.p99));
    }
    if (set->dummy_read_tsc.n != 0) {
        wrap_printf(line, "; second read %lu ns, p99 %lu", to_ns(printer, set->dummy_read_tsc.p50),
                    to_ns(printer, set->dummy_read_tsc.p99));
    }
    if (set->has_declared_latency) {
        wrap_printf(line, "; declared %lu us", set->declared_latency_us);
    }
    wrap_end(line, 4);
}

/* What the claims about a set rest on. */
static void circumstances(struct printer *printer, const struct idle_sample_set *set)
{
    struct wrap *line = &printer->line;

    wrap_printf(line, "    %lu samples of %lu us, %lu dropped", set->samples,
                set->requested_ns / 1000, set->dropped);
    if (set->never_woke != 0) {
        wrap_printf(line, ", %lu that the timer never ended", set->never_woke);
    }
    if (set->was_cut) {
        wrap_printf(line, ", cut by the time limit");
    }
    if (set->wake_source != NULL) {
        wrap_printf(line, "; woken by the %s", set->wake_source);
    }
    if (set->watched_by != NULL) {
        wrap_printf(line, "; watched by %s%s", strcmp(set->watched_by, "HPET") == 0 ? "the " : "",
                    set->watched_by);
    }
    if (set->others != NULL) {
        wrap_printf(line, "; other CPUs: %s", set->others);
    }
    wrap_end(line, 8);
}

static void pct_of_sleep(struct printer *printer, const char *what, uint64_t tsc,
                         uint64_t spent_tsc)
{
    if (spent_tsc != 0) {
        wrap_printf(&printer->line, "%s %lu %%", what, mul_div_round_u64(tsc, 100, spent_tsc));
    }
}

/* What counters say of the same sleeps. */
static void counter_line(struct printer *printer, const struct idle_sample_set *set)
{
    uint64_t tsc_pct = idle_tsc_pct(set, printer->platform->tsc_hz);

    if (idle_tsc_stops(set, printer->platform->tsc_hz)) {
        wrap_printf(&printer->line, "    the TSC stops: it runs %lu %% of the time by the PM timer",
                    tsc_pct);
        wrap_end(&printer->line, 8);
    }
    if (set->spent_tsc == 0 || (!set->has_residency && !set->has_package_residency)) {
        return;
    }
    wrap_printf(&printer->line, "    of the time asleep");
    if (set->has_residency) {
        pct_of_sleep(printer, " the core's counters have", set->resident_tsc, set->spent_tsc);
    }
    if (set->has_package_residency) {
        pct_of_sleep(printer,
                     set->has_residency ? ", the package's" : " the package's counters have",
                     set->package_tsc, set->spent_tsc);
    }
    wrap_end(&printer->line, 8);
}

/* What was done around each entry. */
static void bus_line(struct printer *printer, const struct idle_sample_set *set)
{
    struct wrap *line = &printer->line;

    if (set->bus == 0) {
        return;
    }
    wrap_printf(line, "    before each entry:%s%s%s",
                (set->bus & IDLE_BUS_FLUSH) != 0 ? " caches flushed" : "",
                (set->bus & IDLE_BUS_CHECK) != 0 ? " BM_STS looked at" : "",
                (set->bus & IDLE_BUS_ARBITER) != 0 ? ", bus masters kept off" : "");
    if (set->flush_tsc.n != 0) {
        wrap_printf(line, " (%lu ns, p99 %lu)", to_ns(printer, set->flush_tsc.p50),
                    to_ns(printer, set->flush_tsc.p99));
    }
    if (set->bus_busy != 0) {
        wrap_printf(line, "; %lu put off by an active bus master", set->bus_busy);
    }
    wrap_end(line, 8);
}

/* A picture of a single bin shows nothing. */
static bool has_one_bin(const struct histogram_shape *shape)
{
    uint32_t filled = 0;

    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS; i++) {
        filled += shape->count[i] != 0 ? 1U : 0U;
    }
    return filled <= 1;
}

static void histogram_line(struct printer *printer, const struct idle_sample_set *set)
{
    const struct histogram_shape *shape = &set->shape;
    const struct distribution *of = set->exit_tsc.n != 0 ? &set->exit_tsc : &set->first_read_tsc;
    char bar[HISTOGRAM_SHAPE_BINS + 1] = "";
    uint32_t most = 1;

    if (shape->width == 0) {
        return;
    }
    if (has_one_bin(shape)) {
        wrap_printf(&printer->line, "    every %s took %lu to %lu ns",
                    set->exit_tsc.n != 0 ? "wake-up" : "read", to_ns(printer, of->min),
                    to_ns(printer, of->max));
        wrap_end(&printer->line, 8);
        return;
    }
    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS; i++) {
        most = shape->count[i] > most ? shape->count[i] : most;
    }
    for (unsigned i = 0; i < HISTOGRAM_SHAPE_BINS; i++) {
        uint64_t level = ((uint64_t)shape->count[i] * (sizeof(LEVELS) - 2) + most - 1) / most;

        bar[i] = LEVELS[level];
    }
    wrap_printf(&printer->line, "    %s %lu |%s| %lu ns and more",
                set->exit_tsc.n != 0 ? "wakes" : "reads", to_ns(printer, shape->low), bar,
                to_ns(printer, shape->low + shape->width * HISTOGRAM_SHAPE_BINS));
    wrap_end(&printer->line, 8);
}

static void reach_line(struct printer *printer, const struct idle_sample_set *set)
{
    for (uint32_t i = 0; i < printer->platform->idle_reach_count; i++) {
        const struct idle_reach *reach = &printer->platform->idle_reach[i];

        if (!idle_is_same_way(&printer->platform->idle[reach->first_set], set) ||
            reach->entered_from_ns == 0) {
            continue;
        }
        wrap_printf(&printer->line, "    entered by sleeps of %lu us and longer%s",
                    reach->entered_from_ns / 1000,
                    reach->is_demoted_below ? "; shorter ones end in a shallower state" : "");
        wrap_end(&printer->line, 8);
        return;
    }
}

/* What a sleep takes, and from which length the way pays. */
static void energy_line(struct printer *printer, const struct idle_sample_set *set)
{
    const struct platform *platform = printer->platform;
    struct wrap *line = &printer->line;
    uint64_t nj = idle_energy_nj(set);

    if (nj == 0) {
        return;
    }
    wrap_printf(line, "    the package takes %lu.%03u uJ a sleep (within %lu %%)", nj / 1000,
                (unsigned)(nj % 1000), set->energy_uncertainty_ppm / 10000 + 1);
    for (uint32_t i = 0; i < platform->idle_reach_count; i++) {
        const struct idle_reach *reach = &platform->idle_reach[i];

        if (!idle_is_same_way(&platform->idle[reach->first_set], set)) {
            continue;
        }
        if (reach->break_even == AVAIL_PRESENT) {
            wrap_printf(line, "; pays against HLT from %lu us on", reach->break_even_us);
        } else if (reach->break_even == AVAIL_ABSENT) {
            wrap_printf(line, "; pays against HLT at no length");
        }
    }
    wrap_end(line, 8);
}

static void way_lines(struct printer *printer)
{
    const struct platform *platform = printer->platform;
    const struct idle_sample_set *seen[WAYS_MAX];
    uint32_t seen_count = 0;

    for (uint32_t i = 0; i < platform->idle_count && seen_count < WAYS_MAX; i++) {
        const struct idle_sample_set *set = &platform->idle[i];
        uint32_t way = 0;

        while (way < seen_count && !idle_words_is_alike(seen[way], set)) {
            way++;
        }
        if (set->requested_ns == printer->length_ns && way == seen_count) {
            seen[seen_count++] = set;
            way_line(printer, set);
            circumstances(printer, set);
            bus_line(printer, set);
            counter_line(printer, set);
            energy_line(printer, set);
            histogram_line(printer, set);
            reach_line(printer, set);
        }
    }
}

static void verdict_sentence(struct printer *printer, const struct dummy_judgement *judgement)
{
    struct wrap *line = &printer->line;

    wrap_printf(line, "On CPU %u the PM-timer read after port 0x%X is %s: %s. ",
                judgement->with->cpu, judgement->with->port, idle_words_dummy(judgement->verdict),
                judgement->why);
    wrap_printf(line, "It took %lu ns a sleep", judgement->cost_ns);
    if (judgement->crowd_cpus != 0) {
        wrap_printf(line, ", %lu ns when %u CPUs read", judgement->crowd_cost_ns,
                    judgement->crowd_cpus);
    }
    if (printer->platform->is_emulated) {
        wrap_printf(line, ".");
        wrap_end(line, 4);
        return;
    }
    wrap_printf(line, "; of a sleep of %lu us a system books %lu ns where %s%lu ns are true",
                judgement->with->requested_ns / 1000, judgement->booking.booked_ns,
                judgement->booking.is_at_most ? "at most " : "", judgement->booking.true_ns);
    if (judgement->booking_without.booked_ns != 0) {
        wrap_printf(line, " (%lu ns without the read)", judgement->booking_without.booked_ns);
    }
    if (judgement->sleeps_until_wrong != 0) {
        wrap_printf(line, "; %u sleeps of %lu us make a governor prefer this state wrongly",
                    judgement->sleeps_until_wrong, judgement->wrong_length_ns / 1000);
    }
    wrap_printf(line, ".");
    wrap_end(line, 4);
}

static void verdict_lines(struct printer *printer)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; idle_dummy_next(printer->platform, &i) && shown < TEXT_SETS_MAX; i++) {
        struct dummy_judgement judgement;

        if (printer->platform->idle[i].is_sweep || shown == 0) {
            idle_dummy_judge(printer->platform, i, &judgement);
            verdict_sentence(printer, &judgement);
            shown++;
        }
    }
}

static void gap_lines(struct printer *printer)
{
    const struct platform *platform = printer->platform;

    if (!idle_gaps_were_watched(platform)) {
        return;
    }
    idle_gaps_sentence(&printer->line.line, platform);
    wrap_end(&printer->line, 4);
    wrap_printf(&printer->line, "    ");
    idle_gaps_histogram(&printer->line.line, platform);
    wrap_end(&printer->line, 8);
}

static void refusal_lines(struct printer *printer)
{
    const struct platform *platform = printer->platform;
    struct idle_refused refused;

    idle_refused_fold(platform, &refused);
    for (uint32_t i = 0; i < refused.count; i++) {
        wrap_printf(&printer->line, "Not timed: ");
        idle_refused_line(&printer->line.line, platform, refused.first[i]);
        wrap_end(&printer->line, 11);
    }
    if (refused.beyond != 0) {
        wrap_printf(&printer->line, "Not timed: %u more, which report.json names", refused.beyond);
        wrap_end(&printer->line, 11);
    }
    if (platform->idle_skipped != NULL) {
        wrap_text(printer->line.out, "Not timed:", 11, platform->idle_skipped);
    }
}

void report_text_timing(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;
    struct printer printer = {.platform = platform, .length_ns = idle_words_length_ns(platform)};

    if (platform->idle_count == 0 && platform->idle_skipped == NULL) {
        return;
    }
    wrap_heading(out, "Idle states as timed");
    wrap_init(&printer.line, out);
    if (platform->is_emulated) {
        wrap_text(out, "Note", TEXT_LABEL_COLUMN,
                  "An emulator's or hypervisor's figures: they say nothing about silicon.");
    }
    if (platform->tsc_hz == 0) {
        wrap_text(out, "Note", TEXT_LABEL_COLUMN,
                  "The rate of the TSC is not known: figures in ns are ticks of the TSC.");
    }
    way_lines(&printer);
    verdict_lines(&printer);
    if (platform->idle_energy_why != NULL && platform->idle_count != 0) {
        wrap_text(out, "Energy:", 11, platform->idle_energy_why);
    }
    gap_lines(&printer);
    refusal_lines(&printer);
    report_text_idle_plot(platform, out);
}
