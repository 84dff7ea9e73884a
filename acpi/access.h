#pragma once

#include "acpi/engine.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The one way from AML to the hardware: memory, ports and PCI configuration space, each access made once
 * through struct hw, counted in platform.aml and judged by the access policy (architecture.md section 5).
 * A refused write does nothing and is counted; AML goes on. What nothing answers reads as zero on a
 * replay (counted as unrecorded) and as all ones on a live machine (counted as absent memory). The embedded
 * controller never answers: there is no driver for it.
 *
 * On a back end that is not live, memory that AML wrote reads back as written, as RAM does. Tables from files
 * are another machine's: their AML never reaches the hardware of a live one, and sees what a dump shows.
 */

enum access_space { ACCESS_MEMORY = 0, ACCESS_IO, ACCESS_PCI, ACCESS_EC };

struct access_target {
    enum access_space space;
    uint64_t address; /* physical address, port, or offset in configuration space */
    unsigned bytes;   /* 1, 2, 4 or 8 */
    struct pci_address pci;
};

/* Starts counting into `accounting`. */
void access_init(const struct engine_config *config, struct aml_accounting *accounting);

/* Whether AML reaches real hardware. */
bool access_is_live(void);

/* Reads. STATUS_TIMEOUT when the evaluation is out of its limits; else OK and a value. */
enum status access_read(const struct access_target *target, uint64_t *ret_value) MUST_CHECK;

/* Writes, or refuses to. STATUS_TIMEOUT as above; else OK, also when the policy refused. */
enum status access_write(const struct access_target *target, uint64_t value) MUST_CHECK;
