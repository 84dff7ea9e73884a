#include "model/freq_derive.h"
#include "model/freq_judge.h"
#include "model/units.h"
#include "tests/sim/sim_freq_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * Many machines whose clocks lie, decay, settle slowly, stop or wrap, against what is then measured: every
 * frequency within 0.1 %, every settling time within 5 %, every cause and every lie named and no other.
 */
#define MACHINES 360U
#define US UINT64_C(1000000) /* in ps */
#define MS UINT64_C(1000000000)
#define FREQUENCY_PPM 1000U
#define SETTLE_PPM 50000U

/* What is wrong with a machine. */
enum lie {
    LIE_NONE = 0,
    LIE_ROW_OFF,   /* a row does another frequency */
    LIE_ROWS_SAME, /* two rows are one */
    LIE_ORDER,     /* a lower row is faster */
    LIE_IGNORED,   /* no request does anything */
    LIE_STATUS,    /* the status register stays at the highest row */
    LIE_STOPPED,   /* APERF stands still */
    LIE_WRAPS,     /* both counters wrap after 32 bits */
    LIE_THROTTLED, /* held back in mid-run */
    LIES
};

static const char *const lie_names[LIES] = {
    "honest",          "a row off",          "two rows one",  "order not kept", "requests ignored",
    "status register", "APERF stands still", "counters wrap", "throttled"};

struct tally {
    uint32_t machines;
    uint32_t figures;
    uint32_t figures_right;
    uint32_t settlings;
    uint32_t settlings_right;
    uint32_t named;
    uint64_t worst_ppm;
    uint64_t worst_settle_ppm;
};

static struct sim_freq machine;
static struct sim_platform sim;
static struct tally tallies[LIES];
static uint64_t random_state = 88172645463325252U;

static uint64_t draw(uint64_t low, uint64_t high)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return low + random_state % (high - low + 1);
}

/* Rows are whole ratios of a bus clock, and _PSS has them in MHz, rounded. */
static void make_rows(enum lie lie, uint64_t *claimed_mhz)
{
    static const uint64_t buses_khz[] = {83333, 99800, 100000, 133333};
    uint64_t bus_khz = buses_khz[draw(0, 3)];
    uint64_t ratio = draw(14, 34);
    uint64_t step = draw(2, 3);

    /* A boosted row tells nothing about the row below it. */
    machine.rows = (uint32_t)draw(lie == LIE_ROWS_SAME || lie == LIE_ORDER ? 3 : 2, 4);
    machine.tsc_khz = bus_khz * ratio;
    /* On some parts MPERF is a little off the TSC. */
    machine.mperf_khz = machine.tsc_khz + (draw(0, 3) == 0 ? machine.tsc_khz / 700 : 0);
    for (uint32_t i = 0; i < machine.rows; i++) {
        machine.true_khz[i] = bus_khz * (ratio - i * step);
        machine.control[i] = (ratio - i * step) << 8;
        claimed_mhz[i] = machine.true_khz[i] / 1000;
    }
}

static void make_boost(void)
{
    uint64_t khz = machine.true_khz[0] + machine.true_khz[0] / 20 * draw(4, 10);

    machine.has_boost = draw(0, 1) == 1;
    for (uint32_t i = 0; i < machine.count; i++) {
        machine.boost_khz[i] = khz - i * draw(0, 1) * machine.true_khz[0] / 40;
        khz = machine.boost_khz[i];
    }
}

static void make_settling(void)
{
    static const uint64_t times_us[] = {8, 25, 60, 150, 400, 700, 1200, 3000};

    machine.up_ps = times_us[draw(0, 7)] * US + draw(0, 2000) * 1000;
    machine.down_ps = times_us[draw(0, 7)] * US + draw(0, 2000) * 1000;
    machine.stall_ps = draw(0, 2) == 0 ? draw(1, 6) * US : 0;
}

