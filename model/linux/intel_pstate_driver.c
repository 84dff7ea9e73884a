/* intel_pstate: load decision, ratios, limits. kernel-facts 4.5 and 4.6. */
#include "model/bits.h"
#include "model/bus_clock.h"
#include "model/linux/parts.h"

#include <string.h>

/* SDM vol. 4; 66AH to 66CH by the Silvermont tables of that volume. */
#define MSR_PLATFORM_INFO 0xCEU
#define MSR_MISC_PWR_MGMT 0x1AAU
#define MSR_MISC_ENABLE 0x1A0U
#define MSR_TURBO_RATIO_LIMIT 0x1ADU
#define MSR_CONFIG_TDP_NOMINAL 0x648U
#define MSR_CONFIG_TDP_CONTROL 0x64BU
#define MSR_TURBO_ACTIVATION_RATIO 0x64CU
#define MSR_ATOM_RATIOS 0x66AU
#define MSR_ATOM_TURBO_RATIOS 0x66CU
#define MSR_PM_ENABLE 0x770U
#define MSR_HWP_CAPABILITIES 0x771U
#define MSR_HWP_REQUEST 0x774U
#define STEP_KHZ 100000U

static const uint8_t silvermont[] = {0x37, 0x4C}; /* the two that intel_pstate's Atom code serves */
static const uint8_t knights[] = {0x57, 0x85};

static bool is_silvermont(const struct platform *platform)
{
    return linux_is_model(platform, silvermont, sizeof(silvermont));
}

/* core_get_max_pstate: the TDP level's ratio when TAR or HWP confirms it, else CE [15:8]. */
static uint64_t non_turbo(const struct platform *platform, uint64_t info, bool is_hwp)
{
    uint64_t physical = bits_get(info, 15, 8);
    uint64_t control;
    uint64_t level;
    uint64_t tdp;
    uint64_t tar;

    if (bits_get(info, 34, 33) == 0 || !linux_msr(platform, 0, MSR_CONFIG_TDP_CONTROL, &control)) {
        return physical;
    }
    level = bits_get(control, 1, 0);
    if (level > 2 || !linux_msr(platform, 0, MSR_CONFIG_TDP_NOMINAL + (uint32_t)level, &tdp)) {
        return physical;
    }
    tdp = level == 0 ? bits_get(tdp, 7, 0) : bits_get(tdp, 23, 16);
    if (is_hwp) {
        return tdp;
    }
    if (linux_msr(platform, 0, MSR_TURBO_ACTIVATION_RATIO, &tar) && tdp != 0 &&
        tdp - 1 == bits_get(tar, 7, 0)) {
        return bits_get(tar, 7, 0);
    }
    return physical;
}

static void take_core(const struct platform *platform, struct intel_ratios *ratios)
{
    bool is_hwp = cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_HWP);
    bool is_knights = linux_is_model(platform, knights, sizeof(knights));
    uint64_t info;
    uint64_t limit;

    if (!linux_msr(platform, 0, MSR_PLATFORM_INFO, &info)) {
        ratios->why = "MSR CEH (PLATFORM_INFO) is not in the snapshot";
        return;
    }
    if (!linux_msr(platform, 0, MSR_TURBO_RATIO_LIMIT, &limit)) {
        ratios->why = "MSR 1ADH (TURBO_RATIO_LIMIT) is not in the snapshot";
        return;
    }
    ratios->avail = AVAIL_PRESENT;
    ratios->why = "MSR CEH and 1ADH";
    ratios->min = bits_get(info, 47, 40);
    ratios->physical = bits_get(info, 15, 8);
    ratios->non_turbo = non_turbo(platform, info, is_hwp);
    ratios->turbo = is_knights ? bits_get(limit, 15, 8) : bits_get(limit, 7, 0);
    if (ratios->turbo < ratios->non_turbo) {
        ratios->turbo = ratios->non_turbo;
    }
    ratios->scaling_khz = STEP_KHZ;
}

static void take_atom(const struct platform *platform, struct intel_ratios *ratios)
{
    struct bus_clock clock;
    uint64_t core;
    uint64_t turbo;

    if (!linux_msr(platform, 0, MSR_ATOM_RATIOS, &core) ||
        !linux_msr(platform, 0, MSR_ATOM_TURBO_RATIOS, &turbo)) {
        ratios->why = "MSR 66AH or 66CH (Atom ratios) is not in the snapshot";
        return;
    }
    ratios->avail = AVAIL_PRESENT;
    ratios->why = "MSR 66AH and 66CH";
    ratios->min = bits_get(core, 14, 8);
    ratios->physical = ratios->non_turbo = bits_get(core, 22, 16);
    ratios->turbo = bits_get(turbo, 6, 0);
    bus_clock_of(platform, 0, &clock);
    ratios->scaling_khz = clock.avail == AVAIL_PRESENT ? clock.khz : 0;
}

