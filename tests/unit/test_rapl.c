#include "drivers/rapl.h"
#include "model/units.h"
#include "tests/sim/sim_energy.h"
#include "tests/sim/sim_machine.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PS_PER_MS UINT64_C(1000000000)
#define UNITS_CORE UINT64_C(0xA0E03) /* 2^-14 J */
#define UNITS_AMD UINT64_C(0xA1003)  /* 2^-16 J */
#define UNITS_ATOM UINT64_C(0x505)   /* 2^5 uJ */

static struct sim_platform sim;
static struct sim_machine machine;
static struct sim_energy_counter energy[2];
static struct rapl_counters counters;
static struct rapl_meter meter;

static enum avail read_msr(struct sim_machine *of, uint32_t msr, uint64_t *ret_value)
{
    for (size_t i = 0; i < 2; i++) {
        if (energy[i].msr == msr) {
            *ret_value = sim_energy_raw(&energy[i], of->now_ps);
            return AVAIL_PRESENT;
        }
    }
    fail_msg("MSR %#x was read", (unsigned)msr);
    return AVAIL_FAULTED;
}

static int set_up(void **state)
{
    (void)state;
    sim_platform_init(&sim, 1);
    sim_machine_init(&machine);
    machine.read_msr = read_msr;
    memset(energy, 0, sizeof(energy));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static void identify(const char *vendor, uint32_t family, uint32_t model, uint64_t units)
{
    bool is_intel = strcmp(vendor, "GenuineIntel") == 0;

    sim_platform_identity(&sim, vendor, family, model);
    cpu_identity_decode(&sim.set, &sim.platform.identity);
    sim_platform_msr(&sim, SIM_ALL_CPUS, is_intel ? 0x606 : 0xC0010299, units);
}

static void derive(void)
{
    rapl_counters_of(&sim.platform, 0, &counters);
}

static uint64_t mj_of(enum rapl_domain domain, uint64_t steps)
{
    assert_int_equal(counters.domain[domain].avail, AVAIL_PRESENT);
    return rapl_uj(&counters.domain[domain], steps) / 1000;
}

static void core_models_share_one_unit(void **state)
{
    (void)state;
    identify("GenuineIntel", 6, 0x9A, UNITS_CORE);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, 1);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x639, 1);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x619, 1);
    derive();
    assert_int_equal(counters.avail, AVAIL_PRESENT);
    assert_int_equal(mj_of(RAPL_PACKAGE, 16384), 1000);
    assert_int_equal(mj_of(RAPL_CORES, 16384), 1000);
    assert_int_equal(mj_of(RAPL_DRAM, 16384), 1000);
    assert_int_equal(counters.domain[RAPL_GRAPHICS].avail, AVAIL_UNTRIED);
    assert_non_null(counters.domain[RAPL_GRAPHICS].why);
    assert_int_equal(counters.domain[RAPL_ONE_CORE].avail, AVAIL_UNTRIED);
    /* 2^32 steps of 2^-14 J are 262144 J: at 100 W 2621 s. */
    assert_int_equal(rapl_wrap_ms(&counters.domain[RAPL_PACKAGE], 100000), 2621440);
    assert_int_equal(rapl_wrap_ms(&counters.domain[RAPL_PACKAGE], 0), UINT64_MAX);
}

static void servers_count_dram_in_their_own_unit(void **state)
{
    static const uint8_t models[] = {0x3F, 0x4F, 0x55, 0x57, 0x6A, 0x6C, 0x85};

    (void)state;
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, 1);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x619, 1);
    for (size_t i = 0; i < sizeof(models); i++) {
        identify("GenuineIntel", 6, models[i], UNITS_CORE);
        derive();
        assert_int_equal(mj_of(RAPL_PACKAGE, 65536), 4000);
        assert_int_equal(mj_of(RAPL_DRAM, 65536), 1000);
    }
    identify("GenuineIntel", 6, 0x56, UNITS_CORE);
    derive();
    assert_int_equal(mj_of(RAPL_PACKAGE, 65536), 4000);
    assert_int_equal(counters.domain[RAPL_DRAM].avail, AVAIL_MALFORMED);
    assert_non_null(strstr(counters.domain[RAPL_DRAM].why, "do not agree"));
}

static void sapphire_rapids_counts_the_platform_in_joules(void **state)
{
    (void)state;
    identify("GenuineIntel", 6, 0x8F, UNITS_CORE);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, 1);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x64D, 1);
    derive();
    assert_int_equal(mj_of(RAPL_PLATFORM, 7), 7000);
    assert_int_equal(mj_of(RAPL_PACKAGE, 16384), 1000);
}

