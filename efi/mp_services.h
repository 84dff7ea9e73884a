#pragma once

#include <efi.h>

/* EFI_MP_SERVICES_PROTOCOL: PI specification 1.8, volume 2, 13.4. gnu-efi has no header for it. */
#define MP_SERVICES_GUID                                                                           \
    {                                                                                              \
        0x3fdda605, 0xa76e, 0x4f46,                                                                \
        {                                                                                          \
            0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08                                         \
        }                                                                                          \
    }

/* StatusFlag of mp_information: 13.4, PROCESSOR_AS_BSP_BIT and so on. */
#define MP_STATUS_BOOT 0x1U
#define MP_STATUS_ENABLED 0x2U
#define MP_STATUS_HEALTHY 0x4U

/* FailedCpuList ends with this. edk2 writes 32 bits of it, the specification says a UINTN. */
#define MP_END_OF_LIST UINT32_C(0xFFFFFFFF)

struct mp_location {
    UINT32 package;
    UINT32 core;
    UINT32 thread;
};

struct mp_information {
    UINT64 processor_id; /* the APIC id on x86 */
    UINT32 status_flag;
    struct mp_location location;
    UINT32 extended
        [6]; /* only with CPU_V2_EXTENDED_TOPOLOGY; room for what an implementation writes */
};

typedef void(EFIAPI *mp_procedure)(void *buffer);

struct mp_services {
    EFI_STATUS(EFIAPI *get_number_of_processors)
    (struct mp_services *self, UINTN *ret_count, UINTN *ret_enabled);
    EFI_STATUS(EFIAPI *get_processor_info)
    (struct mp_services *self, UINTN number, struct mp_information *ret_information);
    EFI_STATUS(EFIAPI *startup_all_aps)
    (struct mp_services *self, mp_procedure procedure, BOOLEAN single_thread, EFI_EVENT event,
     UINTN timeout_us, void *argument, UINTN **ret_failed);
    EFI_STATUS(EFIAPI *startup_this_ap)
    (struct mp_services *self, mp_procedure procedure, UINTN number, EFI_EVENT event,
     UINTN timeout_us, void *argument, BOOLEAN *ret_finished);
    EFI_STATUS(EFIAPI *switch_bsp)(struct mp_services *self, UINTN number, BOOLEAN enable_old);
    EFI_STATUS(EFIAPI *enable_disable_ap)
    (struct mp_services *self, UINTN number, BOOLEAN enable, UINT32 *health_flag);
    EFI_STATUS(EFIAPI *who_am_i)(struct mp_services *self, UINTN *ret_number);
};
