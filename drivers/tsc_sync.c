#include "drivers/tsc_sync.h"

#include <stddef.h>
#include <string.h>

#define ROUNDS 16U
#define TIMEOUT_BASE_MS 5000U
#define TIMEOUT_PER_CPU_MS 10U

/* Limits in TSC ticks: generous at any rate from 0.5 to 8 GHz, and no measurement. */
#define ARRIVE_TSC (UINT64_C(1) << 30) /* how long the boot CPU waits for the others: 0.1 to 2 s */
#define ANSWER_TSC (UINT64_C(1) << 26) /* for one answer: 8 to 130 ms */
/* Should the TSC stand still. Who is asked waits for all who are asked before it. */
#define ASKER_SPINS_MAX (UINT32_C(1) << 22)
#define ASKED_SPINS_MAX (UINT32_C(1) << 28)

/* What two CPUs hand over. Turn n is the boot CPU's to answer when n is even. */
struct hand_over {
    uint32_t turn;
    uint32_t has_come;
    uint64_t other_tsc; /* read by the other CPU in the last odd turn, or when it came */
    uint8_t apart[48];
};

struct sync {
    uint32_t count;
    uint32_t is_over; /* the boot CPU has finished, or never waits */
    struct hand_over *slots;
    /* The boot CPU's own: bounds of (other - boot), one pair a CPU. */
    int64_t *least;
    int64_t *most;
    const struct platform *platform;
};

static uint32_t look(const uint32_t *at)
{
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
}

static void tell(uint32_t *at, uint32_t value)
{
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
}

/* Waits until *at is `wanted`; false after limit_tsc, or when the other side is over. */
static bool wait_for(const struct hw *hw, const uint32_t *at, uint32_t wanted, uint64_t limit_tsc,
                     const uint32_t *is_over)
{
    uint32_t spins_max = is_over == NULL ? ASKER_SPINS_MAX : ASKED_SPINS_MAX;
    uint64_t start_tsc = hw->ops->tsc(hw);

    for (uint32_t i = 0; i < spins_max; i++) {
        if (look(at) == wanted) {
            return true;
        }
        if (hw->ops->tsc(hw) - start_tsc > limit_tsc || (is_over != NULL && look(is_over) != 0)) {
            break;
        }
    }
    return look(at) == wanted;
}

static void answer(const struct hw *hw, struct sync *sync, struct hand_over *slot)
{
    slot->other_tsc = hw->ops->tsc(hw);
    tell(&slot->has_come, 1);
    for (uint32_t turn = 1; turn <= 2 * ROUNDS; turn += 2) {
        if (!wait_for(hw, &slot->turn, turn, UINT64_MAX, &sync->is_over)) {
            return;
        }
        slot->other_tsc = hw->ops->tsc(hw);
        tell(&slot->turn, turn + 1);
    }
}

static void narrow(struct sync *sync, uint32_t cpu, uint64_t before, uint64_t other, uint64_t after)
{
    int64_t least = (int64_t)(other - after);
    int64_t most = (int64_t)(other - before);

    sync->least[cpu] = least > sync->least[cpu] ? least : sync->least[cpu];
    sync->most[cpu] = most < sync->most[cpu] ? most : sync->most[cpu];
}

static void ask(const struct hw *hw, struct sync *sync, uint32_t cpu)
{
    struct hand_over *slot = &sync->slots[cpu];

    for (uint32_t turn = 1; turn <= 2 * ROUNDS; turn += 2) {
        uint64_t before_tsc = hw->ops->tsc(hw);

        tell(&slot->turn, turn);
        if (!wait_for(hw, &slot->turn, turn + 1, ANSWER_TSC, NULL)) {
            return;
        }
        narrow(sync, cpu, before_tsc, slot->other_tsc, hw->ops->tsc(hw));
    }
}

static uint32_t boot_cpu(const struct platform *platform)
{
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        if (platform->cpus[cpu].is_boot) {
            return cpu;
        }
    }
    return 0;
}

/* The boot CPU with each CPU that has come. Nobody comes where the firmware starts them only afterwards: then the
 * first wait is the last. */
