#include "drivers/timing.h"
#include "tests/sim/sim_machine.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PORT 0x814U
#define US UINT64_C(1000000) /* in ps */

static struct sim_machine machine;
static struct sim_platform sim;
static struct cst_state states[3];
static struct object_set cst_set;

static struct cst_state io_state(uint64_t type, uint64_t address, uint64_t latency_us)
{
    struct cst_state state = {.elements = 4, .valid = 7};

    state.reg.avail = AVAIL_PRESENT;
    state.reg.gas = (struct gas){.space = GAS_SYSTEM_IO, .width_bits = 8, .address = address};
    state.field[CST_TYPE] = type;
    state.field[CST_LATENCY_US] = latency_us;
    return state;
}

static struct cst_state ffh_state(uint64_t type, uint64_t hint)
{
    struct cst_state state = io_state(type, hint, 1);

    state.reg.gas.space = GAS_FFH;
    return state;
}

static void give_cst(uint32_t count)
{
    cst_set = (struct object_set){.kind = OBJECT_CST};
    cst_set.cst = (struct cst){.is_package = true,
                               .has_count = true,
                               .count = count,
                               .states_count = count,
                               .states = states};
    sim.platform.processors[0].objects[OBJECT_CST] =
        (struct object_result){.avail = AVAIL_PRESENT, .set = &cst_set};
}

/* The shape of an EPYC: C1 by MWAIT, C2 by a port, PM timer at 608H. */
static int set_up(void **state)
{
    (void)state;
    sim_machine_init(&machine);
    sim_platform_init(&sim, 2);
    sim.platform.fadt.avail = AVAIL_PRESENT;
    sim.platform.fadt.revision = 1;
    sim.platform.fadt.has_field[FADT_PM_TMR_BLK] = true;
    sim.platform.fadt.field[FADT_PM_TMR_BLK] = 0x608;
    sim.platform.fadt.has_field[FADT_FLAGS] = true;
    sim.platform.tsc_hz = machine.tsc_hz;
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
    states[0] = ffh_state(1, 0);
    states[1] = io_state(2, PORT, 400);
    give_cst(2);
    machine.idle_port = PORT;
    machine.idle_port_ps = US;
    machine.exit_ps = 30 * US;
    machine.stop = SIM_STOPS_IN_FIRST;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_false(machine.is_taken);
    sim_platform_free(&sim);
    return 0;
}

static const struct idle_sample_set *measure(void)
{
    timing_first(&machine.hw, &machine.timing, &sim.platform);
    return sim.platform.idle;
}

static void assert_near(uint64_t found_tsc, uint64_t true_ps)
{
    uint64_t true_tsc = sim_machine_tsc_of(&machine, true_ps);
    uint64_t off = found_tsc > true_tsc ? found_tsc - true_tsc : true_tsc - found_tsc;

    assert_true(off <= true_tsc / 100 + 3);
}

static void both_ways_and_costs_are_there(void **state)
{
    const struct idle_sample_set *idle;

    (void)state;
    idle = measure();
    assert_null(sim.platform.idle_skipped);
    assert_int_equal(sim.platform.idle_count, 2);
    assert_int_equal(idle[0].dummy_read, DUMMY_NONE);
    assert_int_equal(idle[1].dummy_read, DUMMY_PM_TIMER);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(idle[i].entry, IDLE_IO);
        assert_int_equal(idle[i].port, PORT);
        assert_string_equal(idle[i].state, "C2");
        assert_string_equal(idle[i].port_from, "_CST");
        assert_int_equal(idle[i].declared_latency_us, 400);
        assert_int_equal(idle[i].requested_ns, 100000);
        assert_int_equal(idle[i].samples, 2000);
        assert_int_equal(idle[i].dropped, 0);
        assert_near(idle[i].overhead_tsc, 10000);
    }
    assert_int_equal(idle[0].dummy_read_tsc.n, 0);
    assert_int_equal(idle[1].dummy_read_tsc.n, 2000);
    assert_int_equal(sim.platform.port_costs_count, 2);
    assert_int_equal(sim.platform.port_costs[0].port, 0x608);
    assert_near(sim.platform.port_costs[0].read_tsc.p50, US);
    assert_int_equal(sim.platform.port_costs[1].port, PORT);
    assert_near(sim.platform.port_costs[1].read_tsc.p50, US);
}

