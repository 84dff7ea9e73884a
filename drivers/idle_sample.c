#include "drivers/idle_sample.h"

#include "drivers/idle_run.h"
#include "model/idle_clock.h"
#include "model/units.h"

#include <stddef.h>
#include <string.h>

#define OVERHEAD_SAMPLES 200U
#define PM_TIMER_SAMPLES 1000U

/* A sleep that ended this early was ended by something else; one that the timer never ended is not tried for
 * ever. */
#define NEVER_WOKE_MAX 3U

/* How long WBINVD may take: some milliseconds for a large cache full of changed lines. */
#define FLUSH_NS UINT64_C(6000000)

#define ENERGY_LEAST_NS UINT64_C(100000000)

static uint64_t now(const struct idle_sampler *sampler)
{
    return sampler->hw->ops->tsc(sampler->hw);
}

static bool is_past_end(const struct idle_sampler *sampler)
{
    return sampler->end_tsc != 0 && (int64_t)(now(sampler) - sampler->end_tsc) >= 0;
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
static bool is_too_short(const struct idle_run *run)
{
    const struct idle_energy *energy = run->sampler->energy;

    return energy != NULL && energy->is_open &&
           idle_energy_so_far_tsc(energy, run->sampler->hw) <
               units_ns_to_tsc(ENERGY_LEAST_NS, run->sampler->tsc_hz);
}

static bool is_done(struct idle_run *run)
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
static enum status one_pass(struct idle_run *run, struct port_stamps *ret_stamps)
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
static bool is_put_off(struct idle_run *run)
{
    if (run->status != STATUS_DENIED) {
        return false;
    }
    run->bus_busy++;
    return true;
}

static void renew_watch(const struct idle_run *run)
{
    struct idle_sampler *sampler = run->sampler;
    uint64_t gone_tsc = now(sampler) - sampler->watch_start_tsc + sampler->stretch_lost_tsc -
                        sampler->watch_lost_tsc;

    if (sampler->renew != NULL && gone_tsc + run->usual_tsc > sampler->watch_tsc) {
        sampler->renew(sampler);
        sampler->watch_lost_tsc = sampler->stretch_lost_tsc;
    }
}

static void run_all(struct idle_run *run)
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
            idle_run_take(run, &stamps);
        } else {
            idle_run_warm_up(run, &stamps);
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
    struct idle_run run = {
        .sampler = sampler, .sequence = sequence, .bare = &no_bare, .wanted = wanted};

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
    struct idle_run run = {
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
    idle_run_fill(&run, way, ret_set);
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
    /* What disturbed a pass is in the counters, and not in the time asleep. */
    ret_set->has_residency = ret_set->has_residency && !run.is_spoilt;
    ret_set->has_package_residency = ret_set->has_package_residency && !run.is_spoilt;
    ret_set->spent_tsc = run.spent_tsc;
    /* With a TSC that stops every sleep looks as if something had ended it early. */
    return run.kept > 0 || run.never_woke > 0 || idle_tsc_stops(ret_set, sampler->tsc_hz);
}
