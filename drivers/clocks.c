#include "drivers/clocks.h"

#include "drivers/clock_counter.h"
#include "model/tsc_rate.h"
#include "model/units.h"

#include <stddef.h>
#include <string.h>

/* kernel: Linux 6.12 arch/x86/kernel/tsc.c tsc_refine_calibration_work warns above tsc_khz >> 11 (488 ppm)
 * that CPUID and hardware timer differ. */
#define AGREEMENT_PPM UINT64_C(500)

static struct clock *add_clock(struct platform *platform, const char *name, uint64_t hz,
                               const char *from, const char *status)
{
    struct clock *clock = &platform->clocks[platform->clocks_count];

    if (platform->clocks_count + 1 < PLATFORM_CLOCKS) {
        platform->clocks_count++;
    }
    *clock = (struct clock){.name = name, .hz = hz, .from = from, .status = status};
    return clock;
}

/* What the CPU, its hypervisor or its ratio MSR says, the most reliable first. */
static void collect_stated(struct platform *platform, struct tsc_rate *ret_best)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    struct tsc_rate rates[3];

    memset(ret_best, 0, sizeof(*ret_best));
    if (cpuid == NULL) {
        return;
    }
    tsc_rate_from_cpuid(cpuid, &platform->identity, &rates[0]);
    tsc_rate_from_hypervisor(cpuid, &rates[1]);
    tsc_rate_from_msr(platform, 0, &rates[2]);
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        if (rates[i].source == TSC_RATE_NONE) {
            continue;
        }
        (void)add_clock(platform, "tsc", rates[i].tsc_hz, rates[i].from, "stated");
        if (ret_best->source == TSC_RATE_NONE || rates[i].source == TSC_RATE_HYPERVISOR) {
            *ret_best = rates[i];
        }
    }
}

static const char *verdict_text(enum clock_verdict verdict)
{
    switch (verdict) {
    case CLOCK_GOOD:
        return "counts";
    case CLOCK_UNREADABLE:
        return "not readable";
    case CLOCK_STANDS_STILL:
        return "does not count";
    case CLOCK_RUNS_BACK:
        return "runs backwards";
    case CLOCK_TSC_STILL:
        return "the TSC does not count";
    case CLOCK_UNSTABLE:
    default:
        return "runs do not agree";
    }
}

/* Without the digits below the uncertainty, which differ from run to run and mean nothing: what is derived
 * from the rate then does not differ either. */
static uint64_t significant_hz(uint64_t hz, uint64_t uncertainty_ppm)
{
    uint64_t uncertain_hz = mul_div_u64(hz, uncertainty_ppm, 1000000);
    uint64_t step_hz = 1;

    while (step_hz <= uncertain_hz / 10) {
        step_hz *= 10;
    }
    return mul_div_round_u64(hz, 1, step_hz) * step_hz;
}

/* Measures against one counter: an entry for the counter and, when there is a value, one for the TSC. */
static struct clock_measurement measure(const struct hw *hw, struct platform *platform,
                                        const struct clock_counter *counter, const char *name,
                                        const char *from)
{
    struct clock_measurement measurement;
    struct clock *clock;

    clock_counter_measure(hw, counter, &measurement);
    measurement.tsc_hz = significant_hz(measurement.tsc_hz, measurement.uncertainty_ppm);
    clock = add_clock(platform, name, counter->hz, "its specification",
                      verdict_text(measurement.verdict));
    if (measurement.verdict == CLOCK_GOOD && measurement.backwards > 0) {
        clock->status = "counts, but runs backwards at times";
    }
    if (measurement.tsc_hz != 0) {
        clock = add_clock(platform, "tsc", measurement.tsc_hz, from,
                          measurement.verdict == CLOCK_GOOD ? "measured" : "runs do not agree");
        clock->uncertainty_ppm = measurement.uncertainty_ppm;
        clock->runs = CLOCK_RUNS;
        clock->rejected = measurement.rejected;
    }
    return measurement;
}

static struct clock_measurement measure_pm_timer(const struct hw *hw, struct platform *platform)
{
    struct clock_measurement none = {.verdict = CLOCK_UNREADABLE};
    uint16_t port = fadt_pm_timer_port(&platform->fadt);
    struct clock_counter counter;

    if (port == 0) {
        (void)add_clock(platform, "pm_timer", 0, "FADT", "absent");
        return none;
    }
    clock_counter_pm_timer(port, &counter);
    return measure(hw, platform, &counter, "pm_timer", "measured against the PM timer");
}

static struct clock_measurement measure_hpet(const struct hw *hw, struct platform *platform)
{
    struct clock_measurement none = {.verdict = CLOCK_UNREADABLE};
    struct clock_counter counter;
    const char *why = "absent";

