#include "drivers/idle_measure.h"

#include "drivers/idle_session.h"
#include "model/cpuset.h"
#include "model/step.h"
#include "model/units.h"

#include <stddef.h>

#define DEFAULT_SECONDS 110U
#define BRIEF_SECONDS 4U
#define ONE_LENGTH_NS UINT64_C(1000000)
#define BRIEF_LENGTH_NS UINT64_C(100000)

/* Of TIMING_STRETCH_US; the rest is for the last pass and for giving back. */
#define STRETCH_NS (TIMING_STRETCH_US * 1000 * 4 / 5)

/* Where the TSC's rate is not known nothing sleeps, and limits are counted as if it were this slow. */
#define RATE_UNKNOWN_HZ UINT64_C(1000000000)

/* An SMI takes some tens of microseconds at the least; an undisturbed step some tens of nanoseconds. */
#define GAP_NS UINT64_C(10000)
#define GAP_WATCH_NS UINT64_C(1000000000)
#define GAP_WATCH_BRIEF_NS UINT64_C(20000000)

/* CREW_REST_NS, less some stretches and pauses. */
#define REST_ANEW_NS (CREW_REST_NS * 2 / 5)
#define REST_SETTLE_NS UINT64_C(100000) /* until all rest again */

#define LEAVE_NS UINT64_C(5000000000) /* beyond all limits: then another CPU leaves by itself */
#define COSTS_MAX 64U

#define MSR_SMI_COUNT 0x34U /* SDM vol. 4, table 2-15 */

uint64_t session_now(const struct session *session)
{
    return session->measure->hw->ops->tsc(session->measure->hw);
}

uint64_t session_ticks(const struct session *session, uint64_t ns)
{
    return units_ns_to_tsc(ns, session->crew.tsc_hz);
}

void session_renew_watch(struct session *session)
{
    const struct timing *core = session->measure->timing;
    const char *guard_why = NULL;

    if (session->has_guard) {
        if (core->guard(core, CREW_WATCH_NS, &guard_why) == NULL) {
            session->why = guard_why;
        }
        return;
    }
    crew_renew_watch(&session->crew, session->watcher);
    crew_rest(&session->crew, 0, REST_SETTLE_NS);
}

/*
 * Nobody wakes by itself while another sleeps to be measured: those who rest begin their rest anew, long before
 * it is over, and whoever watches begins anew with every stretch, so that each stretch is like every other.
 */
static bool begin_stretch(struct session *session)
{
    struct crew *crew = &session->crew;
    uint64_t now_tsc = session_now(session);
    bool is_due =
        crew->count > 1 && now_tsc - session->rests_from_tsc > session_ticks(session, REST_ANEW_NS);

    for (uint32_t cpu = 1; is_due && cpu < crew->count; cpu++) {
        if (crew_is_free(crew, cpu)) {
            crew->cores->wake(crew->cores, 0, cpu);
        }
    }
    session->rests_from_tsc = is_due ? now_tsc : session->rests_from_tsc;
    if (session->watcher != 0 || session->has_guard) {
        session_renew_watch(session);
    } else if (is_due) {
        crew_rest(crew, 0, REST_SETTLE_NS);
    }
    session->stretch_start_tsc = session_now(session);
    return session->why == NULL;
}

static bool take(struct session *session)
{
    const struct timing *core = session->measure->timing;

    if (core->take(core, &session->why) != STATUS_OK) {
        return false;
    }
    return begin_stretch(session);
}

static bool give(struct session *session)
{
    const struct timing *core = session->measure->timing;

    return core->give(core, &session->why);
}

bool session_say(struct session *session, const struct step *step, const char *what)
{
    const struct idle_measure *measure = session->measure;
    bool goes_on = true;

    /* Without anybody to tell, a new stretch begins all the same: the caller counts on it. */
    if ((measure->progress == NULL || what == NULL) && (step == NULL || measure->steps == NULL)) {
        return session->why == NULL && session_breathe_now(session);
    }
    if (!give(session)) {
        return false;
    }
    if (measure->progress != NULL && what != NULL) {
        goes_on = measure->progress(measure->progress_context, what, session_seconds_left(session));
    }
    if (goes_on && step != NULL) {
        session->answer = step_announce(measure->steps, step);
    }
    if (take(session) && !goes_on) {
        session->why = STEP_STOPPED_WHY;
    }
    return session->why == NULL;
}

bool session_breathe_now(struct session *session)
{
    const struct timing *core = session->measure->timing;

    if (core->breathe(core, &session->why) != STATUS_OK) {
        return false;
    }
    return begin_stretch(session);
}

bool session_breathe(struct session *session)
{
    return session_now(session) - session->stretch_start_tsc < session->stretch_tsc ||
           session_breathe_now(session);
}

