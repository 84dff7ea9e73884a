/* The kernel messages that this firmware causes: P-states, CPPC, drivers, clocks. kernel-facts section 10. */
#include "model/bits.h"
#include "model/linux/parts.h"

#include <string.h>

#define PSD_VALID ((1U << (DEPENDENCY_NUM_PROCESSORS + 1)) - 1U)
#define PSS_ALL_VALID ((1U << PSS_FIELDS) - 1U)
#define PSS_MHZ_MAX (UINT32_MAX / 1000U)
#define MSR_TSC_ADJUST 0x3BU /* SDM vol. 4, IA32_TSC_ADJUST */
#define MSR_PM_ENABLE 0x770U /* SDM vol. 4, IA32_PM_ENABLE */
#define AMD_PSTATE_ACTIVE 3U /* include/linux/amd-pstate.h, enum amd_pstate_mode */
#define MSR_HWCR 0xC0010015U /* PPR, HWCR: bit 24 TscFreqSel */

static void say(const struct linux_builder *builder, enum linux_message_kind kind, uint32_t cpu)
{
    linux_say(builder, kind, cpu, "%s", linux_message_at(kind)->pattern);
}

static void pct_messages(const struct linux_builder *builder, const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PCT);

    if (set != NULL &&
        (!set->pct.is_package || set->pct.elements != 2 ||
         set->pct.control.avail != AVAIL_PRESENT || set->pct.status.avail != AVAIL_PRESENT)) {
        say(builder, LINUX_MESSAGE_PCT_INVALID, processor->cpu);
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
            say(builder, LINUX_MESSAGE_PSS_ROW, processor->cpu);
            return false;
        }
        if (mhz == 0 || mhz > PSS_MHZ_MAX) {
            linux_say(builder, LINUX_MESSAGE_PSS_FREQUENCY, processor->cpu,
                      "Invalid BIOS _PSS frequency found for processor N: 0x%lx MHz", mhz);
        } else {
            valid++;
        }
    }
    if (valid == 0 && pss->count != 0) {
        say(builder, LINUX_MESSAGE_PSS_NONE_VALID, processor->cpu);
        return false;
    }
    return true;
}

static bool pss_messages(const struct linux_builder *builder, const struct processor *processor)
{
    const struct object_result *result = &processor->objects[OBJECT_PSS];
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PSS);

    if (set == NULL) {
        linux_say(builder, LINUX_MESSAGE_PSS_EVALUATION, processor->cpu,
                  "_PSS evaluation failed: %s",
                  result->error != NULL ? result->error : "AE_NOT_FOUND");
        return false;
    }
    if (!set->pss.is_package) {
        say(builder, LINUX_MESSAGE_PSS_SHAPE, processor->cpu);
        return false;
    }
    return pss_rows(builder, processor, &set->pss);
}

static void psd_messages(const struct linux_builder *builder, const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PSD);
    const struct dependency_row *row;

    if (set == NULL) {
        return;
    }
    row = set->psd.is_package && set->psd.count == 1 ? &set->psd.rows[0] : NULL;
    if (row == NULL || (row->valid & PSD_VALID) != PSD_VALID) {
        say(builder, LINUX_MESSAGE_PSD_INVALID, processor->cpu);
    } else if (row->field[DEPENDENCY_NUM_ENTRIES] != 5) {
        say(builder, LINUX_MESSAGE_PSD_ENTRIES, processor->cpu);
    } else if (row->field[DEPENDENCY_REVISION] != 0) {
        say(builder, LINUX_MESSAGE_PSD_REVISION, processor->cpu);
    } else if (row->field[DEPENDENCY_COORD_TYPE] < COORD_SW_ALL ||
               row->field[DEPENDENCY_COORD_TYPE] > COORD_HW_ALL) {
        say(builder, LINUX_MESSAGE_PSD_COORDINATION, processor->cpu);
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
        say(builder, LINUX_MESSAGE_BIOS_UPDATE, processor->cpu);
    }
    if (processor->objects[OBJECT_PPC].avail == AVAIL_FAULTED) {
        linux_say(
            builder, LINUX_MESSAGE_PPC_EVALUATION, processor->cpu, "_PPC evaluation failed: %s",
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
        say(builder, LINUX_MESSAGE_LATENCY_CAPPED, CPU_NONE);
    }
    if (view->policies.why != builder->facts->policies.why &&
        builder->platform->identity.vendor != VENDOR_INTEL) {
        say(builder, LINUX_MESSAGE_PSD_OVERRIDDEN, CPU_NONE);
    }
    if (view->table.p0_row == 1) {
        say(builder, LINUX_MESSAGE_P0_NOT_MAX, CPU_NONE);
    }
}

