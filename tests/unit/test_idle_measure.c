#include "drivers/idle_measure.h"
#include "model/idle_booking.h"
#include "tests/unit/idle_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_way_at_every_length(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    (void)measure();
    assert_null(sim.platform.idle_skipped);
    assert_int_equal(sim.platform.idle_count, 4 * 11);
    assert_int_equal(sim.platform.idle_not_timed_count, 0);
    set = find(0, IDLE_IO, DUMMY_PM_TIMER, 100000);
    assert_non_null(set);
    assert_int_equal(set->samples, 1000);
    assert_int_equal(set->port, PORT);
    assert_int_equal(set->dummy_port, PM_PORT);
    assert_int_equal(set->declared_latency_us, 400);
    assert_string_equal(set->port_from, "_CST");
    assert_string_equal(set->wake_source, "TSC deadline");
    assert_null(set->others);
    assert_int_equal(set->stopped_in, STOPPED_FIRST_READ);
    assert_int_equal(set->stopped_confidence_pct, 100);
    assert_near(set->overhead_tsc, 10000);
    assert_near(set->first_read_tsc.p50, 130 * US);
    assert_near(set->dummy_read_tsc.p50, US);
    assert_near(set->asleep_tsc.p50, 99 * US);
    assert_near(set->exit_tsc.p99, 30 * US);
    assert_near(set->handler_tsc.p50, 30 * US + US / 4);
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 10000000)->samples, 50);
    assert_near(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->exit_tsc.p50, US);
    assert_near(find(0, IDLE_MWAIT, DUMMY_NONE, 5000)->asleep_tsc.p50, 5 * US);
    assert_true(notes >= 4);
}

/* At least 90 % of the time is slept. */
static void time_is_spent_asleep(void **state)
{
    (void)state;
    (void)measure();
    /* The watch for gaps takes its own second. */
    assert_true(machine.asleep_ps * 100 >= (machine.cpus[0].now_ps - 1050000 * US) * 90);
}

static void demotion_is_found(void **state)
{
    (void)state;
    machine.enter_from_ps = 90 * US;
    machine.shallow_exit_ps = 2 * US;
    (void)measure();
    assert_int_equal(sim.platform.idle_reach_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const struct idle_reach *reach = &sim.platform.idle_reach[i];
        bool is_port = sim.platform.idle[reach->first_set].entry == IDLE_IO;

        assert_int_equal(reach->entered_from_ns, is_port ? 100000 : 5000);
        assert_int_equal(reach->is_demoted_below, is_port);
    }
}

static void never_entered_has_no_reach(void **state)
{
    (void)state;
    machine.stop = SIM_IDLE_NOT;
    (void)measure();
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 1000000)->stopped_in, STOPPED_NONE);
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 1000000)->asleep_tsc.n, 0);
    assert_int_equal(sim.platform.idle_reach[2].entered_from_ns, 0);
}

static void late_stop_is_found(void **state)
{
    const struct idle_sample_set *alone;
    const struct idle_sample_set *with;

    (void)state;
    machine.stop = SIM_IDLE_LATE;
    machine.late_ps = US / 2;
    (void)measure();
    alone = find(0, IDLE_IO, DUMMY_NONE, 100000);
    with = find(0, IDLE_IO, DUMMY_PM_TIMER, 100000);
    assert_int_equal(alone->stopped_in, STOPPED_NONE);
    assert_near(alone->ran_on_tsc.p50, US / 2 - 10000);
    assert_int_equal(with->stopped_in, STOPPED_DUMMY_READ);
    assert_int_equal(with->ran_on_tsc.n, 0);
    assert_near(with->first_read_tsc.p50, US);
}

