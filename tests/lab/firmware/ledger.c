#include "efi/dxe_services.h"
#include "tests/lab/firmware/lab.h"

#include <string.h>

/* What the application asked for and has not given back. */
#define KEPT_MAX 4096U

enum kind { KIND_NONE = 0, KIND_PAGES, KIND_POOL, KIND_EVENT, KIND_FILE };

static struct kept {
    enum kind kind;
    uint64_t value;
} kept[KEPT_MAX];

static struct ledger counts;
static uint32_t fail_at;
static bool fails_for_ever;

static EFI_ALLOCATE_PAGES allocate_pages;
static EFI_FREE_PAGES free_pages;
static EFI_ALLOCATE_POOL allocate_pool;
static EFI_FREE_POOL free_pool;
static EFI_CREATE_EVENT create_event;
static EFI_CLOSE_EVENT close_event;
static EFI_LOCATE_HANDLE_BUFFER locate_handle_buffer;
static EFI_STATUS(EFIAPI *get_memory_space_map)(UINTN *ret_count,
                                                struct gcd_memory_space **ret_spaces);

static void keep(enum kind kind, uint64_t value)
{
    for (uint32_t i = 0; i < KEPT_MAX; i++) {
        if (kept[i].kind == KIND_NONE) {
            kept[i] = (struct kept){kind, value};
            return;
        }
    }
    lab_say("lab: the ledger is full\n");
}

static void drop(enum kind kind, uint64_t value)
{
    for (uint32_t i = 0; i < KEPT_MAX; i++) {
        if (kept[i].kind == kind && kept[i].value == value) {
            kept[i].kind = KIND_NONE;
            return;
        }
    }
}

static int32_t held(enum kind kind)
{
    int32_t count = 0;

    for (uint32_t i = 0; i < KEPT_MAX; i++) {
        count += kept[i].kind == kind ? 1 : 0;
    }
    return count;
}

static bool refuses(void)
{
    counts.requests++;
    if (fail_at == 0 || counts.requests < fail_at ||
        (!fails_for_ever && counts.requests != fail_at)) {
        return false;
    }
    counts.refused++;
    return true;
}

static EFI_STATUS EFIAPI own_allocate_pages(EFI_ALLOCATE_TYPE type, EFI_MEMORY_TYPE memory_type,
                                            UINTN pages, EFI_PHYSICAL_ADDRESS *paddr)
{
    bool is_child = lab_is_child(__builtin_return_address(0));
    EFI_STATUS status = EFI_OUT_OF_RESOURCES;

    if (!is_child || !refuses()) {
        status = allocate_pages(type, memory_type, pages, paddr);
    }
    if (is_child && status == EFI_SUCCESS) {
        keep(KIND_PAGES, *paddr);
    }
    return status;
}

static EFI_STATUS EFIAPI own_free_pages(EFI_PHYSICAL_ADDRESS paddr, UINTN pages)
{
    drop(KIND_PAGES, paddr);
    return free_pages(paddr, pages);
}

static EFI_STATUS EFIAPI own_allocate_pool(EFI_MEMORY_TYPE type, UINTN bytes, void **buffer)
{
    bool is_child = lab_is_child(__builtin_return_address(0));
    EFI_STATUS status = EFI_OUT_OF_RESOURCES;

    if (!is_child || !refuses()) {
        status = allocate_pool(type, bytes, buffer);
    }
    if (is_child && status == EFI_SUCCESS) {
        keep(KIND_POOL, (uint64_t)(uintptr_t)*buffer);
    }
    return status;
}

static EFI_STATUS EFIAPI own_free_pool(void *buffer)
{
    drop(KIND_POOL, (uint64_t)(uintptr_t)buffer);
    return free_pool(buffer);
}

static EFI_STATUS EFIAPI own_create_event(UINT32 type, EFI_TPL level, EFI_EVENT_NOTIFY notify,
                                          void *context, EFI_EVENT *event)
{
    bool is_child = lab_is_child(__builtin_return_address(0));
    EFI_STATUS status = create_event(type, level, notify, context, event);

    if (is_child && status == EFI_SUCCESS) {
        keep(KIND_EVENT, (uint64_t)(uintptr_t)*event);
    }
    return status;
}

static EFI_STATUS EFIAPI own_close_event(EFI_EVENT event)
{
    drop(KIND_EVENT, (uint64_t)(uintptr_t)event);
    return close_event(event);
}

/* These two give pool that the caller has to free. */
static EFI_STATUS EFIAPI own_locate_handle_buffer(EFI_LOCATE_SEARCH_TYPE type, EFI_GUID *protocol,
                                                  void *key, UINTN *count, EFI_HANDLE **buffer)
{
    bool is_child = lab_is_child(__builtin_return_address(0));
    EFI_STATUS status = EFI_OUT_OF_RESOURCES;

    if (!is_child || !refuses()) {
        status = locate_handle_buffer(type, protocol, key, count, buffer);
    }
    if (is_child && status == EFI_SUCCESS) {
        keep(KIND_POOL, (uint64_t)(uintptr_t)*buffer);
    }
    return status;
}

