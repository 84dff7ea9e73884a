#include "model/frequency.h"

#include "model/amd_pstate.h"
#include "model/bits.h"
#include "model/boost_numerator.h"
#include "model/bus_clock.h"
#include "model/turbo_limit.h"
#include "model/units.h"

#include <string.h>

#define MSR_MISC_ENABLE 0x1A0U /* SDM vol. 4, IA32_MISC_ENABLE: bit 38 turbo mode disable */
#define MSR_HWCR 0xC0010015U   /* PPR, MSRC001_0015 HWCR: bit 25 CpbDis */
#define MSR_TURBO_RATIO_LIMIT 0x1ADU

/* Linux 6.12 drivers/acpi/processor_perflib.c: MHz * 1000 must fit in 32 bits. */
#define PSS_MHZ_MAX (UINT32_MAX / 1000U)

uint64_t frequency_boost_ratio_1024(uint64_t numerator, uint64_t nominal)
{
    if (numerator == 0 || nominal == 0 || numerator < nominal) {
        return 0;
    }
    return mul_div_u64(numerator, 1024, nominal);
}

uint64_t frequency_scale_khz(uint64_t khz, uint64_t ratio_1024)
{
    return mul_div_u64(khz, ratio_1024, 1024);
}

uint64_t frequency_midpoint_ratio_1024(uint64_t numerator, uint64_t nominal)
{
    if (numerator == 0 || nominal == 0) {
        return 0;
    }
    return (mul_div_u64(numerator, 1024, nominal) + 1024) >> 1;
}

static const struct pss *pss_of(const struct processor *processor)
{
    const struct object_set *set = platform_object_as_linux(processor, OBJECT_PSS);

    return set != NULL && set->pss.is_package && set->pss.count != 0 ? &set->pss : NULL;
}

static const struct processor *first_with_pss(const struct platform *platform)
{
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);

        if (processor != NULL && pss_of(processor) != NULL) {
            return processor;
        }
    }
    return NULL;
}

/* One row that is not six Integers makes Linux refuse the whole object (acpi_processor_get_performance_states). */
static bool is_acceptable(const struct pss *pss)
{
    for (uint32_t i = 0; i < pss->count; i++) {
        if (bits_get(pss->rows[i].valid, PSS_FIELDS - 1, 0) !=
            bits_get(UINT64_MAX, PSS_FIELDS - 1, 0)) {
            return false;
        }
    }
    return true;
}

/* The MHz of a row after amd_fixup_frequency, which takes the P-state MSR's value on some old families. */
static uint64_t row_mhz(const struct platform *platform, uint32_t cpu, const struct pss_row *row)
{
    uint32_t msr = AMD_MSR_PSTATE_FIRST + (uint32_t)(row->field[PSS_CONTROL] & 7);
    struct msr_value definition = platform_msr(platform, cpu, msr);
    uint32_t fixed_mhz = 0;

    if (definition.avail == AVAIL_PRESENT) {
        fixed_mhz = amd_pstate_linux_fixup_mhz(&platform->identity, definition.value);
    }
    return fixed_mhz != 0 ? fixed_mhz : row->field[PSS_FREQ_MHZ];
}

/* Appends the P-state rows at `rows`; returns how many. acpi_cpufreq_cpu_init: a row is taken when it is
 * below the last one taken. Rows of 0 MHz or beyond 32 bits of kHz are dropped before. */
static uint32_t take_rows(const struct platform *platform, uint32_t cpu, const struct pss *pss,
                          struct frequency_row *rows)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < pss->count; i++) {
        uint64_t mhz = row_mhz(platform, cpu, &pss->rows[i]);
        uint64_t khz = units_mhz_to_khz(mhz);

        if (mhz == 0 || mhz > PSS_MHZ_MAX || (count != 0 && khz >= rows[count - 1].khz)) {
            continue;
        }
        rows[count++] = (struct frequency_row){.khz = khz,
                                               .kind = FREQUENCY_PSTATE,
                                               .control = pss->rows[i].field[PSS_CONTROL],
                                               .pss_index = i};
    }
    return count;
}

