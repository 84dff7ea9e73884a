#include "report/axis.h"

#include "model/units.h"

#define FRACTION_BITS 16

uint32_t axis_log2_q16(uint64_t value)
{
    uint32_t whole = 0;
    uint64_t mantissa; /* 1 <= mantissa < 2, in 2^-31 */
    uint32_t result;

    if (value == 0) {
        return 0;
    }
    while (value >> whole > 1) {
        whole++;
    }
    mantissa = whole >= 31 ? value >> (whole - 31) : value << (31 - whole);
    result = whole;
    /* Squaring doubles the logarithm: each time the next bit of it comes out in front of the point. */
    for (unsigned bit = 0; bit < FRACTION_BITS; bit++) {
        mantissa = mantissa * mantissa >> 31;
        result <<= 1;
        if (mantissa >> 32 != 0) {
            mantissa >>= 1;
            result |= 1U;
        }
    }
    return result;
}

/* How far along the axis, in the numbers that its scale counts in. */
static uint64_t along(const struct axis *axis, uint64_t value)
{
    return axis->scale == AXIS_LOG ? axis_log2_q16(value) : value;
}

uint32_t axis_place(const struct axis *axis, uint64_t value)
{
    uint64_t low = along(axis, axis->low);
    uint64_t span = along(axis, axis->high) - low;
    uint64_t pixels;

    if (axis->high <= axis->low || span == 0) {
        return axis->from;
    }
    value = value < axis->low ? axis->low : value;
    value = value > axis->high ? axis->high : value;
    pixels = axis->to > axis->from ? axis->to - axis->from : axis->from - axis->to;
    pixels = mul_div_round_u64(along(axis, value) - low, pixels, span);
    return axis->to > axis->from ? axis->from + (uint32_t)pixels : axis->from - (uint32_t)pixels;
}

/* The smallest of 1, 2, 5 times a power of ten that gives no more than `wanted` steps; at least 1. */
static uint64_t linear_step(const struct axis *axis, unsigned wanted)
{
    uint64_t steps = wanted == 0 ? 1 : wanted;
    uint64_t rough = (axis->high - axis->low - 1) / steps + 1;
    uint64_t power = 1;

    while (power <= rough / 10) {
        power *= 10;
    }
    if (rough <= power) {
        return power;
    }
    return rough <= 2 * power ? 2 * power : rough <= 5 * power ? 5 * power : 10 * power;
}

static uint64_t up_to(const struct axis *axis, uint64_t tick)
{
    return tick > axis->high ? UINT64_MAX : tick;
}

uint64_t axis_tick_first(const struct axis *axis, unsigned wanted)
{
    uint64_t step;

    if (axis->high <= axis->low) {
        return UINT64_MAX;
    }
    if (axis->scale == AXIS_LINEAR) {
        step = linear_step(axis, wanted);
        return up_to(axis, axis->low / step * step + (axis->low % step == 0 ? 0 : step));
    }
    step = 1;
    while (step < axis->low && step <= UINT64_MAX / 10) {
        step *= 10;
    }
    return up_to(axis, step);
}

uint64_t axis_tick_next(const struct axis *axis, unsigned wanted, uint64_t tick)
{
    uint64_t step = axis->scale == AXIS_LINEAR ? linear_step(axis, wanted) : 0;

    if (tick == UINT64_MAX || (axis->scale == AXIS_LOG && tick > UINT64_MAX / 10) ||
        step > UINT64_MAX - tick) {
        return UINT64_MAX;
    }
    return up_to(axis, axis->scale == AXIS_LINEAR ? tick + step : tick * 10);
}

void axis_round(struct axis *axis, unsigned wanted)
{
    uint64_t step = 1;

    if (axis->scale == AXIS_LINEAR) {
        step = linear_step(axis, wanted);
        axis->low = axis->low / step * step;
        axis->high = axis->high > UINT64_MAX - step ? axis->high : (axis->high / step + 1) * step;
        return;
    }
    while (step <= axis->low / 10) {
        step *= 10;
    }
    axis->low = step;
    while (step < axis->high && step <= UINT64_MAX / 10) {
        step *= 10;
    }
    if (step < axis->high || step > axis->low) {
        axis->high = step > axis->high ? step : axis->high;
    } else {
        axis->high = step > UINT64_MAX / 10 ? UINT64_MAX : step * 10;
    }
}
