#include "acpi/access.h"
#include "acpi/acpi.h"
#include "acpi/aml_heap.h"
#include "acpi/call.h"
#include "acpi/engine_state.h"
#include "acpi/guard.h"
#include "acpi/internals.h"
#include "acpi/messages.h"
#include "acpi/os_layer.h"
#include "acpi/regions.h"
#include "acpi/root_table.h"
#include "acpi/scope_guard.h"
#include "acpi/scratch.h"
#include "acpi/tables.h"
#include "model/objects.h"

#include <string.h>

/* Loading runs the code at module level of every table; each loop in it has the usual budget, all of it
 * together this one. */
#define LOAD_BUDGET_MS 30000U
#define FIRST_TABLE_SLOTS 64U

/* Linux 6.12 drivers/acpi/osi.c osi_setup_entries: feature strings that the host has to turn on. */
static const char *const linux_features[] = {"Module Device", "Processor Device",
                                             "3.0 _SCP Extensions", "Processor Aggregator Device"};

static struct interpreter {
    bool is_started;
    uint32_t firmware_tables; /* in the interpreter's list before anything was loaded */
    uint32_t listed_tables;   /* of the dynamic ones, already in the platform */
    uint32_t loads;
} interpreter;

static acpi_status on_table(u32 event, void *table, void *context)
{
    (void)table;
    (void)context;
    interpreter.loads += event == ACPI_TABLE_EVENT_LOAD ? 1 : 0;
    return AE_OK;
}

/* In a method ACPICA names it itself; an error in the code of a table it drops. */
static void on_table_error(const char *table, const char *error)
{
    char text[128];

    (void)acpi_print_snprintf(text, sizeof(text), "Aborting table %s due to previous error (%s)",
                              table[0] == '\0' ? "that AML loaded" : table, error);
    messages_add(text);
}

static void install_interface(const char *name, size_t length)
{
    char copy[OPTIONS_TEXT_MAX];

    if (length > 0 && length < sizeof(copy)) {
        memcpy(copy, name, length);
        copy[length] = '\0';
        (void)acpi_install_interface(copy);
    }
}

/* --osi=LIST: only these strings are answered with yes; otherwise as Linux does. */
static void set_interfaces(const struct options *options)
{
    const char *at = options == NULL ? "" : options->osi;

    if (at[0] == '\0') {
        for (size_t i = 0; i < sizeof(linux_features) / sizeof(linux_features[0]); i++) {
            install_interface(linux_features[i], strlen(linux_features[i]));
        }
        return;
    }
    (void)acpi_update_interfaces(ACPI_DISABLE_ALL_STRINGS);
    while (*at != '\0') {
        size_t length = strcspn(at, ",");

        install_interface(at, length);
        at += length + (at[length] == ',' ? 1 : 0);
    }
}

/* As Linux sets ACPICA up (drivers/acpi/bus.c acpi_early_init), but with repair off until asked for. */
static void set_globals(void)
{
    acpi_gbl_enable_interpreter_slack = TRUE;
    acpi_gbl_disable_auto_repair = TRUE;
    acpi_gbl_max_loop_iterations = guard_budget_s();
}

static uint32_t count_tables(void)
{
    struct acpi_table_header *table;
    uint32_t count = 0;

    while (ACPI_SUCCESS(acpi_get_table_by_index(count, &table))) {
        count++;
    }
    return count;
}

static acpi_status load(const struct engine_config *config)
{
    acpi_status status;

    internals_forget();
    status = acpi_initialize_subsystem();
    if (ACPI_FAILURE(status)) {
        return status;
    }
    if (regions_install(!access_is_live()) != STATUS_OK) {
        return AE_NO_MEMORY;
    }
    status = acpi_initialize_tables(NULL, FIRST_TABLE_SLOTS, FALSE);
    if (ACPI_FAILURE(status)) {
        return status;
    }
    interpreter.firmware_tables = count_tables();
    set_interfaces(config->options);
    (void)acpi_install_table_handler(on_table, NULL);
    internals_watch_tables(on_table_error);
    return acpi_load_tables();
}

/* ACPICA has a message for its own errors, and none for ours. */
static void note_failed_init(const char *name, const char *error)
{
    char text[128];

    if (error != NULL && strncmp(error, "AE_", 3) != 0) {
        (void)acpi_print_snprintf(text, sizeof(text),
                                  "Aborting method %s due to previous error (%s)", name, error);
        messages_add(text);
    }
}

