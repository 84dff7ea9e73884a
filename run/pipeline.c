#include "run/pipeline.h"

#include "drivers/apic_id.h"
#include "drivers/clocks.h"
#include "drivers/cpc_read.h"
#include "drivers/cpu_collect.h"
#include "drivers/frequency_measure.h"
#include "drivers/idle_measure.h"
#include "drivers/tsc_sync.h"
#include "model/columns.h"
#include "model/linux/view.h"
#include "model/numbering.h"
#include "model/record.h"
#include "model/windows.h"
#include "rules/rule.h"

#include <stddef.h>

/* What the engine names itself: finding, loading, listing; and the handshake, at most. */
#define ENGINE_OPEN_STEPS 3U
#define ENGINE_HANDSHAKE_STEPS 3U

/* Whether a step may run: not when an earlier run did not come back from it. */
static bool may_run(const struct pipeline *pipeline, const char *name, enum step_kind kind)
{
    const struct step step = {.name = name, .object = "", .part = "", .kind = kind};

    return step_announce(&pipeline->steps, &step) == STEP_RUN;
}

/* Groups that stand on the processor objects: clocks alone need only the FADT. */
static bool needs_objects(const struct options *options)
{
    return (options->run & ~(uint32_t)RUN_CLOCKS) != 0;
}

/* Whether a timed group is to run; with the reason when not. */
static bool may_time(const struct pipeline *pipeline, enum run_group group, const char *not_asked,
                     const char **ret_why)
{
    if (pipeline->timing == NULL) {
        *ret_why = "no timed measurements are possible here";
    } else if ((pipeline->options->run & (uint32_t)group) == 0) {
        *ret_why = not_asked;
    } else {
        return true;
    }
    return false;
}

static bool may_time_idle(const struct pipeline *pipeline, const char **ret_why)
{
    return may_time(pipeline, RUN_IDLE, "group idle was not asked for (--run)", ret_why);
}

static bool may_time_frequency(const struct pipeline *pipeline, const char **ret_why)
{
    return may_time(pipeline, RUN_FREQUENCY, "group frequency was not asked for (--run)", ret_why);
}

static const struct hw *objects_hw(const struct pipeline *pipeline)
{
    return pipeline->engine.hw == NULL ? pipeline->hw : pipeline->engine.hw;
}

static struct engine_config engine_of(const struct pipeline *pipeline)
{
    struct engine_config engine = pipeline->engine;

    engine.hw = objects_hw(pipeline);
    engine.arena = pipeline->arena;
    engine.options = pipeline->options;
    engine.policy = pipeline->options->is_read_only ? POLICY_READ_ONLY : POLICY_OS;
    engine.steps = pipeline->steps;
    return engine;
}

static void collect_objects(const struct pipeline *pipeline, struct platform *platform)
{
    engine_evaluate(platform);
    if (may_run(pipeline, "read _CPC registers", STEP_WHOLE)) {
        cpc_read_all(objects_hw(pipeline), platform);
    }
}

/* Times in nanoseconds need the TSC's rate. */
static bool wants_clocks(const struct pipeline *pipeline)
{
    return (pipeline->options->run & (uint32_t)RUN_CLOCKS) != 0 || pipeline->timing != NULL;
}

/* The boot CPU tells its own id; of a record it is the one in its CPUID leaves. */
static uint32_t boot_apic_id(const struct pipeline *pipeline)
{
    bool is_known = pipeline->hw->is_live || pipeline->recorded != NULL;

    return is_known ? apic_id_read(pipeline->hw) : NUMBERING_BOOT_UNKNOWN;
}

static void time_idle(const struct pipeline *pipeline, struct platform *platform)
{
    const struct idle_measure measure = {.hw = pipeline->hw,
                                         .timing = pipeline->timing,
                                         .crew = pipeline->crew,
                                         .progress = pipeline->note,
                                         .progress_context = pipeline->note_context,
                                         .steps = &pipeline->steps};

    idle_measure(&measure, platform);
}

/* A timed group's step: NULL when it may run, else why it does not. */
static const char *announce_timed(const struct pipeline *pipeline, const char *name)
{
    const struct step step = {.name = name, .object = "", .part = "", .kind = STEP_TIMED};
    const char *why;

    switch (step_announce(&pipeline->steps, &step)) {
    case STEP_LEAVE_OUT:
        why = step_left_out(&pipeline->steps, &step);
        return why == NULL ? STEP_LEFT_OUT_WHY : why;
    case STEP_STOPPED:
        return STEP_STOPPED_WHY;
    case STEP_RUN:
    case STEP_RUN_IN_PARTS:
    default:
        return NULL;
    }
}