static void pm_timer_in_memory_is_read(void **state)
{
    (void)state;
    sim.platform.fadt.revision = 6;
    sim.platform.fadt.has_register[FADT_X_PM_TMR_BLK] = true;
    sim.platform.fadt.reg[FADT_X_PM_TMR_BLK] =
        (struct gas){.space = GAS_SYSTEM_MEMORY, .width_bits = 32, .address = 0xFED80808};
    machine.pm_port = 0;
    machine.pm_paddr = 0xFED80808;
    (void)measure();
    assert_int_equal(find(0, IDLE_IO, DUMMY_PM_TIMER, 100000)->dummy_paddr, 0xFED80808);
    assert_near(find(0, IDLE_IO, DUMMY_PM_TIMER, 100000)->dummy_read_tsc.p50, US);
}

static void mwait_that_faults_is_said(void **state)
{
    (void)state;
    machine.has_mwait = false;
    (void)measure();
    assert_null(find(0, IDLE_MWAIT, DUMMY_NONE, 100000));
    assert_non_null(strstr(refusal(IDLE_MWAIT), "exception"));
}

static void mwait_that_returns_is_not_entered(void **state)
{
    (void)state;
    machine.is_mwait_void = true;
    (void)measure();
    assert_int_equal(find(0, IDLE_MWAIT, DUMMY_NONE, 100000)->stopped_in, STOPPED_NONE);
    assert_int_equal(find(0, IDLE_MWAIT, DUMMY_NONE, 100000)->exit_tsc.n, 0);
}

/* Bug 26 (d): nothing is entered that nothing would end. */
static void timer_that_may_stop_needs_a_watch(void **state)
{
    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    machine.is_timer_stopped = true;
    (void)measure();
    assert_null(find(0, IDLE_IO, DUMMY_NONE, 100000));
    assert_non_null(find(0, IDLE_HLT, DUMMY_NONE, 100000));
    assert_non_null(strstr(refusal(IDLE_IO), "ARAT"));
}

/* A machine of one CPU: a timer that is not the CPU's own ends what its own does not. */
static void another_timer_watches_a_lone_cpu(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    machine.guard = "HPET";
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_NONE, 100000);
    assert_non_null(set);
    assert_string_equal(set->watched_by, "HPET");
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 10000000)->watched_by, "HPET");
    assert_int_equal(set->never_woke, 0);
    assert_int_equal(set->samples, 1000);
    assert_int_equal(set->stopped_in, STOPPED_FIRST_READ);
    assert_int_equal(sim.platform.idle_not_timed_count, 0);
    assert_null(sim.platform.idle_skipped);
    assert_int_equal(machine.rescues, 0);
    assert_true(machine.asleep_ps * 100 >= (machine.cpus[0].now_ps - 1050000 * US) * 90);
}

static void another_timer_ends_what_the_own_does_not(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    machine.is_timer_stopped = true;
    machine.guard = "HPET";
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_NONE, 5000);
    assert_non_null(set);
    assert_int_equal(set->never_woke, 3);
    assert_int_equal(set->samples, 0);
    assert_int_equal(find(0, IDLE_HLT, DUMMY_NONE, 5000)->samples, 1000);
    assert_true(machine.rescues >= 3);
    assert_int_equal(machine.guard_due_ps, 0);
}

static void a_lone_cpu_without_another_timer_says_so(void **state)
{
    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    (void)measure();
    assert_null(find(0, IDLE_IO, DUMMY_NONE, 100000));
    assert_non_null(strstr(refusal(IDLE_IO), "ARAT"));
    assert_non_null(strstr(refusal(IDLE_IO), "; the firmware names no HPET"));
}

static void a_watch_that_is_lost_ends_the_measurement(void **state)
{
    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    machine.guard = "HPET";
    machine.is_guard_lost = true;
    (void)measure();
    assert_string_equal(sim.platform.idle_skipped, "the HPET could not be set up again");
    assert_non_null(refusal(IDLE_IO));
}

