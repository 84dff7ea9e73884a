#include "tests/lab/firmware/lab.h"

#include <string.h>

static void count_memory(const EFI_MEMORY_DESCRIPTOR *one, void *context)
{
    struct census *census = context;

    switch (one->Type) {
    case EfiLoaderCode:
    case EfiLoaderData:
        census->loader_pages += one->NumberOfPages;
        break;
    case EfiBootServicesCode:
    case EfiBootServicesData:
        census->boot_pages += one->NumberOfPages;
        break;
    case EfiConventionalMemory:
        census->free_pages += one->NumberOfPages;
        break;
    default:
        census->runtime_pages += one->NumberOfPages;
    }
}

static void count_opens(EFI_HANDLE handle, EFI_GUID *protocol, struct census *census)
{
    EFI_OPEN_PROTOCOL_INFORMATION_ENTRY *entries = NULL;
    UINTN count = 0;

    if (lab.services->OpenProtocolInformation(handle, protocol, &entries, &count) == EFI_SUCCESS) {
        census->opens += count;
        (void)lab.services->FreePool(entries);
    }
}

static void count_protocols(EFI_HANDLE handle, struct census *census)
{
    EFI_GUID **protocols = NULL;
    UINTN count = 0;

    if (lab.services->ProtocolsPerHandle(handle, &protocols, &count) != EFI_SUCCESS) {
        return;
    }
    census->protocols += count;
    for (UINTN i = 0; i < count; i++) {
        count_opens(handle, protocols[i], census);
    }
    (void)lab.services->FreePool(protocols);
}

void census_take(struct census *ret_census)
{
    EFI_HANDLE *handles = NULL;

    memset(ret_census, 0, sizeof(*ret_census));
    lab_each_memory(count_memory, ret_census);
    if (lab.services->LocateHandleBuffer(AllHandles, NULL, NULL, &ret_census->handles, &handles) !=
        EFI_SUCCESS) {
        return;
    }
    for (UINTN i = 0; i < ret_census->handles; i++) {
        count_protocols(handles[i], ret_census);
    }
    (void)lab.services->FreePool(handles);
}
