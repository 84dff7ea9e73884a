#include "drivers/bus_master.h"
#include "tests/unit/idle_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* C3 on CPUs whose caches do not stay coherent in it: a cache flush, or bus masters kept off meanwhile. */

#define STATUS_PORT 0x800U
#define CONTROL_PORT 0x804U
#define ARBITER_PORT 0x850U

static void give_register(enum fadt_field block, uint64_t address)
{
    sim.platform.fadt.has_field[block] = true;
    sim.platform.fadt.field[block] = address;
}

/* A mobile Pentium III class machine: family 6 model 0BH, C3 by a port. */
static void be_old(uint32_t cpus, const char *vendor)
{
    remake(cpus);
    sim_platform_identity(&sim, vendor, 6, 0xB);
    sim_platform_feature(&sim, CPU_FEATURE_ARAT);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 6, .eax = 4});
    states[0] = io_state(3, PORT, 85);
    give_cst(1);
    give_register(FADT_PM1A_EVT_BLK, STATUS_PORT);
    give_register(FADT_PM1A_CNT_BLK, CONTROL_PORT);
    give_register(FADT_PM2_CNT_BLK, ARBITER_PORT);
    give_register(FADT_PM2_CNT_LEN, 1);
    machine.status_port = STATUS_PORT;
    machine.control_port = CONTROL_PORT;
    machine.arbiter_port = ARBITER_PORT;
    machine.control = 0x1;
    machine.arbiter = 0x40;
}

static void one_cpu_keeps_bus_masters_off(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    be_old(1, "GenuineIntel");
    machine.needs_arbiter = true;
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_NONE, 100000);
    assert_non_null(set);
    assert_int_equal(set->samples, 20);
    assert_int_equal(set->bus, IDLE_BUS_CHECK | IDLE_BUS_ARBITER);
    assert_int_equal(set->flush_tsc.n, 0);
    assert_int_equal(set->bus_busy, 0);
    assert_int_equal(set->stopped_in, STOPPED_FIRST_READ);
    assert_true(machine.checks >= 20 * 11);
    assert_int_equal(machine.arbiter, 0x40);
    assert_int_equal(machine.control, 0x1);
}

/* Linux takes a shallower state when BM_STS is set; here the entry waits for the next try. */
static void active_bus_masters_put_off_the_entry(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    be_old(1, "GenuineIntel");
    machine.needs_arbiter = true;
    machine.busy_permille = 500;
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_NONE, 100000);
    assert_int_equal(set->samples, 20);
    assert_in_range(set->bus_busy, 5, 60);
    assert_int_equal(set->dropped, 0);
}

static void a_bus_that_is_never_quiet_is_said(void **state)
{
    (void)state;
    be_old(1, "GenuineIntel");
    machine.busy_permille = 1000;
    (void)measure();
    assert_null(find(0, IDLE_IO, DUMMY_NONE, 100000));
    assert_non_null(strstr(refusal(IDLE_IO), "bus master"));
    assert_non_null(find(0, IDLE_HLT, DUMMY_NONE, 100000));
}

/* What does not come back ends everything: nothing more is entered, and the reason is in the report. */
static void arbitration_that_does_not_come_back_ends_the_run(void **state)
{
    (void)state;
    be_old(1, "GenuineIntel");
    machine.is_arbiter_stuck = true;
    (void)measure();
    assert_null(find(0, IDLE_IO, DUMMY_NONE, 100000));
    assert_non_null(strstr(sim.platform.idle_skipped, "PM2_CNT"));
    assert_int_equal(machine.control, 0x1);
}

static void without_an_arbiter_cst_is_enough(void **state)
{
    (void)state;
    be_old(1, "GenuineIntel");
    give_register(FADT_PM2_CNT_BLK, 0);
    machine.arbiter_port = 0;
    (void)measure();
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 100000)->bus, IDLE_BUS_CHECK);
    assert_int_equal(machine.control, 0x1);
}

/* Linux: "C3 support requires BM control". */
static void without_an_arbiter_the_pblk_is_not(void **state)
{
    const char *refused = NULL;

    (void)state;
    be_old(1, "GenuineIntel");
    give_register(FADT_PM2_CNT_BLK, 0);
    (void)bus_master_needs(&sim.platform, false, &refused);
    assert_non_null(strstr(refused, "arbitration"));
    (void)bus_master_needs(&sim.platform, true, &refused);
    assert_null(refused);
}

