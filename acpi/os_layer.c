#include "acpi/os_layer.h"

#include "acpi/access.h"
#include "acpi/acpi.h"
#include "acpi/aml_heap.h"
#include "acpi/call.h"
#include "acpi/guard.h"
#include "acpi/internals.h"
#include "acpi/messages.h"

/* The one thread. ACPICA wants a number other than 0 and -1. */
#define THREAD_ID 1

/* Timeout that means for ever: ACPI 6.5, 19.6.2 Acquire. */
#define WAIT_FOREVER 0xFFFFU

/* A counting semaphore; a mutex is one with one unit. With one thread nobody else can give a unit back,
 * so a wait that cannot be met at once times out instead of blocking. */
struct semaphore {
    u32 units;
    u32 max_units;
};

static struct os_layer {
    uint64_t root_paddr;
    uint32_t deadlocks;
    char first_deadlock[160]; /* the message, with the first object that waited */
    char left_mutex[5];       /* that no Release gave back in this evaluation, or empty */
} os_layer;

void os_layer_init(uint64_t root_paddr)
{
    os_layer.root_paddr = root_paddr;
    os_layer.deadlocks = 0;
    os_layer.first_deadlock[0] = '\0';
    os_layer.left_mutex[0] = '\0';
}

uint32_t os_layer_deadlocks(void)
{
    return os_layer.deadlocks;
}

void os_layer_report_mutex(bool is_fault)
{
    char subject[96];
    char text[160];

    if (os_layer.left_mutex[0] != '\0' && is_fault) {
        call_describe(subject, sizeof(subject));
        (void)acpi_print_snprintf(text, sizeof(text), "AML holds mutex %s at the end of %s",
                                  os_layer.left_mutex, subject);
        messages_add(text);
    }
    os_layer.left_mutex[0] = '\0';
}

/* One message for all of them: a thousand processors may have the same fault. */
static void note_deadlock(void)
{
    char subject[96];

    os_layer.deadlocks++;
    if (os_layer.first_deadlock[0] == '\0') {
        call_describe(subject, sizeof(subject));
        (void)acpi_print_snprintf(
            os_layer.first_deadlock, sizeof(os_layer.first_deadlock),
            "AML waits for ever for a mutex or event that nothing can release, "
            "first in %s",
            subject);
    }
    messages_add(os_layer.first_deadlock);
}

acpi_status acpi_os_initialize(void)
{
    return AE_OK;
}

acpi_status acpi_os_terminate(void)
{
    return AE_OK;
}

acpi_physical_address acpi_os_get_root_pointer(void)
{
    return os_layer.root_paddr;
}

acpi_status acpi_os_predefined_override(const struct acpi_predefined_names *init_val,
                                        acpi_string *new_val)
{
    (void)init_val;
    *new_val = NULL;
    return AE_OK;
}

acpi_status acpi_os_table_override(struct acpi_table_header *existing_table,
                                   struct acpi_table_header **new_table)
{
    (void)existing_table;
    *new_table = NULL;
    return AE_OK;
}

acpi_status acpi_os_physical_table_override(struct acpi_table_header *existing_table,
                                            acpi_physical_address *new_address,
                                            u32 *new_table_length)
{
    (void)existing_table;
    *new_address = 0;
    *new_table_length = 0;
    return AE_OK;
}

acpi_status acpi_os_create_semaphore(u32 max_units, u32 initial_units, acpi_semaphore *out_handle)
{
    struct semaphore *semaphore = aml_heap_allocate(sizeof(*semaphore));

    if (semaphore == NULL) {
        return AE_NO_MEMORY;
    }
    semaphore->units = initial_units;
    semaphore->max_units = max_units;
    *out_handle = (acpi_semaphore)semaphore;
    return AE_OK;
}

acpi_status acpi_os_delete_semaphore(acpi_semaphore handle)
{
    if (handle == NULL) {
        return AE_BAD_PARAMETER;
    }
    aml_heap_free(handle);
    return AE_OK;
}

acpi_status acpi_os_wait_semaphore(acpi_semaphore handle, u32 units, u16 timeout)
{
    struct semaphore *semaphore = (struct semaphore *)handle;

    if (semaphore == NULL) {
        return AE_BAD_PARAMETER;
    }
    if (semaphore->units >= units) {
        semaphore->units -= units;
        return AE_OK;
    }
    if (timeout == WAIT_FOREVER) {
        note_deadlock();
    } else {
        guard_wait_us((uint64_t)timeout * 1000);
    }
    return AE_TIME;
}

acpi_status acpi_os_signal_semaphore(acpi_semaphore handle, u32 units)
{
    struct semaphore *semaphore = (struct semaphore *)handle;

    if (semaphore == NULL) {
        return AE_BAD_PARAMETER;
    }
    if (units > semaphore->max_units - semaphore->units) {
        return AE_LIMIT;
    }
    if (os_layer.left_mutex[0] == '\0') {
        (void)internals_is_left_mutex(handle, os_layer.left_mutex);
    }
    semaphore->units += units;
    return AE_OK;
}

acpi_status acpi_os_create_lock(acpi_spinlock *out_handle)
{
    return acpi_os_create_semaphore(1, 1, (acpi_semaphore *)out_handle);
}

void acpi_os_delete_lock(acpi_spinlock handle)
{
    (void)acpi_os_delete_semaphore((acpi_semaphore)handle);
}

