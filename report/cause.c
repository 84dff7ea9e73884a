#include "report/cause.h"

#include "model/idle_booking.h"
#include "report/figure.h"
#include "report/governor_input.h"

/* What the governor asks for when the CPU is fully loaded in the row below P0: the first step of the loop. Not
 * inlined: with its callers it would need more stack than one function may. */
static __attribute__((noinline)) void say_step(const struct linux_view *view, struct textbuf *out)
{
    uint64_t row_khz[GOVERNOR_INPUT_ROWS];
    struct governor_input input;
    struct governor_run run;
    char current[FIGURE_BYTES];
    char target[FIGURE_BYTES];

    if (!governor_input_of_view(view, row_khz, &input) || input.p0_row + 1 >= input.rows_count) {
        return;
    }
    input.start_row = input.p0_row + 1;
    input.util = GOVERNOR_CAPACITY;
    governor_run(&input, &run);
    if (run.steps_count == 0) {
        return;
    }
    textbuf_printf(
        out,
        "A fully loaded CPU at %s therefore counts as %u %% busy, the governor asks for %s, "
        "and stays where it is. ",
        figure_mhz(run.steps[0].current_khz, current), run.steps[0].util * 100 / GOVERNOR_CAPACITY,
        figure_mhz(run.steps[0].target_khz, target));
}

static void say_trap(const struct linux_view *view, struct textbuf *out)
{
    const struct linux_governor *governor = &view->governor;
    const struct linux_table *table = &view->table;
    char asked[FIGURE_BYTES];
    char scale[FIGURE_BYTES];
    char lowest[FIGURE_BYTES];

    textbuf_printf(
        out,
        "Linux %s, %s with schedutil: a CPU that once leaves P0 never comes back, however "
        "loaded. Frequency invariance (%s) scales utilisation by %s, but cpuinfo.max_freq, "
        "the most that schedutil can ask for, is %s: the frequency table knows no boost. ",
        view->version_text, view->scaling_driver, view->invariance.method,
        figure_mhz(governor->invariance_khz, scale), figure_mhz(governor->reference_khz, asked));
    say_step(view, out);
    if (table->count > 0) {
        textbuf_printf(out, "From P0, loads up to %u %% end in the lowest row, %s.",
                       governor->falls_to_lowest_below * 100 / GOVERNOR_CAPACITY,
                       figure_mhz(table->rows[table->count - 1].khz, lowest));
    }
}

static void say_cure(const struct linux_remedies *remedies, struct textbuf *out)
{
    char boost[FIGURE_BYTES];

    textbuf_printf(out,
                   "Cure: a maximum that contains the boost clock, %s = P0 x %llu/1024: one more "
                   "row in front of P0, as Linux 5.11 has it, or a cpuinfo.max_freq above the "
                   "table, as Linux 5.12 has it.",
                   figure_mhz(remedies->boost_khz, boost),
                   (unsigned long long)remedies->boost_ratio_1024);
}

/* A second read that only costs, with what it costs. */
static void say_dummy(const struct dummy_judgement *judgement, struct textbuf *out)
{
    const struct idle_sample_set *set = judgement->with;
    char cost[FIGURE_BYTES];
    char crowd[FIGURE_BYTES];
    char asked[FIGURE_BYTES];
    char booked[FIGURE_BYTES];
    char true_time[FIGURE_BYTES];

    textbuf_printf(
        out,
        "%s by port 0x%X: acpi_idle's dummy wait, the PM-timer read after the C-state port "
        "(Linux before 6.0 does it on every CPU, later only on Intel's), is harmful here: "
        "%s. It costs %s a sleep",
        set->state, set->port, judgement->why, figure_time(judgement->cost_ns, cost));
    if (judgement->crowd_cpus != 0) {
        textbuf_printf(out, ", %s when %u CPUs read at once",
                       figure_time(judgement->crowd_cost_ns, crowd), judgement->crowd_cpus);
    }
    textbuf_printf(
        out,
        ", all of it booked as idle time: for a sleep of %s the kernel books %s, of which "
        "%s%s were sleep.",
        figure_time(set->requested_ns, asked), figure_time(judgement->booking.booked_ns, booked),
        judgement->booking.is_at_most ? "at most " : "",
        figure_time(judgement->booking.true_ns, true_time));
    if (judgement->sleeps_until_wrong != 0) {
        textbuf_printf(out, " After %u sleeps of %s the menu governor chooses this state wrongly.",
                       judgement->sleeps_until_wrong,
                       figure_time(judgement->wrong_length_ns, asked));
    }
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

/* The view that is shown first, where its governor is caught; NULL otherwise. */
static const struct linux_view *caught_view(const struct platform *platform)
{
    const struct linux_views *views = platform->linux_views;
    bool is_trap = views != NULL && views->count > 0 && views->views[0].governor.is_trap;

    return is_trap ? &views->views[0] : NULL;
}

bool cause_write(const struct platform *platform, enum cause_part part, struct textbuf *out)
{
    const struct linux_view *caught = caught_view(platform);
    struct dummy_judgement harmful;

    if (part == CAUSE_DUMMY) {
        if (!find_harmful(platform, &harmful)) {
            return false;
        }
        say_dummy(&harmful, out);
        return true;
    }
    if (caught == NULL) {
        return false;
    }
    if (part == CAUSE_TRAP) {
        say_trap(caught, out);
        return true;
    }
    if (platform->linux_views->remedies.none_why != NULL) {
        return false;
    }
    say_cure(&platform->linux_views->remedies, out);
    return true;
}

bool cause_is_any(const struct platform *platform)
{
    char text[CAUSE_BYTES];
    struct textbuf out;
    bool is_any = false;

    for (unsigned part = 0; part < CAUSE_PARTS && !is_any; part++) {
        textbuf_init(&out, text, sizeof(text), NULL, NULL);
        is_any = cause_write(platform, (enum cause_part)part, &out);
    }
    return is_any;
}
