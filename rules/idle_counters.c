#include "model/idle_booking.h"
#include "model/idle_clock.h"
#include "model/idle_energy.h"
#include "model/idle_reach.h"
#include "model/units.h"
#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

/* Counters and clocks beside the sleeps: does the TSC run, does the package sleep too. */

static bool can_judge(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (platform->is_emulated) {
        judge_skip(judge, "emulated: the figures mean nothing");
    } else if (platform->tsc_hz == 0) {
        judge_skip(judge, "the rate of the TSC is not known");
    } else if (platform->idle_count == 0) {
        judge_skip(judge, platform->idle_skipped != NULL ? platform->idle_skipped
                                                         : "no idle state was timed");
    } else {
        return true;
    }
    return false;
}

static void say_stopped(struct judge *judge, const struct idle_sample_set *set, uint64_t pct)
{
    const struct cpuid_set *cpuid = platform_cpuid(judge->platform, set->cpu);

    judge->cpu = set->cpu;
    if (cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_INVARIANT_TSC)) {
        judge_fail(judge, "a TSC that runs in every state (CPUID 80000007H EDX[8])",
                   "%s: %llu %% of the time by the PM timer", set->state, (unsigned long long)pct);
    } else {
        judge_note(judge, "a TSC that runs in every state",
                   "%s: it stops (%llu %% of the time by the PM timer), and CPUID 80000007H EDX[8] "
                   "does not promise otherwise",
                   set->state, (unsigned long long)pct);
    }
}

/* The worst length of a way speaks for it: the set with the lowest share of those before it is said. */
static bool is_worst_of_way(const struct platform *platform, uint32_t index)
{
    const struct idle_sample_set *set = &platform->idle[index];
    uint64_t pct = idle_tsc_pct(set, platform->tsc_hz);

    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *other = &platform->idle[i];
        uint64_t other_pct = idle_tsc_pct(other, platform->tsc_hz);
        bool is_same_way = other->cpu == set->cpu && other->entry == set->entry &&
                           other->port == set->port && other->hint == set->hint;

        if (is_same_way && other_pct != 0 && (other_pct < pct || (other_pct == pct && i < index))) {
            return false;
        }
    }
    return true;
}

static void tsc_runs_asleep(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    uint32_t judged = 0;

    if (!can_judge(judge)) {
        return;
    }
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        uint64_t pct = idle_tsc_pct(&platform->idle[i], platform->tsc_hz);

        judged += pct != 0 ? 1 : 0;
        if (idle_tsc_stops(&platform->idle[i], platform->tsc_hz) && is_worst_of_way(platform, i)) {
            say_stopped(judge, &platform->idle[i], pct);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "the PM timer was not read beside any idle state");
    }
}

/* Only where all other CPUs sleep as deeply can the package follow: one CPU, or the others in MWAIT. */
static bool may_take_package_along(const struct idle_sample_set *set)
{
    bool is_deep = set->state[0] == 'C' && set->state[1] >= '2' && set->state[1] <= '9';
    bool are_others_deep = set->others == NULL || strcmp(set->others, "MWAIT") == 0;

    return set->has_package_residency && is_deep && are_others_deep && set->spent_tsc != 0 &&
           set->requested_ns >= UINT64_C(1000000);
}

static void package_sleeps_too(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    const struct idle_sample_set *most = NULL;

    if (!can_judge(judge)) {
        return;
    }
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (may_take_package_along(set) && (most == NULL || set->package_tsc > most->package_tsc)) {
            most = set;
        }
    }
    if (most == NULL) {
        judge_skip(judge, "the CPU has no package residency counters, or no deep state was timed "
                          "while all others slept as deeply");
    } else if (most->package_tsc < most->spent_tsc / 100) {
        judge->cpu = most->cpu;
        judge_note(judge, "a package that sleeps when all its CPUs do",
                   "%s for %llu ns asleep, the package for %llu ns", most->state,
                   (unsigned long long)units_tsc_to_ns(most->spent_tsc, platform->tsc_hz),
                   (unsigned long long)units_tsc_to_ns(most->package_tsc, platform->tsc_hz));
    }
}

/* Linux takes twice the latency for the length from which a state pays: IDLE_LATENCY_FACTOR. */
static void judge_break_even(struct judge *judge, const struct idle_sample_set *set,
                             enum avail found, uint64_t break_even_us)
{
    uint64_t assumed_us = IDLE_LATENCY_FACTOR * set->declared_latency_us;

    judge->cpu = set->cpu;
    if (found == AVAIL_ABSENT) {
        judge_note(judge, "a state that takes less energy than HLT", "%s: more, at every length",
                   set->state);
    } else if (set->has_declared_latency && break_even_us > assumed_us + assumed_us / 4) {
        judge_note(judge, "a state that pays from twice its declared latency on",
                   "%s: from %llu us on, declared %llu us", set->state,
                   (unsigned long long)break_even_us, (unsigned long long)set->declared_latency_us);
    }
}

static bool is_first_of_way(const struct platform *platform, uint32_t index)
{
    for (uint32_t i = index; i > 0; i--) {
        if (idle_is_same_way(&platform->idle[i - 1], &platform->idle[index])) {
            return false;
        }
    }
    return true;
}

static void states_pay(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    uint32_t judged = 0;

    if (!can_judge(judge)) {
        return;
    }
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];
        uint64_t break_even_us;
        enum avail found;

        if (!set->has_energy || set->dummy_read != DUMMY_NONE || !is_first_of_way(platform, i)) {
            continue;
        }
        found = idle_break_even(platform, i, &break_even_us);
        if (found != AVAIL_UNTRIED && strcmp(set->state, "C1") != 0) {
            judged++;
            judge_break_even(judge, set, found, break_even_us);
        }
    }
    if (judged == 0) {
        judge_skip(judge, platform->idle_energy_why != NULL
                              ? platform->idle_energy_why
                              : "no deeper state's energy was measured");
    }
}

const struct rule idle_counters_rules[] = {
    {
        .id = "IDL-014",
        .title = "The TSC runs while the CPU sleeps",
        .spec = "Intel SDM vol. 3B, 18.17.1 Invariant TSC; AMD APM vol. 3, CPUID 8000_0007H EDX[8]",
        .why = "Time asleep measured with a TSC that stops is near zero, and the system's clock "
               "loses what it slept.",
        .advice = "Let no state be offered in which the TSC stops, or do not promise an invariant "
                  "TSC.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = tsc_runs_asleep,
        .object = "idle",
    },
    {
        .id = "IDL-015",
        .title = "The package sleeps when all its CPUs do",
        .spec = "Intel SDM vol. 4, MSR_PKG_C2_RESIDENCY to MSR_PKG_C10_RESIDENCY",
        .why = "Most of what an idle server saves is saved by the package, not by the cores.",
        .advice = "Check the package C-state limit (MSR E2H [3:0]) and what keeps the package up.",
        .known_as = "turbostat: Pkg%pc2 to Pk%pc10",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = package_sleeps_too,
        .object = "idle",
    },
    {
        .id = "IDL-016",
        .title = "An idle state pays from the length that systems assume",
        .spec = "Linux 6.12 drivers/acpi/processor_idle.c, latency_factor; ACPI 6.5, 8.4.1.1 _CST",
        .why = "Sleeps between the assumed and the true length cost energy instead of saving it.",
        .advice = "Declare a latency from which the assumed length follows, or a state that saves "
                  "more.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = states_pay,
        .object = "_CST",
    },
    {.id = NULL},
};
