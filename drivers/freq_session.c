#include "drivers/freq_session.h"

#include "model/step.h"
#include "model/units.h"

#include <stddef.h>

/* The leader's time and its orders. */

#define POLL_NS UINT64_C(1000000)
#define PARKED_POLL_NS UINT64_C(36000000) /* one rest of a boot CPU that is to be parked */
#define SAY_NS UINT64_C(500000000)

uint64_t freq_now(const struct freq_session *session)
{
    return session->measure->hw->ops->tsc(session->measure->hw);
}

uint64_t freq_ticks(const struct freq_session *session, uint64_t ns)
{
    return units_ns_to_tsc(ns, session->crew.tsc_hz);
}

bool freq_breathe_now(struct freq_session *session)
{
    const struct timing *core = session->measure->timing;

    if (session->why != NULL) {
        return false;
    }
    if (core->breathe(core, &session->why) != STATUS_OK) {
        return false;
    }
    session->stretch_start_tsc = freq_now(session);
    return true;
}

bool freq_breathe(struct freq_session *session)
{
    if (session->why != NULL) {
        return false;
    }
    return freq_now(session) - session->stretch_start_tsc < session->stretch_tsc ||
           freq_breathe_now(session);
}

static void tell(struct freq_session *session, const char *what)
{
    const struct frequency_measure *measure = session->measure;

    if (measure->progress != NULL &&
        !measure->progress(measure->progress_context, what, session->planned_ns / NS_PER_S + 1)) {
        session->why = STEP_STOPPED_WHY;
    }
}

bool freq_say(struct freq_session *session, const char *what, uint64_t done_ns)
{
    return freq_say_part(session, what, what, done_ns);
}

bool freq_say_part(struct freq_session *session, const char *part, const char *what,
                   uint64_t done_ns)
{
    const struct timing *core = session->measure->timing;
    const char *take_why = NULL;
    uint64_t now_tsc = freq_now(session);

    session->planned_ns -= done_ns < session->planned_ns ? done_ns : session->planned_ns;
    if (session->why == NULL && now_tsc - session->start_tsc > session->limit_tsc) {
        session->why = "the time limit ended it (--seconds)";
    }
    if (session->why != NULL || !freq_may_begin(session, part)) {
        return false;
    }
    if (now_tsc - session->said_tsc < freq_ticks(session, SAY_NS) &&
        freq_is_announced(session, part)) {
        return true;
    }
    session->said_tsc = now_tsc;
    if (!core->give(core, &session->why)) {
        return false;
    }
    tell(session, what);
    if (session->why == NULL) {
        freq_announce(session, part);
    }
    if (core->take(core, &take_why) != STATUS_OK) {
        session->why = take_why;
        return false;
    }
    session->stretch_start_tsc = freq_now(session);
    return session->why == NULL;
}

static bool may_order(const struct freq_session *session, uint32_t cpu)
{
    const struct freq_cpu *own = &session->cpus[cpu];

    return own->is_in && !own->is_lost && cpu != 0 && crew_is_here(&session->crew, cpu);
}

static void order_all(struct freq_session *session)
{
    session->expected = session->cpus[0].is_in ? 1 : 0;
    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        session->expected += may_order(session, cpu) ? 1U : 0U;
    }
    session->ready = 0;
    session->finished = 0;
    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        if (may_order(session, cpu)) {
            crew_order(&session->crew, cpu, CREW_CALL);
        }
    }
}

static bool is_done(const struct freq_session *session)
{
    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        if (may_order(session, cpu) && !crew_has_done(&session->crew, cpu)) {
            return false;
        }
    }
    return true;
}

static void note_lost(struct freq_session *session)
{
    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        if (may_order(session, cpu) && !crew_has_done(&session->crew, cpu)) {
            session->cpus[cpu].is_lost = true;
            session->platform->cpus[cpu].answer = CPU_DID_NOT_ANSWER;
        }
    }
}

/* A boot CPU that has no part in a job that is about active cores rests in one piece, as the parked do. */
static uint64_t rest_of(const struct freq_session *session)
{
    return session->job == FREQ_JOB_ACTIVE && !session->cpus[0].is_in ? PARKED_POLL_NS : POLL_NS;
}

void freq_give_job(struct freq_session *session, enum freq_job job, uint64_t limit_ns)
{
    uint64_t rest_ns;
    uint64_t start_tsc;

    session->job = job;
    rest_ns = rest_of(session);
    if (rest_ns == PARKED_POLL_NS && !freq_breathe_now(session)) {
        return;
    }
    order_all(session);
    if (session->cpus[0].is_in) {
        freq_job_run(&session->crew, 0);
    }
    start_tsc = freq_now(session);
    while (!is_done(session) && freq_now(session) - start_tsc < freq_ticks(session, limit_ns)) {
        crew_rest(&session->crew, 0, rest_ns);
        rest_ns = POLL_NS;
        /* Orders already given are waited for even when measuring has to end. */
        if (session->why == NULL) {
            (void)freq_breathe(session);
        }
    }
    note_lost(session);
}
