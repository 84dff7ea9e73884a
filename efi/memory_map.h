#pragma once

#include "model/arena.h"
#include "model/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What may be touched where in physical memory: a copy of the UEFI memory map, the firmware's own map of
 * address space (the GCD map of the PI specification, where there is one), and the page tables in force.
 * UEFI maps memory one to one (UEFI 2.10, 2.3.4), so a physical address is a pointer.
 */
struct memory_range {
    uint64_t start;
    uint64_t last; /* inclusive */
    uint32_t type; /* EFI_MEMORY_TYPE, or EFI_GCD_MEMORY_TYPE in `spaces` */
};

struct memory_map {
    uint32_t count;
    const struct memory_range *ranges;
    uint32_t spaces_count; /* 0: the firmware has no GCD map */
    const struct memory_range *spaces;
};

/* Copies the maps. A firmware that gives no memory map leaves it empty: nothing is then mapped. */
enum status memory_map_open(struct memory_map *map, struct arena *arena) MUST_CHECK;

/* Whether every byte is memory or may be a device, and can be read without a page fault. `context` of
 * these is a struct memory_map. */
bool memory_map_is_mapped(void *context, uint64_t paddr, size_t bytes);

/* The range as a pointer, NULL unless it is mapped. */
const void *memory_map_pointer(void *context, uint64_t paddr, size_t bytes);

/*
 * Whether AML may write there, as under an operating system: ACPI memory, memory that the firmware keeps for
 * itself at run time, and devices. Never this program, boot-services memory, or memory that an operating
 * system would use for itself.
 */
bool memory_map_may_write(void *context, uint64_t paddr, uint32_t bytes);

/* The same for --read-only: only ACPI NVS and ACPI reclaim memory, which are plain memory. */
bool memory_map_may_write_read_only(void *context, uint64_t paddr, uint32_t bytes);
