#include "drivers/frequency_request.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A machine with one register and one port; anything else is a failure. */
static struct {
    uint32_t msr;
    uint64_t value;
    uint16_t port;
    unsigned bytes;
    bool is_read_only;
} world;

static struct sim_platform sim;
static struct request_guard guard;
static struct object_set pct_set;

static enum avail rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    (void)hw;
    assert_int_equal(msr, world.msr);
    *ret_value = world.value;
    return AVAIL_PRESENT;
}

static enum avail wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    (void)hw;
    assert_int_equal(msr, world.msr);
    if (world.is_read_only) {
        return AVAIL_UNTRIED;
    }
    world.value = value;
    return AVAIL_PRESENT;
}

static enum status port_read(const struct hw *hw, uint16_t port, unsigned bytes,
                             uint32_t *ret_value)
{
    (void)hw;
    assert_int_equal(port, world.port);
    assert_int_equal(bytes, world.bytes);
    *ret_value = (uint32_t)world.value;
    return STATUS_OK;
}

static enum status port_write(const struct hw *hw, uint16_t port, unsigned bytes, uint32_t value)
{
    (void)hw;
    assert_int_equal(port, world.port);
    assert_int_equal(bytes, world.bytes);
    world.value = value;
    return STATUS_OK;
}

static const struct hw_ops ops = {
    .rdmsr = rdmsr, .wrmsr = wrmsr, .port_read = port_read, .port_write = port_write};
static const struct hw hw = {.ops = &ops, .name = "one register", .is_live = true};

static void give_pct(struct gas control, struct gas status)
{
    pct_set = (struct object_set){.kind = OBJECT_PCT};
    pct_set.pct = (struct pct){.is_package = true, .elements = 2};
    pct_set.pct.control = (struct object_register){.avail = AVAIL_PRESENT, .gas = control};
    pct_set.pct.status = (struct object_register){.avail = AVAIL_PRESENT, .gas = status};
    for (uint32_t i = 0; i < sim.platform.processors_count; i++) {
        sim.platform.processors[i].objects[OBJECT_PCT] =
            (struct object_result){.avail = AVAIL_PRESENT, .set = &pct_set};
    }
}

static int set_up(void **state)
{
    static const uint64_t mhz[] = {2250, 2000, 1500};

    (void)state;
    world.is_read_only = false;
    sim_platform_init(&sim, 1);
    sim_platform_identity(&sim, "AuthenticAMD", 0x17, 0x31);
    sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
    sim_platform_pss(&sim, mhz, 3);
    give_pct((struct gas){.space = GAS_FFH}, (struct gas){.space = GAS_FFH});
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC0010062, 0);
    assert_true(request_guard_open(&guard, &sim.platform));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static void rows_by_msr(void **state)
{
    struct frequency_way way;
    struct frequency_request requests[8];
    struct frequency_saved saved;
    uint64_t status = 9;

    (void)state;
    frequency_way_choose(&sim.platform, 0, &way);
    assert_int_equal(way.kind, FREQ_PSTATE_CTL);
    assert_int_equal(frequency_requests_make(&sim.platform, 0, &way, 8, requests), 3);
    assert_int_equal(requests[1].khz, 2000000);
    assert_int_equal(frequency_requests_make(&sim.platform, 0, &way, 2, requests), 2);
    world.msr = 0xC0010062;
    world.value = 0xABCD0000;
    frequency_save(&hw, &guard, 0, &way, &saved);
    assert_int_equal(frequency_request(&hw, &guard, 0, &way, &saved, &requests[1]), STATUS_OK);
    assert_int_equal(world.value, 0xABCD0001);
    world.msr = 0xC0010063;
    world.value = 0xF1;
    assert_int_equal(frequency_status(&hw, &way, &status), AVAIL_PRESENT);
    assert_int_equal(status, 1);
    world.msr = 0xC0010062;
    assert_true(frequency_restore(&hw, &guard, 0, &way, &saved));
    assert_int_equal(world.value, 0xABCD0000);
}

