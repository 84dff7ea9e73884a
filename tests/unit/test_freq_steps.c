#include "drivers/freq_session.h"
#include "model/journal.h"
#include "tests/sim/sim_freq_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Each request is in the journal before a CPU makes it, and what an earlier run hung in is not done. Writes of the
 * simulated machine's control register are looked at on the way. */

#define CPUS 4U
#define LEFT_OUT "left out: it hung"

static const uint64_t four_mhz[] = {2400, 2000, 1600, 1200};

static struct sim_freq machine;
static struct sim_platform sim;
static struct journal journal;
static struct hw_ops watched;
static const struct hw_ops *real;
static uint32_t announced;
static uint32_t asked[SIM_FREQ_ROWS];
static uint32_t unnamed; /* requests made before they were announced */
static bool is_announced[SIM_FREQ_ROWS];

static enum step_answer announce(void *context, const struct step *step)
{
    (void)context;
    assert_false(machine.cpus[0].is_taken);
    journal_step_text(step, journal.current);
    announced++;
    for (uint32_t row = 0; row < machine.rows; row++) {
        char part[FREQ_PART_BYTES];

        (void)snprintf(part, sizeof(part), "request for %u MHz (0x%x)", (unsigned)four_mhz[row],
                       (unsigned)machine.control[row]);
        is_announced[row] = is_announced[row] || strcmp(step->part, part) == 0;
    }
    return journal_answer(&journal, step);
}

static const char *left_out(void *context, const struct step *step)
{
    (void)context;
    return journal_left_out_by(&journal, step) < journal.ended_count ? LEFT_OUT : NULL;
}

static const struct step_listener steps = {.announce = announce, .left_out = left_out};

static enum avail watched_wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    for (uint32_t row = 0; row < machine.rows && msr == machine.control_msr; row++) {
        if (value == machine.control[row]) {
            asked[row]++;
            unnamed += is_announced[row] ? 0U : 1U;
        }
    }
    return real->wrmsr(hw, msr, value);
}

static int start(void **state)
{
    (void)state;
    sim_freq_init(&machine, CPUS, 11);
    memset(&journal, 0, sizeof(journal));
    return 0;
}

static int finish(void **state)
{
    (void)state;
    if (machine.failure != NULL) {
        fail_msg("%s", machine.failure);
    }
    sim_platform_free(&sim);
    sim_freq_free(&machine);
    return 0;
}

static void hang_in(const char *part)
{
    (void)snprintf(journal.ended[journal.ended_count++], JOURNAL_STEP_BYTES, "%s: %s",
                   FREQUENCY_MEASURE_STEP, part);
}

static void run(void)
{
    announced = 0;
    unnamed = 0;
    memset(asked, 0, sizeof(asked));
    memset(is_announced, 0, sizeof(is_announced));
    real = machine.hw.ops;
    watched = *real;
    watched.wrmsr = watched_wrmsr;
    machine.hw.ops = &watched;
    machine.steps = &steps;
    sim_freq_platform(&machine, &sim, four_mhz);
    sim_freq_run(&machine, &sim);
    assert_null(sim.platform.freq_skipped);
    assert_int_equal(unnamed, 0);
}

static bool is_refused(const char *start_of_why)
{
    for (uint32_t i = 0; i < sim.platform.freq_refusals_count; i++) {
        if (strncmp(sim.platform.freq_refusals[i].why, start_of_why, strlen(start_of_why)) == 0) {
            return true;
        }
    }
    return false;
}

static void each_request_is_named_before_it_is_made(void **state)
{
    (void)state;
    run();
    assert_int_equal(sim.platform.freq_count, CPUS * 4);
    assert_int_equal(sim.platform.freq_refusals_count, 0);
    for (uint32_t row = 0; row < 4; row++) {
        assert_true(is_announced[row]);
        assert_true(asked[row] >= CPUS);
    }
    /* How the others rest, four requests, more and more cores, each alone, settling; the boost switch is not there. */
    assert_int_equal(announced, 1 + 4 + 2 + 1);
}

/* On no CPU and in no part of the group; the other three are measured. */
static void a_request_that_hung_is_not_made(void **state)
{
    (void)state;
    (void)snprintf(journal.ended[0], JOURNAL_STEP_BYTES,
                   FREQUENCY_MEASURE_STEP ": request for 1600 MHz (0x%x)",
                   (unsigned)machine.control[2]);
    journal.ended_count = 1;
    run();
    assert_int_equal(asked[2], 0);
    assert_int_equal(sim.platform.freq_count, CPUS * 3);
    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        assert_int_not_equal(sim.platform.freq[i].pss_index, 2);
    }
    assert_true(sim.platform.freq_settlings_count > 0);
    assert_true(is_refused("request for 1600 MHz"));
    assert_int_equal(sim.platform.freq_refusals_count, 1);
}

static void a_part_that_hung_is_left_out(void **state)
{
    (void)state;
    hang_in("settling time after a changed request");
    hang_in("each core alone");
    run();
    assert_int_equal(sim.platform.freq_count, CPUS * 4);
    assert_int_equal(sim.platform.freq_settlings_count, 0);
    for (uint32_t i = 0; i < sim.platform.freq_boosts_count; i++) {
        assert_int_not_equal(sim.platform.freq_boosts[i].kind, FREQ_BOOST_ALONE);
    }
    assert_true(sim.platform.freq_boosts_count > 0);
    assert_true(is_refused("settling time"));
    assert_true(is_refused("each core alone"));
}

static void others_that_hung_in_turn_are_left_out(void **state)
{
    (void)state;
    machine.is_serial = true;
    run();
    assert_int_equal(sim.platform.freq_count, CPUS * 4);
    assert_string_equal(journal.current, FREQUENCY_MEASURE_STEP ": the other CPUs, in turn");
    sim_platform_free(&sim);
    sim_freq_free(&machine);
    (void)start(NULL);
    machine.is_serial = true;
    hang_in("the other CPUs, in turn");
    run();
    assert_int_equal(sim.platform.freq_count, 4);
    assert_true(is_refused("the other CPUs, in turn"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_request_is_named_before_it_is_made),
        TEST(a_request_that_hung_is_not_made),
        TEST(a_part_that_hung_is_left_out),
        TEST(others_that_hung_in_turn_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