acpi_cpu_flags acpi_os_acquire_lock(acpi_spinlock handle)
{
    (void)handle;
    return 0;
}

void acpi_os_release_lock(acpi_spinlock handle, acpi_cpu_flags flags)
{
    (void)handle;
    (void)flags;
}

void *acpi_os_allocate(acpi_size size)
{
    return guard_allows() ? aml_heap_allocate(size) : NULL;
}

void acpi_os_free(void *memory)
{
    aml_heap_free(memory);
}

/* All tables that the interpreter sees are copies in the arena, whose addresses are their pointers. */
void *acpi_os_map_memory(acpi_physical_address where, acpi_size length)
{
    (void)length;
    return (void *)(uintptr_t)where;
}

void acpi_os_unmap_memory(void *logical_address, acpi_size size)
{
    (void)logical_address;
    (void)size;
}

acpi_status acpi_os_install_interrupt_handler(u32 interrupt_number,
                                              acpi_osd_handler service_routine, void *context)
{
    (void)interrupt_number;
    (void)service_routine;
    (void)context;
    return AE_OK;
}

acpi_status acpi_os_remove_interrupt_handler(u32 interrupt_number, acpi_osd_handler service_routine)
{
    (void)interrupt_number;
    (void)service_routine;
    return AE_OK;
}

acpi_thread_id acpi_os_get_thread_id(void)
{
    return THREAD_ID;
}

/* Nothing runs in the background: the callers are notify and event handlers, of which there are none. */
acpi_status acpi_os_execute(acpi_execute_type type, acpi_osd_exec_callback function, void *context)
{
    (void)type;
    (void)function;
    (void)context;
    return AE_SUPPORT;
}

void acpi_os_wait_events_complete(void)
{
}

void acpi_os_sleep(u64 milliseconds)
{
    guard_wait_us(milliseconds < UINT64_MAX / 1000 ? milliseconds * 1000 : UINT64_MAX);
}

void acpi_os_stall(u32 microseconds)
{
    guard_wait_us(microseconds);
}

u64 acpi_os_get_timer(void)
{
    return guard_now_100ns();
}

static acpi_status to_acpi_status(enum status status)
{
    return status == STATUS_OK ? AE_OK : AE_TIME;
}

acpi_status acpi_os_read_port(acpi_io_address address, u32 *value, u32 width)
{
    struct access_target target = {.space = ACCESS_IO, .address = address, .bytes = width / 8};
    uint64_t read_value = 0;
    enum status status = access_read(&target, &read_value);

    *value = (u32)read_value;
    return to_acpi_status(status);
}

acpi_status acpi_os_write_port(acpi_io_address address, u32 value, u32 width)
{
    struct access_target target = {.space = ACCESS_IO, .address = address, .bytes = width / 8};

    return to_acpi_status(access_write(&target, value));
}

acpi_status acpi_os_read_memory(acpi_physical_address address, u64 *value, u32 width)
{
    struct access_target target = {.space = ACCESS_MEMORY, .address = address, .bytes = width / 8};
    uint64_t read_value = 0;
    enum status status = access_read(&target, &read_value);

    *value = read_value;
    return to_acpi_status(status);
}

acpi_status acpi_os_write_memory(acpi_physical_address address, u64 value, u32 width)
{
    struct access_target target = {.space = ACCESS_MEMORY, .address = address, .bytes = width / 8};

    return to_acpi_status(access_write(&target, value));
}

static struct access_target pci_target(const struct acpi_pci_id *id, u32 reg, u32 width)
{
    struct access_target target = {.space = ACCESS_PCI,
                                   .address = reg,
                                   .bytes = width / 8,
                                   .pci = {.segment = id->segment,
                                           .bus = (uint8_t)id->bus,
                                           .device = (uint8_t)id->device,
                                           .function = (uint8_t)id->function}};

    return target;
}

acpi_status acpi_os_read_pci_configuration(struct acpi_pci_id *pci_id, u32 reg, u64 *value,
                                           u32 width)
{
    struct access_target target = pci_target(pci_id, reg, width);
    uint64_t read_value = 0;
    enum status status = access_read(&target, &read_value);

    *value = read_value;
    return to_acpi_status(status);
}

acpi_status acpi_os_write_pci_configuration(struct acpi_pci_id *pci_id, u32 reg, u64 value,
                                            u32 width)
{
    struct access_target target = pci_target(pci_id, reg, width);

    return to_acpi_status(access_write(&target, value));
}

/* ACPI 6.5, 19.6.46 Fatal: the operating system would shut down; here it is one more fault to report. */
acpi_status acpi_os_signal(u32 function, void *info)
{
    (void)info;
    if (function == ACPI_SIGNAL_FATAL) {
        messages_add("AML executed Fatal, which asks the operating system to shut down");
    }
    return AE_OK;
}

acpi_status acpi_os_enter_sleep(u8 sleep_state, u32 rega_value, u32 regb_value)
{
    (void)sleep_state;
    (void)rega_value;
    (void)regb_value;
    return AE_SUPPORT;
}

void acpi_os_printf(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    messages_vprintf(format, arguments);
    va_end(arguments);
}

void acpi_os_vprintf(const char *format, va_list arguments)
{
    messages_vprintf(format, arguments);
}