static void silvermont_counts_in_microjoules(void **state)
{
    static const uint8_t models[] = {0x37, 0x4A, 0x4C, 0x5A};

    (void)state;
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, 1);
    for (size_t i = 0; i < sizeof(models); i++) {
        identify("GenuineIntel", 6, models[i], UNITS_ATOM);
        derive();
        assert_int_equal(rapl_uj(&counters.domain[RAPL_PACKAGE], 1000), 32000);
    }
    identify("GenuineIntel", 6, 0x4D, UNITS_ATOM);
    derive();
    assert_int_equal(counters.avail, AVAIL_ABSENT);
    assert_non_null(strstr(counters.why, "do not agree"));
}

static void amd_has_a_counter_per_core(void **state)
{
    static const uint32_t families[] = {0x17, 0x19, 0x1A};

    (void)state;
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC001029A, 1);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC001029B, 1);
    for (size_t i = 0; i < 3; i++) {
        identify("AuthenticAMD", families[i], 0x31, UNITS_AMD);
        derive();
        assert_int_equal(mj_of(RAPL_PACKAGE, 65536), 1000);
        assert_int_equal(mj_of(RAPL_ONE_CORE, 65536), 1000);
        assert_int_equal(counters.domain[RAPL_ONE_CORE].msr, 0xC001029A);
        assert_int_equal(counters.domain[RAPL_CORES].avail, AVAIL_UNTRIED);
    }
}

static void absence_has_its_reason(void **state)
{
    (void)state;
    identify("GenuineIntel", 6, 0x9A, 0);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, 0);
    derive();
    assert_int_equal(counters.avail, AVAIL_ABSENT);
    assert_non_null(strstr(counters.why, "reads 0"));
    assert_int_equal(counters.domain[RAPL_PACKAGE].avail, AVAIL_ABSENT);
    sim.platform.msrs_count = 0;
    derive();
    assert_int_equal(counters.avail, AVAIL_UNTRIED);
    assert_non_null(counters.why);
}

static void steps_wrap(void **state)
{
    (void)state;
    assert_int_equal(rapl_steps(0xFFFFFFF0, 0x10), 0x20);
    assert_int_equal(rapl_steps(5, 5), 0);
    assert_int_equal(rapl_steps(UINT64_C(0xFF00000005), 6), 1);
}

/* A package of mw milliwatts whose counter moves once a millisecond, on an Intel client. */
static void give_package(uint64_t mw, uint64_t start_raw)
{
    identify("GenuineIntel", 6, 0x9A, UNITS_CORE);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, start_raw);
    energy[0] = (struct sim_energy_counter){.msr = 0x611,
                                            .mw = mw,
                                            .start_raw = start_raw,
                                            .step_pj = UINT64_C(1000000000000) >> 14,
                                            .period_ps = PS_PER_MS,
                                            .phase_ps = 123456789};
    derive();
    rapl_meter_init(&meter, &counters, machine.tsc_hz);
}

static void assert_power(uint64_t mw)
{
    struct rapl_reading reading;
    uint64_t found_mw;

    rapl_meter_reading(&meter, RAPL_PACKAGE, &reading);
    assert_int_equal(reading.avail, AVAIL_PRESENT);
    found_mw =
        mul_div_u64(reading.uj, 1000, units_tsc_to_ns(reading.span_tsc, machine.tsc_hz) / 1000);
    assert_true(reading.uncertainty_ppm >= 1);
    assert_true(units_difference_ppm(found_mw * 1000, mw * 1000) <=
                reading.uncertainty_ppm + 1 + 1000000 / mw);
}

static void edges_give_the_power(void **state)
{
    static const uint64_t powers_mw[] = {4000, 15000, 180000, 400000};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        for (uint64_t length = 20; length <= 500; length *= 5) {
            struct rapl_reading reading;

            give_package(powers_mw[i], 0xFFFFFF00);
            assert_true(rapl_meter_begin(&machine.hw, &meter));
            machine.now_ps += length * PS_PER_MS + 314159265;
            rapl_meter_end(&machine.hw, &meter);
            assert_power(powers_mw[i]);
            rapl_meter_reading(&meter, RAPL_PACKAGE, &reading);
            assert_true(reading.uncertainty_ppm < 1000000 / length);
            /* The interval holds the work and at most one update at its end. */
            assert_in_range(units_tsc_to_ns(reading.span_tsc, machine.tsc_hz) / 1000000, length,
                            length + 2);
        }
    }
}

