#pragma once

#include "efi/mp_services.h"

#include <efi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A program of the tests that the lab starts in the place of the application: it gives the firmware a fault, or starts
 * the application again and again as a shell would, and looks each time at what is left. What it says goes to the
 * first serial port, in lines that begin with "lab: ".
 */
struct lab {
    EFI_SYSTEM_TABLE *system;
    EFI_BOOT_SERVICES *services;
    EFI_HANDLE image;
    EFI_LOADED_IMAGE *own;
    EFI_FILE_HANDLE root;   /* of the medium that this program came from */
    struct mp_services *mp; /* NULL: the firmware has none */
    /* The application: its file, and where it lies while it runs. */
    void *file;
    UINTN file_bytes;
    uint64_t child_start;
    uint64_t child_last;
};
extern struct lab lab;

/* UEFI's prototypes lack the const. */
EFI_GUID *lab_guid(const EFI_GUID *which);

/* One line, or a part of one, as textbuf_printf formats it. */
void lab_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A graphics mode of so many pixels; a console of 80 columns and 25 rows alone. False where there is none. */
bool screen_set(uint32_t width_px, uint32_t height_px);
bool screen_make_small(void);

/* Calls `visit` for each entry of the firmware's memory map; for none when the map is beyond 64 KiB. */
void lab_each_memory(void (*visit)(const EFI_MEMORY_DESCRIPTOR *one, void *context), void *context);

/* The whole file into `room` bytes; how many there are, 0 when it is not there or too long. */
UINTN lab_read_file(CHAR16 *path, void *buffer, UINTN room);

/* Starts \EFI\assay\assay.efi as if the firmware had, from the medium; gives what it returned. `options` is a command
 * line, or NULL for what this program was given. */
EFI_STATUS lab_start(const CHAR16 *options);

/* Whether the code at `address` is the application's, while it runs. */
bool lab_is_child(const void *address);

/* The firmware's faults. The word and its number (0 when none is there); false: no such word, or not possible. */
bool fault_apply(const char *text, UINTN bytes, uint32_t number);

/* From now on every request of the application for memory, pool, events and files goes through us. */
void ledger_open(void);

/* What the application holds of the firmware; all 0 when it gave everything back. */
struct ledger {
    int32_t pages; /* blocks of pages */
    int32_t pools;
    int32_t events;
    int32_t files;
    uint32_t requests; /* for pages or pool, since ledger_start */
    uint32_t refused;
};
struct ledger ledger_now(void);

/* Counts requests afresh. The `fail_at`th (from 1) is refused, and with `for_ever` every later one; 0: none is. */
void ledger_start(uint32_t fail_at, bool for_ever);

/* What the whole firmware holds: memory by kind, handles, protocols and who opened them. */
struct census {
    uint64_t loader_pages;
    uint64_t boot_pages;
    uint64_t runtime_pages;
    uint64_t free_pages;
    UINTN handles;
    UINTN protocols;
    UINTN opens;
};
void census_take(struct census *ret_census);

/* Registers of the boot CPU, the other CPUs and the chipset, firmware variables and ACPI memory. `registers_compare`
 * says each that differs from what `registers_take` found and gives their number. */
void registers_take(void);
uint32_t registers_compare(void);
