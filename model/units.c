#include "model/units.h"

#include "model/wide.h"

#define PPM UINT64_C(1000000)
#define KHZ_PER_MHZ UINT64_C(1000)

static uint64_t divide_saturating(struct wide dividend, uint64_t divisor)
{
    struct wide quotient;

    if (divisor == 0) {
        return UINT64_MAX;
    }
    quotient = wide_divide(dividend, divisor);
    return quotient.high != 0 ? UINT64_MAX : quotient.low;
}

uint64_t mul_div_u64(uint64_t a, uint64_t b, uint64_t divisor)
{
    return divide_saturating(wide_multiply(a, b), divisor);
}

uint64_t mul_div_round_u64(uint64_t a, uint64_t b, uint64_t divisor)
{
    struct wide half = {.low = divisor / 2};

    return divide_saturating(wide_add(wide_multiply(a, b), half), divisor);
}

uint64_t units_tsc_to_ns(uint64_t tsc, uint64_t tsc_hz)
{
    return mul_div_round_u64(tsc, NS_PER_S, tsc_hz);
}

uint64_t units_ns_to_tsc(uint64_t ns, uint64_t tsc_hz)
{
    return mul_div_round_u64(ns, tsc_hz, NS_PER_S);
}

uint64_t units_mhz_to_khz(uint64_t mhz)
{
    return mul_div_u64(mhz, KHZ_PER_MHZ, 1);
}

uint64_t units_difference_ppm(uint64_t a, uint64_t b)
{
    if (a == b) {
        return 0;
    }
    return mul_div_round_u64(a > b ? a - b : b - a, PPM, b);
}

uint64_t units_isqrt(uint64_t value)
{
    return wide_isqrt((struct wide){.low = value});
}
