#include "efi/memory_map.h"

#include "drivers/x86/control.h"
#include "efi/dxe_services.h"
#include "efi/firmware.h"

/* Fixed devices of every PC chipset (I/O APIC, HPET, local APIC, flash), which not all firmware lists. */
#define CHIPSET_START UINT64_C(0xFE000000)
#define FOUR_GIB UINT64_C(0x100000000)
#define ONE_MIB UINT64_C(0x100000)

enum memory_kind {
    KIND_ABSENT = 0,
    KIND_DEVICE,   /* memory-mapped I/O, or address space that nobody listed but may be */
    KIND_ACPI,     /* plain memory that firmware and operating system share */
    KIND_RUNTIME,  /* memory that the firmware keeps */
    KIND_PROTECTED /* readable, but not for AML to write: an operating system's memory, or ours */
};

static enum status copy_map(struct memory_map *map, const uint8_t *bytes, UINTN size_bytes,
                            UINTN step_bytes, struct arena *arena)
{
    uint32_t count = (uint32_t)(size_bytes / step_bytes);
    struct memory_range *ranges = arena_array(arena, count, sizeof(*ranges));

    if (ranges == NULL) {
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const EFI_MEMORY_DESCRIPTOR *one = (const void *)(bytes + i * step_bytes);
        uint64_t length_bytes = one->NumberOfPages * EFI_PAGE_SIZE;

        ranges[i] = (struct memory_range){.start = one->PhysicalStart,
                                          .last = one->PhysicalStart +
                                                  (length_bytes == 0 ? 0 : length_bytes - 1),
                                          .type = one->Type};
    }
    map->ranges = ranges;
    map->count = count;
    return STATUS_OK;
}

static enum status take_map(struct memory_map *map, struct arena *arena)
{
    EFI_BOOT_SERVICES *services = firmware_services();
    UINTN size_bytes = 0;
    UINTN key = 0;
    UINTN step_bytes = 0;
    UINT32 version = 0;
    uint8_t *bytes;

    if (services->GetMemoryMap(&size_bytes, NULL, &key, &step_bytes, &version) !=
        EFI_BUFFER_TOO_SMALL) {
        return STATUS_UNSUPPORTED;
    }
    /* Taking memory for the copy makes the map grow: UEFI 2.10, 7.2.3 GetMemoryMap. */
    size_bytes += 16 * (step_bytes == 0 ? sizeof(EFI_MEMORY_DESCRIPTOR) : step_bytes);
    bytes = arena_take(arena, size_bytes);
    if (bytes == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (services->GetMemoryMap(&size_bytes, (EFI_MEMORY_DESCRIPTOR *)(void *)bytes, &key,
                               &step_bytes, &version) != EFI_SUCCESS ||
        step_bytes < sizeof(EFI_MEMORY_DESCRIPTOR)) {
        return STATUS_UNSUPPORTED;
    }
    return copy_map(map, bytes, size_bytes, step_bytes, arena);
}

/* The GCD map is a help, not a need: without it the holes below 4 GiB count as devices. */
static void take_spaces(struct memory_map *map, struct arena *arena)
{
    static const EFI_GUID guid = DXE_SERVICES_GUID;
    const struct dxe_services *dxe = firmware_table(&guid);
    struct gcd_memory_space *spaces = NULL;
    struct memory_range *copy;
    UINTN count = 0;

    if (dxe == NULL || dxe->header.Signature != DXE_SERVICES_SIGNATURE ||
        dxe->get_memory_space_map(&count, &spaces) != EFI_SUCCESS) {
        return;
    }
    copy = arena_array(arena, count, sizeof(*copy));
    for (UINTN i = 0; copy != NULL && i < count; i++) {
        copy[i] = (struct memory_range){.start = spaces[i].base,
                                        .last = spaces[i].base +
                                                (spaces[i].length == 0 ? 0 : spaces[i].length - 1),
                                        .type = spaces[i].type};
    }
    map->spaces = copy;
    map->spaces_count = copy == NULL ? 0 : (uint32_t)count;
    firmware_services()->FreePool(spaces);
}

enum status memory_map_open(struct memory_map *map, struct arena *arena)
{
    *map = (struct memory_map){0};
    take_spaces(map, arena);
    return take_map(map, arena);
}

static const struct memory_range *find(const struct memory_range *ranges, uint32_t count,
                                       uint64_t paddr)
{
    for (uint32_t i = 0; i < count; i++) {
        if (paddr >= ranges[i].start && paddr <= ranges[i].last) {
            return &ranges[i];
        }
    }
    return NULL;
}

static enum memory_kind kind_of_type(uint32_t type)
{
    /* UEFI 2.10, table 7.10 Memory Type Usage after ExitBootServices. */
    switch (type) {
    case EfiACPIReclaimMemory:
    case EfiACPIMemoryNVS:
        return KIND_ACPI;
    case EfiReservedMemoryType:
    case EfiRuntimeServicesData:
        return KIND_RUNTIME;
    case EfiMemoryMappedIO:
    case EfiMemoryMappedIOPortSpace:
        return KIND_DEVICE;
    case EfiUnusableMemory:
        return KIND_ABSENT;
    default:
        return KIND_PROTECTED;
    }
}

/* Address space that the UEFI memory map does not list. */
static enum memory_kind kind_of_hole(const struct memory_map *map, uint64_t paddr,
                                     uint64_t *ret_last)
{
    const struct memory_range *space = find(map->spaces, map->spaces_count, paddr);

    if (paddr < ONE_MIB) {
        *ret_last = ONE_MIB - 1;
        return KIND_DEVICE;
    }
    if (paddr >= CHIPSET_START && paddr < FOUR_GIB) {
        *ret_last = FOUR_GIB - 1;
        return KIND_DEVICE;
    }
    if (space != NULL) {
        *ret_last = space->last;
        return space->type == GCD_NON_EXISTENT ? KIND_ABSENT : KIND_DEVICE;
    }
    *ret_last = paddr < FOUR_GIB ? FOUR_GIB - 1 : UINT64_MAX;
    return paddr < FOUR_GIB && map->spaces_count == 0 ? KIND_DEVICE : KIND_ABSENT;
}

static uint64_t end_before_next(const struct memory_map *map, uint64_t paddr, uint64_t last)
{
    for (uint32_t i = 0; i < map->count; i++) {
        if (map->ranges[i].start > paddr && map->ranges[i].start <= last) {
            last = map->ranges[i].start - 1;
        }
    }
    return last;
}

static enum memory_kind kind_at(const struct memory_map *map, uint64_t paddr, uint64_t *ret_last)
{
    const struct memory_range *range = find(map->ranges, map->count, paddr);
    enum memory_kind kind;

