#include "model/linux/invariance.h"

#include "model/bits.h"
#include "model/boost_numerator.h"
#include "model/bus_clock.h"
#include "model/frequency.h"
#include "model/units.h"

#include <string.h>

/* SDM vol. 4: MSR numbers and, for 66AH and 66CH, the Silvermont table of Linux 6.12 (no manual has them). */
#define MSR_PLATFORM_INFO 0xCEU
#define MSR_MISC_ENABLE 0x1A0U
#define MSR_TURBO_RATIO_LIMIT 0x1ADU
#define MSR_TURBO_RATIO_LIMIT1 0x1AEU
#define MSR_ATOM_CORE_RATIOS 0x66AU
#define MSR_ATOM_CORE_TURBO_RATIOS 0x66CU

static bool read_msr(const struct platform *platform, uint32_t msr, uint64_t *ret_value)
{
    struct msr_value value = platform_msr(platform, 0, msr);

    *ret_value = value.value;
    return value.avail == AVAIL_PRESENT;
}

static bool is_model(const struct platform *platform, const uint8_t *models, size_t count)
{
    const struct cpu_identity *identity = &platform->identity;

    return identity->family == 6 && identity->model <= UINT8_MAX &&
           memchr(models, (int)identity->model, count) != NULL;
}

/* slv_set_max_freq_ratio: tried on every model, told from others by its MSRs being there. */
static bool take_slv(const struct platform *platform, struct invariance *invariance)
{
    uint64_t ratios;
    uint64_t turbo;

    if (!read_msr(platform, MSR_ATOM_CORE_RATIOS, &ratios) ||
        !read_msr(platform, MSR_ATOM_CORE_TURBO_RATIOS, &turbo)) {
        return false;
    }
    invariance->base_ratio = bits_get(ratios, 21, 16);
    invariance->turbo_ratio = bits_get(turbo, 5, 0);
    return true;
}

/* skx_set_max_freq_ratio: the turbo ratio of the first group of at least `size` cores. */
static bool take_group(const struct platform *platform, uint64_t size,
                       struct invariance *invariance)
{
    uint64_t info;
    uint64_t ratios;
    uint64_t counts;

    if (!read_msr(platform, MSR_PLATFORM_INFO, &info) ||
        !read_msr(platform, MSR_TURBO_RATIO_LIMIT, &ratios) ||
        !read_msr(platform, MSR_TURBO_RATIO_LIMIT1, &counts)) {
        return false;
    }
    for (unsigned bit = 0; bit < 64; bit += 8) {
        if (bits_get(counts, bit + 7, bit) >= size) {
            invariance->base_ratio = bits_get(info, 15, 8);
            invariance->turbo_ratio = bits_get(ratios, bit + 7, bit);
            return true;
        }
    }
    return false;
}

/* knl_set_max_freq_ratio with one delta. The found delta counts only at the next round, so one in the last
 * byte, or none, leaves Linux with an unset turbo ratio: 0 here. */
static bool take_knl(const struct platform *platform, struct invariance *invariance)
{
    uint64_t info;
    uint64_t limit;
    uint64_t ratio;

    if (!read_msr(platform, MSR_PLATFORM_INFO, &info) ||
        !read_msr(platform, MSR_TURBO_RATIO_LIMIT, &limit)) {
        return false;
    }
    invariance->base_ratio = bits_get(info, 15, 8);
    invariance->turbo_ratio = 0;
    ratio = bits_get(limit, 15, 8);
    for (unsigned bit = 16; bit < 56; bit += 8) {
        uint64_t delta = bits_get(limit, bit + 7, bit + 5);

        if (delta != 0) {
            invariance->turbo_ratio = ratio > delta ? ratio - delta : 0;
            break;
        }
    }
    return true;
}

/* core_set_max_freq_ratio: four active cores, else one. */
static bool take_core(const struct platform *platform, struct invariance *invariance)
{
    uint64_t info;
    uint64_t limit;

    if (!read_msr(platform, MSR_PLATFORM_INFO, &info) ||
        !read_msr(platform, MSR_TURBO_RATIO_LIMIT, &limit)) {
        return false;
    }
    invariance->base_ratio = bits_get(info, 15, 8);
    invariance->turbo_ratio = bits_get(limit, 31, 24);
    if (invariance->turbo_ratio == 0) {
        invariance->turbo_ratio = bits_get(limit, 7, 0);
    }
    return true;
}