/* Every ratio from turbo down to min: what intel_cpufreq rounds a request up to. */
static void take_ladder(struct platform *platform, struct linux_facts *facts)
{
    const struct intel_ratios *ratios = &facts->ratios;

    if (ratios->avail != AVAIL_PRESENT || ratios->scaling_khz == 0 || ratios->min == 0 ||
        ratios->turbo < ratios->min || ratios->non_turbo > ratios->turbo ||
        ratios->turbo - ratios->min >= GOVERNOR_ROWS || ratios->non_turbo < ratios->min) {
        return;
    }
    facts->ladder_khz =
        arena_array(platform->arena, (size_t)(ratios->turbo - ratios->min) + 1, sizeof(uint64_t));
    if (facts->ladder_khz == NULL) {
        return;
    }
    for (uint64_t ratio = ratios->turbo; ratio >= ratios->min; ratio--) {
        facts->ladder_khz[facts->ladder_count++] = ratio * ratios->scaling_khz;
    }
    facts->ladder_p0_row = (uint32_t)(ratios->turbo - ratios->non_turbo);
}

void linux_intel_ratios_take(struct platform *platform, struct linux_facts *facts)
{
    facts->ratios.avail = AVAIL_UNTRIED;
    facts->ratios.why = "not an Intel CPU";
    if (platform->identity.vendor != VENDOR_INTEL) {
        return;
    }
    if (is_silvermont(platform)) {
        take_atom(platform, &facts->ratios);
    } else {
        take_core(platform, &facts->ratios);
    }
    take_ladder(platform, facts);
}

/* Models served without HWP in Linux 6.12; earlier kernels lacked the last ones. */
static bool is_listed(const struct platform *platform)
{
    static const uint8_t listed[] = {0x2A, 0x2D, 0x37, 0x3A, 0x3C, 0x3D, 0x3E, 0x3F, 0x45, 0x46,
                                     0x47, 0x4C, 0x4E, 0x4F, 0x55, 0x56, 0x57, 0x5C, 0x5E, 0x7A,
                                     0x85, 0x8D, 0x8F, 0xA5, 0x6A, 0xAD, 0xAE, 0xCF};

    return linux_is_model(platform, listed, sizeof(listed));
}

static bool is_table_of(const struct platform *platform, const char *oem_id, const char *table_id)
{
    const struct acpi_table *fadt = platform_table(platform, "FACP");

    /* Linux compares all six and eight bytes; here the spaces at the end are gone. */
    return fadt != NULL && strcmp(fadt->oem_id, oem_id) == 0 &&
           strcmp(fadt->oem_table_id, table_id) == 0;
}

static bool any_has(const struct platform *platform, enum object_kind kind)
{
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        if (platform_object_as_linux(&platform->processors[i], kind) != NULL) {
            return true;
        }
    }
    return false;
}

/* intel_pstate_platform_pwr_mgmt_exists: who controls P-states out of band. */
static const char *platform_controls_why(const struct platform *platform)
{
    static const uint8_t models[] = {0x56, 0x4F, 0x55, 0x6A, 0x8F, 0xCF, 0xAE, 0xAD, 0xB6, 0xAF};
    static const char *const oracle[] = {"X4-2",     "X4-2L",    "X4-2B",   "X3-2",    "X3-2L",
                                         "X3-2B",    "X4470M2",  "X4270M3", "X4270M2", "X4170M2",
                                         "X4170 M3", "X4275 M3", "X6-2",    "Sudbury"};
    uint64_t misc;

    if (linux_is_model(platform, models, sizeof(models)) &&
        linux_msr(platform, 0, MSR_MISC_PWR_MGMT, &misc) &&
        (bits_test(misc, 8) != 0 || bits_test(misc, 18) != 0)) {
        return "P-states controlled by the platform (MSR 1AAH bit 8 or 18)";
    }
    if (is_table_of(platform, "HP", "ProLiant") && !any_has(platform, OBJECT_PSS)) {
        return "P-states controlled by the platform (HP ProLiant without a _PSS; a \\_SB.PCCH, "
               "which is not looked for here, would let it load)";
    }
    for (size_t i = 0; i < sizeof(oracle) / sizeof(oracle[0]); i++) {
        if (is_table_of(platform, "ORACLE", oracle[i]) && any_has(platform, OBJECT_PPC)) {
            return "P-states controlled by the platform (Oracle server with a _PPC)";
        }
    }
    return NULL;
}

