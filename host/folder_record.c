#include "host/folder_record.h"

#include "host/file.h"
#include "host/samples_text.h"

#include <string.h>

/* A table of the folder by its name behind "tables/", or NULL. */
static const struct table_blob *find_blob(const struct machine *machine, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash == NULL ? file : slash + 1;

    for (uint32_t i = 0; i < machine->blobs_count; i++) {
        if (strcmp(machine->blobs[i].origin, name) == 0) {
            return &machine->blobs[i];
        }
    }
    return NULL;
}

/* AML loads it again. Tables that the program made itself are made again. */
static bool comes_by_itself(const struct run_table *table)
{
    return strcmp(table->about.origin, "dynamic") == 0 ||
           strcmp(table->about.origin, "synthetic") == 0;
}

/* The table as a blob; false when the folder lacks it, or without memory. */
static bool make_blob(const struct run_table *table, struct machine *machine,
                      struct table_blob *ret_blob)
{
    const struct table_blob *found = NULL;

    if (table->file != NULL) {
        found = find_blob(machine, table->file);
        if (found == NULL) {
            machine_note(machine, "%s: run.json names %s, which is not there", machine->name,
                         table->file);
            return false;
        }
        *ret_blob = *found;
    } else {
        ret_blob->bytes = run_record_stand_in(&table->about, machine->arena);
        ret_blob->length = table->about.read_bytes;
    }
    ret_blob->origin = table->about.origin;
    return ret_blob->bytes != NULL;
}

static bool is_named(const struct run_record *record, const char *name)
{
    for (uint32_t i = 0; i < record->tables_count; i++) {
        const char *file = record->tables[i].file;
        const char *slash = file == NULL ? NULL : strrchr(file, '/');

        if (file != NULL && strcmp(slash == NULL ? file : slash + 1, name) == 0) {
            return true;
        }
    }
    return false;
}

/* The tables of the run in its order, then what somebody added to the folder. */
static enum status order_tables(const struct run_record *record, struct machine *machine)
{
    struct table_blob *blobs = arena_array(
        machine->arena, (size_t)record->tables_count + machine->blobs_count + 1, sizeof(*blobs));
    uint32_t count = 0;

    if (blobs == NULL) {
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < record->tables_count; i++) {
        if (!comes_by_itself(&record->tables[i]) &&
            make_blob(&record->tables[i], machine, &blobs[count])) {
            count++;
        }
    }
    for (uint32_t i = 0; i < machine->blobs_count; i++) {
        if (!is_named(record, machine->blobs[i].origin)) {
            blobs[count++] = machine->blobs[i];
        }
    }
    machine->blobs = blobs;
    machine->blobs_count = count;
    return STATUS_OK;
}

/* The histograms behind the figures. Without the file, or where it is damaged, nothing else changes. */
static enum status take_samples(const char *folder, struct machine *machine,
                                struct run_record *record)
{
    const char *path = file_join(machine->arena, folder, "samples.csv");
    struct file_bytes file;
    struct rubbish rubbish;
    enum status status;

    if (path == NULL) {
        return STATUS_NO_MEMORY;
    }
    status = file_read_plain(path, machine->arena, &file);
    if (status != STATUS_OK) {
        if (status != STATUS_NOT_FOUND) {
            machine_note(machine, "%s %s", path, file_problem(status));
        }
        return STATUS_OK;
    }
    status = samples_text_parse((const char *)file.bytes, file.length, machine->arena,
                                &record->platform, &rubbish);
    if (status == STATUS_OK && rubbish.count > 0) {
        machine_note(machine, "%s: %u lines are no samples of this run, the first is line %u: %s",
                     path, rubbish.count, rubbish.first_number, rubbish.first_text);
    }
    return status;
}

enum status folder_record_take(const char *folder, struct machine *machine)
{
    const char *path = file_join(machine->arena, folder, "run.json");
    struct run_record *record = arena_take(machine->arena, sizeof(*record));
    struct file_bytes file;
    char message[200] = "";
    enum status status;

    if (path == NULL || record == NULL) {
        return STATUS_NO_MEMORY;
    }
    status = file_read_plain(path, machine->arena, &file);
    if (status == STATUS_NOT_FOUND) {
        return STATUS_OK;
    }
    if (status == STATUS_OK) {
        status = run_record_parse((const char *)file.bytes, file.length, machine->arena, record,
                                  message, sizeof(message));
    }
    if (status != STATUS_OK) {
        machine_note(machine, "%s %s; judged as a dump", path,
                     message[0] != '\0' ? message : file_problem(status));
        return STATUS_OK;
    }
    if (!record->is_trace_whole) {
        machine_note(machine,
                     "%s: not every access of the run was recorded; values that AML read may "
                     "differ from those of the run",
                     path);
    }
    machine->record = record;
    status = take_samples(folder, machine, record);
    return status == STATUS_OK ? order_tables(record, machine) : status;
}
