#pragma once

#include "model/platform.h"

/*
 * The set of tables that the interpreter sees: an RSDP and XSDT of our own in the arena that list the
 * collected copies, and a FADT copy whose DSDT and FACS pointers lead to them. Firmware's originals are
 * never handed over, so that nothing unchecked is followed and a dump is no different from a machine.
 *
 * Tables whose bytes are not all there are left out, with a message; DSDT and FADT that are missing are
 * made (empty), and listed in the platform with the origin "synthetic".
 */

/* Gives the RSDP's address, 0 when memory is exhausted, and the number of tables in the XSDT. */
uint64_t root_table_build(struct platform *platform, uint32_t *ret_count);