static void hypervisor_gets_one_length(void **state)
{
    (void)state;
    sim.platform.identity.is_hypervisor = true;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 4);
    assert_non_null(find(0, IDLE_IO, DUMMY_NONE, 100000));
    sim.options.run = RUN_IDLE;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 44);
}

static void samples_are_as_many_as_asked(void **state)
{
    (void)state;
    sim.options.samples = 20;
    (void)measure();
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 5000)->samples, 20);
    assert_int_equal(find(0, IDLE_IO, DUMMY_NONE, 10000000)->samples, 20);
}

static void time_limit_cuts_samples_not_ways(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    sim.options.samples = 100000;
    sim.options.seconds = 2;
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_PM_TIMER, 5000);
    assert_true(machine.cpus[0].now_ps < 4000000 * US);
    assert_non_null(set);
    assert_true(set->was_cut);
    assert_true(set->samples > 100);
}

static void smis_are_watched_for(void **state)
{
    (void)state;
    machine.smi.every_ps = 20000 * US;
    machine.smi.lasts_ps = 100 * US;
    (void)measure();
    assert_true(sim.platform.tsc_gaps.count >= 10);
    assert_near(sim.platform.tsc_gaps.longest_tsc, 100 * US);
    assert_true(sim.platform.tsc_gaps.watched_tsc >= machine.tsc_hz);
}

static void read_only_enters_no_port(void **state)
{
    (void)state;
    sim.options.is_read_only = true;
    machine.idle_port = 0;
    (void)measure();
    assert_null(find(0, IDLE_IO, DUMMY_NONE, 100000));
    assert_non_null(find(0, IDLE_HLT, DUMMY_NONE, 100000));
    assert_non_null(strstr(refusal(IDLE_IO), "read-only"));
}

static void unknown_rate_times_only_the_pm_timer(void **state)
{
    (void)state;
    sim.platform.tsc_hz = 0;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_string_equal(sim.platform.idle_skipped, "the rate of the TSC is not known");
    assert_int_equal(sim.platform.port_costs_count, 1);
    assert_string_equal(sim.platform.port_costs[0].port_name, "PM timer");
}

static void no_core_no_measurement(void **state)
{
    const struct idle_measure none = {.hw = &machine.hw};

    (void)state;
    idle_measure(&none, &sim.platform);
    assert_int_equal(sim.platform.idle_count, 0);
    assert_non_null(sim.platform.idle_skipped);
}

static void ports_cost_what_they_cost(void **state)
{
    (void)state;
    sim.platform.hpet.avail = AVAIL_PRESENT;
    sim.platform.hpet.base = (struct gas){.address = 0xFED00000};
    machine.hpet_paddr = 0xFED000F0;
    machine.port_ps = 2 * US;
    (void)measure();
    assert_int_equal(sim.platform.port_costs_count, 3);
    assert_near(sim.platform.port_costs[0].read_tsc.p50, US);
    assert_string_equal(sim.platform.port_costs[1].port_name, "C-state port, wake-up waiting");
    assert_near(sim.platform.port_costs[1].read_tsc.p50, 2 * US);
    assert_string_equal(sim.platform.port_costs[2].port_name, "HPET");
    assert_near(sim.platform.port_costs[2].read_tsc.p50, US);
}

static void others_are_measured_at_one_length(void **state)
{
    (void)state;
    remake(4);
    (void)measure();
    assert_null(sim.platform.idle_skipped);
    assert_int_equal(sim.platform.idle_count, 44 + 3 * 4);
    for (uint32_t cpu = 1; cpu < 4; cpu++) {
        const struct idle_sample_set *set = find(cpu, IDLE_IO, DUMMY_PM_TIMER, 1000000);

        assert_non_null(set);
        assert_null(find(cpu, IDLE_IO, DUMMY_PM_TIMER, 100000));
        assert_int_equal(set->samples, 20);
        assert_near(set->exit_tsc.p50, 30 * US);
        assert_string_equal(set->watched_by, "the boot CPU");
        assert_string_equal(set->others, "MWAIT");
    }
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->watched_by, "another CPU");
}

