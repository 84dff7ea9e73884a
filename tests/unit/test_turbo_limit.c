#include "model/turbo_limit.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct sim_platform sim;

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static void be(uint32_t model)
{
    sim_platform_init(&sim, 2);
    sim_platform_identity(&sim, "GenuineIntel", 6, model);
}

static void assert_limit(uint32_t count, const struct turbo_step *steps)
{
    struct turbo_limit limit;

    platform_freeze(&sim.platform);
    turbo_limit_of(&sim.platform, 0, &limit);
    assert_int_equal(limit.avail, AVAIL_PRESENT);
    assert_int_equal(limit.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(limit.steps[i].cores, steps[i].cores);
        assert_int_equal(limit.steps[i].ratio, steps[i].ratio);
    }
}

/* bugs/open.md 37: one and two cores 17h, three and four 14h. */
static void atom_bytes(void **state)
{
    const struct turbo_step steps[] = {{2, 0x17}, {UINT32_MAX, 0x14}};

    (void)state;
    be(0x4C);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x66C, 0x14141717);
    assert_limit(2, steps);
}

static void core_bytes(void **state)
{
    const struct turbo_step steps[] = {{1, 38}, {2, 37}, {UINT32_MAX, 36}};

    (void)state;
    be(0x3C);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 0x24242526);
    assert_limit(3, steps);
}

/* A Skylake-X's groups: byte n of 1AEH says up to how many cores byte n of 1ADH holds. */
static void groups(void **state)
{
    const struct turbo_step steps[] = {{2, 37}, {4, 35}, {8, 34}, {12, 31}, {UINT32_MAX, 28}};

    (void)state;
    be(0x55);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, UINT64_C(0x0000001C1F222325));
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AE, UINT64_C(0x000000100C080402));
    assert_limit(5, steps);
}

/* Knights Landing: 2 cores at 16, then 4 more one ratio lower, then 62 more one lower still. */
static void deltas(void **state)
{
    const struct turbo_step steps[] = {{2, 16}, {6, 15}, {UINT32_MAX, 14}};

    (void)state;
    be(0x57);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD,
                     2U << 1 | 16U << 8 | (1U << 5 | 4U) << 16 | UINT64_C(1) << 29 |
                         UINT64_C(31) << 24 | UINT64_C(31) << 32);
    assert_limit(3, steps);
}

/* bugs of this kind: [7:0] is a ratio on most parts, a number of cores here. */
static void one_core_on_knights(void **state)
{
    (void)state;
    be(0x57);
    platform_freeze(&sim.platform);
    assert_int_equal(turbo_limit_one_core(&sim.platform, 0x3F3F1004), 16);
    sim_platform_free(&sim);
    be(0x3C);
    platform_freeze(&sim.platform);
    assert_int_equal(turbo_limit_one_core(&sim.platform, 0x3F3F1004), 4);
}

static void second_register(void **state)
{
    const struct turbo_step steps[] = {{2, 36}, {8, 33}, {12, 31}, {UINT32_MAX, 30}};

    (void)state;
    be(0x3F);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, UINT64_C(0x2121212121212424));
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AE, UINT64_C(0x1E1E1E1E1F1F1F1F));
    assert_limit(4, steps);
}

static void missing_is_said(void **state)
{
    struct turbo_limit limit;

    (void)state;
    be(0x55);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 0x25);
    platform_freeze(&sim.platform);
    turbo_limit_of(&sim.platform, 0, &limit);
    assert_int_equal(limit.avail, AVAIL_UNTRIED);
    assert_non_null(limit.from);
    sim.platform.cpus[1].core_type = 0x20;
    turbo_limit_of(&sim.platform, 1, &limit);
    assert_int_equal(limit.avail, AVAIL_ABSENT);
}

static void others_have_none(void **state)
{
    struct turbo_limit limit;

    (void)state;
    sim_platform_init(&sim, 1);
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x1AD, 0x25);
    platform_freeze(&sim.platform);
    turbo_limit_of(&sim.platform, 0, &limit);
    assert_int_equal(limit.avail, AVAIL_ABSENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(atom_bytes, tear_down),
        cmocka_unit_test_teardown(core_bytes, tear_down),
        cmocka_unit_test_teardown(groups, tear_down),
        cmocka_unit_test_teardown(deltas, tear_down),
        cmocka_unit_test_teardown(one_core_on_knights, tear_down),
        cmocka_unit_test_teardown(second_register, tear_down),
        cmocka_unit_test_teardown(missing_is_said, tear_down),
        cmocka_unit_test_teardown(others_have_none, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
