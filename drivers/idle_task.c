#include "drivers/idle_task.h"

#include "model/units.h"

#include <stddef.h>

#define BARE_SAMPLES 500U

const uint64_t idle_lengths_ns[IDLE_LENGTHS] = {5000,   10000,   20000,   50000,   100000,  200000,
                                                500000, 1000000, 2000000, 5000000, 10000000};

const char idle_task_no_watch[] =
    "the local APIC timer may stop in this state (CPUID 6 EAX[2], ARAT, is clear), and no other "
    "CPU is there to end the sleep";

uint64_t idle_task_samples(uint64_t length_ns)
{
    if (length_ns <= 100000) {
        return 1000;
    }
    return length_ns <= 1000000 ? 200 : 50;
}

static uint64_t samples_of(const struct idle_task *task, uint64_t length_ns)
{
    return task->samples != 0 ? task->samples : idle_task_samples(length_ns);
}

static uint32_t lengths_of(const struct idle_task *task)
{
    return task->is_sweep ? IDLE_LENGTHS : 1;
}

static uint64_t length_of(const struct idle_task *task, uint32_t index)
{
    return task->is_sweep ? idle_lengths_ns[index] : task->one_length_ns;
}

static bool is_timed(const struct idle_task *task, uint32_t way)
{
    return task->plan.ways[way].not_timed == NULL &&
           (!task->plan.ways[way].may_stop_timer || task->is_watched);
}

uint32_t idle_task_ways(const struct idle_task *task, uint32_t from)
{
    uint32_t count = 0;

    for (uint32_t i = from; i < task->plan.count; i++) {
        count += is_timed(task, i) ? 1U : 0U;
    }
    return count;
}

uint64_t idle_task_estimate_ns(const struct idle_task *task)
{
    uint64_t way_ns = 0;

    for (uint32_t i = 0; i < lengths_of(task); i++) {
        uint64_t length_ns = length_of(task, i);

        /* An exit of some tens of microseconds, and what lies around a pass. */
        way_ns += samples_of(task, length_ns) * (length_ns + 30000);
    }
    return way_ns * idle_task_ways(task, 0);
}

/* The wake-up waits: where the instruction returns all the same only after a while, or not, is seen here
 * first. For a way with the second read the cost is that of the same port without it. */
static enum status measure_bare(struct idle_task *task, struct idle_sampler *sampler, uint32_t way,
                                struct idle_bare *bare)
{
    enum status status;

    if (task->plan.ways[way].dummy_read != DUMMY_NONE && way > 0 && bare->read_tsc.n > 0) {
        return STATUS_OK;
    }
    *bare = (struct idle_bare){0};
    status = idle_sampler_bare(sampler, &task->plan.ways[way], BARE_SAMPLES, bare);
    task->bare[way] = bare->read_tsc;
    return status;
}

static const char *refusal_of(enum status status)
{
    switch (status) {
    case STATUS_FAULT:
        return "not entered: MONITOR or MWAIT raises an exception";
    case STATUS_TIMEOUT:
        return "not timed: no undisturbed pass, or its wake-up did not get ready";
    case STATUS_UNSUPPORTED:
        return "not timed: this timing core cannot enter it";
    case STATUS_OK:
    case STATUS_NO_MEMORY:
    case STATUS_NOT_FOUND:
    case STATUS_BAD_INPUT:
    case STATUS_DENIED:
    case STATUS_FULL:
    case STATUS_IO:
    default:
        return "not timed: the timing core failed";
    }
}

static const char *no_sample(const struct idle_sample_set *set)
{
    return set->bus_busy > 0 ? "a bus master was active (BM_STS) before every entry"
                             : "no undisturbed sample was had in the time given";
}

/* Some lengths were measured and others were not. */
static const char *not_all(const char *why)
{
    return why == NULL ? NULL : "not at every length: no undisturbed sample was had of the others";
}

