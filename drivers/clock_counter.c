#include "drivers/clock_counter.h"

#include "model/units.h"

#include <stddef.h>

#define PM_TIMER_MASK UINT64_C(0xFFFFFF)

/* IA-PC HPET specification 1.0a, 2.3.4 General Capabilities and ID, 2.3.5 General Configuration, 2.3.7 Main
 * Counter. */
#define HPET_CONFIGURATION 0x10U
#define HPET_ENABLE UINT64_C(1)
#define HPET_COUNTER 0xF0U
#define HPET_64_BIT (UINT64_C(1) << 13)
#define HPET_MAX_PERIOD_FS UINT64_C(100000000)

/* Intel 8254 data sheet, "Control Word Format", "Counter Latch Command"; port 61H bit 0 is the gate of
 * channel 2, bit 1 the speaker (Intel ICH9 data sheet, NMI_SC). */
#define PIT_CHANNEL_2 0x42
#define PIT_COMMAND 0x43
#define PIT_LATCH_2 0x80U
#define PIT_CHANNEL_2_MODE_0 0xB0U
#define PIT_GATE_PORT 0x61
#define PIT_GATE 1U
#define PIT_SPEAKER 2U

#define RUNS_PER_S 80U     /* runs of 12.5 ms */
#define STILL_READS 10000U /* Linux 6.12 drivers/clocksource/acpi_pm.c gives up after as many */
#define READS_MAX 4000000U /* in one run, for a counter that changes but gets nowhere */
#define BACKWARDS_MAX 64U  /* in a row */
#define SAMPLE_TRIES 16U
#define TOLERANCE_PPM UINT64_C(500) /* of a run against the median */
#define RUNS_NEEDED 5U
#define TRIPLE_TRIES 10U

/* A count and the time at which it was read, known to `width_tsc`. */
struct sample {
    uint64_t tsc;
    uint64_t width_tsc;
    uint64_t count;
};

struct run {
    uint64_t hz;
    uint64_t tsc;   /* length of the run */
    uint64_t count; /* the same in counts */
    uint64_t width_tsc;
};

static enum status read_port(const struct clock_counter *counter, const struct hw *hw,
                             uint64_t *ret_count)
{
    uint32_t value = 0;
    enum status status = hw->ops->port_read(hw, counter->port, 4, &value);

    *ret_count = value;
    return status;
}

static enum status read_memory(const struct clock_counter *counter, const struct hw *hw,
                               uint64_t *ret_count)
{
    return hw->ops->memory_read(hw, counter->paddr, counter->bytes, ret_count);
}

static enum status read_pit(const struct clock_counter *counter, const struct hw *hw,
                            uint64_t *ret_count)
{
    uint32_t low = 0, high = 0;
    enum status status = hw->ops->port_write(hw, PIT_COMMAND, 1, PIT_LATCH_2);

    (void)counter;
    if (status == STATUS_OK) {
        status = hw->ops->port_read(hw, PIT_CHANNEL_2, 1, &low);
    }
    if (status == STATUS_OK) {
        status = hw->ops->port_read(hw, PIT_CHANNEL_2, 1, &high);
    }
    *ret_count = (uint64_t)(high & 0xFFU) << 8 | (low & 0xFFU);
    return status;
}

void clock_counter_pm_timer_memory(uint64_t paddr, struct clock_counter *ret_counter)
{
    *ret_counter = (struct clock_counter){
        .hz = PM_TIMER_HZ, .mask = PM_TIMER_MASK, .paddr = paddr, .bytes = 4, .read = read_memory};
}

void clock_counter_pm_timer(uint16_t port, struct clock_counter *ret_counter)
{
    *ret_counter = (struct clock_counter){
        .hz = PM_TIMER_HZ, .mask = PM_TIMER_MASK, .port = port, .read = read_port};
}

const char *clock_counter_hpet(const struct hw *hw, uint64_t base_paddr,
                               struct clock_counter *ret_counter)
{
    uint64_t capability = 0, configuration = 0;
    uint64_t period_fs;
    bool is_wide;

    if (base_paddr == 0 || hw->ops->memory_read(hw, base_paddr, 8, &capability) != STATUS_OK ||
        hw->ops->memory_read(hw, base_paddr + HPET_CONFIGURATION, 8, &configuration) != STATUS_OK) {
        return "not readable";
    }
    period_fs = capability >> 32;
    if (period_fs == 0 || period_fs > HPET_MAX_PERIOD_FS) {
        return "states no valid period";
    }
    if ((configuration & HPET_ENABLE) == 0) {
        return "not running";
    }
    is_wide = (capability & HPET_64_BIT) != 0;
    *ret_counter = (struct clock_counter){.hz = FS_PER_S / period_fs,
                                          .mask = is_wide ? UINT64_MAX : UINT32_MAX,
                                          .paddr = base_paddr + HPET_COUNTER,
                                          .bytes = is_wide ? 8 : 4,
                                          .read = read_memory};
    return NULL;
}

