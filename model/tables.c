#include "model/tables.h"

#include "model/bits.h"

const char *fadt_field_name(enum fadt_field field)
{
    /* ACPI 6.5, 5.2.9, Table 5.9, field names in snake_case. */
    static const char *const names[FADT_FIELDS] = {
        [FADT_FIRMWARE_CTRL] = "firmware_ctrl",
        [FADT_DSDT] = "dsdt",
        [FADT_PREFERRED_PM_PROFILE] = "preferred_pm_profile",
        [FADT_SCI_INT] = "sci_int",
        [FADT_SMI_CMD] = "smi_cmd",
        [FADT_ACPI_ENABLE] = "acpi_enable",
        [FADT_ACPI_DISABLE] = "acpi_disable",
        [FADT_S4BIOS_REQ] = "s4bios_req",
        [FADT_PSTATE_CNT] = "pstate_cnt",
        [FADT_PM1A_EVT_BLK] = "pm1a_evt_blk",
        [FADT_PM1B_EVT_BLK] = "pm1b_evt_blk",
        [FADT_PM1A_CNT_BLK] = "pm1a_cnt_blk",
        [FADT_PM1B_CNT_BLK] = "pm1b_cnt_blk",
        [FADT_PM2_CNT_BLK] = "pm2_cnt_blk",
        [FADT_PM_TMR_BLK] = "pm_tmr_blk",
        [FADT_GPE0_BLK] = "gpe0_blk",
        [FADT_GPE1_BLK] = "gpe1_blk",
        [FADT_PM1_EVT_LEN] = "pm1_evt_len",
        [FADT_PM1_CNT_LEN] = "pm1_cnt_len",
        [FADT_PM2_CNT_LEN] = "pm2_cnt_len",
        [FADT_PM_TMR_LEN] = "pm_tmr_len",
        [FADT_GPE0_BLK_LEN] = "gpe0_blk_len",
        [FADT_GPE1_BLK_LEN] = "gpe1_blk_len",
        [FADT_GPE1_BASE] = "gpe1_base",
        [FADT_CST_CNT] = "cst_cnt",
        [FADT_P_LVL2_LAT] = "p_lvl2_lat",
        [FADT_P_LVL3_LAT] = "p_lvl3_lat",
        [FADT_FLUSH_SIZE] = "flush_size",
        [FADT_FLUSH_STRIDE] = "flush_stride",
        [FADT_DUTY_OFFSET] = "duty_offset",
        [FADT_DUTY_WIDTH] = "duty_width",
        [FADT_IAPC_BOOT_ARCH] = "iapc_boot_arch",
        [FADT_FLAGS] = "flags",
        [FADT_MINOR_VERSION] = "minor_version",
        [FADT_X_FIRMWARE_CTRL] = "x_firmware_ctrl",
        [FADT_X_DSDT] = "x_dsdt",
    };

    return (unsigned)field < FADT_FIELDS ? names[field] : "unknown";
}

const char *fadt_register_name(enum fadt_register reg)
{
    static const char *const names[FADT_REGISTERS] = {
        [FADT_X_PM1A_EVT_BLK] = "x_pm1a_evt_blk", [FADT_X_PM1B_EVT_BLK] = "x_pm1b_evt_blk",
        [FADT_X_PM1A_CNT_BLK] = "x_pm1a_cnt_blk", [FADT_X_PM1B_CNT_BLK] = "x_pm1b_cnt_blk",
        [FADT_X_PM2_CNT_BLK] = "x_pm2_cnt_blk",   [FADT_X_PM_TMR_BLK] = "x_pm_tmr_blk",
        [FADT_X_GPE0_BLK] = "x_gpe0_blk",         [FADT_X_GPE1_BLK] = "x_gpe1_blk",
    };

    return (unsigned)reg < FADT_REGISTERS ? names[reg] : "unknown";
}

uint64_t fadt_value(const struct fadt *fadt, enum fadt_field field, uint64_t otherwise)
{
    if (fadt->avail != AVAIL_PRESENT || !fadt->has_field[field]) {
        return otherwise;
    }
    return fadt->field[field];
}

bool fadt_has_flag(const struct fadt *fadt, enum fadt_flag flag)
{
    return bits_test(fadt_value(fadt, FADT_FLAGS, 0), flag) != 0;
}

/* A port beyond the 64 KiB of I/O space is no port. */
static uint16_t port_of(uint64_t address)
{
    return address <= UINT16_MAX ? (uint16_t)address : 0;
}

uint16_t fadt_pm_timer_port(const struct fadt *fadt)
{
    uint16_t legacy_port = port_of(fadt_value(fadt, FADT_PM_TMR_BLK, 0));
    const struct gas *x = &fadt->reg[FADT_X_PM_TMR_BLK];
    bool has_x = fadt->has_register[FADT_X_PM_TMR_BLK];

    if (fadt->avail != AVAIL_PRESENT) {
        return 0;
    }
    if (fadt->revision < 3) {
        return legacy_port;
    }
    if (has_x && x->address != 0) {
        return x->space == GAS_SYSTEM_IO ? port_of(x->address) : 0;
    }
    /* ACPICA fills an empty X field from the 32-bit one as SystemIO, except on hardware-reduced platforms
     * (Linux 6.12 drivers/acpi/acpica/tbfadt.c acpi_tb_convert_fadt). */
    if (fadt_has_flag(fadt, FADT_FLAG_HW_REDUCED) && !(has_x && x->space == GAS_SYSTEM_IO)) {
        return 0;
    }
    return legacy_port;
}
