#include "drivers/idle_meters.h"

#include "model/units.h"

#include <stddef.h>

#define MSR_SMI_COUNT 0x34U /* SDM vol. 4, table 2-15 */

/* The PM timer's low 24 bits wrap after 4.68 s: ACPI 6.5, 4.8.3.3. */
#define PM_TIMER_MASK 0xFFFFFFU
#define PM_TIMER_WHOLE_NS UINT64_C(4000000000)

/* Intel's core C-state residency counters, at TSC rate: SDM vol. 4, MSR_CORE_C1_RESIDENCY (660H),
 * MSR_CORE_C3_RESIDENCY (3FCH), MSR_CORE_C6_RESIDENCY (3FDH), MSR_CORE_C7_RESIDENCY (3FEH). */
static const uint32_t core_counters[IDLE_METERS_CORE] = {0x660, 0x3FC, 0x3FD, 0x3FE};

/*
 * Those of the package, at TSC rate, each for its own state: SDM vol. 4, MSR_PKG_C2_RESIDENCY (60DH), C3
 * (3F8H), C6 (3F9H), C7 (3FAH), C8 (630H), C9 (631H), C10 (632H). AMD documents none in the PPRs of families
 * 17h to 1Ah.
 */
static const uint32_t package_counters[] = {0x60D, 0x3F8, 0x3F9, 0x3FA, 0x630, 0x631, 0x632};
_Static_assert(sizeof(package_counters) / sizeof(package_counters[0]) <= IDLE_METERS_PACKAGE,
               "every package counter has its place");

static uint32_t choose(const struct platform *platform, uint32_t cpu, const uint32_t *msrs,
                       size_t count, uint32_t *ret_msrs)
{
    uint32_t chosen = 0;

    for (size_t i = 0; i < count; i++) {
        if (platform_msr(platform, cpu, msrs[i]).avail == AVAIL_PRESENT) {
            ret_msrs[chosen++] = msrs[i];
        }
    }
    return chosen;
}

void idle_meters_choose(const struct platform *platform, uint32_t cpu,
                        struct idle_meters *ret_meters)
{
    *ret_meters = (struct idle_meters){
        .has_smi_count = platform_msr(platform, cpu, MSR_SMI_COUNT).avail == AVAIL_PRESENT,
        .pm_timer_port = fadt_pm_timer_port(&platform->fadt)};
    ret_meters->core_count =
        choose(platform, cpu, core_counters, IDLE_METERS_CORE, ret_meters->core_msr);
    ret_meters->package_count =
        choose(platform, cpu, package_counters,
               sizeof(package_counters) / sizeof(package_counters[0]), ret_meters->package_msr);
}

static uint64_t read_msr(const struct hw *hw, uint32_t msr)
{
    uint64_t value = 0;

    (void)hw->ops->rdmsr(hw, msr, &value);
    return value;
}

void idle_meters_read(const struct idle_meters *meters, const struct hw *hw,
                      struct idle_meter_reading *ret_reading)
{
    *ret_reading =
        (struct idle_meter_reading){.smi = meters->has_smi_count ? read_msr(hw, MSR_SMI_COUNT) : 0};
    for (uint32_t i = 0; i < meters->core_count; i++) {
        ret_reading->core[i] = read_msr(hw, meters->core_msr[i]);
    }
    for (uint32_t i = 0; i < meters->package_count; i++) {
        ret_reading->package[i] = read_msr(hw, meters->package_msr[i]);
    }
    ret_reading->has_pm_timer =
        meters->pm_timer_port != 0 &&
        hw->ops->port_read(hw, meters->pm_timer_port, 4, &ret_reading->pm_timer) == STATUS_OK;
    ret_reading->tsc = hw->ops->tsc(hw);
}

static uint64_t sum_of_steps(const uint64_t *before, const uint64_t *after, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += after[i] - before[i];
    }
    return sum;
}

void idle_meters_fill(const struct idle_meters *meters, const struct idle_meter_reading *before,
                      const struct idle_meter_reading *after, uint64_t tsc_hz,
                      struct idle_sample_set *set)
{
    set->has_smi_count = meters->has_smi_count;
    set->smi = (after->smi - before->smi) & UINT32_MAX;
    set->has_residency = meters->core_count != 0;
    set->resident_tsc = sum_of_steps(before->core, after->core, meters->core_count);
    set->has_package_residency = meters->package_count != 0;
    set->package_tsc = sum_of_steps(before->package, after->package, meters->package_count);
    set->elapsed_tsc = after->tsc - before->tsc;
    /* A TSC that stops makes the set look shorter, never longer: a timer that may have wrapped is left out by
     * what was programmed. */
    if (before->has_pm_timer && after->has_pm_timer &&
        units_tsc_to_ns(set->elapsed_tsc, tsc_hz) < PM_TIMER_WHOLE_NS &&
        mul_div_u64(set->requested_ns, set->samples + set->dropped, 1) < PM_TIMER_WHOLE_NS / 2) {
        set->elapsed_pmt = (after->pm_timer - before->pm_timer) & PM_TIMER_MASK;
    }
}
