#include "drivers/freq_measure.h"

#include "model/cpu_id.h"
#include "model/freq_derive.h"
#include "model/units.h"

#include <stddef.h>

#define MSR_MPERF 0xE7U /* IA32_MPERF, IA32_APERF: SDM vol. 3B, 15.2; APM vol. 2, 17.3 */
#define MSR_APERF 0xE8U
#define MSR_THERM_STATUS 0x19CU         /* SDM vol. 3B, 15.8.2 */
#define MSR_PACKAGE_THERM_STATUS 0x1B1U /* SDM vol. 3B, 15.9.4 */
#define MSR_LIMITS_SKYLAKE 0x64FU
#define MSR_LIMITS_HASWELL 0x690U
#define MSR_PSTATE_LIMIT 0xC0010061U /* APM vol. 2, 17.1.1: P-State Current Limit [2:0] */

#define SLICE_NS UINT64_C(10000000)
#define STAMP_TRIES 4U
#define WIDE_NS UINT64_C(20000) /* an SMI or a host fell between the reads */
#define CHAIN 2000U             /* additions between two looks at the clock: below a microsecond */

/* Log bits lie one above their status bits in 19CH and 1B1H, sixteen above in the limit reasons: SDM vol. 4. */
#define LOG_SHIFT 1U
#define LIMIT_LOG_SHIFT 16U

#define PPM UINT64_C(1000000)

/* What the status registers said. */
struct reasons {
    uint64_t core;
    uint64_t package;
    uint64_t limits;
    uint64_t pstate_limit;
};

bool freq_meter_has_counters(const struct platform *platform, uint32_t cpu)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, cpu);

    return cpuid != NULL && cpuid_has(cpuid, CPU_FEATURE_APERFMPERF);
}

static bool is_readable(const struct platform *platform, uint32_t cpu, uint32_t msr)
{
    return platform_msr(platform, cpu, msr).avail == AVAIL_PRESENT;
}

void freq_meter_init(struct freq_meter *meter, const struct hw *hw, const struct timing *timing,
                     const struct platform *platform, uint32_t cpu)
{
    *meter = (struct freq_meter){.hw = hw, .timing = timing, .tsc_hz = platform->tsc_hz};
    meter->slice_tsc = units_ns_to_tsc(SLICE_NS, meter->tsc_hz);
    meter->has_core_status = is_readable(platform, cpu, MSR_THERM_STATUS);
    meter->has_package_status = is_readable(platform, cpu, MSR_PACKAGE_THERM_STATUS);
    meter->has_pstate_limit = is_readable(platform, cpu, MSR_PSTATE_LIMIT);
    if (is_readable(platform, cpu, MSR_LIMITS_SKYLAKE)) {
        meter->limit_msr = MSR_LIMITS_SKYLAKE;
    } else if (is_readable(platform, cpu, MSR_LIMITS_HASWELL)) {
        meter->limit_msr = MSR_LIMITS_HASWELL;
    }
}

bool freq_meter_stamp(const struct freq_meter *meter, struct freq_stamp *ret_stamp)
{
    const struct hw *hw = meter->hw;

    ret_stamp->width_tsc = UINT64_MAX;
    for (unsigned i = 0; i < STAMP_TRIES; i++) {
        struct freq_stamp stamp = {0};
        uint64_t before_tsc = hw->ops->tsc(hw);

        if (hw->ops->rdmsr(hw, MSR_APERF, &stamp.aperf) != AVAIL_PRESENT ||
            hw->ops->rdmsr(hw, MSR_MPERF, &stamp.mperf) != AVAIL_PRESENT) {
            return false;
        }
        stamp.width_tsc = hw->ops->tsc(hw) - before_tsc;
        stamp.tsc = before_tsc + stamp.width_tsc / 2;
        if (stamp.width_tsc < ret_stamp->width_tsc) {
            *ret_stamp = stamp;
        }
    }
    return true;
}

static uint64_t read_status(const struct freq_meter *meter, bool is_there, uint32_t msr)
{
    uint64_t value = 0;

    if (is_there && meter->hw->ops->rdmsr(meter->hw, msr, &value) != AVAIL_PRESENT) {
        value = 0;
    }
    return value;
}

