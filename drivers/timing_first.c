#include "drivers/idle_port.h"
#include "drivers/timing.h"
#include "model/units.h"

#include <stddef.h>

#define DEFAULT_SAMPLES 2000U
#define DEFAULT_SECONDS 4U
#define OVERHEAD_SAMPLES 200U
#define SEQUENCES                                                                                  \
    5U /* that share the time: nothing, PM timer, port, sleep, sleep with dummy read */

/* Long enough that a state of some tens of microseconds is really entered, short enough for 2000. */
#define SLEEP_NS UINT64_C(100000)

/* Of TIMING_STRETCH_US; the rest is for the last sample and for giving back. */
#define STRETCH_US (TIMING_STRETCH_US * 4 / 5)
#define BLIND_PASSES 64U /* a stretch while the TSC rate is unknown */

/* At least this share of the samples must agree on where the CPU stopped. */
#define AGREEMENT_PCT 90U

/* An SMI takes some tens of microseconds at the least; an undisturbed step some tens of nanoseconds. */
#define GAP_NS UINT64_C(10000)
#define GAP_WATCH_NS UINT64_C(20000000)

#define MSR_SMI_COUNT 0x34U /* SDM vol. 4, table 2-15 */

struct votes {
    uint64_t first;
    uint64_t dummy;
    uint64_t none;
};

struct session {
    const struct hw *hw;
    const struct timing *timing;
    struct platform *platform;
    uint64_t tsc_hz;
    uint64_t limit_tsc; /* how long one sequence may take, and ... */
    uint64_t end_tsc;   /* ... when it is over; both meaningless without tsc_hz */
    uint64_t overhead_tsc;
    uint64_t bare_first_tsc; /* the port's cost with a wake-up waiting */
    uint64_t bare_dummy_tsc; /* a PM-timer read */
    const char *why;         /* why measuring ended early, or NULL */

    struct idle_sample_set *idle; /* what platform->idle and port_costs point to */
    struct port_cost *costs;
    struct histogram *first; /* of the run under way */
    struct histogram *dummy;
    struct histogram *asleep;
    struct votes votes;
    uint64_t kept;
    uint64_t dropped;
};

static uint64_t less(uint64_t value, uint64_t amount)
{
    return value > amount ? value - amount : 0;
}

/* The CPU stopped in the instruction during which the wake-up came due. */
static void count_stop(struct session *session, const struct port_stamps *stamps)
{
    uint64_t first_tsc = less(stamps->after_first - stamps->before, session->overhead_tsc);
    uint64_t dummy_tsc = less(stamps->after_dummy - stamps->after_first, session->overhead_tsc);

    if (stamps->due == 0) {
        return;
    }
    if (stamps->after_first >= stamps->due) {
        session->votes.first++;
        histogram_add(session->asleep, less(first_tsc, session->bare_first_tsc));
    } else if (stamps->after_dummy >= stamps->due) {
        session->votes.dummy++;
        histogram_add(session->asleep, less(dummy_tsc, session->bare_dummy_tsc));
    } else {
        session->votes.none++;
    }
}

static void keep_sample(struct session *session, const struct port_sequence *sequence,
                        const struct port_stamps *stamps)
{
    if (stamps->is_disturbed) {
        session->dropped++;
        return;
    }
    session->kept++;
    histogram_add(session->first,
                  less(stamps->after_first - stamps->before, session->overhead_tsc));
    if (sequence->has_dummy_read) {
        histogram_add(session->dummy,
                      less(stamps->after_dummy - stamps->after_first, session->overhead_tsc));
    }
    count_stop(session, stamps);
}

static bool is_over(const struct session *session, uint64_t wanted)
{
    bool is_late = session->tsc_hz != 0 &&
                   (int64_t)(session->hw->ops->tsc(session->hw) - session->end_tsc) >= 0;

    return session->kept >= wanted || session->dropped > wanted || is_late;
}

/* Passes until the samples are there or the stretch is over. The first pass only warms the caches. */
static bool run_stretch(struct session *session, const struct port_sequence *sequence,
                        uint64_t wanted)
{
    const struct timing *timing = session->timing;
    uint64_t start_tsc = session->hw->ops->tsc(session->hw);
    uint64_t limit_tsc = units_ns_to_tsc(STRETCH_US * 1000, session->tsc_hz);
    struct port_stamps stamps = {0};
    enum status status;

    for (uint64_t i = 0; !is_over(session, wanted); i++) {
        if (session->tsc_hz == 0 ? i > BLIND_PASSES
                                 : session->hw->ops->tsc(session->hw) - start_tsc > limit_tsc) {
            return true;
        }
        status = timing->pass(timing, sequence, &stamps);
        if (status != STATUS_OK && status != STATUS_TIMEOUT) {
            session->why = "the timing core cannot run this sequence";
            return false;
        }
        stamps.is_disturbed = stamps.is_disturbed || status == STATUS_TIMEOUT;
        if (i > 0) {
            keep_sample(session, sequence, &stamps);
        }
    }
    return true;
}

