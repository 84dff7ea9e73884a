#include "efi/files.h"

#include "efi/firmware.h"
#include "efi/volume.h"

#include <stddef.h>
#include <string.h>

#define TABLES_MAX 512U
#define TABLE_MAX_BYTES ((size_t)16 * 1024 * 1024)
#define FILE_NAME_CHARS 260U

static enum status file_size(EFI_FILE *file, uint64_t *ret_bytes)
{
    static EFI_GUID guid = EFI_FILE_INFO_ID;
    union {
        EFI_FILE_INFO information;
        uint8_t room[sizeof(EFI_FILE_INFO) + FILE_NAME_CHARS * sizeof(CHAR16)];
    } buffer;
    UINTN size_bytes = sizeof(buffer);

    if (file->GetInfo(file, &guid, &size_bytes, &buffer) != EFI_SUCCESS) {
        return STATUS_IO;
    }
    *ret_bytes = buffer.information.FileSize;
    return (buffer.information.Attribute & EFI_FILE_DIRECTORY) == 0 ? STATUS_OK : STATUS_NOT_FOUND;
}

/* UEFI 2.10, 13.5.16 EFI_FILE_INFO: what is set is what was there, but for the name. */
bool files_rename(EFI_FILE *file, const char *name)
{
    static EFI_GUID guid = EFI_FILE_INFO_ID;
    union {
        EFI_FILE_INFO information;
        uint8_t room[sizeof(EFI_FILE_INFO) + FILE_NAME_CHARS * sizeof(CHAR16)];
    } buffer;
    UINTN size_bytes = sizeof(buffer);
    size_t length = strlen(name);

    if (length >= FILE_NAME_CHARS ||
        file->GetInfo(file, &guid, &size_bytes, &buffer) != EFI_SUCCESS) {
        return false;
    }
    for (size_t i = 0; i <= length; i++) {
        buffer.information.FileName[i] = (CHAR16)(unsigned char)name[i];
    }
    size_bytes = offsetof(EFI_FILE_INFO, FileName) + (length + 1) * sizeof(CHAR16);
    buffer.information.Size = size_bytes;
    return file->SetInfo(file, &guid, size_bytes, &buffer) == EFI_SUCCESS;
}

