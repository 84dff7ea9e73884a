#include "acpi/bytes.h"
#include "acpi/decode_tables.h"

#include <string.h>

/* What revision 1 has, and so the least that any FADT must have: ACPI 1.0b, 5.2.5. */
#define REVISION_1_BYTES 116U

struct place {
    uint16_t offset;
    uint8_t size_bytes;
};

/* ACPI 6.5, 5.2.9, Table 5.9 FADT Format. */
static const struct place field_places[FADT_FIELDS] = {
    [FADT_FIRMWARE_CTRL] = {36, 4},
    [FADT_DSDT] = {40, 4},
    [FADT_PREFERRED_PM_PROFILE] = {45, 1},
    [FADT_SCI_INT] = {46, 2},
    [FADT_SMI_CMD] = {48, 4},
    [FADT_ACPI_ENABLE] = {52, 1},
    [FADT_ACPI_DISABLE] = {53, 1},
    [FADT_S4BIOS_REQ] = {54, 1},
    [FADT_PSTATE_CNT] = {55, 1},
    [FADT_PM1A_EVT_BLK] = {56, 4},
    [FADT_PM1B_EVT_BLK] = {60, 4},
    [FADT_PM1A_CNT_BLK] = {64, 4},
    [FADT_PM1B_CNT_BLK] = {68, 4},
    [FADT_PM2_CNT_BLK] = {72, 4},
    [FADT_PM_TMR_BLK] = {76, 4},
    [FADT_GPE0_BLK] = {80, 4},
    [FADT_GPE1_BLK] = {84, 4},
    [FADT_PM1_EVT_LEN] = {88, 1},
    [FADT_PM1_CNT_LEN] = {89, 1},
    [FADT_PM2_CNT_LEN] = {90, 1},
    [FADT_PM_TMR_LEN] = {91, 1},
    [FADT_GPE0_BLK_LEN] = {92, 1},
    [FADT_GPE1_BLK_LEN] = {93, 1},
    [FADT_GPE1_BASE] = {94, 1},
    [FADT_CST_CNT] = {95, 1},
    [FADT_P_LVL2_LAT] = {96, 2},
    [FADT_P_LVL3_LAT] = {98, 2},
    [FADT_FLUSH_SIZE] = {100, 2},
    [FADT_FLUSH_STRIDE] = {102, 2},
    [FADT_DUTY_OFFSET] = {104, 1},
    [FADT_DUTY_WIDTH] = {105, 1},
    [FADT_IAPC_BOOT_ARCH] = {109, 2},
    [FADT_FLAGS] = {112, 4},
    [FADT_MINOR_VERSION] = {131, 1},
    [FADT_X_FIRMWARE_CTRL] = {132, 8},
    [FADT_X_DSDT] = {140, 8},
};

static const uint16_t register_offsets[FADT_REGISTERS] = {
    [FADT_X_PM1A_EVT_BLK] = 148, [FADT_X_PM1B_EVT_BLK] = 160, [FADT_X_PM1A_CNT_BLK] = 172,
    [FADT_X_PM1B_CNT_BLK] = 184, [FADT_X_PM2_CNT_BLK] = 196,  [FADT_X_PM_TMR_BLK] = 208,
    [FADT_X_GPE0_BLK] = 220,     [FADT_X_GPE1_BLK] = 232,
};

uint32_t decode_usable_bytes(const struct acpi_table *table)
{
    return table->length < table->read_bytes ? table->length : table->read_bytes;
}

void decode_fadt(const struct acpi_table *table, struct fadt *ret_fadt)
{
    uint32_t usable_bytes = decode_usable_bytes(table);

    memset(ret_fadt, 0, sizeof(*ret_fadt));
    ret_fadt->avail = usable_bytes < REVISION_1_BYTES ? AVAIL_MALFORMED : AVAIL_PRESENT;
    ret_fadt->revision = table->revision;
    ret_fadt->length = table->length;
    ret_fadt->checksum_ok = table->checksum_ok;
    for (unsigned i = 0; i < FADT_FIELDS; i++) {
        const struct place *place = &field_places[i];

        if (usable_bytes >= place->size_bytes &&
            place->offset <= usable_bytes - place->size_bytes) {
            ret_fadt->has_field[i] = true;
            ret_fadt->field[i] = bytes_get(table->bytes + place->offset, place->size_bytes);
        }
    }
    for (unsigned i = 0; i < FADT_REGISTERS; i++) {
        if (usable_bytes >= BYTES_GAS_BYTES &&
            register_offsets[i] <= usable_bytes - BYTES_GAS_BYTES) {
            ret_fadt->has_register[i] = true;
            ret_fadt->reg[i] = bytes_gas(table->bytes + register_offsets[i]);
        }
    }
}
