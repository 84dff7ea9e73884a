#pragma once

#include "drivers/hw.h"
#include "model/tables.h"

#include <stdbool.h>

/*
 * A PCC subspace as CPPC uses it: one READ command asks the platform to bring the shared memory up to date.
 * ACPI 6.5, 14.1.2, 14.2, 14.4; Linux 6.12 drivers/acpi/cppc_acpi.c send_pcc_cmd, check_pcc_chan.
 */
struct pcc_channel {
    bool is_asked;      /* the command was sent, or could not be; status tells */
    enum status status; /* OK: shared memory may be read */
};

/*
 * Sends READ through the doorbell and waits for the platform, at most 500 times the nominal latency and never
 * longer than half a second. Only once a channel: later calls return the first outcome. UNSUPPORTED for a
 * subspace that has not the generic layout, TIMEOUT, IO when the platform reports an error, or the status of the
 * access that failed. A back end that is not live and has no record of the command reads memory without it.
 */
enum status pcc_channel_read(const struct hw *hw, const struct pcct_subspace *subspace,
                             struct pcc_channel *channel);
