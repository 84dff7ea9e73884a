#pragma once

#include "drivers/hw.h"
#include "model/pcc.h"
#include "model/platform.h"

#include <stdbool.h>

/*
 * A PCC subspace as CPPC uses it: the READ command asks the platform to bring the shared memory up to date, the WRITE
 * command to act on what was stored there. Sent through the doorbell, awaited by its status. Nothing else is written
 * than the command and status words of the shared memory and the doorbell.
 * ACPI 6.5, 14.1.2, 14.2, 14.5; Linux 6.12 drivers/acpi/cppc_acpi.c send_pcc_cmd, check_pcc_chan.
 *
 * One CPU, the boot CPU, uses a channel.
 */
enum pcc_command { PCC_READ = 0, PCC_WRITE = 1 }; /* ACPI 6.5, 14.2.1, for CPPC: 8.4.6.1 */

struct pcc_channel {
    const struct pcct_subspace *subspace;
    bool is_asked;       /* pcc_channel_read: the command was sent, or could not be; ... */
    enum status status;  /* ... this is how it went */
    const char *why_not; /* why no command is sent here, or NULL */
    uint64_t tsc_hz;     /* 0: time is what stall_us waits */
    /* While the platform takes its time and at least every few microseconds; NULL: nothing. */
    void (*pause)(void *context);
    void *pause_context;
    bool is_under_way;
    enum status last; /* how the last command that was started went */
    bool is_dead; /* a command was not completed: the shared memory is the platform's for ever */
    bool has_done;
    uint64_t start_tsc;
    uint64_t done_tsc;        /* the last completion ... */
    uint64_t minute_tsc;      /* ... and when the minute began in which commands are counted */
    uint32_t minute_commands; /* max_access_rate at most */
    struct pcc_account account;
};

/*
 * Why no command may be sent through this subspace, or NULL: another layout than the generic one of types 0 to 2
 * (ACPI 6.5, 14.1.3 to 14.1.5), shared memory too short for its header, or a doorbell that is no doorbell: neither
 * memory nor port, of no width that can be accessed, not aligned, without a bit to set, inside the shared memory, in
 * the page of an interrupt controller, or the port of a legacy device of every PC.
 */
const char *pcc_channel_why_not(const struct pcct_subspace *subspace);

/* Number `number` of the PCCT; tsc_hz 0 where the TSC's rate is not known or the back end has no time. */
void pcc_channel_open(struct pcc_channel *channel, const struct pcct_subspace *subspace,
                      uint32_t number, uint64_t tsc_hz);

/*
 * Waits until the minimum request turnaround has passed, and looks whether the maximum access rate allows another
 * command: FULL when not. `spare` commands of the minute are left for later. UNSUPPORTED when no command may be
 * sent, TIMEOUT when an earlier one was never completed.
 */
enum status pcc_channel_ready(const struct hw *hw, struct pcc_channel *channel,
                              uint32_t spare) MUST_CHECK;

/* Writes command and status and rings the doorbell. Only when ready. */
enum status pcc_channel_start(const struct hw *hw, struct pcc_channel *channel,
                              enum pcc_command command) MUST_CHECK;

/*
 * Waits for the completion of what was started, at most 500 times the nominal latency, at least 10 ms and never
 * longer than half a second. TIMEOUT, or IO when the platform reports an error. Without one under way: how the last
 * one went.
 */
enum status pcc_channel_finish(const struct hw *hw, struct pcc_channel *channel) MUST_CHECK;

/*
 * READ, only once a channel: later calls return the first outcome. A back end that is not live and has no record
 * of the command reads memory without it.
 */
enum status pcc_channel_read(const struct hw *hw, struct pcc_channel *channel);

/* Adds what became of the commands to platform->pcc. */
void pcc_channel_account(const struct pcc_channel *channels, uint32_t count,
                         struct platform *platform);
