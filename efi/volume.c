#include "efi/volume.h"

#include "efi/firmware.h"

#include <string.h>

#define MODE_MAKE (EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE)

EFI_HANDLE volume_boot(void)
{
    static EFI_GUID guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    const EFI_LOADED_IMAGE *image = firmware_loaded_image();

    if (image == NULL || firmware_interface(image->DeviceHandle, &guid) == NULL) {
        return NULL;
    }
    return image->DeviceHandle;
}

EFI_FILE *volume_root(EFI_HANDLE volume)
{
    static EFI_GUID guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *system = firmware_interface(volume, &guid);
    EFI_FILE *root = NULL;

    if (system == NULL || system->OpenVolume(system, &root) != EFI_SUCCESS) {
        return NULL;
    }
    return root;
}

/* One UTF-8 character of up to three bytes; 0 when it is not one. */
static size_t decode(const uint8_t *bytes, CHAR16 *ret_character)
{
    if (bytes[0] < 0x80) {
        *ret_character = bytes[0];
        return 1;
    }
    if (bytes[0] >= 0xC2 && bytes[0] < 0xE0 && (bytes[1] & 0xC0) == 0x80) {
        *ret_character = (CHAR16)((bytes[0] & 0x1FU) << 6 | (bytes[1] & 0x3FU));
        return 2;
    }
    if (bytes[0] >= 0xE0 && bytes[0] < 0xF0 && (bytes[1] & 0xC0) == 0x80 &&
        (bytes[2] & 0xC0) == 0x80) {
        *ret_character =
            (CHAR16)((bytes[0] & 0x0FU) << 12 | (bytes[1] & 0x3FU) << 6 | (bytes[2] & 0x3FU));
        return 3;
    }
    return 0;
}

bool volume_path(const char *path, CHAR16 ret_path[VOLUME_PATH_CHARS])
{
    const uint8_t *at = (const uint8_t *)path;
    size_t length = 0;

    while (*at == '\\' || *at == '/') {
        at++;
    }
    while (*at != '\0') {
        size_t taken = decode(at, &ret_path[length]);

        if (taken == 0 || length == VOLUME_PATH_CHARS - 1) {
            return false;
        }
        ret_path[length] = ret_path[length] == '/' ? '\\' : ret_path[length];
        length++;
        at += taken;
    }
    ret_path[length] = 0;
    return true;
}

EFI_FILE *volume_open(EFI_FILE *folder, const char *path, uint64_t mode, uint64_t attributes)
{
    CHAR16 name[VOLUME_PATH_CHARS];
    EFI_FILE *file = NULL;

    if (!volume_path(path, name) ||
        folder->Open(folder, &file, name, mode, attributes) != EFI_SUCCESS) {
        return NULL;
    }
    return file;
}

static size_t part_length(const char *path)
{
    size_t length = 0;

    while (path[length] != '\0' && path[length] != '\\' && path[length] != '/') {
        length++;
    }
    return length;
}

EFI_FILE *volume_make_folders(EFI_FILE *root, const char *path)
{
    CHAR16 self[] = {'.', 0};
    EFI_FILE *folder = NULL;

    if (root->Open(root, &folder, self, EFI_FILE_MODE_READ, 0) != EFI_SUCCESS) {
        return NULL;
    }
    while (folder != NULL && *path != '\0') {
        char part[VOLUME_PATH_CHARS];
        size_t length = part_length(path);
        EFI_FILE *next = folder;

        if (length >= sizeof(part)) {
            volume_close(&folder);
            return NULL;
        }
        memcpy(part, path, length);
        part[length] = '\0';
        if (length > 0) {
            next = volume_open(folder, part, MODE_MAKE, EFI_FILE_DIRECTORY);
            volume_close(&folder);
        }
        folder = next;
        path += length + (path[length] == '\0' ? 0 : 1);
    }
    return folder;
}

void volume_close(EFI_FILE **file)
{
    if (*file != NULL) {
        (*file)->Close(*file);
        *file = NULL;
    }
}
