#include "drivers/idle_measure.h"
#include "drivers/idle_sample.h"
#include "model/units.h"
#include "tests/sim/sim_idle.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * Many simulated machines whose truth is known for every pass: is it found where they stop, and is every
 * percentile that would be quoted right? The seed is fixed, so every run is the same.
 */
#define MACHINES 600U
#define SAMPLES 300U
#define US UINT64_C(1000000) /* in ps */
#define PORT 0x814U
#define PM_PORT 0x808U

/* A tick at 1 GHz and the rounding of two others. */
#define TOLERANCE_TSC 4U

enum kind { KIND_FIRST = 0, KIND_LATE, KIND_NOT, KIND_HALT, KINDS };

struct score {
    unsigned sets;
    unsigned right;
    unsigned percentiles;
    unsigned within;
};

static const char *const names[KINDS] = {"stops in the first read", "stops 0 to 20 us late",
                                         "does not stop", "HLT"};
static struct idle_tally tally;
static struct sim_idle machine;
static uint64_t state = 20221;

static uint64_t draw(uint64_t from, uint64_t to)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (state >> 33) % (to - from + 1);
}

static void make_machine(unsigned index, enum kind kind)
{
    sim_idle_init(&machine, 1, index);
    machine.tsc_hz = draw(1000, 5000) * 1000000;
    machine.overhead_ps = draw(8000, 30000);
    machine.port_ps = draw(200, 3000) * 1000;
    machine.pm_ps = draw(300, 20000) * 1000;
    machine.jitter_permille = (uint32_t)draw(0, 50);
    machine.exit_ps = draw(500, 100000) * 1000;
    machine.exit_spread_ps = machine.exit_ps / draw(3, 20);
    machine.exit_tail_ps = draw(0, 1) * machine.exit_ps;
    machine.halt_exit_ps = draw(200, 10000) * 1000;
    machine.stop = kind == KIND_LATE  ? SIM_IDLE_LATE
                   : kind == KIND_NOT ? SIM_IDLE_NOT
                                      : SIM_IDLE_AT_ONCE;
    machine.late_ps = draw(0, 20000) * 1000;
    if (draw(0, 2) == 0) {
        machine.smi.every_ps = draw(10, 200) * 1000 * US;
        machine.smi.lasts_ps = 100 * US;
        machine.has_smi_count = draw(0, 3) != 0;
    }
    if (draw(0, 2) == 0) {
        machine.intruder.every_ps = draw(20, 200) * 1000 * US;
        machine.intruder.lasts_ps = draw(1, 20) * US;
    }
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

/* The true percentile by nearest rank, in TSC ticks; only of passes that nothing disturbed. */
static uint64_t true_percentile(size_t offset, uint32_t stopped, unsigned permille)
{
    static uint64_t values[SIM_IDLE_TRUTHS];
    size_t count = 0;
    size_t rank;

    for (uint32_t i = 0; i < machine.truths_count; i++) {
        const struct sim_idle_truth *truth = &machine.truths[i];

        if (!truth->is_disturbed && (stopped == UINT32_MAX || truth->stopped == stopped)) {
            memcpy(&values[count++], (const char *)truth + offset, sizeof(uint64_t));
        }
    }
    assert_true(count > 0);
    qsort(values, count, sizeof(values[0]), compare);
    rank = (count * permille + 999) / 1000;
    return mul_div_u64(values[rank == 0 ? 0 : rank - 1], machine.tsc_hz, UINT64_C(1000000000000));
}

/* An SMI that nothing counts and that ends with the sleep looks like any wake-up: a few ranks of a thousand to either
 * side is then as true. */
static void compare_one(struct score *score, uint64_t found, size_t offset, uint32_t stopped,
                        unsigned permille)
{
    unsigned slack = machine.smi.every_ps != 0 && !machine.has_smi_count ? 4 : 0;
    uint64_t low = true_percentile(offset, stopped, permille - slack);
    uint64_t high = true_percentile(offset, stopped, permille + slack);
    bool is_within =
        found * 50 + TOLERANCE_TSC * 50 >= low * 49 && found * 50 <= high * 51 + TOLERANCE_TSC * 50;

    score->percentiles++;
    score->within += is_within ? 1U : 0U;
}

static void compare_dist(struct score *score, const struct distribution *found, size_t offset,
                         uint32_t stopped)
{
    if (found->n > 0) {
        compare_one(score, found->p50, offset, stopped, 500);
        compare_one(score, found->p90, offset, stopped, 900);
        compare_one(score, found->p99, offset, stopped, 990);
    }
}

/* Where most passes stopped; UNKNOWN where they do not agree as well as a verdict asks for. */
static enum stopped_in true_stop(void)
{
    unsigned votes[4] = {0};
    enum stopped_in most = STOPPED_NONE;
    unsigned total;

    for (uint32_t i = 0; i < machine.truths_count; i++) {
        votes[machine.truths[i].is_disturbed ? 0 : machine.truths[i].stopped]++;
    }
    most = votes[STOPPED_FIRST_READ] > votes[most] ? STOPPED_FIRST_READ : most;
    most = votes[STOPPED_DUMMY_READ] > votes[most] ? STOPPED_DUMMY_READ : most;
    total = votes[STOPPED_NONE] + votes[STOPPED_FIRST_READ] + votes[STOPPED_DUMMY_READ];
    return votes[most] * 100 >= total * 90 ? most : STOPPED_UNKNOWN;
}

static void judge(struct score *score, const struct idle_sample_set *set)
{
    uint32_t stopped = set->stopped_in;

    score->sets++;
    score->right += set->stopped_in == true_stop() ? 1U : 0U;
    compare_dist(score, &set->first_read_tsc, offsetof(struct sim_idle_truth, first), UINT32_MAX);
    compare_dist(score, &set->dummy_read_tsc, offsetof(struct sim_idle_truth, dummy), UINT32_MAX);
    compare_dist(score, &set->asleep_tsc, offsetof(struct sim_idle_truth, asleep), stopped);
    compare_dist(score, &set->exit_tsc, offsetof(struct sim_idle_truth, exit), stopped);
}

static void measure(struct score *score, const struct idle_way *way, struct idle_sampler *sampler)
{
    static const uint64_t lengths_ns[] = {50000, 200000};
    struct idle_way plain = *way;
    struct idle_bare bare = {0};

    plain.dummy_read = DUMMY_NONE;
    assert_int_equal(idle_sampler_bare(sampler, &plain, SAMPLES, &bare), STATUS_OK);
    for (unsigned i = 0; i < 2; i++) {
        struct idle_sample_set set;

        assert_true(idle_sampler_sleep(sampler, way, &bare, lengths_ns[i], SAMPLES, &set));
        assert_int_equal(set.samples, SAMPLES);
        judge(score, &set);
    }
}

static void run_machine(unsigned index, enum kind kind, struct score *score)
{
    const struct port_sequence pm_timer = {
        .entry = TIMING_NOTHING, .has_dummy_read = true, .dummy_port = PM_PORT};
    struct idle_way way = {.state = "C2",
                           .entry = kind == KIND_HALT ? IDLE_HLT : IDLE_IO,
                           .port = kind == KIND_HALT ? 0 : PORT,
                           .from = "_CST"};
    struct idle_sampler sampler = {.hw = &machine.hw, .tally = &tally};
    const char *why = NULL;

    make_machine(index, kind);
    sampler.timing = &machine.cpus[0].core;
    sampler.tsc_hz = machine.tsc_hz;
    sampler.stretch_tsc = units_ns_to_tsc(UINT64_C(40000000), machine.tsc_hz);
    sampler.meters.has_smi_count = machine.has_smi_count;
    sampler.has_gaps = machine.smi.every_ps != 0;
    assert_int_equal(sampler.timing->take(sampler.timing, &why), STATUS_OK);
    assert_true(idle_sampler_calibrate(&sampler, &pm_timer));
    measure(score, &way, &sampler);
    if (kind != KIND_HALT) {
        way.dummy_read = DUMMY_PM_TIMER;
        way.dummy_port = PM_PORT;
        measure(score, &way, &sampler);
    }
    assert_true(sampler.timing->give(sampler.timing, &why));
    assert_null(machine.failure);
    sim_idle_free(&machine);
}

static void print_score(const char *name, const struct score *score)
{
    printf("# %-26s %6u %5u.%u %% %12u %7u.%u %%\n", name, score->sets,
           score->right * 100 / score->sets, score->right * 1000 / score->sets % 10,
           score->percentiles,
           score->percentiles == 0 ? 100 : score->within * 100 / score->percentiles,
           score->percentiles == 0 ? 0 : score->within * 1000 / score->percentiles % 10);
}

static void machines_are_told_apart(void **unused)
{
    struct score scores[KINDS] = {0};
    struct score all = {0};

    (void)unused;
    for (unsigned i = 0; i < MACHINES; i++) {
        run_machine(i, (enum kind)(i % KINDS), &scores[i % KINDS]);
    }
    printf("# %-26s %6s %9s %12s %11s\n", "simulated machines", "sets", "stop told", "percentiles",
           "within 2 %");
    for (unsigned kind = 0; kind < KINDS; kind++) {
        print_score(names[kind], &scores[kind]);
        all.sets += scores[kind].sets;
        all.right += scores[kind].right;
        all.percentiles += scores[kind].percentiles;
        all.within += scores[kind].within;
    }
    print_score("all of them", &all);
    assert_true(all.right * 100 >= all.sets * 99);
    assert_int_equal(all.within, all.percentiles);
}

/*
 * Whole machines with several CPUs: a bus that all share, so that a read takes longer the more of them read; or a
 * timer that stops in the port's state, so that nothing but another CPU ends a sleep in it.
 */
#define CROWDS 60U

static struct sim_platform sim;
static struct cst_state crowd_state;
static struct object_set crowd_set;

static void make_platform(uint32_t cpus, bool is_timer_stopped)
{
    sim_platform_init(&sim, cpus);
    sim.options.run = RUN_ALL;
    sim.options.samples = 10;
    sim.platform.fadt.avail = AVAIL_PRESENT;
    sim.platform.fadt.revision = 1;
    sim.platform.fadt.has_field[FADT_PM_TMR_BLK] = true;
    sim.platform.fadt.field[FADT_PM_TMR_BLK] = PM_PORT;
    sim.platform.fadt.has_field[FADT_FLAGS] = true;
    sim.platform.tsc_hz = machine.tsc_hz;
    /* Family 6 model 17H has no ARAT; on AMD family 17H the timer runs in every state. */
    sim_platform_identity(&sim, is_timer_stopped ? "GenuineIntel" : "AuthenticAMD",
                          is_timer_stopped ? 6 : 0x17, is_timer_stopped ? 0x17 : 0x31);
    crowd_state = (struct cst_state){.elements = 4, .valid = 7};
    crowd_state.reg.avail = AVAIL_PRESENT;
    crowd_state.reg.gas = (struct gas){.space = GAS_SYSTEM_IO, .width_bits = 8, .address = PORT};
    crowd_state.field[CST_TYPE] = 2;
    crowd_state.field[CST_LATENCY_US] = 100;
    crowd_set = (struct object_set){.kind = OBJECT_CST};
    crowd_set.cst = (struct cst){.is_package = true,
                                 .has_count = true,
                                 .count = 1,
                                 .states_count = 1,
                                 .states = &crowd_state};
    for (uint32_t i = 0; i < cpus; i++) {
        sim.platform.processors[i].objects[OBJECT_CST] =
            (struct object_result){.avail = AVAIL_PRESENT, .set = &crowd_set};
        sim.platform.cpus[i].answer = CPU_ANSWERED;
    }
}

static void judge_crowd_set(struct score *score, const struct idle_sample_set *set)
{
    bool is_port = set->entry == IDLE_IO;
    bool stops = !is_port || machine.stop == SIM_IDLE_AT_ONCE;

    score->sets++;
    if (is_port && machine.is_timer_stopped) {
        score->right += set->never_woke > 0 && set->samples == 0 ? 1U : 0U;
        return;
    }
    score->right += set->stopped_in == (stops ? STOPPED_FIRST_READ : STOPPED_NONE) ? 1U : 0U;
}

/* A read by n CPUs waits for those of the others, of which the time of its own stamp is covered. */
static void judge_costs(struct score *score)
{
    uint64_t overhead_tsc =
        mul_div_u64(machine.overhead_ps, machine.tsc_hz, UINT64_C(1000000000000));

    for (uint32_t i = 0; i < sim.platform.port_costs_count; i++) {
        const struct port_cost *cost = &sim.platform.port_costs[i];
        uint64_t read_ps = cost->port == PM_PORT ? machine.pm_ps : machine.port_ps;
        uint64_t all_tsc =
            mul_div_u64(read_ps * cost->cpus, machine.tsc_hz, UINT64_C(1000000000000));
        uint64_t true_tsc = cost->cpus == 1 ? all_tsc : all_tsc - overhead_tsc;
        const uint64_t found[] = {cost->read_tsc.p50, cost->read_tsc.p90};

        for (unsigned k = 0; k < 2; k++) {
            score->percentiles++;
            score->within += found[k] * 50 + TOLERANCE_TSC * 50 >= true_tsc * 49 &&
                                     found[k] * 50 <= true_tsc * 51 + TOLERANCE_TSC * 50
                                 ? 1U
                                 : 0U;
        }
    }
}

static void run_crowd(unsigned index, bool is_timer_stopped, struct score *score)
{
    struct idle_measure measure = {.hw = &machine.hw};
    uint32_t cpus = 1U << draw(1, 3);

    sim_idle_init(&machine, cpus, index + MACHINES);
    machine.tsc_hz = draw(1000, 5000) * 1000000;
    machine.overhead_ps = draw(8000, 30000);
    machine.port_ps = draw(200, 3000) * 1000;
    machine.pm_ps = draw(300, 3000) * 1000;
    machine.exit_ps = draw(500, 30000) * 1000;
    machine.stop = draw(0, 1) == 0 ? SIM_IDLE_AT_ONCE : SIM_IDLE_NOT;
    machine.stop = is_timer_stopped ? SIM_IDLE_AT_ONCE : machine.stop;
    machine.is_timer_stopped = is_timer_stopped;
    machine.is_bus_shared = !is_timer_stopped;
    make_platform(cpus, is_timer_stopped);
    measure.timing = &machine.cpus[0].core;
    measure.crew = &machine.crew;
    idle_measure(&measure, &sim.platform);
    if (machine.failure != NULL) {
        fail_msg("machine %u: %s", index, machine.failure);
    }
    assert_true(sim.platform.idle_count > 0);
    for (uint32_t i = 0; i < sim.platform.idle_count; i++) {
        judge_crowd_set(score, &sim.platform.idle[i]);
    }
    if (!is_timer_stopped) {
        assert_true(sim.platform.port_costs_count >= 2);
        judge_costs(score);
    }
    sim_platform_free(&sim);
    sim_idle_free(&machine);
}

static void crowds_are_told_apart(void **unused)
{
    struct score shared = {0};
    struct score stopped = {0};

    (void)unused;
    for (unsigned i = 0; i < CROWDS; i++) {
        run_crowd(i, i % 3 == 2, i % 3 == 2 ? &stopped : &shared);
    }
    print_score("2 to 8 CPUs share a bus", &shared);
    print_score("the timer stops", &stopped);
    assert_true(shared.right * 100 >= shared.sets * 99);
    assert_int_equal(stopped.right, stopped.sets);
    assert_int_equal(shared.within, shared.percentiles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(machines_are_told_apart),
                                       cmocka_unit_test(crowds_are_told_apart)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
