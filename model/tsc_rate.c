#include "model/tsc_rate.h"

#include "model/amd_pstate.h"
#include "model/bits.h"
#include "model/units.h"

#include <string.h>

#define MSR_PLATFORM_INFO 0xCEU
#define MSR_PERF_STATUS 0x198U
#define MSR_HWCR 0xC0010015U
#define HWCR_TSC_AT_P0 (UINT64_C(1) << 24)

#define EXACT_PPM 500    /* Linux 6.12 arch/x86/kernel/tsc.c complains above tsc_khz >> 11 */
#define NOMINAL_PPM 5000 /* a nominal 100 MHz is 99.8 on many boards */

static bool is_intel_model(const struct cpu_identity *identity, const uint8_t *models, size_t count)
{
    return identity->vendor == VENDOR_INTEL && identity->family == 6 &&
           identity->model <= UINT8_MAX && memchr(models, (int)identity->model, count) != NULL;
}

/*
 * The crystal where CPUID 15H ECX is 0: SDM vol. 3B, "Determining the Processor Base Frequency", table of
 * nominal core crystal clock frequencies. Server Skylake (55H) has 25 MHz, clients 24, Goldmont 19.2.
 */
static uint64_t crystal_by_model_hz(const struct cpu_identity *identity)
{
    static const uint8_t client[] = {0x4E, 0x5E, 0x8E, 0x9E, 0xA5, 0xA6};
    static const uint8_t server[] = {0x55, 0x5F};
    static const uint8_t goldmont[] = {0x5C, 0x7A};

    if (is_intel_model(identity, client, sizeof(client))) {
        return 24000000;
    }
    if (is_intel_model(identity, server, sizeof(server))) {
        return 25000000;
    }
    return is_intel_model(identity, goldmont, sizeof(goldmont)) ? 19200000 : 0;
}

void tsc_rate_from_cpuid(const struct cpuid_set *cpuid, const struct cpu_identity *identity,
                         struct tsc_rate *ret_rate)
{
    const struct cpuid_leaf *ratio = cpuid_find(cpuid, 0x15, 0);
    const struct cpuid_leaf *base = cpuid_find(cpuid, 0x16, 0);
    uint64_t base_mhz = base == NULL ? 0 : base->eax & 0xFFFF;

    memset(ret_rate, 0, sizeof(*ret_rate));
    if (ratio == NULL) {
        ret_rate->from = "CPUID has no leaf 15H";
        return;
    }
    if (ratio->eax == 0 || ratio->ebx == 0) {
        ret_rate->from = "CPUID 15H gives no ratio";
        return;
    }
    ret_rate->from = "CPUID 15H";
    ret_rate->source = TSC_RATE_CRYSTAL;
    ret_rate->crystal_hz = ratio->ecx;
    if (ret_rate->crystal_hz == 0) {
        ret_rate->crystal_hz = crystal_by_model_hz(identity);
        ret_rate->source = TSC_RATE_CRYSTAL_ASSUMED;
        ret_rate->from = "CPUID 15H, crystal assumed by model";
    }
    if (ret_rate->crystal_hz == 0) {
        ret_rate->crystal_hz = mul_div_u64(base_mhz * UINT64_C(1000000), ratio->eax, ratio->ebx);
        ret_rate->source = TSC_RATE_BASE_FREQUENCY;
        ret_rate->from = "CPUID 15H, crystal made from CPUID 16H";
    }
    ret_rate->tsc_hz = mul_div_u64(ret_rate->crystal_hz, ratio->ebx, ratio->eax);
    if (ret_rate->crystal_hz == 0 || ret_rate->tsc_hz == 0) {
        memset(ret_rate, 0, sizeof(*ret_rate));
        ret_rate->from = "CPUID 15H names no crystal, and 16H no base frequency";
    }
}

/* Linux 6.12 arch/x86/kernel/tsc.c native_calibrate_tsc, in its 32-bit unsigned arithmetic. */
uint64_t tsc_rate_linux_khz(const struct cpuid_set *cpuid, const struct cpu_identity *identity)
{
    const struct cpuid_leaf *ratio = cpuid_find(cpuid, 0x15, 0);
    const struct cpuid_leaf *base = cpuid_find(cpuid, 0x16, 0);
    uint32_t crystal_khz;

    if (identity->vendor != VENDOR_INTEL || ratio == NULL || ratio->eax == 0 || ratio->ebx == 0) {
        return 0;
    }
    crystal_khz = ratio->ecx / 1000;
    if (crystal_khz == 0 && identity->family == 6 && identity->model == 0x5F) {
        crystal_khz = 25000;
    }
    if (crystal_khz == 0 && base != NULL) {
        crystal_khz = (uint32_t)((uint64_t)base->eax * 1000 * ratio->eax) / ratio->ebx;
    }
    return (uint32_t)((uint64_t)crystal_khz * ratio->ebx) / ratio->eax;
}

