#include "model/bits.h"
#include "model/cpu_id.h"
#include "model/freq_derive.h"
#include "model/freq_judge.h"
#include "model/units.h"
#include "rules/frequency_parts.h"
#include "rules/subjects.h"

#include <stddef.h>

/* Boost and settling times as measured. */

#define CAUSES_BYTES 96

/* Linux 6.12 drivers/cpufreq/amd-pstate.c: transition delay with FAST_CPPC and without, in us. */
#define FAST_DELAY_US 600U
#define DELAY_US 1000U
#define US_PER_S UINT64_C(1000000)

static bool has_boosts(struct judge *judge)
{
    return frequency_is_measured(judge, judge->platform->freq_boosts_count,
                                 "boost was not measured");
}

static const char *beside(const struct freq_boost *boost, char *text, size_t text_bytes)
{
    if (boost->counts.causes != 0) {
        return freq_causes_text(boost->counts.causes, text, text_bytes);
    }
    return boost->is_shallow ? "the parked cores were no deeper than C1 and count as active"
                             : "no cause seen";
}

/* Either has a reason beside the figure, so that it says nothing about the firmware. */
static bool is_excused(const struct freq_boost *boost)
{
    return boost->counts.causes != 0 || boost->is_shallow;
}

static void maximum_is_reached(struct judge *judge)
{
    const struct frequency *frequency = &judge->platform->frequency;
    uint32_t judged = 0;

    if (!has_boosts(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_boosts_count && frequency->max_boost_khz != 0;
         i++) {
        const struct freq_boost *boost = &judge->platform->freq_boosts[i];
        uint64_t tolerance_khz;
        struct judge_text expected;
        char causes[CAUSES_BYTES];

        if (boost->kind != FREQ_BOOST_CORES || boost->active != 1 || boost->figure.khz == 0) {
            continue;
        }
        judged++;
        tolerance_khz = freq_tolerance_khz(judge->platform, boost->cpu, frequency->max_boost_khz,
                                           boost->figure.uncertainty_ppm);
        (void)judge_text(&expected, "the boost entry, %llu kHz +- %llu",
                         (unsigned long long)frequency->max_boost_khz,
                         (unsigned long long)tolerance_khz);
        judge->cpu = boost->cpu;
        /* Linux takes one maximum for all cores of a part; a preferred core may well do more. */
        if (boost->figure.khz > frequency->max_boost_khz + tolerance_khz) {
            judge_note(judge, expected.text, "%llu kHz with one core active",
                       (unsigned long long)boost->figure.khz);
        } else if (boost->figure.khz + tolerance_khz < frequency->max_boost_khz) {
            (is_excused(boost) ? judge_note : judge_warn)(
                judge, expected.text, "%llu kHz with one core active: %s",
                (unsigned long long)boost->figure.khz, beside(boost, causes, sizeof(causes)));
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no boost entry, or no figure with one core active");
    }
}

static void limits_are_kept(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_boosts(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &judge->platform->freq_boosts[i];
        uint64_t tolerance_khz;
        struct judge_text expected;
        char causes[CAUSES_BYTES];

        if (boost->kind != FREQ_BOOST_CORES || boost->expected_khz == 0 || boost->figure.khz == 0) {
            continue;
        }
        judged++;
        tolerance_khz = freq_tolerance_khz(judge->platform, boost->cpu, boost->expected_khz,
                                           boost->figure.uncertainty_ppm);
        (void)judge_text(&expected, "the turbo limit, %llu kHz +- %llu",
                         (unsigned long long)boost->expected_khz,
                         (unsigned long long)tolerance_khz);
        judge->cpu = boost->cpu;
        if (boost->figure.khz > boost->expected_khz + tolerance_khz) {
            judge_warn(judge, expected.text, "%llu kHz with %u cores active",
                       (unsigned long long)boost->figure.khz, boost->active);
        } else if (boost->figure.khz + tolerance_khz < boost->expected_khz) {
            judge_note(judge, expected.text, "%llu kHz with %u cores active: %s",
                       (unsigned long long)boost->figure.khz, boost->active,
                       beside(boost, causes, sizeof(causes)));
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no turbo limits by active cores are known of this part");
    }
}

static const struct freq_boost *find_boost(const struct platform *platform,
                                           enum freq_boost_kind kind, uint32_t package)
{
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &platform->freq_boosts[i];

        if (boost->kind == kind && boost->package == package && boost->figure.khz != 0) {
            return boost;
        }
    }
    return NULL;
}

static void switch_is_obeyed(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_boosts(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_boosts_count; i++) {
        const struct freq_boost *off = &judge->platform->freq_boosts[i];
        const struct freq_boost *on = find_boost(judge->platform, FREQ_BOOST_ON, off->package);
        const struct freq_sample *p0 = freq_find(judge->platform, off->cpu, 0);
        uint64_t tolerance_khz;

        if (off->kind != FREQ_BOOST_OFF || off->figure.khz == 0 || on == NULL || p0 == NULL ||
            p0->requested_khz == 0) {
            continue;
        }
        judged++;
        tolerance_khz = freq_tolerance_khz(judge->platform, off->cpu, p0->requested_khz,
                                           off->figure.uncertainty_ppm);
        judge->cpu = off->cpu;
        if (off->figure.khz > p0->requested_khz + tolerance_khz) {
            judge_warn(judge, "no boost while the bit has it off", "%llu kHz off, %llu kHz on",
                       (unsigned long long)off->figure.khz, (unsigned long long)on->figure.khz);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "boost has no switch here, or it could not be used");
    }
}

/* What Linux ranks cores by: _CPC's highest performance, and where that is missing or 255 the highest level of HWP
 * (Linux 6.12 drivers/cpufreq/intel_pstate.c intel_pstate_set_itmt_prio; SDM vol. 4, MSR 771H [7:0]). */
#define MSR_HWP_CAPABILITIES 0x771U
#define RANK_UNKNOWN 255U

static bool rank_of(const struct platform *platform, uint32_t cpu, uint64_t *ret_rank)
{
    const struct processor *processor = platform_processor(platform, cpu);
    struct msr_value caps = platform_msr(platform, cpu, MSR_HWP_CAPABILITIES);
    bool has_rank = processor != NULL && processor->cpc_avail[CPC_HIGHEST_PERF] == AVAIL_PRESENT;

    if (has_rank && (processor->cpc_value[CPC_HIGHEST_PERF] != RANK_UNKNOWN ||
                     platform->identity.vendor != VENDOR_INTEL)) {
        *ret_rank = processor->cpc_value[CPC_HIGHEST_PERF];
        return true;
    }
    if (platform->identity.vendor != VENDOR_INTEL || caps.avail != AVAIL_PRESENT ||
        bits_get(caps.value, 7, 0) == 0) {
        return false;
    }
    *ret_rank = bits_get(caps.value, 7, 0);
    return true;
}

static bool is_alone(const struct freq_boost *boost)
{
    return boost->kind == FREQ_BOOST_ALONE && boost->figure.khz != 0;
}

/* A core of the package that the firmware ranks lower and that is faster by more than both are uncertain. */
static const struct freq_boost *faster_than_ranked(const struct platform *platform,
                                                   const struct freq_boost *first)
{
    uint64_t first_rank = 0;

    if (!rank_of(platform, first->cpu, &first_rank)) {
        return NULL;
    }
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        const struct freq_boost *other = &platform->freq_boosts[i];
        uint64_t rank = 0;
        uint64_t least_khz =
            first->figure.khz + first->figure.khz / 200 +
            mul_div_u64(first->figure.khz,
                        first->figure.uncertainty_ppm + other->figure.uncertainty_ppm, 1000000);

        if (is_alone(other) && other->package == first->package &&
            rank_of(platform, other->cpu, &rank) && rank < first_rank &&
            platform->cpus[other->cpu].core_type == platform->cpus[first->cpu].core_type &&
            other->figure.khz > least_khz && !is_excused(first)) {
            return other;
        }
    }
    return NULL;
}

static void ranking_is_true(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_boosts(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_boosts_count; i++) {
        const struct freq_boost *boost = &judge->platform->freq_boosts[i];
        const struct freq_boost *other;
        uint64_t rank;

        if (!is_alone(boost) || !rank_of(judge->platform, boost->cpu, &rank)) {
            continue;
        }
        judged++;
        other = faster_than_ranked(judge->platform, boost);
        if (other != NULL) {
            judge->cpu = boost->cpu;
            judge_warn(judge, "no core of a lower rank is faster alone",
                       "rank %llu reaches %llu kHz, CPU %u with a lower rank %llu kHz",
                       (unsigned long long)rank, (unsigned long long)boost->figure.khz, other->cpu,
                       (unsigned long long)other->figure.khz);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no core was measured alone, or the firmware ranks none");
    }
}

static bool has_settlings(struct judge *judge)
{
    return frequency_is_measured(judge, judge->platform->freq_settlings_count,
                                 "no settling time was measured");
}

static uint64_t us_of(const struct platform *platform, uint64_t tsc)
{
    return mul_div_round_u64(tsc, US_PER_S, platform->tsc_hz);
}

/* What _PSS declares is how long the CPU is unavailable, not when its clock has settled; systems take it for both, so
 * this is told and is no fault. The same bound as the table of three columns has: twice the latency and a microsecond, and a loop, which is as near
 * as can be seen. */
static void latency_is_kept(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_settlings(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->freq_settlings_count; i++) {
        const struct freq_settling *one = &judge->platform->freq_settlings[i];
        struct judge_text expected;
        uint64_t p90_us = us_of(judge->platform, one->settle_tsc.p90);

        if (one->settle_tsc.n == 0 || one->latency_us == 0) {
            continue;
        }
        judged++;
        if (p90_us > 2 * one->latency_us + 1 + us_of(judge->platform, one->loop_to_tsc)) {
            judge->cpu = one->cpu;
            judge_note(judge,
                       judge_text(&expected, "about %llu us (_PSS row %u)",
                                  (unsigned long long)one->latency_us, one->to_index),
                       "%llu us for nine changes in ten from row %u to row %u",
                       (unsigned long long)p90_us, one->from_index, one->to_index);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no change settled, or _PSS declares no latency");
    }
}

static void fast_bit_is_true(struct judge *judge)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, 0);
    const struct freq_settling *slowest = NULL;
    bool is_fast;
    uint64_t us;

    if (!has_settlings(judge)) {
        return;
    }
    for (int is_up = 0; is_up < 2; is_up++) {
        const struct freq_settling *one = freq_slowest(judge->platform, CPU_NONE, is_up != 0);

        if (one != NULL && one->kind == FREQ_CPPC &&
            (slowest == NULL || one->settle_tsc.p90 > slowest->settle_tsc.p90)) {
            slowest = one;
        }
    }
    if (cpuid == NULL || slowest == NULL) {
        judge_skip(judge, "no CPPC request was timed");
        return;
    }
    is_fast = cpuid_has(cpuid, CPU_FEATURE_FAST_CPPC);
    us = us_of(judge->platform, slowest->settle_tsc.p90);
    judge->cpu = slowest->cpu;
    if (is_fast && us > FAST_DELAY_US) {
        judge_warn(judge, "changes within 600 us (FAST_CPPC is set)", "%llu us",
                   (unsigned long long)us);
    } else if (!is_fast && us > DELAY_US) {
        judge_note(judge, "changes within 1000 us, which Linux waits", "%llu us",
                   (unsigned long long)us);
    }
}

const struct rule frequency_boost_rules[] = {
    {
        .id = "FRQ-009",
        .title = "One core alone reaches the boost entry",
        .spec = "Linux 6.12 drivers/cpufreq/acpi-cpufreq.c get_max_boost_ratio",
        .why = "Frequency invariance scales load by a maximum that the silicon never or always "
               "exceeds.",
        .advice = "Correct highest or nominal performance of _CPC.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = maximum_is_reached,
        .object = "boost",
    },
    {
        .id = "FRQ-010",
        .title = "Boost by active cores is what the turbo limits say",
        .spec = "Intel SDM vol. 4, MSR_TURBO_RATIO_LIMIT",
        .why = "The limits are what systems and users plan with.",
        .advice = "Find the limit at work that is named beside the figure.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = limits_are_kept,
        .object = "boost",
    },
    {
        .id = "FRQ-011",
        .title = "Boost ends when it is switched off",
        .spec = "Intel SDM vol. 4, IA32_MISC_ENABLE [38]; AMD PPR, MSRC001_0015 HWCR [25]",
        .why = "A user who switches boost off to save power or for even timing does not get it.",
        .advice = "Find what boosts in spite of the bit.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = switch_is_obeyed,
        .object = "boost",
    },
    {
        .id = "FRQ-012",
        .title = "The firmware's ranking of cores is what they reach alone",
        .spec = "ACPI 6.5, 8.4.6.1.1.1 Highest Performance",
        .why = "The scheduler puts single threads on cores that are not the fastest.",
        .advice = "Give each core the highest performance that it has.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = ranking_is_true,
        .object = "boost",
    },
    {
        .id = "FRQ-013",
        .title = "A changed request settles within the latency that _PSS declares",
        .spec = "ACPI 6.5, 8.4.5.2 _PSS, Latency",
        .why = "Governors choose how often to change by this figure.",
        .advice = "Declare what the part takes.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = latency_is_kept,
        .object = "settling",
    },
    {
        .id = "FRQ-014",
        .title = "CPPC requests settle within the time that FAST_CPPC promises",
        .spec = "Linux 6.12 drivers/cpufreq/amd-pstate.c amd_pstate_get_transition_delay_us; CPUID "
                "80000007H EDX[15]",
        .why = "Linux waits 600 us between changes where the bit is set, 1000 us elsewhere.",
        .advice = "Report this with the figure to the maker of the part.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = fast_bit_is_true,
        .object = "settling",
    },
    {.id = NULL},
};
