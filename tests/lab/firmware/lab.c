#include "tests/lab/firmware/lab.h"

#include "model/textbuf.h"

#include <stdarg.h>

#define COM1 0x3F8U
#define LINE_STATUS 5U       /* 16550: the register and ... */
#define TRANSMIT_EMPTY 0x20U /* ... its bit */
#define APPLICATION_ROOM (16U * 1024U * 1024U)

struct lab lab;

EFI_GUID *lab_guid(const EFI_GUID *which)
{
    return (EFI_GUID *)(UINTN)which;
}

static uint8_t in8(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void send(char byte)
{
    for (unsigned i = 0; i < 100000U && (in8(COM1 + LINE_STATUS) & TRANSMIT_EMPTY) == 0; i++) {
    }
    __asm__ volatile("outb %0, %1" : : "a"(byte), "Nd"((uint16_t)COM1));
}

static bool flush(void *context, const char *bytes, size_t length)
{
    (void)context;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
            send('\r');
        }
        send(bytes[i]);
    }
    return true;
}

void lab_say(const char *format, ...)
{
    char buffer[256];
    struct textbuf text;
    va_list arguments;

    textbuf_init(&text, buffer, sizeof(buffer), flush, NULL);
    va_start(arguments, format);
    textbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    (void)textbuf_finish(&text);
}

void lab_each_memory(void (*visit)(const EFI_MEMORY_DESCRIPTOR *one, void *context), void *context)
{
    static uint8_t map[64U * 1024U];
    UINTN bytes = sizeof(map);
    UINTN key;
    UINTN step = 0;
    UINT32 version;

    if (lab.services->GetMemoryMap(&bytes, (EFI_MEMORY_DESCRIPTOR *)(void *)map, &key, &step,
                                   &version) != EFI_SUCCESS) {
        return;
    }
    for (UINTN at = 0; at + step <= bytes; at += step) {
        visit((const void *)(map + at), context);
    }
}

UINTN lab_read_file(CHAR16 *path, void *buffer, UINTN room)
{
    EFI_FILE_HANDLE file;
    UINTN bytes = room;

    if (lab.root->Open(lab.root, &file, path, EFI_FILE_MODE_READ, 0) != EFI_SUCCESS) {
        return 0;
    }
    if (file->Read(file, &bytes, buffer) != EFI_SUCCESS || bytes == room) {
        bytes = 0;
    }
    (void)file->Close(file);
    return bytes;
}

static bool read_application(void)
{
    CHAR16 path[] = L"\\EFI\\assay\\assay.efi";

    if (lab.file == NULL && lab.services->AllocatePool(EfiBootServicesData, APPLICATION_ROOM,
                                                       &lab.file) != EFI_SUCCESS) {
        return false;
    }
    if (lab.file_bytes == 0) {
        lab.file_bytes = lab_read_file(path, lab.file, APPLICATION_ROOM);
    }
    return lab.file_bytes != 0;
}

EFI_STATUS lab_start(const CHAR16 *options)
{
    static const EFI_GUID image_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    EFI_LOADED_IMAGE *child_image;
    EFI_HANDLE child;
    EFI_STATUS status;
    UINTN length = 0;

    if (!read_application()) {
        return EFI_NOT_FOUND;
    }
    status = lab.services->LoadImage(FALSE, lab.image, NULL, lab.file, lab.file_bytes, &child);
    if (status != EFI_SUCCESS ||
        lab.services->HandleProtocol(child, lab_guid(&image_guid), (void **)&child_image) !=
            EFI_SUCCESS) {
        return EFI_LOAD_ERROR;
    }
    /* As if the firmware had started it from the medium. */
    child_image->DeviceHandle = lab.own->DeviceHandle;
    child_image->FilePath = lab.own->FilePath;
    child_image->LoadOptions = lab.own->LoadOptions;
    child_image->LoadOptionsSize = lab.own->LoadOptionsSize;
    if (options != NULL) {
        while (options[length] != 0) {
            length++;
        }
        child_image->LoadOptions = (void *)(uintptr_t)options;
        child_image->LoadOptionsSize = (UINT32)((length + 1) * sizeof(*options));
    }
    lab.child_start = (uint64_t)(uintptr_t)child_image->ImageBase;
    lab.child_last = lab.child_start + child_image->ImageSize - 1;
    status = lab.services->StartImage(child, NULL, NULL);
    lab.child_start = 0;
    lab.child_last = 0;
    return status;
}

bool lab_is_child(const void *address)
{
    uint64_t at = (uint64_t)(uintptr_t)address;

    return lab.child_last != 0 && at >= lab.child_start && at <= lab.child_last;
}
