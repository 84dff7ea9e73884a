#include "host/import.h"

#include "host/acpidump.h"
#include "host/cpuid_text.h"
#include "host/file.h"
#include "host/msr_text.h"
#include "host/turbostat_text.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#define TABLE_HEADER_BYTES 36 /* ACPI 6.5, 5.2.6 System Description Table Header */

/* Of an archive: more than any firmware has tables, and a bomb is no dump. */
#define ENTRIES_MAX 4096U
#define ENTRY_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define UNPACKED_BYTES_MAX ((size_t)512 * 1024 * 1024)

void import_init(struct import *import, struct machine *machine)
{
    *import = (struct import){.machine = machine};
    list_init(&import->blobs, machine->arena, sizeof(struct table_blob));
}

const char *import_forms(void)
{
    return "a machine folder, nor binary tables, nor acpidump text (\"DSDT @ 0x...\"), nor a CPUID "
           "dump "
           "(InstLatx64 or cpuid -r), an MSR dump (InstLatx64 or turbostat), or a zip or tar of "
           "these";
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

static bool has_suffix(const char *name, const char *suffix)
{
    const char *dot = strrchr(name, '.');

    return dot != NULL && strcmp(dot, suffix) == 0;
}

/* A binary table starts with a signature and, behind it, a length that fits the file somehow; a text has printable
 * characters there, which read as a length of over 500 MB. */
static bool is_table(const char *name, const uint8_t *bytes, size_t length)
{
    uint32_t claimed;

    if (has_suffix(name, ".aml") || has_suffix(name, ".dat")) {
        return length > 0;
    }
    if (length < TABLE_HEADER_BYTES) {
        return false;
    }
    memcpy(&claimed, bytes + 4, sizeof(claimed)); /* little-endian hosts only: x86-64 */
    for (unsigned i = 0; i < 4; i++) {
        bool is_fine = (bytes[i] >= 'A' && bytes[i] <= 'Z') ||
                       (bytes[i] >= '0' && bytes[i] <= '9') || bytes[i] == '_' || bytes[i] == '!';

        if (!is_fine) {
            return false;
        }
    }
    return claimed < FILE_BYTES_MAX;
}

/* They hold addresses of a memory that is not here, as in acpidump text. */
static bool is_root(const uint8_t *bytes, size_t length)
{
    return length >= 4 && (memcmp(bytes, "RSDT", 4) == 0 || memcmp(bytes, "XSDT", 4) == 0 ||
                           memcmp(bytes, "RSD ", 4) == 0);
}

static enum status add_table(struct import *import, const char *name, const uint8_t *bytes,
                             size_t length)
{
    struct table_blob *blob;
    const char *origin = base_name(name);

    if (is_root(bytes, length)) {
        return STATUS_OK;
    }
    blob = list_add(&import->blobs);
    if (blob == NULL) {
        return STATUS_NO_MEMORY;
    }
    *blob = (struct table_blob){.origin = origin, .bytes = bytes, .length = length};
    return STATUS_OK;
}

static enum status add_dump(struct import *import, const char *name, const struct acpidump *dump)
{
    machine_note_rubbish(import->machine, name, &dump->rubbish);
    if (dump->gaps > 0) {
        machine_note(import->machine, "%s: %u table%s cut short where the offsets do not continue",
                     name, dump->gaps, dump->gaps == 1 ? " is" : "s are");
    }
    for (uint32_t i = 0; i < dump->blobs_count; i++) {
        struct table_blob *blob = list_add(&import->blobs);

        if (blob == NULL) {
            return STATUS_NO_MEMORY;
        }
        *blob = dump->blobs[i];
    }
    return STATUS_OK;
}

/* One of several dumps of the same kind: the last counts. */
static void take_msrs(struct import *import, const struct msr_text *text)
{
    if (text->msrs_count > 0) {
        import->machine->msrs = text->msrs;
        import->machine->msrs_count = text->msrs_count;
    }
}

/* Registers of CPUs: a file may hold CPUID and MSRs. */
static enum status take_registers(struct import *import, const char *text, size_t length)
{
    struct arena *arena = import->machine->arena;
    struct cpuid_text cpuid = {0};
    struct msr_text msrs = {0};
    struct msr_text turbostat = {0};
    enum status status = cpuid_text_parse(text, length, arena, &cpuid);

    if (status == STATUS_OK) {
        status = msr_text_parse(text, length, arena, &msrs);
    }
    if (status == STATUS_OK) {
        status = turbostat_text_parse(text, length, arena, &turbostat);
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (cpuid.kinds_count > 0) {
        import->machine->kinds = cpuid.kinds;
        import->machine->kinds_count = cpuid.kinds_count;
    }
    take_msrs(import, &turbostat);
    take_msrs(import, &msrs);
    return cpuid.kinds_count + msrs.msrs_count + turbostat.msrs_count > 0 ? STATUS_OK
                                                                          : STATUS_NOT_FOUND;
}

static enum status take_text(struct import *import, const char *name, const char *text,
                             size_t length)
{
    struct acpidump dump = {0};
    enum status status = acpidump_parse(text, length, import->machine->arena, &dump);

    if (status == STATUS_OK) {
        return add_dump(import, name, &dump);
    }
    return status == STATUS_NOT_FOUND ? take_registers(import, text, length) : status;
}

static enum status take_plain(struct import *import, const char *name, const uint8_t *bytes,
                              size_t length)
{
    if (is_table(name, bytes, length)) {
        return add_table(import, name, bytes, length);
    }
    return take_text(import, name, (const char *)bytes, length);
}

/* PKWARE APPNOTE 4.3.7; RFC 1952, 2.3.1; xz 1.1.0, 2.1.1.1; RFC 8878, 3.1.1; bzip2; POSIX ustar. */
static bool is_archive(const uint8_t *bytes, size_t length)
{
    static const struct {
        const char *magic;
        size_t bytes;
        size_t offset;
    } magics[] = {{"PK\x03\x04", 4, 0},
                  {"\x1F\x8B", 2, 0},
                  {"\xFD"
                   "7zXZ",
                   5, 0},
                  {"\x28\xB5\x2F\xFD", 4, 0},
                  {"BZh", 3, 0},
                  {"ustar", 5, 257}};

    for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
        if (length > magics[i].offset + magics[i].bytes &&
            memcmp(bytes + magics[i].offset, magics[i].magic, magics[i].bytes) == 0) {
            return true;
        }
    }
    return false;
}

static enum status take_entry(struct import *import, struct archive *archive,
                              struct archive_entry *entry, size_t *unpacked)
{
    struct arena *arena = import->machine->arena;
    const char *name = archive_entry_pathname(entry);
    la_int64_t size = archive_entry_size(entry);
    const char *kept_name;
    uint8_t *bytes;
    la_ssize_t got;
    enum status status;

    if (archive_entry_filetype(entry) != AE_IFREG || name == NULL || size <= 0) {
        return STATUS_OK;
    }
    import->entries++;
    *unpacked += (size_t)size;
    if (import->entries > ENTRIES_MAX || (size_t)size > ENTRY_BYTES_MAX ||
        *unpacked > UNPACKED_BYTES_MAX) {
        return STATUS_FULL;
    }
    kept_name = arena_text(arena, name, strlen(name));
    bytes = arena_take(arena, (size_t)size);
    if (kept_name == NULL || bytes == NULL) {
        return STATUS_NO_MEMORY;
    }
    got = archive_read_data(archive, bytes, (size_t)size);
    if (got <= 0) {
        machine_note(import->machine, "%s: cannot be unpacked; left out", kept_name);
        return STATUS_OK;
    }
    status = take_plain(import, kept_name, bytes, (size_t)got);
    /* A README among the tables is no mistake. */
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

static enum status take_archive(struct import *import, const uint8_t *bytes, size_t length)
{
    struct archive *archive = archive_read_new();
    struct archive_entry *entry = NULL;
    enum status status = STATUS_OK;
    size_t unpacked = 0;
    uint32_t before = import->blobs.count;

    if (archive == NULL) {
        return STATUS_NO_MEMORY;
    }
    (void)archive_read_support_filter_all(archive);
    (void)archive_read_support_format_zip(archive);
    (void)archive_read_support_format_tar(archive);
    if (archive_read_open_memory(archive, bytes, length) != ARCHIVE_OK) {
        status = STATUS_NOT_FOUND;
    }
    while (status == STATUS_OK && archive_read_next_header(archive, &entry) == ARCHIVE_OK) {
        status = take_entry(import, archive, entry, &unpacked);
    }
    (void)archive_read_free(archive);
    return status == STATUS_OK && import->blobs.count == before && import->machine->kinds_count == 0
               ? STATUS_NOT_FOUND
               : status;
}

enum status import_file(struct import *import, const char *name, const uint8_t *bytes,
                        size_t length)
{
    if (is_archive(bytes, length)) {
        return take_archive(import, bytes, length);
    }
    return take_plain(import, name, bytes, length);
}

enum status import_finish(struct import *import)
{
    struct machine *machine = import->machine;

    if (import->blobs.count > 0) {
        machine_order_blobs(import->blobs.items, import->blobs.count, machine->arena);
    }
    machine->blobs = import->blobs.items;
    machine->blobs_count = import->blobs.count;
    return import->blobs.count == 0 ? STATUS_NOT_FOUND : STATUS_OK;
}