void session_add_cost(struct session *session, const struct port_cost *cost)
{
    if (session->platform->port_costs_count < session->costs_room) {
        session->costs[session->platform->port_costs_count++] = *cost;
    }
}

/* The collector read the SMI count where the vendor documents it, so it may be read here too. */
static bool may_count_smi(const struct platform *platform)
{
    return platform_msr(platform, 0, MSR_SMI_COUNT).avail == AVAIL_PRESENT;
}

/* How much time something beyond our reach takes: it bounds every figure that follows. */
static void watch_gaps(struct session *session)
{
    const struct timing *timing = session->measure->timing;
    const struct hw *hw = session->measure->hw;
    struct tsc_gaps *gaps = &session->platform->tsc_gaps;
    uint64_t wanted_ns = session->is_brief ? GAP_WATCH_BRIEF_NS : GAP_WATCH_NS;
    uint64_t before = 0;
    uint64_t after = 0;

    *gaps = (struct tsc_gaps){.threshold_tsc = session_ticks(session, GAP_NS)};
    gaps->has_smi_count = may_count_smi(session->platform);
    if (!take(session)) {
        return;
    }
    if (gaps->has_smi_count) {
        (void)hw->ops->rdmsr(hw, MSR_SMI_COUNT, &before);
    }
    while (gaps->watched_tsc < session_ticks(session, wanted_ns) && session_breathe(session)) {
        timing->watch(timing, session_ticks(session, STRETCH_NS / 2), gaps);
    }
    if (gaps->has_smi_count) {
        (void)hw->ops->rdmsr(hw, MSR_SMI_COUNT, &after);
        gaps->smi = (after - before) & UINT32_MAX;
    }
    session->crew.has_gaps = gaps->count > 0;
    if (session->why == NULL) {
        (void)give(session);
    }
}

/* Why another CPU is not to be measured, or NULL. */
static const char *is_left_out(const struct session *session, uint32_t cpu, bool is_chosen)
{
    if (session->measure->crew == NULL) {
        return "only the boot CPU can be timed here";
    }
    if (session->platform->cpus[cpu].answer != CPU_ANSWERED) {
        return "the CPU did not answer";
    }
    if (!is_chosen) {
        return "not among the CPUs of --cpus";
    }
    return session->is_brief ? "under a hypervisor or emulator only the boot CPU is timed, unless "
                               "the run is --run=idle"
                             : NULL;
}

static bool choose_wanted(const struct session *session, uint8_t *wanted)
{
    struct platform *platform = session->platform;
    const struct options *options = platform->options;
    struct cpuset chosen = cpuset_create(platform->arena, platform->cpus_count);
    bool is_all = options == NULL || options->cpus[0] == '\0' ||
                  cpuset_parse(options->cpus, &chosen) != STATUS_OK;
    bool has_any = false;

    /* The boot CPU always runs the leader's part. */
    wanted[0] = 1;
    for (uint32_t cpu = 1; cpu < platform->cpus_count; cpu++) {
        struct crew_slot *slot = &session->crew.slots[cpu];

        slot->why = is_left_out(session, cpu, is_all || cpuset_has(&chosen, cpu));
        wanted[cpu] = slot->why == NULL;
        has_any = has_any || wanted[cpu] != 0;
    }
    return has_any;
}

/* The first CPU of its package and kind. */
static bool is_first_of_kind(const struct platform *platform, const uint8_t *wanted, uint32_t cpu)
{
    for (uint32_t i = 0; i < cpu; i++) {
        if (wanted[i] != 0 && platform->cpus[i].package_id == platform->cpus[cpu].package_id &&
            platform->cpus[i].kind == platform->cpus[cpu].kind &&
            platform->cpus[i].core_type == platform->cpus[cpu].core_type) {
            return false;
        }
    }
    return true;
}

static void refuse_all(struct idle_plan *plan, const char *why)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->ways[i].not_timed = plan->ways[i].not_timed == NULL ? why : plan->ways[i].not_timed;
    }
}

/* A sweep counts its package's energy too; the reason why not is that of the boot CPU. */
static bool prepare_energy(struct session *session, uint32_t cpu)
{
    struct platform *platform = session->platform;
    struct idle_task *task = &session->tasks[cpu];
    struct rapl_counters counters;

    rapl_counters_of(platform, cpu, &counters);
    if (!task->is_sweep || platform->tsc_hz == 0 ||
        counters.domain[RAPL_PACKAGE].avail != AVAIL_PRESENT) {
        if (cpu == 0) {
            platform->idle_energy_why = !task->is_sweep ? "too few lengths of sleep were timed"
                                        : platform->tsc_hz == 0 ? "the rate of the TSC is not known"
                                                                : counters.domain[RAPL_PACKAGE].why;
        }
        return true;
    }
    task->energy = arena_take(platform->arena, sizeof(*task->energy));
    if (task->energy != NULL) {
        idle_energy_init(task->energy, &counters);
    }
    return task->energy != NULL;
}

