#include "drivers/idle_session.h"
#include "model/units.h"

#include <stddef.h>

#define BURST_NS UINT64_C(2000000)
#define WAIT_NS UINT64_C(1000000)
#define WAIT_MAX_NS UINT64_C(500000000)

/* IA-PC HPET specification 1.0a, 2.3.7: the main counter is at offset 0F0H. */
#define HPET_COUNTER 0xF0U

/* From where twice the CPUs bring less than this many percent of the reads. */
#define KNEE_PCT 125U

struct target {
    const char *name;
    struct port_sequence sequence;
    uint16_t port;
    uint64_t paddr;
    struct distribution alone; /* single passes on the boot CPU */
};

struct curve {
    struct session *session;
    const struct target *target;
    uint32_t overhead_tsc; /* of a step with nothing to read */
    uint32_t cpus[2];      /* unused beyond what is here */
    uint64_t last_per_s;
    bool has_knee;
};

static uint32_t count_free(const struct session *session)
{
    uint32_t count = 1;

    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        count += crew_is_free(&session->crew, cpu) ? 1U : 0U;
    }
    return count;
}

/* Rests and lets the firmware run while it waits; false when that is no use. */
static bool wait_on(struct session *session, uint64_t start_tsc, uint64_t limit_ns)
{
    if (session_now(session) - start_tsc > session_ticks(session, limit_ns)) {
        return false;
    }
    crew_rest(&session->crew, 0, WAIT_NS);
    return session_breathe(session);
}

/* The boot CPU comes last to where all meet: waiting there for one that is dead it would keep the firmware from
 * running. No later than those who came first read alone. */
static bool await_readers(struct session *session, uint32_t others, uint64_t start_tsc)
{
    while (__atomic_load_n(&session->crew.burst_ready, __ATOMIC_ACQUIRE) < others) {
        if (!wait_on(session, start_tsc, CREW_MEET_NS / 2)) {
            return false;
        }
    }
    return session_now(session) - start_tsc < session_ticks(session, CREW_MEET_NS);
}

/* Orders the first cpus-1 of the others to read, and reads as well. False when not all came back. */
static bool burst_together(struct session *session, uint32_t cpus)
{
    struct crew *crew = &session->crew;
    uint32_t asked = 1;
    uint64_t start_tsc = session_now(session);
    bool is_met;

    crew->burst_cpus = cpus;
    crew->burst_ready = 0;
    crew->burst_length_tsc = session_ticks(session, BURST_NS);
    for (uint32_t cpu = 1; cpu < crew->count && asked < cpus; cpu++) {
        if (crew_is_free(crew, cpu)) {
            crew->slots[cpu].burst_count = 0;
            crew_order(crew, cpu, CREW_BURST);
            asked++;
        }
    }
    is_met = asked == cpus && await_readers(session, asked - 1, start_tsc);
    if (is_met) {
        crew_burst(crew, 0);
    }
    /* Those who met without the boot CPU as well: one left behind would be counted in the next burst. */
    start_tsc = session_now(session);
    for (uint32_t cpu = 1; cpu < crew->count; cpu++) {
        while (crew->slots[cpu].order == CREW_BURST && !crew_has_done(crew, cpu)) {
            if (!wait_on(session, start_tsc, WAIT_MAX_NS)) {
                return false;
            }
        }
    }
    return is_met && crew->burst_ready == cpus;
}

/* Adds a CPU's reads to those of all; gives its median. */
static uint64_t merge(struct session *session, const struct crew_slot *slot, uint32_t overhead_tsc,
                      struct histogram *own)
{
    histogram_clear(own);
    for (uint32_t i = 0; i < slot->burst_count; i++) {
        uint32_t step_tsc = slot->burst_step_tsc[i];
        uint64_t read_tsc = step_tsc > overhead_tsc ? step_tsc - overhead_tsc : 0;

        histogram_add(own, read_tsc);
        histogram_add(session->merged, read_tsc);
    }
    return histogram_percentile(own, 500);
}

static void fill_cost(struct session *session, uint32_t cpus, uint32_t overhead_tsc,
                      struct port_cost *cost)
{
    const struct crew *crew = &session->crew;
    uint32_t taken = 0;

    histogram_clear(session->merged);
    for (uint32_t cpu = 0; cpu < crew->count && taken < cpus; cpu++) {
        const struct crew_slot *slot = &crew->slots[cpu];
        uint64_t median_tsc;

        if (slot->burst_count == 0 || slot->burst_tsc == 0) {
            continue;
        }
        taken++;
        median_tsc = merge(session, slot, overhead_tsc, &session->tally->first);
        cost->reads_per_s += mul_div_u64(slot->burst_count, session->crew.tsc_hz, slot->burst_tsc);
        if (median_tsc > cost->slowest_tsc) {
            cost->slowest_tsc = median_tsc;
            cost->slowest_cpu = cpu;
        }
    }
    histogram_summarise(session->merged, &cost->read_tsc);
    cost->bins = samples_keep(session->crew.samples, session->merged);
}

