#include "model/freq.h"

const char *freq_request_kind_name(enum freq_request_kind kind)
{
    static const char *const names[] = {"none",      "perf_ctl", "pstate_ctl",
                                        "system_io", "hwp",      "cppc"};

    return kind < FREQ_REQUEST_KINDS ? names[kind] : "none";
}
