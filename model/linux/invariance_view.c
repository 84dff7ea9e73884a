/* Frequency invariance by version: kernel-facts 4.1 to 4.4, with every method and why it was passed over. */
#include "model/bits.h"
#include "model/bus_clock.h"
#include "model/frequency.h"
#include "model/linux/parts.h"
#include "model/units.h"

#include <string.h>

static const uint8_t goldmont[] = {0x5C, 0x5F, 0x7A};
static const uint8_t knights[] = {0x57, 0x85};
static const uint8_t skylake_x[] = {0x55};
static const uint8_t silvermont[] = {0x37, 0x4A, 0x4C, 0x4D, 0x5A, 0x5D, 0x75};

static const struct linux_method intel_methods[] = {
    {"slv", false, "MSR 66AH or 66CH does not exist on this model"},
    {"skx1", false, "only for Goldmont (5CH, 5FH, 7AH)"},
    {"knl", false, "only for Knights Landing and Mill (57H, 85H)"},
    {"skx4", false, "only for Skylake-X (55H)"},
    {"core", false, "an earlier method was taken"},
};
#define INTEL_METHODS (sizeof(intel_methods) / sizeof(intel_methods[0]))

/* Where the model qualifies but the method failed. */
static const char *failed_why(const struct platform *platform, size_t method)
{
    static const struct {
        const uint8_t *models;
        size_t count;
        const char *why;
    } gates[] = {
        {silvermont, sizeof(silvermont), "MSR 66AH or 66CH is not in the snapshot"},
        {goldmont, sizeof(goldmont),
         "an MSR (CEH, 1ADH, 1AEH) is missing, or no group counts a core"},
        {knights, sizeof(knights), "MSR CEH or 1ADH is missing"},
        {skylake_x, sizeof(skylake_x), "an MSR is missing, or no group counts four cores"},
    };

    if (method < sizeof(gates) / sizeof(gates[0]) &&
        linux_is_model(platform, gates[method].models, gates[method].count)) {
        return gates[method].why;
    }
    return method + 1 == INTEL_METHODS ? "MSR CEH or 1ADH could not be read"
                                       : intel_methods[method].why;
}

static void list_intel(const struct platform *platform, const char *taken,
                       struct linux_invariance *invariance)
{
    bool is_past = false;

    for (size_t i = 0; i < INTEL_METHODS; i++) {
        struct linux_method *method = &invariance->methods[invariance->methods_count++];

        *method = intel_methods[i];
        method->is_taken = strcmp(method->name, taken) == 0;
        if (method->is_taken) {
            method->why = "the first that worked";
            is_past = true;
        } else {
            method->why = is_past ? "an earlier method was taken" : failed_why(platform, i);
        }
    }
}

/* Whether the answer hangs on MSRs that the snapshot does not hold. */
static bool lacks_msrs(const struct platform *platform)
{
    static const uint32_t core[] = {0xCE, 0x1AD};
    static const uint32_t atom[] = {0x66A, 0x66C};
    bool is_atom = linux_is_model(platform, silvermont, sizeof(silvermont));

    for (size_t i = 0; i < 2; i++) {
        if (platform_msr(platform, 0, is_atom ? atom[i] : core[i]).avail == AVAIL_UNTRIED) {
            return true;
        }
    }
    return (linux_is_model(platform, goldmont, sizeof(goldmont)) ||
            linux_is_model(platform, skylake_x, sizeof(skylake_x))) &&
           platform_msr(platform, 0, 0x1AE).avail == AVAIL_UNTRIED;
}

static const char *lacking_why(const struct platform *platform)
{
    if (platform->msrs_count == 0) {
        return "the ratio is read from MSRs, and the snapshot holds none";
    }
    return linux_is_model(platform, silvermont, sizeof(silvermont))
               ? "the ratio is read from MSRs 66AH and 66CH, which the snapshot lacks"
               : "the ratio is read from MSRs CEH, 1ADH and, by groups, 1AEH, of which the "
                 "snapshot lacks one";
}

void linux_intel_invariance_take(const struct platform *platform, struct linux_facts *facts)
{
    struct linux_invariance *invariance = &facts->invariance;
    struct invariance derived;
    struct bus_clock clock;

    memset(invariance, 0, sizeof(*invariance));
    invariance->method = "none";
    if (platform->identity.vendor != VENDOR_INTEL) {
        return;
    }
    if (lacks_msrs(platform)) {
        invariance->avail = AVAIL_UNTRIED;
        invariance->why = lacking_why(platform);
        return;
    }
    invariance_derive(platform, &derived);
    invariance->avail = AVAIL_PRESENT;
    invariance->method = derived.method;
    invariance->base = derived.base_ratio;
    invariance->turbo = derived.turbo_ratio;
    invariance->why = derived.why;
    invariance->ratio_1024 = derived.is_active ? derived.ratio_1024 : 0;
    if (derived.base_ratio != 0 && derived.turbo_ratio != 0) {
        invariance->computed_ratio_1024 =
            mul_div_u64(derived.turbo_ratio, 1024, derived.base_ratio);
    }
    bus_clock_of(platform, 0, &clock);
    invariance->base_khz = clock.avail == AVAIL_PRESENT ? clock.khz * derived.base_ratio : 0;
    list_intel(platform, derived.method, invariance);
}

