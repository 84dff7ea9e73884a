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
#define BACK_LOOPS 15U
#define BACK_TRIES 40U
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
    uint64_t asked_tsc;
    uint64_t lead_tsc;
    uint32_t count;

    freq_ask_ready(changes->session, changes->cpu);
    asked_tsc = freq_now(changes->session);
    if (!freq_ask_start(changes->session, changes->cpu, settling->to_index)) {
        return false;
    }
    lead_tsc = freq_now(changes->session) - asked_tsc;
    count = run_loops(changes, FREQ_STEPS, changes->limit_tsc);
    if (!freq_ask_finish(changes->session, changes->cpu)) {
        return false;
    }
    return freq_settle_find(own->steps, count, lead_tsc, &own->loops[settling->from_index],
                            &own->loops[settling->to_index], ret_tsc) == FREQ_SETTLED;
}

static void new_settling(struct changes *changes, uint32_t from, uint32_t to)
{
    struct freq_cpu *own = changes->own;

    if (own->settlings_count < own->settlings_room) {
        own->settlings[own->settlings_count++] =
            (struct freq_settling){.cpu = changes->cpu,
                                   .kind = own->way.kind,
                                   .from_index = from,
                                   .to_index = to,
                                   .from_khz = own->requests[from].khz,
                                   .to_khz = own->requests[to].khz,
                                   .latency_us = own->requests[to].latency_us};
    }
}

/* Back to where the change starts from, and no change before the clock has been seen to be there. */
static bool go_back(struct changes *changes, const struct freq_settling *settling)
{
    struct freq_cpu *own = changes->own;
    uint64_t step_ns = units_tsc_to_ns(changes->limit_tsc, changes->session->crew.tsc_hz) / 4;

    if (!freq_ask(changes->session, changes->cpu, settling->from_index)) {
        return false;
    }
    for (unsigned i = 0; i < BACK_TRIES; i++) {
        struct freq_loop loop;
        uint32_t count;

        freq_meter_work(&changes->meter, step_ns);
        if (!breathe_between(changes)) {
            return false;
        }
        count = run_loops(changes, BACK_LOOPS, changes->limit_tsc);
        freq_loop_of(own->steps, count, &loop);
        if (freq_loop_is_at(&loop, &own->loops[settling->from_index],
                            &own->loops[settling->to_index])) {
            return true;
        }
    }
    return false;
}

static void measure_way(struct changes *changes, struct freq_settling *settling)
{
    histogram_clear(changes->own->histogram);
    for (unsigned i = 0; i < FREQ_CHANGES && changes->session->why == NULL; i++) {
        uint64_t settle_tsc = 0;

        settling->changes++;
        if (go_back(changes, settling) && change(changes, settling, &settle_tsc)) {
            histogram_add(changes->own->histogram, settle_tsc);
        } else {
            settling->unsettled++;
        }
        if (!breathe_between(changes)) {
            break;
        }
    }
    histogram_summarise(changes->own->histogram, &settling->settle_tsc);
}

/* Into an entry that new_settling made, at the level under way. */
static void measure_change(struct changes *changes, struct freq_settling *settling)
{
    struct freq_cpu *own = changes->own;
    const struct freq_loop *from = &own->loops[settling->from_index];
    const struct freq_loop *to = &own->loops[settling->to_index];

    settling->changes = 0;
    settling->unsettled = 0;
    settling->why = NULL;
    settling->limit_tsc = changes->limit_tsc;
    settling->loop_from_tsc = from->median_tsc;
    settling->loop_to_tsc = to->median_tsc;
    if (!freq_loops_differ(from, to)) {
        settling->why = "the two clocks cannot be told apart";
        return;
    }
    measure_way(changes, settling);
    if (settling->settle_tsc.n == 0) {
        settling->why = "the clock did not settle in the time that was looked at";
    }
}

/* Neighbours both ways, then the extremes. */
static void list_changes(struct changes *changes)
{
    uint32_t count = changes->own->count;

    for (uint32_t row = 0; row + 1 < count; row++) {
        new_settling(changes, row, row + 1);
        new_settling(changes, row + 1, row);
    }
    if (count > 2) {
        new_settling(changes, 0, count - 1);
        new_settling(changes, count - 1, 0);
    }
}

/* Not yet measured, or at a level that was too short for half of its changes. */
static bool is_open(const struct freq_settling *settling)
{
    return settling->changes == 0 || settling->unsettled * 2 > settling->changes;
}

static bool measure_open(struct changes *changes)
{
    struct freq_cpu *own = changes->own;
    bool is_any_open = false;

    if (!take_steady_loops(changes)) {
        return false;
    }
    for (uint32_t i = 0; i < own->settlings_count && changes->session->why == NULL; i++) {
        if (is_open(&own->settlings[i])) {
            measure_change(changes, &own->settlings[i]);
            is_any_open = is_any_open || is_open(&own->settlings[i]);
        }
    }
    return is_any_open;
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
    list_changes(&changes);
    for (uint32_t level = 0; level < LEVELS && measure_open(&changes); level++) {
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
    if (session->why != NULL || !freq_say(session, freq_part_names[FREQ_PART_SETTLING], 0)) {
        return;
    }
    session->row = FREQ_LAST_ROW;
    freq_select_all(session);
    freq_give_job(session, FREQ_JOB_ASK, JOB_NS);
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        struct freq_cpu *own = &session->cpus[cpu];

        /* Through PCC the boot CPU asks, so that no other could tell when it was asked. */
        own->is_in = is_first_of_kind(session, cpu) && own->count > 1 &&
                     (cpu == 0 || own->way.kind != FREQ_CPPC_PCC);
        if (own->is_in && !freq_settle_prepare(session, cpu)) {
            session->why = "no memory for settling times";
            return;
        }
    }
    freq_give_job(session, FREQ_JOB_SETTLE, JOB_NS);
}
