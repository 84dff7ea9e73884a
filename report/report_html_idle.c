#include "report/report_html_idle.h"

#include "model/idle_booking.h"
#include "model/units.h"
#include "report/html_heat.h"
#include "report/idle_gaps.h"
#include "report/idle_refused.h"
#include "report/idle_words.h"
#include "report/ranges.h"

/* Idle states: what is claimed, what was timed, and what the second read is worth. */

#define SETS_MAX 8U
#define HEAT_CPUS_MIN 9U
#define JUDGED_MAX 8U

static void claimed_table(const struct platform *platform, const struct object_set *set,
                          struct textbuf *out)
{
    static const char *const columns[] = {"#state", "type", "#declared latency us", "#power mW",
                                          "entered by"};
    html_table_start(out, "Idle states as claimed (_CST)");
    textbuf_printf(out, ", cst#%u, CPU ", set->index);
    ranges_of_object(out, platform, set);
    html_table_head(out, columns, 5);
    for (uint32_t i = 0; i < set->cst.states_count; i++) {
        const struct cst_state *state = &set->cst.states[i];
        const struct gas *gas = &state->reg.gas;

        html_row_open(out);
        html_cell_number(out, "%u", i + 1);
        html_cell_printf(out, "C%llu", (unsigned long long)state->field[CST_TYPE]);
        html_cell_number(out, "%llu", (unsigned long long)state->field[CST_LATENCY_US]);
        html_cell_number(out, "%llu", (unsigned long long)state->field[CST_POWER_MW]);
        if (state->reg.avail == AVAIL_PRESENT) {
            html_cell_printf(out, "%s 0x%llX", gas_space_name(gas->space),
                             (unsigned long long)gas->address);
        } else {
            html_cell(out, "no register");
        }
        html_row_close(out);
    }
    html_table_close(out);
}

static void claimed(const struct platform *platform, struct textbuf *out)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; i < platform->sets_count; i++) {
        const struct object_set *set = platform->sets[i];

        if (set->kind == OBJECT_CST && !set->is_repaired && shown++ < SETS_MAX) {
            claimed_table(platform, set, out);
        }
    }
    if (shown == 0) {
        html_absent(out, "No CPU has a _CST.");
    } else if (shown > SETS_MAX) {
        html_note(out, "%u more different _CST are in report.json.", shown - SETS_MAX);
    }
}

static void distribution_row(const struct platform *platform, const struct idle_sample_set *set,
                             const char *what, const struct distribution *tsc, struct textbuf *out)
{
    struct distribution ns;

    if (tsc->n == 0) {
        return;
    }
    ns = platform->tsc_hz == 0 ? *tsc : distribution_scale(tsc, NS_PER_S, platform->tsc_hz);
    html_row_open(out);
    textbuf_string(out, "<td>");
    report_html_idle_way(platform, set, out);
    textbuf_string(out, "</td>");
    html_cell(out, what);
    html_cell_number(out, "%llu", (unsigned long long)ns.n);
    html_cell_number(out, "%llu", (unsigned long long)ns.min);
    html_cell_number(out, "%llu", (unsigned long long)ns.p50);
    html_cell_number(out, "%llu", (unsigned long long)ns.p90);
    html_cell_number(out, "%llu", (unsigned long long)ns.p99);
    html_cell_number(out, "%llu", (unsigned long long)ns.max);
    html_cell_number(out, "%llu", (unsigned long long)ns.mean);
    html_cell_number(out, "%llu", (unsigned long long)ns.stddev);
    html_row_close(out);
}

static void timed_table(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {"way",  "what", "#samples", "#min",  "#p50",
                                          "#p90", "#p99", "#max",     "#mean", "#stddev"};
    uint64_t length_ns = idle_words_length_ns(platform);

    html_table_open(out,
                    platform->tsc_hz == 0 ? "Idle states as timed, in ticks of the TSC"
                                          : "Idle states as timed, in ns",
                    columns, 10);
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (idle_words_is_first(platform, i, length_ns)) {
            distribution_row(platform, set, set->entry == IDLE_IO ? "first read" : "instruction",
                             &set->first_read_tsc, out);
            distribution_row(platform, set, "second read", &set->dummy_read_tsc, out);
            distribution_row(platform, set, "asleep", &set->asleep_tsc, out);
            distribution_row(platform, set, "wake-up", &set->exit_tsc, out);
            distribution_row(platform, set, "to the handler", &set->handler_tsc, out);
            distribution_row(platform, set, "ran on", &set->ran_on_tsc, out);
        }
    }
    html_table_close(out);
}

