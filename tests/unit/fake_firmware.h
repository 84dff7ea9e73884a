#pragma once

#include "acpi/engine.h"

#include <stddef.h>
#include <stdint.h>

/*
 * ACPI tables as firmware leaves them in memory: an RSDP with XSDT and RSDT, a FADT with a DSDT, and the
 * tables that are added. Memory outside is absent. A test may then break any byte.
 */
#define FIRMWARE_PADDR UINT64_C(0x7F000000)
#define FIRMWARE_BYTES 65536U
#define FIRMWARE_XSDT 64U
#define FIRMWARE_RSDT 512U
#define FIRMWARE_FADT 1024U
#define FIRMWARE_DSDT 2048U
#define FIRMWARE_FACS 3072U
#define FIRMWARE_FIRST 4096U /* of the added tables */

struct fake_firmware {
    uint8_t *memory; /* FIRMWARE_BYTES, from malloc */
    uint32_t used_bytes;
    uint32_t entries;
};

/* Builds the RSDP at FIRMWARE_PADDR, the root tables, FADT, FACS and an empty DSDT. */
void fake_firmware_init(struct fake_firmware *firmware);
void fake_firmware_free(struct fake_firmware *firmware);

/* Adds a table to both root tables; gives its offset in memory. */
uint32_t fake_firmware_add(struct fake_firmware *firmware, const uint8_t *bytes, size_t length);

/* Makes the checksum of the table at that offset right. */
void fake_firmware_sum(struct fake_firmware *firmware, uint32_t offset);

/* Makes config look for its tables there. */
void fake_firmware_use(struct fake_firmware *firmware, struct engine_config *config);