/* amd_pstate_init from its fourth check on, in its order; the first failure ends it. */
static void amd_messages(const struct linux_builder *builder)
{
    const struct linux_view *view = builder->view;
    const struct linux_amd_pstate *amd = &view->amd;
    const struct cpu_identity *identity = &builder->platform->identity;

    if (identity->vendor != VENDOR_AMD || identity->family < 0x17 ||
        (identity->family == 0x17 && identity->model < 0x30)) {
        return;
    }
    if (amd->is_cpc_missing) {
        say(builder, LINUX_MESSAGE_CPC_MISSING, CPU_NONE);
    } else if (amd->is_off_by_default) {
        say(builder, LINUX_MESSAGE_AMD_PSTATE_OFF, CPU_NONE);
    } else if (amd->is_enable_failing) {
        linux_say(builder, LINUX_MESSAGE_AMD_PSTATE_ENABLE, CPU_NONE,
                  "failed to enable driver mode(%u)", AMD_PSTATE_ACTIVE);
    } else if (amd->is_frequency_wrong) {
        linux_say(builder, LINUX_MESSAGE_AMD_PSTATE_FREQUENCY, CPU_NONE, "%s", amd->frequency_why);
    } else if (amd->is_nonlinear_wrong) {
        linux_say(builder, LINUX_MESSAGE_AMD_PSTATE_NONLINEAR, CPU_NONE, "%s", amd->frequency_why);
    }
    if (view->driver == LINUX_DRIVER_AMD_PSTATE &&
        !cpuid_has(platform_cpuid(builder->platform, 0), CPU_FEATURE_CPB)) {
        say(builder, LINUX_MESSAGE_AMD_NO_BOOST, CPU_NONE);
    }
}

/* intel_pstate_init's own words for its reasons. */
static void intel_refusals(const struct linux_builder *builder)
{
    static const struct {
        const char *reason;
        enum linux_message_kind kind;
    } refusals[] = {
        {"intel_pstate: CPU model not supported", LINUX_MESSAGE_MODEL_UNSUPPORTED},
        {"intel_pstate: no APERF and MPERF", LINUX_MESSAGE_MODEL_UNSUPPORTED},
        {"intel_pstate: P-states controlled by the platform", LINUX_MESSAGE_BY_PLATFORM},
        {"intel_pstate: Invalid MSRs", LINUX_MESSAGE_INVALID_MSRS},
    };
    const struct linux_why *why = &builder->view->why;

    for (uint32_t i = 0; i < why->count; i++) {
        for (size_t k = 0; k < sizeof(refusals) / sizeof(refusals[0]); k++) {
            if (strncmp(why->text[i], refusals[k].reason, strlen(refusals[k].reason)) == 0) {
                say(builder, refusals[k].kind, CPU_NONE);
            }
        }
    }
}

static void intel_messages(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct linux_view *view = builder->view;
    uint64_t enable;

    if (platform->identity.vendor != VENDOR_INTEL) {
        return;
    }
    if (linux_msr(platform, 0, MSR_PM_ENABLE, &enable) && bits_test(enable, 0) != 0) {
        say(builder, LINUX_MESSAGE_HWP_BY_BIOS, CPU_NONE);
    }
    if (view->driver != LINUX_DRIVER_INTEL_PSTATE) {
        intel_refusals(builder);
    } else if (cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_HYBRID) &&
               view->mode == LINUX_MODE_PASSIVE) {
        say(builder, LINUX_MESSAGE_HYBRID_NO_HWP, CPU_NONE);
    }
}

static void invariance_messages(const struct linux_builder *builder)
{
    const struct linux_invariance *invariance = &builder->view->invariance;

    if (invariance->computed_ratio_1024 != 0 && invariance->ratio_1024 != 0) {
        linux_say(builder, LINUX_MESSAGE_ESTIMATED_RATIO, CPU_NONE,
                  "Estimated ratio of average max frequency by base frequency (times 1024): %lu",
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
        linux_say(builder, LINUX_MESSAGE_TSC_ADJUST_BOOT, 0, "TSC ADJUST: CPU0: %ld force to 0",
                  (int64_t)boot);
    }
    for (uint32_t cpu = 1; cpu < platform->cpus_count; cpu++) {
        if (linux_msr(platform, cpu, MSR_TSC_ADJUST, &value) && value != boot &&
            platform->cpus[cpu].package_id == platform->cpus[0].package_id) {
            say(builder, LINUX_MESSAGE_TSC_ADJUST_DIFFERS, cpu);
            break;
        }
    }
    if ((identity->vendor == VENDOR_AMD || identity->vendor == VENDOR_HYGON) &&
        cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_INVARIANT_TSC) &&
        (identity->family > 0x10 || (identity->family == 0x10 && identity->model >= 2)) &&
        linux_msr(platform, 0, MSR_HWCR, &value) && bits_test(value, 24) == 0) {
        say(builder, LINUX_MESSAGE_TSC_NOT_P0, 0);
    }
}

static void idle_messages(const struct linux_builder *builder)
{
    const struct linux_idle *idle = &builder->view->idle;

    if (idle->max_cstate_why != NULL) {
        linux_say(builder, LINUX_MESSAGE_MAX_CSTATE, CPU_NONE,
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
    linux_pcct_messages_make(builder);
    linux_topology_messages_make(builder);
}
