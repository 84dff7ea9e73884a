#include "acpi/evaluate.h"

#include "acpi/call.h"
#include "acpi/guard.h"
#include "acpi/object_sets.h"
#include "acpi/processors.h"
#include "acpi/repair.h"
#include "acpi/scratch.h"
#include "model/objects.h"

#include <string.h>

/* Every timeout of one kind of object halves the time its next evaluation gets, down to this: a loop that
 * never ends on a machine of 1024 processors shall not take an hour. */
#define SHORTEST_BUDGET_MS 20U

struct evaluation {
    const struct engine_config *config;
    struct platform *platform;
    enum object_kind kind;
    uint32_t budget_ms; /* 0: the configured one */
    struct step step;   /* the pass over all processors that is under way */
    enum step_answer answer;
};

/* ACPI 6.5, 8.4: the names, in the order of enum object_kind. */
static const char *const names[OBJECT_KINDS] = {"_PSS", "_PCT", "_PPC", "_PSD",
                                                "_CPC", "_CST", "_CSD", "_LPI"};

/* Of an object that an earlier run did not come back from: it is never called again in this run. */
static const char left_out_error[] = "left out: an earlier run ended here";

static bool is_timeout(const char *error)
{
    return error != NULL && (strcmp(error, "AE_AML_LOOP_TIMEOUT") == 0 ||
                             strcmp(error, "AE_TIME") == 0 || strcmp(error, AML_ERROR_SLEEPS) == 0);
}

static void shorten(struct evaluation *evaluation)
{
    uint32_t budget_ms =
        evaluation->budget_ms == 0 ? 1000 * guard_budget_s() : evaluation->budget_ms;

    budget_ms /= 2;
    evaluation->budget_ms = budget_ms < SHORTEST_BUDGET_MS ? SHORTEST_BUDGET_MS : budget_ms;
}

static void call(struct evaluation *evaluation, uint32_t index, bool is_as_linux,
                 struct call_reply *ret_reply)
{
    struct arena *arena = evaluation->config->arena;
    struct call call = {.scope = processors_handle(index),
                        .path = evaluation->platform->processors[index].path,
                        .name = names[evaluation->kind],
                        .is_as_linux = is_as_linux,
                        .budget_ms = evaluation->budget_ms};

    call_evaluate(&call, scratch_empty(), arena, ret_reply);
    if (ret_reply->is_too_large) {
        /* It does not fit into scratch memory; once more into the arena. */
        call_evaluate(&call, arena, arena, ret_reply);
    }
    if (is_timeout(ret_reply->error)) {
        shorten(evaluation);
    }
}

static void evaluate_raw(struct evaluation *evaluation, uint32_t index)
{
    struct object_result *result =
        &evaluation->platform->processors[index].objects[evaluation->kind];
    struct call_reply reply;
    struct object_entry *entry;

    memset(result, 0, sizeof(*result));
    call(evaluation, index, false, &reply);
    result->avail = reply.avail;
    result->error = reply.error;
    result->error_path = reply.error_path;
    result->hardware_reads = reply.hardware_reads;
    result->hardware_writes = reply.hardware_writes;
    result->denied = reply.denied;
    result->unrecorded = reply.unrecorded;
    if (reply.avail == AVAIL_PRESENT && reply.value.type == AML_NULL) {
        result->avail = AVAIL_FAULTED;
        result->error = "AE_AML_NO_RETURN_VALUE";
    }
    if (result->avail != AVAIL_PRESENT) {
        return;
    }
    entry = object_sets_take(evaluation->kind, false, &reply.value);
    if (entry == NULL) {
        result->avail = AVAIL_FAULTED;
        result->error = "AE_NO_MEMORY";
        evaluation->platform->incomplete = "memory ran out while evaluating ACPI objects";
        return;
    }
    result->set = &entry->set;
}

