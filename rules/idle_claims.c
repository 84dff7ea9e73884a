#include "model/idle_clock.h"
#include "model/idle_reach.h"
#include "model/units.h"
#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

/* Idle states as claimed against idle states as timed. */

/* More ways than that are not told apart: each is an instruction with its operands, whatever the CPU. */
#define WAYS_MAX 24U

/* Below this the stamps themselves are as long. */
#define RESOLUTION_NS 200U

struct ways {
    uint32_t count;
    const struct idle_sample_set *set[WAYS_MAX]; /* the one of each that the question picks */
};

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

static uint64_t to_ns(const struct judge *judge, uint64_t tsc)
{
    return units_tsc_to_ns(tsc, judge->platform->tsc_hz);
}

static bool is_alike(const struct idle_sample_set *a, const struct idle_sample_set *b)
{
    return a->entry == b->entry && a->port == b->port && a->hint == b->hint &&
           a->dummy_read == b->dummy_read && strcmp(a->state, b->state) == 0;
}

typedef bool (*is_preferred)(const struct idle_sample_set *set, const struct idle_sample_set *than);

/* One set of each way: that which is_preferred over all others of the machine. */
static void pick_ways(const struct platform *platform, is_preferred prefer, struct ways *ret_ways)
{
    ret_ways->count = 0;
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];
        uint32_t way = 0;

        while (way < ret_ways->count && !is_alike(ret_ways->set[way], set)) {
            way++;
        }
        if (way == ret_ways->count && way < WAYS_MAX) {
            ret_ways->set[ret_ways->count++] = set;
        } else if (way < ret_ways->count && prefer(set, ret_ways->set[way])) {
            ret_ways->set[way] = set;
        }
    }
}

static bool wakes_latest(const struct idle_sample_set *set, const struct idle_sample_set *than)
{
    return set->exit_tsc.n != 0 &&
           (than->exit_tsc.n == 0 || set->exit_tsc.p99 > than->exit_tsc.p99);
}

static bool is_longer(const struct idle_sample_set *set, const struct idle_sample_set *than)
{
    return set->requested_ns > than->requested_ns;
}

static bool never_woke_more(const struct idle_sample_set *set, const struct idle_sample_set *than)
{
    return set->never_woke > than->never_woke;
}

static bool is_rather_resident(const struct idle_sample_set *set,
                               const struct idle_sample_set *than)
{
    return set->has_residency && (!than->has_residency || set->spent_tsc > than->spent_tsc);
}

/* Judges what one way declares against the 99th percentile of its wake-ups. */
typedef void (*declared_check)(struct judge *judge, const struct idle_sample_set *set,
                               uint64_t declared_ns, uint64_t measured_ns);

static void each_declared(struct judge *judge, declared_check check)
{
    struct ways ways;
    uint32_t judged = 0;

    if (!can_judge(judge)) {
        return;
    }
    pick_ways(judge->platform, wakes_latest, &ways);
    for (uint32_t i = 0; i < ways.count; i++) {
        const struct idle_sample_set *set = ways.set[i];

        if (!set->has_declared_latency || set->exit_tsc.n == 0) {
            continue;
        }
        judged++;
        check(judge, set, mul_div_u64(set->declared_latency_us, 1000, 1),
              to_ns(judge, set->exit_tsc.p99));
    }
    if (judged == 0) {
        judge_skip(judge, "no state with a declared latency was timed asleep");
    }
}

static void warn_when_understated(struct judge *judge, const struct idle_sample_set *set,
                                  uint64_t declared_ns, uint64_t measured_ns)
{
    if (measured_ns / 2 > declared_ns + 1000) {
        judge->cpu = set->cpu;
        judge_warn(judge, "99 of 100 wake-ups within twice the latency that is declared",
                   "%s: declared %llu us, measured %llu ns", set->state,
                   (unsigned long long)set->declared_latency_us, (unsigned long long)measured_ns);
    }
}

static void latency_is_declared(struct judge *judge)
{
    each_declared(judge, warn_when_understated);
}

static void note_when_overstated(struct judge *judge, const struct idle_sample_set *set,
                                 uint64_t declared_ns, uint64_t measured_ns)
{
    if (declared_ns > 10000 && declared_ns / 10 > measured_ns) {
        judge->cpu = set->cpu;
        judge_note(judge, "a declared latency within ten times of the 99th percentile",
                   "%s: declared %llu us, measured %llu ns", set->state,
                   (unsigned long long)set->declared_latency_us, (unsigned long long)measured_ns);
    }
}

