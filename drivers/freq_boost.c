#include "drivers/freq_session.h"
#include "model/units.h"

#include <stddef.h>

/* Boost by active cores, each core alone, boost off and on. Every CPU has been asked for its highest request. */

#define WINDOW_NS UINT64_C(100000000)
#define ALONE_NS                                                                                   \
    UINT64_C(20000000) /* with the work before it within one stretch of a parked boot CPU */
#define ALONE_PLAN_NS UINT64_C(40000000)
#define JOB_NS UINT64_C(3000000000)

static uint32_t packages_of(const struct platform *platform)
{
    uint32_t highest = 0;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        uint32_t package = platform->cpus[cpu].package_id;

        highest = package > highest ? package : highest;
    }
    return highest + 1;
}

static bool is_here(const struct freq_session *session, uint32_t cpu)
{
    return session->cpus[cpu].is_wanted && !session->cpus[cpu].is_lost &&
           (cpu == 0 || crew_is_here(&session->crew, cpu));
}

/* Cores of a package that can be made active. */
static uint32_t cores_in(const struct freq_session *session, uint32_t package)
{
    uint32_t cores = 0;

    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        if (session->platform->cpus[cpu].package_id == package && is_here(session, cpu) &&
            session->cpus[cpu].is_first) {
            cores++;
        }
    }
    return cores;
}

static uint32_t most_cores(const struct freq_session *session)
{
    uint32_t most = 0;

    for (uint32_t package = 0; package < packages_of(session->platform); package++) {
        uint32_t cores = cores_in(session, package);

        most = cores > most ? cores : most;
    }
    return most;
}

/* The first thread of the cores `from` to `from + cores - 1` of each package. */
static void select_cores(struct freq_session *session, uint32_t from, uint32_t cores)
{
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        session->cpus[cpu].is_in = false;
    }
    for (uint32_t package = 0; package < packages_of(session->platform); package++) {
        uint32_t seen = 0;

        for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
            if (session->platform->cpus[cpu].package_id != package || !is_here(session, cpu) ||
                !session->cpus[cpu].is_first) {
                continue;
            }
            session->cpus[cpu].is_in = seen >= from && seen - from < cores;
            seen++;
        }
    }
}

/* The leader is no part of it: it is awake to give the job. */
static void mark_parked(struct freq_session *session)
{
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        struct freq_cpu *own = &session->cpus[cpu];

        own->is_in = cpu != 0 && !own->is_in && own->is_wanted && own->residency_count > 0;
    }
    freq_give_job(session, FREQ_JOB_MARK, JOB_NS);
}

static void add_counts(struct freq_counts *sum, const struct freq_counts *counts)
{
    if (counts->slices != 0) {
        sum->slow_ppm =
            sum->slices == 0 || counts->slow_ppm < sum->slow_ppm ? counts->slow_ppm : sum->slow_ppm;
        sum->fast_ppm = counts->fast_ppm > sum->fast_ppm ? counts->fast_ppm : sum->fast_ppm;
    }
    sum->window_tsc += counts->window_tsc;
    sum->aperf += counts->aperf;
    sum->mperf += counts->mperf;
    sum->stamp_tsc += counts->stamp_tsc;
    sum->slices += counts->slices;
    sum->wrapped += counts->wrapped;
    sum->stopped += counts->stopped;
    sum->torn += counts->torn;
    sum->causes |= counts->causes;
}

static void add_parked(const struct freq_session *session, uint32_t cpu, struct freq_boost *boost)
{
    const struct freq_cpu *own = &session->cpus[cpu];

    if (cpu == 0 || !is_here(session, cpu)) {
        return;
    }
    boost->parked = session->crew.slots[cpu].parked;
    if (own->residency_count > 0) {
        boost->has_residency = true;
        boost->parked_tsc += own->parked_tsc;
        boost->deep_tsc += own->deep_tsc < own->parked_tsc ? own->deep_tsc : own->parked_tsc;
    }
}

/* One entry for each package; `was_active` is what select_cores chose, one byte a CPU. */
static void fold(struct freq_session *session, enum freq_boost_kind kind, const uint8_t *was_active)
{
    struct platform *platform = session->platform;

    for (uint32_t package = 0; package < packages_of(platform); package++) {
        struct freq_boost boost = {.kind = kind, .package = package, .cpu = CPU_NONE};

        for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
            if (platform->cpus[cpu].package_id != package) {
                continue;
            }
            if (was_active[cpu] == 0) {
                add_parked(session, cpu, &boost);
                continue;
            }
            boost.cpu = boost.cpu == CPU_NONE ? cpu : boost.cpu;
            boost.active++;
            add_counts(&boost.counts, &session->cpus[cpu].counts);
        }
        if (boost.active > 0 && platform->freq_boosts_count < session->boosts_room) {
            platform->freq_boosts[platform->freq_boosts_count++] = boost;
        }
    }
}

