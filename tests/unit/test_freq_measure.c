#include "model/freq_derive.h"
#include "model/units.h"
#include "tests/sim/sim_freq_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define US UINT64_C(1000000) /* in ps */

static const uint64_t four_mhz[] = {2400, 2000, 1600, 1200};

static struct sim_freq machine;
static struct sim_platform sim;

static void measure(const uint64_t *claimed_mhz)
{
    sim_freq_platform(&machine, &sim, claimed_mhz);
    sim_freq_run(&machine, &sim);
}

static void check_and_free(void)
{
    for (uint32_t i = 0; i < machine.count; i++) {
        assert_false(machine.cpus[i].is_taken);
        /* The request that was there before. */
        assert_int_equal(machine.cpus[i].control, 0);
    }
    if (machine.failure != NULL) {
        fail_msg("%s", machine.failure);
    }
    sim_platform_free(&sim);
    sim_freq_free(&machine);
}

static const struct freq_sample *sample_of(uint32_t cpu, uint32_t row)
{
    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        if (sim.platform.freq[i].cpu == cpu && sim.platform.freq[i].pss_index == row) {
            return &sim.platform.freq[i];
        }
    }
    fail_msg("CPU %u has no sample of row %u", cpu, row);
    return NULL;
}

static void assert_near_ppm(uint64_t value, uint64_t expected, uint64_t ppm)
{
    if (units_difference_ppm(value, expected) > ppm) {
        fail_msg("%lu is not within %lu ppm of %lu", (unsigned long)value, (unsigned long)ppm,
                 (unsigned long)expected);
    }
}

static const struct freq_boost *boost_of(enum freq_boost_kind kind, uint32_t package,
                                         uint32_t active)
{
    for (uint32_t i = 0; i < sim.platform.freq_boosts_count; i++) {
        const struct freq_boost *boost = &sim.platform.freq_boosts[i];

        if (boost->kind == kind && boost->package == package && boost->active == active) {
            return boost;
        }
    }
    fail_msg("no boost entry of kind %u, %u active", (unsigned)kind, active);
    return NULL;
}

static void one_cpu_at_every_row(void **state)
{
    (void)state;
    sim_freq_init(&machine, 1, 1);
    measure(four_mhz);
    assert_null(sim.platform.freq_skipped);
    assert_int_equal(sim.platform.freq_count, 4);
    for (uint32_t row = 0; row < 4; row++) {
        const struct freq_sample *sample = sample_of(0, row);

        assert_near_ppm(sample->figure.khz, machine.true_khz[row], 100);
        assert_true(sample->figure.uncertainty_ppm > 0);
        assert_int_equal(sample->status_avail, AVAIL_PRESENT);
        assert_int_equal(sample->status, row);
        assert_false(sample->was_long);
    }
    check_and_free();
}

static void many_cpus_boost_and_settle(void **state)
{
    (void)state;
    sim_freq_init(&machine, 8, 2);
    machine.packages = 2;
    machine.has_boost = true;
    machine.has_residency = true;
    machine.has_status = true;
    machine.boost_msr = 0x1A0;
    machine.boost_off_mask = UINT64_C(1) << 38;
    machine.boost_value = UINT64_C(1) << 18;
    for (uint32_t i = 0; i < 4; i++) {
        machine.boost_khz[i] = 3600000 - i * 200000;
        machine.core_khz[i] = i == 2 ? 50000 : 0;
    }
    machine.up_ps = 120 * US;
    machine.down_ps = 35 * US;
    measure(four_mhz);
    assert_null(sim.platform.freq_skipped);
    assert_int_equal(sim.platform.freq_count, 32);
    assert_near_ppm(sample_of(7, 0)->figure.khz, 3000000, 100);
    assert_near_ppm(boost_of(FREQ_BOOST_CORES, 0, 1)->figure.khz, 3600000, 200);
    assert_near_ppm(boost_of(FREQ_BOOST_CORES, 1, 2)->figure.khz, 3400000, 200);
    assert_near_ppm(boost_of(FREQ_BOOST_CORES, 0, 4)->figure.khz, 3012500, 200);
    assert_false(boost_of(FREQ_BOOST_CORES, 0, 1)->is_shallow);
    assert_near_ppm(boost_of(FREQ_BOOST_OFF, 0, 1)->figure.khz, 2400000, 200);
    assert_near_ppm(boost_of(FREQ_BOOST_ON, 0, 1)->figure.khz, 3600000, 200);
    assert_int_equal(machine.boost_value, UINT64_C(1) << 18);
    for (uint32_t i = 0; i < sim.platform.freq_boosts_count; i++) {
        const struct freq_boost *boost = &sim.platform.freq_boosts[i];

        if (boost->kind == FREQ_BOOST_ALONE) {
            assert_near_ppm(boost->figure.khz, boost->cpu == 2 ? 3650000 : 3600000, 200);
        }
    }
    assert_int_equal(sim.platform.freq_settlings_count, 16);
    for (uint32_t i = 0; i < sim.platform.freq_settlings_count; i++) {
        const struct freq_settling *one = &sim.platform.freq_settlings[i];

        assert_int_equal(one->unsettled, 0);
        assert_near_ppm(one->settle_tsc.p50 * 1000 / 2400,
                        one->to_index < one->from_index ? 120000 : 35000, 50000);
    }
    check_and_free();
}

