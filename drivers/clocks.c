#include "drivers/clocks.h"

#include "drivers/clock_counter.h"
#include "drivers/clock_rtc.h"
#include "model/clock_choice.h"
#include "model/tsc_rate.h"
#include "model/units.h"

#include <stddef.h>
#include <string.h>

/* kernel: Linux 6.12 arch/x86/kernel/tsc.c tsc_refine_calibration_work warns above tsc_khz >> 11 (488 ppm)
 * that CPUID and hardware timer differ. */
#define AGREEMENT_PPM UINT64_C(500)

#define MSR_SMI_COUNT 0x34U

/* The addresses in tables from the medium are those of another machine. */
#define NOT_OURS "not looked at: the tables are not this machine's"

/* Every rate of the TSC that was found; `at` is its entry in platform->clocks. */
struct rates {
    const struct hw *hw;
    struct platform *platform;
    uint32_t count;
    struct clock_candidate candidate[PLATFORM_CLOCKS];
    struct clock *at[PLATFORM_CLOCKS];
};

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

static struct clock *add_rate(struct rates *rates, const struct clock_candidate *candidate,
                              const char *from, const char *status)
{
    struct clock *clock = add_clock(rates->platform, "tsc", candidate->tsc_hz, from, status);

    clock->uncertainty_ppm = candidate->uncertainty_ppm;
    clock->tolerance_ppm = candidate->tolerance_ppm;
    if (rates->count < PLATFORM_CLOCKS) {
        rates->candidate[rates->count] = *candidate;
        rates->at[rates->count++] = clock;
    }
    return clock;
}

/* What the CPU, its hypervisor or its MSRs say. */
static void collect_stated(struct rates *rates)
{
    const struct platform *platform = rates->platform;
    const struct cpuid_set *cpuid = platform_cpuid(platform, 0);
    struct tsc_rate stated[4];

    if (cpuid == NULL) {
        return;
    }
    tsc_rate_from_cpuid(cpuid, &platform->identity, &stated[0]);
    tsc_rate_from_hypervisor(cpuid, &stated[1]);
    tsc_rate_from_msr(platform, 0, &stated[2]);
    tsc_rate_from_amd_p0(platform, 0, &stated[3]);
    for (size_t i = 0; i < sizeof(stated) / sizeof(stated[0]); i++) {
        struct clock_candidate candidate = {
            .kind = tsc_rate_is_exact(&stated[i]) ? CLOCK_STATED_EXACT : CLOCK_STATED_NOMINAL,
            .tsc_hz = stated[i].tsc_hz,
            .tolerance_ppm = tsc_rate_tolerance_ppm(stated[i].source)};

        if (stated[i].source != TSC_RATE_NONE) {
            (void)add_rate(rates, &candidate, stated[i].from, "stated");
        }
    }
}

