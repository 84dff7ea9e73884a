#include "drivers/idle_sample.h"

#include "model/idle_clock.h"
#include "model/units.h"

#include <stddef.h>
#include <string.h>

#define OVERHEAD_SAMPLES 200U
#define PM_TIMER_SAMPLES 1000U

/* At least this share of the samples must agree on where the CPU stopped. */
#define AGREEMENT_PCT 90U

/* A sleep that ended this early was ended by something else; one that the timer never ended is not tried for
 * ever. */
#define NEVER_WOKE_MAX 3U

/* How long WBINVD may take: some milliseconds for a large cache full of changed lines. */
#define FLUSH_NS UINT64_C(6000000)

#define ENERGY_LEAST_NS UINT64_C(100000000)

/* A sample that is late by more than four times the mean and this much is taken for an SMI's, where the TSC
 * was seen to jump and SMIs cannot be counted. */
#define SMI_LEAST_NS UINT64_C(10000)
#define SMI_MEAN_OF 16U

struct votes {
    uint64_t first;
    uint64_t dummy;
    uint64_t late; /* after the last read: the CPU ran on */
    uint64_t none;
};

/* One set under way. */
struct run {
    struct idle_sampler *sampler;
    const struct port_sequence *sequence;
    const struct idle_bare *bare;
    struct votes votes;
    uint64_t kept;
    uint64_t dropped;
    uint64_t bus_busy;
    uint64_t passes;
    uint64_t never_woke;
    uint64_t wanted;
    uint64_t usual_tsc; /* how long a pass takes, but for its way out */
    uint64_t pass_tsc;  /* the longest that one pass may take */
    uint64_t spent_tsc;
    uint8_t bus; /* IDLE_BUS_* around each pass */
    bool is_late;
    enum status status;
};

/* What one sample says, with the overhead taken off. */
struct reading {
    uint64_t first_tsc;
    uint64_t dummy_tsc;
    uint64_t sleep_tsc;  /* from when the first read could have stopped to the wake-up event */
    uint64_t left_tsc;   /* likewise, from the end of the first read for the second */
    uint64_t asleep_tsc; /* where it stopped */
    uint64_t exit_tsc;
    uint64_t ran_on_tsc;
    enum stopped_in stopped;
    bool is_late_stop;
    bool is_decided;
};

static uint64_t less(uint64_t value, uint64_t amount)
{
    return value > amount ? value - amount : 0;
}

static uint64_t now(const struct idle_sampler *sampler)
{
    return sampler->hw->ops->tsc(sampler->hw);
}

static bool is_past_end(const struct idle_sampler *sampler)
{
    return sampler->end_tsc != 0 && (int64_t)(now(sampler) - sampler->end_tsc) >= 0;
}

/* An interrupt ends this entry through its handler: the first instruction after the stop is there. */
static bool wakes_in_handler(const struct port_sequence *sequence)
{
    return sequence->entry == TIMING_HLT ||
           (sequence->entry == TIMING_MWAIT && (sequence->mwait_extensions & 1U) == 0);
}

/* The first read stopped when it lasted until the wake-up event, for most of the time there was. */
static void read_first(const struct run *run, const struct port_stamps *stamps,
                       struct reading *reading)
{
    uint64_t bare_tsc = run->sequence->entry == TIMING_IO ? run->bare->first_tsc : 0;
    /* The handler begins with its stamp; behind an instruction the stamp's own cost comes first. */
    uint64_t ended_tsc = wakes_in_handler(run->sequence)
                             ? stamps->in_handler
                             : less(stamps->after_first, run->sampler->overhead_tsc);

    /* The stamps' overhead lies behind the instruction: it is no part of the sleep. */
    reading->sleep_tsc = less(less(stamps->due, stamps->before), bare_tsc);
    reading->is_decided = reading->sleep_tsc > 2 * run->bare->noise_tsc + bare_tsc / 8;
    if (stamps->after_first >= stamps->due && reading->is_decided &&
        less(reading->first_tsc, bare_tsc) >= reading->sleep_tsc / 2) {
        reading->stopped = STOPPED_FIRST_READ;
        reading->asleep_tsc = reading->sleep_tsc;
        reading->exit_tsc = less(ended_tsc, stamps->due);
    }
}