static void measure_frequency(const struct pipeline *pipeline, struct platform *platform)
{
    const struct frequency_measure measure = {.hw = pipeline->hw,
                                              .timing = pipeline->timing,
                                              .crew = pipeline->crew,
                                              .progress = pipeline->note,
                                              .progress_context = pipeline->note_context,
                                              .steps = &pipeline->steps};
    const char *why = NULL;

    if (may_time_frequency(pipeline, &why)) {
        why = announce_timed(pipeline, FREQUENCY_MEASURE_STEP);
    }
    if (why == NULL) {
        frequency_measure(&measure, platform);
    } else {
        platform->freq_skipped = why;
    }
}

static void collect_timed(const struct pipeline *pipeline, struct platform *platform)
{
    const char *why = NULL;

    if (wants_clocks(pipeline) && may_run(pipeline, "measure clocks", STEP_WHOLE)) {
        clocks_collect(pipeline->hw, platform);
    }
    if ((pipeline->options->run & (uint32_t)RUN_CLOCKS) != 0 && pipeline->hw->is_live &&
        may_run(pipeline, "compare the TSCs of all CPUs", STEP_WHOLE)) {
        tsc_sync_measure(pipeline->hw, platform);
    }
    measure_frequency(pipeline, platform);
    if (may_time_idle(pipeline, &why)) {
        why = announce_timed(pipeline, IDLE_MEASURE_STEP);
    }
    if (why == NULL) {
        time_idle(pipeline, platform);
    } else {
        platform->idle_skipped = why;
    }
}

/* Between the tables and the objects: who the CPUs are, and what the firmware answers to an OS. */
static void collect_cpus(const struct pipeline *pipeline, bool has_namespace,
                         struct platform *platform)
{
    uint32_t boot = boot_apic_id(pipeline);

    numbering_assign(platform, boot);
    if (has_namespace && needs_objects(pipeline->options)) {
        engine_handshake(platform);
        numbering_assign(platform, boot);
    }
    if (may_run(pipeline, "read CPUID and MSRs", STEP_WHOLE)) {
        cpu_collect_all(pipeline->hw, platform);
    } else {
        platform->mp_note = STEP_LEFT_OUT_WHY;
    }
}

uint32_t pipeline_step_count(const struct pipeline *pipeline)
{
    const char *why;
    uint32_t steps = 2 + ENGINE_OPEN_STEPS; /* the boot CPU; CPUID and MSRs */

    if (needs_objects(pipeline->options)) {
        /* Each object twice, without and with repair, and the _CPC registers. */
        steps += ENGINE_HANDSHAKE_STEPS + 2 * (uint32_t)OBJECT_KINDS + 1;
    }
    steps += wants_clocks(pipeline) ? 1U : 0U;
    steps += may_time_frequency(pipeline, &why) ? 1U : 0U;
    /* The boot CPU, then the others. */
    steps += may_time_idle(pipeline, &why) ? 2U : 0U;
    return steps;
}

void pipeline_derive(struct platform *platform, struct linux_version first)
{
    platform_freeze(platform);
    linux_views_compute(platform, first);
    windows_view_compute(platform);
    columns_compute(platform);
}

enum status pipeline_collect(const struct pipeline *pipeline, struct platform *platform)
{
    struct engine_config engine = engine_of(pipeline);
    enum status status;

    platform->source = pipeline->source;
    platform->source_name = pipeline->source_name;
    (void)may_run(pipeline, "identify the boot CPU", STEP_NEEDED);
    cpu_collect_boot(pipeline->hw, platform);
    status = engine_open(&engine, platform);
    collect_cpus(pipeline, status == STATUS_OK, platform);
    if (status == STATUS_OK && needs_objects(pipeline->options)) {
        collect_objects(pipeline, platform);
    }
    if (pipeline->recorded != NULL) {
        record_apply(pipeline->recorded, platform);
    } else {
        collect_timed(pipeline, platform);
    }
    if (pipeline->samples != NULL && platform->freq_count == 0) {
        record_apply_frequencies(pipeline->samples, platform);
    }
    pipeline_derive(platform, linux_views_version(platform));
    if (pipeline->arena->failures > 0 && platform->incomplete == NULL) {
        platform->incomplete = "memory ran out: what is missing here may be there";
    }
    engine_close();
    return status;
}

enum status pipeline_judge(const struct platform *platform, struct findings *findings)
{
    if (findings->items == NULL) {
        return STATUS_NO_MEMORY;
    }
    rules_run(platform, findings);
    findings_sort(findings);
    return findings->dropped == 0 ? STATUS_OK : STATUS_FULL;
}

int pipeline_exit_status(const struct findings *findings)
{
    return findings_totals(findings).by_verdict[VERDICT_FAIL] == 0 ? 0 : 1;
}
