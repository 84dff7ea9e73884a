#include "model/linux/cppc_convert.h"
#include "model/linux/governor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* splitmix64, so that a failure can be repeated. */
static uint64_t next(uint64_t *seed)
{
    uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static void random_input(uint64_t *seed, uint64_t *rows, struct governor_input *ret_input)
{
    uint32_t count = (uint32_t)(next(seed) % 12) + 1;
    uint64_t khz = next(seed) % 6000000 + 1000000;

    for (uint32_t i = 0; i < count; i++) {
        rows[i] = khz;
        khz -= khz > 100 ? next(seed) % (khz / 2) + 1 : 0;
    }
    *ret_input = (struct governor_input){
        .rows_count = count,
        .row_khz = rows,
        .p0_row = count > 1 && next(seed) % 4 == 0 ? 1 : 0,
        .reference_khz = next(seed) % 8000000,
        .is_invariant = next(seed) % 3 != 0,
        .invariance_khz = next(seed) % 8000000,
        .delivered_khz = next(seed) % 8000000,
        .start_row = (uint32_t)(next(seed) % count),
        .util = (uint32_t)(next(seed) % 1025),
        .form = (enum governor_form)(next(seed) % 4),
    };
}

/* The loop ends, in a row of the table, and the short walk agrees with the one that is recorded. */
static void the_loop_always_ends(void **state)
{
    uint64_t seed = 7742;
    uint64_t rows[GOVERNOR_ROWS];

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct governor_input input;
        struct governor_run run;

        random_input(&seed, rows, &input);
        governor_run(&input, &run);
        assert_true(run.steps_count <= GOVERNOR_STEPS);
        assert_true(run.steady_row < input.rows_count);
        if (run.steps_count != 0) {
            assert_int_equal(run.steady_row,
                             governor_steady_row(&input, input.start_row, input.util));
        }
    }
}

/* Halving finds what a walk over every utilisation finds. */
static void thresholds_are_exact(void **state)
{
    uint64_t seed = 168;
    uint64_t rows[GOVERNOR_ROWS];

    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        struct governor_input input;
        uint32_t util = GOVERNOR_CAPACITY;
        uint32_t lowest;

        random_input(&seed, rows, &input);
        if (input.p0_row + 1 >= input.rows_count ||
            (input.is_invariant && input.invariance_khz == 0)) {
            continue;
        }
        lowest = input.rows_count - 1;
        while (util > 0 && governor_steady_row(&input, input.p0_row, util) < lowest) {
            util--;
        }
        assert_int_equal(governor_falls_to_lowest_below(&input), util);
    }
}

/* No values of firmware make the conversion divide by zero or overflow. */
static void cppc_takes_anything(void **state)
{
    uint64_t seed = 211791;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct cppc_scale scale = {(enum cppc_form)(next(&seed) % 3),
                                   (uint32_t)next(&seed) >> next(&seed) % 32,
                                   (uint32_t)next(&seed) >> next(&seed) % 32,
                                   (uint32_t)next(&seed) >> next(&seed) % 32,
                                   (uint32_t)next(&seed) >> next(&seed) % 32,
                                   (uint32_t)next(&seed) >> next(&seed) % 32,
                                   next(&seed) >> next(&seed) % 64};

        (void)cppc_convert_to_khz(&scale, next(&seed));
        (void)cppc_convert_to_perf(&scale, next(&seed));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loop_always_ends),
        cmocka_unit_test(thresholds_are_exact),

        cmocka_unit_test(cppc_takes_anything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
