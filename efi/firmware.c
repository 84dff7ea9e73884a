#include "efi/firmware.h"

#include <string.h>

static EFI_HANDLE image_handle;
static EFI_SYSTEM_TABLE *system_table;

void firmware_open(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    image_handle = image;
    system_table = system;
}

EFI_HANDLE firmware_image(void)
{
    return image_handle;
}

EFI_SYSTEM_TABLE *firmware_system(void)
{
    return system_table;
}

EFI_BOOT_SERVICES *firmware_services(void)
{
    return system_table->BootServices;
}

EFI_LOADED_IMAGE *firmware_loaded_image(void)
{
    static EFI_GUID guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;

    return firmware_interface(image_handle, &guid);
}

void *firmware_table(const EFI_GUID *guid)
{
    for (UINTN i = 0; i < system_table->NumberOfTableEntries; i++) {
        if (memcmp(&system_table->ConfigurationTable[i].VendorGuid, guid, sizeof(*guid)) == 0) {
            return system_table->ConfigurationTable[i].VendorTable;
        }
    }
    return NULL;
}

/* UEFI 2.10, 8.3 GetTime: UTC is local time plus TimeZone minutes, when the zone is known. */
struct wall_time firmware_utc(void)
{
    struct wall_time time = {.year = 1970, .month = 1, .day = 1};
    EFI_TIME now;

    memset(&now, 0, sizeof(now));
    if (system_table->RuntimeServices->GetTime(&now, NULL) != EFI_SUCCESS) {
        return time;
    }
    time = (struct wall_time){now.Year, now.Month, now.Day, now.Hour, now.Minute, now.Second};
    if (now.TimeZone != EFI_UNSPECIFIED_TIMEZONE) {
        time = wall_time_shift(&time, now.TimeZone);
    }
    return time;
}

void *firmware_interface(EFI_HANDLE handle, EFI_GUID *guid)
{
    void *found = NULL;

    if (handle == NULL ||
        firmware_services()->HandleProtocol(handle, guid, &found) != EFI_SUCCESS) {
        return NULL;
    }
    return found;
}

void *firmware_protocol(EFI_GUID *guid)
{
    void *found = NULL;

    return firmware_services()->LocateProtocol(guid, NULL, &found) == EFI_SUCCESS ? found : NULL;
}

struct handle_list firmware_handles(EFI_GUID *guid)
{
    struct handle_list list = {0, NULL};

    if (firmware_services()->LocateHandleBuffer(ByProtocol, guid, NULL, &list.count,
                                                &list.handles) != EFI_SUCCESS) {
        list = (struct handle_list){0, NULL};
    }
    return list;
}

void handle_list_free(struct handle_list *list)
{
    if (list->handles != NULL) {
        firmware_services()->FreePool(list->handles);
    }
}

/* UEFI 2.10, 7.1 Table 7.2: memory may be asked for up to TPL_NOTIFY. Above it, in a timed stretch, the firmware would
 * stop for ever; there the arena is as good as exhausted. */
static bool may_allocate(void)
{
    EFI_TPL old = firmware_services()->RaiseTPL(TPL_HIGH_LEVEL);

    firmware_services()->RestoreTPL(old);
    return old <= TPL_NOTIFY;
}

/* Before every block, and a multiple of the arena's alignment. */
struct page_block {
    struct page_block *next;
    UINTN pages;
};
_Static_assert(sizeof(struct page_block) == 16, "the arena hands out what follows, aligned to 16");

static struct page_block *page_blocks;

void *firmware_pages(void *context, size_t bytes)
{
    UINTN pages = EFI_SIZE_TO_PAGES(bytes + sizeof(struct page_block));
    EFI_PHYSICAL_ADDRESS paddr = 0;
    struct page_block *block;

    (void)context;
    if (bytes > SIZE_MAX - EFI_PAGE_SIZE - sizeof(*block) || !may_allocate() ||
        firmware_services()->AllocatePages(AllocateAnyPages, EfiLoaderData, pages, &paddr) !=
            EFI_SUCCESS) {
        return NULL;
    }
    /* UEFI maps memory one to one: UEFI 2.10, 2.3.4 x64 Platforms. */
    block = (struct page_block *)(uintptr_t)paddr;
    memset(block, 0, pages * EFI_PAGE_SIZE);
    *block = (struct page_block){.next = page_blocks, .pages = pages};
    page_blocks = block;
    return block + 1;
}

void firmware_free_pages(void)
{
    while (page_blocks != NULL) {
        struct page_block *block = page_blocks;

        page_blocks = block->next;
        firmware_services()->FreePages((EFI_PHYSICAL_ADDRESS)(uintptr_t)block, block->pages);
    }
}

void firmware_stall_us(uint64_t us)
{
    firmware_services()->Stall(us);
}

static bool in_callback;

void firmware_set_in_callback(bool is_in_callback)
{
    in_callback = is_in_callback;
}

bool firmware_is_in_callback(void)
{
    return in_callback;
}

/* Only a clock that has stopped costs so long. The host of an emulator may keep the one that fires it waiting. */
#define TICK_PATIENCE_MS 5000U

bool firmware_ticks(void)
{
    EFI_BOOT_SERVICES *services = firmware_services();
    EFI_EVENT timer = NULL;
    bool has_ticked = false;

    if (services->CreateEvent(EVT_TIMER, TPL_CALLBACK, NULL, NULL, &timer) != EFI_SUCCESS) {
        return false;
    }
    /* UEFI 2.10, 7.1.7 SetTimer: in units of 100 ns. */
    if (services->SetTimer(timer, TimerRelative, 10ULL * 10000) == EFI_SUCCESS) {
        for (unsigned ms = 0; ms < TICK_PATIENCE_MS && !has_ticked; ms++) {
            has_ticked = services->CheckEvent(timer) == EFI_SUCCESS;
            firmware_stall_us(has_ticked ? 0 : 1000);
        }
    }
    services->CloseEvent(timer);
    return has_ticked;
}
