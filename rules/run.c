#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

/* Runs that did not come to their end: what the journal on the medium remembers. */

/* Whether a run ended in the whole of which this step is a part: the part was tried alone, and ended the next. */
static bool has_ended_twice(const struct platform *platform, const struct interrupted *one)
{
    for (uint32_t i = 0; i < platform->interrupted_count; i++) {
        const char *other = platform->interrupted[i].step;
        size_t length = strlen(other);

        if (strncmp(other, one->step, length) == 0 && one->step[length] == ':') {
            return true;
        }
    }
    return false;
}

static void judge_step(struct judge *judge, const struct interrupted *one)
{
    const char *of = one->run_of == NULL ? "" : " of ";
    const char *time = one->run_of == NULL ? "" : one->run_of;

    judge->object = one->step;
    if (one->was_left_out && has_ended_twice(judge->platform, one)) {
        judge_fail(judge, "the machine comes back",
                   "two runs ended here (hang or reset)%s%s; left out this time",
                   *time == '\0' ? "" : ", the last of ", time);
    } else if (one->was_left_out) {
        judge_warn(judge, "the machine comes back",
                   "an earlier run%s%s ended here (hang, reset or power cut); left out this time",
                   of, time);
    } else {
        judge_warn(judge, "the machine comes back",
                   "an earlier run%s%s ended here (hang, reset or power cut); this one went on", of,
                   time);
    }
    judge->object = NULL;
}

static void steps_come_back(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (!platform_is_firsthand(platform)) {
        judge_skip(judge, "a dump: no run on the machine");
        return;
    }
    for (uint32_t i = 0; i < platform->interrupted_count; i++) {
        judge_step(judge, &platform->interrupted[i]);
    }
}

static void no_nmi(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (!platform_is_firsthand(platform)) {
        judge_skip(judge, "a dump: no run on the machine");
    } else if (platform->nmi_count > 0) {
        judge_warn(judge, "none", "%llu on the boot CPU", (unsigned long long)platform->nmi_count);
    }
}

const struct rule run_rules[] = {
    {
        .id = "RUN-001",
        .is_of_run = true,
        .title = "Every step of a run on this machine comes back",
        .spec = "Assay, journal of the run",
        .why = "What hangs or resets the machine here may do so under an operating system.",
        .advice =
            "Look at the object or register that the step names; the next run tries all again.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_machine,
        .judge_machine = steps_come_back,
        .object = "run",
    },
    {
        .id = "RUN-002",
        .is_of_run = true,
        .title = "No non-maskable interrupt comes during a run",
        .spec = "Intel SDM vol. 3, 6.3.1 External Interrupts; 6.7 Nonmaskable Interrupt (NMI)",
        .why =
            "An NMI tells of a hardware error, or a watchdog or debug button that somebody uses.",
        .advice = "Look into the machine's event log (IPMI SEL, WHEA).",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = no_nmi,
        .object = "NMI",
    },
    {.id = NULL},
};