static void look_at_reasons(const struct freq_meter *meter, struct reasons *ret_reasons)
{
    ret_reasons->core = read_status(meter, meter->has_core_status, MSR_THERM_STATUS);
    ret_reasons->package = read_status(meter, meter->has_package_status, MSR_PACKAGE_THERM_STATUS);
    ret_reasons->limits = read_status(meter, meter->limit_msr != 0, meter->limit_msr);
    ret_reasons->pstate_limit = read_status(meter, meter->has_pstate_limit, MSR_PSTATE_LIMIT) & 7U;
}

/* What holds now, and what the log bits say has come since `before`. A log bit that was set already says nothing:
 * it is not ours to clear. */
static uint32_t causes_since(const struct freq_meter *meter, const struct reasons *before)
{
    struct reasons now;
    uint32_t causes;

    look_at_reasons(meter, &now);
    causes = freq_causes_of_core(now.core | (now.core & ~before->core) >> LOG_SHIFT) |
             freq_causes_of_package(now.package | (now.package & ~before->package) >> LOG_SHIFT) |
             freq_causes_of_limits(now.limits | (now.limits & ~before->limits) >> LIMIT_LOG_SHIFT);
    if (meter->has_pstate_limit && now.pstate_limit > meter->asked_pstate) {
        causes |= (uint32_t)FREQ_CAUSE_PSTATE_LIMIT;
    }
    return causes;
}

static void add_slice(const struct freq_meter *meter, const struct freq_stamp *from,
                      const struct freq_stamp *to, struct freq_counts *counts)
{
    uint64_t wide_tsc = units_ns_to_tsc(WIDE_NS, meter->tsc_hz);
    uint64_t length_tsc = to->tsc - from->tsc;
    uint64_t ppm;

    if (to->aperf < from->aperf || to->mperf < from->mperf) {
        counts->wrapped++;
    } else if (to->aperf == from->aperf || to->mperf == from->mperf) {
        counts->stopped++;
    } else if (length_tsc == 0 || from->width_tsc > wide_tsc || to->width_tsc > wide_tsc) {
        counts->torn++;
    } else {
        ppm = mul_div_u64(to->aperf - from->aperf, PPM, length_tsc);
        counts->slow_ppm = counts->slices == 0 || ppm < counts->slow_ppm ? ppm : counts->slow_ppm;
        counts->fast_ppm = ppm > counts->fast_ppm ? ppm : counts->fast_ppm;
        counts->slices++;
        counts->window_tsc += length_tsc;
        counts->aperf += to->aperf - from->aperf;
        counts->mperf += to->mperf - from->mperf;
        counts->stamp_tsc += from->width_tsc + to->width_tsc;
    }
}

static void work_until(const struct freq_meter *meter, uint64_t until_tsc)
{
    (void)meter->timing->work(meter->timing, CHAIN, until_tsc, 0, NULL);
}

void freq_meter_work(const struct freq_meter *meter, uint64_t ns)
{
    work_until(meter, meter->hw->ops->tsc(meter->hw) + units_ns_to_tsc(ns, meter->tsc_hz));
}

/* Not left to be stopped at the last moment: the firmware may take the CPU between two slices only. */
static bool slice(struct freq_meter *meter, struct freq_counts *counts)
{
    struct freq_stamp from;
    struct freq_stamp to;

    if (!freq_meter_stamp(meter, &from)) {
        return false;
    }
    work_until(meter, from.tsc + meter->slice_tsc);
    if (!freq_meter_stamp(meter, &to)) {
        return false;
    }
    add_slice(meter, &from, &to, counts);
    return meter->breathe == NULL || meter->breathe(meter->breathe_context);
}

void freq_meter_window(struct freq_meter *meter, uint64_t window_ns, struct freq_counts *ret_counts)
{
    uint64_t slices =
        (units_ns_to_tsc(window_ns, meter->tsc_hz) + meter->slice_tsc - 1) / meter->slice_tsc;
    struct reasons before;

    *ret_counts = (struct freq_counts){0};
    look_at_reasons(meter, &before);
    for (uint64_t i = 0; i < slices && slice(meter, ret_counts); i++) {
        ret_counts->causes |= causes_since(meter, &before);
    }
}
