#pragma once

#include "model/arena.h"
#include "model/status.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What the firmware shall start after a reset: its set-up, or one of its boot entries. Both are one-time requests in
 * variables of the UEFI specification, made only when a person chose them.
 */
#define BOOT_ENTRIES_MAX 32U
#define BOOT_LABEL_BYTES 64

struct boot_entry {
    uint16_t number; /* of Boot#### */
    char label[BOOT_LABEL_BYTES];
};

/* The entries of BootOrder, at most BOOT_ENTRIES_MAX; 0 when the variables cannot be read. */
uint32_t boot_entries(struct boot_entry ret_entries[BOOT_ENTRIES_MAX]);

/* The next start is this entry: UEFI 2.10, 3.3, BootNext. */
bool boot_next(uint16_t number);

/* Whether the firmware can be asked to show its set-up, and asking it: UEFI 2.10, 8.5.4, OsIndications. */
bool boot_has_setup(void);
bool boot_to_setup(void);