static void packages_each_get_a_sweep(void **state)
{
    (void)state;
    remake(4);
    sim.platform.cpus[2].package_id = 1;
    sim.platform.cpus[3].package_id = 1;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 2 * 44 + 2 * 4);
    assert_non_null(find(2, IDLE_IO, DUMMY_NONE, 5000));
}

/* The measurement ends, the gap is told as long as it was, and no state gets a second for its own. */
static void smis_of_a_second_are_survived(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    machine.smi.every_ps = 4000000 * US;
    machine.smi.lasts_ps = 1000000 * US;
    (void)measure();
    assert_true(machine.smi.count >= 2);
    set = find(0, IDLE_HLT, DUMMY_NONE, 1000000);
    assert_non_null(set);
    assert_true(set->samples > 0);
    assert_true(set->exit_tsc.p50 < machine.tsc_hz / 100);
    assert_true(sim.platform.tsc_gaps.count >= 1);
    assert_in_range(sim.platform.tsc_gaps.longest_tsc, machine.tsc_hz / 2, 3 * machine.tsc_hz);
}

static void a_stopped_timer_is_survived(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    remake(2);
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x17);
    machine.is_timer_stopped = true;
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_NONE, 5000);
    assert_non_null(set);
    assert_int_equal(set->never_woke, 3);
    assert_int_equal(set->samples, 0);
    assert_non_null(find(1, IDLE_IO, DUMMY_NONE, 1000000));
    assert_non_null(find(1, IDLE_HLT, DUMMY_NONE, 1000000));
    assert_true(machine.rescues >= 6);
}

static void contention_has_a_curve_and_a_knee(void **state)
{
    const struct port_cost *costs;

    (void)state;
    remake(8);
    machine.is_bus_shared = true;
    (void)measure();
    costs = sim.platform.port_costs;
    assert_int_equal(sim.platform.port_costs_count, 8);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(costs[i].cpus, 1U << i);
        assert_int_equal(costs[i].port, PM_PORT);
        /* One read in a microsecond, whoever makes it. */
        assert_true(costs[i].reads_per_s >= 950000 && costs[i].reads_per_s <= 1010000);
    }
    assert_true(costs[3].read_tsc.p50 >= 7 * 3000 && costs[3].read_tsc.p50 <= 8 * 3000 + 30);
    assert_true(costs[1].is_knee);
    assert_false(costs[2].is_knee);
}

static void the_slowest_of_a_crowd_is_named(void **state)
{
    (void)state;
    remake(8);
    machine.cpus[5].reads_longer_ps = US / 2;
    (void)measure();
    assert_int_equal(sim.platform.port_costs[3].cpus, 8);
    assert_int_equal(sim.platform.port_costs[3].slowest_cpu, 5);
    assert_near(sim.platform.port_costs[3].slowest_tsc, US + US / 2);
    assert_near(sim.platform.port_costs[3].read_tsc.p50, US);
}

/* CPU, state and time left, whenever a new way begins. */
static void progress_says_which_cpu_and_state(void **state)
{
    (void)state;
    remake(2);
    (void)measure();
    assert_string_equal(noted, "CPU 0: C1 by MWAIT 0x0, 2 s\n"
                               "CPU 0: C1 by HLT, 2 s\n"
                               "CPU 0: C2 by port 0x814, 1 s\n"
                               "CPU 0: C2 by port 0x814 and the PM timer, 1 s\n"
                               "CPU 1: C1 by MWAIT 0x0; 0 of 1 other CPUs done, 1 s\n"
                               "ports read by all CPUs at once, 1 s\n");
}

