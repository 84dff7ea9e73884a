#include "drivers/pcc_channel.h"
#include "model/units.h"
#include "tests/sim/sim_freq_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define US UINT64_C(1000000) /* in ps */
#define ROWS 5U

/* Highest, nominal, lowest and what the program puts between them; 10 MHz each. */
static const uint64_t levels[ROWS] = {300, 240, 200, 160, 120};
static const uint64_t unused_mhz[ROWS] = {3000, 2400, 2000, 1600, 1200};

static struct sim_freq machine;
static struct sim_platform sim;

static void start(uint32_t cpus, uint64_t seed)
{
    sim_freq_init(&machine, cpus, seed);
    machine.rows = ROWS;
    for (uint32_t row = 0; row < ROWS; row++) {
        machine.true_khz[row] = levels[row] * 10000;
    }
    sim_freq_make_pcc(&machine, levels);
}

static void measure(void)
{
    sim_freq_platform(&machine, &sim, unused_mhz);
    sim_freq_run(&machine, &sim);
}

static void check_and_free(bool is_as_before)
{
    if (machine.failure != NULL) {
        fail_msg("%s", machine.failure);
    }
    if (is_as_before) {
        assert_memory_equal(machine.pcc.word, machine.pcc.first_word, sizeof(machine.pcc.word));
        assert_int_equal(sim.platform.requests_left_count, 0);
    }
    assert_false(machine.cpus[0].is_taken);
    sim_platform_free(&sim);
    sim_freq_free(&machine);
}

static const struct freq_sample *sample_at(uint32_t cpu, uint64_t control)
{
    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        if (sim.platform.freq[i].cpu == cpu && sim.platform.freq[i].control == control) {
            return &sim.platform.freq[i];
        }
    }
    fail_msg("CPU %u has no sample of level %lu", cpu, (unsigned long)control);
    return NULL;
}

/* Every level on every CPU is what was asked for, one command a level serves all, and the memory is as before. */
static void expect_all_levels(uint32_t cpus)
{
    assert_null(sim.platform.freq_skipped);
    assert_int_equal(sim.platform.freq_count, ROWS * cpus);
    for (uint32_t cpu = 0; cpu < cpus; cpu++) {
        for (uint32_t row = 0; row < ROWS; row++) {
            const struct freq_sample *sample = sample_at(cpu, levels[row]);

            assert_int_equal(sample->kind, FREQ_CPPC_PCC);
            assert_int_equal(sample->requested_khz, levels[row] * 10000);
            assert_in_range(units_difference_ppm(sample->figure.khz, levels[row] * 10000), 0, 200);
        }
    }
}

static void fast_platform(void **state)
{
    const struct pcc_account *account;

    (void)state;
    start(4, 1);
    machine.up_ps = 30 * US;
    machine.down_ps = 20 * US;
    measure();
    expect_all_levels(4);
    assert_int_equal(sim.platform.pcc_count, 1);
    account = &sim.platform.pcc[0];
    assert_int_equal(account->commands, machine.pcc.reads + machine.pcc.writes);
    assert_in_range(account->timed, ROWS, account->commands);
    assert_int_equal(account->timeouts + account->errors, 0);
    assert_in_range(account->sum_ns / account->timed, 40000, 43000);
    assert_int_equal(machine.pcc.reads, 2);
    assert_true(sim.platform.requests.was_opened);
    assert_int_equal(sim.platform.requests.saved, 12);
    check_and_free(true);
}

/* From the doorbell: the platform's 40 us and then the clock's own time. */
static void settling_of_the_boot_cpu(void **state)
{
    (void)state;
    start(2, 2);
    machine.up_ps = 200 * US;
    machine.down_ps = 100 * US;
    measure();
    assert_int_equal(sim.platform.freq_settlings_count, 2 * ROWS);
    for (uint32_t i = 0; i < sim.platform.freq_settlings_count; i++) {
        const struct freq_settling *one = &sim.platform.freq_settlings[i];
        uint64_t us = one->to_index < one->from_index ? 240 : 140;

        assert_int_equal(one->cpu, 0);
        assert_int_equal(one->kind, FREQ_CPPC_PCC);
        assert_int_equal(one->unsettled, 0);
        assert_in_range(one->settle_tsc.p50, us * 2400 * 95 / 100, us * 2400 * 105 / 100);
    }
    check_and_free(true);
}

