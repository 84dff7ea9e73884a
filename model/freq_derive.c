#include "model/freq_derive.h"

#include "model/bits.h"
#include "model/bus_clock.h"
#include "model/columns.h"
#include "model/textbuf.h"
#include "model/turbo_limit.h"
#include "model/units.h"

#include <string.h>

#define PPB UINT64_C(1000000000)
#define PPM UINT64_C(1000000)

/* Where the rate was stated and not measured: Linux 6.12 arch/x86/kernel/tsc.c complains from 1/2048 on. */
#define STATED_PPM UINT64_C(488)

/* Knights Landing and Knights Mill count once in 1024 clocks: kernel-facts 7.8, turbostat. */
#define SLOW_COUNTER_PPB UINT64_C(5000000)
#define SLOW_COUNTER_STEP 1024U

#define USUAL_BUS_KHZ UINT64_C(100000)

/* A core that spent less than this in C3 or deeper while it was parked counts as active: SDM vol. 3B, 15.3.3. */
#define DEEP_PCT 90U

static uint64_t ppb_of(const struct freq_counts *counts)
{
    uint64_t ppb =
        counts->window_tsc == 0 ? 0 : mul_div_u64(counts->mperf, PPB, counts->window_tsc);

    return ppb != 0 && ppb < SLOW_COUNTER_PPB ? ppb * SLOW_COUNTER_STEP : ppb;
}

uint64_t freq_mperf_ppb(const struct platform *platform, uint32_t cpu)
{
    uint64_t most_ppb = 0;

    for (uint32_t i = 0; i < platform->freq_count; i++) {
        const struct freq_sample *sample = &platform->freq[i];
        uint64_t ppb = sample->cpu == cpu ? ppb_of(&sample->counts) : 0;

        most_ppb = ppb > most_ppb ? ppb : most_ppb;
    }
    return most_ppb;
}

uint64_t freq_clock_ppm(const struct platform *platform)
{
    for (uint32_t i = 0; i < platform->clocks_count; i++) {
        const struct clock *clock = &platform->clocks[i];

        if (strcmp(clock->name, "tsc") == 0 && clock->hz == platform->tsc_hz && clock->runs > 0) {
            return clock->uncertainty_ppm;
        }
    }
    return STATED_PPM;
}

struct freq_figure freq_figure_of(const struct freq_counts *counts, uint64_t tsc_hz,
                                  uint64_t mperf_ppb, uint64_t clock_ppm)
{
    struct freq_figure figure = {0};
    uint64_t mperf_hz;

    if (counts->window_tsc == 0 || counts->mperf == 0 || counts->aperf == 0 || tsc_hz == 0) {
        return figure;
    }
    mperf_hz = mul_div_round_u64(tsc_hz, mperf_ppb == 0 ? ppb_of(counts) : mperf_ppb, PPB);
    figure.khz =
        mul_div_round_u64(mul_div_round_u64(mperf_hz, counts->aperf, counts->mperf), 1, 1000);
    /* Both counters may be off by one in every slice. */
    figure.uncertainty_ppm = mul_div_u64(counts->stamp_tsc, PPM, counts->window_tsc) + clock_ppm +
                             mul_div_u64(2 * (uint64_t)counts->slices, PPM, counts->mperf) + 1;
    return figure;
}

static uint64_t bus_khz_of(const struct platform *platform, uint32_t cpu)
{
    struct bus_clock clock = {0};

    bus_clock_of(platform, cpu, &clock);
    return clock.avail == AVAIL_PRESENT && clock.khz != 0 ? clock.khz : USUAL_BUS_KHZ;
}

uint64_t freq_tolerance_khz(const struct platform *platform, uint32_t cpu, uint64_t khz,
                            uint64_t uncertainty_ppm)
{
    return column_tolerance_khz(bus_khz_of(platform, cpu), khz, uncertainty_ppm);
}

bool freq_is_steady(const struct freq_counts *counts)
{
    return counts->fast_ppm - counts->slow_ppm <=
           mul_div_u64(counts->slow_ppm, FREQ_STEADY_PPM, PPM);
}

const char *freq_no_figure_why(const struct freq_counts *counts)
{
    if (counts->window_tsc != 0) {
        return NULL;
    }
    if (counts->stopped > 0) {
        return "APERF or MPERF stands still";
    }
    if (counts->wrapped > 0) {
        return "APERF or MPERF runs backwards";
    }
    return counts->torn > 0 ? "every read was disturbed" : "not measured";
}

static const char *const cause_names[] = {"PROCHOT",       "temperature",      "power limit",
                                          "current limit", "another domain",   "voltage regulator",
                                          "P-state limit", "a limit not named"};
#define CAUSES (sizeof(cause_names) / sizeof(cause_names[0]))