static void work_may_go_on_to_the_edge(void **state)
{
    unsigned pieces = 0;

    (void)state;
    give_package(25000, 77);
    rapl_meter_arm(&machine.hw, &meter, false);
    while (!rapl_meter_poll(&machine.hw, &meter)) {
        machine.now_ps += 40 * UINT64_C(1000000);
    }
    for (; pieces < 2500; pieces++) {
        machine.now_ps += 40 * UINT64_C(1000000);
    }
    rapl_meter_arm(&machine.hw, &meter, true);
    while (!rapl_meter_poll(&machine.hw, &meter)) {
        machine.now_ps += 40 * UINT64_C(1000000);
    }
    assert_power(25000);
}

static void ending_at_once_says_how_unsure_it_is(void **state)
{
    struct rapl_reading reading;

    (void)state;
    give_package(25000, 77);
    assert_true(rapl_meter_begin(&machine.hw, &meter));
    machine.now_ps += 50 * PS_PER_MS + 700000000;
    rapl_meter_end_now(&machine.hw, &meter);
    assert_power(25000);
    rapl_meter_reading(&meter, RAPL_PACKAGE, &reading);
    assert_true(reading.uncertainty_ppm >= 9000);
}

static void long_intervals_may_wrap_when_kept(void **state)
{
    struct rapl_reading reading;

    (void)state;
    give_package(400000, 5);
    assert_true(rapl_meter_begin(&machine.hw, &meter));
    for (int i = 0; i < 4; i++) {
        machine.now_ps += UINT64_C(400) * 1000 * PS_PER_MS; /* wraps every 655 s */
        rapl_meter_keep(&machine.hw, &meter);
    }
    rapl_meter_end(&machine.hw, &meter);
    rapl_meter_reading(&meter, RAPL_PACKAGE, &reading);
    assert_true(units_difference_ppm(reading.uj, UINT64_C(640000000000)) < 10);
}

static void standing_counter_is_a_reason_and_no_hang(void **state)
{
    struct rapl_reading reading;

    (void)state;
    give_package(25000, 77);
    energy[0].is_stuck = true;
    assert_false(rapl_meter_begin(&machine.hw, &meter));
    rapl_meter_end(&machine.hw, &meter);
    rapl_meter_reading(&meter, RAPL_PACKAGE, &reading);
    assert_int_equal(reading.avail, AVAIL_ABSENT);
    assert_string_equal(reading.why, "the energy counter does not move");
    assert_true(machine.now_ps < 60 * PS_PER_MS);
    rapl_meter_reading(&meter, RAPL_DRAM, &reading);
    assert_int_equal(reading.avail, AVAIL_UNTRIED);
    assert_non_null(reading.why);
}

static void counter_that_stops_half_way_is_a_reason(void **state)
{
    struct rapl_reading reading;

    (void)state;
    give_package(25000, 77);
    assert_true(rapl_meter_begin(&machine.hw, &meter));
    energy[0].is_stuck = true;
    energy[0].start_raw = sim_energy_raw(&energy[0], machine.now_ps);
    rapl_meter_end(&machine.hw, &meter);
    rapl_meter_reading(&meter, RAPL_PACKAGE, &reading);
    assert_int_equal(reading.avail, AVAIL_ABSENT);
    assert_non_null(reading.why);
}

static void standing_tsc_does_not_hang(void **state)
{
    (void)state;
    give_package(25000, 77);
    machine.tsc_hz = 0;
    energy[0].is_stuck = true;
    assert_false(rapl_meter_begin(&machine.hw, &meter));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(core_models_share_one_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(servers_count_dram_in_their_own_unit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sapphire_rapids_counts_the_platform_in_joules, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(silvermont_counts_in_microjoules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(amd_has_a_counter_per_core, set_up, tear_down),
        cmocka_unit_test_setup_teardown(absence_has_its_reason, set_up, tear_down),
        cmocka_unit_test(steps_wrap),
        cmocka_unit_test_setup_teardown(edges_give_the_power, set_up, tear_down),
        cmocka_unit_test_setup_teardown(work_may_go_on_to_the_edge, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ending_at_once_says_how_unsure_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_intervals_may_wrap_when_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(standing_counter_is_a_reason_and_no_hang, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(counter_that_stops_half_way_is_a_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(standing_tsc_does_not_hang, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