static uint32_t burst_overhead(struct session *session)
{
    session->crew.burst = (struct port_sequence){.entry = TIMING_NOTHING};
    (void)burst_together(session, 1);
    histogram_clear(session->merged);
    (void)merge(session, &session->crew.slots[0], 0, &session->tally->first);
    return (uint32_t)histogram_percentile(session->merged, 500);
}

/* False when a CPU did not come back: then no more of it. */
static bool read_at(struct curve *curve, uint32_t cpus)
{
    struct session *session = curve->session;
    const struct target *target = curve->target;
    struct port_cost cost = {.cpus = cpus,
                             .port = target->port,
                             .paddr = target->paddr,
                             .port_name = target->name,
                             .overhead_tsc = curve->overhead_tsc};

    session->crew.burst = target->sequence;
    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        session->crew.slots[cpu].burst_count = 0;
    }
    if (!burst_together(session, cpus)) {
        return false;
    }
    fill_cost(session, cpus, curve->overhead_tsc, &cost);
    if (cpus == 1 && target->alone.n != 0) {
        cost.read_tsc = target->alone;
        cost.overhead_tsc = session->tasks[0].overhead_tsc;
    }
    cost.is_knee =
        cpus > 1 && !curve->has_knee && cost.reads_per_s * 100 < curve->last_per_s * KNEE_PCT;
    curve->has_knee = curve->has_knee || cost.is_knee;
    curve->last_per_s = cost.reads_per_s;
    if (cost.read_tsc.n != 0) {
        session_add_cost(session, &cost);
    }
    return session_breathe(session);
}

static void run_curve(struct session *session, const struct target *target, uint32_t overhead_tsc)
{
    struct curve curve = {.session = session, .target = target, .overhead_tsc = overhead_tsc};
    uint32_t all = count_free(session);

    for (uint32_t cpus = 1; cpus <= all && session->why == NULL; cpus *= 2) {
        if (!read_at(&curve, cpus)) {
            return;
        }
        if (cpus < all && cpus * 2 > all) {
            (void)read_at(&curve, all);
        }
    }
}

static void pm_timer(struct session *session, uint32_t overhead_tsc)
{
    const struct idle_task *task = &session->tasks[0];
    struct target target = {.name = "PM timer",
                            .sequence = task->pm_timer,
                            .port = task->pm_timer.dummy_port,
                            .paddr = task->pm_timer.dummy_paddr,
                            .alone = task->pm_timer_tsc};

    if (task->pm_timer.has_dummy_read) {
        run_curve(session, &target, overhead_tsc);
    }
}

/* The first port of each that was timed, with the wake-up waiting on every CPU, so that none stops. */
static void idle_ports(struct session *session, uint32_t overhead_tsc)
{
    const struct idle_task *task = &session->tasks[0];

    for (uint32_t i = 0; i < task->plan.count; i++) {
        const struct idle_way *way = &task->plan.ways[i];
        struct target target = {
            .name = "C-state port, wake-up waiting",
            .sequence = {.entry = TIMING_IO, .first_port = way->port, .is_wake_pending = true},
            .port = way->port,
            .alone = task->bare[i]};

        if (way->entry == IDLE_IO && way->dummy_read == DUMMY_NONE && task->bare[i].n != 0) {
            run_curve(session, &target, overhead_tsc);
        }
    }
}

static void hpet(struct session *session, uint32_t overhead_tsc)
{
    const struct hw *hw = session->measure->hw;
    const struct hpet *table = &session->platform->hpet;
    struct target target = {.name = "HPET", .paddr = table->base.address + HPET_COUNTER};
    uint64_t value;

    target.sequence = (struct port_sequence){
        .entry = TIMING_NOTHING, .has_dummy_read = true, .dummy_paddr = target.paddr};
    if (table->avail == AVAIL_PRESENT && table->base.space == GAS_SYSTEM_MEMORY &&
        table->base.address != 0 &&
        hw->ops->memory_read(hw, target.paddr, 4, &value) == STATUS_OK) {
        run_curve(session, &target, overhead_tsc);
    }
}

const struct step session_contention_step = {.name = IDLE_MEASURE_STEP,
                                             .object = "",
                                             .part = "ports read by all CPUs at once",
                                             .kind = STEP_TIMED};

void session_contention(struct session *session)
{
    uint32_t overhead_tsc;

    if (session->is_contention_left_out ||
        !session_say(session, &session_contention_step, session_contention_step.part)) {
        return;
    }
    overhead_tsc = burst_overhead(session);
    pm_timer(session, overhead_tsc);
    idle_ports(session, overhead_tsc);
    hpet(session, overhead_tsc);
}
