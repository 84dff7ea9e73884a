#include "drivers/freq_session.h"
#include "model/histogram.h"
#include "model/units.h"

#include <stddef.h>

/* How long a changed request takes, on the first CPU of each package and kind, while the others rest under their
 * lowest request. */

#define STEADY_NS UINT64_C(30000000) /* after a request, before its steady loops are taken */
#define LOOP_NS UINT64_C(500)        /* aimed at, at the lowest request */
#define TRIAL_ADDITIONS 1000U
#define LEVELS 2U
#define LEVEL_FACTOR 8U
#define JOB_NS UINT64_C(60000000000)
#define US_PER_NS 1000U

struct changes {
    struct freq_session *session;
    struct freq_cpu *own;
    struct freq_meter meter;
    const struct timing *core;
    uint32_t cpu;
    uint32_t additions; /* of a loop, at the level under way */
    uint64_t limit_tsc; /* how long loops are looked at */
};

bool freq_settle_prepare(struct freq_session *session, uint32_t cpu)
{
    struct freq_cpu *own = &session->cpus[cpu];
    struct arena *arena = session->platform->arena;

    if (own->count < 2) {
        return true;
    }
    own->settlings_room = 2 * own->count; /* neighbours both ways, and the extremes */
    own->settlings = arena_array(arena, own->settlings_room, sizeof(*own->settlings));
    own->steps = arena_array(arena, FREQ_STEPS, sizeof(*own->steps));
    own->loops = arena_array(arena, own->count, sizeof(*own->loops));
    own->histogram = arena_take(arena, sizeof(*own->histogram));
    return own->settlings != NULL && own->steps != NULL && own->loops != NULL &&
           own->histogram != NULL;
}

static bool breathe_between(struct changes *changes)
{
    return changes->meter.breathe == NULL || changes->meter.breathe(changes->meter.breathe_context);
}

static uint32_t run_loops(struct changes *changes, uint32_t room, uint64_t limit_tsc)
{
    const struct hw *hw = changes->session->measure->hw;

    return changes->core->work(changes->core, changes->additions, hw->ops->tsc(hw) + limit_tsc,
                               room, changes->own->steps);
}

/* Half at a time, so that a boot CPU's stretch does not end within. */
static bool steady_at(struct changes *changes, uint32_t row)
{
    if (!freq_ask(changes->session, changes->cpu, row)) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        freq_meter_work(&changes->meter, STEADY_NS / 3);
        if (!breathe_between(changes)) {
            return false;
        }
    }
    return true;
}

/* How many additions make a loop of about LOOP_NS at the lowest request. */
static bool choose_loop(struct changes *changes)
{
    struct freq_loop trial;
    uint64_t wanted_tsc = freq_ticks(changes->session, LOOP_NS);
    uint32_t count;

    changes->additions = TRIAL_ADDITIONS;
    if (!steady_at(changes, FREQ_LAST_ROW)) {
        return false;
    }
    count = run_loops(changes, FREQ_LOOP_KEPT, changes->limit_tsc);
    freq_loop_of(changes->own->steps, count, &trial);
    if (trial.median_tsc == 0) {
        return false;
    }
    changes->additions = (uint32_t)mul_div_u64(TRIAL_ADDITIONS, wanted_tsc, trial.median_tsc);
    changes->additions = changes->additions == 0 ? 1 : changes->additions;
    return true;
}

static bool take_steady_loops(struct changes *changes)
{
    for (uint32_t row = 0; row < changes->own->count; row++) {
        uint32_t count;

        if (!steady_at(changes, row)) {
            return false;
        }
        count = run_loops(changes, FREQ_LOOP_KEPT, changes->limit_tsc);
        freq_loop_of(changes->own->steps, count, &changes->own->loops[row]);
    }
    return true;
}

/* One change; false when the clock did not arrive. */
static bool change(struct changes *changes, const struct freq_settling *settling, uint64_t *ret_tsc)
{
    struct freq_cpu *own = changes->own;
    uint64_t asked_tsc = freq_now(changes->session);
    uint64_t lead_tsc;
    uint32_t count;

    if (!freq_ask(changes->session, changes->cpu, settling->to_index)) {
        return false;
    }
    lead_tsc = freq_now(changes->session) - asked_tsc;
    count = run_loops(changes, FREQ_STEPS, changes->limit_tsc);
    return freq_settle_find(own->steps, count, lead_tsc, &own->loops[settling->from_index],
                            &own->loops[settling->to_index], ret_tsc) == FREQ_SETTLED;
}

static struct freq_settling *new_settling(struct changes *changes, uint32_t from, uint32_t to)
{
    struct freq_cpu *own = changes->own;
    struct freq_settling *settling = &own->settlings[own->settlings_count++];

    *settling = (struct freq_settling){.cpu = changes->cpu,
                                       .kind = own->way.kind,
                                       .from_index = from,
                                       .to_index = to,
                                       .from_khz = own->requests[from].khz,
                                       .to_khz = own->requests[to].khz,
                                       .latency_us = own->requests[to].latency_us,
                                       .limit_tsc = changes->limit_tsc,
                                       .loop_from_tsc = own->loops[from].median_tsc,
                                       .loop_to_tsc = own->loops[to].median_tsc};
    return settling;
}

