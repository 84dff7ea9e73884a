#include "drivers/clocks.h"
#include "model/units.h"
#include "tests/sim/sim_machine.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Far more accesses than any measurement needs: what goes on beyond is a hang. */
#define ACCESS_LIMIT 8000000U

static struct sim_machine machine;
static struct sim_platform sim;

static int set_up(void **state)
{
    (void)state;
    sim_machine_init(&machine);
    machine.has_pit = true;
    machine.pit_gate = 0x2C;
    sim_platform_init(&sim, 1);
    sim.platform.fadt.avail = AVAIL_PRESENT;
    sim.platform.fadt.revision = 1;
    sim.platform.fadt.has_field[FADT_PM_TMR_BLK] = true;
    sim.platform.fadt.field[FADT_PM_TMR_BLK] = 0x608;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x9A);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_true(machine.accesses < ACCESS_LIMIT);
    sim_platform_free(&sim);
    return 0;
}

static void collect(void)
{
    clocks_collect(&machine.hw, &sim.platform);
}

static const struct clock *clock_from(const char *name, const char *from)
{
    for (uint32_t i = 0; i < sim.platform.clocks_count; i++) {
        const struct clock *clock = &sim.platform.clocks[i];

        if (strcmp(clock->name, name) == 0 && (from == NULL || strcmp(clock->from, from) == 0)) {
            return clock;
        }
    }
    fail_msg("no clock %s", name);
    return NULL;
}

/* CPUID 15H: `hz` as 24 MHz times a ratio over 1000. */
static void state_rate(uint64_t hz)
{
    uint32_t numerator = (uint32_t)mul_div_u64(hz, 1000, 24000000);

    sim_platform_leaf(
        &sim, (struct cpuid_leaf){.leaf = 0x15, .eax = 1000, .ebx = numerator, .ecx = 24000000});
}

static void give_hpet(bool is_running)
{
    machine.hpet_paddr = 0xFED00000;
    machine.hpet_period_fs = 69841279;
    machine.is_hpet_running = is_running;
    sim.platform.hpet.avail = AVAIL_PRESENT;
    sim.platform.hpet.base =
        (struct gas){.space = GAS_SYSTEM_MEMORY, .width_bits = 64, .address = 0xFED00000};
}

static void assert_rate(uint64_t found_hz, uint64_t true_hz, uint64_t within_ppm)
{
    assert_true(found_hz != 0);
    assert_true(units_difference_ppm(found_hz, true_hz) <= within_ppm);
}

static void pm_timer_gives_the_rate(void **state)
{
    static const uint64_t rates_hz[] = {1000000000, 2994373000, 3700000000, 5100123456};
    const struct clock *clock;

    (void)state;
    for (size_t i = 0; i < sizeof(rates_hz) / sizeof(rates_hz[0]); i++) {
        machine.tsc_hz = rates_hz[i];
        collect();
        clock = clock_from("tsc", "measured against the PM timer");
        assert_true(clock->uncertainty_ppm >= 1 && clock->uncertainty_ppm < 100);
        assert_rate(sim.platform.tsc_hz, rates_hz[i], clock->uncertainty_ppm);
        assert_string_equal(clock->status, "used");
        assert_string_equal(sim.platform.tsc_from, "measured against the PM timer");
        assert_int_equal(clock->rejected, 0);
        assert_true(clock->runs >= 5);
    }
    assert_string_equal(clock_from("pm_timer", NULL)->status, "counts");
}

static void pm_timer_may_wrap(void **state)
{
    (void)state;
    machine.pm_start = 0xFFFF00;
    collect();
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
}

static void fast_reads_see_the_edges(void **state)
{
    (void)state;
    machine.access_ps = 100000;
    collect();
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 10);
}

static void confirmed_rate_is_used_as_stated(void **state)
{
    (void)state;
    state_rate(machine.tsc_hz);
    collect();
    assert_int_equal(sim.platform.tsc_hz, machine.tsc_hz);
    assert_string_equal(sim.platform.tsc_from, "CPUID 15H");
    assert_string_equal(clock_from("tsc", "measured against the PM timer")->status, "agrees");
}

static void contradicted_rate_is_not_used(void **state)
{
    (void)state;
    machine.has_rtc = true;
    machine.has_pit = true;
    state_rate(machine.tsc_hz + machine.tsc_hz / 100);
    collect();
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
    assert_string_equal(clock_from("tsc", "CPUID 15H")->status, "disagrees");
}

