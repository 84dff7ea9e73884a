#include "drivers/cpc_read.h"
#include "drivers/pcc_channel.h"
#include "tests/sim/sim_hw.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SHARED_PADDR 0x1000U
#define DOORBELL_PORT 0xB0U

static struct sim_platform sim;
static struct sim_hw machine;
static struct object_set set;
static struct pcct_subspace subspace;

static int set_up(void **state)
{
    (void)state;
    sim_platform_init(&sim, 2);
    sim_hw_init(&machine);
    memset(&set, 0, sizeof(set));
    set.kind = OBJECT_CPC;
    set.cpc.is_package = true;
    for (uint32_t i = 0; i < 2; i++) {
        sim.platform.processors[i].objects[OBJECT_CPC] =
            (struct object_result){.avail = AVAIL_PRESENT, .set = &set};
    }
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 0x21);
    sim_platform_feature(&sim, CPU_FEATURE_MSR);
    sim_platform_feature(&sim, CPU_FEATURE_CPPC);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static void put(enum cpc_register index, struct gas gas)
{
    set.cpc.registers[index] = (struct cpc_element){.kind = CPC_ELEMENT_REGISTER,
                                                    .reg = {.avail = AVAIL_PRESENT, .gas = gas}};
}

static void expect(uint32_t processor, enum cpc_register index, enum avail avail, uint64_t value)
{
    assert_int_equal(sim.platform.processors[processor].cpc_avail[index], avail);
    assert_int_equal(sim.platform.processors[processor].cpc_value[index], value);
}

static void integers_and_gaps(void **state)
{
    (void)state;
    set.cpc.registers[CPC_HIGHEST_PERF] =
        (struct cpc_element){.kind = CPC_ELEMENT_INTEGER, .integer = 255};
    set.cpc.registers[CPC_NOMINAL_PERF].kind = CPC_ELEMENT_NULL;
    set.cpc.registers[CPC_LOWEST_PERF].kind = CPC_ELEMENT_OTHER;
    set.cpc.registers[CPC_DESIRED_PERF] = (struct cpc_element){
        .kind = CPC_ELEMENT_REGISTER, .reg = {.avail = AVAIL_PRESENT, .is_null = true}};
    set.cpc.registers[CPC_ENABLE] =
        (struct cpc_element){.kind = CPC_ELEMENT_REGISTER, .reg = {.avail = AVAIL_MALFORMED}};
    cpc_read_all(&machine.hw, &sim.platform);
    expect(1, CPC_HIGHEST_PERF, AVAIL_PRESENT, 255);
    expect(1, CPC_NOMINAL_PERF, AVAIL_ABSENT, 0);
    expect(1, CPC_LOWEST_PERF, AVAIL_MALFORMED, 0);
    expect(1, CPC_DESIRED_PERF, AVAIL_ABSENT, 0);
    expect(1, CPC_ENABLE, AVAIL_MALFORMED, 0);
    expect(1, CPC_NOMINAL_FREQ_MHZ, AVAIL_ABSENT, 0);
    assert_int_equal(machine.runs, 0);
}

static void memory_is_masked_and_ports_are_not(void **state)
{
    (void)state;
    sim_hw_memory(&machine, 0x2000, 4, 0xAABBCCDD);
    sim_hw_port(&machine, 0x70, 2, 0xBEEF);
    put(CPC_HIGHEST_PERF, (struct gas){GAS_SYSTEM_MEMORY, 8, 16, 3, 0x2000});
    put(CPC_NOMINAL_PERF, (struct gas){GAS_SYSTEM_IO, 8, 4, 2, 0x70});
    put(CPC_LOWEST_PERF, (struct gas){GAS_SYSTEM_MEMORY, 32, 0, 0, 0x2000});
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_PRESENT, 0xBB);
    expect(0, CPC_NOMINAL_PERF, AVAIL_PRESENT, 0xBEEF);
    expect(0, CPC_LOWEST_PERF, AVAIL_PRESENT, 0xAABBCCDD);
}

