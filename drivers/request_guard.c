#include "drivers/request_guard.h"

#include <stddef.h>
#include <string.h>

#define TIMEOUT_BASE_MS 5000U
#define TIMEOUT_PER_CPU_MS 10U
#define TRIES 3U /* of writing one register back */

/* Whether any CPU could read the register when the MSRs were collected. */
static bool is_readable(const struct platform *platform, uint32_t msr)
{
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        if (platform_msr(platform, cpu, msr).avail == AVAIL_PRESENT) {
            return true;
        }
    }
    return false;
}

static void choose_registers(struct request_guard *guard, const struct platform *platform)
{
    for (uint32_t i = 0; i < request_register_count(); i++) {
        const struct request_register *candidate = request_register_at(i);

        if (candidate->one_way == ONE_WAY_NOT && guard->count < REQUEST_GUARD_REGISTERS &&
            is_readable(platform, candidate->msr)) {
            guard->registers[guard->count++] = candidate;
        }
    }
}

bool request_guard_open(struct request_guard *guard, struct platform *platform)
{
    const char *why = NULL;

    memset(guard, 0, sizeof(*guard));
    guard->platform = platform;
    guard->cpus_count = platform->cpus_count;
    choose_registers(guard, platform);
    if (platform->options != NULL && platform->options->is_read_only) {
        why = "--read-only";
    } else if (guard->count == 0) {
        why = "no request register that may be touched could be read";
    } else {
        guard->slots = arena_array(platform->arena, guard->cpus_count, sizeof(*guard->slots));
        why = guard->slots == NULL ? "no memory to save request registers" : NULL;
    }
    platform->requests.not_opened_why = why;
    if (why != NULL) {
        return false;
    }
    for (uint32_t cpu = 0; cpu < guard->cpus_count; cpu++) {
        memset(&guard->slots[cpu], 0, sizeof(guard->slots[cpu]));
        guard->slots[cpu].may_use = true;
    }
    guard->is_open = true;
    return true;
}

static struct request_slot *slot_of(const struct request_guard *guard, uint32_t cpu)
{
    return guard->is_open && cpu < guard->cpus_count ? &guard->slots[cpu] : NULL;
}

static struct request_save *save_of(const struct request_guard *guard, uint32_t cpu, uint32_t msr)
{
    struct request_slot *slot = slot_of(guard, cpu);

    for (uint32_t i = 0; slot != NULL && slot->is_saved && i < guard->count; i++) {
        if (guard->registers[i]->msr == msr && slot->registers[i].is_saved) {
            return &slot->registers[i];
        }
    }
    return NULL;
}

void request_guard_save(const struct hw *hw, struct request_guard *guard, uint32_t cpu)
{
    struct request_slot *slot = slot_of(guard, cpu);

    if (slot == NULL || slot->is_saved) {
        return;
    }
    for (uint32_t i = 0; i < guard->count; i++) {
        struct request_save *save = &slot->registers[i];
        uint32_t msr = guard->registers[i]->msr;

        /* One that the collectors did not read on this very CPU is not tried here either. */
        save->is_saved = platform_msr(guard->platform, cpu, msr).avail == AVAIL_PRESENT &&
                         hw->ops->rdmsr(hw, msr, &save->before) == AVAIL_PRESENT;
    }
    slot->is_saved = true;
    slot->is_restored = true;
}

bool request_guard_covers(const struct request_guard *guard, uint32_t cpu, uint32_t msr)
{
    return save_of(guard, cpu, msr) != NULL;
}

bool request_guard_before(const struct request_guard *guard, uint32_t cpu, uint32_t msr,
                          uint64_t *ret_value)
{
    const struct request_save *save = save_of(guard, cpu, msr);

    if (save != NULL) {
        *ret_value = save->before;
    }
    return save != NULL;
}

enum avail request_guard_write(const struct hw *hw, struct request_guard *guard, uint32_t cpu,
                               uint32_t msr, uint64_t value)
{
    struct request_save *save = save_of(guard, cpu, msr);
    uint64_t mask;

    if (save == NULL) {
        return AVAIL_UNTRIED;
    }
    mask = request_register_find(msr)->mask;
    guard->slots[cpu].is_restored = false;
    guard->slots[cpu].writes++;
    return hw->ops->wrmsr(hw, msr, (save->before & ~mask) | (value & mask));
}

static bool reads_as_before(const struct hw *hw, const struct request_register *which,
                            struct request_save *save)
{
    save->is_looked_at = hw->ops->rdmsr(hw, which->msr, &save->after) == AVAIL_PRESENT;
    return save->is_looked_at && ((save->after ^ save->before) & which->mask) == 0;
}

static void write_back(const struct hw *hw, const struct request_register *which,
                       struct request_save *save)
{
    save->is_faulted = false;
    for (unsigned i = 0; i < TRIES && !reads_as_before(hw, which, save); i++) {
        save->is_faulted = hw->ops->wrmsr(hw, which->msr, save->before) != AVAIL_PRESENT;
    }
}