static void read_dummy(const struct run *run, const struct port_stamps *stamps,
                       struct reading *reading)
{
    const struct idle_sampler *sampler = run->sampler;
    uint64_t start_tsc = stamps->after_first + sampler->bare_dummy_tsc;

    reading->left_tsc = less(stamps->due, start_tsc);
    if (!run->sequence->has_dummy_read || stamps->after_first >= stamps->due ||
        stamps->after_dummy < stamps->due) {
        return;
    }
    reading->is_decided =
        reading->left_tsc > 2 * sampler->dummy_noise_tsc + sampler->bare_dummy_tsc / 8;
    if (reading->is_decided &&
        less(reading->dummy_tsc, sampler->bare_dummy_tsc) >= reading->left_tsc / 2) {
        reading->stopped = STOPPED_DUMMY_READ;
        reading->asleep_tsc = reading->left_tsc;
        reading->exit_tsc = less(less(stamps->after_dummy, stamps->due), sampler->overhead_tsc);
    }
}

/* Neither read took the sleep, but something after them did: for a good part of the time that was left. */
static void read_late(const struct run *run, const struct port_stamps *stamps,
                      struct reading *reading)
{
    uint64_t step_tsc = less(stamps->step_to, stamps->step_from);

    if (step_tsc > 4 * run->sampler->overhead_tsc + run->bare->first_tsc &&
        stamps->step_to >= stamps->due && stamps->step_from < stamps->due &&
        step_tsc >= less(stamps->due, stamps->after_dummy) / 4) {
        reading->is_late_stop = true;
        reading->ran_on_tsc = less(stamps->step_from, stamps->after_dummy);
    }
}

static void take_reading(const struct run *run, const struct port_stamps *stamps,
                         struct reading *ret_reading)
{
    uint64_t overhead_tsc = run->sampler->overhead_tsc;

    *ret_reading =
        (struct reading){.first_tsc = less(stamps->after_first - stamps->before, overhead_tsc),
                         .dummy_tsc = less(stamps->after_dummy - stamps->after_first, overhead_tsc),
                         .stopped = STOPPED_NONE};
    if (stamps->due == 0) {
        return;
    }
    read_first(run, stamps, ret_reading);
    if (ret_reading->stopped == STOPPED_NONE) {
        read_dummy(run, stamps, ret_reading);
    }
    if (ret_reading->stopped == STOPPED_NONE) {
        read_late(run, stamps, ret_reading);
    }
}

/* Something else than the timer ended the sleep, well before it was due. */
static bool was_woken_early(const struct run *run, const struct port_stamps *stamps,
                            const struct reading *reading)
{
    uint64_t excess_tsc = less(reading->first_tsc, run->bare->first_tsc);

    return stamps->due != 0 && stamps->after_first < stamps->due && reading->sleep_tsc > 0 &&
           excess_tsc > reading->sleep_tsc / 4 &&
           excess_tsc > 2 * run->bare->noise_tsc + run->bare->first_tsc / 8;
}

static bool looks_like_smi(const struct run *run, const struct reading *reading)
{
    const struct histogram *exits = &run->sampler->tally->exit;
    uint64_t least_tsc = units_ns_to_tsc(SMI_LEAST_NS, run->sampler->tsc_hz);

    return run->sampler->has_gaps && !run->sampler->meters.has_smi_count &&
           exits->n >= SMI_MEAN_OF && reading->exit_tsc > 4 * (exits->sum / exits->n) + least_tsc;
}

static void vote(struct run *run, const struct reading *reading)
{
    struct idle_tally *tally = run->sampler->tally;

    if (reading->is_late_stop) {
        run->votes.late++;
        histogram_add(&tally->ran_on, reading->ran_on_tsc);
    } else if (reading->stopped == STOPPED_FIRST_READ) {
        run->votes.first++;
    } else if (reading->stopped == STOPPED_DUMMY_READ) {
        run->votes.dummy++;
    } else if (reading->is_decided) {
        run->votes.none++;
    }
}