static void off(struct linux_invariance *invariance, const char *why)
{
    invariance->method = "none";
    invariance->ratio_1024 = 0;
    invariance->avail = AVAIL_ABSENT;
    invariance->why = why;
}

/* MPERF counts at P0; without a table the nominal frequency stands for it. */
static uint64_t amd_base_khz(const struct linux_builder *builder, const struct processor *processor)
{
    const struct linux_table *table = &builder->facts->table;

    if (table->count != 0) {
        return table->rows[0].khz;
    }
    return processor->cpc_avail[CPC_NOMINAL_FREQ_MHZ] == AVAIL_PRESENT
               ? units_mhz_to_khz(processor->cpc_value[CPC_NOMINAL_FREQ_MHZ])
               : 0;
}

/* amd_set_max_freq_ratio: CPU 0 only. */
static void make_amd(const struct linux_builder *builder, struct linux_invariance *invariance)
{
    const struct processor *processor = platform_processor(builder->platform, 0);
    const char *why =
        processor == NULL ? "CPU 0 has no processor object" : linux_caps_why(builder, processor);
    const char *numerator_why = NULL;

    invariance->methods_count = 1;
    invariance->methods[0] = (struct linux_method){"amd_midpoint", why == NULL, why};
    if (why != NULL) {
        off(invariance, why);
        if (processor != NULL && linux_caps_unknown(builder, processor)) {
            invariance->avail = AVAIL_UNTRIED;
        }
        return;
    }
    invariance->avail = AVAIL_PRESENT;
    invariance->method = "amd_midpoint";
    invariance->turbo = linux_numerator(builder, processor, &numerator_why);
    invariance->base = processor->cpc_value[CPC_NOMINAL_PERF];
    invariance->computed_ratio_1024 =
        frequency_midpoint_ratio_1024(invariance->turbo, invariance->base);
    invariance->ratio_1024 = invariance->computed_ratio_1024;
    invariance->base_khz = amd_base_khz(builder, processor);
    invariance->why = linux_text(builder, "midpoint of %lu/%lu and 1 (numerator: %s)",
                                 invariance->turbo, invariance->base, numerator_why);
    invariance->methods[0].why = "the only one for AMD";
}

/* What the driver in use changes. */
static void apply_driver(const struct linux_builder *builder, struct linux_invariance *invariance)
{
    const struct linux_view *view = builder->view;

    if (invariance->ratio_1024 != 0 && view->driver == LINUX_DRIVER_ACPI_CPUFREQ &&
        view->table.forces_ratio_1024) {
        invariance->ratio_1024 = 1024;
        invariance->why = linux_text(builder,
                                     "acpi-cpufreq found no boost ratio and forces 1024 "
                                     "(%s)",
                                     view->table.no_boost_why);
    }
    if (view->driver == LINUX_DRIVER_INTEL_PSTATE && view->mode == LINUX_MODE_ACTIVE &&
        cpuid_has(platform_cpuid(builder->platform, 0), CPU_FEATURE_HYBRID) &&
        linux_builder_holds(builder, LINUX_RULE_HYBRID_CAPACITY)) {
        invariance->is_per_cpu = builder->facts->smt_siblings == 1;
    }
    invariance->max_khz = frequency_scale_khz(invariance->base_khz, invariance->ratio_1024);
}

void linux_invariance_make(const struct linux_builder *builder)
{
    const struct platform *platform = builder->platform;
    struct linux_invariance *invariance = &builder->view->invariance;
    bool has_counters = cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_APERFMPERF);

    switch (platform->identity.vendor) {
    case VENDOR_INTEL:
        *invariance = builder->facts->invariance;
        if (!linux_builder_holds(builder, LINUX_RULE_INTEL_INVARIANCE)) {
            off(invariance, "this kernel has no frequency invariance on x86");
        }
        break;
    case VENDOR_AMD:
        if (!linux_builder_holds(builder, LINUX_RULE_AMD_INVARIANCE)) {
            off(invariance, "this kernel has no frequency invariance on AMD");
        } else {
            make_amd(builder, invariance);
        }
        break;
    case VENDOR_UNKNOWN:
        off(invariance, "the CPU is not known");
        break;
    case VENDOR_HYGON:
    case VENDOR_CENTAUR:
    case VENDOR_ZHAOXIN:
        off(invariance, "Linux has no method for this vendor");
        break;
    }
    if (!has_counters && invariance->ratio_1024 != 0) {
        off(invariance, "no APERF and MPERF (CPUID 6 ECX[0] is 0)");
    }
    apply_driver(builder, invariance);
}