static void measure_lengths(struct idle_task *task, struct idle_sampler *sampler, uint32_t cpu,
                            uint32_t way, const struct idle_bare *bare)
{
    const char *why = NULL;
    uint32_t had = 0;

    for (uint32_t i = 0; i < lengths_of(task) && sampler->why == NULL; i++) {
        struct idle_sample_set *set;
        uint64_t length_ns = length_of(task, i);

        if (task->sets_count == task->sets_room) {
            task->why = "no memory for more sample sets";
            return;
        }
        set = &task->sets[task->sets_count];
        if (!idle_sampler_sleep(sampler, &task->plan.ways[way], bare, length_ns,
                                samples_of(task, length_ns), set)) {
            /* Where the TSC stops, the clock that says so needs the longer ones. */
            why = no_sample(set);
            continue;
        }
        set->cpu = cpu;
        set->watched_by = task->watched_by;
        set->others = task->others;
        set->is_sweep = task->is_sweep;
        task->sets_count++;
        had++;
        if (set->never_woke > 0 && set->samples == 0) {
            break;
        }
    }
    task->plan.ways[way].not_timed = had == 0 ? why : not_all(why);
}

static void measure_way(struct idle_task *task, struct idle_sampler *sampler, uint32_t cpu,
                        uint32_t way, struct idle_bare *bare)
{
    enum status status = measure_bare(task, sampler, way, bare);

    if (status != STATUS_OK) {
        task->plan.ways[way].not_timed = refusal_of(status);
        bare->read_tsc.n = 0;
        return;
    }
    measure_lengths(task, sampler, cpu, way, bare);
}

/* Tells the way before it is entered; the time that this takes belongs to no stretch of measuring. */
static void announce_way(struct idle_task *task, struct idle_sampler *sampler, uint32_t way)
{
    bool is_window_over = false;

    sampler->why = task->step(task->step_context, task, way, &is_window_over);
    /* The shortest stretch there is: over before the first pass. */
    sampler->stretch_tsc = is_window_over ? 1 : sampler->stretch_tsc;
    sampler->stretch_start_tsc = sampler->hw->ops->tsc(sampler->hw);
    sampler->stretch_lost_tsc = 0;
    sampler->watch_lost_tsc = 0;
    sampler->watch_start_tsc = sampler->stretch_start_tsc;
}

void idle_task_run(struct idle_task *task, struct idle_sampler *sampler, uint32_t cpu)
{
    uint32_t total = idle_task_ways(task, 0);
    uint32_t done = 0;
    uint64_t start_tsc = sampler->hw->ops->tsc(sampler->hw);
    struct idle_bare bare = {0};

    sampler->end_tsc = task->limit_tsc == 0 ? 0 : start_tsc + task->limit_tsc;
    if (idle_sampler_calibrate(sampler, task->pm_timer.has_dummy_read ? &task->pm_timer : NULL)) {
        task->overhead_tsc = sampler->overhead_tsc;
        task->pm_timer_tsc = sampler->dummy_read_tsc;
    }
    for (uint32_t way = 0; way < task->plan.count && sampler->why == NULL; way++) {
        if (!is_timed(task, way)) {
            if (task->plan.ways[way].not_timed == NULL) {
                task->plan.ways[way].not_timed = idle_task_no_watch;
            }
            continue;
        }
        __atomic_store_n(&task->way_now, way, __ATOMIC_RELEASE);
        if (task->step != NULL) {
            announce_way(task, sampler, way);
        }
        /* Every way gets its share, so that a limit cuts samples and not whole ways. */
        done++;
        if (task->limit_tsc != 0) {
            sampler->end_tsc = start_tsc + mul_div_u64(task->limit_tsc, done, total);
        }
        if (sampler->why == NULL) {
            measure_way(task, sampler, cpu, way, &bare);
        }
    }
    task->why = sampler->why != NULL ? sampler->why : task->why;
}
