#pragma once

#include "drivers/hw.h"
#include "model/platform.h"
#include "model/status.h"
#include "model/step.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The ACPI side of collecting: the one user of ACPICA. There is one interpreter per program run, so
 * the engine has no handle. Order of calls: engine_open, engine_handshake, engine_evaluate,
 * engine_close. What goes wrong with the firmware ends up in the platform; a status other than OK
 * means that the job could not be done at all.
 */

/* A table given from a file instead of by the firmware. The bytes must outlive the engine. */
struct table_blob {
    const char *origin; /* file name, kept in the report */
    const uint8_t *bytes;
    size_t length;
};

/* What AML may do to the hardware: architecture.md section 5. */
enum access_policy {
    POLICY_OS = 0,   /* what an operating system would allow; never our own memory, boot-services
                         memory or checksummed CMOS bytes */
    POLICY_READ_ONLY /* reads only, and writes to memory that the OS may use */
};

struct engine_config {
    const struct hw *hw;
    struct arena *arena;
    const struct options *options;
    enum access_policy policy;

    /* Firmware tables: the RSDP's address and a way to see physical memory as a pointer (identity in
     * UEFI). Ignored when blobs_count is not 0. */
    uint64_t rsdp_paddr;
    const void *(*map)(void *context, uint64_t paddr,
                       size_t bytes); /* NULL: not in the memory map */
    void *map_context;

    /* Tables from files: DSDT, SSDTs in load order, FACP, APIC, ... Where there is no FACP or DSDT an
     * empty one is made so that a bare SSDT loads; that is said in the platform's acpi tables. */
    uint32_t blobs_count;
    const struct table_blob *blobs;

    /* A monotonic clock in units of 100 ns that works before the tables load, and the budget of one
     * evaluation in it; a loop that exceeds it ends with AE_AML_LOOP_TIMEOUT. */
    uint64_t (*now_100ns)(void *context);
    void *now_context;
    uint32_t evaluation_budget_ms; /* 0: default, 2000 */

    /* Whether a physical range may be written by AML, for POLICY_OS; NULL: every range may. */
    bool (*may_write)(void *context, uint64_t paddr, uint32_t bytes);
    void *may_write_context;

    /* hw is the record of a run on the machine with the firmware's own tables: what nothing answers reads as
     * it did there. */
    bool is_record_of_live;

    /* Runs procedure(argument), and gives false when it crashed. Malformed AML can make ACPICA read wild
     * addresses; with this the program goes on without it. NULL: it is run as it is. */
    bool (*protect)(void *context, void (*procedure)(void *argument), void *argument);
    void *protect_context;

    /* Is told each step before it runs (progress, journal), and may answer that it is left out. */
    struct step_listener steps;
};

/*
 * Finds and copies the tables into the platform, decodes FADT, MADT, PCCT and HPET, starts ACPICA with
 * our region handlers in place, loads the tables, and lists the processors (with _UID and _STA;
 * numbering_assign finds the MADT entry that each belongs to). NOT_FOUND: no ACPI tables at all
 * (platform->acpi_error says why).
 * BAD_INPUT: tables, but ACPICA could not load a namespace; what could be decoded is in the platform.
 */
enum status engine_open(const struct engine_config *config, struct platform *platform) MUST_CHECK;

/*
 * As Linux does on this CPU: \_SB._OSC (query, then commit), then _OSC or _PDC on every processor. With
 * given words (--os-caps, or a CPU that is not known): \_SB._OSC (commit), then _OSC and _PDC on every
 * processor, whatever fails. Lists tables that AML loaded, and processors that appeared with them.
 * Needs the platform's identity and CPUID.
 */
void engine_handshake(struct platform *platform);

/* Evaluates the eight processor objects of every processor, repair off, then on where that is safe. */
void engine_evaluate(struct platform *platform);

/* Ends ACPICA. Nothing in the platform points into it. */
void engine_close(void);

/* The release of the interpreter inside, e.g. "20240827". */
const char *engine_acpica_version(void);