/* One sequence, in stretches between which the firmware gets the machine back. */
static bool run_sequence(struct session *session, const struct port_sequence *sequence,
                         uint64_t wanted)
{
    bool is_good = session->why == NULL;

    histogram_clear(session->first);
    histogram_clear(session->dummy);
    histogram_clear(session->asleep);
    session->votes = (struct votes){0};
    session->end_tsc = session->hw->ops->tsc(session->hw) + session->limit_tsc;
    session->kept = 0;
    session->dropped = 0;
    while (is_good && !is_over(session, wanted)) {
        if (session->timing->take(session->timing, &session->why) != STATUS_OK) {
            return false;
        }
        is_good = run_stretch(session, sequence, wanted);
        if (!session->timing->give(session->timing)) {
            session->why = "the machine did not come back to the firmware as it was";
            return false;
        }
    }
    return is_good && session->kept > 0;
}

static uint64_t wanted_samples(const struct session *session)
{
    const struct options *options = session->platform->options;

    return options == NULL || options->samples == 0 ? DEFAULT_SAMPLES : options->samples;
}

static uint64_t median_of(const struct histogram *histogram)
{
    return histogram_percentile(histogram, 500);
}

static void measure_overhead(struct session *session)
{
    struct port_sequence nothing = {.entry = TIMING_NOTHING};

    session->overhead_tsc = 0;
    if (run_sequence(session, &nothing, OVERHEAD_SAMPLES)) {
        session->overhead_tsc = median_of(session->first);
    }
}

static void add_cost(struct session *session, uint16_t port, const char *name,
                     const struct histogram *histogram)
{
    struct port_cost *cost = &session->costs[session->platform->port_costs_count];

    *cost = (struct port_cost){
        .cpus = 1, .port = port, .port_name = name, .overhead_tsc = session->overhead_tsc};
    histogram_summarise(histogram, &cost->read_tsc);
    session->platform->port_costs_count++;
}

/* How much time something beyond our reach takes: it bounds every figure that follows. */
static void watch_gaps(struct session *session)
{
    const struct timing *timing = session->timing;
    uint64_t duration_tsc = units_ns_to_tsc(GAP_WATCH_NS, session->tsc_hz);
    uint64_t threshold_tsc = units_ns_to_tsc(GAP_NS, session->tsc_hz);

    if (session->why != NULL || session->tsc_hz == 0 ||
        timing->take(timing, &session->why) != STATUS_OK) {
        return;
    }
    timing->watch(timing, duration_tsc, threshold_tsc, &session->platform->tsc_gaps);
    if (!timing->give(timing)) {
        session->why = "the machine did not come back to the firmware as it was";
    }
}

static void measure_pm_timer(struct session *session, uint16_t port)
{
    struct port_sequence read = {
        .entry = TIMING_NOTHING, .has_dummy_read = true, .dummy_port = port};

    if (port != 0 && run_sequence(session, &read, wanted_samples(session))) {
        session->bare_dummy_tsc = median_of(session->dummy);
        add_cost(session, port, "PM timer", session->dummy);
    }
}

/* With the wake-up interrupt waiting already the CPU cannot stay stopped: what is left is the port. */
static void measure_bare_port(struct session *session, const struct idle_port *port)
{
    struct port_sequence read = {
        .entry = TIMING_IO, .first_port = port->port, .is_wake_pending = true};

    if (run_sequence(session, &read, wanted_samples(session))) {
        session->bare_first_tsc = median_of(session->first);
        add_cost(session, port->port, "C-state port, wake-up waiting", session->first);
    }
}

