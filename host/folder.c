#include "host/folder.h"

#include "host/cpuid_text.h"
#include "host/file.h"
#include "host/folder_record.h"
#include "host/import.h"
#include "host/list.h"
#include "host/msr_text.h"
#include "host/trace_text.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Enough for ACPI's largest tables many times over; a memory image of more is a mistake in the file. */
#define OTHER_FILES_MAX 1024
#define REGION_BYTES_MAX ((uint64_t)64 * 1024 * 1024)

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    size_t tail = strlen(suffix);

    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static enum status add_name(struct list *names, const char *text)
{
    const char **name = list_add(names);

    if (name == NULL) {
        return STATUS_NO_MEMORY;
    }
    *name = arena_text(names->arena, text, strlen(text));
    return *name == NULL ? STATUS_NO_MEMORY : STATUS_OK;
}

/* The .aml files of a folder, sorted by name. */
static enum status list_tables(const char *folder, struct list *names)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    enum status status = STATUS_OK;

    if (directory == NULL) {
        return STATUS_NOT_FOUND;
    }
    for (entry = readdir(directory); entry != NULL && status == STATUS_OK;
         entry = readdir(directory)) {
        if (has_suffix(entry->d_name, ".aml")) {
            status = add_name(names, entry->d_name);
        }
    }
    (void)closedir(directory);
    if (status == STATUS_OK && names->count > 0) {
        qsort(names->items, names->count, sizeof(const char *), compare_names);
    }
    return status;
}

/* One table file; an unusable one becomes a note. */
static enum status read_table(const char *folder, const char *name, struct machine *machine,
                              struct table_blob *ret_blob)
{
    const char *path = file_join(machine->arena, folder, name);
    struct file_bytes file;
    enum status status =
        path == NULL ? STATUS_NO_MEMORY : file_read_plain(path, machine->arena, &file);

    if (status != STATUS_OK) {
        machine_note(machine, "%s/%s %s; left out", folder, name, file_problem(status));
        return status;
    }
    if (file.length == 0) {
        machine_note(machine, "%s is empty; left out", path);
        return STATUS_NOT_FOUND;
    }
    *ret_blob = (struct table_blob){.origin = name, .bytes = file.bytes, .length = file.length};
    return STATUS_OK;
}

static enum status read_tables(const char *folder, const struct list *names,
                               struct machine *machine)
{
    const char *const *name = names->items;
    struct table_blob *blobs = arena_array(machine->arena, names->count, sizeof(*blobs));
    uint32_t count = 0;

    if (blobs == NULL) {
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < names->count; i++) {
        enum status status = read_table(folder, name[i], machine, &blobs[count]);

        if (status == STATUS_NO_MEMORY) {
            return status;
        }
        count += status == STATUS_OK ? 1 : 0;
    }
    machine_order_blobs(blobs, count, machine->arena);
    machine->blobs = blobs;
    machine->blobs_count = count;
    return STATUS_OK;
}

static bool take_address(const json_t *entry, uint64_t *ret_address)
{
    const json_t *address = json_object_get(entry, "address");
    const char *text = json_string_value(address);

    if (json_is_integer(address) && json_integer_value(address) >= 0) {
        *ret_address = (uint64_t)json_integer_value(address);
        return true;
    }
    return text != NULL && scan_hex(&text, ret_address) && scan_is_end(text);
}

/* Address, length and file of an entry of memory.json; false when one is missing or absurd. */
static bool take_entry(const json_t *entry, struct replay_region *ret_region, const char **ret_file)
{
    json_int_t length = json_integer_value(json_object_get(entry, "length"));

    *ret_file = json_string_value(json_object_get(entry, "file"));
    if (*ret_file == NULL || length <= 0 || (uint64_t)length > REGION_BYTES_MAX ||
        !take_address(entry, &ret_region->paddr)) {
        return false;
    }
    ret_region->length = (uint32_t)length;
    return ret_region->paddr <= UINT64_MAX - ret_region->length;
}

/* A file may be shorter than the region (the rest is zero) or longer (the rest is left out). */
static enum status add_region(const json_t *entry, size_t index, const char *folder,
                              struct list *regions, struct machine *machine)
{
    struct replay_region region = {0};
    const char *name;
    const char *path;
    struct file_bytes file;
    uint8_t *bytes;
    struct replay_region *added;
    enum status status;

    if (!take_entry(entry, &region, &name)) {
        machine_note(machine,
                     "%s/memory.json: region %zu has no usable address, length and file; left out",
                     folder, index);
        return STATUS_OK;
    }
    path = file_join(machine->arena, folder, name);
    status = path == NULL ? STATUS_NO_MEMORY : file_read_plain(path, machine->arena, &file);
    if (status != STATUS_OK) {
        machine_note(machine, "%s/%s %s; its memory region is left out", folder, name,
                     file_problem(status));
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    }
    bytes = arena_take(machine->arena, region.length);
    added = list_add(regions);
    if (bytes == NULL || added == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (file.length > 0) {
        memcpy(bytes, file.bytes, file.length < region.length ? file.length : region.length);
    }
    region.bytes = bytes;
    *added = region;
    return STATUS_OK;
}

enum status folder_parse_memory(const char *text, size_t length, const char *folder,
                                struct machine *machine)
{
    json_error_t error = {.text = "no regions"};
    json_t *root = json_loadb(text, length, 0, &error);
    json_t *array = json_is_object(root) ? json_object_get(root, "regions") : root;
    struct list regions;
    enum status status = STATUS_OK;