static uint32_t knee_at(uint32_t bus_readers)
{
    remake(8);
    machine.is_bus_shared = bus_readers != 0;
    machine.bus_readers = bus_readers;
    (void)measure();
    for (uint32_t i = 0; i < sim.platform.port_costs_count; i++) {
        if (sim.platform.port_costs[i].port == PM_PORT && sim.platform.port_costs[i].is_knee) {
            return sim.platform.port_costs[i].cpus;
        }
    }
    return 0;
}

/* A bus that carries N reads at once is full with N CPUs: twice as many bring no more. */
static void the_knee_is_where_the_bus_is_full(void **state)
{
    (void)state;
    assert_int_equal(knee_at(1), 2);
    assert_int_equal(knee_at(2), 4);
    assert_int_equal(knee_at(4), 8);
    assert_int_equal(knee_at(8), 0);
    assert_int_equal(knee_at(0), 0);
}

static void an_absent_cpu_is_left_out(void **state)
{
    (void)state;
    remake(3);
    machine.cpus[1].never_comes = true;
    (void)measure();
    assert_int_equal(sim.platform.cpus[1].answer, CPU_DID_NOT_ANSWER);
    assert_null(find(1, IDLE_HLT, DUMMY_NONE, 1000000));
    assert_non_null(find(2, IDLE_HLT, DUMMY_NONE, 1000000));
}

static const char *refusal_of(uint32_t cpu)
{
    for (uint32_t i = 0; i < sim.platform.idle_not_timed_count; i++) {
        if (sim.platform.idle_not_timed[i].cpu == cpu) {
            return sim.platform.idle_not_timed[i].way.not_timed;
        }
    }
    return "";
}

/* Whatever keeps a CPU from being measured is said of that CPU. */
static void every_cpu_without_figures_has_its_reason(void **state)
{
    (void)state;
    remake(6);
    machine.cpus[1].never_comes = true;
    machine.cpus[2].take_why = "the local APIC is switched off";
    sim.platform.cpus[3].answer = CPU_DID_NOT_ANSWER;
    (void)strcpy(sim.options.cpus, "0-4");
    (void)measure();
    assert_string_equal(refusal_of(1), "the CPU did not come back");
    assert_string_equal(refusal_of(2), "the local APIC is switched off");
    assert_string_equal(refusal_of(3), "the CPU did not answer");
    assert_string_equal(refusal_of(4), "");
    assert_string_equal(refusal_of(5), "not among the CPUs of --cpus");
    for (uint32_t cpu = 0; cpu < 6; cpu++) {
        assert_true((find(cpu, IDLE_HLT, DUMMY_NONE, 1000000) == NULL) ==
                    (refusal_of(cpu)[0] != '\0'));
    }
}

static void stand_still(uint32_t victim, uint64_t at)
{
    remake(4);
    sim.options.samples = 5;
    machine.cpus[victim].dies_at = at;
    (void)measure();
}

/* Wherever in its work a CPU stands still, the others are measured, no later than some seconds, and it is named. */
static void a_cpu_may_die_at_any_moment(void **state)
{
    uint64_t usual_ps;
    uint64_t all[4];

    (void)state;
    stand_still(0, 0);
    usual_ps = machine.cpus[0].now_ps;
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        all[cpu] = machine.cpus[cpu].passes;
        assert_true(all[cpu] > 40);
    }
    for (uint32_t victim = 1; victim < 4; victim++) {
        for (uint64_t at = 1; at <= all[victim]; at += at < 4 ? 1 : all[victim] / 5) {
            stand_still(victim, at);
            assert_true(machine.cpus[victim].has_died);
            assert_int_equal(sim.platform.cpus[victim].answer, CPU_DID_NOT_ANSWER);
            for (uint32_t cpu = 0; cpu < 4; cpu++) {
                const struct idle_sample_set *set = find(cpu, IDLE_IO, DUMMY_PM_TIMER, 1000000);

                assert_true(cpu == victim ? set != NULL || refusal_of(cpu)[0] != '\0'
                                          : set != NULL && set->samples == 5);
            }
            /* Three are left to read ports together, but where it died in that. */
            assert_true(sim.platform.port_costs_count >= 3 ||
                        find(victim, IDLE_IO, DUMMY_PM_TIMER, 1000000) != NULL);
            assert_true(machine.cpus[0].now_ps < usual_ps + 10 * 1000000 * US);
        }
    }
}

