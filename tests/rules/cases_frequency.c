#include "tests/rules/cases.h"

#include <stddef.h>

/* Frequencies, boost and settling times as measured. */

static void set_khz(struct fixture *fixture, uint32_t sample, uint64_t khz)
{
    fixture_count(fixture, khz, &fixture->freq[sample].counts);
}

static void set_boost(struct fixture *fixture, uint32_t boost, uint64_t khz)
{
    fixture_count(fixture, khz, &fixture->boosts[boost].counts);
}

static void settle(struct fixture *fixture, uint64_t us)
{
    fixture->settlings[0].settle_tsc.p90 = us * (fixture->platform.tsc_hz / 1000000);
}

static void stopped(struct fixture *fixture)
{
    fixture->freq[0].counts = (struct freq_counts){.stopped = 10};
}

static void wrapped(struct fixture *fixture)
{
    fixture->freq[0].counts.wrapped = 1;
}

static void slow_mperf(struct fixture *fixture)
{
    for (uint32_t i = 0; i < 3; i++) {
        fixture->freq[i].counts.mperf -= fixture->freq[i].counts.mperf / 50;
    }
    for (uint32_t i = 0; i < fixture->platform.freq_boosts_count; i++) {
        fixture->boosts[i].counts.mperf -= fixture->boosts[i].counts.mperf / 50;
    }
}

static void row_off(struct fixture *fixture)
{
    set_khz(fixture, 2, 2000000);
}

static void held_back(struct fixture *fixture)
{
    set_khz(fixture, 2, 1500000);
    fixture->freq[2].counts.causes = FREQ_CAUSE_POWER;
}

static void ignored(struct fixture *fixture)
{
    for (uint32_t i = 0; i < 3; i++) {
        set_khz(fixture, i, 3400000);
    }
}

static void one_row(struct fixture *fixture)
{
    set_khz(fixture, 2, 2800000);
}

static void wrong_order(struct fixture *fixture)
{
    set_khz(fixture, 2, 3100000);
}

static void late_status(struct fixture *fixture)
{
    fixture->freq[1].status = 0;
}

static void no_boost(struct fixture *fixture)
{
    set_boost(fixture, 0, 3600000);
}

static void more_boost(struct fixture *fixture)
{
    set_boost(fixture, 0, 4600000);
}

static void over_limit(struct fixture *fixture)
{
    set_boost(fixture, 2, 4200000);
}

static void boost_stays(struct fixture *fixture)
{
    set_boost(fixture, 3, 4200000);
}

/* The second core is the faster one and ranks lower. */
static void false_rank(struct fixture *fixture)
{
    set_boost(fixture, 5, 4000000);
    fixture->processors[1].cpc_value[CPC_HIGHEST_PERF] = 41;
}

/* _CPC says 255 of all: Linux then takes the rank of HWP. */
static void false_hwp_rank(struct fixture *fixture)
{
    set_boost(fixture, 5, 4000000);
    for (uint32_t i = 0; i < 4; i++) {
        fixture->processors[i].cpc_value[CPC_HIGHEST_PERF] = 255;
    }
}

static void slow_change(struct fixture *fixture)
{
    settle(fixture, 200);
}

static void slow_cppc(struct fixture *fixture)
{
    fixture->settlings[0].latency_us = 0;
    settle(fixture, 800);
}

/* A low figure with its cause beside it says nothing about the firmware. */
static void excused_boost(struct fixture *fixture)
{
    set_boost(fixture, 0, 3600000);
    fixture->boosts[0].counts.causes = FREQ_CAUSE_THERMAL;
}

const struct rule_case cases_of_frequency[] = {
    {"FRQ-001", MACHINE_AMD, NULL, NULL, stopped},
    {"FRQ-001", MACHINE_INTEL, NULL, NULL, wrapped},
    {"FRQ-002", MACHINE_INTEL, NULL, NULL, slow_mperf},
    {"FRQ-003", MACHINE_INTEL, NULL, NULL, row_off},
    {"FRQ-004", MACHINE_INTEL, NULL, NULL, held_back},
    {"FRQ-005", MACHINE_INTEL, NULL, NULL, ignored},
    {"FRQ-006", MACHINE_INTEL, NULL, "FRQ-003", one_row},
    {"FRQ-007", MACHINE_INTEL, NULL, "FRQ-003", wrong_order},
    {"FRQ-008", MACHINE_INTEL, NULL, NULL, late_status},
    {"FRQ-009", MACHINE_INTEL, NULL, NULL, no_boost},
    {"FRQ-009", MACHINE_INTEL, NULL, "FRQ-010", more_boost},
    {"FRQ-009", MACHINE_INTEL, NULL, NULL, excused_boost},
    {"FRQ-010", MACHINE_INTEL, NULL, NULL, over_limit},
    {"FRQ-011", MACHINE_INTEL, NULL, NULL, boost_stays},
    {"FRQ-012", MACHINE_INTEL, NULL, NULL, false_rank},
    {"FRQ-012", MACHINE_INTEL, "msr@1 0x771 0x010C2429", "CPC-045", false_hwp_rank},
    {"FRQ-013", MACHINE_INTEL, NULL, NULL, slow_change},
    {"FRQ-014", MACHINE_AMD, "cpuid 0x80000007 edx 0x8380", NULL, slow_cppc},
    {NULL, MACHINE_BARE, NULL, NULL, NULL},
};
