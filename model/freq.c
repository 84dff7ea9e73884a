#include "model/freq.h"

const char *freq_request_kind_name(enum freq_request_kind kind)
{
    static const char *const names[] = {"none", "perf_ctl", "pstate_ctl", "system_io",
                                        "hwp",  "cppc",     "cppc_pcc"};

    return kind < FREQ_REQUEST_KINDS ? names[kind] : "none";
}

uint64_t freq_level_of(enum freq_request_kind kind, uint64_t control)
{
    return kind == FREQ_HWP || kind == FREQ_CPPC ? control & 0xFF : control;
}
