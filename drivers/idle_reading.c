#include "drivers/idle_run.h"
#include "model/units.h"

/* What one pass means: where the CPU stopped, for how long, and whether anything disturbed it. */

/* A sample that is late by more than four times the mean and this much is taken for an SMI's, where the TSC
 * was seen to jump and SMIs cannot be counted. */
#define SMI_LEAST_NS UINT64_C(10000)
#define SMI_MEAN_OF 16U

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

/* An interrupt ends this entry through its handler: the first instruction after the stop is there. */
static bool wakes_in_handler(const struct port_sequence *sequence)
{
    return sequence->entry == TIMING_HLT ||
           (sequence->entry == TIMING_MWAIT && (sequence->mwait_extensions & 1U) == 0);
}

/* The first read stopped when it lasted until the wake-up event, for most of the time there was. */
static void read_first(const struct idle_run *run, const struct port_stamps *stamps,
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

static void read_dummy(const struct idle_run *run, const struct port_stamps *stamps,
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
static void read_late(const struct idle_run *run, const struct port_stamps *stamps,
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

static void take_reading(const struct idle_run *run, const struct port_stamps *stamps,
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
static bool was_woken_early(const struct idle_run *run, const struct port_stamps *stamps,
                            const struct reading *reading)
{
    uint64_t excess_tsc = less(reading->first_tsc, run->bare->first_tsc);

    return stamps->due != 0 && stamps->after_first < stamps->due && reading->sleep_tsc > 0 &&
           excess_tsc > reading->sleep_tsc / 4 &&
           excess_tsc > 2 * run->bare->noise_tsc + run->bare->first_tsc / 8;
}

static bool looks_like_smi(const struct idle_run *run, const struct reading *reading)
{
    const struct histogram *exits = &run->sampler->tally->exit;
    uint64_t least_tsc = units_ns_to_tsc(SMI_LEAST_NS, run->sampler->tsc_hz);

    return run->sampler->has_gaps && !run->sampler->meters.has_smi_count &&
           exits->n >= SMI_MEAN_OF && reading->exit_tsc > 4 * (exits->sum / exits->n) + least_tsc;
}

static void vote(struct idle_run *run, const struct reading *reading)
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

static void keep(struct idle_run *run, const struct port_stamps *stamps,
                 const struct reading *reading)
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

/* Too cold to be a sample, and yet in every counter that is read before and after the run. */
void idle_run_warm_up(struct idle_run *run, const struct port_stamps *stamps)
{
    struct reading reading;

    take_reading(run, stamps, &reading);
    run->spent_tsc += reading.asleep_tsc;
    run->is_spoilt = run->is_spoilt || stamps->is_disturbed;
}

void idle_run_take(struct idle_run *run, const struct port_stamps *stamps)
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
        run->is_spoilt = true;
        return;
    }
    keep(run, stamps, &reading);
}