    list_init(&regions, machine->arena, sizeof(struct replay_region));
    if (!json_is_array(array)) {
        machine_note(machine, "%s/memory.json is not {\"regions\": [...]} (%s); left out", folder,
                     root == NULL ? error.text : "no regions");
    }
    for (size_t i = 0; i < json_array_size(array) && status == STATUS_OK; i++) {
        status = add_region(json_array_get(array, i), i, folder, &regions, machine);
    }
    json_decref(root);
    machine->regions = regions.items;
    machine->regions_count = regions.count;
    return status;
}

struct member {
    const char *folder;
    const char *path;
    const char *text;
    size_t length;
};

static enum status take_memory(const struct member *member, struct machine *machine)
{
    return folder_parse_memory(member->text, member->length, member->folder, machine);
}

static enum status take_cpuid(const struct member *member, struct machine *machine)
{
    struct cpuid_text text = {0};
    enum status status = cpuid_text_parse(member->text, member->length, machine->arena, &text);

    machine_note_rubbish(machine, member->path, &text.rubbish);
    if (status == STATUS_OK && text.kinds_count == 0) {
        machine_note(machine, "%s holds no CPUID leaf", member->path);
    }
    machine->kinds = text.kinds;
    machine->kinds_count = text.kinds_count;
    return status;
}

static enum status take_msrs(const struct member *member, struct machine *machine)
{
    struct msr_text text = {0};
    enum status status = msr_text_parse(member->text, member->length, machine->arena, &text);

    machine_note_rubbish(machine, member->path, &text.rubbish);
    machine->msrs = text.msrs;
    machine->msrs_count = text.msrs_count;
    return status;
}

static enum status take_trace(const struct member *member, struct machine *machine)
{
    struct trace_text text = {0};
    enum status status = trace_text_parse(member->text, member->length, machine->arena, &text);

    machine_note_rubbish(machine, member->path, &text.rubbish);
    machine->trace = text.trace;
    machine->trace_count = text.trace_count;
    return status;
}

static enum status take_measured(const struct member *member, struct machine *machine)
{
    struct platform *samples = arena_take(machine->arena, sizeof(*samples));
    char message[200] = "";

    if (samples == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (run_record_samples(member->text, member->length, machine->arena, samples, message,
                           sizeof(message)) != STATUS_OK) {
        machine_note(machine, "%s %s; left out", member->path, message);
        return STATUS_OK;
    }
    machine->samples = samples;
    return STATUS_OK;
}

/* "max_speed_mhz N", as report_snapshot_smbios writes it. */
static enum status take_smbios(const struct member *member, struct machine *machine)
{
    static const char word[] = "max_speed_mhz ";
    size_t at = sizeof(word) - 1;
    uint32_t mhz = 0;

    if (member->length <= at || memcmp(member->text, word, at) != 0) {
        machine_note(machine, "%s: not understood and left out; it should be \"max_speed_mhz N\"",
                     member->path);
        return STATUS_OK;
    }
    for (; at < member->length && member->text[at] >= '0' && member->text[at] <= '9' &&
           mhz <= UINT16_MAX;
         at++) {
        mhz = mhz * 10 + (uint32_t)(member->text[at] - '0');
    }
    if (mhz > UINT16_MAX || (at < member->length && member->text[at] != '\n')) {
        machine_note(machine, "%s: not a number of MHz up to 65535; left out", member->path);
        return STATUS_OK;
    }
    machine->has_smbios = true;
    machine->smbios_max_mhz = mhz;
    return STATUS_OK;
}

typedef enum status (*member_take)(const struct member *member, struct machine *machine);

/* An optional file of the folder: not there is fine, unreadable is a note. */
static enum status read_member(const char *folder, const char *name, member_take take,
                               struct machine *machine)
{
    const char *path = file_join(machine->arena, folder, name);
    struct file_bytes file;
    enum status status =
        path == NULL ? STATUS_NO_MEMORY : file_read_plain(path, machine->arena, &file);
    struct member member = {.folder = folder, .path = path};

    if (status == STATUS_OK) {
        member.text = (const char *)file.bytes;
        member.length = file.length;
        return take(&member, machine);
    }
    if (status == STATUS_NO_MEMORY) {
        return status;
    }
    if (status != STATUS_NOT_FOUND) {
        machine_note(machine, "%s %s; left out", path, file_problem(status));
    }
    return STATUS_OK;
}

static enum status read_members(const char *folder, struct machine *machine)
{
    static const struct {
        const char *name;
        member_take take;
    } members[] = {{"memory.json", take_memory},     {"cpuid.txt", take_cpuid},
                   {"msr.txt", take_msrs},           {"smbios.txt", take_smbios},
                   {"measured.json", take_measured}, {"trace.txt", take_trace}};
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]) && status == STATUS_OK; i++) {
        status = read_member(folder, members[i].name, members[i].take, machine);
    }
    return status;
}

