#pragma once

#include <stdint.h>

/* Address spaces of a Generic Address Structure: ACPI 6.5, 5.2.3.2 Generic Address Structure. */
enum gas_space {
    GAS_SYSTEM_MEMORY = 0x00,
    GAS_SYSTEM_IO = 0x01,
    GAS_PCI_CONFIG = 0x02,
    GAS_EMBEDDED_CONTROLLER = 0x03,
    GAS_SMBUS = 0x04,
    GAS_SYSTEM_CMOS = 0x05,
    GAS_PCI_BAR_TARGET = 0x06,
    GAS_IPMI = 0x07,
    GAS_GENERAL_PURPOSE_IO = 0x08,
    GAS_GENERIC_SERIAL_BUS = 0x09,
    GAS_PCC = 0x0A,
    GAS_PRM = 0x0B,
    GAS_FFH = 0x7F
};

/*
 * A register as firmware describes it: ACPI 6.5, 5.2.3.2, or the Generic Register Descriptor of
 * 6.4.3.7. For FFH the fields carry vendor meaning; for PCC `access` is the subspace id.
 */
struct gas {
    uint8_t space;
    uint8_t width_bits;
    uint8_t offset_bits;
    uint8_t access; /* 0 undefined, 1 byte, 2 word, 3 dword, 4 qword */
    uint64_t address;
};

/* "SystemMemory", "SystemIO", "PCC", "FFixedHW", ...; "unknown space" for others. */
const char *gas_space_name(uint8_t space);
