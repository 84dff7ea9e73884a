#include "drivers/idle_measure.h"
#include "model/journal.h"
#include "tests/unit/idle_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Each way of going idle is in the journal before a CPU enters it, and what an earlier run hung in is left out. The
 * simulated machine's passes are watched: `entered` is looked at in each, on whichever CPU. */

#define CPUS 4U
#define RUN "2026-12-01 03:00"
#define LEFT_OUT "left out: it hung"
#define C2 "C2 by port 0x814"

static struct journal journal;
static enum status (*real_pass)(const struct timing *timing, const struct port_sequence *sequence,
                                struct port_stamps *ret_stamps);
static uint32_t announced; /* parts, so far */
static uint32_t entered[CPUS];
static uint32_t unnamed[CPUS]; /* entered while the journal said something else */
static bool is_by_state;       /* the others go on state by state */

static enum step_answer announce(void *context, const struct step *step)
{
    (void)context;
    assert_false(machine.cpus[0].is_taken);
    journal_step_text(step, journal.current);
    announced++;
    return journal_answer(&journal, step);
}

static const char *left_out(void *context, const struct step *step)
{
    (void)context;
    return journal_left_out_by(&journal, step) < journal.ended_count ? LEFT_OUT : NULL;
}

static const struct step_listener steps = {.announce = announce, .left_out = left_out};

static uint32_t cpu_of(const struct timing *timing)
{
    uint32_t cpu = 0;

    while (cpu < CPUS && timing != &machine.cpus[cpu].core) {
        cpu++;
    }
    return cpu;
}

static bool is_named(uint32_t cpu)
{
    if (strstr(journal.current, "ports read by all") != NULL) {
        return true;
    }
    if (cpu == 0) {
        return strstr(journal.current, IDLE_MEASURE_STEP ": CPU 0: " C2) == journal.current;
    }
    return is_by_state ? strstr(journal.current, IDLE_OTHERS_STEP ": " C2) == journal.current
                       : strcmp(journal.current, IDLE_OTHERS_STEP) == 0;
}

static enum status watched_pass(const struct timing *timing, const struct port_sequence *sequence,
                                struct port_stamps *ret_stamps)
{
    uint32_t cpu = cpu_of(timing);

    if (cpu < CPUS && sequence->entry == TIMING_IO) {
        entered[cpu]++;
        unnamed[cpu] += is_named(cpu) ? 0U : 1U;
    }
    return real_pass(timing, sequence, ret_stamps);
}

static void hang_in(const char *step)
{
    (void)snprintf(journal.ended[journal.ended_count], JOURNAL_STEP_BYTES, "%s", step);
    (void)snprintf(journal.ended_run[journal.ended_count++], JOURNAL_TIME_BYTES, RUN);
}

static void run(void)
{
    const struct idle_measure measure = {
        .hw = &machine.hw, .timing = &machine.cpus[0].core, .crew = &machine.crew, .steps = &steps};

    announced = 0;
    memset(entered, 0, sizeof(entered));
    memset(unnamed, 0, sizeof(unnamed));
    idle_measure(&measure, &sim.platform);
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        assert_int_equal(unnamed[cpu], 0);
    }
}

static int start(void **state)
{
    (void)set_up(state);
    remake(CPUS);
    memset(&journal, 0, sizeof(journal));
    is_by_state = false;
    real_pass = machine.cpus[0].core.pass;
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        machine.cpus[cpu].core.pass = watched_pass;
    }
    return 0;
}

static const char *why_not(uint32_t cpu, enum idle_entry entry, enum dummy_read dummy)
{
    for (uint32_t i = 0; i < sim.platform.idle_not_timed_count; i++) {
        const struct idle_not_timed *one = &sim.platform.idle_not_timed[i];

        if (one->cpu == cpu && one->way.entry == entry && one->way.dummy_read == dummy) {
            return one->way.not_timed;
        }
    }
    return NULL;
}

static void each_way_is_named_before_it_is_entered(void **state)
{
    (void)state;
    run();
    assert_null(sim.platform.idle_skipped);
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        assert_true(entered[cpu] > 40);
        assert_non_null(find(cpu, IDLE_IO, DUMMY_NONE, 1000000));
    }
    /* How the others rest, the boot CPU's four ways, the others, contention. */
    assert_int_equal(announced, 1 + 4 + 1 + 1);
}