/*
 * Which of the reasons keeps a boost entry out, or NULL. Linux 6.12 cppc_get_perf_caps refuses a _CPC with any
 * of four values 0. It does not look at the switch-off bits, which make a boost entry unreachable all the same.
 */
static const char *turbo_off_why(const struct platform *platform, uint32_t cpu)
{
    struct msr_value misc_enable = platform_msr(platform, cpu, MSR_MISC_ENABLE);
    struct msr_value hwcr = platform_msr(platform, cpu, MSR_HWCR);

    switch (platform->identity.vendor) {
    case VENDOR_INTEL:
    case VENDOR_CENTAUR:
    case VENDOR_ZHAOXIN:
        if (misc_enable.avail == AVAIL_PRESENT && bits_test(misc_enable.value, 38) != 0) {
            return "turbo is disabled by firmware (MSR 1A0H bit 38)";
        }
        break;
    case VENDOR_AMD:
    case VENDOR_HYGON:
        if (hwcr.avail == AVAIL_PRESENT && bits_test(hwcr.value, 25) != 0) {
            return "boost is disabled by firmware (MSR C001_0015 bit 25)";
        }
        break;
    case VENDOR_UNKNOWN:
        break;
    }
    return NULL;
}

const char *frequency_no_caps_why(const struct platform *platform,
                                  const struct processor *processor)
{
    static const struct {
        enum cpc_register index;
        const char *unread;
        const char *zero;
    } needed[] = {
        {CPC_HIGHEST_PERF, "_CPC highest_perf could not be read", "_CPC highest_perf is 0"},
        {CPC_NOMINAL_PERF, "_CPC nominal_perf could not be read", "_CPC nominal_perf is 0"},
        {CPC_LOWEST_PERF, "_CPC lowest_perf could not be read", "_CPC lowest_perf is 0"},
        {CPC_LOWEST_NONLINEAR_PERF, "_CPC lowest_nonlinear_perf could not be read",
         "_CPC lowest_nonlinear_perf is 0"},
    };

    if (platform_object_as_linux(processor, OBJECT_CPC) == NULL) {
        return cpuid_has(platform_cpuid(platform, processor->cpu), CPU_FEATURE_CPPC)
                   ? "no _CPC, though the CPU has CPPC MSRs: the ratio is unknown"
                   : "no _CPC: the ratio is unknown";
    }
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        if (processor->cpc_avail[needed[i].index] != AVAIL_PRESENT) {
            return needed[i].unread;
        }
        if (processor->cpc_value[needed[i].index] == 0) {
            return needed[i].zero;
        }
    }
    return NULL;
}

/*
 * Hybrid Intel parts count HWP levels in steps of about 78.7 MHz, and much firmware puts such a level beside a
 * bus ratio in one _CPC: highest / nominal is then no ratio of clocks (public report 8: 7.3 GHz for a 5.7 GHz
 * part). What the turbo limit register allows with one core is the ceiling. SDM vol. 4, MSR 1ADH [7:0].
 */
static void limit_to_turbo_ratio(const struct platform *platform, uint32_t cpu, uint64_t p0_khz,
                                 struct frequency *frequency)
{
    struct msr_value limit = platform_msr(platform, cpu, MSR_TURBO_RATIO_LIMIT);
    struct bus_clock clock;

    bus_clock_of(platform, cpu, &clock);
    if (platform->identity.vendor != VENDOR_INTEL || limit.avail != AVAIL_PRESENT ||
        clock.avail != AVAIL_PRESENT) {
        return;
    }
    frequency->turbo_limit_khz = clock.khz * turbo_limit_one_core(platform, limit.value);
    if (frequency->turbo_limit_khz <= p0_khz ||
        frequency->max_boost_khz <= mul_div_u64(frequency->turbo_limit_khz, 101, 100)) {
        return;
    }
    frequency->is_turbo_limited = true;
    frequency->max_boost_khz = frequency->turbo_limit_khz;
    frequency->boost_ratio_1024 = mul_div_u64(frequency->turbo_limit_khz, 1024, p0_khz);
    frequency->boost_numerator_why = "highest_perf is not a bus ratio on this part: the turbo "
                                     "ratio limit (MSR 1ADH) is the ceiling";
}

