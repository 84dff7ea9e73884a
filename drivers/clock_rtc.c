#include "drivers/clock_rtc.h"

#include "model/units.h"

/* Motorola MC146818 data sheet, Register A: bit 7 is set while, and 244 us before, the time is updated. */
#define RTC_INDEX 0x70
#define RTC_DATA 0x71
#define RTC_REGISTER_A 0x0AU
#define RTC_UPDATE_IN_PROGRESS 0x80U

#define SECONDS 2U
#define READS_MAX 8000000U
#define LIMIT_TSC (UINT64_C(1) << 33) /* for one edge: 1.5 s at 5.7 GHz, 8.6 s at 1 GHz */
#define AGREEMENT_PPM 500U

struct edge {
    uint64_t tsc;
    uint64_t width_tsc;
};

static bool is_updating(const struct hw *hw, bool *ret_is)
{
    uint32_t value = 0;

    if (hw->ops->port_write(hw, RTC_INDEX, 1, RTC_REGISTER_A) != STATUS_OK ||
        hw->ops->port_read(hw, RTC_DATA, 1, &value) != STATUS_OK) {
        return false;
    }
    *ret_is = (value & RTC_UPDATE_IN_PROGRESS) != 0;
    return true;
}

/* The end of the next update. */
static enum clock_verdict wait_for_edge(const struct hw *hw, struct edge *ret_edge)
{
    uint64_t start_tsc = hw->ops->tsc(hw);
    uint64_t last_tsc = start_tsc;
    bool was_updating = false, is_now = false;

    for (uint32_t i = 0; i < READS_MAX; i++) {
        uint64_t now_tsc;

        if (!is_updating(hw, &is_now)) {
            return CLOCK_UNREADABLE;
        }
        now_tsc = hw->ops->tsc(hw);
        if (was_updating && !is_now) {
            ret_edge->width_tsc = now_tsc - last_tsc;
            ret_edge->tsc = last_tsc + ret_edge->width_tsc / 2;
            return CLOCK_GOOD;
        }
        if (now_tsc - start_tsc > LIMIT_TSC) {
            break;
        }
        was_updating = is_now;
        last_tsc = now_tsc;
    }
    return CLOCK_STANDS_STILL;
}

void clock_rtc_measure(const struct hw *hw, struct clock_measurement *ret_measurement)
{
    struct edge edges[SECONDS + 1];
    uint64_t first_tsc, whole_tsc, open_tsc;

    *ret_measurement = (struct clock_measurement){.verdict = CLOCK_GOOD};
    for (unsigned i = 0; i <= SECONDS; i++) {
        ret_measurement->verdict = wait_for_edge(hw, &edges[i]);
        if (ret_measurement->verdict != CLOCK_GOOD) {
            return;
        }
    }
    first_tsc = edges[1].tsc - edges[0].tsc;
    whole_tsc = edges[SECONDS].tsc - edges[0].tsc;
    open_tsc = edges[0].width_tsc + edges[SECONDS].width_tsc;
    if (whole_tsc == 0) {
        ret_measurement->verdict = CLOCK_TSC_STILL;
        return;
    }
    ret_measurement->tsc_hz = mul_div_round_u64(whole_tsc, 1, SECONDS);
    ret_measurement->uncertainty_ppm = 1 + mul_div_round_u64(open_tsc, 1000000, whole_tsc);
    if (units_difference_ppm(first_tsc, ret_measurement->tsc_hz) >
        AGREEMENT_PPM + ret_measurement->uncertainty_ppm) {
        ret_measurement->verdict = CLOCK_UNSTABLE;
    }
}
