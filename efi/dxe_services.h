#pragma once

#include <efi.h>

/*
 * The part of the DXE services table that gives the map of address space: PI specification 1.8, volume 2,
 * 7.2 Global Coherency Domain Services. gnu-efi has no header for it.
 */
#define DXE_SERVICES_GUID                                                                          \
    {                                                                                              \
        0x05ad34ba, 0x6f02, 0x4214,                                                                \
        {                                                                                          \
            0x95, 0x2e, 0x4d, 0xa0, 0x39, 0x8e, 0x2b, 0xb9                                         \
        }                                                                                          \
    }
#define DXE_SERVICES_SIGNATURE UINT64_C(0x565245535f455844) /* "DXE_SERV" */

enum gcd_memory_type {
    GCD_NON_EXISTENT = 0,
    GCD_RESERVED,
    GCD_SYSTEM_MEMORY,
    GCD_MEMORY_MAPPED_IO
};

struct gcd_memory_space {
    EFI_PHYSICAL_ADDRESS base;
    UINT64 length;
    UINT64 capabilities;
    UINT64 attributes;
    UINT32 type; /* enum gcd_memory_type, or one of a later specification */
    EFI_HANDLE image;
    EFI_HANDLE device;
};

typedef EFI_STATUS(EFIAPI *dxe_get_memory_space_map)(UINTN *ret_count,
                                                     struct gcd_memory_space **ret_spaces);

struct dxe_services {
    EFI_TABLE_HEADER header;
    void *add_memory_space;
    void *allocate_memory_space;
    void *free_memory_space;
    void *remove_memory_space;
    void *get_memory_space_descriptor;
    void *set_memory_space_attributes;
    dxe_get_memory_space_map get_memory_space_map;
};