    if (range != NULL) {
        *ret_last = range->last;
        return kind_of_type(range->type);
    }
    kind = kind_of_hole(map, paddr, ret_last);
    *ret_last = end_before_next(map, paddr, *ret_last);
    return kind;
}

/* Whether each part of the range is of a kind whose bit is set in `kinds`. */
static bool is_all_of(const struct memory_map *map, uint64_t paddr, uint64_t bytes, uint32_t kinds)
{
    uint64_t at = paddr;
    uint64_t last;

    if (bytes == 0 || bytes - 1 > UINT64_MAX - paddr) {
        return false;
    }
    for (;;) {
        if ((kinds & 1U << kind_at(map, at, &last)) == 0) {
            return false;
        }
        if (last >= paddr + (bytes - 1)) {
            return true;
        }
        at = last + 1;
    }
}

static bool is_reachable(uint64_t paddr, uint64_t bytes)
{
    uint64_t at = paddr;
    uint64_t end;

    for (;;) {
        if (!control_is_identity(at, &end)) {
            return false;
        }
        if (end == 0 || end - 1 >= paddr + (bytes - 1)) {
            return true;
        }
        at = end;
    }
}

bool memory_map_is_mapped(void *context, uint64_t paddr, size_t bytes)
{
    return is_all_of(context, paddr, bytes, ~(1U << KIND_ABSENT)) && is_reachable(paddr, bytes);
}

const void *memory_map_pointer(void *context, uint64_t paddr, size_t bytes)
{
    return memory_map_is_mapped(context, paddr, bytes) ? (const void *)(uintptr_t)paddr : NULL;
}

bool memory_map_may_write(void *context, uint64_t paddr, uint32_t bytes)
{
    return is_all_of(context, paddr, bytes,
                     1U << KIND_DEVICE | 1U << KIND_ACPI | 1U << KIND_RUNTIME);
}

bool memory_map_may_write_read_only(void *context, uint64_t paddr, uint32_t bytes)
{
    return is_all_of(context, paddr, bytes, 1U << KIND_ACPI);
}