static void ways_table(const struct platform *platform, struct textbuf *out)
{
    static const char *const columns[] = {
        "way",      "CPUs",     "where it stops", "#certain %", "#declared us",
        "#samples", "#dropped", "woken by",       "watched by", "other CPUs"};
    uint64_t length_ns = idle_words_length_ns(platform);

    html_table_open(out, "What each way does", columns, sizeof(columns) / sizeof(columns[0]));
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (!idle_words_is_first(platform, i, length_ns)) {
            continue;
        }
        html_row_open(out);
        html_cell_open(out);
        report_html_idle_way(platform, set, out);
        html_cell_close(out);
        html_cell_list_open(out);
        report_html_idle_cpus(platform, set, length_ns, out);
        html_cell_close(out);
        html_cell(out, idle_words_stop(set));
        html_cell_number(out, "%u", set->stopped_confidence_pct);
        if (set->has_declared_latency) {
            html_cell_number(out, "%llu", (unsigned long long)set->declared_latency_us);
        } else {
            html_cell(out, "nothing declared");
        }
        html_cell_number(out, "%llu", (unsigned long long)set->samples);
        html_cell_number(out, "%llu", (unsigned long long)set->dropped);
        html_cell(out, set->wake_source == NULL ? "not known" : set->wake_source);
        html_cell(out, set->watched_by == NULL ? "nobody" : set->watched_by);
        html_cell(out, set->others);
        html_row_close(out);
    }
    html_table_close(out);
}

static void judged(const struct platform *platform, const struct dummy_judgement *judgement,
                   struct textbuf *out)
{
    textbuf_string(out, "<li>");
    html_printf(out, "On CPU %u the PM-timer read after port 0x%X is %s: %s. ",
                judgement->with->cpu, judgement->with->port, idle_words_dummy(judgement->verdict),
                judgement->why);
    html_printf(out, "It took %llu ns a sleep", (unsigned long long)judgement->cost_ns);
    if (judgement->crowd_cpus != 0) {
        html_printf(out, ", %llu ns when %u CPUs read",
                    (unsigned long long)judgement->crowd_cost_ns, judgement->crowd_cpus);
    }
    if (platform->is_emulated) {
        textbuf_string(out, ".</li>\n");
        return;
    }
    html_printf(out, "; of a sleep of %llu us a system books %llu ns where %s%llu ns are true",
                (unsigned long long)judgement->with->requested_ns / 1000,
                (unsigned long long)judgement->booking.booked_ns,
                judgement->booking.is_at_most ? "at most " : "",
                (unsigned long long)judgement->booking.true_ns);
    if (judgement->booking_without.booked_ns != 0) {
        html_printf(out, " (%llu ns without the read)",
                    (unsigned long long)judgement->booking_without.booked_ns);
    }
    textbuf_string(out, ".</li>\n");
}

static void second_read(const struct platform *platform, struct textbuf *out)
{
    uint32_t shown = 0;

    for (uint32_t i = 0; shown < JUDGED_MAX && idle_dummy_next(platform, &i); i++) {
        struct dummy_judgement judgement;

        if (platform->idle[i].is_sweep || shown == 0) {
            if (shown++ == 0) {
                html_heading(out, "The second read");
                textbuf_string(out, "<ul>\n");
            }
            idle_dummy_judge(platform, i, &judgement);
            judged(platform, &judgement, out);
        }
    }
    textbuf_string(out, shown > 0 ? "</ul>\n" : "");
}

