#include "drivers/work_kernel.h"
#include "model/freq.h"
#include "model/units.h"
#include "tests/sim/sim_freq_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint64_t four_mhz[] = {2400, 2000, 1600, 1200};

static struct sim_freq machine;
static struct sim_platform sim;

static void give_kernels(void)
{
    for (uint32_t cpu = 0; cpu < machine.count; cpu++) {
        machine.cpus[cpu].core.pieces = sim_freq_pieces;
    }
}

static void give_energy(void)
{
    static const uint64_t row_mw[] = {65000, 48000, 36000, 27000};

    memcpy(machine.row_mw, row_mw, sizeof(row_mw));
    machine.energy = (struct sim_energy_counter){.msr = 0x611,
                                                 .start_raw = 0xFFFF0000,
                                                 .step_pj = UINT64_C(1000000000000) >> 14,
                                                 .period_ps = UINT64_C(1000000000)};
}

static void measure(void)
{
    sim_freq_platform(&machine, &sim, four_mhz);
    if (machine.energy.msr != 0) {
        sim_platform_msr(&sim, SIM_ALL_CPUS, 0x606, 0xA0E03);
        sim_platform_msr(&sim, SIM_ALL_CPUS, 0x611, 0);
    }
    sim_freq_run(&machine, &sim);
    if (machine.failure != NULL) {
        fail_msg("%s", machine.failure);
    }
    for (uint32_t cpu = 0; cpu < machine.count; cpu++) {
        assert_int_equal(machine.cpus[cpu].control, 0);
        assert_false(machine.cpus[cpu].is_taken);
    }
}

static void release(void)
{
    sim_platform_free(&sim);
    sim_freq_free(&machine);
}

static const struct work_sample *sample_of(enum work_kernel kernel, uint32_t row, uint32_t active)
{
    for (uint32_t i = 0; i < sim.platform.work_count; i++) {
        const struct work_sample *sample = &sim.platform.work[i];

        if (sample->kernel == kernel && sample->pss_index == row && sample->active == active &&
            !sample->is_boost_off) {
            return sample;
        }
    }
    fail_msg("no sample of row %u on %u cores", row, active);
    return NULL;
}

static void assert_near(uint64_t value, uint64_t expected, uint64_t ppm)
{
    if (units_difference_ppm(value, expected) > ppm) {
        fail_msg("%lu is not within %lu ppm of %lu", (unsigned long)value, (unsigned long)ppm,
                 (unsigned long)expected);
    }
}

static void work_and_energy_are_those_of_the_machine(void **state)
{
    (void)state;
    sim_freq_init(&machine, 4, 1);
    give_kernels();
    give_energy();
    measure();
    for (uint32_t row = 0; row < 4; row++) {
        for (uint32_t active = 1; active <= 4; active += 3) {
            const struct work_sample *integer = sample_of(WORK_INTEGER, row, active);
            const struct work_sample *memory = sample_of(WORK_MEMORY, row, active);
            uint64_t per_s = four_mhz[row] * 1000000 / SIM_FREQ_PIECE_CLOCKS;

            assert_int_equal(integer->requested_khz, four_mhz[row] * 1000);
            assert_near(integer->pieces_per_s, active * per_s, 2000);
            assert_near(memory->pieces_per_s, active * UINT64_C(100000), 2000);
            assert_int_equal(integer->package_avail, AVAIL_PRESENT);
            assert_near(work_package_mw(integer, sim.platform.tsc_hz), machine.row_mw[row],
                        integer->uncertainty_ppm + 100);
            assert_true(integer->uncertainty_ppm < 5000);
            assert_near(work_per_joule_milli(integer, sim.platform.tsc_hz),
                        active * per_s * 1000000 / machine.row_mw[row], 8000);
            assert_false(integer->is_wrong);
        }
    }
    assert_null(sim.platform.work_skipped);
    release();
}