/* Whether this kernel switches HWP on. kernel-facts 4.5. */
static bool uses_hwp(const struct linux_builder *builder)
{
    const struct cpuid_set *cpuid = platform_cpuid(builder->platform, 0);
    uint64_t enable;

    if (!cpuid_has(cpuid, CPU_FEATURE_HWP)) {
        return false;
    }
    return cpuid_has(cpuid, CPU_FEATURE_HWP_EPP) ||
           !linux_builder_holds(builder, LINUX_RULE_HWP_NEEDS_EPP) ||
           (linux_msr(builder->platform, 0, MSR_PM_ENABLE, &enable) && bits_test(enable, 0) != 0);
}

/* intel_pstate_cppc_get_scaling: nominal_freq is not 100 MHz a step of nominal_perf. */
static bool is_scaled_by_cpc(const struct linux_builder *builder, uint32_t cpu)
{
    const struct processor *processor = platform_processor(builder->platform, cpu);
    uint64_t perf;
    uint64_t mhz;

    if (processor == NULL || processor->cpc_avail[CPC_NOMINAL_PERF] != AVAIL_PRESENT ||
        processor->cpc_avail[CPC_NOMINAL_FREQ_MHZ] != AVAIL_PRESENT ||
        linux_caps_why(builder, processor) != NULL) {
        return false;
    }
    perf = (uint32_t)processor->cpc_value[CPC_NOMINAL_PERF];
    mhz = (uint32_t)processor->cpc_value[CPC_NOMINAL_FREQ_MHZ];
    return perf != 0 && mhz != 0 && perf * 100 != mhz &&
           linux_builder_holds(builder, LINUX_RULE_CPPC_SCALING);
}

/* kHz of an HWP level of this CPU, before rounding. kernel-facts 4.5, hybrid scaling; hwp_get_cpu_scaling. */
static uint64_t hwp_scaling_khz(const struct linux_builder *builder, uint32_t cpu)
{
    const struct platform *platform = builder->platform;
    static const uint8_t meteor_lake[] = {0xAA, 0xC6};
    static const uint8_t lunar_lake[] = {0xBD};
    uint32_t core_type = platform->cpus[cpu].core_type;
    uint64_t factor_khz = 78741;

    if (!linux_builder_holds(builder, LINUX_RULE_HYBRID_SCALING) || core_type == 0x20) {
        return STEP_KHZ;
    }
    if (linux_is_model(platform, meteor_lake, sizeof(meteor_lake))) {
        factor_khz = 80000;
    } else if (linux_is_model(platform, lunar_lake, sizeof(lunar_lake))) {
        factor_khz = 86957;
    }
    if (core_type == 0x40 && cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_HYBRID)) {
        return factor_khz;
    }
    return is_scaled_by_cpc(builder, cpu) ? factor_khz : STEP_KHZ;
}

static void add_limit(struct linux_view *view, uint32_t cpu, uint64_t max_khz, uint64_t min_khz)
{
    for (uint32_t i = 0; i < view->limits_count; i++) {
        if (view->limits[i].max_khz == max_khz && view->limits[i].min_khz == min_khz) {
            view->limits[i].cpus++;
            return;
        }
    }
    if (view->limits_count < LINUX_LIMITS) {
        view->limits[view->limits_count++] = (struct linux_limit){cpu, 1, max_khz, min_khz};
    }
}

static bool is_turbo_off(const struct platform *platform)
{
    uint64_t misc;

    return linux_msr(platform, 0, MSR_MISC_ENABLE, &misc) && bits_test(misc, 38) != 0;
}

static void take_hwp_limits(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    struct linux_view *view = builder->view;
    uint64_t min_khz = builder->facts->ratios.min * STEP_KHZ;
    bool is_off = is_turbo_off(platform);

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        uint64_t scaling_khz = hwp_scaling_khz(builder, cpu);
        uint64_t capabilities;
        uint64_t max_khz;

        if (!linux_msr(platform, cpu, MSR_HWP_CAPABILITIES, &capabilities)) {
            continue;
        }
        max_khz =
            scaling_khz * (is_off ? bits_get(capabilities, 15, 8) : bits_get(capabilities, 7, 0));
        if (scaling_khz != STEP_KHZ) {
            max_khz -= max_khz % STEP_KHZ;
        }
        add_limit(view, cpu, max_khz, min_khz);
    }
}

static void take_numbers(struct linux_view *view, const char *max_why, const char *min_why)
{
    view->cpuinfo_max = linux_number_of(view->limits[0].max_khz, max_why);
    view->scaling_max = view->cpuinfo_max;
    view->cpuinfo_min =
        view->limits[0].min_khz != 0
            ? linux_number_of(view->limits[0].min_khz, min_why)
            : linux_number_missing(AVAIL_UNTRIED, "MSR CEH [47:40] is not in the snapshot or 0");
}