static void latency_is_not_overstated(struct judge *judge)
{
    each_declared(judge, note_when_overstated);
}

/* "C2" is 2; 0 for what is no ACPI state. */
static unsigned depth_of(const struct idle_sample_set *set)
{
    bool is_state = set->state[0] == 'C' && set->state[1] >= '1' && set->state[1] <= '9';

    return is_state ? (unsigned)(set->state[1] - '0') : 0;
}

/* Two ACPI states of one CPU at one length, the first the shallower; without second reads. */
static bool is_pair(const struct idle_sample_set *shallow, const struct idle_sample_set *deep)
{
    return shallow->exit_tsc.n != 0 && deep->exit_tsc.n != 0 && depth_of(shallow) != 0 &&
           depth_of(shallow) < depth_of(deep) && shallow->dummy_read == DUMMY_NONE &&
           deep->dummy_read == DUMMY_NONE;
}

static bool is_shallow_faster(struct judge *judge, const struct idle_sample_set *shallow,
                              const struct idle_sample_set *deep)
{
    return to_ns(judge, shallow->exit_tsc.p50) <=
           to_ns(judge, deep->exit_tsc.p50) * 6 / 5 + RESOLUTION_NS;
}

static void deeper_states_wake_later(struct judge *judge)
{
    struct ways ways;
    uint32_t judged = 0;

    if (!can_judge(judge)) {
        return;
    }
    pick_ways(judge->platform, is_longer, &ways);
    for (uint32_t i = 0; i < ways.count * ways.count; i++) {
        const struct idle_sample_set *shallow = ways.set[i / ways.count];
        const struct idle_sample_set *deep = ways.set[i % ways.count];

        if (!is_pair(shallow, deep)) {
            continue;
        }
        judged++;
        if (!is_shallow_faster(judge, shallow, deep)) {
            judge->cpu = deep->cpu;
            judge_warn(judge, "a deeper state that takes longer to leave",
                       "%s takes %llu ns, %s only %llu ns", shallow->state,
                       (unsigned long long)to_ns(judge, shallow->exit_tsc.p50), deep->state,
                       (unsigned long long)to_ns(judge, deep->exit_tsc.p50));
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no two states were timed asleep");
    }
}

static void states_differ(struct judge *judge)
{
    struct ways ways;
    uint32_t judged = 0;

    if (!can_judge(judge)) {
        return;
    }
    pick_ways(judge->platform, is_longer, &ways);
    for (uint32_t i = 0; i < ways.count * ways.count; i++) {
        const struct idle_sample_set *shallow = ways.set[i / ways.count];
        const struct idle_sample_set *deep = ways.set[i % ways.count];
        uint64_t shallow_ns, deep_ns;

        if (!is_pair(shallow, deep)) {
            continue;
        }
        judged++;
        shallow_ns = to_ns(judge, shallow->exit_tsc.p50);
        deep_ns = to_ns(judge, deep->exit_tsc.p50);
        if (deep_ns * 10 <= shallow_ns * 11 && shallow_ns * 10 <= deep_ns * 11) {
            judge->cpu = deep->cpu;
            judge_note(judge, "states that differ in how long they take to leave",
                       "%s and %s both take %llu ns: perhaps one state under two names",
                       shallow->state, deep->state, (unsigned long long)deep_ns);
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no two states were timed asleep");
    }
}

/* Only states that firmware claims: what CPUID alone offers is not its promise. */
static bool is_claimed(const struct idle_sample_set *set)
{
    return set->port_from != NULL && strcmp(set->port_from, "CPUID 5") != 0;
}

static void states_are_entered(struct judge *judge)
{
    struct ways ways;
    uint32_t judged = 0;

    if (!can_judge(judge)) {
        return;
    }
    pick_ways(judge->platform, is_longer, &ways);
    for (uint32_t i = 0; i < ways.count; i++) {
        const struct idle_sample_set *set = ways.set[i];

        if (!is_claimed(set) || set->samples == 0 || set->stopped_in == STOPPED_UNKNOWN ||
            idle_tsc_stops(set, judge->platform->tsc_hz)) { /* IDL-014 says so */
            continue;
        }
        judged++;
        if (set->stopped_in == STOPPED_NONE && set->ran_on_tsc.n == 0) {
            judge->cpu = set->cpu;
            judge_warn(judge, "a CPU that stops", "%s%s: never, in sleeps of up to %llu us",
                       set->state, set->dummy_read == DUMMY_NONE ? "" : " with the second read",
                       (unsigned long long)(set->requested_ns / 1000));
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no state that the firmware offers was timed");
    }
}

/* ARAT: SDM vol. 2A, CPUID leaf 06H EAX[2]. */
static void timer_wakes_every_state(struct judge *judge)
{
    struct ways ways;

    if (!can_judge(judge)) {
        return;
    }
    pick_ways(judge->platform, never_woke_more, &ways);
    for (uint32_t i = 0; i < ways.count; i++) {
        const struct idle_sample_set *set = ways.set[i];
        const struct cpuid_set *cpuid = platform_cpuid(judge->platform, set->cpu);
        bool is_promised = cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_ARAT);

        if (set->never_woke == 0) {
            continue;
        }
        judge->cpu = set->cpu;
        if (is_promised) {
            judge_fail(judge, "a timer that runs in every state (CPUID 6 EAX[2])",
                       "%s: %llu sleeps that it did not end", set->state,
                       (unsigned long long)set->never_woke);
        } else {
            judge_note(judge, "a timer that runs in every state",
                       "%s: it stops, and CPUID 6 EAX[2] does not promise otherwise", set->state);
        }
    }
}

/* The counter of the state, at TSC rate, over the sleeps: SDM vol. 4, MSR 3FCH, 3FDH, 3FEH, 660H. */
static void residency_is_counted(struct judge *judge)
{
    struct ways ways;
    uint32_t judged = 0;

    if (!can_judge(judge)) {
        return;
    }
    pick_ways(judge->platform, is_rather_resident, &ways);
    for (uint32_t i = 0; i < ways.count; i++) {
        const struct idle_sample_set *set = ways.set[i];

        if (!set->has_residency || set->spent_tsc == 0 || depth_of(set) == 1) {
            continue;
        }
        judged++;
        if (set->resident_tsc < set->spent_tsc / 2) {
            judge->cpu = set->cpu;
            judge_warn(judge, "residency counters that agree with the time asleep",
                       "%s: %llu of %llu ns", set->state,
                       (unsigned long long)to_ns(judge, set->resident_tsc),
                       (unsigned long long)to_ns(judge, set->spent_tsc));
        }
    }
    if (judged == 0) {
        judge_skip(judge, "the CPU has no residency counters, or none was read");
    }
}

static void nobody_takes_time(struct judge *judge)
{
    const struct tsc_gaps *gaps = &judge->platform->tsc_gaps;

    if (judge->platform->is_emulated) {
        judge_skip(judge, "emulated: the host takes the CPU as it likes");
    } else if (gaps->watched_tsc == 0 || judge->platform->tsc_hz == 0) {
        judge_skip(judge, "the TSC was not watched");
    } else if (gaps->count > 0) {
        judge_warn(judge, "no jump of the TSC with interrupts off",
                   "%llu in %llu ms, the longest %llu ns, %llu ppm of the time",
                   (unsigned long long)gaps->count,
                   (unsigned long long)(to_ns(judge, gaps->watched_tsc) / 1000000),
                   (unsigned long long)to_ns(judge, gaps->longest_tsc),
                   (unsigned long long)mul_div_u64(gaps->lost_tsc, 1000000, gaps->watched_tsc));
    }
}

/* One CPU's median against that of the most CPUs at once, for one port. */
static const struct port_cost *find_alone(const struct platform *platform,
                                          const struct port_cost *crowd)
{
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        const struct port_cost *cost = &platform->port_costs[i];

        if (cost->cpus == 1 && cost->port == crowd->port && cost->paddr == crowd->paddr) {
            return cost;
        }
    }
    return NULL;
}

static void ports_bear_a_crowd(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    uint32_t judged = 0;

    for (uint32_t i = 0; i < platform->port_costs_count && !platform->is_emulated; i++) {
        const struct port_cost *crowd = &platform->port_costs[i];
        const struct port_cost *alone = find_alone(platform, crowd);

        if (crowd->cpus == 1 || alone == NULL || alone->read_tsc.p50 == 0) {
            continue;
        }
        judged++;
        if (crowd->read_tsc.p50 / 10 > alone->read_tsc.p50) {
            judge_note(judge, "a read that ten times as many CPUs do not make ten times as slow",
                       "%s: %llu ns on one CPU, %llu ns on %u at once", crowd->port_name,
                       (unsigned long long)to_ns(judge, alone->read_tsc.p50),
                       (unsigned long long)to_ns(judge, crowd->read_tsc.p50), crowd->cpus);
        }
    }
    if (judged == 0) {
        judge_skip(judge, platform->is_emulated ? "emulated: the figures mean nothing"
                                                : "no port was read by several CPUs at once");
    }
}

const struct rule idle_claims_rules[] = {
    {
        .id = "IDL-005",
        .title = "Idle states wake within the latency that is declared",
        .spec = "ACPI 6.5, 8.4.1.1 _CST (C States), Latency",
        .why =
            "The governor chooses the state for pauses that are too short: stutter and lost power.",
        .advice = "Declare the worst case.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = latency_is_declared,
        .object = "_CST",
    },
    {
        .id = "IDL-006",
        .title = "The declared latency is not far above what a wake-up takes",
        .spec = "ACPI 6.5, 8.4.1.1 _CST (C States), Latency",
        .why = "The governor takes the state for long pauses only and leaves power unsaved.",
        .advice = "Declare what the state needs at worst, and no more.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = latency_is_not_overstated,
        .object = "_CST",
    },
    {
        .id = "IDL-007",
        .title = "A deeper state takes longer to leave",
        .spec = "ACPI 6.5, 8.1 Processor Power States",
        .why = "Governors rank states by their latency; in the wrong order the worse one is used.",
        .advice = "Look at what the firmware configures for each state's entry.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = deeper_states_wake_later,
        .object = "_CST",
    },
    {
        .id = "IDL-008",
        .title = "Two states are not one under two names",
        .spec = "ACPI 6.5, 8.1 Processor Power States",
        .why = "A state that a limit or a demotion turns into a shallower one saves nothing more.",
        .advice = "Check the package C-state limit and the demotion settings.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = states_differ,
        .object = "_CST",
    },
    {
        .id = "IDL-009",
        .title = "Every state that the firmware offers stops the CPU",
        .spec = "ACPI 6.5, 8.4.1.1 _CST (C States), Register",
        .why = "The system believes it is idle and runs at full power.",
        .advice = "Let the firmware enable the state, or leave it out of the list.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = states_are_entered,
        .object = "_CST",
    },
    {
        .id = "IDL-010",
        .title = "The local APIC timer ends every sleep",
        .spec = "Intel SDM vol. 2A, CPUID leaf 06H EAX[2] ARAT",
        .why = "A CPU whose timer stops sleeps until something else happens: the system stalls.",
        .advice = "Limit the state, or correct what the CPU reports of its timer.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = timer_wakes_every_state,
        .object = "idle",
    },
    {
        .id = "IDL-011",
        .title = "Residency counters agree with the time asleep",
        .spec = "Intel SDM vol. 4, MSR_CORE_C3_RESIDENCY, MSR_CORE_C6_RESIDENCY",
        .why = "The CPU sleeps in a shallower state than was asked for.",
        .advice = "Check the package C-state limit and the demotion settings.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = residency_is_counted,
        .object = "idle",
    },
    {
        .id = "IDL-012",
        .title = "Nothing takes the CPU while interrupts are off",
        .spec = "Assay, docs/measuring.md, gaps",
        .why = "SMIs delay everything, and bound how far every figure here can be believed.",
        .advice = "Avoid periodic SMIs.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = nobody_takes_time,
        .object = "idle",
    },
    {
        .id = "IDL-013",
        .title = "Port reads bear many CPUs at once",
        .spec = "Assay, docs/measuring.md, contention",
        .why = "Kernels that read the PM timer in the idle loop queue up behind one bus.",
        .advice = "Offer states by MWAIT, and another clock than the PM timer.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = ports_bear_a_crowd,
        .object = "idle",
    },
    {.id = NULL},
};
