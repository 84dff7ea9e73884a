#pragma once

#include "drivers/frequency_request.h"
#include "drivers/pcc_channel.h"

/*
 * Requests through the registers that _CPC has in the shared memory of a PCC subspace: desired, minimum and maximum
 * performance are stored, then one WRITE command has the platform act on them. The boot CPU makes the
 * requests of all CPUs, so one command serves all that share a subspace, and no CPU waits for another.
 * ACPI 6.5, 8.4.6.1 and 14; Linux 6.12 drivers/acpi/cppc_acpi.c cppc_set_perf.
 *
 * Written are those registers and what a command needs (pcc_channel.h), nothing else, and only after a READ command
 * and a look at what was there. frequency_pcc_close puts it all back, has the platform act on it, reads it again and
 * notes what differs in platform->requests_left. Two commands of a channel's maximum access rate are kept for that.
 */
struct frequency_pcc_cpu {
    const struct frequency_way *way; /* NULL: this CPU is not asked through PCC */
    bool is_saved;
    bool is_written;
    uint64_t before[FREQUENCY_PCC_REGISTERS];
};

struct frequency_pcc {
    struct pcc_channel *channels; /* one a subspace of the PCCT */
    uint8_t *is_used;             /* likewise: something was saved there ... */
    uint8_t *is_stored;           /* ... and something stored that no command was sent for */
    uint32_t channels_count;
    uint32_t cpus_count;
    struct frequency_pcc_cpu *cpus;
    uint32_t writes; /* registers that were given another value */
};

/* Memory for all CPUs of the platform, before its timed stretch. `pause` is called while the platform takes its time.
 * NULL without memory. */
struct frequency_pcc *frequency_pcc_open(struct platform *platform, void (*pause)(void *context),
                                         void *pause_context);

/* Saves what CPU `cpu` has; `way` must be kept. NULL, or why no request may be made for it. */
const char *frequency_pcc_save(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu,
                               const struct frequency_way *way);

/* Stores a level for this CPU, which must be saved; the platform does not know of it yet. NULL, or why it could not. */
const char *frequency_pcc_store(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu,
                                uint64_t level);

/* Waits until a command may be sent for this CPU, so that frequency_pcc_start rings at once. NULL, or why not. */
const char *frequency_pcc_ready(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu);

/* Sends the command where something was stored for this CPU; frequency_pcc_finish waits for it. NULL, or why not. */
const char *frequency_pcc_start(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu);
const char *frequency_pcc_finish(const struct hw *hw, struct frequency_pcc *pcc, uint32_t cpu);

/* Puts everything back, looks at it, and keeps the outcome and the account of the commands in the snapshot. */
void frequency_pcc_close(const struct hw *hw, struct frequency_pcc *pcc, struct platform *platform);