static void keep(struct run *run, const struct port_stamps *stamps, const struct reading *reading)
{
    struct idle_tally *tally = run->sampler->tally;

    run->kept++;
    histogram_add(&tally->first, reading->first_tsc);
    if (run->sequence->has_flush) {
        histogram_add(&tally->flush, stamps->flush_tsc);
    }
    if (run->sequence->has_dummy_read) {
        histogram_add(&tally->dummy, reading->dummy_tsc);
    }
    if (stamps->due == 0) {
        return;
    }
    vote(run, reading);
    if (reading->stopped != STOPPED_NONE) {
        histogram_add(&tally->asleep, reading->asleep_tsc);
        histogram_add(&tally->exit, reading->exit_tsc);
        run->spent_tsc += reading->asleep_tsc;
        if (stamps->in_handler >= stamps->due) {
            histogram_add(&tally->handler, stamps->in_handler - stamps->due);
        }
    }
}

static void take_sample(struct run *run, const struct port_stamps *stamps)
{
    struct reading reading;

    take_reading(run, stamps, &reading);
    /* Ended by another CPU before it was due it proves nothing. */
    if (stamps->is_rescued && less(stamps->after_first, stamps->due) > 0) {
        run->never_woke++;
    }
    if (stamps->is_disturbed || stamps->is_rescued || was_woken_early(run, stamps, &reading) ||
        looks_like_smi(run, &reading)) {
        run->dropped++;
        return;
    }
    keep(run, stamps, &reading);
}

static bool pause(struct idle_sampler *sampler)
{
    if (sampler->pause != NULL) {
        return sampler->pause(sampler);
    }
    if (sampler->timing->breathe(sampler->timing, &sampler->why) != STATUS_OK) {
        return false;
    }
    sampler->stretch_start_tsc = now(sampler);
    return true;
}

/* Between two stretches. The first pass after it only warms the caches again. */
static bool breathe(struct idle_sampler *sampler)
{
    sampler->stretch_lost_tsc = 0;
    sampler->watch_lost_tsc = 0;
    if (sampler->energy != NULL) {
        idle_energy_close(sampler->energy, sampler->hw);
    }
    if (!pause(sampler)) {
        return false;
    }
    if (sampler->energy != NULL &&
        !idle_energy_open(sampler->energy, sampler->hw, sampler->tsc_hz)) {
        sampler->energy = NULL;
    }
    return true;
}

/* Whether one more pass of this length still fits into the stretch. A TSC that stops while the CPU sleeps would
 * make it endless, so what it did not see of a sleep counts as well. */
static bool stretch_is_over(const struct idle_sampler *sampler, uint64_t pass_tsc)
{
    uint64_t gone_tsc = now(sampler) - sampler->stretch_start_tsc;

    return sampler->stretch_tsc != 0 &&
           gone_tsc + sampler->stretch_lost_tsc + pass_tsc > sampler->stretch_tsc;
}

/* The energy counter moves once a millisecond: over 100 ms its last step is one in a hundred. */
static bool is_too_short(const struct run *run)
{
    const struct idle_energy *energy = run->sampler->energy;

    return energy != NULL && energy->is_open &&
           idle_energy_so_far_tsc(energy, run->sampler->hw) <
               units_ns_to_tsc(ENERGY_LEAST_NS, run->sampler->tsc_hz);
}

static bool is_done(struct run *run)
{
    run->is_late = is_past_end(run->sampler);
    return (run->kept >= run->wanted && !is_too_short(run)) || run->dropped > run->wanted + 4 ||
           run->is_late || run->bus_busy > 4 * run->wanted + 64 ||
           run->never_woke >= NEVER_WOKE_MAX;
}

static void count_pass(struct idle_sampler *sampler)
{
    if (sampler->passes != NULL) {
        (void)__atomic_add_fetch(sampler->passes, 1, __ATOMIC_ACQ_REL);
    }
}

/* Nobody watches between enter and leave of the bus: what comes back wrong ends the measurement. */
static enum status one_pass(struct run *run, struct port_stamps *ret_stamps)
{
    struct idle_sampler *sampler = run->sampler;
    enum bus_master_state state = bus_master_enter(&sampler->bus, sampler->hw, run->bus);
    uint64_t start_tsc;
    enum status status;