static void make_lie(enum lie lie)
{
    uint32_t last = machine.rows - 1;

    switch (lie) {
    case LIE_ROW_OFF:
        machine.true_khz[last] -= machine.true_khz[last] / 5;
        break;
    case LIE_ROWS_SAME:
        machine.true_khz[last] = machine.true_khz[last - 1];
        break;
    case LIE_ORDER:
        machine.true_khz[last] = machine.true_khz[last - 1] + machine.true_khz[0] / 5;
        break;
    case LIE_IGNORED:
        machine.is_ignoring = true;
        machine.has_boost = false;
        break;
    case LIE_STATUS:
        machine.is_status_late = true;
        break;
    case LIE_STOPPED:
        machine.stop_from_ps = 0;
        break;
    case LIE_WRAPS:
        machine.counter_bits = 32;
        /* Within the first window. */
        machine.counter_start = UINT32_MAX - machine.true_khz[0] * draw(30, 90);
        break;
    case LIE_THROTTLED:
        machine.throttle = (enum sim_freq_throttle)draw(0, 3);
        machine.throttle_from_ps = draw(20, 60) * MS;
        machine.throttle_until_ps = UINT64_MAX - 1;
        machine.throttle_khz = machine.true_khz[last] / 10 * 7;
        machine.has_boost = false;
        break;
    case LIE_NONE:
    case LIES:
    default:
        break;
    }
}

static uint64_t truth_of(const struct freq_sample *sample)
{
    uint32_t row = machine.is_ignoring ? 0 : sample->pss_index;

    return row == 0 && machine.has_boost ? sim_freq_boost_khz(&machine, sample->cpu, machine.count)
                                         : machine.true_khz[row];
}

static void check_figures(enum lie lie, struct tally *tally)
{
    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        const struct freq_sample *sample = &sim.platform.freq[i];
        uint64_t ppm;

        if (lie == LIE_STOPPED || lie == LIE_THROTTLED) {
            continue;
        }
        ppm = units_difference_ppm(sample->figure.khz, truth_of(sample));
        tally->figures++;
        tally->figures_right += ppm <= FREQUENCY_PPM ? 1U : 0U;
        tally->worst_ppm = ppm > tally->worst_ppm ? ppm : tally->worst_ppm;
        /* The uncertainty that is told is no idle word. */
        assert_true(ppm <= sample->figure.uncertainty_ppm);
    }
}

static void check_settling(enum lie lie, struct tally *tally)
{
    for (uint32_t i = 0; i < sim.platform.freq_settlings_count; i++) {
        const struct freq_settling *one = &sim.platform.freq_settlings[i];
        uint64_t true_ps =
            (one->to_index < one->from_index ? machine.up_ps : machine.down_ps) + machine.stall_ps;
        uint64_t got_ps = mul_div_u64(one->settle_tsc.p50, 1000000000, machine.tsc_khz);
        uint64_t ppm = units_difference_ppm(got_ps, true_ps);

        if (lie != LIE_NONE && lie != LIE_WRAPS && lie != LIE_STATUS) {
            continue;
        }
        if (ppm > SETTLE_PPM) {
            print_message("%u -> %u: %lu ns for %lu, %u changes, %u unsettled, loops %lu and %lu, "
                          "limit %lu: %s\n",
                          one->from_index, one->to_index, got_ps / 1000, true_ps / 1000,
                          one->changes, one->unsettled, one->loop_from_tsc, one->loop_to_tsc,
                          one->limit_tsc, one->why);
        }
        tally->settlings++;
        tally->settlings_right += ppm <= SETTLE_PPM ? 1U : 0U;
        tally->worst_settle_ppm = ppm > tally->worst_settle_ppm ? ppm : tally->worst_settle_ppm;
    }
}

static bool has_cause(uint32_t causes)
{
    static const uint32_t wanted[] = {FREQ_CAUSE_THERMAL, FREQ_CAUSE_PROCHOT, FREQ_CAUSE_POWER,
                                      FREQ_CAUSE_CURRENT};

    return causes == wanted[machine.throttle];
}

/* What the judgements of one machine say together. */
struct seen {
    bool is_off;
    bool is_same;
    bool is_faster;
    bool is_status;
    bool is_held_back;
    bool is_cause_right;
    bool is_ignored;
    bool is_stopped;
    bool has_wrapped;
};

static struct seen look(void)
{
    struct seen seen = {.is_cause_right = true};

    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        const struct freq_sample *sample = &sim.platform.freq[i];
        struct freq_judgement judgement;