/* The state would surely hang elsewhere and with the second read as well; everything else is measured. */
static void a_state_that_hung_on_the_boot_cpu_is_left_out(void **state)
{
    (void)state;
    hang_in(IDLE_MEASURE_STEP ": CPU 0: " C2);
    run();
    assert_null(sim.platform.idle_skipped);
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        assert_int_equal(entered[cpu], 0);
        assert_string_equal(why_not(cpu, IDLE_IO, DUMMY_NONE), LEFT_OUT);
        assert_string_equal(why_not(cpu, IDLE_IO, DUMMY_PM_TIMER), LEFT_OUT);
        assert_non_null(find(cpu, IDLE_HLT, DUMMY_NONE, 1000000));
        assert_non_null(find(cpu, IDLE_MWAIT, DUMMY_NONE, 1000000));
    }
    assert_int_equal(sim.platform.idle_not_timed_count, 2 * CPUS);
}

static void a_second_read_that_hung_is_left_out_alone(void **state)
{
    (void)state;
    hang_in(IDLE_MEASURE_STEP ": CPU 0: " C2 " and the PM timer");
    run();
    assert_non_null(find(0, IDLE_IO, DUMMY_NONE, 1000000));
    assert_null(find(0, IDLE_IO, DUMMY_PM_TIMER, 1000000));
    assert_string_equal(why_not(0, IDLE_IO, DUMMY_PM_TIMER), LEFT_OUT);
    assert_int_equal(sim.platform.idle_not_timed_count, CPUS);
}

/* Another kind of core may be sound. */
static void another_kind_of_core_is_tried(void **state)
{
    (void)state;
    hang_in(IDLE_MEASURE_STEP ": CPU 0: " C2);
    sim.platform.cpus[2].core_type = 0x20;
    run();
    assert_int_equal(entered[1], 0);
    assert_true(entered[2] > 40);
    assert_non_null(find(2, IDLE_IO, DUMMY_NONE, 1000000));
}

/* They measured side by side when the run ended: the next run goes on state by state, and all are measured. */
static void a_hang_of_the_others_gets_its_name(void **state)
{
    (void)state;
    hang_in(IDLE_OTHERS_STEP);
    is_by_state = true;
    run();
    assert_null(sim.platform.idle_skipped);
    assert_int_equal(sim.platform.idle_not_timed_count, 0);
    for (uint32_t cpu = 1; cpu < CPUS; cpu++) {
        assert_non_null(find(cpu, IDLE_HLT, DUMMY_NONE, 1000000));
        assert_non_null(find(cpu, IDLE_IO, DUMMY_NONE, 1000000));
        assert_non_null(find(cpu, IDLE_IO, DUMMY_PM_TIMER, 1000000));
    }
    assert_true(announced > 1 + 4 + 1 + 4);
}

static void what_hung_on_the_others_is_left_out_there(void **state)
{
    (void)state;
    hang_in(IDLE_OTHERS_STEP);
    hang_in(IDLE_OTHERS_STEP ": " C2);
    is_by_state = true;
    run();
    assert_non_null(find(0, IDLE_IO, DUMMY_NONE, 1000000));
    for (uint32_t cpu = 1; cpu < CPUS; cpu++) {
        assert_int_equal(entered[cpu], 0);
        assert_string_equal(why_not(cpu, IDLE_IO, DUMMY_NONE), LEFT_OUT);
        assert_string_equal(why_not(cpu, IDLE_IO, DUMMY_PM_TIMER), LEFT_OUT);
        assert_non_null(find(cpu, IDLE_MWAIT, DUMMY_NONE, 1000000));
    }
}

/* The same without a leader: then nobody could name the state, and the others are not measured. */
static void others_that_hung_in_turn_are_left_out(void **state)
{
    (void)state;
    machine.is_serial = true;
    hang_in(IDLE_OTHERS_STEP);
    run();
    assert_non_null(find(0, IDLE_IO, DUMMY_NONE, 1000000));
    for (uint32_t cpu = 1; cpu < CPUS; cpu++) {
        assert_int_equal(entered[cpu], 0);
        assert_non_null(why_not(cpu, IDLE_IO, DUMMY_NONE));
    }
}

static void a_way_to_rest_that_hung_is_not_used(void **state)
{
    (void)state;
    run();
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->others, "MWAIT");
    hang_in("let the other CPUs rest: in MWAIT 0x0");
    run();
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->others, "HLT");
    hang_in("let the other CPUs rest: in HLT");
    run();
    assert_string_equal(find(0, IDLE_HLT, DUMMY_NONE, 1000000)->others, "spinning");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_way_is_named_before_it_is_entered),
        TEST(a_state_that_hung_on_the_boot_cpu_is_left_out),
        TEST(a_second_read_that_hung_is_left_out_alone),
        TEST(another_kind_of_core_is_tried),
        TEST(a_hang_of_the_others_gets_its_name),
        TEST(what_hung_on_the_others_is_left_out_there),
        TEST(others_that_hung_in_turn_are_left_out),
        TEST(a_way_to_rest_that_hung_is_not_used),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
