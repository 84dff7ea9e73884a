/* The kernel messages that this firmware causes: P-states, CPPC, drivers, clocks. kernel-facts section 10. */
#include "model/bits.h"
#include "model/linux/parts.h"

#include <string.h>

#define PSD_VALID ((1U << (DEPENDENCY_NUM_PROCESSORS + 1)) - 1U)
#define PSS_ALL_VALID ((1U << PSS_FIELDS) - 1U)
#define PSS_MHZ_MAX (UINT32_MAX / 1000U)
#define MSR_TSC_ADJUST 0x3BU /* SDM vol. 4, IA32_TSC_ADJUST */
#define MSR_PM_ENABLE 0x770U /* SDM vol. 4, IA32_PM_ENABLE */
#define MSR_HWCR 0xC0010015U /* PPR, HWCR: bit 24 TscFreqSel */

#define NO_POLICY "Linux gets no P-states from this processor: acpi-cpufreq does not start on it."

static void pct_messages(const struct linux_builder *builder, const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PCT);

    if (set != NULL &&
        (!set->pct.is_package || set->pct.elements != 2 ||
         set->pct.control.avail != AVAIL_PRESENT || set->pct.status.avail != AVAIL_PRESENT)) {
        linux_message_add(builder, LINUX_LEVEL_ERROR, "Invalid _PCT data", NO_POLICY,
                          processor->cpu);
    }
}

/* Returns whether the _PSS is of use at all. */
static bool pss_rows(const struct linux_builder *builder, const struct processor *processor,
                     const struct pss *pss)
{
    uint32_t valid = 0;

    for (uint32_t i = 0; i < pss->count; i++) {
        uint64_t mhz = pss->rows[i].field[PSS_FREQ_MHZ];

        if (pss->rows[i].valid != PSS_ALL_VALID) {
            linux_message_add(builder, LINUX_LEVEL_WARNING, "Invalid _PSS data: AE_BAD_DATA",
                              "A row is not six Integers, so Linux refuses the whole _PSS.",
                              processor->cpu);
            return false;
        }
        if (mhz == 0 || mhz > PSS_MHZ_MAX) {
            linux_message_format(
                builder, LINUX_LEVEL_FW_BUG,
                "The row is dropped; later rows move up and keep their own control "
                "values.",
                processor->cpu, "Invalid BIOS _PSS frequency found for processor N: 0x%lx MHz",
                mhz);
        } else {
            valid++;
        }
    }
    if (valid == 0 && pss->count != 0) {
        linux_message_add(builder, LINUX_LEVEL_FW_BUG,
                          "No valid BIOS _PSS frequency found for processor N", NO_POLICY,
                          processor->cpu);
        return false;
    }
    return true;
}

static bool pss_messages(const struct linux_builder *builder, const struct processor *processor)
{
    const struct object_result *result = &processor->objects[OBJECT_PSS];
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PSS);

    if (set == NULL) {
        linux_message_format(builder, LINUX_LEVEL_WARNING, NO_POLICY, processor->cpu,
                             "_PSS evaluation failed: %s",
                             result->error != NULL ? result->error : "AE_NOT_FOUND");
        return false;
    }
    if (!set->pss.is_package) {
        linux_message_add(builder, LINUX_LEVEL_ERROR, "Invalid _PSS data", NO_POLICY,
                          processor->cpu);
        return false;
    }
    return pss_rows(builder, processor, &set->pss);
}

static void psd_messages(const struct linux_builder *builder, const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PSD);
    const char *text = NULL;

    if (set == NULL) {
        return;
    }
    if (!set->psd.is_package || set->psd.count != 1 ||
        (set->psd.rows[0].valid & PSD_VALID) != PSD_VALID) {
        text = "Invalid _PSD data";
    } else if (set->psd.rows[0].field[DEPENDENCY_NUM_ENTRIES] != 5) {
        text = "Unknown _PSD:num_entries";
    } else if (set->psd.rows[0].field[DEPENDENCY_REVISION] != 0) {
        text = "Unknown _PSD:revision";
    } else if (set->psd.rows[0].field[DEPENDENCY_COORD_TYPE] < COORD_SW_ALL ||
               set->psd.rows[0].field[DEPENDENCY_COORD_TYPE] > COORD_HW_ALL) {
        text = "Invalid _PSD:coord_type";
    }
    if (text != NULL) {
        linux_message_add(builder, LINUX_LEVEL_ERROR, text,
                          "All CPUs fall back to policies of one CPU, whatever the hardware "
                          "couples.",
                          processor->cpu);
    }
}

