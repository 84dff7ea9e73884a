#pragma once

#include "model/gas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The few ACPI tables that are wanted before the interpreter runs: where the serial console is, and where PCI
 * configuration space is mapped. Nothing of these tables is judged here.
 */
struct early_tables {
    uint64_t rsdp_paddr; /* 0: no ACPI */
    /* The range as a pointer, NULL when it is not memory. */
    const void *(*map)(void *context, uint64_t paddr, size_t bytes);
    void *map_context;
};

/* The table with this signature and its length; NULL when there is none or its checksum is wrong. */
const uint8_t *early_tables_find(const struct early_tables *early, const char signature[5],
                                 uint32_t *ret_length);

/*
 * The UART of the serial console: Microsoft, Serial Port Console Redirection Table, Base Address and
 * Interface Type. False when there is no SPCR, or its port is no 16550.
 */
bool early_tables_serial(const struct early_tables *early, struct gas *ret_gas);

/* A range of buses of MCFG: PCI Firmware Specification 3.3, 4.1.2. */
struct early_pci_range {
    uint64_t base_paddr;
    uint16_t segment;
    uint8_t first_bus;
    uint8_t last_bus;
};

/* Fills up to `room` ranges; returns how many. */
uint32_t early_tables_pci(const struct early_tables *early, uint32_t room,
                          struct early_pci_range *ret_ranges);