/* Sixteen rows, 128 CPUs in two packages: under three minutes of the machine's time. */
static void a_large_machine_in_time(void **state)
{
    uint64_t mhz[SIM_FREQ_ROWS];

    (void)state;
    sim_freq_init(&machine, 128, 3);
    machine.packages = 2;
    machine.threads = 2;
    machine.domain = 2;
    machine.rows = 16;
    machine.has_boost = true;
    for (uint32_t i = 0; i < 16; i++) {
        machine.control[i] = i;
        machine.true_khz[i] = 3100000 - i * 100000;
        mhz[i] = 3100 - i * 100;
    }
    for (uint32_t i = 0; i < 32; i++) {
        machine.boost_khz[i] = 3900000 - i * 20000;
    }
    measure(mhz);
    assert_null(sim.platform.freq_skipped);
    assert_int_equal(sim.platform.freq_count, 128 * 16);
    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        const struct freq_sample *sample = &sim.platform.freq[i];
        uint64_t khz =
            sample->pss_index == 0 ? machine.boost_khz[31] : machine.true_khz[sample->pss_index];

        assert_near_ppm(sample->figure.khz, khz, 1000);
    }
    assert_near_ppm(boost_of(FREQ_BOOST_CORES, 1, 32)->figure.khz, machine.boost_khz[31], 1000);
    assert_near_ppm(boost_of(FREQ_BOOST_THREADS, 0, 64)->figure.khz, machine.boost_khz[31], 1000);
    assert_true(machine.notes > 5);
    print_message("128 CPUs, 16 rows: %lu ms of the machine's time\n",
                  (unsigned long)(machine.cpus[0].now_ps / 1000000000));
    assert_true(machine.cpus[0].now_ps < UINT64_C(180) * 1000000 * US);
    check_and_free();
}

/* A key in the middle: what was measured stays, and everything is put back. */
static void a_key_ends_it(void **state)
{
    (void)state;
    sim_freq_init(&machine, 4, 4);
    machine.keys_after = 1;
    measure(four_mhz);
    assert_non_null(sim.platform.freq_skipped);
    assert_true(sim.platform.freq_count < 16 || sim.platform.freq_settlings_count == 0);
    check_and_free();
}

/* Registers that may not be written: the clock is measured as the firmware left it. */
/* Settling is one long job on the boot CPU: a key ends it in the middle, and what was measured before is reported. */
static void a_key_ends_settling(void **state)
{
    (void)state;
    sim_freq_init(&machine, 2, 21);
    machine.up_ps = 3000 * US;
    machine.down_ps = 3000 * US;
    machine.keys_after = 4;
    measure(four_mhz);
    assert_non_null(sim.platform.freq_skipped);
    assert_int_equal(sim.platform.freq_count, 8);
    assert_true(sim.platform.freq_boosts_count > 0);
    assert_true(sim.platform.freq_settlings_count > 0);
    assert_true(sim.platform.freq_settlings[sim.platform.freq_settlings_count - 1].settle_tsc.n ==
                0);
    check_and_free();
}

static void refused_writes(void **state)
{
    (void)state;
    sim_freq_init(&machine, 2, 5);
    machine.is_read_only = true;
    measure(four_mhz);
    assert_int_equal(sim.platform.freq_count, 2);
    assert_int_equal(sim.platform.freq[0].kind, FREQ_NO_REQUEST);
    assert_near_ppm(sim.platform.freq[0].figure.khz, 2400000, 100);
    assert_int_equal(sim.platform.freq_refusals_count, 2);
    check_and_free();
}

static void make_hwp(uint64_t seed)
{
    static const uint64_t level[] = {24, 20, 18, 15, 12};

    sim_freq_init(&machine, 2, seed);
    machine.has_hwp = true;
    machine.rows = 5;
    for (uint32_t i = 0; i < 5; i++) {
        machine.control[i] = i;
        machine.true_khz[i] = level[i] * 100000;
        machine.hwp_level[i] = level[i];
    }
}

static const uint64_t hwp_mhz[] = {2400, 2000, 1800, 1500, 1200};

static uint32_t count_kind(enum freq_request_kind kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        count += sim.platform.freq[i].kind == kind ? 1U : 0U;
    }
    return count;
}

/* As the user allows: first what the rows do, then HWP is switched on and its levels are measured too. The request
 * is put back, the bit is not, and that is known. */