static void missing_energy_has_its_reason(void **state)
{
    (void)state;
    sim_freq_init(&machine, 2, 2);
    give_kernels();
    measure();
    assert_int_not_equal(sample_of(WORK_INTEGER, 0, 1)->package_avail, AVAIL_PRESENT);
    assert_non_null(sample_of(WORK_INTEGER, 0, 1)->no_energy_why);
    assert_int_equal(work_package_mw(sample_of(WORK_INTEGER, 0, 2), sim.platform.tsc_hz), 0);
    release();
    sim_freq_init(&machine, 2, 3);
    give_kernels();
    give_energy();
    machine.energy.is_stuck = true;
    measure();
    assert_string_equal(sample_of(WORK_MEMORY, 3, 2)->no_energy_why,
                        "the energy counter does not move");
    release();
}

static void wrong_results_name_their_row(void **state)
{
    (void)state;
    sim_freq_init(&machine, 2, 4);
    give_kernels();
    machine.has_wrong_row = true;
    machine.wrong_row = 2;
    measure();
    for (uint32_t row = 0; row < 4; row++) {
        assert_int_equal(sample_of(WORK_INTEGER, row, 2)->is_wrong, row == 2);
    }
    release();
}

static void packages_are_apart(void **state)
{
    uint32_t of_package[2] = {0, 0};

    (void)state;
    sim_freq_init(&machine, 4, 5);
    machine.packages = 2;
    give_kernels();
    give_energy();
    measure();
    for (uint32_t i = 0; i < sim.platform.work_count; i++) {
        assert_true(sim.platform.work[i].active <= 2);
        of_package[sim.platform.work[i].package]++;
    }
    /* One core: the first of package 0 only. */
    assert_int_equal(of_package[0], 4 * 2 * 2);
    assert_int_equal(of_package[1], 4 * 2);
    release();
}

static void core_without_kernels_says_so(void **state)
{
    (void)state;
    sim_freq_init(&machine, 2, 6);
    measure();
    assert_int_equal(sim.platform.work_count, 0);
    assert_non_null(sim.platform.work_skipped);
    release();
}

static void kernels_check_themselves(void **state)
{
    uint64_t *buffer = malloc(WORK_BUFFER_BYTES);

    (void)state;
    assert_non_null(buffer);
    work_buffer_fill(buffer);
    assert_true(work_piece(WORK_INTEGER, 0, NULL));
    for (uint64_t piece = 0; piece < 2 * WORK_LAP; piece++) {
        assert_true(work_piece(WORK_MEMORY, piece, buffer));
    }
    buffer[WORK_LINE_WORDS * (WORK_LINES + 5)] ^= 1;
    assert_true(work_piece(WORK_MEMORY, 0, buffer));
    assert_false(work_piece(WORK_MEMORY, 1, buffer));
    assert_false(work_piece(WORK_MEMORY, 1 + WORK_LAP, buffer));
    free(buffer);
}

/* The published figure: 114 MB/s for 2010 J is 0.0567 (mission, AMD Fast CPPC). */
static void ratio_is_that_of_the_published_table(void **state)
{
    struct work_sample sample = {.pieces_per_s = 114000000,
                                 .package_avail = AVAIL_PRESENT,
                                 .package_uj = 2010,
                                 .energy_tsc = 1000000};

    (void)state;
    /* 114e6 pieces a second for 1 ms are 114000, by 2010 uJ: 56716418 a joule. */
    assert_int_equal(work_per_joule_milli(&sample, 1000000000), UINT64_C(56716417910));
    assert_int_equal(work_package_mw(&sample, 1000000000), 2010);
    assert_int_equal(work_per_joule_milli(&sample, 0), 0);
    sample.package_uj = 0;
    assert_int_equal(work_per_joule_milli(&sample, 1000000000), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_and_energy_are_those_of_the_machine),
        cmocka_unit_test(missing_energy_has_its_reason),
        cmocka_unit_test(wrong_results_name_their_row),
        cmocka_unit_test(packages_are_apart),
        cmocka_unit_test(core_without_kernels_says_so),
        cmocka_unit_test(kernels_check_themselves),
        cmocka_unit_test(ratio_is_that_of_the_published_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
