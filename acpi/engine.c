#include "acpi/engine.h"

#include "acpi/access.h"
#include "acpi/aml_heap.h"
#include "acpi/call.h"
#include "acpi/engine_state.h"
#include "acpi/evaluate.h"
#include "acpi/guard.h"
#include "acpi/handshake.h"
#include "acpi/messages.h"
#include "acpi/processors.h"
#include "acpi/scope_guard.h"
#include "acpi/scratch.h"
#include "acpi/tables.h"
#include "build/version.h"

static struct engine {
    struct engine_config config;
    bool is_open;
    bool is_broken; /* the interpreter crashed, and again when it was ended */
} engine;

/* Whether a step may run: not when an earlier run did not come back from it. */
static bool may_run(const char *name)
{
    const struct step step = {.name = name, .object = "", .part = "", .kind = STEP_WHOLE};

    return step_announce(&engine.config.steps, &step) == STEP_RUN;
}

static void prepare(struct platform *platform)
{
    guard_init(&engine.config);
    aml_heap_init(engine.config.arena);
    messages_init(engine.config.arena);
    scratch_init(engine.config.arena);
    access_init(&engine.config, &platform->aml);
    call_init(&platform->aml);
    processors_init(&engine.config);
}

/* What a phase works on; it runs under config.protect. */
struct phase {
    struct platform *platform;
    enum status status;
};

static void open_phase(void *argument)
{
    struct phase *phase = argument;

    phase->status = interpreter_start(&engine.config, phase->platform);
    if (phase->status == STATUS_OK) {
        interpreter_list_dynamic(phase->platform);
        if (may_run("list processors")) {
            phase->status = processors_list(phase->platform);
        }
    }
}

static void handshake_phase(void *argument)
{
    struct phase *phase = argument;
    struct platform *platform = phase->platform;
    uint32_t loads_before = interpreter_loads();

    handshake_run(&engine.config, platform);
    platform->handshake.dynamic_tables = interpreter_loads() - loads_before;
    interpreter_list_dynamic(platform);
    if (processors_list(platform) != STATUS_OK) {
        platform->incomplete = "memory ran out while listing processors";
    }
}

static void evaluate_phase(void *argument)
{
    struct phase *phase = argument;

    evaluate_objects(&engine.config, phase->platform);
}

static void close_phase(void *argument)
{
    (void)argument;
    interpreter_stop();
}

static bool is_protected_run(void (*procedure)(void *argument), struct phase *phase)
{
    if (engine.config.protect == NULL) {
        procedure(phase);
        return true;
    }
    return engine.config.protect(engine.config.protect_context, procedure, phase);
}

/* After a crash the interpreter is ended. Where that crashes too its state is unknown, and it is never
 * started again. */
static bool run(void (*procedure)(void *argument), struct phase *phase)
{
    if (is_protected_run(procedure, phase)) {
        return true;
    }
    engine.is_open = false;
    if (phase->platform != NULL) {
        const char *reason = scope_guard_reason();

        phase->platform->acpi_error =
            reason == NULL ? "malformed AML crashed the interpreter" : reason;
    }
    if (procedure == close_phase || !is_protected_run(close_phase, phase)) {
        engine.is_broken = true;
    }
    return false;
}

enum status engine_open(const struct engine_config *config, struct platform *platform)
{
    struct phase phase = {.platform = platform, .status = STATUS_BAD_INPUT};
    enum status status;

    engine_close();
    engine.config = *config;
    prepare(platform);
    if (!may_run("find ACPI tables")) {
        platform->acpi_error = "not looked for: an earlier run ended in this step";
        return STATUS_NOT_FOUND;
    }
    status = tables_collect(&engine.config, platform);
    tables_decode(platform);
    if (status != STATUS_OK) {
        return status;
    }
    if (engine.is_broken) {
        platform->acpi_error = "the interpreter crashed before and cannot be started again";
        return STATUS_BAD_INPUT;
    }
    if (!may_run("load ACPI tables")) {
        platform->acpi_error = "tables not loaded: an earlier run ended in this step";
        return STATUS_BAD_INPUT;
    }
    if (run(open_phase, &phase)) {
        engine.is_open = phase.status == STATUS_OK;
    }
    messages_publish(platform);
    return phase.status;
}

static void run_when_open(void (*procedure)(void *argument), struct platform *platform)
{
    struct phase phase = {.platform = platform};

    if (engine.is_open) {
        (void)run(procedure, &phase);
        messages_publish(platform);
    }
}

void engine_handshake(struct platform *platform)
{
    run_when_open(handshake_phase, platform);
}

void engine_evaluate(struct platform *platform)
{
    run_when_open(evaluate_phase, platform);
}

void engine_close(void)
{
    struct phase phase = {.platform = NULL};

    if (!engine.is_broken) {
        (void)run(close_phase, &phase);
    }
    engine.is_open = false;
}

const char *engine_acpica_version(void)
{
    return ASSAY_ACPICA;
}