/* Only one of them is in C3 at a time, and arbitration goes off only when all are. */
static void several_intel_cpus_keep_arbitration(void **state)
{
    (void)state;
    be_old(2, "GenuineIntel");
    (void)measure();
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 100000)->bus, IDLE_BUS_CHECK);
    assert_int_equal(find(1, IDLE_IO, DUMMY_NONE, 1000000)->bus, IDLE_BUS_CHECK);
}

static void several_old_cpus_flush(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    be_old(2, "AuthenticAMD");
    sim.platform.fadt.field[FADT_FLAGS] |= UINT64_C(1) << FADT_FLAG_WBINVD;
    machine.needs_flush = true;
    machine.flush_ps = 300 * US;
    machine.status_port = 0;
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_NONE, 100000);
    assert_non_null(set);
    assert_int_equal(set->bus, IDLE_BUS_FLUSH);
    assert_near(set->flush_tsc.p50, 300 * US);
    assert_near(set->asleep_tsc.p50, 99 * US);
    assert_int_equal(find(1, IDLE_IO, DUMMY_NONE, 1000000)->bus, IDLE_BUS_FLUSH);
    assert_int_equal(machine.checks, 0);
}

static void no_flush_that_works_no_entry(void **state)
{
    (void)state;
    be_old(2, "AuthenticAMD");
    machine.needs_flush = true;
    (void)measure();
    assert_null(find(0, IDLE_IO, DUMMY_NONE, 100000));
    assert_non_null(strstr(refusal(IDLE_IO), "WBINVD"));
}

/* Family 6 from model 0FH on, and Zen: neither flush nor arbiter, whatever the FADT offers. */
static void coherent_cpus_only_look(void **state)
{
    (void)state;
    be_old(1, "GenuineIntel");
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    sim_platform_leaf(&sim, (struct cpuid_leaf){.leaf = 6, .eax = 4});
    (void)measure();
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 100000)->bus, IDLE_BUS_CHECK);
    be_old(2, "AuthenticAMD");
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
    (void)measure();
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 100000)->bus, IDLE_BUS_CHECK);
}

static void c2_needs_nothing(void **state)
{
    (void)state;
    be_old(1, "GenuineIntel");
    states[0] = io_state(2, PORT, 10);
    (void)measure();
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 100000)->bus, 0);
    assert_int_equal(machine.checks, 0);
}

static void read_only_writes_no_register(void **state)
{
    struct bus_master bus;

    (void)state;
    be_old(1, "GenuineIntel");
    sim.options.is_read_only = true;
    machine.busy_permille = 1000;
    (void)measure();
    assert_null(find(0, IDLE_IO, DUMMY_NONE, 100000));
    assert_int_equal(machine.checks, 0);
    bus_master_open(&sim.platform, &bus);
    assert_int_equal(bus_master_enter(&bus, &machine.hw, IDLE_BUS_CHECK | IDLE_BUS_ARBITER),
                     BUS_MASTER_FAILED);
    assert_int_equal(machine.arbiter, 0x40);
}

/* SLP_EN is never written: the other bits of PM1_CNT come back as they were read. */
static void sleep_enable_stays_zero(void **state)
{
    struct bus_master bus;

    (void)state;
    be_old(1, "GenuineIntel");
    bus_master_open(&sim.platform, &bus);
    assert_int_equal(bus_master_enter(&bus, &machine.hw, IDLE_BUS_CHECK | IDLE_BUS_ARBITER),
                     BUS_MASTER_QUIET);
    assert_int_equal(machine.control, 0x3);
    assert_int_equal(machine.arbiter, 0x41);
    assert_true(bus_master_leave(&bus, &machine.hw));
    assert_int_equal(machine.control, 0x1);
    assert_int_equal(machine.arbiter, 0x40);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_cpu_keeps_bus_masters_off),
        TEST(active_bus_masters_put_off_the_entry),
        TEST(a_bus_that_is_never_quiet_is_said),
        TEST(arbitration_that_does_not_come_back_ends_the_run),
        TEST(without_an_arbiter_cst_is_enough),
        TEST(without_an_arbiter_the_pblk_is_not),
        TEST(several_intel_cpus_keep_arbitration),
        TEST(several_old_cpus_flush),
        TEST(no_flush_that_works_no_entry),
        TEST(coherent_cpus_only_look),
        TEST(c2_needs_nothing),
        TEST(read_only_writes_no_register),
        TEST(sleep_enable_stays_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