static uint32_t most_readers(uint64_t late_ps)
{
    uint32_t most = 0;

    remake(3);
    machine.is_bus_shared = true;
    machine.cpus[2].wakes_late_ps = late_ps;
    (void)measure();
    for (uint32_t i = 0; i < sim.platform.port_costs_count; i++) {
        const struct port_cost *cost = &sim.platform.port_costs[i];

        most = cost->cpus > most ? cost->cpus : most;
    }
    return most;
}

/* Whoever waits for the last for 200 ms reads alone: its reads are not shown as those of a crowd. */
static void one_that_comes_late_reads_in_no_crowd(void **state)
{
    (void)state;
    assert_int_equal(most_readers(0), 3);
    assert_int_equal(most_readers(40000 * US), 3);
    assert_int_equal(most_readers(250000 * US), 2);
    /* Both ports by one and by two. */
    assert_int_equal(sim.platform.port_costs_count, 4);
}

/* Not one pass without an interrupt that nobody asked for: there is no figure, no hang, and a reason. */
static void an_interrupt_for_ever_ends_the_measurement(void **state)
{
    (void)state;
    remake(2);
    machine.intruder.every_ps = 1;
    machine.intruder.lasts_ps = US / 10;
    (void)measure();
    assert_int_equal(sim.platform.idle_count, 0);
    assert_string_equal(sim.platform.idle_skipped,
                        "no undisturbed sample was had in the time given");
    assert_true(refusal_of(0)[0] != '\0' && refusal_of(1)[0] != '\0');
    assert_true(machine.cpus[0].now_ps < 30 * 1000000 * US);
}

static void a_boot_cpu_that_cannot_be_taken_is_said_of_all(void **state)
{
    (void)state;
    remake(2);
    machine.cpus[0].take_why = "the local APIC timer does not count";
    (void)measure();
    assert_string_equal(sim.platform.idle_skipped, "the local APIC timer does not count");
    assert_string_equal(refusal_of(0), "the local APIC timer does not count");
}

static void what_does_not_go_back_is_named(void **state)
{
    (void)state;
    machine.cpus[0].give_why = "the firmware's timer does not tick any more";
    (void)measure();
    assert_string_equal(sim.platform.idle_skipped, "the firmware's timer does not tick any more");
}

/* The shares of the published case (mission S2) on a machine: 0.14 % of a sleep of 12.7 us in the port, 99.33 % in
 * the PM timer. */
static void published_zen3_is_harmful(void **state)
{
    struct dummy_judgement judgement;
    uint32_t index = 0;

    (void)state;
    machine.stop = SIM_IDLE_NOT;
    machine.port_ps = 17800;
    machine.pm_ps = 12623800;
    (void)measure();
    assert_true(idle_dummy_next(&sim.platform, &index));
    idle_dummy_judge(&sim.platform, index, &judgement);
    assert_int_equal(judgement.verdict, DUMMY_HARMFUL);
    assert_in_range(judgement.cost_ns, 12600, 12650);
    assert_in_range(judgement.booking.dummy_permyriad, 9985, 9987);
    /* (99.33 + 0.14) / 0.14 = 710, in whole nanoseconds */
    assert_in_range(judgement.booking.booked_ns / judgement.booking.true_ns, 690, 720);
}

static void serial_firmware_measures_in_turn(void **state)
{
    (void)state;
    remake(3);
    machine.is_serial = true;
    (void)measure();
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->others, "left to the firmware");
    for (uint32_t cpu = 1; cpu < 3; cpu++) {
        assert_non_null(find(cpu, IDLE_IO, DUMMY_NONE, 1000000));
    }
}