static void stop_in_the_first_read_is_found(void **state)
{
    const struct idle_sample_set *idle;

    (void)state;
    idle = measure();
    for (int i = 0; i < 2; i++) {
        assert_int_equal(idle[i].stopped_in, STOPPED_FIRST_READ);
        assert_int_equal(idle[i].stopped_confidence_pct, 100);
        assert_near(idle[i].first_read_tsc.p50, 130 * US);
        assert_near(idle[i].asleep_tsc.p50, 129 * US);
        assert_int_equal(idle[i].asleep_tsc.n, 2000);
    }
    assert_near(idle[1].dummy_read_tsc.p50, US);
}

/* What the published case looked like: without the second read the CPU runs on before it stops. */
static void stop_in_the_second_read_is_found(void **state)
{
    const struct idle_sample_set *idle;

    (void)state;
    machine.stop = SIM_STOPS_IN_SECOND;
    idle = measure();
    assert_int_equal(idle[0].stopped_in, STOPPED_NONE);
    assert_int_equal(idle[0].asleep_tsc.n, 0);
    assert_near(idle[0].first_read_tsc.p50, US);
    assert_int_equal(idle[1].stopped_in, STOPPED_DUMMY_READ);
    assert_near(idle[1].first_read_tsc.p50, US);
    assert_near(idle[1].dummy_read_tsc.p50, 129 * US);
}

static void no_stop_is_found(void **state)
{
    const struct idle_sample_set *idle;

    (void)state;
    machine.stop = SIM_STOPS_NOT;
    idle = measure();
    assert_int_equal(idle[0].stopped_in, STOPPED_NONE);
    assert_int_equal(idle[1].stopped_in, STOPPED_NONE);
    assert_near(idle[1].first_read_tsc.p99, US);
}

static void disturbed_samples_are_dropped(void **state)
{
    const struct idle_sample_set *idle;

    (void)state;
    machine.disturb_every = 10;
    idle = measure();
    assert_int_equal(idle[1].samples, 2000);
    assert_true(idle[1].dropped >= 200 && idle[1].dropped <= 240);
    assert_near(idle[1].first_read_tsc.max, 130 * US);
}

static void passes_that_do_not_get_ready_are_dropped(void **state)
{
    const struct idle_sample_set *idle;

    (void)state;
    machine.timeout_every = 20;
    idle = measure();
    assert_int_equal(idle[1].samples, 2000);
    assert_true(idle[1].dropped >= 90 && idle[1].dropped <= 120);
    assert_near(idle[1].first_read_tsc.max, 130 * US);
}

static void always_disturbed_ends_with_a_reason(void **state)
{
    (void)state;
    machine.disturb_every = 1;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_non_null(sim.platform.idle_skipped);
}

static void samples_are_as_many_as_asked(void **state)
{
    (void)state;
    sim.options.samples = 50;
    assert_int_equal(measure()[0].samples, 50);
}

static void time_limit_cuts(void **state)
{
    const struct idle_sample_set *idle;

    (void)state;
    sim.options.samples = 1000000;
    sim.options.seconds = 1;
    idle = measure();
    assert_true(machine.now_ps < UINT64_C(1200000000000));
    assert_int_equal(sim.platform.idle_count, 2);
    assert_true(idle[0].samples > 100 && idle[0].samples < 1000000);
}

static void no_port_leaves_the_pm_timer(void **state)
{
    (void)state;
    give_cst(1);
    machine.idle_port = 0;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_string_equal(sim.platform.idle_skipped,
                        "_CST has no state that is entered through an I/O port");
    assert_int_equal(sim.platform.port_costs_count, 1);
    assert_string_equal(sim.platform.port_costs[0].port_name, "PM timer");
}

static void no_pm_timer_leaves_one_way(void **state)
{
    (void)state;
    sim.platform.fadt.field[FADT_PM_TMR_BLK] = 0;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 1);
    assert_int_equal(sim.platform.port_costs_count, 1);
}

