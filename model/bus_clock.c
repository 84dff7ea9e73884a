#include "model/bus_clock.h"

#include "model/units.h"

#include <string.h>

#define MSR_FSB_FREQ 0xCDU
#define ROWS_MAX 9

/* One value of MSR CDH: kHz as P-state code has it, and the TSC code's exact form where they differ. */
struct selector_row {
    uint32_t pstate_khz; /* 0: unknown index */
    uint32_t tsc_mul;    /* of 100 MHz, or of 1 kHz where tsc_div is 0 */
    uint32_t tsc_div;
};

struct selector {
    uint32_t model; /* family 6 */
    uint8_t mask;
    struct selector_row rows[ROWS_MAX];
};

/*
 * SDM vol. 4, MSR CDH MSR_FSB_FREQ for each model; Linux 6.12 arch/x86/kernel/tsc_msr.c (byt, cht, tng, ann,
 * clv, pnw) and drivers/cpufreq/intel_pstate.c silvermont_get_scaling, airmont_get_scaling. Models that only
 * the TSC code knows have its own figure, rounded down to 100 kHz like the others.
 */
static const struct selector selectors[] = {
    {0x37, 0x7, {{83300, 5, 6}, {100000, 1, 1}, {133300, 4, 3}, {116700, 7, 6}, {80000, 4, 5}}},
    {0x4D, 0x7, {{83300, 5, 6}, {100000, 1, 1}, {133300, 4, 3}, {116700, 7, 6}, {80000, 4, 5}}},
    {0x4C,
     0xF,
     {{83300, 5, 6},
      {100000, 1, 1},
      {133300, 4, 3},
      {116700, 7, 6},
      {80000, 4, 5},
      {93300, 14, 15},
      {90000, 9, 10},
      {88900, 8, 9},
      {87500, 7, 8}}},
    {0x4A, 0x7, {{0, 0, 0}, {100000, 1, 1}, {133300, 4, 3}}},
    {0x5A, 0xF, {{83300, 5, 6}, {100000, 1, 1}, {133300, 4, 3}, {100000, 1, 1}}},
    {0x35,
     0x7,
     {{0, 0, 0},
      {133200, 133200, 0},
      {0, 0, 0},
      {0, 0, 0},
      {0, 0, 0},
      {99840, 99840, 0},
      {0, 0, 0},
      {83200, 83200, 0}}},
    {0x27,
     0x7,
     {{0, 0, 0},
      {0, 0, 0},
      {0, 0, 0},
      {0, 0, 0},
      {0, 0, 0},
      {99840, 99840, 0},
      {0, 0, 0},
      {83200, 83200, 0}}},
};

static const struct selector *find_selector(const struct cpu_identity *identity)
{
    if (identity->avail != AVAIL_PRESENT || identity->vendor != VENDOR_INTEL ||
        identity->family != 6) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof(selectors) / sizeof(selectors[0]); i++) {
        if (selectors[i].model == identity->model) {
            return &selectors[i];
        }
    }
    return NULL;
}

/* Nehalem and Westmere: SDM vol. 4, "MSRs in Processors Based on Nehalem", PLATFORM_INFO [15:8] * 133.33 MHz. */
static bool is_nehalem(uint32_t model)
{
    static const uint8_t models[] = {0x1A, 0x1E, 0x1F, 0x25, 0x2C, 0x2E, 0x2F};

    return model <= UINT8_MAX && memchr(models, (int)model, sizeof(models)) != NULL;
}

/* Models before PLATFORM_INFO have front-side buses of many speeds, which this table does not hold. */
static bool is_front_side_bus(uint32_t model)
{
    static const uint8_t models[] = {0x0D, 0x0E, 0x0F, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x26, 0x36};

    return model < 0x0D ||
           (model <= UINT8_MAX && memchr(models, (int)model, sizeof(models)) != NULL);
}

bool bus_clock_is_selected(const struct cpu_identity *identity)
{
    return find_selector(identity) != NULL;
}

static void take_selected(const struct selector *selector, struct msr_value fsb_freq,
                          struct bus_clock *clock)
{
    uint32_t index = (uint32_t)(fsb_freq.value & selector->mask);
    const struct selector_row *row = index < ROWS_MAX ? &selector->rows[index] : NULL;

    clock->from = "MSR CDH FSB_FREQ";
    if (fsb_freq.avail != AVAIL_PRESENT) {
        clock->avail = fsb_freq.avail;
        return;
    }
    if (row == NULL || row->pstate_khz == 0) {
        clock->avail = AVAIL_ABSENT;
        return;
    }
    clock->avail = AVAIL_PRESENT;
    clock->khz = row->pstate_khz;
    clock->tsc_mul = row->tsc_mul;
    clock->tsc_div = row->tsc_div;
}

void bus_clock_decode(const struct cpu_identity *identity, struct msr_value fsb_freq,
                      struct bus_clock *ret_clock)
{
    const struct selector *selector = find_selector(identity);

    memset(ret_clock, 0, sizeof(*ret_clock));
    ret_clock->from = "the CPU is not one whose bus clock is known";
    if (identity->avail != AVAIL_PRESENT || identity->vendor != VENDOR_INTEL ||
        identity->family != 6) {
        return;
    }
    if (selector != NULL) {
        take_selected(selector, fsb_freq, ret_clock);
        return;
    }
    if (is_front_side_bus(identity->model)) {
        return;
    }
    ret_clock->avail = AVAIL_PRESENT;
    ret_clock->from = "by model";
    ret_clock->khz = 100000;
    if (is_nehalem(identity->model)) {
        ret_clock->khz = 133333;
    } else if (identity->model == 0x75) {
        /* Lightning Mountain: Linux 6.12 arch/x86/kernel/tsc_msr.c freq_desc_lgm, 78 MHz at any index. */
        ret_clock->khz = 78000;
        ret_clock->tsc_mul = 78000;
    }
}

void bus_clock_of(const struct platform *platform, uint32_t cpu, struct bus_clock *ret_clock)
{
    bus_clock_decode(&platform->identity, platform_msr(platform, cpu, MSR_FSB_FREQ), ret_clock);
}

uint64_t bus_clock_tsc_khz(const struct bus_clock *clock, uint64_t ratio)
{
    if (clock->avail != AVAIL_PRESENT || clock->tsc_mul == 0) {
        return 0;
    }
    if (clock->tsc_div == 0) {
        return mul_div_u64(clock->tsc_mul, ratio, 1);
    }
    return mul_div_round_u64(UINT64_C(100000) * clock->tsc_mul, ratio, clock->tsc_div);
}
