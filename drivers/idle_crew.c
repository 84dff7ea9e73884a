#include "drivers/idle_crew.h"

#include "model/units.h"

#include <stddef.h>

#define REST_NS UINT64_C(100000000)      /* parked: how long until the slot is looked at unasked */
#define WATCH_NS UINT64_C(20000000)      /* watching: likewise, where the timer is trusted ... */
#define WATCH_CLOSE_NS UINT64_C(4000000) /* ... and where it may stop */
#define STUCK_NS UINT64_C(16000000)      /* longer than any sleep and its way out */
#define BARRIER_NS UINT64_C(200000000)   /* to wait for the others of a burst */
#define TURN_NS UINT64_C(20000000)       /* waiting for its turn */
#define GATHER_NS UINT64_C(1000000)      /* between two looks at who is here ... */
#define GATHER_BREATH 30U                /* ... and after so many the firmware may run */
#define SHORT_REST_PART 8U               /* a rest shorter than this part was none */

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

void crew_watch(struct crew *crew, uint32_t watcher, uint32_t cpu, uint64_t *seen,
                uint64_t *since_tsc)
{
    uint64_t passes = __atomic_load_n(&crew->slots[cpu].passes, __ATOMIC_ACQUIRE);
    uint64_t now_tsc = now(crew);

    /* Even: not in a pass, so there is nothing to end, and the CPU may be the firmware's. */
    if (passes != *seen || *since_tsc == 0 || passes % 2 == 0) {
        *seen = passes;
        *since_tsc = now_tsc;
    } else if (now_tsc - *since_tsc > ticks(crew, STUCK_NS)) {
        crew->cores->wake(crew->cores, watcher, cpu);
        *since_tsc = now_tsc;
    }
}

/* All start together; who comes too late reads alone, and the leader sees that by the count. */
static void meet(struct crew *crew, uint32_t cpu)
{
    uint64_t start_tsc = now(crew);
    uint64_t limit_tsc = ticks(crew, BARRIER_NS);

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
                                         .tsc_hz = crew->tsc_hz,
                                         .has_gaps = crew->has_gaps,
                                         .passes = &crew->slots[cpu].passes};
    idle_meters_choose(crew->platform, cpu, &ret_sampler->meters);
    bus_master_open(crew->platform, &ret_sampler->bus);
}

static void measure(struct crew *crew, uint32_t cpu)
{
    struct idle_sampler sampler;

    crew_sampler(crew, cpu, &sampler);
    idle_task_run(crew->slots[cpu].task, &sampler, cpu);
}

static void watch(struct crew *crew, uint32_t cpu)
{
    struct crew_slot *slot = &crew->slots[cpu];
    uint64_t seen = 0;
    uint64_t since_tsc = 0;

    while (load(&slot->asked) == slot->done + 1) {
        crew_rest(crew, cpu, crew->may_stop_timer ? WATCH_CLOSE_NS : WATCH_NS);
        crew_watch(crew, cpu, slot->watched, &seen, &since_tsc);
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
        measure(crew, cpu);
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
            crew_rest(crew, cpu, REST_NS);
            continue;
        }
        if (slot->order == CREW_LEAVE) {
            return;
        }
        follow(crew, cpu);
    }
}

void crew_enter(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct crew *crew = argument;
    struct crew_slot *slot = &crew->slots[cpu];

    (void)hw;
    if (slot->core == NULL || slot->core->take(slot->core, &slot->why) != STATUS_OK) {
        store(&slot->state, CREW_FAILED);
        return;
    }
    store(&slot->state, CREW_HERE);
    obey(crew, cpu);
    if (!slot->core->give(slot->core)) {
        slot->why = "the CPU did not go back to the firmware as it was";
    }
    store(&slot->state, CREW_GONE);
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
    uint64_t start_tsc = now(crew);
    uint32_t here = 0;
    uint32_t rests = 0;

    while (!is_settled(crew, &here) && now(crew) - start_tsc < timeout_tsc) {
        crew_rest(crew, 0, GATHER_NS);
        if (++rests % GATHER_BREATH == 0 &&
            crew->slots[0].core->breathe(crew->slots[0].core, ret_why) != STATUS_OK) {
            return 0;
        }
    }
    return here;
}