/* What is no dump of anything is passed over. */
static enum status load_other(const char *folder, const char *name, struct import *import)
{
    const char *path = file_join(import->machine->arena, folder, name);
    struct file_bytes file;
    enum status status =
        path == NULL ? STATUS_NO_MEMORY : file_read_plain(path, import->machine->arena, &file);

    if (status == STATUS_OK && file.length > 0) {
        status = import_file(import, path, file.bytes, file.length);
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* A folder of another tool's files: acpixtract's .dat, fwts --dump, a mixture. */
static enum status load_others(const char *path, struct machine *machine)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    enum status status = STATUS_OK;
    struct import import;
    struct list names;

    list_init(&names, machine->arena, sizeof(const char *));
    for (entry = directory == NULL ? NULL : readdir(directory);
         entry != NULL && status == STATUS_OK && names.count < OTHER_FILES_MAX;
         entry = readdir(directory)) {
        if (entry->d_name[0] != '.') {
            status = add_name(&names, entry->d_name);
        }
    }
    if (directory != NULL) {
        (void)closedir(directory);
    }
    if (names.count > 0) {
        qsort(names.items, names.count, sizeof(const char *), compare_names);
    }
    import_init(&import, machine);
    for (uint32_t i = 0; i < names.count && status == STATUS_OK; i++) {
        status = load_other(path, ((const char *const *)names.items)[i], &import);
    }
    return status == STATUS_OK && import_finish(&import) == STATUS_NOT_FOUND ? STATUS_NOT_FOUND
                                                                             : status;
}

/*
 * Tables that AML loaded on the running system, without the memory that it loads them from here: they are put
 * behind the others, so that what they define is judged.
 */
static enum status load_dynamic(const char *path, struct machine *machine)
{
    const char *folder = file_join(machine->arena, path, "dynamic");
    struct list names;
    struct table_blob *blobs;
    uint32_t count = machine->blobs_count;

    list_init(&names, machine->arena, sizeof(const char *));
    if (folder == NULL || list_tables(folder, &names) == STATUS_NO_MEMORY) {
        return STATUS_NO_MEMORY;
    }
    if (names.count == 0) {
        return STATUS_OK;
    }
    blobs = arena_array(machine->arena, (size_t)count + names.count, sizeof(*blobs));
    if (blobs == NULL) {
        return STATUS_NO_MEMORY;
    }
    memcpy(blobs, machine->blobs, count * sizeof(*blobs));
    for (uint32_t i = 0; i < names.count; i++) {
        if (read_table(folder, ((const char *const *)names.items)[i], machine, &blobs[count]) ==
            STATUS_OK) {
            count++;
        }
    }
    machine_order_blobs(blobs, count, machine->arena);
    machine->blobs = blobs;
    machine->blobs_count = count;
    machine_note(machine,
                 "%s: there is no memory.json, so its %u tables are loaded with the others", folder,
                 names.count);
    return STATUS_OK;
}

static bool has_memory(const char *path, struct arena *arena)
{
    const char *name = file_join(arena, path, "memory.json");

    return name != NULL && access(name, F_OK) == 0;
}

enum status folder_load(const char *path, struct machine *machine, char *message,
                        size_t message_bytes)
{
    const char *tables = file_join(machine->arena, path, "tables");
    struct list names;
    enum status status;

    list_init(&names, machine->arena, sizeof(const char *));
    status = tables == NULL ? STATUS_NO_MEMORY : list_tables(tables, &names);
    if (status == STATUS_NOT_FOUND) {
        tables = path;
        status = list_tables(path, &names);
    }
    if (status == STATUS_OK && names.count > 0) {
        status = read_tables(tables, &names, machine);
    }
    if (status == STATUS_OK || status == STATUS_NOT_FOUND) {
        status = folder_record_take(path, machine);
    }
    if (status == STATUS_OK && machine->blobs_count == 0 && machine->record == NULL) {
        status = load_others(path, machine);
    }
    /* A run on a machine without tables has a report too. */
    if (status != STATUS_NO_MEMORY && machine->blobs_count == 0 && machine->record == NULL) {
        (void)snprintf(message, message_bytes,
                       "%s: no ACPI table in it; a machine folder holds tables/NAME.aml", path);
        return STATUS_NOT_FOUND;
    }
    if (status == STATUS_OK && machine->record == NULL && !has_memory(path, machine->arena)) {
        status = load_dynamic(path, machine);
    }
    if (status == STATUS_OK) {
        status = read_members(path, machine);
    }
    if (status != STATUS_OK) {
        (void)snprintf(message, message_bytes, "%s: does not fit into memory", path);
    }
    return status;
}
