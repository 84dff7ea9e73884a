#include "model/units.h"
#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

/* Clocks as measured: drivers/clocks.c gives each a status in words. */

/* Linux 6.12 arch/x86/kernel/tsc.c: a stated rate that is off by more than 1/2048 is complained of. */
#define STATED_PPM_MAX 500
#define STATED_PPM_FAIL 10000

/* A counter against the TSC: the PM timer check of Linux 6.12 drivers/clocksource/acpi_pm.c allows 5 %. */
#define RATE_PPM_MAX 1000
#define RATE_PPM_FAIL 50000

static bool has_clocks(struct judge *judge)
{
    if (judge->platform->clocks_count == 0) {
        judge_skip(judge, "no clock was looked at");
        return false;
    }
    if (judge->platform->is_emulated) {
        judge_skip(judge, "emulated clocks say nothing");
        return false;
    }
    return true;
}

static const struct clock *find_clock(const struct platform *platform, const char *name)
{
    for (uint32_t i = 0; i < platform->clocks_count; i++) {
        if (strcmp(platform->clocks[i].name, name) == 0) {
            return &platform->clocks[i];
        }
    }
    return NULL;
}

static bool is_measured(const struct clock *clock)
{
    return clock->runs > 0;
}

/* The measurement to compare with: the one used, or one that agrees with what is used, or any. */
static const struct clock *measured_tsc(const struct platform *platform)
{
    static const char *const wanted[] = {"used", "agrees", NULL};

    for (size_t way = 0; way < sizeof(wanted) / sizeof(wanted[0]); way++) {
        for (uint32_t i = 0; i < platform->clocks_count; i++) {
            const struct clock *clock = &platform->clocks[i];

            if (strcmp(clock->name, "tsc") == 0 && is_measured(clock) && clock->hz != 0 &&
                (wanted[way] == NULL || strcmp(clock->status, wanted[way]) == 0)) {
                return clock;
            }
        }
    }
    return NULL;
}

/* A source that is only nominal may be off by its nature; records of older runs do not say. */
static uint64_t tolerance_ppm(const struct clock *clock)
{
    return clock->tolerance_ppm > STATED_PPM_MAX ? clock->tolerance_ppm : STATED_PPM_MAX;
}

static void tsc_is_invariant(struct judge *judge)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, 0);

    if (cpuid == NULL) {
        judge_skip(judge, "no CPUID in this set");
    } else if (judge->platform->is_emulated) {
        judge_skip(judge, "under a hypervisor");
    } else if (!cpuid_has(cpuid, CPU_FEATURE_INVARIANT_TSC)) {
        judge_note(judge, "an invariant TSC (CPUID 80000007H EDX[8])",
                   "the TSC stops in deep C-states or follows the clock");
    }
}

static void compare_stated(struct judge *judge, const struct clock *clock,
                           const struct clock *measured)
{
    uint64_t ppm = units_difference_ppm(clock->hz, measured->hz);
    uint64_t allowed_ppm = tolerance_ppm(clock) + measured->uncertainty_ppm;
    struct judge_text expected;

    (void)judge_text(&expected, "%llu Hz, as measured (+-%llu ppm)",
                     (unsigned long long)measured->hz,
                     (unsigned long long)measured->uncertainty_ppm);
    if (ppm <= allowed_ppm) {
        return;
    }
    if (strcmp(clock->from, CLOCK_FROM_P0) == 0) {
        /* P0 may have been redefined since the TSC was set going: nothing that an operating system uses. */
        judge_note(judge, expected.text, "%s: %llu Hz", clock->from, (unsigned long long)clock->hz);
    } else if (ppm > STATED_PPM_FAIL + measured->uncertainty_ppm) {
        judge_fail(judge, expected.text, "%s: %llu Hz", clock->from, (unsigned long long)clock->hz);
    } else {
        judge_warn(judge, expected.text, "%s: %llu Hz", clock->from, (unsigned long long)clock->hz);
    }
}

static void stated_rate_is_true(struct judge *judge)
{
    const struct clock *measured = measured_tsc(judge->platform);

    if (!has_clocks(judge)) {
        return;
    }
    if (measured == NULL) {
        judge_skip(judge, "the TSC was not measured");
        return;
    }
    for (uint32_t i = 0; i < judge->platform->clocks_count; i++) {
        const struct clock *clock = &judge->platform->clocks[i];

        if (strcmp(clock->name, "tsc") == 0 && !is_measured(clock) && clock->hz != 0) {
            compare_stated(judge, clock, measured);
        }
    }
}

