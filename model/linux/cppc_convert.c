#include "model/linux/cppc_convert.h"

#include "model/units.h"

#include <stdbool.h>

/* offset + value * multiplier / divisor */
struct line {
    uint64_t multiplier;
    uint64_t divisor; /* 0: Linux would divide by zero */
    int64_t offset;
};

static bool has_frequencies(const struct cppc_scale *scale)
{
    return scale->lowest_freq_mhz != 0 && scale->nominal_freq_mhz != 0;
}

static bool is_flat(const struct cppc_scale *scale)
{
    return scale->form == CPPC_FORM_FLAT && scale->lowest_freq_mhz == scale->nominal_freq_mhz;
}

static uint64_t frequency_step_mhz(const struct cppc_scale *scale)
{
    return (uint32_t)(scale->nominal_freq_mhz - scale->lowest_freq_mhz);
}

static uint64_t perf_step(const struct cppc_scale *scale)
{
    return (uint32_t)(scale->nominal_perf - scale->lowest_perf);
}

/* offset + product, 0 when negative. Both parts come from 32-bit inputs, so the sum cannot overflow. */
static uint64_t value_on(const struct line *line, uint64_t value)
{
    uint64_t part;
    int64_t sum;

    if (line->divisor == 0) {
        return 0;
    }
    part = mul_div_u64(value, line->multiplier, line->divisor);
    sum = part > INT64_MAX ? INT64_MAX : (int64_t)part;
    if (line->offset > 0 && sum > INT64_MAX - line->offset) {
        return INT64_MAX;
    }
    sum += line->offset;
    return sum < 0 ? 0 : (uint64_t)sum;
}

/* The offset with which the line goes through (at, value). */
static int64_t offset_through(const struct line *line, uint64_t at, uint64_t value)
{
    return line->divisor == 0
               ? 0
               : (int64_t)value -
                     (int64_t)(mul_div_u64(at, line->multiplier, line->divisor) & INT64_MAX);
}

/* Before ec1c7ad47664. */
static struct line pieces_to_khz(const struct cppc_scale *scale, uint64_t perf)
{
    if (perf >= scale->nominal_perf) {
        return (struct line){units_mhz_to_khz(scale->nominal_freq_mhz), scale->nominal_perf, 0};
    }
    return (struct line){units_mhz_to_khz(frequency_step_mhz(scale)), perf_step(scale), 0};
}

static struct line pieces_to_perf(const struct cppc_scale *scale, uint64_t khz)
{
    uint64_t nominal_khz = units_mhz_to_khz(scale->nominal_freq_mhz);

    if (khz >= nominal_khz) {
        return (struct line){scale->nominal_perf, nominal_khz, 0};
    }
    return (struct line){scale->lowest_perf, units_mhz_to_khz(scale->lowest_freq_mhz), 0};
}

uint64_t cppc_convert_to_khz(const struct cppc_scale *scale, uint64_t perf)
{
    struct line line = {scale->dmi_khz, scale->highest_perf, 0};

    if (has_frequencies(scale) && scale->form == CPPC_FORM_PIECES) {
        line = pieces_to_khz(scale, perf);
    } else if (has_frequencies(scale)) {
        line.multiplier =
            units_mhz_to_khz(is_flat(scale) ? scale->nominal_freq_mhz : frequency_step_mhz(scale));
        line.divisor = is_flat(scale) ? scale->nominal_perf : perf_step(scale);
        line.offset =
            offset_through(&line, scale->nominal_perf, units_mhz_to_khz(scale->nominal_freq_mhz));
    }
    return value_on(&line, perf);
}

uint64_t cppc_convert_to_perf(const struct cppc_scale *scale, uint64_t khz)
{
    struct line line = {scale->highest_perf, scale->dmi_khz, 0};

    if (has_frequencies(scale) && scale->form == CPPC_FORM_PIECES) {
        line = pieces_to_perf(scale, khz);
    } else if (has_frequencies(scale)) {
        line.multiplier = is_flat(scale) ? scale->nominal_perf : perf_step(scale);
        line.divisor = is_flat(scale) ? scale->nominal_freq_mhz : frequency_step_mhz(scale);
        /* Linux takes the offset in MHz, before the divisor turns to kHz: one rounding, not two. */
        line.offset = offset_through(&line, scale->nominal_freq_mhz, scale->nominal_perf);
        line.divisor = units_mhz_to_khz(line.divisor);
    }
    return value_on(&line, khz);
}