static bool prepare_task(struct session *session, const uint8_t *wanted, uint32_t cpu)
{
    struct platform *platform = session->platform;
    struct idle_task *task = &session->tasks[cpu];

    idle_plan_make(platform, cpu, &task->plan);
    idle_leave_out(platform, session->measure->steps, cpu, &task->plan);
    if (platform->tsc_hz == 0) {
        refuse_all(&task->plan, "the rate of the TSC is not known");
    }
    task->is_sweep = !session->is_brief && is_first_of_kind(platform, wanted, cpu);
    task->one_length_ns = session->is_brief ? BRIEF_LENGTH_NS : ONE_LENGTH_NS;
    task->samples = platform->options == NULL ? 0 : platform->options->samples;
    idle_plan_pm_timer(platform, &task->pm_timer.dummy_port, &task->pm_timer.dummy_paddr);
    task->pm_timer.has_dummy_read =
        task->pm_timer.dummy_port != 0 || task->pm_timer.dummy_paddr != 0;
    task->sets_room = task->plan.count * (task->is_sweep ? IDLE_LENGTHS : 1U);
    task->sets = arena_array(platform->arena, task->sets_room, sizeof(*task->sets));
    return task->sets != NULL && prepare_energy(session, cpu);
}

/* Parking by MWAIT: the deepest hint that the firmware names and that does not stop the timer. */
void session_choose_park(const struct idle_plan *plan, struct crew_slot *slot)
{
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct idle_way *way = &plan->ways[i];

        if (way->entry == IDLE_MWAIT && way->not_timed == NULL && !way->may_stop_timer &&
            (way->bus & (IDLE_BUS_FLUSH | IDLE_BUS_ARBITER)) == 0 &&
            (slot->park_mwait.entry == TIMING_NOTHING || way->hint > slot->park_mwait.mwait_hint)) {
            slot->park_mwait = (struct port_sequence){.entry = TIMING_MWAIT,
                                                      .mwait_hint = way->hint,
                                                      .mwait_extensions = way->mwait_extensions};
        }
    }
    slot->can_mwait = true;
}

static bool prepare_slot(struct session *session, uint32_t cpu)
{
    struct crew_slot *slot = &session->crew.slots[cpu];
    const struct timing_crew *cores = session->measure->crew;

    slot->task = &session->tasks[cpu];
    slot->core = cpu == 0 ? session->measure->timing : cores->core(cores, cpu);
    slot->burst_step_tsc =
        arena_array(session->platform->arena, CREW_BURST_ROOM, sizeof(*slot->burst_step_tsc));
    session_choose_park(&slot->task->plan, slot);
    return slot->core != NULL && slot->burst_step_tsc != NULL;
}

/* Enough for every measurement of a machine with tens of CPUs; with more, each has room for a few. */
#define SAMPLE_BINS_BASE 65536U
#define SAMPLE_BINS_A_CPU 256U

/* Without this memory nothing but samples.csv is missing. */
static void take_store(struct session *session)
{
    struct sample_store *store = &session->platform->samples;
    uint32_t capacity = SAMPLE_BINS_BASE + SAMPLE_BINS_A_CPU * session->platform->cpus_count;

    store->bins = arena_array(session->platform->arena, capacity, sizeof(*store->bins));
    store->capacity = store->bins == NULL ? 0 : capacity;
    session->crew.samples = store;
}

static bool take_tallies(struct session *session, uint32_t wanted_count)
{
    struct arena *arena = session->platform->arena;

    session->tally = arena_take(arena, sizeof(*session->tally));
    session->crew.solo_tally = session->tally;
    take_store(session);
    for (uint32_t i = 0; i < TALLIES_MAX && i + 1 < wanted_count; i++) {
        session->tallies[i] = arena_take(arena, sizeof(*session->tally));
        if (session->tallies[i] == NULL) {
            break;
        }
        session->tallies_count++;
    }
    session->merged = arena_take(arena, sizeof(*session->merged));
    session->costs = arena_array(arena, COSTS_MAX, sizeof(*session->costs));
    session->costs_room = COSTS_MAX;
    session->platform->port_costs = session->costs;
    return session->tally != NULL && session->merged != NULL && session->costs != NULL;
}

static enum crew_park park_of(const struct options *options)
{
    static const enum crew_park parks[] = {[PARK_DEEPEST] = CREW_PARK_DEEPEST,
                                           [PARK_HLT] = CREW_PARK_HLT,
                                           [PARK_MWAIT] = CREW_PARK_MWAIT,
                                           [PARK_SPIN] = CREW_PARK_SPIN};

    return options == NULL ? CREW_PARK_DEEPEST : parks[options->park];
}