void clock_counter_pit(const struct hw *hw, struct clock_counter *ret_counter, uint32_t *ret_gate)
{
    *ret_gate = 0;
    (void)hw->ops->port_read(hw, PIT_GATE_PORT, 1, ret_gate);
    (void)hw->ops->port_write(hw, PIT_GATE_PORT, 1, (*ret_gate & ~PIT_SPEAKER) | PIT_GATE);
    (void)hw->ops->port_write(hw, PIT_COMMAND, 1, PIT_CHANNEL_2_MODE_0);
    (void)hw->ops->port_write(hw, PIT_CHANNEL_2, 1, 0xFF);
    (void)hw->ops->port_write(hw, PIT_CHANNEL_2, 1, 0xFF);
    *ret_counter =
        (struct clock_counter){.hz = PIT_HZ, .mask = 0xFFFF, .counts_down = true, .read = read_pit};
}

void clock_counter_pit_end(const struct hw *hw, uint32_t gate)
{
    (void)hw->ops->port_write(hw, PIT_GATE_PORT, 1, gate);
}

/* How far the counter went from `start` to `end`; more than half its range means backwards. */
static uint64_t advance(const struct clock_counter *counter, uint64_t start, uint64_t end)
{
    return (counter->counts_down ? start - end : end - start) & counter->mask;
}

/*
 * One read, or the middle one of three that go forward: Linux 6.12 drivers/clocksource/acpi_pm.c
 * acpi_pm_read_verified, for timers whose bits do not all change at the same moment (PIIX4, ICH4).
 */
static enum status read_count(const struct hw *hw, const struct clock_counter *counter,
                              uint64_t *ret_count)
{
    uint64_t reads[3] = {0};
    enum status status = STATUS_OK;

    if (!counter->reads_thrice) {
        return counter->read(counter, hw, ret_count);
    }
    for (unsigned try = 0; try < TRIPLE_TRIES; try++) {
        for (unsigned i = 0; i < 3 && status == STATUS_OK; i++) {
            status = counter->read(counter, hw, &reads[i]);
        }
        if (advance(counter, reads[0], reads[1]) <= counter->mask / 2 &&
            advance(counter, reads[1], reads[2]) <= counter->mask / 2) {
            break;
        }
    }
    *ret_count = reads[1];
    return status;
}

/*
 * The count just after it changed, with its time, from the tightest of several tries. Where a read takes
 * longer than a tick every read is a change, and the tick is what remains uncertain.
 */
static enum clock_verdict take_sample(const struct hw *hw, const struct clock_counter *counter,
                                      struct sample *ret_sample)
{
    uint64_t last = 0, count = 0;
    unsigned found = 0;

    *ret_sample = (struct sample){.width_tsc = UINT64_MAX};
    if (read_count(hw, counter, &last) != STATUS_OK) {
        return CLOCK_UNREADABLE;
    }
    for (uint32_t still = 0; found < SAMPLE_TRIES;) {
        uint64_t before_tsc = hw->ops->tsc(hw);
        enum status status = read_count(hw, counter, &count);
        uint64_t width_tsc = hw->ops->tsc(hw) - before_tsc;

        if (status != STATUS_OK) {
            return CLOCK_UNREADABLE;
        }
        if (((count ^ last) & counter->mask) == 0) {
            if (++still >= STILL_READS) {
                return CLOCK_STANDS_STILL;
            }
            continue;
        }
        still = 0;
        found++;
        if (width_tsc < ret_sample->width_tsc &&
            advance(counter, last, count) <= counter->mask / 2) {
            *ret_sample = (struct sample){before_tsc + width_tsc / 2, width_tsc, count};
        }
        last = count;
    }
    return CLOCK_GOOD;
}

/* Reads on until the counter has gone on by `wanted` from `start`. */
static enum clock_verdict wait_for(const struct hw *hw, const struct clock_counter *counter,
                                   const struct sample *start, uint64_t wanted, uint32_t *backwards)
{
    uint64_t last = start->count, count = 0;
    uint32_t still = 0, back = 0, beyond = 0;

    for (uint32_t reads = 0; reads < READS_MAX; reads++) {
        if (read_count(hw, counter, &count) != STATUS_OK) {
            return CLOCK_UNREADABLE;
        }
        if (advance(counter, last, count) > counter->mask / 2) {
            (*backwards)++;
            back++;
            if (back > BACKWARDS_MAX) {
                return CLOCK_RUNS_BACK;
            }
            continue;
        }
        still = ((count ^ last) & counter->mask) == 0 ? still + 1 : 0;
        if (still >= STILL_READS) {
            return CLOCK_STANDS_STILL;
        }
        last = count;
        back = 0;
        /* Twice: the first may be a torn read that is far too high. */
        beyond = advance(counter, start->count, count) >= wanted ? beyond + 1 : 0;
        if (beyond > 1) {
            return CLOCK_GOOD;
        }
    }
    return CLOCK_RUNS_BACK;
}

