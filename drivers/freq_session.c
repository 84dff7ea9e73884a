#include "drivers/freq_session.h"

#include "model/step.h"
#include "model/textbuf.h"
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

static void tell(struct freq_session *session)
{
    const struct frequency_measure *measure = session->measure;

    if (measure->progress != NULL && !measure->progress(measure->progress_context, session->what,
                                                        session->planned_ns / NS_PER_S + 1)) {
        session->why = STEP_STOPPED_WHY;
    }
}

/* The firmware has the boot CPU meanwhile; a key ends it all. `part` is announced then; NULL: within a part. */
static bool tell_now(struct freq_session *session, const char *part)
{
    const struct timing *core = session->measure->timing;
    const char *take_why = NULL;

    session->said_tsc = freq_now(session);
    session->is_core_taken = false;
    if (!core->give(core, &session->why)) {
        return false;
    }
    tell(session);
    if (part != NULL && session->why == NULL) {
        freq_announce(session, part);
    }
    if (core->take(core, &take_why) != STATUS_OK) {
        session->why = take_why;
        return false;
    }
    session->is_core_taken = true;
    session->stretch_start_tsc = freq_now(session);
    return session->why == NULL;
}

static bool is_time_to_tell(const struct freq_session *session)
{
    return freq_now(session) - session->said_tsc >= freq_ticks(session, SAY_NS);
}

static void look_at_limit(struct freq_session *session)
{
    if (session->why == NULL && freq_now(session) - session->start_tsc > session->limit_tsc) {
        session->why = "the time limit ended it (--seconds)";
    }
}

/* Within a long job too what is under way is said, and keys and the time limit are looked at. */
bool freq_breathe_now(struct freq_session *session)
{
    const struct timing *core = session->measure->timing;

    look_at_limit(session);
    if (session->why != NULL) {
        return false;
    }
    if (is_time_to_tell(session)) {
        return tell_now(session, NULL);
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

bool freq_say(struct freq_session *session, const char *what, uint64_t done_ns)
{
    return freq_say_part(session, what, what, done_ns);
}

bool freq_say_part(struct freq_session *session, const char *part, const char *what,
                   uint64_t done_ns)
{
    struct textbuf text;

    textbuf_init(&text, session->what, sizeof(session->what), NULL, NULL);
    textbuf_printf(&text, "%s", what);
    session->planned_ns -= done_ns < session->planned_ns ? done_ns : session->planned_ns;
    look_at_limit(session);
    if (session->why != NULL || !freq_may_begin(session, part)) {
        return false;
    }
    if (!is_time_to_tell(session) && freq_is_announced(session, part)) {
        return true;
    }
    return tell_now(session, part);
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
    if (job == FREQ_JOB_ROW || job == FREQ_JOB_ASK) {
        freq_ask_through_pcc(session);
    }
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
