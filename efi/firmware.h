#pragma once

#include "model/result_name.h"

#include <efi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The firmware that started this program: there is one, so it needs no handle. The rest of efi/ reaches
 * UEFI through these. GUID arguments are not changed; UEFI's own prototypes lack the const.
 */

/* Call first, once. */
void firmware_open(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

EFI_HANDLE firmware_image(void);
EFI_SYSTEM_TABLE *firmware_system(void);
EFI_BOOT_SERVICES *firmware_services(void);

/* How this program was loaded, or NULL when the firmware does not say. */
EFI_LOADED_IMAGE *firmware_loaded_image(void);

/* The vendor table of the configuration table with this GUID, or NULL. */
void *firmware_table(const EFI_GUID *guid);

/* The interface of a protocol on a handle, or the first one anywhere; NULL when there is none. */
void *firmware_interface(EFI_HANDLE handle, EFI_GUID *guid);
void *firmware_protocol(EFI_GUID *guid);

/* Every handle with a protocol; hold it in an AUTO_HANDLES variable. */
struct handle_list {
    UINTN count;
    EFI_HANDLE *handles; /* NULL when count is 0 */
};
struct handle_list firmware_handles(EFI_GUID *guid);
void handle_list_free(struct handle_list *list);
#define AUTO_HANDLES __attribute__((cleanup(handle_list_free))) struct handle_list

/* Zeroed pages for the arena (an arena_grow); NULL when memory is exhausted. The firmware keeps what a program took when
 * it returns (UEFI 2.10, 7.4 Exit), so all of them are given back at the end, by one call, after which nothing that lay
 * in them may be used: not while another CPU could still run our code. */
void *firmware_pages(void *context, size_t bytes);
void firmware_free_pages(void);

/* The time in UTC, as far as the firmware knows its zone; 1970-01-01 when it has no clock. */
struct wall_time firmware_utc(void);

/* Waits by the firmware's own means, its events running meanwhile. */
void firmware_stall_us(uint64_t us);

/* Inside an event at TPL_CALLBACK: keys must not be read there (UEFI 2.10, table 7.3). */
void firmware_set_in_callback(bool is_in_callback);
bool firmware_is_in_callback(void);

/* Whether a 10 ms timer event fires within five seconds: the firmware's clock still ticks. */
bool firmware_ticks(void);
