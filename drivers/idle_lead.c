#include "drivers/idle_session.h"
#include "model/core_id.h"
#include "model/units.h"

#include <stddef.h>

#define GATHER_NS UINT64_C(2000000000)
#define POLL_NS UINT64_C(2000000)
#define SAY_NS UINT64_C(2000000000)
#define LANES_PER_PACKAGE 8U
#define GRACE_NS UINT64_C(2000000000) /* after its limit a CPU is given up */

/* Shares of the whole time, in percent: the boot CPU, then the others; the rest is for contention. */
#define OWN_PCT 40U
#define OTHERS_PCT 50U

struct lane {
    uint32_t cpu; /* CPU_NONE: free */
    bool is_dead; /* a CPU that never came back still has its tally */
    uint64_t seen;
    uint64_t since_tsc;
    uint64_t start_tsc;
};

struct others {
    struct session *session;
    uint32_t lanes_per_package;
    struct lane lanes[16];
    uint32_t next; /* CPUs below have been asked */
    uint32_t left;
    uint64_t task_limit_tsc;
    uint64_t end_tsc;
    uint64_t said_tsc;
};

static uint64_t share_of(const struct session *session, uint32_t pct)
{
    return session->limit_tsc / 100 * pct;
}

static const char *parked_as(const struct session *session)
{
    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        if (crew_is_here(&session->crew, cpu)) {
            return session->crew.slots[cpu].parked;
        }
    }
    return session->crew.count > 1 ? "left to the firmware" : NULL;
}

static uint32_t first_here(const struct session *session)
{
    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        if (crew_is_here(&session->crew, cpu)) {
            return cpu;
        }
    }
    return CPU_NONE;
}

static void measure_own(struct session *session)
{
    struct crew *crew = &session->crew;
    struct idle_task *task = &session->tasks[0];
    uint32_t watcher = first_here(session);
    struct idle_sampler sampler;

    for (uint32_t i = 0; i < task->plan.count; i++) {
        crew->may_stop_timer = crew->may_stop_timer || task->plan.ways[i].may_stop_timer;
    }
    if (watcher != CPU_NONE) {
        crew->slots[watcher].watched = 0;
        crew_order(crew, watcher, CREW_WATCH);
        task->is_watched = true;
        task->watched_by = "another CPU";
    }
    task->others = parked_as(session);
    task->limit_tsc = share_of(session, OWN_PCT);
    crew->slots[0].tally = session->tally;
    crew_sampler(crew, 0, &sampler);
    sampler.stretch_tsc = session->stretch_tsc;
    sampler.stretch_start_tsc = session->stretch_start_tsc;
    idle_task_run(task, &sampler, 0);
    session->stretch_start_tsc = sampler.stretch_start_tsc;
    session->why = task->why;
    if (watcher != CPU_NONE) {
        crew_order(crew, watcher, CREW_PARK);
    }
}

/* One CPU a core at a time, and no more of a package than its lanes. */
static bool may_start(const struct others *others, uint32_t cpu)
{
    const struct platform *platform = others->session->platform;
    uint32_t of_package = 0;

    for (uint32_t i = 0; i < others->session->tallies_count; i++) {
        uint32_t busy = others->lanes[i].cpu;

        if (busy == CPU_NONE) {
            continue;
        }
        if (core_id_of(platform, busy) == core_id_of(platform, cpu)) {
            return false;
        }
        of_package += platform->cpus[busy].package_id == platform->cpus[cpu].package_id ? 1U : 0U;
    }
    return of_package < others->lanes_per_package;
}

static bool is_waiting(const struct others *others, uint32_t cpu)
{
    const struct crew_slot *slot = &others->session->crew.slots[cpu];

    return crew_is_here(&others->session->crew, cpu) && slot->tally == NULL;
}

static uint32_t pick(const struct others *others)
{
    for (uint32_t cpu = 1; cpu < others->session->crew.count; cpu++) {
        if (is_waiting(others, cpu) && may_start(others, cpu)) {
            return cpu;
        }
    }
    return CPU_NONE;
}

static void start_lane(struct others *others, uint32_t index)
{
    struct session *session = others->session;
    uint32_t cpu = pick(others);
    struct crew_slot *slot;

    if (cpu == CPU_NONE) {
        return;
    }
    slot = &session->crew.slots[cpu];
    slot->tally = session->tallies[index];
    slot->task->is_watched = true;
    slot->task->watched_by = "the boot CPU";
    slot->task->others = parked_as(session);
    slot->task->limit_tsc = others->task_limit_tsc;
    others->lanes[index] = (struct lane){.cpu = cpu, .start_tsc = session_now(session)};
    crew_order(&session->crew, cpu, CREW_MEASURE);
}

