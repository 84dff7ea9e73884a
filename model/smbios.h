#pragma once

#include "model/arena.h"
#include "model/status.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Who made the machine and its firmware, from the SMBIOS structure table (DMTF DSP0134 3.7). Only these
 * four strings and the processors' speed are taken: serial numbers, asset tags and UUIDs never leave the machine.
 */
struct smbios_identity {
    const char *vendor;           /* System Information (type 1), Manufacturer; NULL when unknown */
    const char *product;          /* type 1, Product Name */
    const char *firmware_version; /* Firmware Information (type 0), Firmware Version */
    const char *firmware_date;    /* type 0, Release Date */
    uint32_t max_mhz; /* type 4, the largest Max Speed of all processors; 0: none is given */
};

/* Where the structure table is, as an entry point says. */
struct smbios_table {
    uint64_t paddr;
    uint32_t length_bytes; /* the entry point's (maximum) length of the table */
};

/* Longest entry point: "_SM_" of SMBIOS 2.1, 31 bytes (DSP0134, 5.2.1). */
#define SMBIOS_ENTRY_BYTES 31

/* Reads an entry point of either form, "_SM_" (5.2.1) or "_SM3_" (5.2.2). BAD_INPUT when the bytes are not
 * one, are too short or their checksum is wrong. */
enum status smbios_entry_decode(const uint8_t *bytes, size_t length,
                                struct smbios_table *ret_table) MUST_CHECK;

/* Walks the structures in bytes[0..length) and copies the strings, printable ASCII only and without
 * blanks around them, into the arena. What is absent, empty or malformed stays NULL. */
void smbios_identity_decode(const uint8_t *bytes, size_t length, struct arena *arena,
                            struct smbios_identity *ret_identity);