/* 80 ms a command: the boot CPU's stretch would not stand it, so that the firmware has it meanwhile. */
static void slow_platform(void **state)
{
    (void)state;
    start(2, 3);
    machine.pcc.latency_ps = 20000 * US;
    measure();
    expect_all_levels(2);
    assert_in_range(sim.platform.pcc[0].longest_ns, 20000000, 26000000);
    check_and_free(true);
}

static void doorbell_in_io_space(void **state)
{
    (void)state;
    start(2, 4);
    machine.pcc.is_bell_port = true;
    machine.pcc.bell = 0x72;
    machine.pcc.preserve = 0xF0;
    measure();
    expect_all_levels(2);
    check_and_free(true);
}

static void turnaround_is_kept(void **state)
{
    (void)state;
    start(2, 5);
    machine.pcc.turnaround_ps = 300 * US;
    measure();
    expect_all_levels(2);
    check_and_free(true);
}

/* Eight commands: one to look, five levels; the rest is for putting back. No boost, no settling; it says why. */
static void access_rate_is_kept(void **state)
{
    (void)state;
    start(2, 6);
    machine.pcc.most_a_minute = 8;
    measure();
    assert_int_equal(sim.platform.freq_count, ROWS * 2);
    assert_in_range(machine.pcc.reads + machine.pcc.writes, 7, 8);
    assert_true(sim.platform.freq_refusals_count > 0);
    assert_non_null(strstr(sim.platform.freq_refusals[0].why, "no more commands a minute"));
    check_and_free(true);
}

static void too_few_commands_allowed(void **state)
{
    (void)state;
    start(1, 7);
    machine.pcc.most_a_minute = 2;
    measure();
    assert_int_equal(machine.pcc.reads + machine.pcc.writes, 0);
    assert_int_equal(sim.platform.freq[0].kind, FREQ_NO_REQUEST);
    check_and_free(true);
}

static void never_completes(void **state)
{
    (void)state;
    start(2, 8);
    machine.pcc.never_completes = true;
    machine.pcc.good = 0;
    measure();
    assert_int_equal(sim.platform.pcc[0].commands, 1);
    assert_int_equal(sim.platform.pcc[0].timeouts, 1);
    assert_int_equal(machine.pcc.writes, 0);
    assert_int_equal(sim.platform.freq_count, 2);
    assert_int_equal(sim.platform.freq[0].kind, FREQ_NO_REQUEST);
    assert_non_null(strstr(sim.platform.freq_refusals[0].why, "in time"));
    check_and_free(true);
}

/* In the middle: what stands in the memory is then not known, and that is said of every register that was written. */
static void stops_completing(void **state)
{
    (void)state;
    start(2, 9);
    machine.pcc.never_completes = true;
    machine.pcc.good = 3;
    measure();
    assert_int_equal(sim.platform.pcc[0].timeouts, 1);
    assert_int_equal(sim.platform.requests_left_count, 6);
    assert_int_equal(sim.platform.requests_left[0].where, REQUEST_IN_MEMORY);
    assert_int_equal(sim.platform.requests_left[0].end, REQUEST_END_NO_ANSWER);
    assert_int_equal(sim.platform.requests_left[0].address, SIM_PCC_BASE + 8);
    /* Two levels were measured, the third was not answered: no CPU has it as asked for. */
    for (uint32_t i = 0; i < sim.platform.freq_count; i++) {
        assert_true(sim.platform.freq[i].control >= levels[1]);
    }
    assert_int_equal(sim.platform.freq_count, 4);
    check_and_free(false);
}

