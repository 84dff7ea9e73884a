#include "efi/volume.h"

#include "efi/firmware.h"
#include "efi/wait.h"

#include <string.h>

/* PCI Code and ID Assignment, 1.2 and 1.13: base class 01h is mass storage, 0C03h is USB. The class code is in bytes 9 to
 * 11 of the configuration space: the three upper bytes of the word at 8. */
#define PCI_REVISION_AND_CLASS 8U
#define CLASS_STORAGE 0x01U
#define CLASS_USB 0x0C03U

#define REMOVAL_TIME_MS 3000U /* edk2's hubs are asked once a second */

#define MODE_MAKE (EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE)

static bool may_have_volumes(EFI_HANDLE controller)
{
    static EFI_GUID guid = EFI_PCI_IO_PROTOCOL_GUID;
    EFI_PCI_IO_PROTOCOL *pci = firmware_interface(controller, &guid);
    uint32_t word = 0;

    if (pci == NULL ||
        pci->Pci.Read(pci, EfiPciIoWidthUint32, PCI_REVISION_AND_CLASS, 1, &word) != EFI_SUCCESS) {
        return false;
    }
    return word >> 24 == CLASS_STORAGE || word >> 16 == CLASS_USB;
}

static EFI_STATUS last_failure;
static bool is_boot_doubtful;
static bool is_boot_lost;

/* The PCI device that a volume hangs from, or NULL. */
static EFI_HANDLE controller_of(EFI_HANDLE volume)
{
    static EFI_GUID path_guid = EFI_DEVICE_PATH_PROTOCOL_GUID;
    static EFI_GUID pci_guid = EFI_PCI_IO_PROTOCOL_GUID;
    EFI_DEVICE_PATH *path = volume == NULL ? NULL : firmware_interface(volume, &path_guid);
    EFI_HANDLE controller = NULL;

    if (path == NULL ||
        firmware_services()->LocateDevicePath(&pci_guid, &path, &controller) != EFI_SUCCESS) {
        return NULL;
    }
    return controller;
}

static bool is_boot_gone(const void *context)
{
    (void)context;
    return volume_boot() == NULL;
}

/* A stick that was pulled out stays among the firmware's devices until its bus driver looks, and whoever is connected to it
 * meanwhile reads it with time-outs of many seconds each: in QEMU with OVMF 2022.11 the partition driver, for minutes. So
 * the bus gets time to look, and what the boot volume hangs from is left alone while that is still there. */
void volume_connect_all(void)
{
    static EFI_GUID guid = EFI_PCI_IO_PROTOCOL_GUID;
    static bool is_done;
    AUTO_HANDLES list = firmware_handles(&guid);
    bool is_avoided = is_boot_lost && !is_done && !wait_until(is_boot_gone, NULL, REMOVAL_TIME_MS);
    EFI_HANDLE avoided = is_avoided ? controller_of(volume_boot()) : NULL;

    for (UINTN i = 0; i < list.count && !is_done; i++) {
        if (list.handles[i] != avoided && may_have_volumes(list.handles[i])) {
            (void)firmware_services()->ConnectController(list.handles[i], NULL, NULL, TRUE);
        }
    }
    is_done = true;
}

bool volume_has_lost_medium(void)
{
    return last_failure == EFI_NO_MEDIA || last_failure == EFI_MEDIA_CHANGED ||
           last_failure == EFI_DEVICE_ERROR || last_failure == EFI_TIMEOUT ||
           last_failure == EFI_INVALID_PARAMETER;
}

void volume_doubt_boot(void)
{
    is_boot_doubtful = true;
    is_boot_lost = is_boot_lost || volume_has_lost_medium();
}

bool volume_is_boot_lost(void)
{
    return is_boot_lost;
}

bool volume_is_boot_doubtful(void)
{
    return is_boot_doubtful;
}

void volume_note(EFI_STATUS status)
{
    if (status != EFI_SUCCESS) {
        last_failure = status;
    }
}

/* UEFI 2.10, 13.5 EFI_FILE_PROTOCOL: the status codes of Open and Write. A stick that was pulled out may answer with
 * any of the last three, or its handle is no longer one. */
const char *volume_why(void)
{
    switch (last_failure) {
    case EFI_VOLUME_FULL:
        return "the medium is full";
    case EFI_WRITE_PROTECTED:
    case EFI_ACCESS_DENIED:
        return "the medium cannot be written";
    case EFI_VOLUME_CORRUPTED:
        return "the medium is damaged";
    case EFI_NO_MEDIA:
    case EFI_MEDIA_CHANGED:
    case EFI_INVALID_PARAMETER:
        return "the medium was removed";
    case EFI_DEVICE_ERROR:
    default:
        return "the medium was removed or fails";
    }
}

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
    EFI_STATUS status = system == NULL ? EFI_INVALID_PARAMETER : system->OpenVolume(system, &root);

    volume_note(status);
    return status == EFI_SUCCESS ? root : NULL;
}

void volume_label(EFI_FILE *root, char ret_label[VOLUME_LABEL_BYTES])
{
    static EFI_GUID guid = EFI_FILE_SYSTEM_VOLUME_LABEL_INFO_ID;
    union {
        EFI_FILE_SYSTEM_VOLUME_LABEL_INFO information;
        uint8_t room[128];
    } buffer;
    UINTN size_bytes = sizeof(buffer);
    size_t length = 0;

    memset(&buffer, 0, sizeof(buffer));
    if (root->GetInfo(root, &guid, &size_bytes, &buffer) == EFI_SUCCESS) {
        const CHAR16 *label = buffer.information.VolumeLabel;

        for (; length < VOLUME_LABEL_BYTES - 1 && label[length] != 0; length++) {
            ret_label[length] = label[length] < ' ' || label[length] > '~' || label[length] == '"'
                                    ? '?'
                                    : (char)label[length];
        }
    }
    ret_label[length] = '\0';
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
    EFI_STATUS status;

    if (!volume_path(path, name)) {
        return NULL;
    }
    status = folder->Open(folder, &file, name, mode, attributes);
    /* That a file is not there yet is no failure of the medium. */
    volume_note(status == EFI_NOT_FOUND ? EFI_SUCCESS : status);
    return status == EFI_SUCCESS ? file : NULL;
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

bool volume_is_folder(EFI_FILE *file)
{
    static EFI_GUID guid = EFI_FILE_INFO_ID;
    union {
        EFI_FILE_INFO information;
        uint8_t room[sizeof(EFI_FILE_INFO) + VOLUME_PATH_CHARS * sizeof(CHAR16)];
    } buffer;
    UINTN size_bytes = sizeof(buffer);

    return file->GetInfo(file, &guid, &size_bytes, &buffer) == EFI_SUCCESS &&
           (buffer.information.Attribute & EFI_FILE_DIRECTORY) != 0;
}

void volume_close(EFI_FILE **file)
{
    if (*file != NULL) {
        (*file)->Close(*file);
        *file = NULL;
    }
}