const char *freq_causes_text(uint32_t causes, char *text, size_t text_bytes)
{
    struct textbuf out;

    textbuf_init(&out, text, text_bytes, NULL, NULL);
    for (unsigned i = 0; i < CAUSES; i++) {
        if ((causes >> i & 1U) != 0) {
            textbuf_printf(&out, "%s%s", out.length == 0 ? "" : ", ", cause_names[i]);
        }
    }
    return text;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

uint32_t freq_causes_of_text(const char *text)
{
    uint32_t causes = 0;

    for (const char *at = text; *at != '\0'; at++) {
        for (unsigned i = 0; i < CAUSES; i++) {
            if ((at == text || at[-1] == ' ') && starts_with(at, cause_names[i])) {
                causes |= 1U << i;
            }
        }
    }
    return causes;
}

static uint32_t cause_if(uint64_t value, unsigned bit, enum freq_cause cause)
{
    return bits_test(value, bit) != 0 ? (uint32_t)cause : 0;
}

/* SDM vol. 4, table 2-2, IA32_THERM_STATUS: [0] thermal, [2] PROCHOT# or FORCEPR#, [10] power limitation, [12]
 * current limit, [14] cross domain limit. */
uint32_t freq_causes_of_core(uint64_t therm_status)
{
    return cause_if(therm_status, 0, FREQ_CAUSE_THERMAL) |
           cause_if(therm_status, 2, FREQ_CAUSE_PROCHOT) |
           cause_if(therm_status, 10, FREQ_CAUSE_POWER) |
           cause_if(therm_status, 12, FREQ_CAUSE_CURRENT) |
           cause_if(therm_status, 14, FREQ_CAUSE_CROSS_DOMAIN);
}

/* SDM vol. 4, table 2-2, IA32_PACKAGE_THERM_STATUS: [0], [2], [10] likewise. */
uint32_t freq_causes_of_package(uint64_t therm_status)
{
    return cause_if(therm_status, 0, FREQ_CAUSE_THERMAL) |
           cause_if(therm_status, 2, FREQ_CAUSE_PROCHOT) |
           cause_if(therm_status, 10, FREQ_CAUSE_POWER);
}

/* SDM vol. 4, MSR_CORE_PERF_LIMIT_REASONS of Skylake (64FH) and Haswell (690H): [0] PROCHOT, [1] thermal, [6] VR
 * thermal alert, [10] PL1, [11] PL2; [12] is the turbo limit itself, which is no cause. */
uint32_t freq_causes_of_limits(uint64_t limit_reasons)
{
    return cause_if(limit_reasons, 0, FREQ_CAUSE_PROCHOT) |
           cause_if(limit_reasons, 1, FREQ_CAUSE_THERMAL) |
           cause_if(limit_reasons, 6, FREQ_CAUSE_VR) |
           cause_if(limit_reasons, 10, FREQ_CAUSE_POWER) |
           cause_if(limit_reasons, 11, FREQ_CAUSE_POWER);
}

static void derive_samples(struct platform *platform, uint64_t clock_ppm)
{
    uint64_t mperf_ppb = 0;
    uint32_t cpu = CPU_NONE;

    /* Samples lie by CPU. */
    for (uint32_t i = 0; i < platform->freq_count; i++) {
        struct freq_sample *sample = &platform->freq[i];

        if (sample->cpu != cpu) {
            cpu = sample->cpu;
            mperf_ppb = freq_mperf_ppb(platform, cpu);
        }
        sample->figure = freq_figure_of(&sample->counts, platform->tsc_hz, mperf_ppb, clock_ppm);
        sample->busy_ppm =
            mperf_ppb == 0 ? 0 : mul_div_round_u64(ppb_of(&sample->counts), PPM, mperf_ppb);
    }
}

static bool is_parked_shallow(const struct platform *platform, const struct freq_boost *boost)
{
    if (boost->parked == NULL || platform->identity.vendor != VENDOR_INTEL) {
        return false;
    }
    if (boost->has_residency) {
        return boost->deep_tsc < boost->parked_tsc / 100 * DEEP_PCT;
    }
    return strcmp(boost->parked, "MWAIT") != 0;
}

/* What the turbo limit registers allow with so many cores active; nothing is said of threads. */
static uint64_t turbo_khz(const struct platform *platform, const struct freq_boost *boost)
{
    struct turbo_limit limit;

    turbo_limit_of(platform, boost->cpu, &limit);
    for (uint32_t i = 0; limit.avail == AVAIL_PRESENT && i < limit.count; i++) {
        if (boost->active <= limit.steps[i].cores) {
            return bus_khz_of(platform, boost->cpu) * limit.steps[i].ratio;
        }
    }
    return 0;
}

static void derive_boosts(struct platform *platform, uint64_t clock_ppm)
{
    for (uint32_t i = 0; i < platform->freq_boosts_count; i++) {
        struct freq_boost *boost = &platform->freq_boosts[i];

        boost->figure = freq_figure_of(&boost->counts, platform->tsc_hz,
                                       freq_mperf_ppb(platform, boost->cpu), clock_ppm);
        boost->is_shallow = is_parked_shallow(platform, boost);
        boost->expected_khz = turbo_khz(platform, boost);
    }
}

void freq_derive(struct platform *platform)
{
    uint64_t clock_ppm = freq_clock_ppm(platform);

    derive_samples(platform, clock_ppm);
    derive_boosts(platform, clock_ppm);
}