static void reports_an_error(void **state)
{
    (void)state;
    start(2, 10);
    machine.pcc.reports_error = true;
    machine.pcc.good = 2;
    measure();
    assert_true(sim.platform.pcc[0].errors > 0);
    assert_int_equal(sim.platform.pcc[0].timeouts, 0);
    assert_non_null(strstr(sim.platform.freq_refusals[0].why, "error"));
    /* Stored as before, but the platform did not say that it acts on it. */
    assert_memory_equal(machine.pcc.word, machine.pcc.first_word, sizeof(machine.pcc.word));
    assert_int_equal(sim.platform.requests_left_count, 6);
    check_and_free(false);
}

static void a_key_puts_it_back(void **state)
{
    (void)state;
    start(2, 11);
    machine.keys_after = 2;
    measure();
    assert_non_null(sim.platform.freq_skipped);
    assert_true(sim.platform.freq_count > 0);
    check_and_free(true);
}

static void others_run_after_the_boot_cpu(void **state)
{
    (void)state;
    start(2, 12);
    machine.is_serial = true;
    measure();
    for (uint32_t row = 0; row < ROWS; row++) {
        (void)sample_at(0, levels[row]);
    }
    assert_int_equal(sim.platform.freq_count, ROWS + 1);
    check_and_free(true);
}

static void is_refused(const struct pcct_subspace *subspace, const char *why)
{
    const char *found = pcc_channel_why_not(subspace);

    assert_non_null(found);
    if (strstr(found, why) == NULL) {
        fail_msg("\"%s\" instead of \"%s\"", found, why);
    }
}

static void senseless_doorbells(void **state)
{
    const struct pcct_subspace good = {
        .is_decoded = true,
        .base_paddr = SIM_PCC_BASE,
        .length_bytes = 0x1000,
        .doorbell = {.space = GAS_SYSTEM_MEMORY, .width_bits = 32, .address = SIM_PCC_BELL},
        .preserve_mask = 0xFFFFFFFE,
        .write_mask = 1};
    struct pcct_subspace bad = good;

    (void)state;
    assert_null(pcc_channel_why_not(&good));
    bad.type = 3;
    is_refused(&bad, "layout");
    bad = good;
    bad.length_bytes = 8;
    is_refused(&bad, "no shared memory");
    bad = good;
    bad.write_mask = UINT64_C(1) << 32;
    is_refused(&bad, "write mask");
    bad = good;
    bad.doorbell.address = SIM_PCC_BASE + 8;
    is_refused(&bad, "in shared memory");
    bad.doorbell.address = 0xFEE00300;
    is_refused(&bad, "interrupt controller");
    bad.doorbell.address = SIM_PCC_BELL + 2;
    is_refused(&bad, "aligned");
    bad.doorbell.space = GAS_PCI_CONFIG;
    is_refused(&bad, "neither");
    bad = good;
    bad.doorbell = (struct gas){.space = GAS_SYSTEM_IO, .width_bits = 8, .address = 0x70};
    is_refused(&bad, "legacy");
    bad.doorbell.address = 0xCF9;
    is_refused(&bad, "legacy");
    bad.doorbell.address = 0xB2;
    assert_null(pcc_channel_why_not(&bad));
    bad.doorbell.width_bits = 64;
    is_refused(&bad, "width");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_platform),
        cmocka_unit_test(settling_of_the_boot_cpu),
        cmocka_unit_test(slow_platform),
        cmocka_unit_test(doorbell_in_io_space),
        cmocka_unit_test(turnaround_is_kept),
        cmocka_unit_test(access_rate_is_kept),
        cmocka_unit_test(too_few_commands_allowed),
        cmocka_unit_test(never_completes),
        cmocka_unit_test(stops_completing),
        cmocka_unit_test(reports_an_error),
        cmocka_unit_test(a_key_puts_it_back),
        cmocka_unit_test(others_run_after_the_boot_cpu),
        cmocka_unit_test(senseless_doorbells),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
