#include "host/machine.h"

#include "host/file.h"
#include "host/folder.h"
#include "host/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void machine_note(struct machine *machine, const char *format, ...)
{
    va_list arguments;

    if (machine->notes_count < MACHINE_NOTES) {
        va_start(arguments, format);
        (void)vsnprintf(machine->notes[machine->notes_count], MACHINE_NOTE_BYTES, format,
                        arguments);
        va_end(arguments);
    }
    machine->notes_count++;
}

void machine_note_rubbish(struct machine *machine, const char *path, const struct rubbish *rubbish)
{
    if (rubbish->count > 0) {
        machine_note(machine, "%s: %u line%s not understood and left out, the first is %u: \"%s\"",
                     path, rubbish->count, rubbish->count == 1 ? "" : "s", rubbish->first_number,
                     rubbish->first_text);
    }
}

/* 0 DSDT, 1 what holds AML and loads in order, 2 the rest. */
static unsigned rank(const struct table_blob *blob)
{
    if (blob->length >= 4 && memcmp(blob->bytes, "DSDT", 4) == 0) {
        return 0;
    }
    if (blob->length >= 4 &&
        (memcmp(blob->bytes, "SSDT", 4) == 0 || memcmp(blob->bytes, "OEM", 3) == 0)) {
        return 1;
    }
    return 2;
}

void machine_order_blobs(struct table_blob *blobs, uint32_t count, struct arena *arena)
{
    struct table_blob *copy = arena_array(arena, count, sizeof(*copy));
    uint32_t next = 0;

    if (copy == NULL || count == 0) {
        return;
    }
    memcpy(copy, blobs, count * sizeof(*copy));
    for (unsigned wanted = 0; wanted <= 2; wanted++) {
        for (uint32_t i = 0; i < count; i++) {
            if (rank(&copy[i]) == wanted) {
                blobs[next++] = copy[i];
            }
        }
    }
}

/* A file that is nothing we know. */
static enum status say_unknown(const char *path, uint32_t count, size_t length, char *message,
                               size_t message_bytes)
{
    if (length == 0) {
        (void)snprintf(message, message_bytes, "%s: is empty; give a binary ACPI table", path);
        return STATUS_NOT_FOUND;
    }
    if (count > 1) {
        (void)snprintf(message, message_bytes, "%s: not a binary ACPI table, nor %s", path,
                       import_forms());
        return STATUS_BAD_INPUT;
    }
    (void)snprintf(message, message_bytes, "%s: neither %s", path, import_forms());
    return STATUS_NOT_FOUND;
}

static enum status load_file(const char *path, uint32_t count, struct import *import, char *message,
                             size_t message_bytes)
{
    struct file_bytes file;
    enum status status = file_read(path, import->machine->arena, &file);

    if (status != STATUS_OK) {
        (void)snprintf(message, message_bytes, "%s: %s", path, file_problem(status));
        return status;
    }
    status =
        file.length == 0 ? STATUS_NOT_FOUND : import_file(import, path, file.bytes, file.length);
    if (status == STATUS_NOT_FOUND) {
        return say_unknown(path, count, file.length, message, message_bytes);
    }
    if (status != STATUS_OK) {
        (void)snprintf(message, message_bytes, "%s: %s", path,
                       status == STATUS_FULL ? "an archive of more than a firmware can hold"
                                             : "does not fit into memory");
    }
    return status;
}

static enum status load_files(const char *const *paths, uint32_t count, struct machine *machine,
                              char *message, size_t message_bytes)
{
    struct import import;
    enum status status = STATUS_OK;

    import_init(&import, machine);
    for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
        status = load_file(paths[i], count, &import, message, message_bytes);
    }
    if (status == STATUS_OK && import_finish(&import) != STATUS_OK) {
        (void)snprintf(message, message_bytes,
                       "%s: holds registers of CPUs, but no ACPI table; give the tables beside it",
                       paths[0]);
        status = STATUS_NOT_FOUND;
    }
    return status;
}

bool machine_is_folder(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

enum status machine_load(const char *const *paths, uint32_t paths_count, struct arena *arena,
                         struct machine *ret_machine, char *message, size_t message_bytes)
{
    memset(ret_machine, 0, sizeof(*ret_machine));
    ret_machine->arena = arena;
    ret_machine->name = paths[0];
    ret_machine->source = SOURCE_DUMP;
    for (uint32_t i = 0; i < paths_count; i++) {
        if (!machine_is_folder(paths[i])) {
            continue;
        }
        if (paths_count > 1) {
            (void)snprintf(message, message_bytes,
                           "%s: a machine folder goes alone; several arguments must all be .aml "
                           "files",
                           paths[i]);
            return STATUS_BAD_INPUT;
        }
        ret_machine->source = SOURCE_FOLDER;
        return folder_load(paths[0], ret_machine, message, message_bytes);
    }
    return load_files(paths, paths_count, ret_machine, message, message_bytes);
}
