#pragma once

#include "acpi/engine.h"

/*
 * Finding the ACPI tables and copying them into the arena, from the firmware's RSDP or from blobs. Nothing
 * in them is believed: a table whose Length goes beyond what can be read is kept truncated and marked so.
 */

/* Fills tables, tables_count, has_rsdp, rsdp_revision, is_rsdp_checksum_ok of the platform, and acpi_error
 * when there are none (STATUS_NOT_FOUND). Order: as in the root table, DSDT and FACS after the FADT; blobs
 * in the order given. */
enum status tables_collect(const struct engine_config *config,
                           struct platform *platform) MUST_CHECK;

/* Decodes FADT, MADT, PCCT and HPET into the platform; each the first table of its signature. */
void tables_decode(struct platform *platform);

/* Appends a table from its bytes (copied when the arena has room). `paddr` 0: unknown. */
enum status tables_append(struct platform *platform, const uint8_t *bytes, size_t read_bytes,
                          uint64_t paddr, const char *origin) MUST_CHECK;

/* The first table with the signature that has a header, or NULL. */
const struct acpi_table *tables_find(const struct platform *platform, const char *signature);
