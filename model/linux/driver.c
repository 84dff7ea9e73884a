/* Which cpufreq driver this kernel ends up with, and every reason on the way. */
#include "model/linux/parts.h"

#include <string.h>

static void take_amd(const struct linux_builder *builder)
{
    struct linux_view *view = builder->view;
    const struct linux_amd_pstate *amd = &view->amd;
    bool is_server;
    uint64_t profile = fadt_value(&builder->platform->fadt, FADT_PREFERRED_PM_PROFILE, 0);

    is_server = profile == 4 || profile == 5 || profile == 7;
    view->driver = LINUX_DRIVER_AMD_PSTATE;
    view->driver_name = "amd-pstate";
    view->mode = LINUX_MODE_ACTIVE;
    view->scaling_driver = "amd-pstate-epp";
    linux_why_add(&view->why, amd->is_msr
                                  ? "amd-pstate: active by default, CPPC by MSR"
                                  : "amd-pstate: active by default, CPPC through _CPC (shared "
                                    "memory)");
    if (is_server) {
        linux_why_add(&view->why, "amd-pstate: a server of family 1Ah or later is not refused");
    }
    if (amd->is_unknown) {
        view->cpuinfo_max = linux_number_missing(
            AVAIL_UNTRIED, "the dump does not hold the registers that _CPC names");
        view->cpuinfo_min = view->cpuinfo_max;
    } else {
        view->cpuinfo_max =
            linux_number_of(amd->max_khz, "nominal_freq by highest over nominal_perf");
        view->cpuinfo_min = linux_number_of(amd->min_khz, "_CPC lowest_freq");
    }
    view->scaling_max = view->cpuinfo_max;
    view->latency_ns =
        linux_number_of(amd->latency_ns, "passive and guided mode; active mode has none");
    view->delay_us = linux_number_of(amd->delay_us, amd->delay_why);
}

/* The default rate limit of schedutil: cpufreq_policy_transition_delay_us. kernel-facts 5.5. */
static uint64_t rate_limit_us(const struct linux_builder *builder, uint64_t latency_ns,
                              const char **ret_why)
{
    uint64_t latency_us = latency_ns / 1000;
    uint64_t cap_us = 10000;

    if (latency_us == 0) {
        *ret_why = "no latency given: 1000 us";
        return 1000;
    }
    if (linux_builder_holds(builder, LINUX_RULE_RATE_HALF_MORE)) {
        *ret_why = "one and a half transition latencies";
        return latency_us + (latency_us >> 1);
    }
    if (linux_builder_holds(builder, LINUX_RULE_RATE_CAP_2MS)) {
        cap_us = 2000;
    }
    *ret_why = cap_us == 2000 ? "1000 transition latencies, at most 2 ms"
                              : "1000 transition latencies, at most 10 ms";
    return latency_us * 1000 < cap_us ? latency_us * 1000 : cap_us;
}

/* Without CPUID a table with Intel's controls is most likely not what decides: intel_pstate goes by MSRs. */
static void take_table_limits(const struct linux_builder *builder)
{
    struct linux_view *view = builder->view;
    const struct linux_table *table = &view->table;

    if (builder->platform->identity.avail != AVAIL_PRESENT && builder->facts->has_intel_controls) {
        view->cpuinfo_max = linux_number_missing(
            AVAIL_UNTRIED, "the CPU is not known; _PSS looks like Intel's, where intel_pstate goes "
                           "by MSRs");
        view->cpuinfo_min = view->scaling_max = view->cpuinfo_max;
        return;
    }
    view->cpuinfo_max = table->is_boost_unknown
                            ? linux_number_missing(AVAIL_UNTRIED, table->cpuinfo_max_why)
                            : linux_number_of(table->cpuinfo_max_khz, table->cpuinfo_max_why);
    view->cpuinfo_min = linux_number_of(table->cpuinfo_min_khz, "the lowest _PSS row");
    view->scaling_max =
        linux_number_of(table->scaling_max_khz,
                        table->limit_khz != 0 ? "the row that _PPC allows" : "the highest row");
}