static enum clock_verdict take_run(const struct hw *hw, const struct clock_counter *counter,
                                   struct sample *start, struct run *ret_run, uint32_t *backwards)
{
    struct sample end;
    enum clock_verdict verdict = wait_for(hw, counter, start, counter->hz / RUNS_PER_S, backwards);

    if (verdict != CLOCK_GOOD) {
        return verdict;
    }
    verdict = take_sample(hw, counter, &end);
    if (verdict != CLOCK_GOOD) {
        return verdict;
    }
    ret_run->tsc = end.tsc - start->tsc;
    ret_run->count = advance(counter, start->count, end.count);
    ret_run->width_tsc = end.width_tsc + start->width_tsc;
    ret_run->hz = mul_div_round_u64(ret_run->tsc, counter->hz, ret_run->count);
    *start = end;
    return ret_run->tsc == 0 ? CLOCK_TSC_STILL : CLOCK_GOOD;
}

static uint64_t median_hz(const struct run *runs)
{
    uint64_t sorted[CLOCK_RUNS] = {0};

    for (size_t i = 0; i < CLOCK_RUNS; i++) {
        size_t at = i;

        for (; at > 0 && sorted[at - 1] > runs[i].hz; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = runs[i].hz;
    }
    return sorted[(CLOCK_RUNS - 1) / 2];
}

/* How many runs are within `limit_ppm` of the median, and how far the farthest of those is. */
static uint32_t count_near(const struct run *runs, uint64_t median, uint64_t limit_ppm,
                           uint64_t *ret_farthest_ppm)
{
    uint32_t near = 0;

    *ret_farthest_ppm = 0;
    for (size_t i = 0; i < CLOCK_RUNS; i++) {
        uint64_t off_ppm = units_difference_ppm(runs[i].hz, median);

        if (off_ppm <= limit_ppm) {
            near++;
            *ret_farthest_ppm = off_ppm > *ret_farthest_ppm ? off_ppm : *ret_farthest_ppm;
        }
    }
    return near;
}

/* The runs near the median as if they were one long run. */
static struct run join_near(const struct run *runs, uint64_t median)
{
    struct run joined = {0};

    for (size_t i = 0; i < CLOCK_RUNS; i++) {
        if (units_difference_ppm(runs[i].hz, median) <= TOLERANCE_PPM) {
            joined.tsc += runs[i].tsc;
            joined.count += runs[i].count;
            joined.width_tsc =
                runs[i].width_tsc > joined.width_tsc ? runs[i].width_tsc : joined.width_tsc;
        }
    }
    return joined;
}

/*
 * A run in which an SMI or a host's scheduler fell on a sample is far from the median and left out. The
 * uncertainty is what the two ends of the joined run leave open (a tick and the width of a read each), or
 * the spread of the runs over their number where that is more.
 */
static void combine(const struct clock_counter *counter, const struct run *runs,
                    struct clock_measurement *ret_measurement)
{
    uint64_t median = median_hz(runs);
    uint64_t farthest_ppm, ends_ppm;
    uint32_t kept = count_near(runs, median, TOLERANCE_PPM, &farthest_ppm);
    struct run joined = join_near(runs, median);

    ret_measurement->rejected = CLOCK_RUNS - kept;
    if (kept < RUNS_NEEDED) {
        ret_measurement->verdict = CLOCK_UNSTABLE;
        ret_measurement->tsc_hz = median;
        (void)count_near(runs, median, UINT64_MAX, &ret_measurement->uncertainty_ppm);
        return;
    }
    ends_ppm = 1 + mul_div_round_u64(joined.width_tsc + 2 * (median / counter->hz + 1), 1000000,
                                     joined.tsc);
    ret_measurement->tsc_hz = mul_div_round_u64(joined.tsc, counter->hz, joined.count);
    ret_measurement->uncertainty_ppm =
        farthest_ppm / kept > ends_ppm ? farthest_ppm / kept : ends_ppm;
}

static void measure_once(const struct hw *hw, const struct clock_counter *counter,
                         struct clock_measurement *ret_measurement)
{
    struct run runs[CLOCK_RUNS] = {0};
    struct sample start = {0};

    *ret_measurement = (struct clock_measurement){.verdict = take_sample(hw, counter, &start)};
    for (size_t i = 0; i < CLOCK_RUNS && ret_measurement->verdict == CLOCK_GOOD; i++) {
        ret_measurement->verdict =
            take_run(hw, counter, &start, &runs[i], &ret_measurement->backwards);
    }
    if (ret_measurement->verdict == CLOCK_GOOD) {
        combine(counter, runs, ret_measurement);
    }
}

void clock_counter_measure(const struct hw *hw, const struct clock_counter *counter,
                           struct clock_measurement *ret_measurement)
{
    struct clock_counter careful = *counter;
    struct clock_measurement again;

    measure_once(hw, counter, ret_measurement);
    if (ret_measurement->backwards == 0) {
        return;
    }
    careful.reads_thrice = true;
    measure_once(hw, &careful, &again);
    if (again.verdict == CLOCK_GOOD && again.backwards == 0) {
        again.torn = ret_measurement->backwards;
        *ret_measurement = again;
    }
}
