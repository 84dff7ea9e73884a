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
#include "acpi/scratch.h"
#include "acpi/tables.h"
#include "build/version.h"

static struct engine {
    struct engine_config config;
    bool is_open;
} engine;

static void say(const char *name, const char *object)
{
    if (engine.config.step != NULL) {
        engine.config.step(engine.config.step_context, name, object);
    }
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

enum status engine_open(const struct engine_config *config, struct platform *platform)
{
    enum status status;

    engine_close();
    engine.config = *config;
    prepare(platform);
    say("find ACPI tables", "");
    status = tables_collect(&engine.config, platform);
    tables_decode(platform);
    if (status != STATUS_OK) {
        return status;
    }
    say("load ACPI tables", "");
    status = interpreter_start(&engine.config, platform);
    engine.is_open = status == STATUS_OK;
    if (engine.is_open) {
        interpreter_list_dynamic(platform);
        say("list processors", "");
        status = processors_list(platform);
    }
    messages_publish(platform);
    return status;
}

void engine_handshake(struct platform *platform)
{
    uint32_t loads_before = interpreter_loads();

    if (!engine.is_open) {
        return;
    }
    handshake_run(&engine.config, platform);
    platform->handshake.dynamic_tables = interpreter_loads() - loads_before;
    interpreter_list_dynamic(platform);
    if (processors_list(platform) != STATUS_OK) {
        platform->incomplete = "memory ran out while listing processors";
    }
    messages_publish(platform);
}

void engine_evaluate(struct platform *platform)
{
    if (!engine.is_open) {
        return;
    }
    evaluate_objects(&engine.config, platform);
    messages_publish(platform);
}

void engine_close(void)
{
    interpreter_stop();
    engine.is_open = false;
}

const char *engine_acpica_version(void)
{
    return ASSAY_ACPICA;
}