        freq_judge(&sim.platform, i, &judgement);
        seen.is_off |= judgement.verdict == FREQ_OFF;
        seen.is_same |= judgement.is_above_same;
        seen.is_faster |= judgement.is_faster;
        seen.is_status |= judgement.status_differs;
        seen.is_held_back |= judgement.verdict == FREQ_HELD_BACK;
        seen.is_cause_right &= sample->counts.causes == 0 || has_cause(sample->counts.causes);
        seen.is_stopped |= sample->counts.stopped > 0;
        seen.has_wrapped |= sample->counts.wrapped > 0;
    }
    seen.is_ignored = freq_requests_do_nothing(&sim.platform, 0);
    return seen;
}

/* A lie is named, and no lie is named that was not told. */
static bool is_named(enum lie lie)
{
    struct seen seen = look();

    switch (lie) {
    case LIE_ROW_OFF:
        return seen.is_off && !seen.is_same && !seen.is_faster && !seen.is_ignored;
    case LIE_ROWS_SAME:
        return seen.is_same && !seen.is_faster;
    case LIE_ORDER:
        return seen.is_faster && !seen.is_ignored;
    case LIE_IGNORED:
        return seen.is_ignored;
    case LIE_STATUS:
        return seen.is_status && !seen.is_off && !seen.is_same;
    case LIE_STOPPED:
        return seen.is_stopped && sim.platform.freq[0].figure.khz == 0;
    case LIE_WRAPS:
        return !seen.is_off && !seen.is_stopped;
    case LIE_THROTTLED:
        return seen.is_held_back && seen.is_cause_right && !seen.is_off && !seen.is_ignored;
    case LIE_NONE:
    case LIES:
    default:
        return !seen.is_off && !seen.is_same && !seen.is_faster && !seen.is_status &&
               !seen.is_held_back && !seen.is_ignored && !seen.is_stopped && !seen.has_wrapped;
    }
}

static void run_machine(uint32_t number)
{
    enum lie lie = (enum lie)(number % LIES);
    struct tally *tally = &tallies[lie];
    uint64_t claimed_mhz[SIM_FREQ_ROWS];

    sim_freq_init(&machine, number % 8 == 0 ? 4 : 1, number + 1);
    make_rows(lie, claimed_mhz);
    make_boost();
    make_settling();
    machine.has_status = true;
    machine.smi_every_ps = draw(0, 2) == 0 ? 40 * MS : 0;
    make_lie(lie);
    machine.cpus[0].control = machine.control[0];
    for (uint32_t i = 0; i < machine.count; i++) {
        machine.cpus[i].control = machine.control[0];
    }
    sim_freq_platform(&machine, &sim, claimed_mhz);
    /* Control and status that are ratios, as Intel's are. */
    for (uint32_t i = 0; i < machine.rows; i++) {
        sim_freq_claim(&sim, i, machine.control[i]);
    }
    sim_freq_run(&machine, &sim);
    if (machine.failure != NULL) {
        fail_msg("machine %u: %s", number, machine.failure);
    }
    assert_int_equal(sim.platform.freq_count, machine.rows * machine.count);
    tally->machines++;
    check_figures(lie, tally);
    check_settling(lie, tally);
    if (is_named(lie)) {
        tally->named++;
    } else {
        print_message("machine %u: %s was not named rightly\n", number, lie_names[lie]);
    }
    sim_platform_free(&sim);
    sim_freq_free(&machine);
}

static void print_table(void)
{
    print_message("%-20s %8s %16s %10s %16s %10s %8s\n", "machines that are", "number",
                  "within 0.1 %", "worst ppm", "settled, 5 %", "worst ppm", "named");
    for (uint32_t i = 0; i < LIES; i++) {
        const struct tally *tally = &tallies[i];

        print_message("%-20s %8u %8u of %-5u %9lu %8u of %-5u %9lu %8u\n", lie_names[i],
                      tally->machines, tally->figures_right, tally->figures,
                      (unsigned long)tally->worst_ppm, tally->settlings_right, tally->settlings,
                      (unsigned long)tally->worst_settle_ppm, tally->named);
    }
}

static void sweep(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MACHINES; i++) {
        run_machine(i);
    }
    print_table();
    for (uint32_t i = 0; i < LIES; i++) {
        assert_int_equal(tallies[i].machines, MACHINES / LIES);
        assert_int_equal(tallies[i].figures_right, tallies[i].figures);
        assert_int_equal(tallies[i].settlings_right, tallies[i].settlings);
        assert_int_equal(tallies[i].named, tallies[i].machines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweep)};

    return cmocka_run_group_tests_name("freq_sweep", tests, NULL, NULL);
}