static void parked_cpus_halt_or_spin_as_told(void **state)
{
    (void)state;
    remake(2);
    sim.options.park = PARK_HLT;
    (void)measure();
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->others, "HLT");
    remake(2);
    machine.is_mwait_void = true;
    (void)measure();
    assert_string_equal(find(1, IDLE_HLT, DUMMY_NONE, 1000000)->others, "HLT");
    remake(2);
    sim.options.park = PARK_SPIN;
    (void)measure();
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->others, "spinning");
    assert_int_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->stopped_in, STOPPED_FIRST_READ);
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->watched_by, "another CPU");
    assert_non_null(find(1, IDLE_IO, DUMMY_NONE, 1000000));
}

/* Whenever a person stops it, what was timed by then is kept, the reason is said, and the machine is as before (the
 * simulated one fails the test otherwise). */
static void a_person_may_stop_it(void **state)
{
    unsigned all;

    (void)state;
    remake(4);
    sim.options.samples = 0;
    (void)measure();
    all = notes;
    assert_true(all >= 4);
    assert_null(sim.platform.idle_skipped);
    for (unsigned at = 1; at <= all; at++) {
        remake(4);
        sim.options.samples = 0;
        stop_at = at;
        (void)measure();
        assert_int_equal(notes, at);
        assert_string_equal(sim.platform.idle_skipped, "stopped by a key");
        for (uint32_t cpu = 0; cpu < 4; cpu++) {
            assert_true(refusal_of(cpu)[0] != '\0' ||
                        find(cpu, IDLE_IO, DUMMY_PM_TIMER, 1000000) != NULL);
        }
        assert_true(at == 1 || sim.platform.idle_count > 0);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_way_at_every_length),
        TEST(time_is_spent_asleep),
        TEST(demotion_is_found),
        TEST(never_entered_has_no_reach),
        TEST(late_stop_is_found),
        TEST(pm_timer_in_memory_is_read),
        TEST(mwait_that_faults_is_said),
        TEST(mwait_that_returns_is_not_entered),
        TEST(timer_that_may_stop_needs_a_watch),
        TEST(another_timer_watches_a_lone_cpu),
        TEST(another_timer_ends_what_the_own_does_not),
        TEST(a_lone_cpu_without_another_timer_says_so),
        TEST(a_watch_that_is_lost_ends_the_measurement),
        TEST(hypervisor_gets_one_length),
        TEST(samples_are_as_many_as_asked),
        TEST(time_limit_cuts_samples_not_ways),
        TEST(smis_are_watched_for),
        TEST(smis_of_a_second_are_survived),
        TEST(read_only_enters_no_port),
        TEST(unknown_rate_times_only_the_pm_timer),
        TEST(no_core_no_measurement),
        TEST(ports_cost_what_they_cost),
        TEST(others_are_measured_at_one_length),
        TEST(packages_each_get_a_sweep),
        TEST(a_stopped_timer_is_survived),
        TEST(contention_has_a_curve_and_a_knee),
        TEST(the_slowest_of_a_crowd_is_named),
        TEST(progress_says_which_cpu_and_state),
        TEST(the_knee_is_where_the_bus_is_full),
        TEST(an_absent_cpu_is_left_out),
        TEST(every_cpu_without_figures_has_its_reason),
        TEST(a_cpu_may_die_at_any_moment),
        TEST(one_that_comes_late_reads_in_no_crowd),
        TEST(an_interrupt_for_ever_ends_the_measurement),
        TEST(a_boot_cpu_that_cannot_be_taken_is_said_of_all),
        TEST(what_does_not_go_back_is_named),
        TEST(published_zen3_is_harmful),
        TEST(serial_firmware_measures_in_turn),
        TEST(parked_cpus_halt_or_spin_as_told),
        TEST(a_person_may_stop_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