static void look_at_lane(struct others *others, uint32_t index)
{
    struct session *session = others->session;
    struct lane *lane = &others->lanes[index];
    uint64_t grace_tsc = session_ticks(session, GRACE_NS);

    if (crew_has_done(&session->crew, lane->cpu)) {
        lane->cpu = CPU_NONE;
        others->left--;
    } else if (session_now(session) - lane->start_tsc > others->task_limit_tsc + grace_tsc) {
        lane->is_dead = true;
        lane->cpu = CPU_NONE;
        others->left--;
    } else {
        crew_watch(&session->crew, 0, lane->cpu, &lane->seen, &lane->since_tsc);
    }
}

static void say_others(struct others *others)
{
    struct session *session = others->session;

    if (session_now(session) - others->said_tsc > session_ticks(session, SAY_NS)) {
        others->said_tsc = session_now(session);
        (void)session_say(session, "idle states on the other CPUs");
    }
}

static void run_lanes(struct others *others)
{
    struct session *session = others->session;

    while (others->left > 0 && session->why == NULL &&
           (int64_t)(session_now(session) - others->end_tsc) < 0) {
        for (uint32_t i = 0; i < session->tallies_count; i++) {
            if (others->lanes[i].cpu != CPU_NONE) {
                look_at_lane(others, i);
            }
            if (others->lanes[i].cpu == CPU_NONE && !others->lanes[i].is_dead) {
                start_lane(others, i);
            }
        }
        crew_rest(&session->crew, 0, POLL_NS);
        if (session_breathe(session)) {
            say_others(others);
        }
    }
}

static uint32_t packages_of(const struct platform *platform)
{
    uint32_t highest = 0;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        highest =
            platform->cpus[cpu].package_id > highest ? platform->cpus[cpu].package_id : highest;
    }
    return highest + 1;
}

static void measure_others(struct session *session)
{
    struct others others = {.session = session, .said_tsc = session_now(session)};
    uint64_t time_tsc = share_of(session, OTHERS_PCT);
    uint64_t estimate_ns = 0;
    uint64_t lane_tsc;

    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        if (crew_is_here(&session->crew, cpu)) {
            session->crew.slots[cpu].tally = NULL;
            others.left++;
            estimate_ns += idle_task_estimate_ns(&session->tasks[cpu]);
        }
    }
    if (others.left == 0 || session->tallies_count == 0) {
        return;
    }
    for (uint32_t i = 0; i < session->tallies_count; i++) {
        others.lanes[i].cpu = CPU_NONE;
    }
    lane_tsc = session_ticks(session, estimate_ns) / packages_of(session->platform);
    others.lanes_per_package = (uint32_t)(lane_tsc / (time_tsc + 1)) + 1;
    if (others.lanes_per_package > LANES_PER_PACKAGE) {
        others.lanes_per_package = LANES_PER_PACKAGE;
    }
    others.task_limit_tsc = mul_div_u64(time_tsc, session->tallies_count, others.left);
    others.task_limit_tsc = others.task_limit_tsc < time_tsc ? others.task_limit_tsc : time_tsc;
    others.end_tsc = session_now(session) + time_tsc + session_ticks(session, GRACE_NS);
    run_lanes(&others);
}

static void dismiss(struct session *session)
{
    struct crew *crew = &session->crew;

    for (uint32_t cpu = 1; cpu < crew->count; cpu++) {
        if (crew_is_here(crew, cpu)) {
            crew_order(crew, cpu, CREW_LEAVE);
        } else {
            /* One that comes late finds the order waiting; it has no table of ours yet to be woken by. */
            crew->slots[cpu].order = CREW_LEAVE;
            __atomic_store_n(&crew->slots[cpu].asked, 1, __ATOMIC_RELEASE);
        }
    }
}

static void lead(struct session *session)
{
    struct crew *crew = &session->crew;
    const struct timing *core = session->measure->timing;

    if (core->take(core, &session->why) != STATUS_OK) {
        __atomic_store_n(&crew->is_leader_gone, 1, __ATOMIC_RELEASE);
        return;
    }
    session->stretch_start_tsc = session_now(session);
    if (crew->count > 1 &&
        crew_gather(crew, session_ticks(session, GATHER_NS), &session->why) == 0) {
        __atomic_store_n(&crew->is_leader_gone, 1, __ATOMIC_RELEASE);
    }
    session->stretch_start_tsc = session_now(session);
    if (session->why == NULL) {
        measure_own(session);
    }
    if (session->why == NULL && crew->is_leader_gone == 0) {
        measure_others(session);
    }
    if (session->why == NULL) {
        session_contention(session);
    }
    if (crew->is_leader_gone == 0) {
        dismiss(session);
    }
    if (!core->give(core) && session->why == NULL) {
        session->why = "the machine did not come back to the firmware as it was";
    }
}

void session_enter(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct session *session = argument;

    if (cpu == 0) {
        lead(session);
    } else {
        crew_enter(hw, cpu, &session->crew);
    }
}
