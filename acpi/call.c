#include "acpi/call.h"

#include "acpi/acpi.h"
#include "acpi/aml_heap.h"
#include "acpi/convert.h"
#include "acpi/guard.h"
#include "acpi/messages.h"
#include "acpi/os_layer.h"
#include "model/objects.h"

#include <string.h>

#define MOST_ARGUMENTS 4U

/* What one evaluation may add to the interpreter's memory. */
#define GROWTH_BYTES ((size_t)64 * 1024 * 1024)

static const struct aml_accounting *counters;
static const struct call *running;

void call_init(const struct aml_accounting *accounting)
{
    counters = accounting;
    running = NULL;
}

void call_describe(char *ret_text, size_t bytes)
{
    if (running == NULL) {
        (void)acpi_print_snprintf(ret_text, bytes, "the tables' own code");
    } else if (running->path == NULL) {
        (void)acpi_print_snprintf(ret_text, bytes, "%s", running->name);
    } else {
        (void)acpi_print_snprintf(ret_text, bytes, "%s.%s", running->path, running->name);
    }
}

static acpi_status find(void *scope, const char *name, acpi_handle *ret_handle)
{
    return acpi_get_handle(scope, name, ret_handle);
}

bool call_exists(void *scope, const char *name)
{
    acpi_handle handle;

    return ACPI_SUCCESS(find(scope, name, &handle));
}

/* ACPICA does not write to its arguments, but its types do not say so. */
static u8 *unconst(const uint8_t *bytes)
{
    return (u8 *)(uintptr_t)bytes;
}

static void make_arguments(const struct call *call, union acpi_object *ret_objects,
                           struct acpi_object_list *ret_list)
{
    ret_list->count =
        call->arguments_count < MOST_ARGUMENTS ? call->arguments_count : MOST_ARGUMENTS;
    ret_list->pointer = ret_objects;
    for (uint32_t i = 0; i < ret_list->count; i++) {
        const struct aml_value *argument = &call->arguments[i];

        if (argument->type == AML_BUFFER) {
            ret_objects[i].buffer.type = ACPI_TYPE_BUFFER;
            ret_objects[i].buffer.length = argument->length;
            ret_objects[i].buffer.pointer = unconst(argument->bytes);
        } else {
            ret_objects[i].integer.type = ACPI_TYPE_INTEGER;
            ret_objects[i].integer.value = argument->integer;
        }
    }
}

static uint32_t since(uint64_t now, uint64_t before)
{
    return now - before > UINT32_MAX ? UINT32_MAX : (uint32_t)(now - before);
}

static void count(const struct aml_accounting *before, struct call_reply *reply)
{
    reply->hardware_reads = since(counters->memory_reads + counters->io_reads + counters->pci_reads,
                                  before->memory_reads + before->io_reads + before->pci_reads);
    reply->hardware_writes =
        since(counters->memory_writes + counters->io_writes + counters->pci_writes,
              before->memory_writes + before->io_writes + before->pci_writes);
    reply->denied = since(counters->denied, before->denied);
    reply->unrecorded = since(counters->unrecorded, before->unrecorded);
}

/* What the interpreter's error really was, where the guard refused it memory; NULL when there was none. An
 * evaluation that succeeds after it waited longer than it may is none that a user can wait for. */
static const char *blame(acpi_status status, bool is_over, const char *refusal)
{
    bool has_slept = guard_waited_us() > (uint64_t)guard_budget_ms() * 1000;

    if (refusal != NULL) {
        messages_add(refusal);
    }
    if (has_slept && (ACPI_SUCCESS(status) || status == AE_NO_MEMORY)) {
        return AML_ERROR_SLEEPS;
    }
    if (status == AE_NO_MEMORY && refusal != NULL) {
        return is_over ? acpi_format_exception(AE_TIME) : AML_ERROR_NESTS;
    }
    return ACPI_SUCCESS(status) ? NULL : acpi_format_exception(status);
}

static void fail(const char *error, struct arena *texts, struct call_reply *reply)
{
    const char *path = messages_failed_path();

    reply->avail = AVAIL_FAULTED;
    reply->error = error;
    reply->error_path = path == NULL ? NULL : arena_text(texts, path, strlen(path));
}

/* The error of the evaluation, or NULL. */
static const char *evaluate(const struct call *call, acpi_handle handle, struct acpi_buffer *result)
{
    union acpi_object objects[MOST_ARGUMENTS];
    struct acpi_object_list list;
    acpi_status status;
    const char *refusal;
    bool is_over;

    make_arguments(call, objects, &list);
    messages_forget_path();
    aml_heap_limit_growth(GROWTH_BYTES);
    acpi_gbl_disable_auto_repair = call->is_as_linux ? FALSE : TRUE;
    acpi_gbl_enable_interpreter_slack = call->is_as_linux ? TRUE : FALSE;
    running = call;
    guard_start(call->budget_ms);
    status = acpi_evaluate_object(handle, NULL, list.count == 0 ? NULL : &list, result);
    is_over = guard_stop(&refusal);
    os_layer_report_mutex(ACPI_SUCCESS(status));
    running = NULL;
    acpi_gbl_disable_auto_repair = TRUE;
    acpi_gbl_enable_interpreter_slack = TRUE;
    return blame(status, is_over, refusal);
}

void call_evaluate(const struct call *call, struct arena *arena, struct arena *texts,
                   struct call_reply *ret_reply)
{
    struct acpi_buffer result = {.length = ACPI_ALLOCATE_BUFFER, .pointer = NULL};
    struct aml_accounting before = *counters;
    enum status converted;
    acpi_handle handle;
    const char *error;

    memset(ret_reply, 0, sizeof(*ret_reply));
    if (ACPI_FAILURE(find(call->scope, call->name, &handle))) {
        ret_reply->avail = AVAIL_ABSENT;
        return;
    }
    error = evaluate(call, handle, &result);
    count(&before, ret_reply);
    if (error != NULL) {
        fail(error, texts, ret_reply);
        if (result.length != ACPI_ALLOCATE_BUFFER) {
            acpi_os_free(result.pointer);
        }
        return;
    }
    ret_reply->avail = AVAIL_PRESENT;
    converted = convert_object(result.pointer, arena, &ret_reply->value);
    if (converted != STATUS_OK) {
        fail(acpi_format_exception(converted == STATUS_NO_MEMORY ? AE_NO_MEMORY : AE_LIMIT), texts,
             ret_reply);
        ret_reply->is_too_large = converted == STATUS_NO_MEMORY;
    }
    acpi_os_free(result.pointer);
}