struct wake_heat {
    const struct platform *platform;
    const struct idle_sample_set *like;
    uint64_t length_ns;
    uint32_t at; /* sets come by CPU: where the last answer was found */
};

/* The median wake-up of one CPU in ns. */
static bool wake_of_cpu(void *context, uint32_t cpu, uint64_t *ret_value)
{
    struct wake_heat *heat = context;
    const struct platform *platform = heat->platform;

    for (uint32_t n = 0; n < platform->idle_count; n++) {
        uint32_t i = (heat->at + n) % platform->idle_count;
        const struct idle_sample_set *set = &platform->idle[i];

        if (set->cpu == cpu && set->requested_ns == heat->length_ns && set->exit_tsc.n != 0 &&
            idle_words_is_alike(set, heat->like)) {
            heat->at = i;
            *ret_value = units_tsc_to_ns(set->exit_tsc.p50, platform->tsc_hz);
            return true;
        }
    }
    return false;
}

static void heat_maps(const struct platform *platform, struct textbuf *out)
{
    uint64_t length_ns = idle_words_length_ns(platform);
    unsigned number = 0;

    if (platform->cpus_count < HEAT_CPUS_MIN || platform->tsc_hz == 0) {
        return;
    }
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];
        struct wake_heat heat = {platform, set, length_ns, 0};
        char title[128];
        struct textbuf text;

        if (!idle_words_is_first(platform, i, length_ns) || set->exit_tsc.n == 0) {
            continue;
        }
        textbuf_init(&text, title, sizeof(title), NULL, NULL);
        textbuf_string(&text, "Median wake-up in ns by CPU: ");
        idle_words_way(&text, set);
        html_heat(out, &(struct html_heat){.id = "wake",
                                           .number = number,
                                           .title = title,
                                           .cpus_count = platform->cpus_count,
                                           .value = wake_of_cpu,
                                           .context = &heat});
        number++;
    }
}

static void gaps(const struct platform *platform, struct textbuf *out)
{
    struct html_escape escape;

    if (!idle_gaps_were_watched(platform)) {
        return;
    }
    textbuf_string(out, "<p>");
    html_escape_start(&escape, out);
    idle_gaps_sentence(&escape.text, platform);
    textbuf_string(&escape.text, "; ");
    idle_gaps_histogram(&escape.text, platform);
    textbuf_string(&escape.text, ".");
    html_escape_end(&escape);
    textbuf_string(out, "</p>\n");
}

static void refused_line(const struct platform *platform, uint32_t first, struct textbuf *out)
{
    struct html_escape escape;

    textbuf_string(out, "<li>");
    html_escape_start(&escape, out);
    idle_refused_line(&escape.text, platform, first);
    html_escape_end(&escape);
    textbuf_string(out, "</li>\n");
}

static void not_timed(const struct platform *platform, struct textbuf *out)
{
    struct idle_refused refused;

    idle_refused_fold(platform, &refused);
    if (refused.count > 0) {
        html_heading(out, "Not timed");
        textbuf_string(out, "<ul>\n");
        for (uint32_t i = 0; i < refused.count; i++) {
            refused_line(platform, refused.first[i], out);
        }
        textbuf_string(out, "</ul>\n");
    }
    if (refused.beyond > 0) {
        html_note(out, "%u more are named in report.json.", refused.beyond);
    }
    if (platform->idle_skipped != NULL) {
        html_absent_printf(out, "Not timed: %s.", platform->idle_skipped);
    }
}

void report_html_idle(const struct report *report, struct textbuf *out)
{
    const struct platform *platform = report->platform;

    html_heading(out, "Claimed");
    claimed(platform, out);
    html_heading(out, "Measured");
    if (platform->is_emulated && platform->idle_count > 0) {
        html_paragraph(out, "An emulator's or hypervisor's figures: they say nothing about "
                            "silicon.");
    }
    if (platform->idle_count > 0) {
        report_html_idle_picture(platform, out);
        ways_table(platform, out);
        timed_table(platform, out);
        heat_maps(platform, out);
        second_read(platform, out);
    }
    gaps(platform, out);
    not_timed(platform, out);
}