/* acpi_processor_register_performance on one processor. */
static void perflib_messages(const struct linux_builder *builder, const struct processor *processor)
{
    const struct object_set *pct = platform_object_as_linux(processor, OBJECT_PCT);
    bool has_ppc = processor->objects[OBJECT_PPC].avail == AVAIL_PRESENT;
    bool is_usable;

    if (pct == NULL && processor->objects[OBJECT_PCT].avail != AVAIL_FAULTED) {
        return; /* silent: no _PCT */
    }
    pct_messages(builder, processor);
    is_usable = pct != NULL && pct->pct.is_package && pct->pct.elements == 2;
    is_usable = is_usable && pss_messages(builder, processor);
    if (!is_usable && has_ppc &&
        cpuid_has(platform_cpuid(builder->platform, processor->cpu), CPU_FEATURE_EIST)) {
        linux_message_add(builder, LINUX_LEVEL_FW_BUG,
                          "BIOS needs update for CPU frequency support",
                          "_PPC is there but _PCT or _PSS is not usable: firmware has P-states and "
                          "does not publish them whole.",
                          processor->cpu);
    }
    if (processor->objects[OBJECT_PPC].avail == AVAIL_FAULTED) {
        linux_message_format(
            builder, LINUX_LEVEL_WARNING, NO_POLICY, processor->cpu, "_PPC evaluation failed: %s",
            processor->objects[OBJECT_PPC].error != NULL ? processor->objects[OBJECT_PPC].error
                                                         : "AE_ERROR");
    }
    psd_messages(builder, processor);
}

/* Only where acpi-cpufreq is tried: another driver that is registered first ends its start. */
static void all_perflib_messages(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;

    if (!builder->facts->has_pct || builder->view->driver == LINUX_DRIVER_INTEL_PSTATE ||
        builder->view->driver == LINUX_DRIVER_AMD_PSTATE) {
        return;
    }
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);

        if (processor != NULL) {
            perflib_messages(builder, processor);
        }
    }
}

static void acpi_cpufreq_messages(const struct linux_builder *builder)
{
    const struct linux_view *view = builder->view;

    if (view->driver != LINUX_DRIVER_ACPI_CPUFREQ) {
        return;
    }
    if (view->table.is_latency_capped) {
        linux_message_add(
            builder, LINUX_LEVEL_INFO, "P-state transition latency capped at 20 uS",
            "_PSS claims more than 20 us for a transition by MSR, which Linux does not "
            "believe.",
            CPU_NONE);
    }
    if (view->policies.why != builder->facts->policies.why &&
        builder->platform->identity.vendor != VENDOR_INTEL) {
        linux_message_add(builder, LINUX_LEVEL_INFO, "overriding BIOS provided _PSD data",
                          "On this AMD family Linux makes a policy of each CPU whatever _PSD says.",
                          CPU_NONE);
    }
    if (view->table.p0_row == 1) {
        linux_message_add(
            builder, LINUX_LEVEL_FW_WARN, "P-state 0 is not max freq",
            "A false alarm that this kernel may print: it compares _PSS row 0 with the "
            "boost row that it put in front itself. Firmware is not at fault.",
            CPU_NONE);
    }
}

static void amd_messages(const struct linux_builder *builder)
{
    const struct linux_view *view = builder->view;
    const struct linux_amd_pstate *amd = &view->amd;

    if (builder->platform->identity.vendor != VENDOR_AMD ||
        builder->platform->identity.family < 0x17 ||
        !linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE)) {
        return;
    }
    if (amd->is_cpc_missing) {
        linux_message_add(builder, LINUX_LEVEL_WARNING,
                          "the _CPC object is not present in SBIOS or ACPI disabled",
                          "amd-pstate needs a _CPC that Linux accepts on every CPU; acpi-cpufreq "
                          "takes over.",
                          CPU_NONE);
    } else if (amd->is_possible && view->driver != LINUX_DRIVER_AMD_PSTATE &&
               linux_rule_holds(LINUX_RULE_AMD_PSTATE_CLAMP, view->version)) {
        linux_message_add(
            builder, LINUX_LEVEL_INFO,
            "driver load is disabled, boot with specific mode to enable this",
            "amd-pstate stays off unless amd_pstate= is given; acpi-cpufreq takes over.", CPU_NONE);
    } else if (amd->is_possible && view->driver != LINUX_DRIVER_AMD_PSTATE &&
               linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_DEFAULT)) {
        linux_message_add(
            builder, LINUX_LEVEL_INFO,
            "driver load is disabled, boot with specific mode to enable this",
            "The FADT's profile is unspecified or a server: amd-pstate stays off unless "
            "amd_pstate= is given.",
            CPU_NONE);
    }
    if (amd->is_frequency_wrong && linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_DEFAULT)) {
        linux_message_add(
            builder, LINUX_LEVEL_ERROR, amd->why,
            "_CPC's frequencies do not fit together, so amd-pstate's policies fail and "
            "acpi-cpufreq takes over. A _CPC of revision 2 has no frequencies at all.",
            CPU_NONE);
    }
    if (view->driver == LINUX_DRIVER_AMD_PSTATE &&
        !cpuid_has(platform_cpuid(builder->platform, 0), CPU_FEATURE_CPB)) {
        linux_message_add(builder, LINUX_LEVEL_ERROR,
                          "Boost mode is not supported by this processor or SBIOS",
                          "CPUID 80000007H EDX[9] is 0: no core performance boost.", CPU_NONE);
    }
}

