#include "model/linux/cppc_convert.h"

#include "model/units.h"

#include <stdbool.h>

static bool has_frequencies(const struct cppc_scale *scale)
{
    return scale->lowest_freq_mhz != 0 && scale->nominal_freq_mhz != 0;
}

/* offset + product, 0 when negative. Both parts come from 32-bit inputs, so the sum cannot overflow. */
static uint64_t add_signed(int64_t offset, uint64_t part)
{
    int64_t sum = part > INT64_MAX ? INT64_MAX : (int64_t)part;

    if (offset > 0 && sum > INT64_MAX - offset) {
        return INT64_MAX;
    }
    sum += offset;
    return sum < 0 ? 0 : (uint64_t)sum;
}

uint64_t cppc_convert_to_khz(const struct cppc_scale *scale, uint64_t perf)
{
    uint64_t multiplier = scale->dmi_khz;
    uint64_t divisor = scale->highest_perf;
    int64_t offset = 0;

    if (has_frequencies(scale)) {
        bool is_flat = scale->lowest_freq_mhz == scale->nominal_freq_mhz;

        multiplier = is_flat ? scale->nominal_freq_mhz
                             : (uint32_t)(scale->nominal_freq_mhz - scale->lowest_freq_mhz);
        divisor =
            is_flat ? scale->nominal_perf : (uint32_t)(scale->nominal_perf - scale->lowest_perf);
        multiplier *= 1000;
        if (divisor == 0) {
            return 0;
        }
        offset = (int64_t)((uint64_t)scale->nominal_freq_mhz * 1000) -
                 (int64_t)(mul_div_u64(scale->nominal_perf, multiplier, divisor) & INT64_MAX);
    }
    return divisor == 0 ? 0 : add_signed(offset, mul_div_u64(perf, multiplier, divisor));
}

uint64_t cppc_convert_to_perf(const struct cppc_scale *scale, uint64_t khz)
{
    uint64_t multiplier = scale->highest_perf;
    uint64_t divisor = scale->dmi_khz;
    int64_t offset = 0;

    if (has_frequencies(scale)) {
        bool is_flat = scale->lowest_freq_mhz == scale->nominal_freq_mhz;

        multiplier =
            is_flat ? scale->nominal_perf : (uint32_t)(scale->nominal_perf - scale->lowest_perf);
        divisor = is_flat ? scale->nominal_freq_mhz
                          : (uint32_t)(scale->nominal_freq_mhz - scale->lowest_freq_mhz);
        if (divisor == 0) {
            return 0;
        }
        /* Linux takes the offset in MHz, before the divisor turns to kHz: one rounding, not two. */
        offset = (int64_t)scale->nominal_perf -
                 (int64_t)(mul_div_u64(scale->nominal_freq_mhz, multiplier, divisor) & INT64_MAX);
        divisor *= 1000;
    }
    return divisor == 0 ? 0 : add_signed(offset, mul_div_u64(khz, multiplier, divisor));
}
