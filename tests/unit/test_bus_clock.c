#include "model/bus_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct bus_clock clock_of(uint32_t model, uint64_t fsb)
{
    struct cpu_identity identity = {
        .avail = AVAIL_PRESENT, .vendor = VENDOR_INTEL, .family = 6, .model = model};
    struct msr_value msr = {AVAIL_PRESENT, fsb};
    struct bus_clock clock;

    bus_clock_decode(&identity, msr, &clock);
    return clock;
}

static uint64_t khz_of(uint32_t model, uint64_t fsb)
{
    struct bus_clock clock = clock_of(model, fsb);

    return clock.avail == AVAIL_PRESENT ? clock.khz : 0;
}

/* Kernel-facts 4.6, row by row. */
static void atom_tables(void **state)
{
    static const uint64_t slm[] = {83300, 100000, 133300, 116700, 80000, 0, 0, 0};
    static const uint64_t amt[] = {83300, 100000, 133300, 116700, 80000,
                                   93300, 90000,  88900,  87500,  0};

    (void)state;
    for (uint64_t i = 0; i < 8; i++) {
        assert_int_equal(khz_of(0x37, i), slm[i]);
        assert_int_equal(khz_of(0x37, i | 0xFF8), slm[i]);
    }
    for (uint64_t i = 0; i < 10; i++) {
        assert_int_equal(khz_of(0x4C, i), amt[i]);
    }
    assert_int_equal(khz_of(0x4A, 0), 0);
    assert_int_equal(khz_of(0x5A, 3), 100000);
    assert_int_equal(khz_of(0x27, 7), 83200);
    assert_int_equal(khz_of(0x35, 1), 133200);
    assert_int_equal(clock_of(0x37, 6).avail, AVAIL_ABSENT);
}

static void other_models(void **state)
{
    struct cpu_identity amd = {.avail = AVAIL_PRESENT, .vendor = VENDOR_AMD, .family = 0x19};
    struct bus_clock clock;

    (void)state;
    assert_int_equal(khz_of(0x9E, 0), 100000);
    assert_int_equal(khz_of(0x2C, 0), 133333);
    assert_int_equal(khz_of(0x75, 9), 78000);
    assert_int_equal(khz_of(0x17, 0), 0);
    bus_clock_decode(&amd, (struct msr_value){AVAIL_PRESENT, 1}, &clock);
    assert_int_equal(clock.avail, AVAIL_UNTRIED);
}

static void a_fault_is_passed_on(void **state)
{
    struct cpu_identity identity = {
        .avail = AVAIL_PRESENT, .vendor = VENDOR_INTEL, .family = 6, .model = 0x37};
    struct bus_clock clock;

    (void)state;
    bus_clock_decode(&identity, (struct msr_value){AVAIL_FAULTED, 0}, &clock);
    assert_int_equal(clock.avail, AVAIL_FAULTED);
    assert_int_equal(bus_clock_tsc_khz(&clock, 16), 0);
}

/* Kernel-facts 12.3: the TSC code keeps exact fractions. */
static void tsc_uses_exact_fractions(void **state)
{
    struct bus_clock clock = clock_of(0x37, 0);

    (void)state;
    assert_int_equal(bus_clock_tsc_khz(&clock, 16), 1333333);
    clock = clock_of(0x27, 5);
    assert_int_equal(bus_clock_tsc_khz(&clock, 12), 1198080);
    clock = clock_of(0x4C, 8);
    assert_int_equal(bus_clock_tsc_khz(&clock, 8), 700000);
    clock = clock_of(0x9E, 0);
    assert_int_equal(bus_clock_tsc_khz(&clock, 36), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atom_tables),
        cmocka_unit_test(other_models),
        cmocka_unit_test(a_fault_is_passed_on),
        cmocka_unit_test(tsc_uses_exact_fractions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