void tsc_rate_from_hypervisor(const struct cpuid_set *cpuid, struct tsc_rate *ret_rate)
{
    const struct cpuid_leaf *leaf = cpuid_find(cpuid, 0x40000010, 0);

    memset(ret_rate, 0, sizeof(*ret_rate));
    ret_rate->from = "the hypervisor states no rate";
    if (!cpuid_has(cpuid, CPU_FEATURE_HYPERVISOR) || leaf == NULL || leaf->eax == 0) {
        return;
    }
    ret_rate->source = TSC_RATE_HYPERVISOR;
    ret_rate->tsc_hz = mul_div_u64(leaf->eax, 1000, 1);
    ret_rate->from = "CPUID 40000010H";
}

/* Linux 6.12 arch/x86/kernel/tsc_msr.c: Penwell and Cloverview keep the ratio in PERF_STATUS. */
static struct msr_value ratio_msr(const struct platform *platform, uint32_t cpu,
                                  uint64_t *ret_ratio)
{
    static const uint8_t in_status[] = {0x27, 0x35};
    struct msr_value msr;

    if (is_intel_model(&platform->identity, in_status, sizeof(in_status))) {
        msr = platform_msr(platform, cpu, MSR_PERF_STATUS);
        *ret_ratio = bits_get(msr.value, 44, 40);
    } else {
        msr = platform_msr(platform, cpu, MSR_PLATFORM_INFO);
        *ret_ratio = bits_get(msr.value, 15, 8);
    }
    return msr;
}

void tsc_rate_from_msr(const struct platform *platform, uint32_t cpu, struct tsc_rate *ret_rate)
{
    struct bus_clock clock;
    uint64_t ratio = 0;
    struct msr_value msr = ratio_msr(platform, cpu, &ratio);
    uint64_t khz;

    memset(ret_rate, 0, sizeof(*ret_rate));
    ret_rate->from = "no ratio, or no known bus clock";
    bus_clock_of(platform, cpu, &clock);
    if (msr.avail != AVAIL_PRESENT || ratio == 0 || clock.avail != AVAIL_PRESENT) {
        return;
    }
    khz = bus_clock_tsc_khz(&clock, ratio);
    ret_rate->source = TSC_RATE_PLATFORM_MSR;
    ret_rate->tsc_hz = mul_div_u64(khz != 0 ? khz : clock.khz * ratio, 1000, 1);
    ret_rate->from = "ratio MSR times bus clock";
}

void tsc_rate_from_amd_p0(const struct platform *platform, uint32_t cpu, struct tsc_rate *ret_rate)
{
    const struct cpu_identity *identity = &platform->identity;
    struct msr_value hwcr = platform_msr(platform, cpu, MSR_HWCR);
    struct msr_value definition = platform_msr(platform, cpu, AMD_MSR_PSTATE_FIRST);
    struct amd_pstate p0;

    memset(ret_rate, 0, sizeof(*ret_rate));
    ret_rate->from = "no definition of P0 that the TSC follows";
    if ((identity->vendor != VENDOR_AMD && identity->vendor != VENDOR_HYGON) ||
        identity->family < 0x17 || identity->family > 0x1A || definition.avail != AVAIL_PRESENT ||
        hwcr.avail != AVAIL_PRESENT || (hwcr.value & HWCR_TSC_AT_P0) == 0) {
        return;
    }
    amd_pstate_decode(identity, definition.value, &p0);
    if (p0.encoding != AMD_PSTATE_DECODED || p0.cof_mhz == 0) {
        return;
    }
    ret_rate->source = TSC_RATE_AMD_P0;
    ret_rate->tsc_hz = mul_div_u64(p0.cof_mhz, 1000000, 1);
    ret_rate->from = CLOCK_FROM_P0;
}

bool tsc_rate_is_exact(const struct tsc_rate *rate)
{
    return rate->source == TSC_RATE_CRYSTAL || rate->source == TSC_RATE_HYPERVISOR;
}

uint64_t tsc_rate_tolerance_ppm(enum tsc_rate_source source)
{
    switch (source) {
    case TSC_RATE_BASE_FREQUENCY:
    case TSC_RATE_PLATFORM_MSR:
    case TSC_RATE_AMD_P0:
        return NOMINAL_PPM;
    case TSC_RATE_NONE:
    case TSC_RATE_CRYSTAL:
    case TSC_RATE_CRYSTAL_ASSUMED:
    case TSC_RATE_HYPERVISOR:
    default:
        return EXACT_PPM;
    }
}