    *ret_stamps = (struct port_stamps){0};
    if (state == BUS_MASTER_ACTIVE) {
        return STATUS_DENIED;
    }
    if (state == BUS_MASTER_FAILED) {
        sampler->why = "the bus-master registers (PM1_STS, PM1_CNT, PM2_CNT) could not be written";
        return STATUS_IO;
    }
    count_pass(sampler);
    start_tsc = now(sampler);
    status = sampler->timing->pass(sampler->timing, run->sequence, ret_stamps);
    sampler->stretch_lost_tsc += less(run->sequence->sleep_tsc, now(sampler) - start_tsc);
    count_pass(sampler);
    if (!bus_master_leave(&sampler->bus, sampler->hw)) {
        sampler->why = "bus-master arbitration (PM1_CNT, PM2_CNT) did not come back as it was";
        return STATUS_IO;
    }
    return status;
}

/* A bus master was active: Linux would take a shallower state this time. */
static bool is_put_off(struct run *run)
{
    if (run->status != STATUS_DENIED) {
        return false;
    }
    run->bus_busy++;
    return true;
}

static void renew_watch(const struct run *run)
{
    struct idle_sampler *sampler = run->sampler;
    uint64_t gone_tsc = now(sampler) - sampler->watch_start_tsc + sampler->stretch_lost_tsc -
                        sampler->watch_lost_tsc;

    if (sampler->renew != NULL && gone_tsc + run->usual_tsc > sampler->watch_tsc) {
        sampler->renew(sampler);
        sampler->watch_lost_tsc = sampler->stretch_lost_tsc;
    }
}

static void run_all(struct run *run)
{
    struct idle_sampler *sampler = run->sampler;
    bool is_warm = false;

    while (!is_done(run)) {
        struct port_stamps stamps;

        if (stretch_is_over(sampler, run->pass_tsc)) {
            is_warm = false;
            if (!breathe(sampler)) {
                run->status = STATUS_IO;
                return;
            }
        }
        renew_watch(run);
        run->status = one_pass(run, &stamps);
        if (is_put_off(run)) {
            continue;
        }
        if (run->status != STATUS_OK && run->status != STATUS_TIMEOUT) {
            return;
        }
        stamps.is_disturbed = stamps.is_disturbed || run->status == STATUS_TIMEOUT;
        if (is_warm || stamps.is_rescued) {
            take_sample(run, &stamps);
        }
        run->passes++;
        is_warm = true;
    }
    run->status = STATUS_OK;
}

static void start_tally(struct idle_tally *tally)
{
    histogram_clear(&tally->first);
    histogram_clear(&tally->dummy);
    histogram_clear(&tally->asleep);
    histogram_clear(&tally->exit);
    histogram_clear(&tally->handler);
    histogram_clear(&tally->ran_on);
    histogram_clear(&tally->flush);
}

static const struct idle_bare no_bare;

/* A run without a sleep: only the costs are of interest. */
static enum status run_costs(struct idle_sampler *sampler, const struct port_sequence *sequence,
                             uint64_t wanted)
{
    struct run run = {.sampler = sampler, .sequence = sequence, .bare = &no_bare, .wanted = wanted};

    start_tally(sampler->tally);
    run_all(&run);
    return run.status == STATUS_OK && run.kept == 0 ? STATUS_TIMEOUT : run.status;
}

static uint64_t median_of(const struct histogram *histogram)
{
    return histogram_percentile(histogram, 500);
}

static uint64_t noise_of(const struct histogram *histogram)
{
    return histogram_percentile(histogram, 990) - median_of(histogram);
}

