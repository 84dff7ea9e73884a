#pragma once

#include "drivers/x86/fault.h"
#include "drivers/x86/native.h"
#include "drivers/x86/timing_crew.h"
#include "drivers/x86/timing_native.h"
#include "efi/memory_map.h"
#include "efi/mp.h"
#include "model/early_tables.h"
#include "model/platform.h"

/*
 * The machine as the rest of the program gets it: the native back end with what only UEFI can do behind it.
 * Lives in the arena, never freed: other CPUs and interrupt tables may still point into it.
 */
struct machine {
    struct memory_map map;
    struct early_tables early;
    struct mp mp;
    struct native native;
    struct timing_native timing;
    struct native_crew crew;
    struct fault_cpu fault; /* the boot CPU's table while the platform is collected */
    bool is_attached;
    EFI_TPL old_tpl;
    uint64_t
        stall_tsc; /* TSC ticks in a firmware stall of STALL_US: the rate before it is measured well */
};

/* Puts the parts together; touches no hardware. NULL when memory is short. */
struct machine *machine_open(struct platform *platform, bool is_read_only);

/* Loads our fault table on the boot CPU and unloads it. Between the two an MSR may be read, and an
 * exception that nobody expected ends the program with its address on the console. */
void machine_attach(struct machine *machine);
void machine_detach(struct machine *machine, struct platform *platform);

/* A monotonic clock in 100 ns for the interpreter's time guard, good to a few percent: engine_config's
 * now_100ns; `context` is a struct machine. 0 for ever where the TSC does not count. */
uint64_t machine_now_100ns(void *context);

/* Vendor, product, firmware and processor speed from SMBIOS into the platform. */
void machine_identify(const struct machine *machine, struct platform *platform);
