#include "model/work.h"

#include "model/units.h"

const char *work_kernel_name(enum work_kernel kernel)
{
    static const char *const names[WORK_KERNELS] = {"integer", "memory"};

    return (unsigned)kernel < WORK_KERNELS ? names[kernel] : "unknown";
}

static uint64_t energy_ns(const struct work_sample *sample, uint64_t tsc_hz)
{
    return sample->package_avail == AVAIL_PRESENT && tsc_hz != 0
               ? units_tsc_to_ns(sample->energy_tsc, tsc_hz)
               : 0;
}

uint64_t work_package_mw(const struct work_sample *sample, uint64_t tsc_hz)
{
    uint64_t ns = energy_ns(sample, tsc_hz);

    /* 1 uJ in 1 ns is 1 kW. */
    return ns == 0 ? 0 : mul_div_round_u64(sample->package_uj, 1000000, ns);
}

uint64_t work_per_joule_milli(const struct work_sample *sample, uint64_t tsc_hz)
{
    uint64_t ns = energy_ns(sample, tsc_hz);
    uint64_t pieces_milli;

    if (ns == 0 || sample->package_uj == 0) {
        return 0;
    }
    pieces_milli = mul_div_round_u64(sample->pieces_per_s, ns, NS_PER_S / 1000);
    return mul_div_round_u64(pieces_milli, 1000000, sample->package_uj);
}
