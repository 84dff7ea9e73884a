#pragma once

#include "acpi/engine.h"
#include "drivers/hw.h"
#include "drivers/timing.h"
#include "model/build_info.h"
#include "model/finding.h"
#include "model/linux/version.h"
#include "model/platform.h"
#include "model/step.h"

/*
 * Collect, freeze, judge: the order of a run, the same in firmware and on the host. This layer only calls
 * the others; it decides nothing about the machine.
 */
struct pipeline {
    const struct hw *hw;
    const struct timing *timing;    /* NULL: no timed measurements (host) */
    const struct timing_crew *crew; /* the timing cores of all CPUs; NULL: the boot CPU's alone */
    /* Its hw is what AML and _CPC registers go through, so that they can be recorded; NULL: hw above. */
    struct engine_config engine;
    const struct options *options;
    struct arena *arena;
    const struct platform
        *samples; /* frequencies recorded by somebody else: model/record.h; NULL: none */
    const struct platform *recorded; /* of a replay: what is not evaluated again, model/record.h */
    enum platform_source source;
    const char *source_name;
    struct step_listener steps; /* is told each step before it runs */
    /* Within a long step: what is under way, and about how many seconds are left; may be NULL. False: a person
     * ends the step here. */
    bool (*note)(void *context, const char *what, uint64_t left_s);
    void *note_context;
};

/* Collects into an initialised platform, then freezes it. NOT_FOUND: there are no ACPI tables; the rest was
 * collected all the same and the report says so. */
enum status pipeline_collect(const struct pipeline *pipeline, struct platform *platform) MUST_CHECK;

/* Freezes the platform and derives what the reports show beside the facts; the kernel `first` leads. What is derived
 * anew belongs here, so that a stored report (host/rebuild.h) is shown with it too. */
void pipeline_derive(struct platform *platform, struct linux_version first);

/* At most how many steps pipeline_collect will name. */
uint32_t pipeline_step_count(const struct pipeline *pipeline);

/* Runs the rules into freshly initialised findings and sorts them. */
enum status pipeline_judge(const struct platform *platform, struct findings *findings) MUST_CHECK;

/* interfaces.md, exit status: 0 no FAIL, 1 at least one FAIL. */
int pipeline_exit_status(const struct findings *findings);
