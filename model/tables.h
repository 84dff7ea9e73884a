#pragma once

#include "model/avail.h"
#include "model/gas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One ACPI table as found. `bytes` is a copy in the arena of min(length, what could be read). */
struct acpi_table {
    char signature[5];
    uint32_t length;     /* header's Length */
    uint32_t read_bytes; /* bytes really there; less than length when truncated */
    uint8_t revision;
    char oem_id[7]; /* trailing spaces and NULs removed, unprintable bytes as '?' */
    char oem_table_id[9];
    bool has_header; /* false for FACS, which has no standard header */
    bool checksum_ok;
    uint64_t aml_hash;  /* FNV-1a of read_bytes (model/hash.h), for diff; 0: holds no AML */
    uint64_t paddr;     /* where it was; 0 when unknown */
    const char *origin; /* "xsdt", "rsdt", "fadt", "dynamic", or a file name */
    const uint8_t *bytes;
};

/*
 * FADT, ACPI 6.5, 5.2.9, Table 5.9. The decoder keeps the fields by table: fadt_field_list names
 * each with its offset and size; a field whose last byte is beyond Length is absent.
 */
enum fadt_field {
    FADT_FIRMWARE_CTRL = 0,
    FADT_DSDT,
    FADT_PREFERRED_PM_PROFILE,
    FADT_SCI_INT,
    FADT_SMI_CMD,
    FADT_ACPI_ENABLE,
    FADT_ACPI_DISABLE,
    FADT_S4BIOS_REQ,
    FADT_PSTATE_CNT,
    FADT_PM1A_EVT_BLK,
    FADT_PM1B_EVT_BLK,
    FADT_PM1A_CNT_BLK,
    FADT_PM1B_CNT_BLK,
    FADT_PM2_CNT_BLK,
    FADT_PM_TMR_BLK,
    FADT_GPE0_BLK,
    FADT_GPE1_BLK,
    FADT_PM1_EVT_LEN,
    FADT_PM1_CNT_LEN,
    FADT_PM2_CNT_LEN,
    FADT_PM_TMR_LEN,
    FADT_GPE0_BLK_LEN,
    FADT_GPE1_BLK_LEN,
    FADT_GPE1_BASE,
    FADT_CST_CNT,
    FADT_P_LVL2_LAT,
    FADT_P_LVL3_LAT,
    FADT_FLUSH_SIZE,
    FADT_FLUSH_STRIDE,
    FADT_DUTY_OFFSET,
    FADT_DUTY_WIDTH,
    FADT_IAPC_BOOT_ARCH,
    FADT_FLAGS,
    FADT_MINOR_VERSION,
    FADT_X_FIRMWARE_CTRL,
    FADT_X_DSDT,
    FADT_FIELDS
};

enum fadt_register {
    FADT_X_PM1A_EVT_BLK = 0,
    FADT_X_PM1B_EVT_BLK,
    FADT_X_PM1A_CNT_BLK,
    FADT_X_PM1B_CNT_BLK,
    FADT_X_PM2_CNT_BLK,
    FADT_X_PM_TMR_BLK,
    FADT_X_GPE0_BLK,
    FADT_X_GPE1_BLK,
    FADT_REGISTERS
};

/* FADT fixed feature flags, ACPI 6.5, Table 5.10: bit numbers. */
enum fadt_flag {
    FADT_FLAG_WBINVD = 0,
    FADT_FLAG_WBINVD_FLUSH = 1,
    FADT_FLAG_PROC_C1 = 2,
    FADT_FLAG_P_LVL2_UP = 3,
    FADT_FLAG_TMR_VAL_EXT = 8,
    FADT_FLAG_USE_PLATFORM_CLOCK = 15,
    FADT_FLAG_HW_REDUCED = 20,
    FADT_FLAG_LOW_POWER_S0 = 21
};

struct fadt {
    enum avail avail; /* MALFORMED: shorter than a header or than the revision 1 fields */
    uint8_t revision;
    uint32_t length;
    bool checksum_ok;
    bool has_field[FADT_FIELDS];
    uint64_t field[FADT_FIELDS];
    bool has_register[FADT_REGISTERS];
    struct gas reg[FADT_REGISTERS];
};

/* "p_lvl2_lat", "x_dsdt", ...: spec field names in snake_case. */
const char *fadt_field_name(enum fadt_field field);
const char *fadt_register_name(enum fadt_register reg);

/* The field's value, or `otherwise` when the table is missing or too short for it. */
uint64_t fadt_value(const struct fadt *fadt, enum fadt_field field, uint64_t otherwise);

/* Whether a fixed feature flag is set; false when there is no FADT. */
bool fadt_has_flag(const struct fadt *fadt, enum fadt_flag flag);

/* The I/O port of the PM timer as Linux chooses it (arch/x86/kernel/acpi/boot.c, acpi_parse_fadt):
 * revision >= 3 takes X_PM_TMR_BLK when it is SystemIO and non-zero. 0 when there is none. */
uint16_t fadt_pm_timer_port(const struct fadt *fadt);

/* MADT, ACPI 6.5, 5.2.12: the processor entries (type 0 and type 9) in table order. */
struct madt_entry {
    uint8_t type; /* 0 Processor Local APIC, 9 Processor Local x2APIC */
    uint32_t uid; /* ACPI Processor UID (ProcessorId for type 0) */
    uint32_t apic_id;
    uint32_t flags;  /* bit 0 enabled, bit 1 online capable */
    uint32_t offset; /* of the entry in the table, for messages */
};

struct madt {
    enum avail avail;
    uint8_t revision;
    uint32_t lapic_address;
    uint32_t ioapic_paddr; /* the first I/O APIC whose interrupts begin at 0; 0: there is none */
    uint32_t flags;
    uint32_t count;
    const struct madt_entry *entries;
    uint32_t enabled_count;
    uint32_t malformed_offset; /* where parsing had to stop; 0 when it did not */
    const char *malformed;     /* what was wrong there; NULL when nothing */
};

/* PCCT, ACPI 6.5, 14.1. */
struct pcct_subspace {
    uint8_t type;
    uint8_t length;
    bool is_decoded; /* types 0 to 5 that are long enough */
    uint64_t base_paddr;
    uint64_t length_bytes;
    struct gas doorbell;
    uint64_t preserve_mask;
    uint64_t write_mask;
    uint32_t latency_us;
    uint32_t max_access_rate; /* commands a minute; 0 no limit */
    uint32_t min_turnaround_us;
    uint32_t gsi;
    uint8_t interrupt_flags;
};

#define PCCT_ZERO_LENGTH "subspace length 0" /* malformed says so */

struct pcct {
    enum avail avail;
    uint32_t flags;
    uint32_t count;
    const struct pcct_subspace *subspaces;
    const char *malformed;
    uint32_t malformed_offset;
};

/* HPET table, IA-PC HPET specification 1.0a, 3.2.4. */
struct hpet {
    enum avail avail;
    struct gas base;
    uint16_t min_tick;
};