static void judge_stop(const struct session *session, struct idle_sample_set *set)
{
    const struct votes *votes = &session->votes;
    uint64_t total = votes->first + votes->dummy + votes->none;
    uint64_t most = votes->none;

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

static uint64_t smi_count(const struct session *session)
{
    uint64_t count = 0;

    (void)session->hw->ops->rdmsr(session->hw, MSR_SMI_COUNT, &count);
    return count & UINT32_MAX;
}

/* The collector read the SMI count where the vendor documents it, so it may be read here too. */
static bool has_smi_count(const struct session *session)
{
    return platform_msr(session->platform, 0, MSR_SMI_COUNT).avail == AVAIL_PRESENT;
}

static void measure_sleep(struct session *session, const struct idle_port *port,
                          uint16_t dummy_port)
{
    struct platform *platform = session->platform;
    struct idle_sample_set *set = &session->idle[platform->idle_count];
    struct port_sequence sleep = {.entry = TIMING_IO,
                                  .first_port = port->port,
                                  .has_dummy_read = dummy_port != 0,
                                  .dummy_port = dummy_port,
                                  .sleep_tsc = units_ns_to_tsc(SLEEP_NS, session->tsc_hz)};
    bool is_counted = has_smi_count(session);
    uint64_t smi_before = is_counted ? smi_count(session) : 0;

    if (!run_sequence(session, &sleep, wanted_samples(session))) {
        return;
    }
    *set = (struct idle_sample_set){
        .state = port->state,
        .entry = IDLE_IO,
        .port = port->port,
        .port_from = port->from,
        .has_declared_latency = port->has_declared_latency,
        .declared_latency_us = port->declared_latency_us,
        .dummy_read = dummy_port == 0 ? DUMMY_NONE : DUMMY_PM_TIMER,
        .dummy_port = dummy_port,
        .requested_ns = SLEEP_NS,
        .samples = session->kept,
        .dropped = session->dropped,
        .overhead_tsc = session->overhead_tsc,
        .has_smi_count = is_counted,
        .smi = is_counted ? (smi_count(session) - smi_before) & UINT32_MAX : 0,
    };
    histogram_summarise(session->first, &set->first_read_tsc);
    histogram_summarise(session->dummy, &set->dummy_read_tsc);
    histogram_summarise(session->asleep, &set->asleep_tsc);
    judge_stop(session, set);
    if (set->stopped_in == STOPPED_NONE) {
        set->asleep_tsc = (struct distribution){0};
    }
    platform->idle_count++;
}

/* Why the port may not be slept on, or NULL and the port. */
static const char *find_port(const struct session *session, struct idle_port *ret_port)
{
    const struct options *options = session->platform->options;
    const char *why = idle_port_choose(session->platform, ret_port);

    if (why == NULL && options != NULL && options->is_read_only) {
        why = "reading a C-state port enters the state, which --read-only does not allow";
    }
    if (why == NULL && session->tsc_hz == 0) {
        why = "the rate of the TSC is not known";
    }
    if (why != NULL) {
        ret_port->port = 0;
    }
    return why;
}

static void measure_port(struct session *session, const struct idle_port *port, uint16_t pm_timer)
{
    const char *risk = idle_port_wake_risk(session->platform);

    measure_bare_port(session, port);
    if (risk != NULL) {
        session->platform->idle_skipped = risk;
        return;
    }
    measure_sleep(session, port, 0);
    if (pm_timer != 0) {
        measure_sleep(session, port, pm_timer);
    }
}

static bool open_session(struct session *session)
{
    struct platform *platform = session->platform;
    const struct options *options = platform->options;
    uint64_t seconds =
        options == NULL || options->seconds == 0 ? DEFAULT_SECONDS : options->seconds;

    session->tsc_hz = platform->tsc_hz;
    session->limit_tsc = units_ns_to_tsc(seconds * NS_PER_S / SEQUENCES, session->tsc_hz);
    session->first = arena_take(platform->arena, sizeof(struct histogram));
    session->dummy = arena_take(platform->arena, sizeof(struct histogram));
    session->asleep = arena_take(platform->arena, sizeof(struct histogram));
    session->idle = arena_array(platform->arena, 2, sizeof(struct idle_sample_set));
    session->costs = arena_array(platform->arena, 2, sizeof(struct port_cost));
    platform->idle = session->idle;
    platform->port_costs = session->costs;
    return session->first != NULL && session->dummy != NULL && session->asleep != NULL &&
           session->idle != NULL && session->costs != NULL;
}

void timing_first(const struct hw *hw, const struct timing *timing, struct platform *platform)
{
    struct session session = {.hw = hw, .timing = timing, .platform = platform};
    uint16_t pm_timer = fadt_pm_timer_port(&platform->fadt);
    struct idle_port port;

    platform->idle_count = 0;
    platform->port_costs_count = 0;
    if (timing == NULL || !hw->is_live) {
        platform->idle_skipped = "no timed measurements are possible here";
        return;
    }
    if (!open_session(&session)) {
        platform->idle_skipped = "no memory for the samples";
        platform->incomplete = "no memory for timed samples";
        return;
    }
    platform->idle_skipped = find_port(&session, &port);
    measure_overhead(&session);
    watch_gaps(&session);
    measure_pm_timer(&session, pm_timer);
    if (port.port != 0) {
        measure_port(&session, &port, pm_timer);
    }
    if (session.why != NULL) {
        platform->idle_skipped = session.why;
    } else if (platform->idle_count == 0 && platform->idle_skipped == NULL) {
        platform->idle_skipped = "no undisturbed sample was had in the time given";
    }
}