bool idle_sampler_calibrate(struct idle_sampler *sampler, const struct port_sequence *pm_timer)
{
    const struct port_sequence nothing = {.entry = TIMING_NOTHING};

    if (sampler->stretch_start_tsc == 0) {
        sampler->stretch_start_tsc = now(sampler);
    }
    sampler->overhead_tsc = 0;
    if (run_costs(sampler, &nothing, OVERHEAD_SAMPLES) != STATUS_OK) {
        sampler->why = sampler->why == NULL ? "the stamps alone could not be timed" : sampler->why;
        return false;
    }
    sampler->overhead_tsc = median_of(&sampler->tally->first);
    if (pm_timer != NULL && run_costs(sampler, pm_timer, PM_TIMER_SAMPLES) == STATUS_OK) {
        sampler->bare_dummy_tsc = median_of(&sampler->tally->dummy);
        sampler->dummy_noise_tsc = noise_of(&sampler->tally->dummy);
        histogram_summarise(&sampler->tally->dummy, &sampler->dummy_read_tsc);
    }
    return sampler->why == NULL;
}

static struct port_sequence sequence_of(const struct idle_way *way)
{
    static const enum timing_entry entries[] = {
        [IDLE_HLT] = TIMING_HLT, [IDLE_MWAIT] = TIMING_MWAIT, [IDLE_IO] = TIMING_IO};

    return (struct port_sequence){.entry = entries[way->entry],
                                  .first_port = way->port,
                                  .mwait_hint = way->hint,
                                  .mwait_extensions = way->mwait_extensions,
                                  .has_dummy_read = way->dummy_read != DUMMY_NONE,
                                  .dummy_port = way->dummy_port,
                                  .dummy_paddr = way->dummy_paddr};
}

enum status idle_sampler_bare(struct idle_sampler *sampler, const struct idle_way *way,
                              uint64_t wanted, struct idle_bare *ret_bare)
{
    struct port_sequence sequence = sequence_of(way);
    enum status status;

    sequence.is_wake_pending = true;
    sequence.has_dummy_read = false;
    status = run_costs(sampler, &sequence, wanted);
    if (status == STATUS_OK) {
        ret_bare->first_tsc = median_of(&sampler->tally->first);
        ret_bare->noise_tsc = noise_of(&sampler->tally->first);
        histogram_summarise(&sampler->tally->first, &ret_bare->read_tsc);
    }
    return status;
}

static void judge_stop(const struct votes *votes, struct idle_sample_set *set)
{
    uint64_t total = votes->first + votes->dummy + votes->late + votes->none;
    uint64_t most = votes->none + votes->late;

    set->stopped_in = STOPPED_NONE;
    if (votes->first > most) {
        most = votes->first;
        set->stopped_in = STOPPED_FIRST_READ;
    }
    if (votes->dummy > most) {
        most = votes->dummy;
        set->stopped_in = STOPPED_DUMMY_READ;
    }
    set->stopped_confidence_pct = total == 0 ? 0 : (uint32_t)(most * 100 / total);
    if (set->stopped_confidence_pct < AGREEMENT_PCT) {
        set->stopped_in = STOPPED_UNKNOWN;
    }
}

static void fill_times(const struct idle_sampler *sampler, struct idle_sample_set *set)
{
    const struct idle_tally *tally = sampler->tally;

    histogram_summarise(&tally->first, &set->first_read_tsc);
    histogram_summarise(&tally->dummy, &set->dummy_read_tsc);
    if (set->stopped_in == STOPPED_FIRST_READ || set->stopped_in == STOPPED_DUMMY_READ) {
        histogram_summarise(&tally->asleep, &set->asleep_tsc);
        histogram_summarise(&tally->exit, &set->exit_tsc);
        histogram_summarise(&tally->handler, &set->handler_tsc);
        histogram_shape(&tally->exit, &set->shape);
    } else {
        histogram_shape(&tally->first, &set->shape);
    }
    histogram_summarise(&tally->ran_on, &set->ran_on_tsc);
    histogram_summarise(&tally->flush, &set->flush_tsc);
}

static void keep_samples(const struct idle_sampler *sampler, struct idle_sample_set *set)
{
    const struct idle_tally *tally = sampler->tally;
    struct sample_store *store = sampler->samples;

    set->bins[SAMPLE_FIRST_READ] = samples_keep(store, &tally->first);
    set->bins[SAMPLE_DUMMY_READ] = samples_keep(store, &tally->dummy);
    if (set->asleep_tsc.n != 0) {
        set->bins[SAMPLE_ASLEEP] = samples_keep(store, &tally->asleep);
        set->bins[SAMPLE_EXIT] = samples_keep(store, &tally->exit);
        set->bins[SAMPLE_HANDLER] = samples_keep(store, &tally->handler);
    }
    set->bins[SAMPLE_RAN_ON] = samples_keep(store, &tally->ran_on);
}