void request_guard_restore(const struct hw *hw, struct request_guard *guard, uint32_t cpu)
{
    struct request_slot *slot = slot_of(guard, cpu);

    if (slot == NULL || !slot->is_saved) {
        return;
    }
    for (uint32_t i = 0; i < guard->count; i++) {
        if (slot->registers[i].is_saved) {
            write_back(hw, guard->registers[i], &slot->registers[i]);
        }
    }
    slot->is_restored = true;
}

void request_guard_lost(struct request_guard *guard, uint32_t cpu)
{
    struct request_slot *slot = slot_of(guard, cpu);

    if (slot != NULL) {
        slot->may_use = false;
    }
}

static void restore_here(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct request_guard *guard = argument;

    if (!guard->slots[cpu].is_restored) {
        request_guard_restore(hw, guard, cpu);
    }
}

static void look_here(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct request_guard *guard = argument;
    struct request_slot *slot = &guard->slots[cpu];

    for (uint32_t i = 0; i < guard->count; i++) {
        if (slot->registers[i].is_saved && !slot->registers[i].is_faulted) {
            (void)reads_as_before(hw, guard->registers[i], &slot->registers[i]);
        }
    }
}

/* On all CPUs that were saved and came back. Without memory for the lists nothing is run. */
static void run(const struct hw *hw, struct request_guard *guard, struct arena *arena,
                hw_procedure procedure)
{
    uint8_t *wanted = arena_array(arena, guard->cpus_count, sizeof(*wanted));
    enum hw_run *answers = arena_array(arena, guard->cpus_count, sizeof(*answers));
    enum status status;

    if (wanted == NULL || answers == NULL) {
        return;
    }
    for (uint32_t cpu = 0; cpu < guard->cpus_count; cpu++) {
        wanted[cpu] = guard->slots[cpu].may_use && guard->slots[cpu].is_saved ? 1 : 0;
        answers[cpu] = HW_RUN_NOT_STARTED;
    }
    status =
        hw->ops->run_on_cpus(hw, guard->cpus_count, wanted, procedure, guard,
                             TIMEOUT_BASE_MS + TIMEOUT_PER_CPU_MS * guard->cpus_count, answers);
    for (uint32_t cpu = 0; cpu < guard->cpus_count; cpu++) {
        if (wanted[cpu] != 0 && (status != STATUS_OK || answers[cpu] != HW_RUN_DONE)) {
            guard->slots[cpu].may_use = false;
        }
    }
}

static bool is_left(const struct request_guard *guard, uint32_t cpu, uint32_t index,
                    struct request_left *ret_left)
{
    const struct request_slot *slot = &guard->slots[cpu];
    const struct request_save *save = &slot->registers[index];
    const struct request_register *which = guard->registers[index];

    if (!slot->is_saved || !save->is_saved) {
        return false;
    }
    *ret_left =
        (struct request_left){.cpu = cpu, .msr = which->msr, .before = save->before & which->mask};
    if (!slot->may_use) {
        ret_left->end = REQUEST_END_NO_ANSWER;
        return true;
    }
    if (save->is_faulted || !save->is_looked_at) {
        ret_left->end = REQUEST_END_FAULTED;
        return true;
    }
    ret_left->end = REQUEST_END_DIFFERENT;
    ret_left->after = save->after & which->mask;
    return ret_left->after != ret_left->before;
}

static uint32_t count_left(const struct request_guard *guard, struct request_left *ret_all)
{
    struct request_left left;
    uint32_t count = 0;

    for (uint32_t cpu = 0; cpu < guard->cpus_count; cpu++) {
        for (uint32_t i = 0; i < guard->count; i++) {
            if (!is_left(guard, cpu, i, &left)) {
                continue;
            }
            if (ret_all != NULL) {
                ret_all[count] = left;
            }
            count++;
        }
    }
    return count;
}

/* What an earlier guard of the same run left behind stays in the list. */
static void account(const struct request_guard *guard, struct platform *platform)
{
    struct request_account *requests = &platform->requests;
    uint32_t earlier = platform->requests_left_count;
    uint32_t saved = 0;
    struct request_left *all;

    requests->was_opened = true;
    for (uint32_t cpu = 0; cpu < guard->cpus_count; cpu++) {
        requests->writes += guard->slots[cpu].writes;
        for (uint32_t i = 0; i < guard->count; i++) {
            saved += guard->slots[cpu].registers[i].is_saved ? 1U : 0U;
        }
    }
    requests->saved = saved > requests->saved ? saved : requests->saved;
    requests->left = earlier + count_left(guard, NULL);
    all = arena_array(platform->arena, requests->left, sizeof(*all));
    if (all == NULL) {
        platform->incomplete = "no memory for the registers that were left behind";
        return;
    }
    if (earlier != 0) {
        memcpy(all, platform->requests_left, earlier * sizeof(*all));
    }
    platform->requests_left_count = earlier + count_left(guard, all + earlier);
    platform->requests_left = all;
}

void request_guard_close(const struct hw *hw, struct request_guard *guard,
                         struct platform *platform)
{
    if (!guard->is_open) {
        return;
    }
    run(hw, guard, platform->arena, restore_here);
    run(hw, guard, platform->arena, look_here);
    account(guard, platform);
    guard->is_open = false;
}
