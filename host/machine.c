#include "host/machine.h"

#include "host/acpidump.h"
#include "host/file.h"
#include "host/folder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define TABLE_HEADER_BYTES 36 /* ACPI 6.5, 5.2.6 System Description Table Header */

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

static uint32_t length_of(const struct file_bytes *file)
{
    uint32_t length;

    memcpy(&length, file->bytes + 4, sizeof(length)); /* little-endian hosts only: x86-64 */
    return length;
}

/* A binary table starts with a signature and, behind it, a length that fits the file somehow; a text
 * has printable characters there, which read as a length of over 500 MB. */
static bool is_table(const char *path, const struct file_bytes *file)
{
    const char *dot = strrchr(path, '.');

    if (dot != NULL && (strcmp(dot, ".aml") == 0 || strcmp(dot, ".dat") == 0)) {
        return true;
    }
    return file->length >= TABLE_HEADER_BYTES && length_of(file) < FILE_BYTES_MAX;
}

static enum status take_dump(const char *path, const struct file_bytes *file,
                             struct machine *machine, char *message, size_t message_bytes)
{
    struct acpidump dump = {0};
    enum status status =
        acpidump_parse((const char *)file->bytes, file->length, machine->arena, &dump);
    struct table_blob *blobs;

    if (status == STATUS_NOT_FOUND) {
        (void)snprintf(message, message_bytes,
                       "%s: neither a machine folder, nor a binary table, nor acpidump text "
                       "(\"DSDT @ 0x...\")",
                       path);
        return status;
    }
    blobs = arena_array(machine->arena, dump.blobs_count, sizeof(*blobs));
    if (status != STATUS_OK || blobs == NULL) {
        (void)snprintf(message, message_bytes, "%s: does not fit into memory", path);
        return STATUS_NO_MEMORY;
    }
    machine_note_rubbish(machine, path, &dump.rubbish);
    if (dump.gaps > 0) {
        machine_note(machine, "%s: %u table%s cut short where the offsets do not continue", path,
                     dump.gaps, dump.gaps == 1 ? " is" : "s are");
    }
    memcpy(blobs, dump.blobs, dump.blobs_count * sizeof(*blobs));
    machine_order_blobs(blobs, dump.blobs_count, machine->arena);
    machine->blobs = blobs;
    machine->blobs_count = dump.blobs_count;
    return STATUS_OK;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

/* One of several paths: only a table makes sense there. */
static enum status take_table(const char *path, const struct file_bytes *file,
                              struct table_blob *ret_blob, char *message, size_t message_bytes)
{
    if (file->length == 0) {
        (void)snprintf(message, message_bytes, "%s: is empty; give a binary ACPI table", path);
        return STATUS_NOT_FOUND;
    }
    if (!is_table(path, file)) {
        (void)snprintf(message, message_bytes,
                       "%s: not a binary ACPI table; several arguments must all be .aml files",
                       path);
        return STATUS_BAD_INPUT;
    }
    *ret_blob = (struct table_blob){
        .origin = base_name(path), .bytes = file->bytes, .length = file->length};
    return STATUS_OK;
}

static enum status load_files(const char *const *paths, uint32_t count, struct machine *machine,
                              char *message, size_t message_bytes)
{
    struct table_blob *blobs = arena_array(machine->arena, count, sizeof(*blobs));

    if (blobs == NULL) {
        (void)snprintf(message, message_bytes, "out of memory");
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct file_bytes file;
        enum status status = file_read(paths[i], machine->arena, &file);

        if (status != STATUS_OK) {
            (void)snprintf(message, message_bytes, "%s: %s", paths[i], file_problem(status));
            return status;
        }
        if (count == 1 && file.length > 0 && !is_table(paths[i], &file)) {
            return take_dump(paths[i], &file, machine, message, message_bytes);
        }
        status = take_table(paths[i], &file, &blobs[i], message, message_bytes);
        if (status != STATUS_OK) {
            return status;
        }
    }
    machine_order_blobs(blobs, count, machine->arena);
    machine->blobs = blobs;
    machine->blobs_count = count;
    return STATUS_OK;
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