/* Measures what is selected, with the rest parked. */
static void measure_active(struct freq_session *session, enum freq_boost_kind kind,
                           uint64_t window_ns)
{
    uint8_t *active = arena_array(session->platform->arena, session->crew.count, 1);

    if (active == NULL) {
        session->why = "no memory for boost";
        return;
    }
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        active[cpu] = session->cpus[cpu].is_in ? 1 : 0;
    }
    mark_parked(session);
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        session->cpus[cpu].is_in = active[cpu] != 0;
    }
    session->window_ns = window_ns;
    freq_give_job(session, FREQ_JOB_ACTIVE, JOB_NS);
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        session->cpus[cpu].is_in = active[cpu] != 0;
    }
    mark_parked(session);
    fold(session, kind, active);
}

static void cores_together(struct freq_session *session)
{
    uint32_t most = most_cores(session);

    for (uint32_t cores = 1; cores <= most; cores *= 2) {
        if (!freq_say(session, freq_part_names[FREQ_PART_CORES], WINDOW_NS)) {
            return;
        }
        select_cores(session, 0, cores);
        measure_active(session, FREQ_BOOST_CORES, WINDOW_NS);
        if (cores < most && cores * 2 > most) {
            select_cores(session, 0, most);
            measure_active(session, FREQ_BOOST_CORES, WINDOW_NS);
        }
    }
}

static void threads_together(struct freq_session *session)
{
    bool has_siblings = false;

    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        session->cpus[cpu].is_in = is_here(session, cpu);
        has_siblings = has_siblings || (session->cpus[cpu].is_in && !session->cpus[cpu].is_first);
    }
    if (has_siblings && freq_say(session, freq_part_names[FREQ_PART_THREADS], WINDOW_NS)) {
        for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
            session->cpus[cpu].is_in = is_here(session, cpu);
        }
        measure_active(session, FREQ_BOOST_THREADS, WINDOW_NS);
    }
}

static void cores_alone(struct freq_session *session)
{
    uint32_t most = most_cores(session);

    for (uint32_t core = 0; most > 1 && core < most; core++) {
        if (!freq_say(session, freq_part_names[FREQ_PART_ALONE], ALONE_PLAN_NS)) {
            return;
        }
        select_cores(session, core, 1);
        measure_active(session, FREQ_BOOST_ALONE, ALONE_NS);
    }
}

static bool has_switch(const struct freq_session *session)
{
    return session->cpus[0].boost.msr != 0 &&
           request_guard_covers(&session->guard, 0, session->cpus[0].boost.msr);
}

static void with_switch(struct freq_session *session, bool is_off)
{
    session->is_boost_off = is_off;
    freq_select_all(session);
    freq_give_job(session, FREQ_JOB_BOOST, JOB_NS);
    if (session->cpus[0].has_switched) {
        select_cores(session, 0, 1);
        measure_active(session, is_off ? FREQ_BOOST_OFF : FREQ_BOOST_ON, WINDOW_NS);
    }
}

/* The room that all of this needs. */
static bool take_room(struct freq_session *session)
{
    struct platform *platform = session->platform;
    uint32_t steps = most_cores(session) + 40;

    session->boosts_room = steps * packages_of(platform);
    platform->freq_boosts =
        arena_array(platform->arena, session->boosts_room, sizeof(*platform->freq_boosts));
    if (platform->freq_boosts == NULL) {
        session->why = "no memory for boost";
    }
    return platform->freq_boosts != NULL;
}

uint64_t freq_plan_boost_ns(const struct freq_session *session)
{
    uint32_t cores = 0;
    uint64_t plan_ns = 4 * WINDOW_NS;

    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        if (session->platform->cpus[cpu].package_id == session->platform->cpus[0].package_id &&
            session->cpus[cpu].is_first) {
            cores++;
        }
    }
    for (uint32_t i = 1; i < cores; i *= 2) {
        plan_ns += WINDOW_NS;
    }
    return plan_ns + cores * ALONE_PLAN_NS;
}

void freq_lead_boost(struct freq_session *session)
{
    if (session->why != NULL || !take_room(session)) {
        return;
    }
    session->row = 0;
    freq_select_all(session);
    freq_give_job(session, FREQ_JOB_ASK, JOB_NS);
    cores_together(session);
    if (session->why == NULL) {
        threads_together(session);
    }
    if (session->why == NULL) {
        cores_alone(session);
    }
    if (has_switch(session) &&
        freq_say(session, freq_part_names[FREQ_PART_SWITCH], 2 * WINDOW_NS)) {
        with_switch(session, true);
        with_switch(session, false);
    }
}