static void run_init_method(struct arena *arena, acpi_handle scope, const char *name)
{
    struct call call = {.scope = scope, .name = name, .is_as_linux = true};
    struct call_reply reply;

    call_evaluate(&call, scratch_empty(), arena, &reply);
    note_failed_init(name, reply.error);
}

/* ACPI 6.5, 5.6.7: PNP0A03 and PNP0A08, PCI and PCI Express host bridge, as EisaId stores them. */
static bool is_host_bridge(struct arena *arena, acpi_handle device)
{
    struct call call = {.scope = device, .name = "_HID", .is_as_linux = true};
    struct call_reply reply;
    acpi_object_type type = ACPI_TYPE_ANY;
    acpi_handle handle;

    if (ACPI_FAILURE(acpi_get_handle(device, "_HID", &handle)) ||
        ACPI_FAILURE(acpi_get_type(handle, &type)) || type != ACPI_TYPE_INTEGER) {
        return false;
    }
    call_evaluate(&call, scratch_empty(), arena, &reply);
    return reply.avail == AVAIL_PRESENT && reply.value.type == AML_INTEGER &&
           (reply.value.integer == 0x030AD041U || reply.value.integer == 0x080AD041U);
}

/*
 * The _INI methods in which firmware learns which operating system it has, on which its processor objects
 * then depend: those that run first (acpi_ns_initialize_devices), and those of the PCI host bridges, where
 * Intel's reference code asks _OSI. Those of other devices are not run.
 */
static void run_init_methods(struct arena *arena)
{
    acpi_handle scope;
    acpi_handle device = NULL;

    run_init_method(arena, NULL, "\\_INI");
    run_init_method(arena, NULL, "\\_SB._INI");
    if (ACPI_SUCCESS(acpi_get_handle(NULL, "\\_SB", &scope))) {
        while (ACPI_SUCCESS(acpi_get_next_object(ACPI_TYPE_DEVICE, scope, device, &device))) {
            if (is_host_bridge(arena, device)) {
                run_init_method(arena, device, "_INI");
            }
        }
    }
    /* Linux, acpi_ns_initialize_devices: I/O addresses are 16 bits wide once Windows was asked for. */
    acpi_gbl_truncate_io_addresses = acpi_gbl_osi_data >= ACPI_OSI_WIN_2000;
}

enum status interpreter_start(const struct engine_config *config, struct platform *platform)
{
    const char *refusal;
    acpi_status status;
    uint32_t count;
    uint64_t root_paddr = root_table_build(platform, &count);

    memset(&interpreter, 0, sizeof(interpreter));
    if (root_paddr == 0) {
        return STATUS_NO_MEMORY;
    }
    scope_guard_init();
    os_layer_init(root_paddr);
    set_globals();
    interpreter.is_started = true;
    guard_start(LOAD_BUDGET_MS);
    status = load(config);
    if (guard_stop(&refusal)) {
        messages_add("ACPI Error: loading the tables took too long");
    }
    if (guard_waited_us() > (uint64_t)guard_budget_ms() * 1000) {
        messages_add("Aborting table code due to previous error (" AML_ERROR_SLEEPS ")");
    }
    os_layer_report_mutex(true);
    if (refusal != NULL) {
        messages_add(refusal);
    }
    if (ACPI_FAILURE(status)) {
        platform->acpi_error = acpi_format_exception(status);
        return STATUS_BAD_INPUT;
    }
    run_init_methods(config->arena);
    return STATUS_OK;
}

void interpreter_list_dynamic(struct platform *platform)
{
    uint32_t index = interpreter.firmware_tables + interpreter.listed_tables;
    struct acpi_table_header *table;

    while (ACPI_SUCCESS(acpi_get_table_by_index(index, &table))) {
        if (tables_append(platform, (const uint8_t *)table, table->length, 0, "dynamic") !=
            STATUS_OK) {
            platform->incomplete = "memory ran out while listing ACPI tables";
            return;
        }
        interpreter.listed_tables++;
        index++;
    }
}

uint32_t interpreter_loads(void)
{
    return interpreter.loads;
}

void interpreter_stop(void)
{
    bool was_started = interpreter.is_started;

    interpreter.is_started = false;
    if (was_started) {
        (void)acpi_terminate();
    }
}
