#include "drivers/idle_session.h"
#include "model/core_id.h"
#include "model/units.h"

#include <stddef.h>

#define GATHER_NS UINT64_C(2000000000)
#define SAY_NS UINT64_C(2000000000)
#define PAUSES_PCT 115U /* of the sleeps: with the firmware's share */
#define LANES_PER_PACKAGE 8U
/* A stretch in which the boot CPU only watches: it ends it to the millisecond. */
#define WATCHED_STRETCH_NS (TIMING_STRETCH_US * 1000 * 9 / 10)
#define RESCUE_NS (CREW_WATCH_NS + 2000000) /* a sleep that never wakes has ended by then */
#define RENEW_NS (CREW_WATCH_NS - 3000000)
#define MARGIN_NS                                                                                  \
    UINT64_C(1000000) /* from the end of a window to the end of the boot CPU's stretch */
#define GRACE_NS UINT64_C(2000000000) /* after its limit a CPU is given up */
#define QUIET_WINDOWS_MAX                                                                          \
    64U /* likewise after so many windows, 3 s, without the begin or end of a sleep */

/* Shares of the whole time, in percent: the boot CPU, then the others; the rest is for contention. */
#define OWN_PCT 40U
#define OTHERS_PCT 50U

struct lane {
    uint32_t cpu; /* CPU_NONE: free */
    bool is_dead; /* a CPU that never came back still has its tally */
    uint64_t start_tsc;
    uint64_t passes; /* begun and ended, when its last window was opened */
    uint32_t quiet_windows;
};

struct others {
    struct session *session;
    uint32_t lanes_per_package;
    struct lane lanes[TALLIES_MAX];
    uint32_t next; /* CPUs below have been asked */
    uint32_t left;
    uint32_t all;
    uint64_t estimate_ns; /* for all, side by side */
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

static uint32_t packages_of(const struct platform *platform)
{
    uint32_t highest = 0;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        highest =
            platform->cpus[cpu].package_id > highest ? platform->cpus[cpu].package_id : highest;
    }
    return highest + 1;
}

/* How many others are to be measured, and how long that takes one after the other in each package. */
static uint32_t count_others(const struct session *session, uint64_t *ret_estimate_ns)
{
    uint64_t sum_ns = 0;
    uint32_t count = 0;

    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        if (crew_is_here(&session->crew, cpu)) {
            count++;
            sum_ns += idle_task_estimate_ns(&session->tasks[cpu]);
        }
    }
    *ret_estimate_ns =
        mul_div_u64(sum_ns, PAUSES_PCT, UINT64_C(100) * packages_of(session->platform));
    return count;
}

static bool pause_own(struct idle_sampler *sampler)
{
    struct session *session = sampler->pause_context;

    if (!session_breathe_now(session)) {
        sampler->why = session->why;
        return false;
    }
    sampler->stretch_start_tsc = session->stretch_start_tsc;
    sampler->watch_start_tsc = session->stretch_start_tsc;
    return true;
}

static void renew_own(struct idle_sampler *sampler)
{
    struct session *session = sampler->pause_context;

    session_renew_watch(session);
    if (session->why != NULL) {
        sampler->why = session->why;
    }
    sampler->watch_start_tsc = session_now(session);
}

/* Another CPU, or where there is none a timer that does not belong to this one. */
static void begin_watch(struct session *session)
{
    struct crew *crew = &session->crew;
    struct idle_task *task = &session->tasks[0];
    const struct timing *core = session->measure->timing;
    uint32_t watcher = first_here(session);

    if (watcher != CPU_NONE) {
        crew->slots[watcher].watched = 0;
        session->watcher = watcher;
        crew_order(crew, watcher, CREW_WATCH);
        task->watched_by = "another CPU";
    } else if (core->guard != NULL) {
        task->watched_by = core->guard(core, CREW_WATCH_NS, &task->unwatched_why);
        session->has_guard = task->watched_by != NULL;
    }
    task->is_watched = task->watched_by != NULL;
}

static void end_watch(struct session *session)
{
    const struct timing *core = session->measure->timing;
    const char *why = NULL;

    if (session->watcher != 0) {
        uint32_t watcher = session->watcher;

        session->watcher = 0;
        crew_order(&session->crew, watcher, CREW_PARK);
    }
    if (session->has_guard) {
        session->has_guard = false;
        (void)core->guard(core, 0, &why);
    }
}