static void set_limits(struct session *session)
{
    const struct options *options = session->platform->options;
    uint64_t seconds = session->is_brief ? BRIEF_SECONDS : DEFAULT_SECONDS;

    if (options != NULL && options->seconds != 0) {
        seconds = options->seconds;
    }
    session->crew.tsc_hz =
        session->platform->tsc_hz == 0 ? RATE_UNKNOWN_HZ : session->platform->tsc_hz;
    session->limit_tsc = session_ticks(session, seconds * NS_PER_S);
    session->crew.limit_tsc =
        session->limit_tsc + session->limit_tsc / 4 + session_ticks(session, LEAVE_NS);
    session->stretch_tsc = session_ticks(session, STRETCH_NS);
    session->start_tsc = session_now(session);
}

static bool open_crew(struct session *session, const uint8_t *wanted)
{
    struct platform *platform = session->platform;
    uint32_t wanted_count = 0;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        if (wanted[cpu] == 0) {
            continue;
        }
        wanted_count++;
        if (!prepare_task(session, wanted, cpu) || !prepare_slot(session, cpu)) {
            return false;
        }
    }
    session->tasks[0].step = session_say_own;
    session->tasks[0].step_context = session;
    return take_tallies(session, wanted_count) && session_make_gates(session);
}

static void run(struct session *session, const uint8_t *wanted, bool has_others)
{
    const struct hw *hw = session->measure->hw;
    uint32_t count = session->platform->cpus_count;
    enum hw_run *runs = arena_array(session->platform->arena, count, sizeof(*runs));
    uint64_t limit_ms = session->crew.limit_tsc / (session->crew.tsc_hz / 1000);

    session->crew.count = has_others ? count : 1;
    if (has_others) {
        crew_announce_rest(&session->crew, session->measure->steps);
    }
    if (!has_others || runs == NULL) {
        session_enter(hw, 0, session);
        return;
    }
    (void)hw->ops->run_on_cpus(hw, count, wanted, session_enter, session, (uint32_t)limit_ms + 5000,
                               runs);
    for (uint32_t cpu = 1; cpu < count; cpu++) {
        if (wanted[cpu] != 0 && runs[cpu] != HW_RUN_DONE) {
            session->platform->cpus[cpu].answer = CPU_DID_NOT_ANSWER;
            session->tasks[cpu].sets_count = 0;
            session->crew.slots[cpu].why = runs[cpu] == HW_RUN_NO_ANSWER
                                               ? "the CPU did not come back"
                                               : "the firmware did not start the CPU";
        }
    }
}

static void forget(struct platform *platform)
{
    platform->idle_count = 0;
    platform->idle_not_timed_count = 0;
    platform->port_costs_count = 0;
    platform->idle_skipped = NULL;
    platform->idle_energy_why = NULL;
}

static bool is_brief(const struct platform *platform)
{
    return platform_seems_emulated(platform) &&
           (platform->options == NULL || platform->options->run != (uint32_t)RUN_IDLE);
}

static bool take_crew(struct session *session, const struct platform *platform)
{
    struct arena *arena = platform->arena;

    session->tasks = arena_array(arena, platform->cpus_count, sizeof(*session->tasks));
    session->crew.slots = arena_array(arena, platform->cpus_count, sizeof(*session->crew.slots));
    return session->tasks != NULL && session->crew.slots != NULL;
}

void idle_measure(const struct idle_measure *measure, struct platform *platform)
{
    struct session *session = arena_take(platform->arena, sizeof(*session));
    uint8_t *wanted = arena_array(platform->arena, platform->cpus_count, 1);
    bool has_others;

    forget(platform);
    if (measure->timing == NULL || !measure->hw->is_live) {
        platform->idle_skipped = "no timed measurements are possible here";
        return;
    }
    if (session == NULL || wanted == NULL || platform->cpus_count == 0 ||
        !take_crew(session, platform)) {
        platform->idle_skipped = "no memory for the samples, or no CPU";
        return;
    }
    session->measure = measure;
    session->platform = platform;
    session->is_brief = is_brief(platform);
    session->crew.hw = measure->hw;
    session->crew.cores = measure->crew;
    session->crew.wanted = wanted;
    session->crew.park = park_of(platform->options);
    session->crew.platform = platform;
    set_limits(session);
    has_others = choose_wanted(session, wanted);
    if (!open_crew(session, wanted)) {
        platform->idle_skipped = "no memory for the samples";
        platform->incomplete = "no memory for timed samples";
        return;
    }
    watch_gaps(session);
    if (session->why == NULL) {
        run(session, wanted, has_others);
    }
    if (session->tasks[0].energy != NULL) {
        platform->idle_energy_why = session->tasks[0].energy->why;
    }
    session_fold(session);
}