/* None of these may reach the machine: the strict one would fail the test. */
static void senseless_registers_are_malformed(void **state)
{
    (void)state;
    put(CPC_HIGHEST_PERF, (struct gas){GAS_SYSTEM_MEMORY, 8, 0, 3, 0});
    put(CPC_NOMINAL_PERF, (struct gas){GAS_SYSTEM_MEMORY, 7, 0, 0, 0x2000});
    put(CPC_LOWEST_PERF, (struct gas){GAS_SYSTEM_IO, 8, 0, 1, 0x10000});
    put(CPC_DESIRED_PERF, (struct gas){GAS_SYSTEM_IO, 64, 0, 4, 0x80});
    put(CPC_MIN_PERF, (struct gas){GAS_PCC, 8, 0, 3, 0});
    put(CPC_MAX_PERF, (struct gas){GAS_EMBEDDED_CONTROLLER, 8, 0, 1, 0x10});
    put(CPC_TIME_WINDOW, (struct gas){GAS_SYSTEM_MEMORY, 8, 0, 9, 0x2000});
    put(CPC_PERF_LIMITED, (struct gas){GAS_FFH, 8, 0, 4, UINT64_C(0x1C00102B0)});
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_NOMINAL_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_LOWEST_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_DESIRED_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_MIN_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_MAX_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_TIME_WINDOW, AVAIL_MALFORMED, 0);
    expect(0, CPC_PERF_LIMITED, AVAIL_MALFORMED, 0);
}

static void width_beyond_the_register_is_malformed(void **state)
{
    (void)state;
    sim_hw_memory(&machine, 0x2000, 4, 0xAABBCCDD);
    put(CPC_HIGHEST_PERF, (struct gas){GAS_SYSTEM_MEMORY, 0, 0, 3, 0x2000});
    put(CPC_NOMINAL_PERF, (struct gas){GAS_SYSTEM_MEMORY, 16, 24, 3, 0x2000});
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_NOMINAL_PERF, AVAIL_MALFORMED, 0);
}

/* One run for all CPUs, each reads its own MSR; firmware's wish for an unlisted MSR is not followed. */
static void ffh_is_read_on_its_own_cpu(void **state)
{
    (void)state;
    sim_hw_msr(&machine, 0, 0xC00102B0, 0xA6780F05);
    sim_hw_msr(&machine, 1, 0xC00102B0, 0xC4780F05);
    sim_hw_msr_fault(&machine, SIM_ANY_CPU, 0xC00102B3);
    put(CPC_HIGHEST_PERF, (struct gas){GAS_FFH, 8, 24, 4, 0xC00102B0});
    put(CPC_NOMINAL_PERF, (struct gas){GAS_FFH, 8, 16, 4, 0xC00102B0});
    put(CPC_DESIRED_PERF, (struct gas){GAS_FFH, 8, 16, 4, 0xC00102B3});
    put(CPC_PERF_LIMITED, (struct gas){GAS_FFH, 8, 0, 4, 0x79});
    cpc_read_all(&machine.hw, &sim.platform);
    assert_int_equal(machine.runs, 1);
    expect(0, CPC_HIGHEST_PERF, AVAIL_PRESENT, 0xA6);
    expect(1, CPC_HIGHEST_PERF, AVAIL_PRESENT, 0xC4);
    expect(1, CPC_NOMINAL_PERF, AVAIL_PRESENT, 0x78);
    expect(1, CPC_DESIRED_PERF, AVAIL_FAULTED, 0);
    expect(1, CPC_PERF_LIMITED, AVAIL_UNTRIED, 0);
}

static void known_msrs_are_not_read_again(void **state)
{
    (void)state;
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xC00102B0, 0xA6780F05);
    put(CPC_HIGHEST_PERF, (struct gas){GAS_FFH, 8, 24, 4, 0xC00102B0});
    cpc_read_all(&machine.hw, &sim.platform);
    assert_int_equal(machine.runs, 0);
    expect(1, CPC_HIGHEST_PERF, AVAIL_PRESENT, 0xA6);
}

static void silent_cpu_keeps_untried_registers(void **state)
{
    (void)state;
    sim_hw_msr(&machine, 0, 0xC00102B0, 0xA6780F05);
    machine.silent_cpus = 2;
    put(CPC_HIGHEST_PERF, (struct gas){GAS_FFH, 8, 24, 4, 0xC00102B0});
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_PRESENT, 0xA6);
    expect(1, CPC_HIGHEST_PERF, AVAIL_UNTRIED, 0);
    assert_int_equal(sim.platform.cpus[1].answer, CPU_DID_NOT_ANSWER);
}