static void hwp_is_enabled_when_allowed(void **state)
{
    (void)state;
    make_hwp(31);
    sim_freq_platform(&machine, &sim, hwp_mhz);
    sim.options.allow_hwp_enable = true;
    sim_freq_run(&machine, &sim);
    assert_null(sim.platform.freq_skipped);
    assert_true(machine.is_hwp_on);
    assert_true(sim.platform.requests.has_set_hwp);
    assert_false(sim.platform.requests.has_set_cppc);
    assert_int_equal(count_kind(FREQ_PERF_CTL), 10);
    assert_int_equal(count_kind(FREQ_HWP), 10);
    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        const struct freq_sample *sample = &sim.platform.freq[i];

        if (sample->kind == FREQ_HWP) {
            assert_near_ppm(sample->figure.khz, (sample->control & 0xFF) * 100000, 100);
        }
    }
    assert_int_equal(sim.platform.requests_left_count, 0);
    assert_int_equal(machine.hwp_request[0], 0);
    assert_int_equal(platform_msr(&sim.platform, 1, 0x771).avail, AVAIL_PRESENT);
    check_and_free();
}

/* Without the word the bit stays as it is. */
static void hwp_stays_off_unless_allowed(void **state)
{
    (void)state;
    make_hwp(32);
    sim_freq_platform(&machine, &sim, hwp_mhz);
    sim.options.allow_cppc_enable = true;
    sim_freq_run(&machine, &sim);
    assert_false(machine.is_hwp_on);
    assert_false(sim.platform.requests.has_set_hwp);
    assert_int_equal(count_kind(FREQ_HWP), 0);
    check_and_free();
}

static void read_only_asks_for_nothing(void **state)
{
    (void)state;
    sim_freq_init(&machine, 1, 6);
    sim_freq_platform(&machine, &sim, four_mhz);
    sim.options.is_read_only = true;
    sim_freq_run(&machine, &sim);
    assert_int_equal(sim.platform.freq_count, 0);
    assert_non_null(sim.platform.freq_skipped);
    check_and_free();
}

static void rows_by_port(void **state)
{
    (void)state;
    sim_freq_init(&machine, 2, 7);
    machine.control_port = 0x880;
    measure(four_mhz);
    assert_int_equal(sim.platform.freq_count, 8);
    assert_int_equal(sample_of(1, 3)->kind, FREQ_SYSTEM_IO);
    assert_near_ppm(sample_of(1, 3)->figure.khz, 1200000, 100);
    check_and_free();
}

/* The firmware runs the others only after the boot CPU: each alone, and no boost by active cores. */
static void cpus_in_turn(void **state)
{
    (void)state;
    sim_freq_init(&machine, 3, 8);
    machine.is_serial = true;
    measure(four_mhz);
    assert_int_equal(sim.platform.freq_count, 12);
    for (uint32_t cpu = 0; cpu < 3; cpu++) {
        assert_near_ppm(sample_of(cpu, 2)->figure.khz, 1600000, 100);
    }
    assert_int_equal(sim.platform.freq_boosts_count, 0);
    check_and_free();
}

static void an_absent_cpu_is_left_out(void **state)
{
    (void)state;
    sim_freq_init(&machine, 3, 9);
    machine.cpus[1].never_comes = true;
    measure(four_mhz);
    assert_int_equal(sim.platform.freq_count, 8);
    assert_int_equal(sim.platform.cpus[1].answer, CPU_DID_NOT_ANSWER);
    assert_near_ppm(sample_of(2, 1)->figure.khz, 2000000, 100);
    check_and_free();
}

/* Cores that are only halted count as active, and the figure says so. */
static void halted_cores_count_as_active(void **state)
{
    (void)state;
    sim_freq_init(&machine, 4, 10);
    machine.has_boost = true;
    machine.is_c1_active = true;
    machine.has_residency = true;
    for (uint32_t i = 0; i < 4; i++) {
        machine.boost_khz[i] = 3600000 - i * 200000;
    }
    sim_freq_platform(&machine, &sim, four_mhz);
    sim.options.park = PARK_HLT;
    sim_freq_run(&machine, &sim);
    assert_true(boost_of(FREQ_BOOST_CORES, 0, 1)->is_shallow);
    assert_near_ppm(boost_of(FREQ_BOOST_CORES, 0, 1)->figure.khz, 3000000, 1000);
    check_and_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cpu_at_every_row),
        cmocka_unit_test(many_cpus_boost_and_settle),
        cmocka_unit_test(a_large_machine_in_time),
        cmocka_unit_test(a_key_ends_it),
        cmocka_unit_test(a_key_ends_settling),
        cmocka_unit_test(refused_writes),
        cmocka_unit_test(hwp_is_enabled_when_allowed),
        cmocka_unit_test(hwp_stays_off_unless_allowed),
        cmocka_unit_test(read_only_asks_for_nothing),
        cmocka_unit_test(rows_by_port),
        cmocka_unit_test(cpus_in_turn),
        cmocka_unit_test(an_absent_cpu_is_left_out),
        cmocka_unit_test(halted_cores_count_as_active),
    };

    return cmocka_run_group_tests_name("freq_measure", tests, NULL, NULL);
}