static const char *verdict_text(const struct clock_measurement *measurement)
{
    switch (measurement->verdict) {
    case CLOCK_GOOD:
        if (measurement->backwards > 0) {
            return "counts, but runs backwards at times";
        }
        return measurement->torn > 0 ? "counts, but single reads are torn" : "counts";
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

/* SMIs so far, where the collectors could read their count. */
static bool read_smi(const struct rates *rates, uint64_t *ret_count)
{
    return platform_msr(rates->platform, 0, MSR_SMI_COUNT).avail == AVAIL_PRESENT &&
           rates->hw->ops->rdmsr(rates->hw, MSR_SMI_COUNT, ret_count) == AVAIL_PRESENT;
}

/* An entry for the counter and, when there is a value, one for the TSC, or NULL. */
static struct clock *keep(struct rates *rates, const struct clock_measurement *measurement,
                          uint64_t hz, const char *name, const char *from)
{
    struct clock_candidate candidate = {.tolerance_ppm = AGREEMENT_PPM};
    bool is_good = measurement->verdict == CLOCK_GOOD;

    (void)add_clock(rates->platform, name, hz, "its specification", verdict_text(measurement));
    if (measurement->tsc_hz == 0) {
        return NULL;
    }
    candidate.kind = is_good ? CLOCK_MEASURED : CLOCK_MEASURED_UNSTABLE;
    candidate.tsc_hz = significant_hz(measurement->tsc_hz, measurement->uncertainty_ppm);
    candidate.uncertainty_ppm = measurement->uncertainty_ppm;
    return add_rate(rates, &candidate, from, is_good ? "measured" : "runs do not agree");
}

static void measure(struct rates *rates, const struct clock_counter *counter, const char *name,
                    const char *from)
{
    struct clock_measurement measurement;
    uint64_t smi_before = 0, smi_after = 0;
    bool has_smi = read_smi(rates, &smi_before);
    struct clock *clock;

    clock_counter_measure(rates->hw, counter, &measurement);
    has_smi = has_smi && read_smi(rates, &smi_after);
    clock = keep(rates, &measurement, counter->hz, name, from);
    if (clock != NULL) {
        clock->runs = CLOCK_RUNS;
        clock->rejected = measurement.rejected;
        clock->has_smi_count = has_smi;
        clock->smi = has_smi ? (uint32_t)(smi_after - smi_before) : 0;
    }
}

/* ACPI 6.5, 4.8.2.1: the timer may be in memory, which Linux does not use. */
static uint64_t pm_timer_paddr(const struct fadt *fadt)
{
    const struct gas *x = &fadt->reg[FADT_X_PM_TMR_BLK];

    return fadt->avail == AVAIL_PRESENT && fadt->has_register[FADT_X_PM_TMR_BLK] &&
                   x->space == GAS_SYSTEM_MEMORY
               ? x->address
               : 0;
}

static void measure_pm_timer(struct rates *rates)
{
    const struct fadt *fadt = &rates->platform->fadt;
    uint16_t port = fadt_pm_timer_port(fadt);
    struct clock_counter counter;

    if (rates->platform->is_tables_from_medium) {
        (void)add_clock(rates->platform, "pm_timer", 0, "FADT", NOT_OURS);
        return;
    }
    if (port != 0) {
        clock_counter_pm_timer(port, &counter);
    } else if (pm_timer_paddr(fadt) != 0) {
        clock_counter_pm_timer_memory(pm_timer_paddr(fadt), &counter);
    } else {
        (void)add_clock(rates->platform, "pm_timer", 0, "FADT", "absent");
        return;
    }
    measure(rates, &counter, "pm_timer", CLOCK_FROM_PM_TIMER);
}

static void measure_hpet(struct rates *rates)
{
    const struct platform *platform = rates->platform;
    struct clock_counter counter;
    const char *why = "absent";

    if (platform->is_tables_from_medium) {
        why = NOT_OURS;
    } else if (platform->hpet.avail == AVAIL_PRESENT &&
               platform->hpet.base.space == GAS_SYSTEM_MEMORY) {
        why = clock_counter_hpet(rates->hw, platform->hpet.base.address, &counter);
    }
    if (why != NULL) {
        (void)add_clock(rates->platform, "hpet", 0, "HPET table", why);
        return;
    }
    measure(rates, &counter, "hpet", CLOCK_FROM_HPET);
}

static void measure_pit(struct rates *rates)
{
    struct clock_counter counter;
    uint32_t gate;

    if (rates->platform->options != NULL && rates->platform->options->is_read_only) {
        (void)add_clock(rates->platform, "pit", 0, "", "not touched in --read-only");
        return;
    }
    clock_counter_pit(rates->hw, &counter, &gate);
    measure(rates, &counter, "pit", CLOCK_FROM_PIT);
    clock_counter_pit_end(rates->hw, gate);
}

/* ACPI 6.5, 5.2.9.3 IA-PC Boot Architecture Flags, bit 5: CMOS RTC Not Present. */
#define NO_CMOS_RTC (1U << 5)

/* Seconds long, so only when the others contradict each other. */
static void measure_rtc(struct rates *rates)
{
    const struct platform *platform = rates->platform;
    struct clock_measurement measurement;
    struct clock *clock;

    if ((platform->options != NULL && platform->options->is_read_only) ||
        (fadt_value(&platform->fadt, FADT_IAPC_BOOT_ARCH, 0) & NO_CMOS_RTC) != 0) {
        return;
    }
    clock_rtc_measure(rates->hw, &measurement);
    clock = keep(rates, &measurement, 1, "rtc", CLOCK_FROM_RTC);
    if (clock != NULL) {
        clock->runs = 2;
    }
}

static bool is_disputed(const struct rates *rates)
{
    struct clock_choice choice;

    clock_choose(rates->candidate, rates->count, &choice);
    return choice.is_disputed;
}

/* Takes the best rate and says of every other whether it agrees with it. */
static void choose(struct rates *rates)
{
    struct clock_choice choice;

    clock_choose(rates->candidate, rates->count, &choice);
    if (choice.index == CLOCK_NO_CHOICE) {
        return;
    }
    for (uint32_t i = 0; i < rates->count; i++) {
        bool is_used = i == choice.index;

        if (is_used) {
            rates->platform->tsc_hz = rates->candidate[i].tsc_hz;
            rates->platform->tsc_from = rates->at[i]->from;
            rates->at[i]->why = choice.why;
        }
        if (rates->candidate[i].kind == CLOCK_MEASURED_UNSTABLE && !is_used) {
            continue;
        }
        rates->at[i]->status = is_used ? "used"
                               : clock_agrees(&rates->candidate[i], &rates->candidate[choice.index])
                                   ? "agrees"
                                   : "disagrees";
    }
}

void clocks_collect(const struct hw *hw, struct platform *platform)
{
    struct rates rates = {.hw = hw, .platform = platform};

    platform->clocks_count = 0;
    platform->tsc_hz = 0;
    platform->tsc_from = NULL;
    collect_stated(&rates);
    if (hw->is_live) {
        measure_pm_timer(&rates);
        measure_hpet(&rates);
        measure_pit(&rates);
        if (is_disputed(&rates)) {
            measure_rtc(&rates);
        }
    }
    choose(&rates);
}
