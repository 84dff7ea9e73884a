/* What Linux makes of this firmware (model/linux), as findings. They judge nothing that other rules do not: they
 * tell a person what he will see. */
#include "model/linux/view.h"
#include "rules/judge.h"
#include "rules/subjects.h"

static const struct linux_view *chosen_view(const struct judge *judge)
{
    const struct linux_views *views = judge->platform->linux_views;

    return views != NULL && views->count != 0 ? &views->views[0] : NULL;
}

static void starts_without_complaint(struct judge *judge)
{
    const struct linux_view *view = chosen_view(judge);

    if (view == NULL) {
        judge_skip(judge, "no kernel's view was computed");
        return;
    }
    for (uint32_t i = 0; i < view->messages_count; i++) {
        const struct linux_message *message = &view->messages[i];
        struct judge_text expected;

        if (message->level == LINUX_LEVEL_INFO) {
            continue;
        }
        judge_note(judge, judge_text(&expected, "no message of Linux %s", view->version_text),
                   "%s \"%s\", %u time%s: %s", linux_level_name(message->level), message->text,
                   message->cpus, message->cpus == 1 ? "" : "s", message->meaning);
    }
}

static void full_load_reaches_p0(struct judge *judge)
{
    const struct linux_view *view = chosen_view(judge);
    const struct linux_governor *governor;
    struct judge_text expected;

    if (view == NULL || view->governor.no_runs_why != NULL) {
        judge_skip(judge, "no kernel's view, or schedutil does not run in it");
        return;
    }
    governor = &view->governor;
    if (governor->is_trap) {
        judge_note(
            judge,
            judge_text(&expected, "schedutil of Linux %s at full load back at P0",
                       view->version_text),
            "stays below P0: its maximum is %lu kHz, utilisation is measured by %lu kHz; from "
            "P0 it falls to the lowest row up to utilisation %u of 1024",
            governor->reference_khz, governor->invariance_khz, governor->falls_to_lowest_below);
    }
}

const struct rule linux_rules[] = {
    {
        .id = "LIN-001",
        .title = "Linux starts on this firmware without a complaint",
        .spec = "Linux 6.12, the messages of drivers/acpi, drivers/cpufreq and arch/x86 in dmesg",
        .why = "These lines appear in the log of every user and are taken for a broken machine.",
        .advice = "See the finding of the object that the message names; --linux chooses the "
                  "release.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = starts_without_complaint,
        .object = "dmesg",
    },
    {
        .id = "LIN-002",
        .title = "A fully loaded CPU comes back to P0 under this Linux",
        .spec = "Linux 6.12, kernel/sched/cpufreq_schedutil.c get_next_freq; commit 41ea667227ba",
        .why =
            "Where utilisation is measured by more than the governor can ask for, a CPU that once "
            "left P0 stays slow under full load.",
        .advice = "Give nominal_freq in _CPC the frequency of P0, or use a Linux that raises "
                  "cpuinfo.max by it (5.11, 5.12 or later; not 6.14 and 6.15).",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = full_load_reaches_p0,
        .object = "schedutil",
    },
    {.id = NULL},
};
