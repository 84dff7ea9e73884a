/* amd-pstate: load decision, performance and frequencies, latency. kernel-facts section 3. */
#include "model/bits.h"
#include "model/frequency.h"
#include "model/linux/parts.h"
#include "model/units.h"

#include <string.h>

#define MSR_CPPC_CAP1 0xC00102B0U /* PPR, MSRC001_02B0 CPPC_CAPABILITY_1 */
#define MSR_CPPC_REQ 0xC00102B3U  /* PPR, MSRC001_02B3 CPPC_REQUEST: [31:24] energy preference */

/* Models whose parts have CPPC MSRs: with CPUID saying no, firmware switched it off. kernel-facts 3.2. */
static bool should_have_cppc(const struct cpu_identity *identity)
{
    uint32_t model = identity->model;

    switch (identity->family) {
    case 0x17:
        return (model >= 0x60 && model <= 0x6F) || (model >= 0x80 && model <= 0xAF);
    case 0x19:
        return (model >= 0x10 && model <= 0x1F) || (model >= 0x40 && model <= 0xAF);
    default:
        return identity->family == 0x1A;
    }
}

/* Every CPU needs a _CPC; the first that lacks one decides. */
static const char *cpc_why(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    const struct object_set *checked = NULL;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);
        const struct object_set *set = platform_object_as_linux(processor, OBJECT_CPC);
        const char *why;

        if (set != NULL && set == checked) {
            continue;
        }
        checked = set;
        why = processor == NULL ? "it has no processor object"
                                : linux_cpc_refused_why(builder, processor);
        if (why != NULL) {
            return linux_text(builder, "CPU %u: %s", cpu, why);
        }
    }
    return NULL;
}

static bool is_server_profile(uint64_t profile)
{
    /* ACPI 6.5, 5.2.9.1: 4 enterprise server, 5 SOHO server, 7 performance server */
    return profile == 4 || profile == 5 || profile == 7;
}

/* The profile check of amd_pstate_init without a mode on the command line. */
static const char *profile_why(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    uint64_t profile = fadt_value(&platform->fadt, FADT_PREFERRED_PM_PROFILE, 0);

    if (profile == 0 || profile >= 9) {
        return "the FADT's Preferred_PM_Profile is unspecified: not without being asked for";
    }
    if (is_server_profile(profile) &&
        !(platform->identity.family >= 0x1A &&
          linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_SERVER))) {
        return "the FADT's Preferred_PM_Profile is a server: not without being asked for";
    }
    if (!builder->view->amd.is_msr &&
        linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_NO_SHARED)) {
        return "a shared-memory system (no CPPC MSRs): not without being asked for";
    }
    return NULL;
}

/* CPPCEnable must be a Buffer that is not NULL, on shared-memory systems only. */
static const char *enable_why(const struct linux_builder *builder)
{
    const struct object_set *set =
        platform_object_as_linux(platform_processor(builder->platform, 0), OBJECT_CPC);
    const struct cpc_element *enable;

    if (builder->view->amd.is_msr || set == NULL) {
        return NULL;
    }
    enable = &set->cpc.registers[CPC_ENABLE];
    return enable->kind == CPC_ELEMENT_REGISTER && !enable->reg.is_null
               ? NULL
               : "failed to enable driver mode: _CPC's CPPCEnable is no register";
}

/* What keeps the driver from being tried even when asked for, or NULL. */
static const char *impossible_why(const struct linux_builder *builder)
{
    const struct cpu_identity *identity = &builder->platform->identity;
    const char *why;

    if (identity->vendor != VENDOR_AMD) {
        return "not an AMD CPU";
    }
    if (!linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE)) {
        return "the driver came in 5.17";
    }
    if (identity->family == 0x17 && identity->model < 0x30) {
        return "AMD family 17h models below 30h have no CPPC (silent)";
    }
    if (identity->family < 0x17) {
        return "AMD families before 17h have no CPPC";
    }
    why = cpc_why(builder);
    if (why != NULL) {
        builder->view->amd.is_cpc_missing = true;
        return linux_text(builder, "the _CPC object is not present or not usable (%s)", why);
    }
    return NULL;
}

static uint64_t cpc_of(const struct processor *processor, enum cpc_register index)
{
    return processor->cpc_avail[index] == AVAIL_PRESENT ? (uint32_t)processor->cpc_value[index] : 0;
}

/* amd_pstate_init_perf: MSR systems take all but highest from CPPC_CAP1, which a dump may lack. */
static void take_performance(const struct linux_builder *builder, const struct processor *processor,
                             struct linux_amd_pstate *amd)
{
    uint64_t cap1;

