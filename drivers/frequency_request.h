#pragma once

#include "drivers/hw.h"
#include "drivers/request_guard.h"
#include "model/freq.h"
#include "model/platform.h"

/*
 * Asking one CPU for a frequency as an operating system would: through _PCT (Intel PERF_CTL, AMD PSTATE_CTL,
 * a port) or, where the firmware has already enabled them, HWP or CPPC requests. Nothing is ever enabled
 * here.
 *
 * frequency_way_choose and frequency_requests_make read the collected platform only and run anywhere. The
 * others act on the calling CPU, which must be `cpu`, inside run_on_cpus too, call no firmware and write nothing but
 * what they are given. MSRs are written through the guard (request_guard.h), which the caller opens and closes;
 * a port is saved and put back here; requests through PCC are made by frequency_pcc.h. Every request is between a save and a restore of the same CPU.
 */
#define FREQUENCY_REQUESTS_MAX 64U
#define FREQUENCY_LEVELS 5U /* how many levels of HWP or CPPC are tried */

/* A register of _CPC in the shared memory of a PCC subspace. */
struct frequency_pcc_register {
    uint64_t paddr;
    uint8_t bytes; /* 0: _CPC has none there */
};

/* Desired first; minimum and maximum may be missing. */
enum { FREQUENCY_PCC_DESIRED = 0, FREQUENCY_PCC_MIN, FREQUENCY_PCC_MAX, FREQUENCY_PCC_REGISTERS };

/* How requests are made on one CPU. */
struct frequency_way {
    enum freq_request_kind kind; /* FREQ_NO_REQUEST: not at all, see why_not */
    uint32_t control_msr;        /* all kinds but FREQ_SYSTEM_IO */
    uint32_t status_msr;         /* 0: none */
    uint64_t control_mask;       /* the bits of control_msr that a request replaces */
    uint64_t status_mask;
    uint16_t control_port; /* FREQ_SYSTEM_IO */
    uint16_t status_port;
    uint8_t control_bytes;
    uint8_t status_bytes;  /* 0: no status port */
    uint32_t pcc_subspace; /* FREQ_CPPC_PCC: see frequency_pcc.h */
    struct frequency_pcc_register pcc[FREQUENCY_PCC_REGISTERS];
    const char *why_not; /* why the rows of _PSS are not asked for here (static text), or NULL */
};

struct frequency_request {
    enum freq_request_kind kind;
    uint32_t pss_index;       /* FREQ_NO_ROW: a level of HWP or CPPC */
    uint64_t khz;             /* 0: not known */
    uint64_t control;         /* value of the control register's mask */
    uint64_t status_expected; /* likewise of the status register, where the way has one */
    uint64_t latency_us;      /* _PSS; 0: not declared */
};

/* What stood in the control register before. */
struct frequency_saved {
    enum avail avail; /* PRESENT: a request may be made */
    bool is_asked;    /* one was: there is something to put back */
    uint64_t control;
};

/*
 * The way of CPU `cpu`. Where HWP (IA32_PM_ENABLE [0], SDM vol. 3B, 15.4.2) or CPPC (C001_02B1 [0]) is
 * enabled the hardware ignores the other registers: the way is then HWP or CPPC and why_not says why
 * the rows are not. So too when this run has set the bit (one_way.h). The same with CPPC through PCC shared memory: where the Enable register of _CPC reads 1, or
 * where _CPC has none (then it is always enabled: ACPI 6.5, 8.4.6.1.4 CPPC Enable Register) and there are no rows.
 */
void frequency_way_choose(const struct platform *platform, uint32_t cpu,
                          struct frequency_way *ret_way);

/* The requests to be tried, highest frequency first: each row of _PSS, or FREQUENCY_LEVELS levels from highest to
 * lowest. Gives how many, at most `room`. */
uint32_t frequency_requests_make(const struct platform *platform, uint32_t cpu,
                                 const struct frequency_way *way, uint32_t room,
                                 struct frequency_request *ret_requests);

/* Saves every request register of this CPU, and the port of its way. */
void frequency_save(const struct hw *hw, struct request_guard *guard, uint32_t cpu,
                    const struct frequency_way *way, struct frequency_saved *ret_saved);

/* Asks. DENIED when the register may not be written (read-only, not on the allow-list), FAULT when the write
 * raised an exception. Only after a save that is PRESENT. */
enum status frequency_request(const struct hw *hw, struct request_guard *guard, uint32_t cpu,
                              const struct frequency_way *way, struct frequency_saved *saved,
                              const struct frequency_request *request) MUST_CHECK;

/* What the status register says now, cut to its mask; UNTRIED when the way has none. */
enum avail frequency_status(const struct hw *hw, const struct frequency_way *way,
                            uint64_t *ret_status);

/* Puts back what was saved; false when a port could not be written. MSRs are looked at when the guard is closed. */
bool frequency_restore(const struct hw *hw, struct request_guard *guard, uint32_t cpu,
                       const struct frequency_way *way, struct frequency_saved *saved);