static void fill_way(const struct idle_way *way, struct idle_sample_set *set)
{
    *set = (struct idle_sample_set){.state = way->state,
                                    .entry = way->entry,
                                    .port = way->port,
                                    .hint = way->hint,
                                    .port_from = way->from,
                                    .has_declared_latency = way->has_declared_latency,
                                    .declared_latency_us = way->declared_latency_us,
                                    .dummy_read = way->dummy_read,
                                    .dummy_port = way->dummy_port,
                                    .dummy_paddr = way->dummy_paddr,
                                    .bus = way->bus};
}

/* The counter is waited for at the start of a stretch, where there is time for it. */
static bool start_energy(struct idle_sampler *sampler)
{
    if (sampler->energy == NULL) {
        return true;
    }
    idle_energy_clear(sampler->energy);
    return breathe(sampler);
}

static void end_energy(struct idle_sampler *sampler, struct idle_sample_set *set)
{
    struct idle_energy *energy = sampler->energy;

    if (energy == NULL) {
        return;
    }
    idle_energy_close(energy, sampler->hw);
    if (energy->inside_tsc != 0) {
        set->has_energy = true;
        set->energy_uj = energy->uj;
        set->energy_span_tsc = energy->inside_tsc;
        set->energy_uncertainty_ppm = energy->uncertainty_ppm;
    }
}

bool idle_sampler_sleep(struct idle_sampler *sampler, const struct idle_way *way,
                        const struct idle_bare *bare, uint64_t sleep_ns, uint64_t wanted,
                        struct idle_sample_set *ret_set)
{
    struct port_sequence sequence = sequence_of(way);
    struct run run = {
        .sampler = sampler, .sequence = &sequence, .bare = bare, .wanted = wanted, .bus = way->bus};
    struct idle_meter_reading before, after;

    sequence.sleep_tsc = units_ns_to_tsc(sleep_ns, sampler->tsc_hz);
    sequence.has_flush = (way->bus & IDLE_BUS_FLUSH) != 0;
    run.usual_tsc =
        sequence.sleep_tsc + (sequence.has_flush ? units_ns_to_tsc(FLUSH_NS, sampler->tsc_hz) : 0);
    run.pass_tsc = way->may_stop_timer && sampler->rescue_tsc > run.usual_tsc ? sampler->rescue_tsc
                                                                              : run.usual_tsc;
    if (!start_energy(sampler)) {
        return false;
    }
    idle_meters_read(&sampler->meters, sampler->hw, &before);
    start_tally(sampler->tally);
    run_all(&run);
    idle_meters_read(&sampler->meters, sampler->hw, &after);
    fill_way(way, ret_set);
    ret_set->requested_ns = sleep_ns;
    ret_set->samples = run.kept;
    ret_set->dropped = run.dropped;
    ret_set->never_woke = run.never_woke;
    ret_set->overhead_tsc = sampler->overhead_tsc;
    ret_set->bare_first_tsc = bare->first_tsc;
    ret_set->was_cut = run.is_late && run.kept < wanted;
    ret_set->wake_source = sampler->timing->source(sampler->timing);
    ret_set->bus_busy = run.bus_busy;
    ret_set->passes = run.passes;
    end_energy(sampler, ret_set);
    idle_meters_fill(&sampler->meters, &before, &after, sampler->tsc_hz, ret_set);
    /* A sample that was dropped is in the counters, and not in the time asleep. */
    ret_set->has_residency = ret_set->has_residency && run.dropped == 0;
    ret_set->has_package_residency = ret_set->has_package_residency && run.dropped == 0;
    ret_set->spent_tsc = run.spent_tsc;
    judge_stop(&run.votes, ret_set);
    fill_times(sampler, ret_set);
    keep_samples(sampler, ret_set);
    /* With a TSC that stops every sleep looks as if something had ended it early. */
    return run.kept > 0 || run.never_woke > 0 || idle_tsc_stops(ret_set, sampler->tsc_hz);
}
