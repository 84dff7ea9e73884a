#include "tests/unit/fake_firmware.h"

#include "acpi/bytes.h"

#include <stdlib.h>
#include <string.h>

static void fix_sum(uint8_t *bytes, uint32_t length, uint32_t at)
{
    uint8_t sum = 0;

    bytes[at] = 0;
    for (uint32_t i = 0; i < length; i++) {
        sum = (uint8_t)(sum + bytes[i]);
    }
    bytes[at] = (uint8_t)(0x100U - sum);
}

void fake_firmware_sum(struct fake_firmware *firmware, uint32_t offset)
{
    uint8_t *table = firmware->memory + offset;

    fix_sum(table, bytes_u32(table + 4), 9);
}

static void put_header(struct fake_firmware *firmware, uint32_t offset, const char *signature,
                       uint32_t length)
{
    uint8_t *table = firmware->memory + offset;

    memcpy(table, signature, 4);
    bytes_put(table + 4, 4, length);
    table[8] = 2;
    memcpy(table + 10, "OEM\x01  ", 6);
    memcpy(table + 16, "BOARD   ", 8);
    fake_firmware_sum(firmware, offset);
}

static void put_rsdp(struct fake_firmware *firmware)
{
    uint8_t *rsdp = firmware->memory;

    memcpy(rsdp, "RSD PTR ", 8);
    rsdp[15] = 2;
    bytes_put(rsdp + 16, 4, FIRMWARE_PADDR + FIRMWARE_RSDT);
    bytes_put(rsdp + 20, 4, 36);
    bytes_put(rsdp + 24, 8, FIRMWARE_PADDR + FIRMWARE_XSDT);
    fix_sum(rsdp, 20, 8);
    fix_sum(rsdp, 36, 32);
}

static void list(struct fake_firmware *firmware, uint32_t offset)
{
    uint32_t entries = firmware->entries;

    bytes_put(firmware->memory + FIRMWARE_XSDT + 36 + 8 * (size_t)entries, 8,
              FIRMWARE_PADDR + offset);
    bytes_put(firmware->memory + FIRMWARE_RSDT + 36 + 4 * (size_t)entries, 4,
              FIRMWARE_PADDR + offset);
    firmware->entries++;
    put_header(firmware, FIRMWARE_XSDT, "XSDT", 36 + 8 * firmware->entries);
    put_header(firmware, FIRMWARE_RSDT, "RSDT", 36 + 4 * firmware->entries);
}

void fake_firmware_init(struct fake_firmware *firmware)
{
    uint8_t *fadt;

    memset(firmware, 0, sizeof(*firmware));
    firmware->memory = calloc(1, FIRMWARE_BYTES);
    firmware->used_bytes = FIRMWARE_FIRST;
    fadt = firmware->memory + FIRMWARE_FADT;
    bytes_put(fadt + 132, 8, FIRMWARE_PADDR + FIRMWARE_FACS);
    bytes_put(fadt + 140, 8, FIRMWARE_PADDR + FIRMWARE_DSDT);
    put_header(firmware, FIRMWARE_FADT, "FACP", 276);
    put_header(firmware, FIRMWARE_DSDT, "DSDT", 37);
    firmware->memory[FIRMWARE_DSDT + 36] = 0xA3;
    fake_firmware_sum(firmware, FIRMWARE_DSDT);
    memcpy(firmware->memory + FIRMWARE_FACS, "FACS", 4);
    bytes_put(firmware->memory + FIRMWARE_FACS + 4, 4, 64);
    list(firmware, FIRMWARE_FADT);
    put_rsdp(firmware);
}

void fake_firmware_free(struct fake_firmware *firmware)
{
    free(firmware->memory);
}

uint32_t fake_firmware_add(struct fake_firmware *firmware, const uint8_t *bytes, size_t length)
{
    uint32_t offset = firmware->used_bytes;

    memcpy(firmware->memory + offset, bytes, length);
    firmware->used_bytes += ((uint32_t)length + 15U) & ~15U;
    list(firmware, offset);
    return offset;
}

static const void *map(void *context, uint64_t paddr, size_t bytes)
{
    const struct fake_firmware *firmware = context;

    if (paddr < FIRMWARE_PADDR || bytes > FIRMWARE_BYTES ||
        paddr - FIRMWARE_PADDR > FIRMWARE_BYTES - bytes) {
        return NULL;
    }
    return firmware->memory + (paddr - FIRMWARE_PADDR);
}

void fake_firmware_use(struct fake_firmware *firmware, struct engine_config *config)
{
    config->rsdp_paddr = FIRMWARE_PADDR;
    config->map = map;
    config->map_context = firmware;
}