/* Some PM timers run at twice their speed; an exact rate and a second counter outvote one. */
static void double_speed_pm_timer_is_outvoted(void **state)
{
    (void)state;
    machine.pm_hz = 2 * PM_TIMER_HZ;
    machine.has_pit = true;
    machine.pit_gate = 0x2C;
    state_rate(machine.tsc_hz);
    collect();
    assert_int_equal(sim.platform.tsc_hz, machine.tsc_hz);
    assert_string_equal(clock_from("tsc", "measured against the PM timer")->status, "disagrees");
    assert_string_equal(clock_from("tsc", "measured against the PIT")->status, "agrees");
}

static void stuck_pm_timer_gives_way_to_hpet(void **state)
{
    (void)state;
    machine.is_pm_stuck = true;
    give_hpet(true);
    collect();
    assert_string_equal(clock_from("pm_timer", NULL)->status, "does not count");
    assert_string_equal(sim.platform.tsc_from, "measured against the HPET");
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
}

static void hpet_that_stands_is_not_started(void **state)
{
    (void)state;
    machine.is_pm_stuck = true;
    machine.has_pit = true;
    machine.pit_gate = 0x2E;
    give_hpet(false);
    collect();
    assert_string_equal(clock_from("hpet", NULL)->status, "not running");
    assert_string_equal(sim.platform.tsc_from, "measured against the PIT");
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 300);
    assert_int_equal(machine.pit_gate, 0x2E);
}

static void read_only_leaves_the_pit(void **state)
{
    (void)state;
    machine.is_pm_stuck = true;
    sim.options.is_read_only = true;
    collect();
    assert_string_equal(clock_from("pit", NULL)->status, "not touched in --read-only");
    assert_int_equal(sim.platform.tsc_hz, 0);
    assert_null(sim.platform.tsc_from);
}

/* Bug 29: 8254 clock gating left on. */
static void everything_stuck_still_ends(void **state)
{
    (void)state;
    machine.is_pm_stuck = true;
    machine.has_pit = true;
    machine.is_pit_stuck = true;
    collect();
    assert_string_equal(clock_from("pit", NULL)->status, "does not count");
    assert_int_equal(sim.platform.tsc_hz, 0);
    assert_true(machine.accesses < 100000);
}

static void no_pm_timer_is_said(void **state)
{
    (void)state;
    sim.platform.fadt.field[FADT_PM_TMR_BLK] = 0;
    sim.options.is_read_only = true;
    collect();
    assert_string_equal(clock_from("pm_timer", NULL)->status, "absent");
}

/* Bug 32: one run in which the host (or an SMI) took the CPU reads 13 % high. */
static void disturbed_run_is_left_out(void **state)
{
    (void)state;
    machine.steal_at_ps = UINT64_C(40000000000);
    machine.steal_tsc = 5000000;
    collect();
    assert_int_equal(clock_from("tsc", NULL)->rejected, 1);
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
}

/* PIIX4: one read in 23 is a few ticks low. */
static void torn_reads_are_taken_three_times_over(void **state)
{
    static const int64_t steps[] = {-3, 3, -4096, 4096, 65536};

    (void)state;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        machine.pm_torn_every = 23;
        machine.pm_torn_by = steps[i];
        machine.access_ps = 300000;
        collect();
        assert_string_equal(clock_from("pm_timer", NULL)->status,
                            "counts, but single reads are torn");
        assert_rate(clock_from("tsc", "measured against the PM timer")->hz, machine.tsc_hz, 60);
        assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
    }
}

/* So often that no three reads help: the others decide. */
static void hopeless_reads_are_said(void **state)
{
    (void)state;
    machine.pm_torn_every = 2;
    machine.pm_torn_by = -4000;
    collect();
    assert_string_not_equal(clock_from("pm_timer", NULL)->status, "counts");
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 300);
}

static void stopped_tsc_ends(void **state)
{
    (void)state;
    machine.tsc_hz = 1;
    sim.options.is_read_only = true;
    collect();
    assert_string_equal(clock_from("pm_timer", NULL)->status, "the TSC does not count");
    assert_int_equal(sim.platform.tsc_hz, 0);
}

static void dump_takes_only_what_is_stated(void **state)
{
    (void)state;
    machine.hw.is_live = false;
    state_rate(UINT64_C(2400000000));
    collect();
    assert_int_equal(machine.accesses, 0);
    assert_int_equal(sim.platform.tsc_hz, UINT64_C(2400000000));
    assert_int_equal(sim.platform.clocks_count, 1);
}

