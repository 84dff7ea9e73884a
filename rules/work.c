#include "model/freq.h"
#include "rules/judge.h"
#include "rules/subjects.h"

/* Work and energy: drivers/freq_work.c. */

static void results_are_right(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (platform->work_count == 0) {
        judge_skip(judge, "no work was measured");
        return;
    }
    for (uint32_t i = 0; i < platform->work_count; i++) {
        const struct work_sample *sample = &platform->work[i];

        if (!sample->is_wrong) {
            continue;
        }
        if (sample->pss_index == FREQ_NO_ROW) {
            judge_fail(judge, "the result that the kernel always has",
                       "another in the %s kernel on %u cores of package %u",
                       work_kernel_name(sample->kernel), sample->active, sample->package);
        } else {
            judge_fail(judge, "the result that the kernel always has",
                       "another in the %s kernel under row %u of _PSS on %u cores of package %u",
                       work_kernel_name(sample->kernel), sample->pss_index, sample->active,
                       sample->package);
        }
    }
}

const struct rule work_rules[] = {
    {
        .id = "WRK-001",
        .title = "Fixed work has the same result at every frequency",
        .spec = "Assay, docs/measuring.md, Work and energy",
        .why = "A clock or voltage that the silicon does not stand corrupts data silently.",
        .advice = "Correct voltage and frequency of the row; run without overclocking.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_machine,
        .judge_machine = results_are_right,
        .object = "kernels",
    },
    {.id = NULL},
};