static void take_acpi_cpufreq(const struct linux_builder *builder)
{
    struct linux_view *view = builder->view;
    const struct linux_table *table = &view->table;
    const char *delay_why = NULL;
    uint64_t delay_us = rate_limit_us(builder, table->transition_latency_ns, &delay_why);

    view->driver = LINUX_DRIVER_ACPI_CPUFREQ;
    view->driver_name = "acpi-cpufreq";
    view->scaling_driver = "acpi-cpufreq";
    view->mode = LINUX_MODE_TABLE;
    linux_why_add(&view->why, "acpi-cpufreq: _PCT and _PSS are usable");
    take_table_limits(builder);
    view->latency_ns = linux_number_of(
        table->transition_latency_ns,
        table->is_latency_capped ? "the longest of _PSS, capped at 20 us" : "the longest of _PSS");
    view->delay_us = linux_number_of(delay_us, delay_why);
}

static void take_none(struct linux_view *view, const char *why)
{
    view->driver = LINUX_DRIVER_NONE;
    view->driver_name = "none";
    view->scaling_driver = "none";
    view->cpuinfo_max = linux_number_missing(AVAIL_ABSENT, why);
    view->cpuinfo_min = view->scaling_max = view->latency_ns = view->delay_us = view->cpuinfo_max;
}

/* Before acpi-cpufreq: the vendor's own driver. */
static bool take_vendor_driver(const struct linux_builder *builder)
{
    struct linux_view *view = builder->view;
    enum cpu_vendor vendor = builder->platform->identity.vendor;

    if (vendor == VENDOR_INTEL) {
        return linux_intel_pstate_takes(builder);
    }
    if (vendor == VENDOR_AMD) {
        if (view->amd.is_possible && view->amd.why == NULL) {
            take_amd(builder);
            return true;
        }
        linux_why_add(&view->why, linux_text(builder, "amd-pstate: %s", view->amd.why));
    }
    if (builder->platform->identity.avail != AVAIL_PRESENT) {
        linux_why_add(&view->why, "the CPU is not known (no CPUID): intel_pstate or amd-pstate may "
                                  "come first on the real machine");
    }
    return false;
}

/* Opteron and Athlon 64 (family 0Fh) P-states belong to powernow-k8. */
static bool take_powernow(const struct linux_builder *builder)
{
    struct linux_view *view = builder->view;
    const struct cpu_identity *identity = &builder->platform->identity;

    if (identity->vendor != VENDOR_AMD || identity->family != 0x0F ||
        builder->facts->table.count == 0) {
        return false;
    }
    take_none(view, "powernow-k8 is not modelled");
    view->driver = LINUX_DRIVER_POWERNOW_K8;
    view->driver_name = "powernow-k8";
    view->scaling_driver = "powernow-k8";
    linux_why_add(&view->why, "powernow-k8: AMD family 0Fh; its numbers are not modelled");
    return true;
}

void linux_driver_make(const struct linux_builder *builder)
{
    struct linux_view *view = builder->view;
    const char *why = view->table.no_table_why;

    if (view->epp.why == NULL) {
        view->epp = linux_number_missing(AVAIL_ABSENT, "no HWP or CPPC in use");
    }
    if (take_vendor_driver(builder) || take_powernow(builder)) {
        return;
    }
    if (why == NULL && !builder->facts->has_pct) {
        why = "the first processor has no _PCT, so the device is not created";
    }
    if (why == NULL) {
        take_acpi_cpufreq(builder);
        return;
    }
    linux_why_add(&view->why, linux_text(builder, "acpi-cpufreq: %s", why));
    if (builder->platform->identity.is_hypervisor) {
        linux_why_add(&view->why, "a guest usually has no cpufreq driver: the host chooses");
    }
    take_none(view, "no driver takes this machine");
}