static EFI_STATUS EFIAPI own_get_memory_space_map(UINTN *count, struct gcd_memory_space **spaces)
{
    bool is_child = lab_is_child(__builtin_return_address(0));
    EFI_STATUS status = EFI_OUT_OF_RESOURCES;

    if (!is_child || !refuses()) {
        status = get_memory_space_map(count, spaces);
    }
    if (is_child && status == EFI_SUCCESS) {
        keep(KIND_POOL, (uint64_t)(uintptr_t)*spaces);
    }
    return status;
}

/* --- Files. The driver gives every handle functions of its own, which are exchanged in the handle. */

static EFI_FILE_OPEN file_open;
static EFI_FILE_CLOSE file_close;
static EFI_FILE_DELETE file_delete;
static EFI_VOLUME_OPEN volume_open;

static void watch(EFI_FILE_HANDLE file, bool is_child);

static EFI_STATUS EFIAPI own_file_open(EFI_FILE_HANDLE folder, EFI_FILE_HANDLE *ret_file,
                                       CHAR16 *name, UINT64 mode, UINT64 attributes)
{
    bool is_child = lab_is_child(__builtin_return_address(0));
    EFI_STATUS status = file_open(folder, ret_file, name, mode, attributes);

    if (status == EFI_SUCCESS) {
        watch(*ret_file, is_child);
    }
    return status;
}

static EFI_STATUS EFIAPI own_file_close(EFI_FILE_HANDLE file)
{
    drop(KIND_FILE, (uint64_t)(uintptr_t)file);
    return file_close(file);
}

static EFI_STATUS EFIAPI own_file_delete(EFI_FILE_HANDLE file)
{
    drop(KIND_FILE, (uint64_t)(uintptr_t)file);
    return file_delete(file);
}

static void watch(EFI_FILE_HANDLE file, bool is_child)
{
    if (file->Open != own_file_open) {
        file_open = file->Open;
        file_close = file->Close;
        file_delete = file->Delete;
        file->Open = own_file_open;
        file->Close = own_file_close;
        file->Delete = own_file_delete;
    }
    if (is_child) {
        keep(KIND_FILE, (uint64_t)(uintptr_t)file);
    }
}

static EFI_STATUS EFIAPI own_volume_open(EFI_FILE_IO_INTERFACE *volume, EFI_FILE_HANDLE *ret_root)
{
    bool is_child = lab_is_child(__builtin_return_address(0));
    EFI_STATUS status = volume_open(volume, ret_root);

    if (status == EFI_SUCCESS) {
        watch(*ret_root, is_child);
    }
    return status;
}

/* The medium of the application; it opens no other while that one works. */
static void wrap_volume(void)
{
    static const EFI_GUID guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    EFI_FILE_IO_INTERFACE *volume;

    if (lab.services->HandleProtocol(lab.own->DeviceHandle, lab_guid(&guid), (void **)&volume) ==
        EFI_SUCCESS) {
        volume_open = volume->OpenVolume;
        volume->OpenVolume = own_volume_open;
    }
}

static void wrap_dxe_services(void)
{
    static const EFI_GUID guid = DXE_SERVICES_GUID;

    for (UINTN i = 0; i < lab.system->NumberOfTableEntries; i++) {
        EFI_CONFIGURATION_TABLE *table = &lab.system->ConfigurationTable[i];

        if (memcmp(&table->VendorGuid, &guid, sizeof(guid)) == 0) {
            struct dxe_services *dxe = table->VendorTable;

            get_memory_space_map = dxe->get_memory_space_map;
            dxe->get_memory_space_map = own_get_memory_space_map;
        }
    }
}

void ledger_open(void)
{
    EFI_BOOT_SERVICES *services = lab.services;

    allocate_pages = services->AllocatePages;
    free_pages = services->FreePages;
    allocate_pool = services->AllocatePool;
    free_pool = services->FreePool;
    create_event = services->CreateEvent;
    close_event = services->CloseEvent;
    locate_handle_buffer = services->LocateHandleBuffer;
    services->AllocatePages = own_allocate_pages;
    services->FreePages = own_free_pages;
    services->AllocatePool = own_allocate_pool;
    services->FreePool = own_free_pool;
    services->CreateEvent = own_create_event;
    services->CloseEvent = own_close_event;
    services->LocateHandleBuffer = own_locate_handle_buffer;
    wrap_dxe_services();
    wrap_volume();
}

struct ledger ledger_now(void)
{
    struct ledger now = counts;

    now.pages = held(KIND_PAGES);
    now.pools = held(KIND_POOL);
    now.events = held(KIND_EVENT);
    now.files = held(KIND_FILE);
    return now;
}

void ledger_start(uint32_t at, bool for_ever)
{
    memset(kept, 0, sizeof(kept));
    counts = (struct ledger){0};
    fail_at = at;
    fails_for_ever = for_ever;
}
