#include "drivers/idle_crew.h"

#include "model/units.h"

#include <stddef.h>

#define WINDOW_NS UINT64_C(500000000) /* waiting for a window: until it is looked for unasked ... */
#define TELL_NS UINT64_C(1000000)     /* at least so long before the end of a window */
#define WINDOW_MAX_NS UINT64_C(3000000000) /* ... and until the leader is given up */
#define TURN_NS UINT64_C(20000000)         /* waiting for its turn */
#define GATHER_NS UINT64_C(1000000)        /* between two looks at who is here ... */
#define GATHER_BREATH 30U                  /* ... and after so many the firmware may run */
#define TAKERS 4U                          /* CPUs that take their machine at a time */
#define LOOKS_A_TIME 50000U /* whether it is one's turn, between two looks at the clock */
#define SHORT_REST_PART 8U  /* a rest shorter than this part was none */

static uint64_t now(const struct crew *crew)
{
    return crew->hw->ops->tsc(crew->hw);
}

static uint64_t ticks(const struct crew *crew, uint64_t ns)
{
    return units_ns_to_tsc(ns, crew->tsc_hz);
}

static uint32_t load(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

bool crew_is_here(const struct crew *crew, uint32_t cpu)
{
    return load(&crew->slots[cpu].state) == CREW_HERE;
}

bool crew_has_done(const struct crew *crew, uint32_t cpu)
{
    const struct crew_slot *slot = &crew->slots[cpu];

    return load(&slot->state) != CREW_HERE || load(&slot->done) == slot->asked;
}

bool crew_is_free(const struct crew *crew, uint32_t cpu)
{
    return crew_is_here(crew, cpu) && crew_has_done(crew, cpu);
}

void crew_order(struct crew *crew, uint32_t cpu, enum crew_order order)
{
    struct crew_slot *slot = &crew->slots[cpu];

    slot->order = order;
    store(&slot->asked, slot->asked + 1);
    crew->cores->wake(crew->cores, 0, cpu);
}

/* True when MWAIT really rested: an exception or an immediate return (emulators do both) means that it is
 * not a way to park. */
static bool rest_by_mwait(struct crew *crew, struct crew_slot *slot, uint64_t sleep_tsc)
{
    struct port_sequence sequence = slot->park_mwait;
    struct port_stamps stamps = {0};
    uint64_t start_tsc = now(crew);
    enum status status;

    sequence.sleep_tsc = sleep_tsc;
    status = slot->core->pass(slot->core, &sequence, &stamps);
    return status == STATUS_OK && (stamps.is_rescued || stamps.is_disturbed ||
                                   now(crew) - start_tsc >= sleep_tsc / SHORT_REST_PART);
}

static void rest_by_hlt(struct crew *crew, struct crew_slot *slot, uint32_t cpu, uint64_t sleep_tsc)
{
    const struct port_sequence sequence = {.entry = TIMING_HLT, .sleep_tsc = sleep_tsc};
    struct port_stamps stamps = {0};

    if (slot->core->pass(slot->core, &sequence, &stamps) != STATUS_OK) {
        crew->cores->relax(crew->cores, cpu);
    }
}

void crew_rest(struct crew *crew, uint32_t cpu, uint64_t ns)
{
    struct crew_slot *slot = &crew->slots[cpu];
    uint64_t sleep_tsc = ticks(crew, ns);

    if (crew->park == CREW_PARK_SPIN && cpu != 0) {
        slot->parked = "spinning";
        crew->cores->relax(crew->cores, cpu);
        return;
    }
    if (crew->park != CREW_PARK_HLT && slot->can_mwait && slot->park_mwait.entry == TIMING_MWAIT) {
        slot->parked = "MWAIT";
        slot->can_mwait = rest_by_mwait(crew, slot, sleep_tsc);
        return;
    }
    slot->parked = "HLT";
    rest_by_hlt(crew, slot, cpu, sleep_tsc);
}

void crew_end_sleep(struct crew *crew, uint32_t watcher, uint32_t cpu)
{
    /* Even: not in a pass, so there is nothing to end, and the CPU may be the firmware's. */
    if (__atomic_load_n(&crew->slots[cpu].passes, __ATOMIC_ACQUIRE) % 2 != 0) {
        crew->cores->wake(crew->cores, watcher, cpu);
    }
}

void crew_renew_watch(struct crew *crew, uint32_t watcher)
{
    store(&crew->renewals, crew->renewals + 1);
    crew->cores->wake(crew->cores, 0, watcher);
}

/* All start together; who comes too late reads alone, and the leader sees that by the count. */
static void meet(struct crew *crew, uint32_t cpu)
{
    uint64_t start_tsc = now(crew);
    uint64_t limit_tsc = ticks(crew, CREW_MEET_NS);

    (void)__atomic_add_fetch(&crew->burst_ready, 1, __ATOMIC_ACQ_REL);
    while (load(&crew->burst_ready) < crew->burst_cpus && now(crew) - start_tsc < limit_tsc) {
        crew->cores->relax(crew->cores, cpu);
    }
}

void crew_burst(struct crew *crew, uint32_t cpu)
{
    struct crew_slot *slot = &crew->slots[cpu];
    uint64_t start_tsc;

    meet(crew, cpu);
    start_tsc = now(crew);
    slot->burst_count =
        slot->core->burst(slot->core, &crew->burst, start_tsc + crew->burst_length_tsc,
                          CREW_BURST_ROOM, slot->burst_step_tsc);
    slot->burst_tsc = now(crew) - start_tsc;
}

void crew_sampler(struct crew *crew, uint32_t cpu, struct idle_sampler *ret_sampler)
{
    const struct crew_slot *slot = &crew->slots[cpu];

    *ret_sampler = (struct idle_sampler){.hw = crew->hw,
                                         .timing = slot->core,
                                         .tally = slot->tally,
                                         .samples = crew->samples,
                                         .tsc_hz = crew->tsc_hz,
                                         .has_gaps = crew->has_gaps,
                                         .passes = &crew->slots[cpu].passes};
    ret_sampler->energy = slot->task->energy;
    idle_meters_choose(crew->platform, cpu, &ret_sampler->meters);
    bus_master_open(crew->platform, &ret_sampler->bus);
}

void crew_open_window(struct crew *crew, uint32_t cpu, uint64_t window_tsc)
{
    struct crew_slot *slot = &crew->slots[cpu];

    slot->window_tsc = window_tsc;
    store(&slot->windows, slot->windows + 1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    /* One that is late and still in a pass sees the window without being woken from its sleep. */
    if (crew_is_here(crew, cpu) && __atomic_load_n(&slot->passes, __ATOMIC_ACQUIRE) % 2 == 0) {
        crew->cores->wake(crew->cores, 0, cpu);
    }
}

void crew_end_windows(struct crew *crew)
{
    store(&crew->has_no_windows, 1);
}

/* One of the crew that measures, and the last window that it had. */
struct follower {
    struct crew *crew;
    uint32_t cpu;
    uint32_t seen;
};

/*
 * While the boot CPU belongs to the firmware, which may read the PM timer back to back and run what it likes,
 * nobody measures. A leader that does not come back is no reason to wait for ever.
 */
static bool wait_for_window(struct idle_sampler *sampler)
{
    struct follower *follower = sampler->pause_context;
    struct crew *crew = follower->crew;
    struct crew_slot *slot = &crew->slots[follower->cpu];
    uint64_t start_tsc = now(crew);

    while (load(&slot->windows) == follower->seen && load(&crew->has_no_windows) == 0) {
        if (now(crew) - start_tsc > ticks(crew, WINDOW_MAX_NS)) {
            crew_end_windows(crew);
        }
        crew_rest(crew, follower->cpu, WINDOW_NS);
    }
    follower->seen = load(&slot->windows);
    sampler->stretch_tsc = load(&crew->has_no_windows) != 0 ? 0 : slot->window_tsc;
    sampler->stretch_start_tsc = now(crew);
    return true;
}

/* The leader rests until the window ends: it is told when there is more for it to do before. Not at its end, when the
 * leader may be the firmware's again by the time the interrupt arrives. */
static void tell_leader(struct crew *crew, uint32_t cpu, const struct idle_sampler *sampler)
{
    uint64_t gone_tsc = now(crew) - sampler->stretch_start_tsc;

    if (sampler->stretch_tsc != 0 && gone_tsc + ticks(crew, TELL_NS) < sampler->stretch_tsc) {
        crew->cores->wake(crew->cores, cpu, 0);
    }
}

static void measure_in_windows(struct crew *crew, uint32_t cpu, uint32_t asked)
{
    struct crew_slot *slot = &crew->slots[cpu];
    struct follower follower = {.crew = crew, .cpu = cpu, .seen = load(&slot->windows)};
    struct idle_sampler sampler;

    crew_sampler(crew, cpu, &sampler);
    sampler.pause = wait_for_window;
    sampler.pause_context = &follower;
    sampler.stretch_tsc = slot->window_tsc;
    sampler.stretch_start_tsc = now(crew);
    idle_task_run(slot->task, &sampler, cpu);
    store(&slot->done, asked);
    tell_leader(crew, cpu, &sampler);
}

/* Without a leader beside it. */
static void measure(struct crew *crew, uint32_t cpu)
{
    struct idle_sampler sampler;

    crew_sampler(crew, cpu, &sampler);
    idle_task_run(crew->slots[cpu].task, &sampler, cpu);
}

/* Rests for as long as it is told in time that all is well: so that it does not run beside what it watches. */
static void watch(struct crew *crew, uint32_t cpu)
{
    struct crew_slot *slot = &crew->slots[cpu];
    uint64_t since_tsc = now(crew);
    uint32_t seen = load(&crew->renewals);

    while (load(&slot->asked) == slot->done + 1) {
        crew_rest(crew, cpu, CREW_WATCH_NS);
        if (load(&crew->renewals) != seen) {
            seen = load(&crew->renewals);
            since_tsc = now(crew);
        } else if (now(crew) - since_tsc > ticks(crew, CREW_WATCH_NS - CREW_WATCH_NS / 16)) {
            crew_end_sleep(crew, cpu, slot->watched);
            since_tsc = now(crew);
        }
    }
}

static void follow(struct crew *crew, uint32_t cpu)
{
    struct crew_slot *slot = &crew->slots[cpu];
    uint32_t asked = load(&slot->asked);

    switch (slot->order) {
    case CREW_WATCH:
        watch(crew, cpu);
        break;
    case CREW_MEASURE:
        measure_in_windows(crew, cpu, asked);
        break;
    case CREW_BURST:
        crew_burst(crew, cpu);
        break;
    case CREW_CALL:
        crew->call(crew, cpu);
        break;
    case CREW_PARK:
    case CREW_LEAVE:
    default:
        break;
    }
    store(&slot->done, asked);
}

static void give_up_turn(struct crew *crew, uint32_t cpu)
{
    struct crew_slot *slot = &crew->slots[cpu];

    slot->why = "its turn did not come in time";
    if (slot->task != NULL) {
        slot->task->why = slot->why;
    }
}

/* The leader cannot run beside us: one after the other, by whoever comes first. */
static void measure_in_turn(struct crew *crew, uint32_t cpu, uint64_t start_tsc)
{
    while (__atomic_exchange_n(&crew->turn, 1, __ATOMIC_ACQ_REL) != 0) {
        if (now(crew) - start_tsc > crew->limit_tsc) {
            give_up_turn(crew, cpu);
            return;
        }
        crew_rest(crew, cpu, TURN_NS);
    }
    if (crew->solo != NULL) {
        crew->solo(crew, cpu);
    } else {
        crew->slots[cpu].tally = crew->solo_tally;
        measure(crew, cpu);
    }
    store(&crew->turn, 0);
}

static void obey(struct crew *crew, uint32_t cpu)
{
    struct crew_slot *slot = &crew->slots[cpu];
    uint64_t start_tsc = now(crew);

    while (now(crew) - start_tsc < crew->limit_tsc) {
        if (load(&crew->is_leader_gone) != 0) {
            measure_in_turn(crew, cpu, start_tsc);
            return;
        }
        if (load(&slot->asked) == slot->done) {
            crew_rest(crew, cpu, CREW_REST_NS);
            continue;
        }
        if (slot->order == CREW_LEAVE) {
            return;
        }
        follow(crew, cpu);
    }
}

static bool is_turn_of(const struct crew *crew, uint32_t ticket)
{
    for (uint32_t look = 0; look < LOOKS_A_TIME; look++) {
        if (ticket < load(&crew->taken) + TAKERS) {
            return true;
        }
    }
    return false;
}

/*
 * Few at a time prove their timers. An emulator's CPUs share one lock for their devices and one for their clock, and a
 * hundred that look for their interrupt at once keep it from coming. So those that wait read memory, and the clock
 * seldom; no PAUSE, for which an emulator takes the first lock, too.
 */
static bool take_in_turn(struct crew *crew, struct crew_slot *slot)
{
    uint64_t start_tsc = now(crew);
    uint32_t ticket = __atomic_fetch_add(&crew->tickets, 1, __ATOMIC_ACQ_REL);
    bool is_taken;

    while (!is_turn_of(crew, ticket) && now(crew) - start_tsc < crew->limit_tsc) {
    }
    is_taken = slot->core != NULL && slot->core->take(slot->core, &slot->why) == STATUS_OK;
    (void)__atomic_fetch_add(&crew->taken, 1, __ATOMIC_ACQ_REL);
    return is_taken;
}

void crew_enter(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct crew *crew = argument;
    struct crew_slot *slot = &crew->slots[cpu];

    (void)hw;
    if (!take_in_turn(crew, slot)) {
        store(&slot->state, CREW_FAILED);
        return;
    }
    store(&slot->state, CREW_HERE);
    obey(crew, cpu);
    /* First of all: an interrupt to a CPU that is the firmware's again would meet a handler of nobody's. */
    store(&slot->state, CREW_GONE);
    (void)slot->core->give(slot->core, &slot->why);
}

static bool is_settled(const struct crew *crew, uint32_t *ret_here)
{
    bool is_all = true;

    *ret_here = 0;
    for (uint32_t cpu = 1; cpu < crew->count; cpu++) {
        uint32_t state = load(&crew->slots[cpu].state);

        *ret_here += state == CREW_HERE ? 1U : 0U;
        is_all = is_all && (crew->wanted[cpu] == 0 || state != CREW_ABSENT);
    }
    return is_all;
}

uint32_t crew_gather(struct crew *crew, uint64_t timeout_tsc, const char **ret_why)
{
    uint64_t since_tsc = now(crew);
    uint32_t here = 0;
    uint32_t had = 0;
    uint32_t rests = 0;

    while (!is_settled(crew, &here) && now(crew) - since_tsc < timeout_tsc) {
        if (here != had) {
            had = here;
            since_tsc = now(crew);
        }
        crew_rest(crew, 0, GATHER_NS);
        if (++rests % GATHER_BREATH == 0 &&
            crew->slots[0].core->breathe(crew->slots[0].core, ret_why) != STATUS_OK) {
            return 0;
        }
    }
    return here;
}