static void use_pcc(void)
{
    subspace = (struct pcct_subspace){
        .type = 0,
        .is_decoded = true,
        .base_paddr = SHARED_PADDR,
        .length_bytes = 0x40,
        .doorbell = {GAS_SYSTEM_IO, 8, 0, 1, DOORBELL_PORT},
        .preserve_mask = 0xF0,
        .write_mask = 0x01,
        .latency_us = 100,
    };
    sim.platform.pcct = (struct pcct){.avail = AVAIL_PRESENT, .count = 1, .subspaces = &subspace};
    sim_hw_memory(&machine, SHARED_PADDR + 4, 2, 0xFFFF);
    sim_hw_memory(&machine, SHARED_PADDR + 6, 2, 1);
    sim_hw_memory(&machine, SHARED_PADDR + 8, 4, 0);
    sim_hw_port(&machine, DOORBELL_PORT, 1, 0x52);
    put(CPC_HIGHEST_PERF, (struct gas){GAS_PCC, 32, 0, 0, 0});
}

/* The platform fills the memory only when the doorbell is rung with the READ command and a cleared status. */
static void answer_doorbell(struct sim_hw *hw, struct sim_cell *cell)
{
    struct sim_cell *status = sim_hw_find(hw, SIM_MEMORY, SHARED_PADDR + 6, 2);

    if (cell->kind == SIM_PORT) {
        assert_int_equal(cell->value, 0x51);
        assert_int_equal(sim_hw_find(hw, SIM_MEMORY, SHARED_PADDR + 4, 2)->value, 0);
        assert_int_equal(status->value, 0);
        sim_hw_find(hw, SIM_MEMORY, SHARED_PADDR + 8, 4)->value = 196;
        status->value = 1;
    }
}

static void pcc_asks_once_for_all_cpus(void **state)
{
    (void)state;
    use_pcc();
    machine.on_write = answer_doorbell;
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_PRESENT, 196);
    expect(1, CPC_HIGHEST_PERF, AVAIL_PRESENT, 196);
    assert_int_equal(sim_hw_find(&machine, SIM_PORT, DOORBELL_PORT, 1)->writes, 1);
}

static void pcc_that_never_answers_ends(void **state)
{
    (void)state;
    use_pcc();
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_FAULTED, 0);
    expect(1, CPC_HIGHEST_PERF, AVAIL_FAULTED, 0);
    assert_in_range(machine.stalled_us, 50000, 50010);
    assert_int_equal(sim_hw_find(&machine, SIM_MEMORY, SHARED_PADDR + 8, 4)->reads, 0);
}

static void answer_with_error(struct sim_hw *hw, struct sim_cell *cell)
{
    if (cell->kind == SIM_PORT) {
        sim_hw_find(hw, SIM_MEMORY, SHARED_PADDR + 6, 2)->value = 5;
    }
}

static void pcc_error_is_a_fault(void **state)
{
    (void)state;
    use_pcc();
    machine.on_write = answer_with_error;
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_FAULTED, 0);
}

static void pcc_is_not_touched_when_read_only(void **state)
{
    (void)state;
    use_pcc();
    sim.options.is_read_only = true;
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_UNTRIED, 0);
    assert_int_equal(sim_hw_find(&machine, SIM_PORT, DOORBELL_PORT, 1)->writes, 0);
}

static void pcc_beyond_its_memory_is_malformed(void **state)
{
    (void)state;
    use_pcc();
    put(CPC_HIGHEST_PERF, (struct gas){GAS_PCC, 32, 0, 0, 0x38});
    put(CPC_NOMINAL_PERF, (struct gas){GAS_PCC, 32, 0, 0, UINT64_MAX - 3});
    put(CPC_LOWEST_PERF, (struct gas){GAS_PCC, 32, 0, 1, 0});
    cpc_read_all(&machine.hw, &sim.platform);
    expect(0, CPC_HIGHEST_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_NOMINAL_PERF, AVAIL_MALFORMED, 0);
    expect(0, CPC_LOWEST_PERF, AVAIL_MALFORMED, 0);
}

static void extended_pcc_is_not_tried(void **state)
{
    struct pcc_channel channel;

    (void)state;
    use_pcc();
    subspace.type = 3;
    pcc_channel_open(&channel, &subspace, 0, 0);
    assert_int_equal(pcc_channel_read(&machine.hw, &channel), STATUS_UNSUPPORTED);
    assert_int_equal(machine.stalled_us, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(integers_and_gaps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_masked_and_ports_are_not, set_up, tear_down),
        cmocka_unit_test_setup_teardown(senseless_registers_are_malformed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(width_beyond_the_register_is_malformed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ffh_is_read_on_its_own_cpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(known_msrs_are_not_read_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(silent_cpu_keeps_untried_registers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pcc_asks_once_for_all_cpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pcc_that_never_answers_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pcc_error_is_a_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pcc_is_not_touched_when_read_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pcc_beyond_its_memory_is_malformed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(extended_pcc_is_not_tried, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