static void lead(const struct hw *hw, struct sync *sync, uint32_t own)
{
    uint64_t limit_tsc = ARRIVE_TSC;

    for (uint32_t cpu = 0; cpu < sync->count; cpu++) {
        if (cpu == own || sync->platform->cpus[cpu].answer != CPU_ANSWERED) {
            continue;
        }
        if (!wait_for(hw, &sync->slots[cpu].has_come, 1, limit_tsc, NULL)) {
            limit_tsc = 0;
            continue;
        }
        ask(hw, sync, cpu);
    }
    tell(&sync->is_over, 1);
}

static void run_here(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct sync *sync = argument;
    uint32_t own = boot_cpu(sync->platform);

    if (cpu == own) {
        lead(hw, sync, own);
    } else {
        answer(hw, sync, &sync->slots[cpu]);
    }
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
}

/* One CPU's bounds into the account of all. Bounds that leave 0 out prove a difference of at least the nearer one. */
static void take_bounds(const struct sync *sync, uint32_t cpu, struct tsc_sync *result)
{
    int64_t least = sync->least[cpu];
    int64_t most = sync->most[cpu];
    uint64_t width = (uint64_t)most - (uint64_t)least;
    uint64_t apart = least > 0 ? magnitude(least) : most < 0 ? magnitude(most) : 0;

    result->compared++;
    result->widest_tsc = width > result->widest_tsc ? width : result->widest_tsc;
    if (apart != 0) {
        result->differing++;
    }
    if (apart > result->worst_tsc) {
        result->worst_tsc = apart;
        result->worst_cpu = cpu;
        result->is_worst_behind = most < 0;
    }
}

static bool prepare(struct sync *sync, struct platform *platform, uint8_t **ret_wanted,
                    enum hw_run **ret_run)
{
    *sync = (struct sync){.count = platform->cpus_count, .platform = platform};
    sync->slots = arena_array(platform->arena, sync->count, sizeof(*sync->slots));
    sync->least = arena_array(platform->arena, sync->count, sizeof(*sync->least));
    sync->most = arena_array(platform->arena, sync->count, sizeof(*sync->most));
    *ret_wanted = arena_array(platform->arena, sync->count, sizeof(**ret_wanted));
    *ret_run = arena_array(platform->arena, sync->count, sizeof(**ret_run));
    if (sync->slots == NULL || sync->least == NULL || sync->most == NULL || *ret_wanted == NULL ||
        *ret_run == NULL) {
        return false;
    }
    for (uint32_t cpu = 0; cpu < sync->count; cpu++) {
        sync->least[cpu] = INT64_MIN;
        sync->most[cpu] = INT64_MAX;
        (*ret_wanted)[cpu] = platform->cpus[cpu].answer == CPU_ANSWERED ? 1 : 0;
    }
    return true;
}

void tsc_sync_measure(const struct hw *hw, struct platform *platform)
{
    struct sync sync;
    uint8_t *wanted;
    enum hw_run *run;
    uint64_t before_tsc;
    uint64_t after_tsc;
    uint32_t own = boot_cpu(platform);

    memset(&platform->tsc_sync, 0, sizeof(platform->tsc_sync));
    if (!hw->is_live || platform->cpus_count < 2 || !prepare(&sync, platform, &wanted, &run)) {
        return;
    }
    before_tsc = hw->ops->tsc(hw);
    if (hw->ops->run_on_cpus(hw, sync.count, wanted, run_here, &sync,
                             TIMEOUT_BASE_MS + TIMEOUT_PER_CPU_MS * sync.count, run) != STATUS_OK) {
        return;
    }
    after_tsc = hw->ops->tsc(hw);
    for (uint32_t cpu = 0; cpu < sync.count; cpu++) {
        if (cpu == own || wanted[cpu] == 0 || run[cpu] != HW_RUN_DONE) {
            continue;
        }
        narrow(&sync, cpu, before_tsc, sync.slots[cpu].other_tsc, after_tsc);
        take_bounds(&sync, cpu, &platform->tsc_sync);
    }
}