static void p_lvl2_comes_from_the_pblk(void **state)
{
    struct processor *processor = &sim.platform.processors[0];
    const struct idle_sample_set *idle;

    (void)state;
    processor->objects[OBJECT_CST].avail = AVAIL_ABSENT;
    processor->objects[OBJECT_CST].set = NULL;
    processor->kind = PROCESSOR_OBJECT;
    processor->pblk_address = 0x810;
    processor->pblk_length = 6;
    sim.platform.fadt.has_field[FADT_P_LVL2_LAT] = true;
    sim.platform.fadt.field[FADT_P_LVL2_LAT] = 100;
    sim.platform.fadt.field[FADT_FLAGS] = 1U << FADT_FLAG_P_LVL2_UP;
    idle = measure();
    assert_int_equal(sim.platform.idle_count, 2);
    assert_string_equal(idle[0].port_from, "P_BLK");
    assert_int_equal(idle[0].declared_latency_us, 100);

    sim.platform.fadt.field[FADT_FLAGS] = 0;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_string_equal(sim.platform.idle_skipped,
                        "P_LVL2_UP says that C2 is only for machines with one processor");

    sim.platform.fadt.field[FADT_P_LVL2_LAT] = 101;
    (void)measure();
    assert_string_equal(sim.platform.idle_skipped, "P_LVL2_LAT says that there is no C2");
}

/* C3 alone: only where it needs no cache flush. */
static void c3_is_taken_where_it_is_coherent(void **state)
{
    (void)state;
    states[1] = io_state(3, PORT, 800);
    assert_string_equal(measure()[0].state, "C3");
    sim_platform_identity(&sim, "AuthenticAMD", 0x10, 0x4);
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_non_null(strstr(sim.platform.idle_skipped, "cache flush"));
}

/* Bug 26 (d): nothing is entered that nothing would end. */
static void timer_that_may_stop_is_not_slept_on(void **state)
{
    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_non_null(strstr(sim.platform.idle_skipped, "ARAT"));
    assert_int_equal(sim.platform.port_costs_count, 2);

    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 6, .eax = 1U << 2});
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 2);
}

static void gaps_are_watched_for(void **state)
{
    (void)state;
    machine.gaps = 2;
    (void)measure();
    assert_int_equal(sim.platform.tsc_gaps.count, 2);
    assert_int_equal(sim.platform.tsc_gaps.longest_tsc, 300000);
    assert_int_equal(sim.platform.tsc_gaps.threshold_tsc, 30000);
    assert_int_equal(sim.platform.tsc_gaps.watched_tsc, 60000000);
}

static void failures_of_the_core_are_said(void **state)
{
    (void)state;
    machine.take_why = "the local APIC is switched off";
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_int_equal(sim.platform.port_costs_count, 0);
    assert_string_equal(sim.platform.idle_skipped, "the local APIC is switched off");

    machine.take_why = NULL;
    machine.is_clock_lost = true;
    machine.stretches = 0;
    (void)measure();
    assert_int_equal(machine.stretches, 1);
    assert_non_null(sim.platform.idle_skipped);
}

static void read_only_enters_nothing(void **state)
{
    (void)state;
    sim.options.is_read_only = true;
    machine.idle_port = 0;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_non_null(strstr(sim.platform.idle_skipped, "read-only"));
    assert_int_equal(sim.platform.port_costs_count, 1);
}

static void unknown_rate_times_only_the_pm_timer(void **state)
{
    (void)state;
    sim.platform.tsc_hz = 0;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_int_equal(sim.platform.port_costs_count, 1);
}

static void no_core_no_measurement(void **state)
{
    (void)state;
    timing_first(&machine.hw, NULL, &sim.platform);
    assert_int_equal(sim.platform.idle_count, 0);
    assert_non_null(sim.platform.idle_skipped);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(both_ways_and_costs_are_there),
        TEST(stop_in_the_first_read_is_found),
        TEST(stop_in_the_second_read_is_found),
        TEST(no_stop_is_found),
        TEST(disturbed_samples_are_dropped),
        TEST(passes_that_do_not_get_ready_are_dropped),
        TEST(always_disturbed_ends_with_a_reason),
        TEST(samples_are_as_many_as_asked),
        TEST(time_limit_cuts),
        TEST(no_port_leaves_the_pm_timer),
        TEST(no_pm_timer_leaves_one_way),
        TEST(p_lvl2_comes_from_the_pblk),
        TEST(c3_is_taken_where_it_is_coherent),
        TEST(timer_that_may_stop_is_not_slept_on),
        TEST(gaps_are_watched_for),
        TEST(failures_of_the_core_are_said),
        TEST(read_only_enters_nothing),
        TEST(unknown_rate_times_only_the_pm_timer),
        TEST(no_core_no_measurement),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