/* Fills what repair makes of a raw set, from the processor that has it. */
static void learn_repair(struct evaluation *evaluation, uint32_t index, struct object_entry *entry)
{
    struct call_reply reply;
    struct object_entry *repaired;

    entry->is_repair_known = true;
    entry->repair = REPAIR_UNSAFE;
    if (!repair_is_safe(evaluation->kind, entry->set.raw)) {
        return;
    }
    call(evaluation, index, true, &reply);
    entry->repair = REPAIR_FAILED;
    entry->repair_error = reply.error;
    if (reply.avail != AVAIL_PRESENT) {
        return;
    }
    entry->repair = REPAIR_SAME;
    if (aml_value_equal(entry->set.raw, &reply.value)) {
        return;
    }
    repaired = object_sets_take(evaluation->kind, true, &reply.value);
    if (repaired != NULL) {
        entry->repair = REPAIR_CHANGED;
        entry->repaired = &repaired->set;
    }
}

/* An evaluation that failed without repair may give something with it: a missing return value is one such
 * case. One that took too long is not tried again. */
static void try_rescue(struct evaluation *evaluation, uint32_t index, struct object_result *result)
{
    struct call_reply reply;
    struct object_entry *repaired;

    if (is_timeout(result->error) || result->error == left_out_error) {
        return;
    }
    call(evaluation, index, true, &reply);
    if (reply.avail != AVAIL_PRESENT || reply.value.type == AML_NULL) {
        return;
    }
    repaired = object_sets_take(evaluation->kind, true, &reply.value);
    if (repaired != NULL) {
        result->repair = REPAIR_RESCUED;
        result->repaired = &repaired->set;
    }
}

static void evaluate_repaired(struct evaluation *evaluation, uint32_t index)
{
    struct object_result *result =
        &evaluation->platform->processors[index].objects[evaluation->kind];
    struct object_entry *entry;

    if (result->avail == AVAIL_FAULTED) {
        try_rescue(evaluation, index, result);
    }
    if (result->avail != AVAIL_PRESENT) {
        return;
    }
    entry = object_sets_entry(result->set);
    if (!entry->is_repair_known) {
        learn_repair(evaluation, index, entry);
    }
    result->repair = entry->repair;
    result->repaired = entry->repaired;
    result->repair_error = entry->repair_error;
}

/* One by one where an earlier run did not come back from the whole: so the processor that hangs is found. */
static bool may_evaluate(const struct evaluation *evaluation, uint32_t index)
{
    struct step step = evaluation->step;

    if (evaluation->answer != STEP_RUN_IN_PARTS) {
        return evaluation->answer == STEP_RUN;
    }
    step.part = evaluation->platform->processors[index].path;
    return step_announce(&evaluation->config->steps, &step) == STEP_RUN;
}

/* Not absent, and no value either: what hung the machine failed. */
static void leave_out(struct evaluation *evaluation, uint32_t index)
{
    struct object_result *result =
        &evaluation->platform->processors[index].objects[evaluation->kind];

    memset(result, 0, sizeof(*result));
    result->avail = AVAIL_FAULTED;
    result->error = left_out_error;
}

typedef void (*evaluate_one)(struct evaluation *evaluation, uint32_t index);

static void for_all(struct evaluation *evaluation, evaluate_one evaluate, evaluate_one otherwise)
{
    struct platform *platform = evaluation->platform;

    for (unsigned is_enabled = 2; is_enabled-- > 0;) {
        for (uint32_t i = 0; i < platform->processors_count; i++) {
            if (platform->processors[i].is_enabled != (is_enabled != 0)) {
                continue;
            }
            if (may_evaluate(evaluation, i)) {
                evaluate(evaluation, i);
            } else if (otherwise != NULL) {
                otherwise(evaluation, i);
            }
        }
    }
}

static void run_pass(struct evaluation *evaluation, const char *name, evaluate_one evaluate,
                     evaluate_one otherwise)
{
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        evaluation->kind = (enum object_kind)kind;
        evaluation->budget_ms = 0;
        evaluation->step =
            (struct step){.name = name, .object = names[kind], .part = "", .kind = STEP_OF_PARTS};
        evaluation->answer = step_announce(&evaluation->config->steps, &evaluation->step);
        for_all(evaluation, evaluate, otherwise);
    }
}

void evaluate_objects(const struct engine_config *config, struct platform *platform)
{
    struct evaluation evaluation = {.config = config, .platform = platform};

    object_sets_init(config->arena);
    run_pass(&evaluation, "evaluate", evaluate_raw, leave_out);
    /* What is not repaired stays as the firmware gave it. */
    run_pass(&evaluation, "evaluate with repair", evaluate_repaired, NULL);
    object_sets_publish(platform);
}