/* There and back again; the histogram holds one way at a time, so each way has its own round. */
static void measure_way(struct changes *changes, struct freq_settling *settling)
{
    struct freq_settling back = *settling;

    back.from_index = settling->to_index;
    back.to_index = settling->from_index;
    histogram_clear(changes->own->histogram);
    for (unsigned i = 0; i < FREQ_CHANGES; i++) {
        uint64_t settle_tsc = 0;

        if (change(changes, settling, &settle_tsc)) {
            histogram_add(changes->own->histogram, settle_tsc);
        } else {
            settling->unsettled++;
        }
        settling->changes++;
        /* What remains of the time without a look is the way back. */
        if (!breathe_between(changes) || !freq_ask(changes->session, changes->cpu, back.to_index)) {
            break;
        }
        freq_meter_work(&changes->meter,
                        units_tsc_to_ns(changes->limit_tsc, changes->session->crew.tsc_hz));
        if (!breathe_between(changes)) {
            break;
        }
    }
    histogram_summarise(changes->own->histogram, &settling->settle_tsc);
}

static void measure_change(struct changes *changes, uint32_t from, uint32_t to)
{
    struct freq_cpu *own = changes->own;
    struct freq_settling *settling;

    if (own->settlings_count >= own->settlings_room) {
        return;
    }
    settling = new_settling(changes, from, to);
    if (!freq_loops_differ(&own->loops[from], &own->loops[to])) {
        settling->why = "the two clocks cannot be told apart";
        return;
    }
    if (!freq_ask(changes->session, changes->cpu, from)) {
        settling->why = "the request could not be made";
        return;
    }
    freq_meter_work(&changes->meter,
                    units_tsc_to_ns(changes->limit_tsc, changes->session->crew.tsc_hz));
    if (breathe_between(changes)) {
        measure_way(changes, settling);
    }
    if (settling->settle_tsc.n == 0) {
        settling->why = "the clock did not settle in the time that was looked at";
    }
}

static void measure_all(struct changes *changes)
{
    uint32_t count = changes->own->count;

    for (uint32_t row = 0; row + 1 < count && changes->session->why == NULL; row++) {
        measure_change(changes, row, row + 1);
        measure_change(changes, row + 1, row);
    }
    if (count > 2 && changes->session->why == NULL) {
        measure_change(changes, 0, count - 1);
        measure_change(changes, count - 1, 0);
    }
}

/* Most of a level's changes did not arrive: it is too short for this machine. */
static bool is_too_short(const struct freq_cpu *own)
{
    uint32_t unsettled = 0;
    uint32_t changes = 0;

    for (uint32_t i = 0; i < own->settlings_count; i++) {
        unsettled += own->settlings[i].unsettled;
        changes += own->settlings[i].changes;
    }
    return unsettled * 4 > changes;
}

void freq_settle_run(struct freq_session *session, uint32_t cpu)
{
    struct changes changes = {.session = session, .own = &session->cpus[cpu], .cpu = cpu};

    if (changes.own->steps == NULL) {
        return;
    }
    freq_meter_of(session, cpu, &changes.meter);
    changes.core = session->crew.slots[cpu].core;
    changes.limit_tsc = freq_ticks(session, FREQ_STEPS / 2 * LOOP_NS);
    if (!choose_loop(&changes)) {
        return;
    }
    for (uint32_t level = 0; level < LEVELS; level++) {
        changes.own->settlings_count = 0;
        if (!take_steady_loops(&changes)) {
            return;
        }
        measure_all(&changes);
        if (!is_too_short(changes.own)) {
            return;
        }
        changes.additions *= LEVEL_FACTOR;
        changes.limit_tsc *= LEVEL_FACTOR;
    }
}

static bool is_first_of_kind(const struct freq_session *session, uint32_t cpu)
{
    const struct cpu *cpus = session->platform->cpus;

    for (uint32_t i = 0; i < cpu; i++) {
        if (session->cpus[i].is_wanted && cpus[i].package_id == cpus[cpu].package_id &&
            cpus[i].kind == cpus[cpu].kind && cpus[i].core_type == cpus[cpu].core_type) {
            return false;
        }
    }
    return session->cpus[cpu].is_wanted;
}

void freq_lead_settling(struct freq_session *session)
{
    if (session->why != NULL || !freq_say(session, "settling time after a changed request", 0)) {
        return;
    }
    session->row = FREQ_LAST_ROW;
    freq_select_all(session);
    freq_give_job(session, FREQ_JOB_ASK, JOB_NS);
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        struct freq_cpu *own = &session->cpus[cpu];

        own->is_in = is_first_of_kind(session, cpu) && own->count > 1;
        if (own->is_in && !freq_settle_prepare(session, cpu)) {
            session->why = "no memory for settling times";
            return;
        }
    }
    freq_give_job(session, FREQ_JOB_SETTLE, JOB_NS);
}
