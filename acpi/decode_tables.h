#pragma once

#include "model/arena.h"
#include "model/tables.h"

/*
 * Decoders of the fixed tables. Each takes a table as found, believes neither its Length nor any length
 * inside it, and fills the whole result: a table that is too short for its header or its fixed part
 * gives MALFORMED with whatever fields were really there. Arrays go into the arena.
 */

/* Size of the header that every table but FACS and RSDP begins with: ACPI 6.5, 5.2.6, Table 5.4. */
#define DECODE_HEADER_BYTES 36U

/* Bytes of the table that may be read: the smaller of what it claims and what is there. */
uint32_t decode_usable_bytes(const struct acpi_table *table);

void decode_fadt(const struct acpi_table *table, struct fadt *ret_fadt);
void decode_madt(const struct acpi_table *table, struct arena *arena, struct madt *ret_madt);
void decode_pcct(const struct acpi_table *table, struct arena *arena, struct pcct *ret_pcct);
void decode_hpet(const struct acpi_table *table, struct hpet *ret_hpet);
