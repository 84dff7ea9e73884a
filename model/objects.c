#include "model/objects.h"

#include <stddef.h>

const char *object_kind_name(enum object_kind kind)
{
    static const char *const names[OBJECT_KINDS] = {"_PSS", "_PCT", "_PPC", "_PSD",
                                                    "_CPC", "_CST", "_CSD", "_LPI"};

    return (unsigned)kind < OBJECT_KINDS ? names[kind] : "unknown object";
}

const char *object_kind_field(enum object_kind kind)
{
    static const char *const names[OBJECT_KINDS] = {"pss", "pct", "ppc", "psd",
                                                    "cpc", "cst", "csd", "lpi"};

    return (unsigned)kind < OBJECT_KINDS ? names[kind] : "unknown";
}

const char *cpc_register_name(enum cpc_register index)
{
    /* ACPI 6.5, 8.4.6.1 _CPC, in package order from element 2; the last two are revision 4 (ACPI 6.6). */
    static const char *const names[CPC_REGISTERS] = {
        [CPC_HIGHEST_PERF] = "highest_perf",
        [CPC_NOMINAL_PERF] = "nominal_perf",
        [CPC_LOWEST_NONLINEAR_PERF] = "lowest_nonlinear_perf",
        [CPC_LOWEST_PERF] = "lowest_perf",
        [CPC_GUARANTEED_PERF] = "guaranteed_perf",
        [CPC_DESIRED_PERF] = "desired_perf",
        [CPC_MIN_PERF] = "min_perf",
        [CPC_MAX_PERF] = "max_perf",
        [CPC_PERF_REDUCTION_TOLERANCE] = "perf_reduction_tolerance",
        [CPC_TIME_WINDOW] = "time_window",
        [CPC_COUNTER_WRAPAROUND_TIME] = "counter_wraparound_time",
        [CPC_REFERENCE_COUNTER] = "reference_counter",
        [CPC_DELIVERED_COUNTER] = "delivered_counter",
        [CPC_PERF_LIMITED] = "perf_limited",
        [CPC_ENABLE] = "enable",
        [CPC_AUTONOMOUS_SELECTION_ENABLE] = "autonomous_selection_enable",
        [CPC_AUTONOMOUS_ACTIVITY_WINDOW] = "autonomous_activity_window",
        [CPC_ENERGY_PERF_PREFERENCE] = "energy_perf_preference",
        [CPC_REFERENCE_PERF] = "reference_perf",
        [CPC_LOWEST_FREQ_MHZ] = "lowest_freq_mhz",
        [CPC_NOMINAL_FREQ_MHZ] = "nominal_freq_mhz",
        [CPC_OSPM_NOMINAL_PERF] = "ospm_nominal_perf",
        [CPC_RESOURCE_PRIORITY] = "resource_priority",
    };

    return (unsigned)index < CPC_REGISTERS ? names[index] : "unknown";
}