    amd->nominal_perf = cpc_of(processor, CPC_NOMINAL_PERF);
    amd->lowest_nonlinear_perf = cpc_of(processor, CPC_LOWEST_NONLINEAR_PERF);
    amd->lowest_perf = cpc_of(processor, CPC_LOWEST_PERF);
    if (amd->is_msr && linux_msr(builder->platform, processor->cpu, MSR_CPPC_CAP1, &cap1)) {
        amd->nominal_perf = bits_get(cap1, 23, 16);
        amd->lowest_nonlinear_perf = bits_get(cap1, 15, 8);
        amd->lowest_perf = bits_get(cap1, 7, 0);
    }
    amd->highest_perf = linux_numerator_amd_pstate(builder, processor, &amd->highest_why);
}

/* amd_pstate_init_freq: whole MHz, by the ratio to nominal. 6.15 and later round up from kHz. */
static uint64_t perf_khz(const struct linux_builder *builder, uint64_t nominal_mhz, uint64_t perf,
                         uint64_t nominal_perf)
{
    if (nominal_perf == 0) {
        return 0;
    }
    if (linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_CEIL)) {
        return (nominal_mhz * 1000 * perf + nominal_perf - 1) / nominal_perf;
    }
    return ((nominal_mhz * ((perf << 10) / nominal_perf)) >> 10) * 1000;
}

static const char *frequencies_why(const struct linux_builder *builder,
                                   struct linux_amd_pstate *amd)
{
    if (amd->min_khz == 0 || amd->max_khz == 0 || amd->nominal_khz == 0 ||
        amd->min_khz > amd->max_khz) {
        amd->is_frequency_wrong = true;
        return linux_text(builder,
                          "min_freq(%lu) or max_freq(%lu) or nominal_freq(%lu) value is incorrect",
                          amd->min_khz, amd->max_khz, amd->nominal_khz);
    }
    if (linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_LNL_CHECK) &&
        (amd->lowest_nonlinear_khz <= amd->min_khz ||
         amd->lowest_nonlinear_khz > amd->nominal_khz)) {
        amd->is_nonlinear_wrong = true;
        return linux_text(
            builder,
            "lowest_nonlinear_freq(%lu) value is out of range [min_freq(%lu), nominal_freq(%lu)]",
            amd->lowest_nonlinear_khz, amd->min_khz, amd->nominal_khz);
    }
    return NULL;
}

static const char *take_frequencies(const struct linux_builder *builder,
                                    const struct processor *processor, struct linux_amd_pstate *amd)
{
    uint64_t nominal_mhz = cpc_of(processor, CPC_NOMINAL_FREQ_MHZ);
    uint64_t lowest_mhz = cpc_of(processor, CPC_LOWEST_FREQ_MHZ);
    const char *why = linux_caps_why(builder, processor);

    amd->is_unknown = linux_caps_unknown(builder, processor);
    if (amd->is_unknown) {
        return NULL;
    }
    if (why != NULL) {
        return linux_text(builder, "the _CPC capabilities cannot be read: %s", why);
    }
    take_performance(builder, processor, amd);
    if (linux_quirk_applies(builder->platform, LINUX_QUIRK_7K62) &&
        linux_builder_holds(builder, LINUX_RULE_AMD_7K62)) {
        nominal_mhz = 2600; /* quirk_amd_7k62: this firmware's _CPC has none */
        lowest_mhz = 550;
    }
    amd->nominal_khz = nominal_mhz * 1000;
    amd->min_khz = lowest_mhz * 1000;
    amd->max_khz = perf_khz(builder, nominal_mhz, amd->highest_perf, amd->nominal_perf);
    amd->lowest_nonlinear_khz =
        perf_khz(builder, nominal_mhz, amd->lowest_nonlinear_perf, amd->nominal_perf);
    return frequencies_why(builder, amd);
}

/* cppc_get_transition_latency of a PCC subspace, in 32 bits as Linux does it. */
static uint64_t pcc_latency_ns(const struct platform *platform, uint32_t id)
{
    const struct pcct_subspace *subspace;
    uint32_t latency_ns = 0;

    if (id >= platform->pcct.count) {
        return 0;
    }
    subspace = &platform->pcct.subspaces[id];
    if (subspace->max_access_rate != 0) {
        latency_ns = (uint32_t)(60 * (NS_PER_S / subspace->max_access_rate));
    }
    if ((uint32_t)(subspace->latency_us * UINT64_C(1000)) > latency_ns) {
        latency_ns = (uint32_t)(subspace->latency_us * UINT64_C(1000));
    }
    if ((uint32_t)(subspace->min_turnaround_us * UINT64_C(1000)) > latency_ns) {
        latency_ns = (uint32_t)(subspace->min_turnaround_us * UINT64_C(1000));
    }
    return latency_ns;
}