static void refused_writes_are_told(void **state)
{
    struct frequency_way way;
    struct frequency_request requests[8];
    struct frequency_saved saved = {.avail = AVAIL_UNTRIED};

    (void)state;
    frequency_way_choose(&sim.platform, 0, &way);
    (void)frequency_requests_make(&sim.platform, 0, &way, 8, requests);
    assert_int_equal(frequency_request(&hw, &guard, 0, &way, &saved, &requests[0]),
                     STATUS_UNSUPPORTED);
    world.msr = 0xC0010062;
    world.value = 1;
    frequency_save(&hw, &guard, 0, &way, &saved);
    world.is_read_only = true;
    assert_int_equal(frequency_request(&hw, &guard, 0, &way, &saved, &requests[0]), STATUS_DENIED);
}

static void rows_by_port(void **state)
{
    const struct gas port = {.space = GAS_SYSTEM_IO, .width_bits = 16, .address = 0x880};
    struct frequency_way way;
    struct frequency_request requests[8];
    struct frequency_saved saved;

    (void)state;
    give_pct(port, (struct gas){0});
    frequency_way_choose(&sim.platform, 0, &way);
    assert_int_equal(way.kind, FREQ_SYSTEM_IO);
    assert_int_equal(way.status_bytes, 0);
    assert_int_equal(frequency_requests_make(&sim.platform, 0, &way, 8, requests), 3);
    world.port = 0x880;
    world.bytes = 2;
    world.value = 7;
    frequency_save(&hw, &guard, 0, &way, &saved);
    assert_int_equal(frequency_request(&hw, &guard, 0, &way, &saved, &requests[2]), STATUS_OK);
    assert_int_equal(world.value, 2);
    assert_true(frequency_restore(&hw, &guard, 0, &way, &saved));
    assert_int_equal(world.value, 7);
}

static void enabled_cppc_takes_the_rows_place(void **state)
{
    struct frequency_way way;
    struct frequency_request requests[8];

    (void)state;
    sim_platform_cpc(&sim, 166, 100, 2250);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC00102B1, 1);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC00102B0, 166U << 24 | 100U << 16 | 60U << 8 | 10U);
    frequency_way_choose(&sim.platform, 0, &way);
    assert_int_equal(way.kind, FREQ_CPPC);
    assert_non_null(way.why_not);
    assert_int_equal(frequency_requests_make(&sim.platform, 0, &way, 8, requests), 5);
    assert_int_equal(requests[0].control, 0xA6A6A6);
    assert_int_equal(requests[1].khz, 2250000);
    assert_int_equal(requests[4].control, 0x0A0A0A);
    assert_int_equal(requests[4].pss_index, FREQ_NO_ROW);
}

static void enabled_hwp_takes_the_rows_place(void **state)
{
    struct frequency_way way;
    struct frequency_request requests[8];

    (void)state;
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x9E);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    frequency_way_choose(&sim.platform, 0, &way);
    assert_int_equal(way.kind, FREQ_PERF_CTL);
    assert_int_equal(way.control_mask, 0xFFFF);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x770, 1);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0x771, 8U << 24 | 12U << 16 | 36U << 8 | 47U);
    frequency_way_choose(&sim.platform, 0, &way);
    assert_int_equal(way.kind, FREQ_HWP);
    assert_int_equal(frequency_requests_make(&sim.platform, 0, &way, 8, requests), 5);
    assert_int_equal(requests[0].control, 0x2F2F2F);
    assert_int_equal(requests[0].khz, 0);
}

static void cppc_in_shared_memory_is_left_alone(void **state)
{
    struct frequency_way way;

    (void)state;
    sim_platform_cpc(&sim, 166, 100, 2250);
    sim.platform.processors[0].cpc_avail[CPC_ENABLE] = AVAIL_PRESENT;
    sim.platform.processors[0].cpc_value[CPC_ENABLE] = 1;
    frequency_way_choose(&sim.platform, 0, &way);
    assert_int_equal(way.kind, FREQ_NO_REQUEST);
    assert_non_null(way.why_not);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_by_msr, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused_writes_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_by_port, set_up, tear_down),
        cmocka_unit_test_setup_teardown(enabled_cppc_takes_the_rows_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(enabled_hwp_takes_the_rows_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cppc_in_shared_memory_is_left_alone, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("frequency_request", tests, NULL, NULL);
}