/* One wrong counter of three, whichever, is outvoted with and without a stated rate. */
static void wrong_counters_are_found(void **state)
{
    (void)state;
    for (unsigned wrong = 0; wrong < 3; wrong++) {
        static const char *const from[] = {"measured against the PM timer",
                                           "measured against the HPET", "measured against the PIT"};

        machine.pm_hz = wrong == 0 ? 2 * PM_TIMER_HZ : PM_TIMER_HZ;
        give_hpet(true);
        machine.hpet_real_period_fs = wrong == 1 ? 69841279 / 2 : 0;
        machine.pit_hz = wrong == 2 ? PIT_HZ * 2 / 3 : PIT_HZ;
        collect();
        assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 300);
        for (unsigned i = 0; i < 3; i++) {
            const char *status = clock_from("tsc", from[i])->status;

            assert_int_equal(strcmp(status, "disagrees") == 0, i == wrong);
        }
    }
}

/* Two counters against each other: the real-time clock decides. */
static void rtc_decides_between_two(void **state)
{
    (void)state;
    machine.has_rtc = true;
    machine.pm_hz = PM_TIMER_HZ * 9 / 10;
    collect();
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 100);
    assert_string_equal(clock_from("tsc", "measured against the PM timer")->status, "disagrees");
    assert_string_equal(clock_from("tsc", "measured against the PIT")->status, "agrees");
    assert_string_equal(clock_from("tsc", CLOCK_FROM_RTC)->status, "used");
    machine.is_rtc_stuck = true;
    collect();
    assert_string_equal(clock_from("rtc", NULL)->status, "does not count");
}

static void rtc_is_not_asked_without_need(void **state)
{
    (void)state;
    machine.has_rtc = true;
    collect();
    assert_int_equal(machine.rtc_reads, 0);
    machine.pm_hz = PM_TIMER_HZ * 9 / 10;
    sim.platform.fadt.has_field[FADT_IAPC_BOOT_ARCH] = true;
    sim.platform.fadt.field[FADT_IAPC_BOOT_ARCH] = 1 << 5;
    collect();
    assert_int_equal(machine.rtc_reads, 0);
}

/* Addresses of another machine are left alone. */
static void tables_from_the_medium_lead_nowhere(void **state)
{
    (void)state;
    sim.platform.is_tables_from_medium = true;
    machine.pm_port = 0;
    sim.platform.hpet.avail = AVAIL_PRESENT;
    sim.platform.hpet.base = (struct gas){.space = GAS_SYSTEM_MEMORY, .address = 0xFED00000};
    collect();
    assert_int_equal(strncmp(clock_from("pm_timer", NULL)->status, "not looked at", 13), 0);
    assert_int_equal(strncmp(clock_from("hpet", NULL)->status, "not looked at", 13), 0);
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 300);
}

static void pm_timer_may_be_in_memory(void **state)
{
    (void)state;
    sim.platform.fadt.revision = 6;
    sim.platform.fadt.has_register[FADT_X_PM_TMR_BLK] = true;
    sim.platform.fadt.reg[FADT_X_PM_TMR_BLK] =
        (struct gas){.space = GAS_SYSTEM_MEMORY, .width_bits = 32, .address = 0xFED08008};
    machine.pm_port = 0;
    machine.pm_paddr = 0xFED08008;
    collect();
    assert_string_equal(clock_from("pm_timer", NULL)->status, "counts");
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
}

/* 32 bits that all count, or 24 with something else above them. */
static void wide_pm_timer_is_read_in_24_bits(void **state)
{
    (void)state;
    machine.is_pm_wide = true;
    machine.pm_start = 0xFFFF0000;
    collect();
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
    machine.is_pm_wide = false;
    machine.pm_high_bits = 0xA5000000;
    machine.pm_start = 0xFFFF00;
    collect();
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
}

/* A nominal bus clock of 100 MHz that is 99.8: agrees, and the measurement is used. */
static void rates_come_with_their_nature(void **state)
{
    const struct clock *clock;

    (void)state;
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
    cpu_identity_decode(&sim.set, &sim.platform.identity);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010064, 0x8000000049120890); /* 3600 MHz */
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010015, 1 << 24);
    machine.tsc_hz = UINT64_C(3592800000);
    collect();
    clock = clock_from("tsc", CLOCK_FROM_P0);
    assert_int_equal(clock->hz, UINT64_C(3600000000));
    assert_string_equal(clock->status, "agrees");
    assert_int_equal(clock->tolerance_ppm, 5000);
    assert_rate(sim.platform.tsc_hz, machine.tsc_hz, 60);
    clock = clock_from("tsc", "measured against the PM timer");
    assert_string_equal(clock->status, "used");
    assert_non_null(clock->why);
}