static enum status read_whole(EFI_FILE *file, size_t max_bytes, struct arena *arena,
                              const uint8_t **ret_bytes, size_t *ret_length)
{
    uint64_t length = 0;
    enum status status = file_size(file, &length);
    uint8_t *bytes;
    UINTN taken;

    if (status != STATUS_OK || length > max_bytes) {
        return status != STATUS_OK ? status : STATUS_FULL;
    }
    bytes = arena_take(arena, length);
    taken = length;
    if (bytes == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (file->Read(file, &taken, bytes) != EFI_SUCCESS) {
        return STATUS_IO;
    }
    *ret_bytes = bytes;
    *ret_length = taken;
    return STATUS_OK;
}

enum status files_read(const char *path, size_t max_bytes, struct arena *arena,
                       const uint8_t **ret_bytes, size_t *ret_length)
{
    AUTO_FILE root = volume_root(volume_boot());
    AUTO_FILE file = root == NULL ? NULL : volume_open(root, path, EFI_FILE_MODE_READ, 0);

    if (file == NULL) {
        return STATUS_NOT_FOUND;
    }
    return read_whole(file, max_bytes, arena, ret_bytes, ret_length);
}

bool files_exists(const char *path)
{
    AUTO_FILE root = volume_root(volume_boot());
    AUTO_FILE file = root == NULL ? NULL : volume_open(root, path, EFI_FILE_MODE_READ, 0);

    return file != NULL;
}

/* "SSDT1.AML" -> true. */
static bool is_aml(const char *name)
{
    size_t length = strlen(name);
    const char *end = length > 4 ? name + length - 4 : "";

    return end[0] == '.' && (end[1] | 0x20) == 'a' && (end[2] | 0x20) == 'm' &&
           (end[3] | 0x20) == 'l';
}

/* The name as ASCII, which is what AML file names are; others are left out. */
static bool narrow(const CHAR16 *name, char ret_name[FILE_NAME_CHARS])
{
    size_t length = 0;

    for (; name[length] != 0; length++) {
        if (length == FILE_NAME_CHARS - 1 || name[length] > 0x7E) {
            return false;
        }
        ret_name[length] = (char)name[length];
    }
    ret_name[length] = '\0';
    return true;
}

/* The next entry's name; NOT_FOUND at the end of the folder. "" stands for an entry to leave out. */
static enum status next_name(EFI_FILE *folder, char ret_name[FILE_NAME_CHARS], bool *ret_is_folder)
{
    union {
        EFI_FILE_INFO information;
        uint8_t room[sizeof(EFI_FILE_INFO) + FILE_NAME_CHARS * sizeof(CHAR16)];
    } buffer;
    UINTN size_bytes = sizeof(buffer) - sizeof(CHAR16);

    memset(&buffer, 0, sizeof(buffer));
    if (folder->Read(folder, &size_bytes, &buffer) != EFI_SUCCESS) {
        return STATUS_IO;
    }
    if (size_bytes == 0) {
        return STATUS_NOT_FOUND;
    }
    *ret_is_folder = (buffer.information.Attribute & EFI_FILE_DIRECTORY) != 0;
    if (!narrow(buffer.information.FileName, ret_name)) {
        ret_name[0] = '\0';
    }
    return STATUS_OK;
}

static void insert_sorted(struct table_blob *blobs, uint32_t count, const struct table_blob *blob)
{
    uint32_t at = count;

    while (at > 0 && strcmp(blobs[at - 1].origin, blob->origin) > 0) {
        blobs[at] = blobs[at - 1];
        at--;
    }
    blobs[at] = *blob;
}

static enum status take_table(EFI_FILE *folder, const char *name, struct arena *arena,
                              struct table_blob *ret_blob)
{
    AUTO_FILE file = volume_open(folder, name, EFI_FILE_MODE_READ, 0);

    ret_blob->origin = arena_text(arena, name, strlen(name));
    if (file == NULL || ret_blob->origin == NULL) {
        return STATUS_IO;
    }
    return read_whole(file, TABLE_MAX_BYTES, arena, &ret_blob->bytes, &ret_blob->length);
}

static EFI_FILE *open_tables_folder(EFI_FILE *root, const char *path)
{
    EFI_FILE *folder = volume_open(root, path, EFI_FILE_MODE_READ, 0);
    EFI_FILE *inner = folder == NULL ? NULL : volume_open(folder, "tables", EFI_FILE_MODE_READ, 0);

    if (inner != NULL) {
        volume_close(&folder);
        return inner;
    }
    return folder;
}

enum status files_read_tables(const char *path, struct arena *arena, uint32_t *ret_count,
                              const struct table_blob **ret_blobs)
{
    AUTO_FILE root = volume_root(volume_boot());
    AUTO_FILE folder = root == NULL ? NULL : open_tables_folder(root, path);
    struct table_blob *blobs = arena_array(arena, TABLES_MAX, sizeof(*blobs));
    char name[FILE_NAME_CHARS];
    uint32_t count = 0;
    enum status status = STATUS_OK;
    bool is_folder;

    if (folder == NULL || blobs == NULL) {
        return folder == NULL ? STATUS_NOT_FOUND : STATUS_NO_MEMORY;
    }
    while (count < TABLES_MAX && (status = next_name(folder, name, &is_folder)) == STATUS_OK) {
        struct table_blob blob;

        if (is_folder || !is_aml(name)) {
            continue;
        }
        status = take_table(folder, name, arena, &blob);
        if (status != STATUS_OK) {
            return status;
        }
        insert_sorted(blobs, count++, &blob);
    }
    *ret_count = count;
    *ret_blobs = blobs;
    return status == STATUS_IO ? STATUS_IO : count == 0 ? STATUS_NOT_FOUND : STATUS_OK;
}

static void insert_name(const char **names, uint32_t count, const char *name)
{
    uint32_t at = count;

    while (at > 0 && strcmp(names[at - 1], name) < 0) {
        names[at] = names[at - 1];
        at--;
    }
    names[at] = name;
}

enum status files_folders(const char *path, struct arena *arena, uint32_t *ret_count,
                          const char *const **ret_names)
{
    AUTO_FILE root = volume_root(volume_boot());
    AUTO_FILE folder = root == NULL ? NULL : volume_open(root, path, EFI_FILE_MODE_READ, 0);
    const char **names = arena_array(arena, FILES_FOLDERS_MAX, sizeof(*names));
    char name[FILE_NAME_CHARS];
    uint32_t count = 0;
    bool is_folder;

    *ret_count = 0;
    if (folder == NULL || names == NULL) {
        return folder == NULL ? STATUS_NOT_FOUND : STATUS_NO_MEMORY;
    }
    while (count < FILES_FOLDERS_MAX && next_name(folder, name, &is_folder) == STATUS_OK) {
        const char *kept;

        if (!is_folder || name[0] == '\0' || name[0] == '.') {
            continue;
        }
        kept = arena_text(arena, name, strlen(name));
        if (kept == NULL) {
            return STATUS_NO_MEMORY;
        }
        insert_name(names, count++, kept);
    }
    *ret_count = count;
    *ret_names = names;
    return STATUS_OK;
}
