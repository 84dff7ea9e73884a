#include "model/wide.h"

#define HALF_BITS 32
#define HALF_MASK UINT64_C(0xFFFFFFFF)

struct wide wide_multiply(uint64_t a, uint64_t b)
{
    uint64_t low = (a & HALF_MASK) * (b & HALF_MASK);
    uint64_t cross = (a >> HALF_BITS) * (b & HALF_MASK) + (low >> HALF_BITS);
    uint64_t other_cross = (a & HALF_MASK) * (b >> HALF_BITS) + (cross & HALF_MASK);

    return (struct wide){.high = (a >> HALF_BITS) * (b >> HALF_BITS) + (cross >> HALF_BITS) +
                                 (other_cross >> HALF_BITS),
                         .low = other_cross << HALF_BITS | (low & HALF_MASK)};
}

struct wide wide_add(struct wide a, struct wide b)
{
    uint64_t low = a.low + b.low;
    uint64_t carry = low < a.low ? 1 : 0;

    if (b.high > UINT64_MAX - a.high || carry > UINT64_MAX - a.high - b.high) {
        return (struct wide){.high = UINT64_MAX, .low = UINT64_MAX};
    }
    return (struct wide){.high = a.high + b.high + carry, .low = low};
}

bool wide_is_less(struct wide a, struct wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

struct wide wide_subtract(struct wide a, struct wide b)
{
    if (wide_is_less(a, b)) {
        return (struct wide){0};
    }
    return (struct wide){.high = a.high - b.high - (a.low < b.low ? 1 : 0), .low = a.low - b.low};
}

/*
 * One digit of a schoolbook division in base 2^32 (Knuth, The Art of Computer Programming, vol. 2,
 * 4.3.1, Algorithm D): floor((*rest * 2^32 + digit) / divisor), *rest becoming what remains. *rest is
 * below divisor, whose top bit is set; so the first estimate is at most two too large.
 */
static uint64_t divide_digit(uint64_t *rest, uint64_t digit, uint64_t divisor)
{
    uint64_t quotient = *rest / (divisor >> HALF_BITS);
    uint64_t over = *rest % (divisor >> HALF_BITS);

    while (quotient > HALF_MASK || quotient * (divisor & HALF_MASK) > (over << HALF_BITS | digit)) {
        quotient--;
        over += divisor >> HALF_BITS;
        if (over > HALF_MASK) {
            break;
        }
    }
    /* The true difference is below divisor, so wrapping on the way there does no harm. */
    *rest = (*rest << HALF_BITS | digit) - quotient * divisor;
    return quotient;
}

/* floor((high * 2^64 + low) / divisor) for high < divisor. */
static uint64_t divide_narrow(uint64_t high, uint64_t low, uint64_t divisor)
{
    uint64_t rest = high;
    uint64_t upper;
    int shift = __builtin_clzll(divisor);

    if (high == 0) {
        return low / divisor;
    }
    if (shift != 0) {
        divisor <<= shift;
        rest = high << shift | low >> (64 - shift);
        low <<= shift;
    }
    upper = divide_digit(&rest, low >> HALF_BITS, divisor);
    return upper << HALF_BITS | divide_digit(&rest, low & HALF_MASK, divisor);
}

struct wide wide_divide(struct wide dividend, uint64_t divisor)
{
    return (struct wide){.high = dividend.high / divisor,
                         .low = divide_narrow(dividend.high % divisor, dividend.low, divisor)};
}

uint64_t wide_isqrt(struct wide value)
{
    uint64_t root = 0;

    for (int bit = 63; bit >= 0; bit--) {
        uint64_t candidate = root | UINT64_C(1) << bit;

        if (!wide_is_less(value, wide_multiply(candidate, candidate))) {
            root = candidate;
        }
    }
    return root;
}
