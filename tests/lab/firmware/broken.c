#include "efi/mp_services.h"

#include <efi.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Firmware with a fault, for the lab: started in the place of the application, it breaks what the first line of
 * \assay\firmware.txt names, and then starts the application from \EFI\assay\assay.efi. Words:
 *
 *   refuse-nonblocking  MP services start other CPUs only while the caller waits
 *   no-mp               there are no MP services
 *   broken-mp           MP services that answer nothing
 *   no-acpi             there are no ACPI tables
 */
static const EFI_GUID mp_guid = MP_SERVICES_GUID;
static const EFI_GUID acpi_guids[] = {ACPI_20_TABLE_GUID, ACPI_TABLE_GUID};
static const EFI_GUID image_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
static const EFI_GUID volume_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;

static EFI_SYSTEM_TABLE *system_table;
static struct mp_services *mp;
static struct mp_services good; /* as they were */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

static EFI_GUID *guid(const EFI_GUID *which)
{
    return (EFI_GUID *)(UINTN)which; /* UEFI's prototypes lack the const */
}

/* The PI specification allows it, 1.8, volume 2, 13.4.1: EFI_UNSUPPORTED. */
static EFI_STATUS EFIAPI all_or_nothing(struct mp_services *self, mp_procedure procedure,
                                        BOOLEAN single_thread, EFI_EVENT event, UINTN timeout_us,
                                        void *argument, UINTN **ret_failed)
{
    return event != NULL ? EFI_UNSUPPORTED
                         : good.startup_all_aps(self, procedure, single_thread, event, timeout_us,
                                                argument, ret_failed);
}

static EFI_STATUS EFIAPI one_or_nothing(struct mp_services *self, mp_procedure procedure,
                                        UINTN number, EFI_EVENT event, UINTN timeout_us,
                                        void *argument, BOOLEAN *ret_finished)
{
    return event != NULL ? EFI_UNSUPPORTED
                         : good.startup_this_ap(self, procedure, number, event, timeout_us,
                                                argument, ret_finished);
}

static EFI_STATUS EFIAPI no_count(struct mp_services *self, UINTN *ret_count, UINTN *ret_enabled)
{
    (void)self;
    (void)ret_count;
    (void)ret_enabled;
    return EFI_DEVICE_ERROR;
}

static void refuse_nonblocking(void)
{
    mp->startup_all_aps = all_or_nothing;
    mp->startup_this_ap = one_or_nothing;
}

static void break_mp(void)
{
    mp->get_number_of_processors = no_count;
}

static void remove_mp(void)
{
    EFI_BOOT_SERVICES *services = system_table->BootServices;
    EFI_HANDLE *handles = NULL;
    UINTN count = 0;

    if (services->LocateHandleBuffer(ByProtocol, guid(&mp_guid), NULL, &count, &handles) !=
        EFI_SUCCESS) {
        return;
    }
    for (UINTN i = 0; i < count; i++) {
        (void)services->UninstallProtocolInterface(handles[i], guid(&mp_guid), mp);
    }
    (void)services->FreePool(handles);
}

static void remove_acpi(void)
{
    for (unsigned i = 0; i < 2; i++) {
        (void)system_table->BootServices->InstallConfigurationTable(guid(&acpi_guids[i]), NULL);
    }
}

static const struct {
    const char *word;
    void (*apply)(void);
    bool needs_mp;
} faults[] = {
    {"refuse-nonblocking", refuse_nonblocking, true},
    {"no-mp", remove_mp, true},
    {"broken-mp", break_mp, true},
    {"no-acpi", remove_acpi, false},
};

static bool is_word(const char *text, UINTN bytes, const char *word)
{
    UINTN i = 0;

    while (i < bytes && word[i] != '\0' && text[i] == word[i]) {
        i++;
    }
    return word[i] == '\0' && (i == bytes || text[i] == '\n' || text[i] == '\r');
}

static bool apply(const char *text, UINTN bytes)
{
    for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (is_word(text, bytes, faults[i].word)) {
            if (faults[i].needs_mp && mp == NULL) {
                return false;
            }
            faults[i].apply();
            return true;
        }
    }
    return false;
}

/* The whole file into `room` bytes; how many there are, 0 when it is not there or too long. */
static UINTN read_file(EFI_FILE_HANDLE root, CHAR16 *path, void *buffer, UINTN room)
{
    EFI_FILE_HANDLE file;
    UINTN bytes = room;

    if (root->Open(root, &file, path, EFI_FILE_MODE_READ, 0) != EFI_SUCCESS) {
        return 0;
    }
    if (file->Read(file, &bytes, buffer) != EFI_SUCCESS || bytes == room) {
        bytes = 0;
    }
    (void)file->Close(file);
    return bytes;
}

#define APPLICATION_ROOM (16U * 1024U * 1024U)

static EFI_STATUS start_application(EFI_HANDLE image, const EFI_LOADED_IMAGE *own,
                                    EFI_FILE_HANDLE root)
{
    EFI_BOOT_SERVICES *services = system_table->BootServices;
    CHAR16 path[] = L"\\EFI\\assay\\assay.efi";
    EFI_LOADED_IMAGE *child_image;
    void *buffer = NULL;
    EFI_HANDLE child;
    EFI_STATUS status;
    UINTN bytes;

    if (services->AllocatePool(EfiLoaderData, APPLICATION_ROOM, &buffer) != EFI_SUCCESS) {
        return EFI_OUT_OF_RESOURCES;
    }
    bytes = read_file(root, path, buffer, APPLICATION_ROOM);
    status = services->LoadImage(FALSE, image, NULL, buffer, bytes, &child);
    (void)services->FreePool(buffer);
    if (status != EFI_SUCCESS ||
        services->HandleProtocol(child, guid(&image_guid), (void **)&child_image) != EFI_SUCCESS) {
        return EFI_LOAD_ERROR;
    }
    /* As if the firmware had started it from the medium. */
    child_image->DeviceHandle = own->DeviceHandle;
    child_image->FilePath = own->FilePath;
    child_image->LoadOptions = own->LoadOptions;
    child_image->LoadOptionsSize = own->LoadOptionsSize;
    return services->StartImage(child, NULL, NULL);
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    CHAR16 path[] = L"\\assay\\firmware.txt";
    EFI_LOADED_IMAGE *own;
    EFI_FILE_IO_INTERFACE *volume;
    EFI_FILE_HANDLE root;
    char text[64];

    system_table = system;
    if (system->BootServices->LocateProtocol(guid(&mp_guid), NULL, (void **)&mp) == EFI_SUCCESS) {
        good = *mp;
    }
    if (system->BootServices->HandleProtocol(image, guid(&image_guid), (void **)&own) !=
            EFI_SUCCESS ||
        system->BootServices->HandleProtocol(own->DeviceHandle, guid(&volume_guid),
                                             (void **)&volume) != EFI_SUCCESS ||
        volume->OpenVolume(volume, &root) != EFI_SUCCESS) {
        return EFI_NOT_FOUND;
    }
    if (!apply(text, read_file(root, path, text, sizeof(text)))) {
        return EFI_INVALID_PARAMETER;
    }
    return start_application(image, own, root);
}