/* The first method that works, in Linux's order; the model lists are those of intel_set_max_freq_ratio. */
static const char *take_intel(const struct platform *platform, struct invariance *invariance)
{
    static const uint8_t goldmont[] = {0x5C, 0x5F, 0x7A};
    static const uint8_t knights[] = {0x57, 0x85};
    static const uint8_t skylake_x[] = {0x55};

    if (take_slv(platform, invariance)) {
        return "slv";
    }
    if (is_model(platform, goldmont, sizeof(goldmont)) && take_group(platform, 1, invariance)) {
        return "skx1";
    }
    if (is_model(platform, knights, sizeof(knights)) && take_knl(platform, invariance)) {
        return "knl";
    }
    if (is_model(platform, skylake_x, sizeof(skylake_x)) && take_group(platform, 4, invariance)) {
        return "skx4";
    }
    return take_core(platform, invariance) ? "core" : NULL;
}

static void derive_intel(const struct platform *platform, struct invariance *invariance)
{
    const char *method = take_intel(platform, invariance);
    struct bus_clock clock;
    uint64_t misc_enable;

    if (method == NULL) {
        invariance->why = "the ratio MSRs of this model could not be read";
        return;
    }
    invariance->method = method;
    if (invariance->base_ratio == 0 || invariance->turbo_ratio == 0) {
        invariance->why = "the base or turbo ratio is 0";
        return;
    }
    invariance->ratio_1024 = mul_div_u64(invariance->turbo_ratio, 1024, invariance->base_ratio);
    invariance->why = "turbo ratio by base ratio";
    if (read_msr(platform, MSR_MISC_ENABLE, &misc_enable) && bits_test(misc_enable, 38) != 0) {
        invariance->ratio_1024 = 1024;
        invariance->why = "turbo is disabled by firmware (MSR 1A0H bit 38)";
    }
    bus_clock_of(platform, 0, &clock);
    if (clock.avail == AVAIL_PRESENT) {
        invariance->max_khz =
            frequency_scale_khz(clock.khz * invariance->base_ratio, invariance->ratio_1024);
    }
}

/* P0 is what MPERF counts at; without a _PSS the nominal frequency stands for it. */
static uint64_t amd_base_khz(const struct platform *platform, const struct processor *processor)
{
    const struct frequency *frequency = &platform->frequency;

    for (uint32_t i = 0; i < frequency->count; i++) {
        if (frequency->rows[i].kind == FREQUENCY_PSTATE) {
            return frequency->rows[i].khz;
        }
    }
    return processor->cpc_avail[CPC_NOMINAL_FREQ_MHZ] == AVAIL_PRESENT
               ? units_mhz_to_khz(processor->cpc_value[CPC_NOMINAL_FREQ_MHZ])
               : 0;
}

static void derive_amd(const struct platform *platform, struct invariance *invariance)
{
    const struct processor *processor = platform_processor(platform, 0);
    struct boost_numerator numerator;

    invariance->why = processor == NULL ? "CPU 0 has no processor object"
                                        : frequency_no_caps_why(platform, processor);
    if (invariance->why != NULL) {
        return;
    }
    boost_numerator_choose(platform, processor, &numerator);
    invariance->method = "amd_midpoint";
    invariance->why = "midpoint of highest and nominal performance of CPU 0";
    invariance->turbo_ratio = numerator.value;
    invariance->base_ratio = processor->cpc_value[CPC_NOMINAL_PERF];
    invariance->ratio_1024 =
        frequency_midpoint_ratio_1024(invariance->turbo_ratio, invariance->base_ratio);
    invariance->max_khz =
        frequency_scale_khz(amd_base_khz(platform, processor), invariance->ratio_1024);
}

void invariance_derive(const struct platform *platform, struct invariance *ret_invariance)
{
    memset(ret_invariance, 0, sizeof(*ret_invariance));
    ret_invariance->method = "none";
    switch (platform->identity.vendor) {
    case VENDOR_INTEL:
        derive_intel(platform, ret_invariance);
        break;
    case VENDOR_AMD:
        derive_amd(platform, ret_invariance);
        break;
    case VENDOR_HYGON:
    case VENDOR_CENTAUR:
    case VENDOR_ZHAOXIN:
        ret_invariance->why = "Linux has no method for this vendor";
        return;
    case VENDOR_UNKNOWN:
        derive_amd(platform, ret_invariance);
        if (ret_invariance->ratio_1024 != 0) {
            ret_invariance->why = "the CPU is not known; this is what Linux takes on AMD";
        }
        return;
    }
    if (ret_invariance->ratio_1024 == 0) {
        return;
    }
    ret_invariance->is_active = cpuid_has(platform_cpuid(platform, 0), CPU_FEATURE_APERFMPERF);
    if (!ret_invariance->is_active) {
        ret_invariance->why = "not used by Linux here: no APERF and MPERF (CPUID 6 ECX[0] is 0)";
    }
}