static void take_plain_limits(const struct linux_builder *builder)
{
    const struct intel_ratios *ratios = &builder->facts->ratios;
    struct linux_view *view = builder->view;
    uint64_t top = is_turbo_off(builder->platform) ? ratios->non_turbo : ratios->turbo;

    if (ratios->avail != AVAIL_PRESENT || ratios->scaling_khz == 0) {
        const char *why = ratios->avail != AVAIL_PRESENT
                              ? ratios->why
                              : "the bus clock (MSR CDH) is not known, so only ratios are";

        view->cpuinfo_max = linux_number_missing(AVAIL_UNTRIED, why);
        view->cpuinfo_min = view->scaling_max = view->cpuinfo_max;
        return;
    }
    for (uint32_t cpu = 0; cpu < builder->platform->cpus_count; cpu++) {
        add_limit(view, cpu, top * ratios->scaling_khz, ratios->min * ratios->scaling_khz);
    }
    if (view->limits_count != 0) {
        take_numbers(view, top == ratios->turbo ? "the one-core turbo ratio" : "turbo is disabled",
                     "the minimum ratio");
    }
}

static void take_limits(const struct linux_builder *builder, bool is_hwp)
{
    struct linux_view *view = builder->view;

    if (!is_hwp) {
        take_plain_limits(builder);
        return;
    }
    take_hwp_limits(builder);
    if (view->limits_count != 0) {
        take_numbers(view, "HWP_CAPABILITIES (MSR 771H) of the first CPU", "MSR CEH [47:40]");
        return;
    }
    view->cpuinfo_max =
        linux_number_missing(AVAIL_UNTRIED, "MSR 771H (HWP_CAPABILITIES) is not in the snapshot");
    view->scaling_max = view->cpuinfo_max;
    view->cpuinfo_min =
        builder->facts->ratios.min != 0
            ? linux_number_of(builder->facts->ratios.min * STEP_KHZ, "MSR CEH [47:40]")
            : linux_number_missing(AVAIL_UNTRIED, "MSR CEH is not in the snapshot");
}

static void take_epp(const struct linux_builder *builder)
{
    uint64_t request;

    builder->view->epp =
        linux_msr(builder->platform, 0, MSR_HWP_REQUEST, &request)
            ? linux_number_of(bits_get(request, 31, 24), "MSR 774H [31:24]")
            : linux_number_missing(AVAIL_UNTRIED, "MSR 774H is not in the snapshot");
}

/* Reasons against it that do not depend on HWP. NULL: none. */
static const char *against(const struct linux_builder *builder, bool is_hwp)
{
    const struct platform *platform = builder->platform;
    const struct intel_ratios *ratios = &builder->facts->ratios;

    if (!is_hwp && !cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_HWP)) {
        if (!is_listed(platform)) {
            return "CPU model not supported, and no HWP";
        }
        if (!cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_APERFMPERF)) {
            return "no APERF and MPERF (CPUID 6 ECX[0])";
        }
    }
    if (platform_controls_why(platform) != NULL) {
        return platform_controls_why(platform);
    }
    if (!is_hwp && ratios->avail == AVAIL_PRESENT &&
        (ratios->min == 0 || ratios->non_turbo == 0 || ratios->turbo == 0)) {
        return "Invalid MSRs: a ratio is 0";
    }
    return NULL;
}

bool linux_intel_pstate_takes(const struct linux_builder *builder)
{
    struct linux_view *view = builder->view;
    bool is_hwp = uses_hwp(builder);
    const char *why = against(builder, is_hwp);
    bool is_passive = !is_hwp && linux_builder_holds(builder, LINUX_RULE_INTEL_PASSIVE);

    if (why != NULL) {
        linux_why_add(&view->why, linux_text(builder, "intel_pstate: %s", why));
        return false;
    }
    view->driver = LINUX_DRIVER_INTEL_PSTATE;
    view->driver_name = "intel_pstate";
    view->mode = is_passive ? LINUX_MODE_PASSIVE : LINUX_MODE_ACTIVE;
    view->scaling_driver = is_passive ? "intel_cpufreq" : "intel_pstate";
    if (is_hwp) {
        linux_why_add(&view->why, "intel_pstate: active, HWP is there and switched on");
        take_epp(builder);
    } else if (is_passive) {
        linux_why_add(&view->why, "intel_pstate: passive, the default without HWP since 5.8");
    } else {
        linux_why_add(&view->why, "intel_pstate: active, with its own algorithm (no HWP)");
    }
    take_limits(builder, is_hwp);
    view->latency_ns = linux_number_missing(AVAIL_ABSENT, "the driver chooses by itself");
    view->delay_us = view->latency_ns;
    if (is_passive) {
        view->latency_ns = linux_number_of(20000, "intel_cpufreq's constant");
        view->delay_us = linux_number_of(500, "intel_cpufreq's constant");
    }
    return true;
}