static void intel_messages(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    const struct linux_view *view = builder->view;
    uint64_t enable;

    if (platform->identity.vendor != VENDOR_INTEL) {
        return;
    }
    if (linux_msr(platform, 0, MSR_PM_ENABLE, &enable) && bits_test(enable, 0) != 0) {
        linux_message_add(builder, LINUX_LEVEL_INFO, "HWP enabled by BIOS",
                          "Firmware switched HWP on before the OS, which cannot switch it off.",
                          CPU_NONE);
    }
    if (view->driver != LINUX_DRIVER_INTEL_PSTATE) {
        for (uint32_t i = 0; i < view->why.count; i++) {
            if (strncmp(view->why.text[i], "intel_pstate: ", 14) == 0) {
                linux_message_add(builder, LINUX_LEVEL_INFO, view->why.text[i],
                                  "intel_pstate does not take this machine for this reason.",
                                  CPU_NONE);
            }
        }
    } else if (cpuid_has(cpuid, CPU_FEATURE_HYBRID) && view->mode == LINUX_MODE_PASSIVE) {
        linux_message_add(builder, LINUX_LEVEL_WARNING,
                          "Problematic setup: Hybrid processor with disabled HWP",
                          "A hybrid part without HWP has no usable scale between its core types: "
                          "switch HWP (Speed Shift) on in the firmware setup.",
                          CPU_NONE);
    }
}

static void invariance_messages(const struct linux_builder *builder)
{
    const struct linux_invariance *invariance = &builder->view->invariance;

    if (invariance->computed_ratio_1024 != 0 && invariance->ratio_1024 != 0) {
        linux_message_format(builder, LINUX_LEVEL_INFO,
                             "The ratio that makes utilisation frequency-invariant, as first "
                             "computed.",
                             CPU_NONE,
                             "Estimated ratio of average max frequency by base frequency (times "
                             "1024): %lu",
                             invariance->computed_ratio_1024);
    }
}

/* tsc_store_and_check_tsc_adjust, bsp_init_amd. kernel-facts 8.1, 8.2. */
static void clock_messages(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct cpu_identity *identity = &platform->identity;
    uint64_t boot = 0;
    uint64_t value;

    if (linux_msr(platform, 0, MSR_TSC_ADJUST, &boot) && boot != 0) {
        linux_message_format(builder, LINUX_LEVEL_FW_BUG,
                             "Firmware left the boot CPU's TSC shifted; Linux sets it back to 0.",
                             0, "TSC ADJUST: CPU0: %ld force to 0", (int64_t)boot);
    }
    for (uint32_t cpu = 1; cpu < platform->cpus_count; cpu++) {
        if (linux_msr(platform, cpu, MSR_TSC_ADJUST, &value) && value != boot &&
            platform->cpus[cpu].package_id == platform->cpus[0].package_id) {
            linux_message_add(builder, LINUX_LEVEL_FW_BUG,
                              "TSC ADJUST differs within socket(s), fixing all errors",
                              "Firmware gave CPUs of one package different TSC shifts.", cpu);
            break;
        }
    }
    if ((identity->vendor == VENDOR_AMD || identity->vendor == VENDOR_HYGON) &&
        cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_INVARIANT_TSC) &&
        (identity->family > 0x10 || (identity->family == 0x10 && identity->model >= 2)) &&
        linux_msr(platform, 0, MSR_HWCR, &value) && bits_test(value, 24) == 0) {
        linux_message_add(
            builder, LINUX_LEVEL_FW_BUG, "TSC doesn't count with P0 frequency!",
            "HWCR bit 24 is 0: TSC and MPERF no longer run at P0, so effective clocks "
            "come out wrong.",
            0);
    }
}

static void idle_messages(const struct linux_builder *builder)
{
    const struct linux_idle *idle = &builder->view->idle;

    if (idle->max_cstate_why != NULL) {
        linux_message_format(builder, LINUX_LEVEL_NOTICE, idle->max_cstate_why, CPU_NONE,
                             "processor limited to max C-state %u", idle->max_cstate);
    }
    linux_cst_messages_make(builder);
}

void linux_messages_make(const struct linux_builder *builder)
{
    all_perflib_messages(builder);
    acpi_cpufreq_messages(builder);
    amd_messages(builder);
    intel_messages(builder);
    invariance_messages(builder);
    clock_messages(builder);
    idle_messages(builder);
    linux_processor_messages_make(builder);
    linux_fadt_messages_make(builder);
    linux_machine_messages_make(builder);
}
