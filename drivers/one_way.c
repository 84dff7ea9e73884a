#include "drivers/one_way.h"

#include <stddef.h>

/* SDM vol. 3B, 15.4.2 Enabling HWP; AMD PPR, MSRC001_02B1 CPPC_ENABLE. */
#define MSR_IA32_PM_ENABLE 0x770U
#define MSR_AMD_CPPC_ENABLE 0xC00102B1U
#define ENABLE UINT64_C(1)

#define READINGS 2U
#define TIMEOUT_BASE_MS 5000U
#define TIMEOUT_PER_CPU_MS 10U

/* Capabilities and request of the interface. */
static const uint32_t hwp_msrs[READINGS] = {0x771, 0x774};
static const uint32_t cppc_msrs[READINGS] = {0xC00102B0, 0xC00102B3};

/* One CPU's part: its own to write. */
struct one_way_slot {
    bool is_on;
    struct msr_value readings[READINGS];
};

struct one_way_run {
    uint32_t msr;
    const uint32_t *others;
    struct one_way_slot *slots;
};

static uint32_t msr_of(enum one_way which)
{
    return which == ONE_WAY_HWP ? MSR_IA32_PM_ENABLE : MSR_AMD_CPPC_ENABLE;
}

static bool is_off(const struct platform *platform, enum one_way which)
{
    struct msr_value value = platform_msr(platform, 0, msr_of(which));

    return value.avail == AVAIL_PRESENT && (value.value & ENABLE) == 0;
}

enum one_way one_way_wanted(const struct platform *platform)
{
    const struct options *options = platform->options;

    if (options == NULL || options->is_read_only) {
        return ONE_WAY_NOT;
    }
    if (options->allow_hwp_enable && platform->identity.vendor == VENDOR_INTEL &&
        is_off(platform, ONE_WAY_HWP)) {
        return ONE_WAY_HWP;
    }
    if (options->allow_cppc_enable && platform->identity.vendor == VENDOR_AMD &&
        is_off(platform, ONE_WAY_CPPC)) {
        return ONE_WAY_CPPC;
    }
    return ONE_WAY_NOT;
}

static void set_here(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct one_way_run *run = argument;
    struct one_way_slot *slot = &run->slots[cpu];
    uint64_t value = 0;

    if (hw->ops->rdmsr(hw, run->msr, &value) != AVAIL_PRESENT) {
        return;
    }
    if ((value & ENABLE) == 0) {
        (void)hw->ops->wrmsr(hw, run->msr, value | ENABLE);
    }
    slot->is_on = hw->ops->rdmsr(hw, run->msr, &value) == AVAIL_PRESENT && (value & ENABLE) != 0;
    for (unsigned i = 0; slot->is_on && i < READINGS; i++) {
        slot->readings[i].avail = hw->ops->rdmsr(hw, run->others[i], &slot->readings[i].value);
    }
}

/* What could not be read while the interface was off. */
static void keep(struct platform *platform, uint32_t cpu, uint32_t msr, struct msr_value value)
{
    for (uint32_t i = 0; platform->msr_values != NULL && i < platform->msrs_count; i++) {
        struct msr_value *known = &platform->msr_values[(size_t)cpu * platform->msrs_count + i];

        if (platform->msrs[i] == msr && known->avail == AVAIL_FAULTED &&
            value.avail == AVAIL_PRESENT) {
            *known = value;
        }
    }
}

bool one_way_set(const struct hw *hw, struct platform *platform, enum one_way which)
{
    uint32_t count = platform->cpus_count;
    uint8_t *wanted = arena_array(platform->arena, count, 1);
    enum hw_run *runs = arena_array(platform->arena, count, sizeof(*runs));
    struct one_way_run run = {.msr = msr_of(which),
                              .others = which == ONE_WAY_HWP ? hwp_msrs : cppc_msrs,
                              .slots =
                                  arena_array(platform->arena, count, sizeof(struct one_way_slot))};
    bool is_any_on = false;

    if (wanted == NULL || runs == NULL || run.slots == NULL) {
        return false;
    }
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        runs[cpu] = HW_RUN_NOT_STARTED;
        wanted[cpu] = cpu == 0 || platform->cpus[cpu].answer == CPU_ANSWERED ? 1 : 0;
    }
    (void)hw->ops->run_on_cpus(hw, count, wanted, set_here, &run,
                               TIMEOUT_BASE_MS + TIMEOUT_PER_CPU_MS * count, runs);
    /* A CPU that did not come back may still write its slot. */
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        if (runs[cpu] == HW_RUN_NO_ANSWER) {
            platform->cpus[cpu].answer = CPU_DID_NOT_ANSWER;
        } else if (runs[cpu] == HW_RUN_DONE && run.slots[cpu].is_on) {
            is_any_on = true;
            for (unsigned i = 0; i < READINGS; i++) {
                keep(platform, cpu, run.others[i], run.slots[cpu].readings[i]);
            }
        }
    }
    platform->requests.has_set_hwp = is_any_on && which == ONE_WAY_HWP;
    platform->requests.has_set_cppc = is_any_on && which == ONE_WAY_CPPC;
    return is_any_on;
}
