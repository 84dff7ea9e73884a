#include "drivers/hw_record.h"
#include "tests/sim/sim_hw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sim_hw sim;
static struct hw_record record;
static struct textbuf trace;
static char text[1024];

static int set_up(void **state)
{
    (void)state;
    sim_hw_init(&sim);
    textbuf_init(&trace, text, sizeof(text), NULL, NULL);
    hw_record_start(&record, &sim.hw, &trace);
    return 0;
}

static void accesses_become_lines(void **state)
{
    const struct hw *hw = &record.hw;
    struct pci_address address = {1, 0x2A, 0x1F, 3};
    uint32_t port_value = 0;
    uint64_t value = 0;

    (void)state;
    sim_hw_port(&sim, 0x608, 4, 0xABCDEF);
    sim_hw_memory(&sim, UINT64_C(0xFED40000), 8, UINT64_C(0x1122334455667788));
    sim_hw_pci(&sim, address, 0x40, 2, 0x8086);
    assert_int_equal(hw->ops->port_read(hw, 0x608, 4, &port_value), STATUS_OK);
    assert_string_equal(text, "");
    record.is_recording = true;
    assert_int_equal(hw->ops->port_read(hw, 0x608, 4, &port_value), STATUS_OK);
    assert_int_equal(hw->ops->port_write(hw, 0x608, 4, 5), STATUS_OK);
    assert_int_equal(hw->ops->memory_read(hw, 0xFED40000, 8, &value), STATUS_OK);
    assert_int_equal(hw->ops->memory_write(hw, 0xFED40000, 8, 0), STATUS_OK);
    assert_int_equal(hw->ops->pci_read(hw, address, 0x40, 2, &value), STATUS_OK);
    assert_int_equal(hw->ops->pci_write(hw, address, 0x40, 2, 1), STATUS_OK);
    assert_string_equal(text, "io r 0x608 4 0xabcdef\n"
                              "io w 0x608 4 0x5\n"
                              "mem r 0xfed40000 8 0x1122334455667788\n"
                              "mem w 0xfed40000 8 0x0\n"
                              "pci r 0001:2a:1f.3 0x40 2 0x8086\n"
                              "pci w 0001:2a:1f.3 0x40 2 0x1\n");
    assert_int_equal(record.accesses, 7);
    assert_int_equal(port_value, 0xABCDEF);
    assert_int_equal(value, 0x8086);
}

static void failed_accesses_are_recorded_as_such(void **state)
{
    const struct hw *hw = &record.hw;
    uint64_t value = 3;

    (void)state;
    sim.is_lenient = true;
    record.is_recording = true;
    assert_int_equal(hw->ops->memory_read(hw, 0x10, 4, &value), STATUS_NOT_FOUND);
    hw_record_denied(&record, 0x20, 8);
    assert_string_equal(text, "mem r 0x10 4 absent\nmem w 0x20 8 denied\n");
    assert_int_equal(value, 3);
}

static void read_one(const struct hw *hw, uint32_t cpu, void *argument)
{
    uint64_t value = 0;

    assert_int_equal(hw->ops->rdmsr(hw, 0x1B, &value), AVAIL_PRESENT);
    ((uint64_t *)argument)[cpu] = value;
}

static void cpus_and_msrs_pass_through(void **state)
{
    static const uint8_t wanted[] = {1, 1};
    const struct hw *hw = &record.hw;
    struct cpuid_leaf leaf;
    enum hw_run run[2];
    uint64_t values[2] = {0};

    (void)state;
    record.is_recording = true;
    sim_hw_msr(&sim, 0, 0x1B, 10);
    sim_hw_msr(&sim, 1, 0x1B, 11);
    sim_hw_cpuid(&sim, 0, (struct cpuid_leaf){.leaf = 0, .eax = 5});
    assert_int_equal(hw->ops->run_on_cpus(hw, 2, wanted, read_one, values, 1, run), STATUS_OK);
    assert_int_equal(values[0], 10);
    assert_int_equal(values[1], 11);
    hw->ops->cpuid(hw, 0, 0, &leaf);
    assert_int_equal(leaf.eax, 5);
    hw->ops->stall_us(hw, 20);
    assert_int_equal(hw->ops->tsc(hw), 20000);
    assert_string_equal(text, "");
    assert_true(hw->is_live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(accesses_become_lines, set_up),
        cmocka_unit_test_setup(failed_accesses_are_recorded_as_such, set_up),
        cmocka_unit_test_setup(cpus_and_msrs_pass_through, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
