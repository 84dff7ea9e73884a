#include "model/idle_booking.h"
#include "model/idle_clock.h"
#include "model/units.h"
#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

/* Idle states as timed on this machine. */

/* Each takes a walk over all sets; one for each port of a sweep comes first. */
#define DUMMIES_MAX 64U

static bool has_samples(struct judge *judge)
{
    if (judge->platform->idle_count == 0) {
        judge_skip(judge, judge->platform->idle_skipped != NULL ? judge->platform->idle_skipped
                                                                : "no idle state was timed");
        return false;
    }
    if (judge->platform->is_emulated) {
        judge_skip(judge, "emulated: the figures mean nothing");
        return false;
    }
    if (judge->platform->tsc_hz == 0) {
        judge_skip(judge, "the rate of the TSC is not known");
        return false;
    }
    return true;
}

static uint64_t to_ns(const struct judge *judge, uint64_t tsc)
{
    return units_tsc_to_ns(tsc, judge->platform->tsc_hz);
}

/* Linux before 6.0 reads the PM timer after the port on every CPU, later on Intel's only. */
static void say_dummy(struct judge *judge, const struct dummy_judgement *judgement)
{
    const struct idle_sample_set *set = judgement->with;

    judge->cpu = set->cpu;
    if (judgement->verdict == DUMMY_HARMFUL) {
        judge_warn(judge, "a second read that is short beside the sleep",
                   "%s: %llu ns a sleep (%llu ns with %u CPUs), booked %llu ns for %llu true: %s",
                   set->state, (unsigned long long)judgement->cost_ns,
                   (unsigned long long)judgement->crowd_cost_ns, judgement->crowd_cpus,
                   (unsigned long long)judgement->booking.booked_ns,
                   (unsigned long long)judgement->booking.true_ns, judgement->why);
    } else if (judgement->verdict == DUMMY_NEEDED) {
        judge_note(judge, "a port that stops the CPU before the next instruction", "%s: %s",
                   set->state, judgement->why);
    }
}

static void dummy_read_is_cheap(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_samples(judge)) {
        return;
    }
    for (uint32_t i = 0; idle_dummy_next(judge->platform, &i) && judged < DUMMIES_MAX; i++) {
        struct dummy_judgement judgement;

        idle_dummy_judge(judge->platform, i, &judgement);
        if (judgement.verdict != DUMMY_VERDICT_UNKNOWN) {
            judged++;
            say_dummy(judge, &judgement);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no I/O state with a PM-timer read was timed, or no verdict was had");
    }
}

static void few_samples_are_disturbed(struct judge *judge)
{
    if (!has_samples(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->idle_count; i++) {
        const struct idle_sample_set *idle = &judge->platform->idle[i];
        uint64_t all = idle->samples + idle->dropped;

        if (all >= 20 && idle->dropped * 4 > all &&
            !idle_tsc_stops(idle, judge->platform->tsc_hz)) {
            judge->cpu = idle->cpu;
            judge_warn(judge, "at most a quarter of the samples disturbed",
                       "%s: %llu of %llu dropped", idle->state, (unsigned long long)idle->dropped,
                       (unsigned long long)all);
        }
    }
}

static void smm_is_quiet(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_samples(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->idle_count; i++) {
        const struct idle_sample_set *idle = &judge->platform->idle[i];

        judged += idle->has_smi_count ? 1 : 0;
        if (idle->has_smi_count && idle->smi > 0) {
            judge->cpu = idle->cpu;
            judge_note(judge, "no SMI while an idle state is timed", "%s: %llu SMIs", idle->state,
                       (unsigned long long)idle->smi);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "SMIs could not be counted");
    }
}

static const struct idle_sample_set *find_set(const struct platform *platform, uint32_t cpu,
                                              enum idle_entry entry)
{
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        if (platform->idle[i].cpu == cpu && platform->idle[i].entry == entry &&
            platform->idle[i].exit_tsc.n > 0) {
            return &platform->idle[i];
        }
    }
    return NULL;
}

static uint64_t exit_ns(const struct judge *judge, const struct idle_sample_set *idle)
{
    return to_ns(judge, idle->exit_tsc.p50);
}

/* FreeBSD review D47444: C1 as HLT woke in 400 us where MWAIT takes 1 us. */
static void halt_wakes_fast(struct judge *judge)
{
    uint32_t judged = 0;

    if (!has_samples(judge)) {
        return;
    }
    for (uint32_t i = 0; i < judge->platform->idle_count; i++) {
        uint32_t cpu = judge->platform->idle[i].cpu;
        const struct idle_sample_set *halt = find_set(judge->platform, cpu, IDLE_HLT);
        const struct idle_sample_set *mwait = find_set(judge->platform, cpu, IDLE_MWAIT);

        if (halt != &judge->platform->idle[i] || mwait == NULL) {
            continue;
        }
        judged++;
        if (exit_ns(judge, halt) > 20 * (exit_ns(judge, mwait) + 100)) {
            judge->cpu = cpu;
            judge_warn(judge, "HLT that wakes within 20 times of MWAIT",
                       "HLT %llu ns, MWAIT %llu ns", (unsigned long long)exit_ns(judge, halt),
                       (unsigned long long)exit_ns(judge, mwait));
        }
    }
    if (judged == 0) {
        judge_skip(judge, "HLT and MWAIT were not both timed on one CPU");
    }
}

const struct rule idle_rules[] = {
    {
        .id = "IDL-001",
        .title = "The PM-timer read after an I/O state is cheap",
        .spec = "Linux 6.12 drivers/acpi/processor_idle.c io_idle",
        .why = "On the kernels that do it the read is billed as idle time and drives the processor "
               "into "
               "deeper states than it should use.",
        .advice = "Offer the state by MWAIT, or use a kernel without the read.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = dummy_read_is_cheap,
        .object = "idle",
    },
    {
        .id = "IDL-002",
        .title = "Few samples of an idle state are disturbed",
        .spec = "Assay, docs: how idle states are timed",
        .why = "Interrupts that the firmware leaves running, or SMIs, wake the processor.",
        .advice = "Quiet devices and SMM that wake an idle machine.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = few_samples_are_disturbed,
        .object = "idle",
    },
    {
        .id = "IDL-003",
        .title = "No SMI comes while an idle state is timed",
        .spec = "Intel SDM vol. 4, MSR 34H MSR_SMI_COUNT",
        .why = "SMIs wake the processor and delay everything by tens of microseconds.",
        .advice = "Avoid periodic SMIs.",
        .known_as = "BITS: SMI latency; turbostat: SMI column",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = smm_is_quiet,
        .object = "idle",
    },
    {
        .id = "IDL-004",
        .title = "HLT does not wake far more slowly than MWAIT",
        .spec = "AMD APM vol. 3, HLT; MWAIT",
        .why = "Systems that use HLT for C1 react late to every interrupt.",
        .advice = "Describe C1 as native fixed hardware (class 2) so that MWAIT is used.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = halt_wakes_fast,
        .object = "idle",
    },
    {.id = NULL},
};