static void measurement_is_stable(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_clocks(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->clocks_count; i++) {
        const struct clock *clock = &judge->platform->clocks[i];

        if (!is_measured(clock)) {
            continue;
        }
        judged++;
        if (strcmp(clock->status, "runs do not agree") == 0 || clock->rejected * 2 > clock->runs) {
            judge_warn(judge, "runs that agree", "%s: %u of %u runs disturbed (+-%llu ppm)",
                       clock->from, clock->rejected, clock->runs,
                       (unsigned long long)clock->uncertainty_ppm);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no clock was measured");
    }
}

/* Names of states in which a counter cannot be used. */
static bool is_broken(const char *status)
{
    return strcmp(status, "does not count") == 0 || strcmp(status, "runs backwards") == 0;
}

/* A single read may be wrong: Linux 6.12 drivers/clocksource/acpi_pm.c reads three times over, but only on the
 * chipsets that it knows. */
static bool is_torn(const char *status)
{
    return strncmp(status, "counts, but", 11) == 0;
}

static void check_counter(struct judge *judge, const char *name, enum verdict verdict)
{
    const struct clock *clock = find_clock(judge->platform, name);

    if (!has_clocks(judge)) {
        return;
    }
    if (clock == NULL || !platform_is_firsthand(judge->platform) || clock->hz == 0) {
        judge_skip(judge, "the counter is absent or was not read");
    } else if (is_broken(clock->status) && verdict == VERDICT_FAIL) {
        judge_fail(judge, "a counter that counts forward", "%s", clock->status);
    } else if (is_broken(clock->status) || is_torn(clock->status)) {
        judge_warn(judge, "a counter that counts forward", "%s", clock->status);
    }
}

static void pm_timer_counts(struct judge *judge)
{
    check_counter(judge, "pm_timer", VERDICT_FAIL);
}

static void pit_counts(struct judge *judge)
{
    check_counter(judge, "pit", VERDICT_WARN);
}

static void hpet_counts(struct judge *judge)
{
    check_counter(judge, "hpet", VERDICT_WARN);
}

/* The TSC entry that was measured against a counter. */
static const struct clock *measured_from(const struct platform *platform, const char *from)
{
    for (uint32_t i = 0; i < platform->clocks_count; i++) {
        const struct clock *clock = &platform->clocks[i];

        if (is_measured(clock) && clock->hz != 0 && strcmp(clock->from, from) == 0) {
            return clock;
        }
    }
    return NULL;
}

/* A TSC that seems slow against a counter means that the counter is fast. */
static void check_rate(struct judge *judge, const char *object, const char *from)
{
    const struct platform *platform = judge->platform;
    const struct clock *clock = measured_from(platform, from);
    uint64_t ppm;
    struct judge_text expected;

    if (clock == NULL || strcmp(clock->status, "disagrees") != 0) {
        return;
    }
    ppm = units_difference_ppm(platform->tsc_hz, clock->hz);
    judge->object = object;
    (void)judge_text(&expected, "its specified rate, by a TSC of %llu Hz (%s)",
                     (unsigned long long)platform->tsc_hz, platform->tsc_from);
    if (ppm > RATE_PPM_FAIL + clock->uncertainty_ppm) {
        judge_fail(judge, expected.text, "%llu ppm of it",
                   (unsigned long long)mul_div_round_u64(platform->tsc_hz, 1000000, clock->hz));
    } else if (ppm > RATE_PPM_MAX + clock->uncertainty_ppm) {
        judge_warn(judge, expected.text, "%llu ppm of it",
                   (unsigned long long)mul_div_round_u64(platform->tsc_hz, 1000000, clock->hz));
    }
}

static void counters_run_true(struct judge *judge)
{
    if (!has_clocks(judge)) {
        return;
    }
    if (measured_tsc(judge->platform) == NULL || judge->platform->tsc_hz == 0) {
        judge_skip(judge, "no counter was measured");
        return;
    }
    check_rate(judge, "PM timer", CLOCK_FROM_PM_TIMER);
    check_rate(judge, "HPET", CLOCK_FROM_HPET);
    check_rate(judge, "PIT", CLOCK_FROM_PIT);
    judge->object = NULL;
}

static void tscs_are_alike(struct judge *judge)
{
    const struct tsc_sync *sync = &judge->platform->tsc_sync;
    struct judge_text expected;

    if (judge->platform->is_emulated) {
        judge_skip(judge, "emulated clocks say nothing");
    } else if (sync->compared == 0) {
        judge_skip(judge, "the TSCs of several CPUs were not compared");
    } else if (sync->differing != 0) {
        judge_fail(
            judge, judge_text(&expected, "the boot CPU's TSC on all of %u CPUs", sync->compared),
            "%u differ; CPU %u by at least %llu ticks (%s)", sync->differing, sync->worst_cpu,
            (unsigned long long)sync->worst_tsc, sync->is_worst_behind ? "behind" : "ahead");
    }
}

const struct rule clock_rules[] = {
    {
        .id = "CLK-001",
        .title = "The TSC is invariant",
        .spec = "Intel SDM vol. 3, 18.17.1 Invariant TSC; AMD APM vol. 3, CPUID 80000007H EDX[8]",
        .why = "The system uses a slower clock; idle times measured by the TSC are wrong.",
        .advice = "None: a property of the processor.",
        .known_as = "Linux: TSC halts in idle",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = tsc_is_invariant,
        .object = "CPUID 80000007H",
    },
    {
        .id = "CLK-002",
        .title = "The TSC rate that is stated is the one measured",
        .spec = "Intel SDM vol. 2A, CPUID 15H and 16H; vol. 4, MSR CEH",
        .why = "The system's time drifts, and every frequency shown is off by the same factor.",
        .advice = "Correct the crystal or bus clock that the firmware programs or reports.",
        .known_as = "Linux: TSC freq calibrated by CPUID/MSR differs from what is calibrated by HW "
                    "timer",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = stated_rate_is_true,
        .object = "TSC",
    },
    {
        .id = "CLK-003",
        .title = "Measurements of the TSC agree with each other",
        .spec = "Linux 6.12 arch/x86/kernel/tsc.c",
        .why = "SMM or a hypervisor steals time; calibration at boot may go wrong.",
        .advice = "Shorten what SMM does periodically.",
        .known_as = "BITS: SMI latency",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = measurement_is_stable,
        .object = "TSC",
    },
    {
        .id = "CLK-004",
        .title = "The PM timer counts",
        .spec = "ACPI 6.5, 4.8.2.1 Power Management Timer",
        .why = "Linux finds no independent clock to check the TSC against.",
        .advice = "Correct the port in the FADT, or enable the timer in the chipset.",
        .known_as = "Linux: PM-Timer failed consistency check",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = pm_timer_counts,
        .object = "PM timer",
    },
    {
        .id = "CLK-005",
        .title = "The PIT counts",
        .spec = "Intel 8254 data sheet, mode 0; Linux 6.12 arch/x86/kernel/tsc.c",
        .why = "Programs that wait for it hang.",
        .advice = "Leave 8254 clock gating off, or say in the documentation that it is on.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = pit_counts,
        .object = "PIT",
    },
    {
        .id = "CLK-006",
        .title = "The HPET counts",
        .spec = "IA-PC HPET Specification 1.0a, 2.3.7 Main Counter Value Register",
        .why = "Linux has one clock less to fall back on.",
        .advice = "Enable the timer before the operating system starts, or remove the table.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = hpet_counts,
        .object = "HPET",
    },
    {
        .id = "CLK-007",
        .title = "Every counter runs at its rate",
        .spec = "ACPI 6.5, 4.8.2.1 Power Management Timer; IA-PC HPET Specification 1.0a, 2.3.4; "
                "Intel 8254 data sheet",
        .why = "An operating system that times the processor by it runs all of its time wrong.",
        .advice = "Correct the clock that the counter is given, or the period that it states.",
        .known_as = "Linux: PM-Timer running at invalid rate",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = counters_run_true,
        .object = "PM timer, HPET, PIT",
    },
    {
        .id = "CLK-008",
        .title = "The TSCs of all CPUs show the same time",
        .spec = "Intel SDM vol. 3, 18.17 Time-Stamp Counter; Linux 6.12 arch/x86/kernel/tsc_sync.c",
        .why = "Linux gives the TSC up as a clock for all programs: every look at the time "
               "becomes "
               "hundreds of times slower.",
        .advice = "Do not write the TSC or TSC_ADJUST in firmware or SMM; write it alike on "
                  "all CPUs.",
        .known_as = "Linux: TSC synchronization: Measured cycles TSC warp between CPUs",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = tscs_are_alike,
        .object = "TSC",
    },
    {.id = NULL},
};