static enum avail read_smi_count(struct sim_machine *of, uint32_t msr, uint64_t *ret_value)
{
    assert_int_equal(msr, 0x34);
    *ret_value = 7 + of->now_ps / UINT64_C(50000000000);
    return AVAIL_PRESENT;
}

static void smis_are_counted(void **state)
{
    const struct clock *clock;

    (void)state;
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x34, 7);
    machine.read_msr = read_smi_count;
    collect();
    clock = clock_from("tsc", "measured against the PM timer");
    assert_true(clock->has_smi_count);
    assert_in_range(clock->smi, 1, 3);
}

/* Every kind of fault against many rates and phases: the rate that is used is within what it claims of the real
 * one whenever one sound counter or an exact rate is left. */
static void whole_sweep(void **state)
{
    static const uint64_t rates_hz[] = {833000000,  998000000,  1330000000, 1593600000,
                                        2399760000, 3393624000, 4192000000, 5700000001};
    unsigned machines = 0;

    (void)state;
    for (unsigned i = 0; i < 8 * 48; i++) {
        unsigned fault = i / 8;
        uint64_t phase = i * 977 % 16384;

        sim_machine_init(&machine);
        machine.has_pit = true;
        machine.has_rtc = true;
        machine.tsc_hz = rates_hz[i % 8];
        machine.now_ps = phase * 12345677;
        machine.pm_start = i * 2654435761U % 0x1000000;
        machine.access_ps = 1500000 + fault % 4 * 900000;
        machine.is_pm_stuck = fault % 6 == 1;
        machine.pm_hz = fault % 6 == 2 ? PM_TIMER_HZ * 9 / 10 : PM_TIMER_HZ;
        machine.pm_torn_every = fault % 6 == 3 ? 17 + fault : 0;
        machine.pm_torn_by = fault % 2 == 0 ? -5 : 700;
        machine.steal_at_ps = fault % 6 == 4 ? machine.now_ps + UINT64_C(30000000000) : 0;
        machine.steal_tsc = 9000000;
        machine.is_pit_stuck = fault % 5 == 1;
        give_hpet(fault % 3 != 1);
        sim.platform.hpet.avail = fault % 3 == 2 ? AVAIL_ABSENT : AVAIL_PRESENT;
        sim.set.count = 3; /* without leaf 15H */
        if (fault % 4 == 0 || (fault % 6 == 2 && fault % 5 == 1)) {
            state_rate(machine.tsc_hz / 24000 * 24000);
            machine.tsc_hz = machine.tsc_hz / 24000 * 24000;
        }
        collect();
        machines++;
        if (sim.platform.tsc_hz == 0) {
            assert_true(machine.is_pm_stuck && machine.is_pit_stuck && fault % 3 != 0);
            continue;
        }
        if (units_difference_ppm(sim.platform.tsc_hz, machine.tsc_hz) > 250) {
            print_error("machine %u, fault %u: %llu Hz by %s, not %llu\n", i, fault,
                        (unsigned long long)sim.platform.tsc_hz, sim.platform.tsc_from,
                        (unsigned long long)machine.tsc_hz);
            fail();
        }
        assert_int_equal(strcmp(clock_from("pm_timer", NULL)->status, "does not count") == 0,
                         machine.is_pm_stuck);
        assert_int_equal(strcmp(clock_from("pit", NULL)->status, "does not count") == 0,
                         machine.is_pit_stuck);
        assert_true(machine.accesses < ACCESS_LIMIT);
        machine.accesses = 0;
    }
    assert_true(machines >= 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pm_timer_gives_the_rate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pm_timer_may_wrap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fast_reads_see_the_edges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(confirmed_rate_is_used_as_stated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(contradicted_rate_is_not_used, set_up, tear_down),
        cmocka_unit_test_setup_teardown(double_speed_pm_timer_is_outvoted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stuck_pm_timer_gives_way_to_hpet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hpet_that_stands_is_not_started, set_up, tear_down),
        cmocka_unit_test_setup_teardown(read_only_leaves_the_pit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(everything_stuck_still_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_pm_timer_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(disturbed_run_is_left_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(torn_reads_are_taken_three_times_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hopeless_reads_are_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wrong_counters_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rtc_decides_between_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rtc_is_not_asked_without_need, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tables_from_the_medium_lead_nowhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pm_timer_may_be_in_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(wide_pm_timer_is_read_in_24_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rates_come_with_their_nature, set_up, tear_down),
        cmocka_unit_test_setup_teardown(smis_are_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(whole_sweep, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stopped_tsc_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dump_takes_only_what_is_stated, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