/* Fills the boost fields; p0_khz is the first P-state row's. */
static void derive_boost(const struct platform *platform, const struct processor *processor,
                         uint64_t p0_khz, struct frequency *frequency)
{
    uint64_t nominal = processor->cpc_value[CPC_NOMINAL_PERF];
    uint64_t nominal_khz = 0;
    struct boost_numerator numerator;

    frequency->boost_avail = AVAIL_ABSENT;
    frequency->no_boost_why = frequency_no_caps_why(platform, processor);
    if (frequency->no_boost_why != NULL) {
        return;
    }
    boost_numerator_choose(platform, processor, &numerator);
    frequency->boost_numerator = numerator.value;
    frequency->boost_numerator_why = numerator.why;
    frequency->is_boost_numerator_verified = numerator.is_verified;
    frequency->firmware_numerator = numerator.firmware_value;
    frequency->raw_boost_khz =
        frequency_scale_khz(p0_khz, frequency_boost_ratio_1024(numerator.firmware_value, nominal));
    frequency->midpoint_ratio_1024 = frequency_midpoint_ratio_1024(numerator.value, nominal);
    frequency->no_boost_why = turbo_off_why(platform, processor->cpu);
    if (frequency->no_boost_why != NULL) {
        return;
    }
    frequency->boost_ratio_1024 = frequency_boost_ratio_1024(numerator.value, nominal);
    if (frequency->boost_ratio_1024 == 0) {
        frequency->no_boost_why = "highest performance is below nominal_perf";
        return;
    }
    if (processor->cpc_avail[CPC_NOMINAL_FREQ_MHZ] == AVAIL_PRESENT) {
        nominal_khz = units_mhz_to_khz(processor->cpc_value[CPC_NOMINAL_FREQ_MHZ]);
    }
    frequency->boost_avail = AVAIL_PRESENT;
    frequency->max_boost_khz = frequency_scale_khz(p0_khz, frequency->boost_ratio_1024);
    frequency->cpuinfo_max_khz =
        frequency_scale_khz(nominal_khz != 0 ? nominal_khz : p0_khz, frequency->boost_ratio_1024);
    limit_to_turbo_ratio(platform, processor->cpu, p0_khz, frequency);
}

/* rows[0] is kept free for the boost entry. */
static void derive_table(struct platform *platform, const struct processor *processor,
                         const struct pss *pss)
{
    struct frequency *frequency = &platform->frequency;
    struct frequency_row *rows =
        arena_array(platform->arena, (size_t)pss->count + 1, sizeof(struct frequency_row));
    uint32_t taken;

    if (rows == NULL) {
        platform->incomplete = "no memory for the frequency table";
        frequency->no_table_why = platform->incomplete;
        return;
    }
    taken = take_rows(platform, processor->cpu, pss, rows + 1);
    frequency->skipped_rows = pss->count - taken;
    if (taken == 0) {
        frequency->no_table_why = "no _PSS row has a usable frequency";
        return;
    }
    frequency->processor = (uint32_t)(processor - platform->processors);
    derive_boost(platform, processor, rows[1].khz, frequency);
    frequency->rows = rows + 1;
    frequency->count = taken;
    if (frequency->boost_avail == AVAIL_PRESENT) {
        rows[0] = rows[1];
        rows[0].kind = FREQUENCY_BOOST;
        rows[0].khz = frequency->max_boost_khz;
        frequency->rows = rows;
        frequency->count = taken + 1;
    }
}

void frequency_derive(struct platform *platform)
{
    const struct processor *processor = first_with_pss(platform);
    const struct pss *pss = processor == NULL ? NULL : pss_of(processor);

    memset(&platform->frequency, 0, sizeof(platform->frequency));
    platform->frequency.processor = PROCESSOR_NONE;
    if (pss == NULL) {
        platform->frequency.no_table_why = "no CPU has a _PSS";
    } else if (!is_acceptable(pss)) {
        platform->frequency.no_table_why = "a _PSS row is not six Integers";
    } else {
        derive_table(platform, processor, pss);
    }
}