/* kernel-facts 3.4 and 2.6: where DesiredPerformance is decides. */
static void take_latency(const struct linux_builder *builder, const struct processor *processor,
                         struct linux_amd_pstate *amd)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_CPC);
    const struct cpc_element *desired = &set->cpc.registers[CPC_DESIRED_PERF];
    bool is_fast = linux_builder_holds(builder, LINUX_RULE_FAST_CPPC) &&
                   cpuid_has(platform_cpuid(builder->platform, 0), CPU_FEATURE_FAST_CPPC);

    amd->latency_ns = 20000;
    if (desired->kind == CPC_ELEMENT_REGISTER && desired->reg.avail == AVAIL_PRESENT &&
        (desired->reg.gas.space == 0x00 || desired->reg.gas.space == 0x01)) {
        amd->latency_ns = 0;
        amd->delay_us = 0;
        amd->delay_why = "DesiredPerformance is in memory or I/O space: CPPC says no latency";
        return;
    }
    if (desired->kind == CPC_ELEMENT_REGISTER && desired->reg.avail == AVAIL_PRESENT &&
        desired->reg.gas.space == 0x0A) {
        amd->latency_ns = pcc_latency_ns(builder->platform, desired->reg.gas.access);
        amd->delay_us = amd->latency_ns / 1000;
        amd->delay_why = "the PCC subspace of DesiredPerformance";
        return;
    }
    if (!linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_1000US)) {
        amd->latency_ns = 131072;
        amd->delay_us = 500;
        amd->delay_why = "this kernel's constant";
        return;
    }
    amd->delay_us = is_fast ? 600 : 1000;
    amd->delay_why = is_fast
                         ? "FAST_CPPC (CPUID 80000007H EDX[15])"
                         : (cpuid_has(platform_cpuid(builder->platform, 0), CPU_FEATURE_FAST_CPPC)
                                ? "this kernel does not know FAST_CPPC, which the CPU has"
                                : "no FAST_CPPC (CPUID 80000007H EDX[15] is 0)");
}

static void say_cppc_off(const struct linux_builder *builder)
{
    if (builder->platform->identity.vendor == VENDOR_AMD && !builder->view->amd.is_msr &&
        should_have_cppc(&builder->platform->identity)) {
        linux_say(builder, LINUX_MESSAGE_CPPC_OFF, CPU_NONE, "%s",
                  linux_message_at(LINUX_MESSAGE_CPPC_OFF)->pattern);
    }
}

static const char *epp_name(uint64_t value)
{
    switch (value) {
    case 0x00:
        return "performance";
    case 0x80:
        return "balance_performance";
    case 0xBF:
        return "balance_power";
    case 0xFF:
        return "power";
    default:
        return "none of the four named values: reading energy_performance_preference fails";
    }
}

static void take_epp(const struct linux_builder *builder)
{
    uint64_t request;

    if (!builder->view->amd.is_msr) {
        builder->view->epp = linux_number_missing(AVAIL_ABSENT, "no CPPC MSRs");
    } else if (linux_msr(builder->platform, 0, MSR_CPPC_REQ, &request)) {
        uint64_t epp = bits_get(request, 31, 24);

        builder->view->epp = linux_number_of(epp, epp_name(epp));
    } else {
        builder->view->epp =
            linux_number_missing(AVAIL_UNTRIED, "MSR C001_02B3 is not in the snapshot");
    }
}

/* amd_pstate_init behind its first checks: off by default, CPPC cannot be switched on, then the policies. */
static void decide(const struct linux_builder *builder, struct linux_amd_pstate *amd)
{
    const char *enable = enable_why(builder);
    const char *failure = enable != NULL ? enable : amd->frequency_why;
    const char *off;

    amd->is_enable_failing = enable != NULL;
    amd->is_possible = failure == NULL;
    if (linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_DEFAULT)) {
        off = profile_why(builder);
        amd->why = off != NULL ? off : failure;
    } else {
        off = linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE_EPP)
                  ? "this kernel uses it only when asked for (amd_pstate=)"
                  : "this kernel uses it only when asked for or loaded by hand";
        amd->why = failure != NULL ? failure : off;
    }
    amd->is_off_by_default = off != NULL;
}

void linux_amd_pstate_make(const struct linux_builder *builder)
{
    struct linux_amd_pstate *amd = &builder->view->amd;
    const struct processor *processor = builder->facts->cpc;

    if (builder->platform->identity.vendor != VENDOR_AMD) {
        amd->why = "not an AMD CPU";
        return;
    }
    amd->is_msr = cpuid_has(platform_cpuid(builder->platform, 0), CPU_FEATURE_CPPC);
    take_epp(builder);
    if (linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE)) {
        say_cppc_off(builder);
    }
    if (processor != NULL && linux_builder_holds(builder, LINUX_RULE_AMD_PSTATE) &&
        linux_cpc_refused_why(builder, processor) == NULL) {
        amd->frequency_why = take_frequencies(builder, processor, amd);
        take_latency(builder, processor, amd);
    }
    amd->why = impossible_why(builder);
    if (amd->why == NULL) {
        decide(builder, amd);
    }
}
