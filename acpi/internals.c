#include "acpi/internals.h"

#include "acpi/acpi.h"

#include <accommon.h>
#include <actables.h>
#include <string.h>

static void copy_field(char **to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes && from[i] != '\0' && from[i] != ' '; i++) {
        *(*to)++ = from[i] > ' ' && from[i] <= '~' ? from[i] : '?';
    }
}

/* ACPICA gives a table an owner before it runs its code, and the flag once that has ended. */
void internals_loading_table(char ret_name[INTERNALS_TABLE_BYTES])
{
    ret_name[0] = '\0';
    for (u32 i = acpi_gbl_root_table_list.current_table_count; i-- > 0;) {
        const struct acpi_table_desc *table = &acpi_gbl_root_table_list.tables[i];
        char *end = ret_name;

        if (table->owner_id != 0 && (table->flags & ACPI_TABLE_IS_LOADED) == 0 &&
            table->pointer != NULL) {
            copy_field(&end, table->pointer->signature, sizeof(table->pointer->signature));
            *end++ = ' ';
            copy_field(&end, table->pointer->oem_table_id, sizeof(table->pointer->oem_table_id));
            *end = '\0';
            return;
        }
    }
}

static void (*on_table_error)(const char *table, const char *error);

/* ACPICA names the class of a status in bits 12 to 15 (acexcep.h). The method of a table's code is the root. */
static acpi_status on_exception(acpi_status status, acpi_name name, u16 opcode, u32 aml_offset,
                                void *context)
{
    char table[INTERNALS_TABLE_BYTES];

    (void)opcode;
    (void)aml_offset;
    (void)context;
    if ((status & AE_CODE_MASK) == AE_CODE_AML && (name == 0 || name == ACPI_ROOT_NAME)) {
        internals_loading_table(table);
        on_table_error(table, acpi_format_exception(status));
    }
    return status;
}

void internals_watch_tables(void (*on_error)(const char *table, const char *error))
{
    on_table_error = on_error;
    acpi_gbl_exception_handler = on_exception;
}

void internals_forget(void)
{
    acpi_gbl_current_walk_list = NULL;
}

bool internals_is_left_mutex(const void *semaphore, char ret_name[5])
{
    const struct acpi_thread_state *thread = acpi_gbl_current_walk_list;
    const union acpi_operand_object *object;

    if (thread == NULL || thread->walk_state_list != NULL) {
        return false;
    }
    for (object = thread->acquired_mutex_list; object != NULL; object = object->mutex.next) {
        if ((const void *)object->mutex.os_mutex == semaphore && object->mutex.node != NULL) {
            memcpy(ret_name, object->mutex.node->name.ascii, 4);
            ret_name[4] = '\0';
            return true;
        }
    }
    return false;
}
