#include "acpi/guard.h"

#include <string.h>

#define DEFAULT_BUDGET_MS 2000U
#define PER_MS_100NS UINT64_C(10000)

/* Looks at a clock that stands still before the budget counts as used up: a legal loop of 65535 turns
 * passes, an endless one ends within seconds on any machine. */
#define STILL_LOOKS 300000U

/* One allocation in this many looks at the clock, and counts as that many looks. */
#define LOOK_EVERY 256U

/* Allocations granted after the time is over, for the interpreter to unwind. */
#define GRACE_ALLOCATIONS 100000U

/* UEFI 2.10, 2.3.4.1 Handoff State: 128 KiB or more of stack. What called us has used some. */
#define STACK_BYTES ((uintptr_t)80 * 1024)

/* A live machine really waits, but not longer than this for one Sleep or Stall. */
#define LONGEST_WAIT_US UINT64_C(1000000)

static struct guard {
    const struct hw *hw;
    uint64_t (*now)(void *context);
    void *context;
    uint32_t budget_ms;
    uint64_t slept_100ns;
    uint64_t waited_us;
    bool is_running;
    bool is_over;
    uint64_t deadline_100ns;
    uint64_t jump_100ns;
    uint64_t last_100ns;
    uint32_t still_looks;
    uint32_t allocations;
    uint32_t allocations_over;
    uintptr_t stack;
    const char *refusal;
} guard;

void guard_init(const struct engine_config *config)
{
    memset(&guard, 0, sizeof(guard));
    /* Tables from files are another machine's: there is nothing to wait for. */
    guard.hw = config->blobs_count == 0 ? config->hw : NULL;
    guard.now = config->now_100ns;
    guard.context = config->now_context;
    guard.budget_ms =
        config->evaluation_budget_ms == 0 ? DEFAULT_BUDGET_MS : config->evaluation_budget_ms;
}

uint32_t guard_budget_ms(void)
{
    return guard.budget_ms;
}

uint64_t guard_waited_us(void)
{
    return guard.waited_us;
}

uint32_t guard_budget_s(void)
{
    return (guard.budget_ms + 999) / 1000;
}

/* The clock without jumps; notices the end of the budget. `looks` is how much this counts on a clock that
 * stands still. */
static uint64_t look(uint32_t looks)
{
    uint64_t time_100ns = guard.now == NULL ? 0 : guard.now(guard.context);

    time_100ns += guard.slept_100ns;
    if (time_100ns != guard.last_100ns) {
        guard.last_100ns = time_100ns;
        guard.still_looks = 0;
    } else {
        guard.still_looks += looks;
    }
    if (guard.is_running &&
        (time_100ns > guard.deadline_100ns || guard.still_looks > STILL_LOOKS)) {
        guard.is_over = true;
    }
    return time_100ns;
}

void guard_start(uint32_t budget_ms)
{
    uint32_t wanted_ms = budget_ms == 0 ? guard.budget_ms : budget_ms;

    guard.is_running = false;
    guard.is_over = false;
    guard.waited_us = 0;
    guard.jump_100ns = 0;
    guard.still_looks = 0;
    guard.allocations = 0;
    guard.allocations_over = 0;
    guard.refusal = NULL;
    guard.stack = (uintptr_t)__builtin_frame_address(0);
    guard.deadline_100ns = look(0) + wanted_ms * PER_MS_100NS;
    guard.is_running = true;
}

bool guard_stop(const char **ret_refusal)
{
    guard.is_running = false;
    guard.jump_100ns = 0;
    *ret_refusal = guard.refusal;
    return guard.is_over;
}

uint64_t guard_now_100ns(void)
{
    uint64_t time_100ns = look(1);

    if (guard.is_running && guard.is_over) {
        guard.jump_100ns += 2 * (uint64_t)guard_budget_s() * 1000 * PER_MS_100NS;
    }
    return time_100ns + guard.jump_100ns;
}

/* What may really be waited: the rest of the evaluation's time. */
static uint64_t left_us(uint64_t us)
{
    uint64_t time_100ns = look(0);
    uint64_t left_100ns = guard.deadline_100ns > time_100ns ? guard.deadline_100ns - time_100ns : 0;
    uint64_t most_us = guard.is_running ? left_100ns / 10 : LONGEST_WAIT_US;

    most_us = most_us < LONGEST_WAIT_US ? most_us : LONGEST_WAIT_US;
    return us < most_us ? us : most_us;
}

void guard_wait_us(uint64_t us)
{
    guard.waited_us += us < UINT64_MAX - guard.waited_us ? us : 0;
    if (guard.hw != NULL && guard.hw->is_live) {
        guard.hw->ops->stall_us(guard.hw, left_us(us));
    } else {
        guard.slept_100ns += us < UINT64_MAX / 1000 ? us * 10 : 0;
    }
}

static bool refuse(const char *why)
{
    guard.refusal = guard.refusal == NULL ? why : guard.refusal;
    return false;
}

bool guard_allows(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    if (!guard.is_running) {
        return true;
    }
    if (guard.stack > here && guard.stack - here > STACK_BYTES) {
        return refuse("the evaluation nests too deeply");
    }
    guard.allocations++;
    if (guard.allocations % LOOK_EVERY == 0) {
        (void)look(LOOK_EVERY / 16);
    }
    guard.allocations_over += guard.is_over ? 1 : 0;
    if (guard.allocations_over > GRACE_ALLOCATIONS) {
        return refuse("the evaluation takes too long");
    }
    return true;
}
