#include "model/idle_energy.h"
#include "model/idle_reach.h"
#include "tests/unit/idle_machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The energy of sleeps, and from which length on a state pays: machines whose power is known. */

static const struct idle_reach *reach_of(enum idle_entry entry, enum dummy_read dummy)
{
    for (uint32_t i = 0; i < sim.platform.idle_reach_count; i++) {
        const struct idle_reach *reach = &sim.platform.idle_reach[i];
        const struct idle_sample_set *set = &sim.platform.idle[reach->first_set];

        if (set->entry == entry && set->dummy_read == dummy) {
            return reach;
        }
    }
    return NULL;
}

/* What a sleep of L us takes more in the port than in HLT, in nJ: the port's read and way out are awake, HLT's way
 * out is; zero is where they are equal. */
static uint64_t true_break_even_us(uint64_t awake_mw, uint64_t halt_mw, uint64_t port_mw,
                                   uint64_t port_us, uint64_t exit_us)
{
    return (awake_mw * (port_us + exit_us - 1) - port_mw * port_us) / (halt_mw - port_mw);
}

static void break_even_is_found(void **state)
{
    static const uint64_t exits_us[] = {10, 30, 100, 400};

    (void)state;
    for (size_t i = 0; i < sizeof(exits_us) / sizeof(exits_us[0]); i++) {
        uint64_t true_us = true_break_even_us(40000, 20000, 10000, 1, exits_us[i]);
        const struct idle_reach *reach;

        remake(1);
        sim.options.samples = 0;
        give_power(40000, 20000, 10000);
        machine.exit_ps = exits_us[i] * US;
        (void)measure();
        assert_null(sim.platform.idle_energy_why);
        reach = reach_of(IDLE_IO, DUMMY_NONE);
        assert_non_null(reach);
        assert_int_equal(reach->break_even, AVAIL_PRESENT);
        print_message("# exit %u us: true %u us, found %u us\n", (unsigned)exits_us[i],
                      (unsigned)true_us, (unsigned)reach->break_even_us);
        assert_in_range(reach->break_even_us, true_us - true_us / 20 - 2,
                        true_us + true_us / 20 + 2);
    }
}

static void energy_of_a_sleep_is_right(void **state)
{
    const struct idle_sample_set *set;

    (void)state;
    give_power(40000, 20000, 10000);
    (void)measure();
    set = find(0, IDLE_IO, DUMMY_NONE, 1000000);
    assert_true(set->has_energy);
    /* 999 us at 10 W, 31 us at 40 W: 11230 uJ, and what lies between two sleeps. */
    assert_in_range(idle_energy_nj(set), 11230000, 11230000 + 11230000 / 20);
    assert_in_range(set->energy_uncertainty_ppm, 1, 60000);
    /* Short sleeps go on until the counter's steps are small beside the whole. */
    assert_true(find(0, IDLE_MWAIT, DUMMY_NONE, 5000)->elapsed_tsc >= machine.tsc_hz / 10);
}

static void a_state_that_saves_nothing_never_pays(void **state)
{
    (void)state;
    give_power(40000, 20000, 20000);
    (void)measure();
    assert_int_equal(reach_of(IDLE_IO, DUMMY_NONE)->break_even, AVAIL_ABSENT);
    assert_int_equal(reach_of(IDLE_HLT, DUMMY_NONE)->break_even, AVAIL_UNTRIED);
}

static void without_a_counter_the_reason_is_said(void **state)
{
    (void)state;
    (void)measure();
    assert_non_null(sim.platform.idle_energy_why);
    assert_false(find(0, IDLE_IO, DUMMY_NONE, 1000000)->has_energy);
    assert_int_equal(reach_of(IDLE_IO, DUMMY_NONE)->break_even, AVAIL_UNTRIED);
}

static void a_counter_that_stands_still_is_said(void **state)
{
    (void)state;
    give_power(1, 1, 1);
    (void)measure();
    assert_non_null(strstr(sim.platform.idle_energy_why, "does not move"));
    assert_non_null(find(0, IDLE_IO, DUMMY_NONE, 1000000));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(break_even_is_found),
        TEST(energy_of_a_sleep_is_right),
        TEST(a_state_that_saves_nothing_never_pays),
        TEST(without_a_counter_the_reason_is_said),
        TEST(a_counter_that_stands_still_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