    if (platform->hpet.avail == AVAIL_PRESENT && platform->hpet.base.space == GAS_SYSTEM_MEMORY) {
        why = clock_counter_hpet(hw, platform->hpet.base.address, &counter);
    }
    if (why != NULL) {
        (void)add_clock(platform, "hpet", 0, "HPET table", why);
        return none;
    }
    return measure(hw, platform, &counter, "hpet", "measured against the HPET");
}

static struct clock_measurement measure_pit(const struct hw *hw, struct platform *platform)
{
    struct clock_measurement measurement = {.verdict = CLOCK_UNREADABLE};
    struct clock_counter counter;
    uint32_t gate;

    if (platform->options != NULL && platform->options->is_read_only) {
        (void)add_clock(platform, "pit", 0, "", "not touched in --read-only");
        return measurement;
    }
    clock_counter_pit(hw, &counter, &gate);
    measurement = measure(hw, platform, &counter, "pit", "measured against the PIT");
    clock_counter_pit_end(hw, gate);
    return measurement;
}

static bool is_exact(const struct tsc_rate *rate)
{
    return rate->source == TSC_RATE_CRYSTAL || rate->source == TSC_RATE_HYPERVISOR;
}

static bool agrees(uint64_t stated_hz, const struct clock_measurement *measured)
{
    return units_difference_ppm(stated_hz, measured->tsc_hz) <=
           AGREEMENT_PPM + measured->uncertainty_ppm;
}

/* Better than none; one whose runs agree is better; one that confirms an exactly stated rate is best. */
static unsigned quality(const struct tsc_rate *stated, const struct clock_measurement *measured)
{
    if (measured->verdict != CLOCK_GOOD) {
        return measured->tsc_hz == 0 ? 0 : 1;
    }
    return is_exact(stated) && !agrees(stated->tsc_hz, measured) ? 2 : 3;
}

/*
 * The PM timer, and where that does not do, the next. A PM timer that contradicts an exact rate does not
 * settle it: some run at twice their speed (Linux 6.12 arch/x86/kernel/tsc.c native_calibrate_tsc compares
 * with the PIT for that reason).
 */
static struct clock_measurement measure_any(const struct hw *hw, const struct tsc_rate *stated,
                                            struct platform *platform)
{
    static struct clock_measurement (*const ways[])(const struct hw *, struct platform *) = {
        measure_pm_timer, measure_hpet, measure_pit};
    struct clock_measurement best = {.verdict = CLOCK_UNREADABLE};

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]) && quality(stated, &best) < 3; i++) {
        struct clock_measurement measurement = ways[i](hw, platform);

        if (quality(stated, &measurement) > quality(stated, &best)) {
            best = measurement;
        }
    }
    return best;
}

/* A rate that the CPU states exactly and the measurement confirms is used; what else is stated gives way
 * to a good measurement. */
static void choose_rate(const struct tsc_rate *stated, const struct clock_measurement *measured,
                        struct platform *platform)
{
    bool is_measured = measured->verdict == CLOCK_GOOD;

    platform->tsc_hz = 0;
    if (stated->tsc_hz != 0 &&
        (!is_measured || (is_exact(stated) && agrees(stated->tsc_hz, measured)))) {
        platform->tsc_hz = stated->tsc_hz;
    } else if (measured->tsc_hz != 0) {
        platform->tsc_hz = measured->tsc_hz;
    }
}

/* Says of each TSC entry whether it is the one used, and of the others whether they agree with it. */
static void mark_clocks(struct platform *platform)
{
    for (uint32_t i = 0; i < platform->clocks_count; i++) {
        struct clock *clock = &platform->clocks[i];
        bool is_tsc = strcmp(clock->name, "tsc") == 0;

        if (!is_tsc || platform->tsc_hz == 0) {
            continue;
        }
        if (platform->tsc_from == NULL && clock->hz == platform->tsc_hz) {
            platform->tsc_from = clock->from;
            clock->status = "used";
        } else if (units_difference_ppm(clock->hz, platform->tsc_hz) <=
                   AGREEMENT_PPM + clock->uncertainty_ppm) {
            clock->status = "agrees";
        } else {
            clock->status = "disagrees";
        }
    }
}

void clocks_collect(const struct hw *hw, struct platform *platform)
{
    struct clock_measurement measured = {.verdict = CLOCK_UNREADABLE};
    struct tsc_rate stated;

    platform->clocks_count = 0;
    platform->tsc_from = NULL;
    collect_stated(platform, &stated);
    if (hw->is_live) {
        measured = measure_any(hw, &stated, platform);
    }
    choose_rate(&stated, &measured, platform);
    mark_clocks(platform);
}