static void measure_own(struct session *session)
{
    struct crew *crew = &session->crew;
    struct idle_task *task = &session->tasks[0];
    struct idle_sampler sampler;

    begin_watch(session);
    (void)count_others(session, &session->others_left_ns);
    task->others = parked_as(session);
    task->limit_tsc = share_of(session, OWN_PCT);
    crew->slots[0].tally = session->tally;
    crew_sampler(crew, 0, &sampler);
    sampler.stretch_tsc = session->stretch_tsc;
    sampler.stretch_start_tsc = session->stretch_start_tsc;
    sampler.rescue_tsc = session_ticks(session, RESCUE_NS);
    sampler.pause = pause_own;
    sampler.pause_context = session;
    if (task->is_watched) {
        sampler.renew = renew_own;
        sampler.watch_tsc = session_ticks(session, RENEW_NS);
        sampler.watch_start_tsc = session->stretch_start_tsc;
    }
    idle_task_run(task, &sampler, 0);
    session->stretch_start_tsc = sampler.stretch_start_tsc;
    session->why = task->why;
    end_watch(session);
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

/* Of the stretch in which the others may measure. */
static uint64_t stretch_left(const struct session *session)
{
    uint64_t gone_tsc = session_now(session) - session->stretch_start_tsc;
    uint64_t whole_tsc = session_ticks(session, WATCHED_STRETCH_NS);

    return gone_tsc < whole_tsc ? whole_tsc - gone_tsc : 0;
}

static uint64_t window_left(const struct session *session)
{
    uint64_t left_tsc = stretch_left(session);
    uint64_t margin_tsc = session_ticks(session, MARGIN_NS);

    return left_tsc > margin_tsc ? left_tsc - margin_tsc : 1;
}

/* A fair share, or twice what it should take where that is more: one that sleeps at all lengths takes longer. */
static uint64_t limit_of(const struct others *others, const struct idle_task *task)
{
    uint64_t twice_tsc = session_ticks(others->session, 2 * idle_task_estimate_ns(task));
    uint64_t time_tsc = share_of(others->session, OTHERS_PCT);

    twice_tsc = twice_tsc < time_tsc ? twice_tsc : time_tsc;
    return twice_tsc > others->task_limit_tsc ? twice_tsc : others->task_limit_tsc;
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
    slot->task->limit_tsc = limit_of(others, slot->task);
    slot->window_tsc = window_left(session);
    others->lanes[index] = (struct lane){.cpu = cpu, .start_tsc = session_now(session)};
    crew_order(&session->crew, cpu, CREW_MEASURE);
}

static void look_at_lane(struct others *others, uint32_t index)
{
    struct session *session = others->session;
    struct lane *lane = &others->lanes[index];
    const struct crew_slot *slot = &session->crew.slots[lane->cpu];
    uint64_t grace_tsc = session_ticks(session, GRACE_NS);

    if (crew_has_done(&session->crew, lane->cpu)) {
        lane->cpu = CPU_NONE;
        others->left--;
    } else if (session_now(session) - lane->start_tsc > slot->task->limit_tsc + grace_tsc ||
               lane->quiet_windows > QUIET_WINDOWS_MAX) {
        lane->is_dead = true;
        lane->cpu = CPU_NONE;
        others->left--;
    }
}

/* One of those under way, and how many measure beside it. */
static uint32_t under_way(const struct others *others, uint32_t *ret_beside)
{
    uint32_t cpu = CPU_NONE;

    *ret_beside = 0;
    for (uint32_t i = 0; i < others->session->tallies_count; i++) {
        if (others->lanes[i].cpu == CPU_NONE) {
            continue;
        }
        *ret_beside += cpu == CPU_NONE ? 0U : 1U;
        cpu = cpu == CPU_NONE ? others->lanes[i].cpu : cpu;
    }
    return cpu;
}

static void say_others(struct others *others)
{
    struct session *session = others->session;
    uint32_t beside;
    uint32_t cpu = under_way(others, &beside);

    if (cpu != CPU_NONE && (others->said_tsc == 0 || session_now(session) - others->said_tsc >
                                                         session_ticks(session, SAY_NS))) {
        others->said_tsc = session_now(session);
        session->others_left_ns = mul_div_u64(others->estimate_ns, others->left, others->all);
        session_say_others(session, cpu, beside, others->all - others->left, others->all);
    }
}

/* At the end of a stretch: true when a new one has begun because a state was announced. */
static bool pass_gate(struct others *others)
{
    struct session *session = others->session;
    uint32_t busy[TALLIES_MAX];
    uint32_t count = 0;

    for (uint32_t i = 0; session->gates.is_used && i < session->tallies_count; i++) {
        if (others->lanes[i].cpu != CPU_NONE) {
            busy[count++] = others->lanes[i].cpu;
        }
    }
    return count > 0 && session_pass_gate(session, busy, count);
}

/* One that stands still must not take the time of all that come after it. Windows are counted, not time: the
 * firmware may have taken long between two of them. */
static void open_window(struct session *session, struct lane *lane)
{
    uint64_t passes = __atomic_load_n(&session->crew.slots[lane->cpu].passes, __ATOMIC_ACQUIRE);

    lane->quiet_windows = passes == lane->passes ? lane->quiet_windows + 1 : 0;
    lane->passes = passes;
    crew_open_window(&session->crew, lane->cpu, window_left(session));
}

/* Lets the firmware run when the stretch is over; the others wait meanwhile, and then all go on together. */
static void next_stretch(struct others *others)
{
    struct session *session = others->session;

    if (stretch_left(session) > 0 || (!pass_gate(others) && !session_breathe_now(session))) {
        return;
    }
    say_others(others);
    for (uint32_t i = 0; i < session->tallies_count && session->why == NULL; i++) {
        if (others->lanes[i].cpu != CPU_NONE) {
            open_window(session, &others->lanes[i]);
        }
    }
}

/* Until the end of the stretch, or until one of the others has done. A sleep still under way then never ends. */
static void rest_between(struct others *others)
{
    struct session *session = others->session;
    struct crew *crew = &session->crew;
    uint64_t left_ns = units_tsc_to_ns(stretch_left(session), crew->tsc_hz);

    if (left_ns > 0) {
        crew_rest(crew, 0, left_ns);
    }
    for (uint32_t i = 0; i < session->tallies_count && stretch_left(session) == 0; i++) {
        if (others->lanes[i].cpu != CPU_NONE && crew_is_here(crew, others->lanes[i].cpu)) {
            crew_end_sleep(crew, 0, others->lanes[i].cpu);
        }
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
        rest_between(others);
        next_stretch(others);
    }
}

/* The end came before its turn did: that is said, like everything that is not timed. */
static void refuse_the_rest(struct others *others)
{
    struct session *session = others->session;
    const char *why =
        session->why != NULL ? session->why : "the time limit came before this CPU's turn";

    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        struct idle_plan *plan = &session->tasks[cpu].plan;

        for (uint32_t i = 0; is_waiting(others, cpu) && i < plan->count; i++) {
            plan->ways[i].not_timed =
                plan->ways[i].not_timed == NULL ? why : plan->ways[i].not_timed;
        }
    }
}

