#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

/* Runs that did not come to their end: what the journal on the medium remembers. */

static void judge_step(struct judge *judge, const struct interrupted *one)
{
    bool is_part = strstr(one->step, ": ") != NULL;

    judge->object = one->step;
    if (one->was_left_out && is_part) {
        judge_fail(judge, "the machine comes back",
                   "two runs ended here (hang or reset); left out this time");
    } else if (one->was_left_out) {
        judge_warn(judge, "the machine comes back",
                   "an earlier run ended here (hang, reset or power cut); left out this time");
    } else {
        judge_warn(judge, "the machine comes back",
                   "an earlier run ended here (hang, reset or power cut); this one went on");
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

const struct rule run_rules[] = {
    {
        .id = "RUN-001",
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
    {.id = NULL},
};
