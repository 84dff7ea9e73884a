#include "model/idle_booking.h"
#include "report/report_html_governor.h"
#include "report/report_html_parts.h"

/* What a user of this machine will feel, and why, in a sentence or two before any list. */

/* What the governor asks for when the CPU is fully loaded in the row below P0: the first step of the loop. Not
 * inlined: with its callers it would need more stack than one function may. */
static __attribute__((noinline)) void say_step(const struct linux_view *view, struct textbuf *out)
{
    uint64_t row_khz[GOVERNOR_INPUT_ROWS];
    struct governor_input input;
    struct governor_run run;
    char current[HTML_MHZ_BYTES];
    char target[HTML_MHZ_BYTES];

    if (!report_html_governor_input(view, row_khz, &input) ||
        input.p0_row + 1 >= input.rows_count) {
        return;
    }
    input.start_row = input.p0_row + 1;
    input.util = GOVERNOR_CAPACITY;
    governor_run(&input, &run);
    if (run.steps_count == 0) {
        return;
    }
    html_printf(
        out,
        "A fully loaded CPU at %s therefore counts as %u %% busy, the governor asks for %s, "
        "and stays where it is. ",
        report_html_mhz(run.steps[0].current_khz, current),
        run.steps[0].util * 100 / GOVERNOR_CAPACITY,
        report_html_mhz(run.steps[0].target_khz, target));
}

static void say_trap(const struct linux_view *view, struct textbuf *out)
{
    const struct linux_governor *governor = &view->governor;
    const struct linux_table *table = &view->table;
    char asked[HTML_MHZ_BYTES];
    char scale[HTML_MHZ_BYTES];
    char lowest[HTML_MHZ_BYTES];

    textbuf_string(out, "<p>");
    html_printf(out,
                "Linux %s, %s with schedutil: a CPU that once leaves P0 never comes back, however "
                "loaded. Frequency invariance (%s) scales utilisation by %s, but cpuinfo.max_freq, "
                "the most that schedutil can ask for, is %s: the frequency table knows no boost. ",
                view->version_text, view->scaling_driver, view->invariance.method,
                report_html_mhz(governor->invariance_khz, scale),
                report_html_mhz(governor->reference_khz, asked));
    say_step(view, out);
    if (table->count > 0) {
        html_printf(out, "From P0, loads up to %u %% end in the lowest row, %s.",
                    governor->falls_to_lowest_below * 100 / GOVERNOR_CAPACITY,
                    report_html_mhz(table->rows[table->count - 1].khz, lowest));
    }
    textbuf_string(out, "</p>\n");
}

static void say_cure(const struct linux_remedies *remedies, struct textbuf *out)
{
    char boost[HTML_MHZ_BYTES];

    textbuf_string(out, "<p>");
    if (remedies->none_why == NULL) {
        html_printf(out,
                    "Cure: a maximum that contains the boost clock, %s = P0 x %llu/1024, as Linux "
                    "5.11 and 5.12 and later have it: one more row in front of P0, or a "
                    "cpuinfo.max_freq above the table.",
                    report_html_mhz(remedies->boost_khz, boost),
                    (unsigned long long)remedies->boost_ratio_1024);
    }
    textbuf_string(out, " <a href=\"#governor\">The loop, step by step</a></p>\n");
}

/* A second read that only costs, with what it costs. */
static void say_dummy(const struct dummy_judgement *judgement, struct textbuf *out)
{
    const struct idle_sample_set *set = judgement->with;
    char cost[HTML_TIME_BYTES];
    char crowd[HTML_TIME_BYTES];
    char asked[HTML_TIME_BYTES];
    char booked[HTML_TIME_BYTES];
    char true_time[HTML_TIME_BYTES];

    textbuf_string(out, "<p>");
    html_printf(out,
                "%s by port 0x%X: acpi_idle's dummy wait, the PM-timer read after the C-state port "
                "(Linux before 6.0 does it on every CPU, later only on Intel's), is harmful here: "
                "%s. It costs %s a sleep",
                set->state, set->port, judgement->why, report_html_time(judgement->cost_ns, cost));
    if (judgement->crowd_cpus != 0) {
        html_printf(out, ", %s when %u CPUs read at once",
                    report_html_time(judgement->crowd_cost_ns, crowd), judgement->crowd_cpus);
    }
    html_printf(out,
                ", all of it booked as idle: of a sleep of %s the kernel books %s where %s%s are "
                "true.",
                report_html_time(set->requested_ns, asked),
                report_html_time(judgement->booking.booked_ns, booked),
                judgement->booking.is_at_most ? "at most " : "",
                report_html_time(judgement->booking.true_ns, true_time));
    if (judgement->sleeps_until_wrong != 0) {
        html_printf(out, " After %u sleeps of %s the menu governor chooses this state wrongly.",
                    judgement->sleeps_until_wrong,
                    report_html_time(judgement->wrong_length_ns, asked));
    }
    textbuf_string(out, " <a href=\"#idle\">The measurement</a></p>\n");
}

static bool find_harmful(const struct platform *platform, struct dummy_judgement *ret_judgement)
{
    for (uint32_t i = 0;
         !platform->is_emulated && platform->tsc_hz != 0 && idle_dummy_next(platform, &i); i++) {
        idle_dummy_judge(platform, i, ret_judgement);
        if (ret_judgement->verdict == DUMMY_HARMFUL) {
            return true;
        }
    }
    return false;
}

void report_html_cause(const struct platform *platform, struct textbuf *out)
{
    const struct linux_views *views = platform->linux_views;
    bool is_trap = views != NULL && views->count > 0 && views->views[0].governor.is_trap;
    struct dummy_judgement harmful;
    bool is_harmful = find_harmful(platform, &harmful);

    if (!is_trap && !is_harmful) {
        return;
    }
    textbuf_string(out, "<div class=\"cause\"><h2>What a user will feel</h2>\n");
    if (is_trap) {
        say_trap(&views->views[0], out);
        say_cure(&views->remedies, out);
    }
    if (is_harmful) {
        say_dummy(&harmful, out);
    }
    textbuf_string(out, "</div>\n");
}