/* As many lanes as the time makes necessary. */
static void open_lanes(struct others *others, uint64_t time_tsc)
{
    const struct session *session = others->session;
    uint64_t lane_tsc = session_ticks(session, others->estimate_ns);

    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        session->crew.slots[cpu].tally = NULL;
    }
    for (uint32_t i = 0; i < session->tallies_count; i++) {
        others->lanes[i].cpu = CPU_NONE;
    }
    others->lanes_per_package = (uint32_t)(lane_tsc / (time_tsc + 1)) + 1;
    if (others->lanes_per_package > LANES_PER_PACKAGE) {
        others->lanes_per_package = LANES_PER_PACKAGE;
    }
    others->estimate_ns /= others->lanes_per_package;
    others->task_limit_tsc = mul_div_u64(time_tsc, session->tallies_count, others->left);
    others->task_limit_tsc = others->task_limit_tsc < time_tsc ? others->task_limit_tsc : time_tsc;
    others->end_tsc = session_now(session) + time_tsc + session_ticks(session, GRACE_NS);
}

/* None of them is measured. */
static void refuse_others(struct session *session, const char *why)
{
    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        struct idle_plan *plan = &session->tasks[cpu].plan;

        for (uint32_t i = 0; i < plan->count; i++) {
            plan->ways[i].not_timed =
                plan->ways[i].not_timed == NULL ? why : plan->ways[i].not_timed;
        }
    }
}

static void measure_others(struct session *session)
{
    struct others others = {.session = session};
    const char *why;

    others.all = count_others(session, &others.estimate_ns);
    others.left = others.all;
    session->own_left_ns = 0;
    if (others.left == 0 || session->tallies_count == 0) {
        return;
    }
    why = session_begin_others(session);
    if (why != NULL) {
        refuse_others(session, why);
        return;
    }
    open_lanes(&others, share_of(session, OTHERS_PCT));
    run_lanes(&others);
    crew_end_windows(&session->crew);
    refuse_the_rest(&others);
    session->others_left_ns = 0;
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

/* Nobody leads, and the others may not measure themselves: who has not come yet leaves at once. */
static void send_away(struct session *session)
{
    struct crew *crew = &session->crew;

    refuse_others(session, STEP_LEFT_OUT_WHY);
    for (uint32_t cpu = 1; cpu < crew->count; cpu++) {
        crew->slots[cpu].order = CREW_LEAVE;
        __atomic_store_n(&crew->slots[cpu].asked, 1, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&crew->is_leader_gone, 0, __ATOMIC_RELEASE);
}

static void lead(struct session *session)
{
    struct crew *crew = &session->crew;
    const struct timing *core = session->measure->timing;
    const char *give_why = NULL;

    if (core->take(core, &session->why) != STATUS_OK) {
        __atomic_store_n(&crew->is_leader_gone, 1, __ATOMIC_RELEASE);
        return;
    }
    session->stretch_start_tsc = session_now(session);
    if (crew->count > 1 &&
        crew_gather(crew, session_ticks(session, GATHER_NS), &session->why) == 0) {
        __atomic_store_n(&crew->is_leader_gone, 1, __ATOMIC_RELEASE);
    }
    crew_prove_rest(crew, session->measure->steps);
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
    if (!core->give(core, &give_why) && session->why == NULL) {
        session->why = give_why;
    }
    if (crew->count > 1 && crew->is_leader_gone != 0 && !session_may_go_on_alone(session)) {
        send_away(session);
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
