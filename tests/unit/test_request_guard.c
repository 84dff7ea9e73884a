#include "drivers/request_guard.h"
#include "tests/sim/sim_hw.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CPUS 4U
#define PERF_CTL 0x199U
#define MISC_ENABLE 0x1A0U
#define HWCR 0xC0010015U
#define PSTATE_CTL 0xC0010062U
#define CPPC_ENABLE 0xC00102B1U

static struct sim_platform sim;
static struct sim_hw machine;
static struct request_guard guard;
static uint32_t stubborn_cpu; /* its writes of stubborn_msr are taken and do nothing ... */
static uint32_t stubborn_msr;
static uint32_t failing_msr; /* ... and this one faults once it was written */
static unsigned writes;

static enum avail on_wrmsr(struct sim_hw *of, struct sim_msr *msr, uint64_t value)
{
    const struct request_register *request = request_register_find(msr->msr);

    writes++;
    assert_non_null(request);
    assert_int_equal((msr->value ^ value) & ~request->mask, 0);
    if (msr->msr == failing_msr && of->cpu == 1) {
        msr->avail = AVAIL_FAULTED;
        return AVAIL_FAULTED;
    }
    if (msr->msr == stubborn_msr && of->cpu == stubborn_cpu) {
        return AVAIL_PRESENT;
    }
    msr->value = value;
    return AVAIL_PRESENT;
}

static void give(uint32_t msr, uint64_t value)
{
    sim_platform_msr(&sim, SIM_ALL_CPUS, msr, value);
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        sim_hw_msr(&machine, cpu, msr, value);
    }
}

static int set_up(void **state)
{
    (void)state;
    sim_platform_init(&sim, CPUS);
    sim_hw_init(&machine);
    machine.on_wrmsr = on_wrmsr;
    stubborn_msr = 0;
    failing_msr = 0;
    writes = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static uint64_t value_of(uint32_t cpu, uint32_t msr)
{
    for (uint32_t i = 0; i < machine.msrs_count; i++) {
        if (machine.msrs[i].cpu == cpu && machine.msrs[i].msr == msr) {
            return machine.msrs[i].value;
        }
    }
    fail_msg("no MSR %#x", (unsigned)msr);
    return 0;
}

static bool does_restore;

/* Asks for P-state 2 and switches boost off. */
static void ask(const struct hw *hw, uint32_t cpu, void *argument)
{
    (void)argument;
    request_guard_save(hw, &guard, cpu);
    assert_int_equal(request_guard_write(hw, &guard, cpu, PSTATE_CTL, 2), AVAIL_PRESENT);
    assert_int_equal(request_guard_write(hw, &guard, cpu, HWCR, UINT64_MAX), AVAIL_PRESENT);
    if (does_restore) {
        request_guard_restore(hw, &guard, cpu);
    }
}

static void run_on_all(hw_procedure procedure)
{
    uint8_t wanted[CPUS] = {1, 1, 1, 1};
    enum hw_run answers[CPUS];

    assert_int_equal(
        machine.hw.ops->run_on_cpus(&machine.hw, CPUS, wanted, procedure, NULL, 1000, answers),
        STATUS_OK);
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        if (answers[cpu] != HW_RUN_DONE) {
            request_guard_lost(&guard, cpu);
        }
    }
}

static void give_amd(void)
{
    give(HWCR, 0x9000011);
    give(PSTATE_CTL, 1);
    give(CPPC_ENABLE, 0);
}

static void registers_come_back_on_every_cpu(void **state)
{
    (void)state;
    give_amd();
    for (unsigned i = 0; i < 2; i++) {
        does_restore = i == 0; /* the second time the procedures leave early */
        assert_true(request_guard_open(&guard, &sim.platform));
        run_on_all(ask);
        assert_int_equal(value_of(3, PSTATE_CTL), does_restore ? 1 : 2);
        assert_int_equal(value_of(3, HWCR), does_restore ? 0x9000011 : 0xB000011);
        request_guard_close(&machine.hw, &guard, &sim.platform);
        for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
            assert_int_equal(value_of(cpu, PSTATE_CTL), 1);
            assert_int_equal(value_of(cpu, HWCR), 0x9000011);
        }
    }
    assert_true(sim.platform.requests.was_opened);
    assert_int_equal(sim.platform.requests.saved, 2 * CPUS);
    assert_int_equal(sim.platform.requests.writes, 2 * 2 * CPUS);
    assert_int_equal(sim.platform.requests.left, 0);
    assert_int_equal(sim.platform.requests_left_count, 0);
    assert_int_equal(writes, 2 * 2 * 2 * CPUS);
}

static void only_saved_registers_can_be_written(void **state)
{
    uint64_t before = 0;

    (void)state;
    give_amd();
    assert_true(request_guard_open(&guard, &sim.platform));
    assert_int_equal(request_guard_write(&machine.hw, &guard, 0, PSTATE_CTL, 2), AVAIL_UNTRIED);
    request_guard_save(&machine.hw, &guard, 0);
    assert_true(request_guard_covers(&guard, 0, PSTATE_CTL));
    assert_false(request_guard_covers(&guard, 1, PSTATE_CTL));
    assert_true(request_guard_before(&guard, 0, PSTATE_CTL, &before));
    assert_int_equal(before, 1);
    assert_int_equal(request_guard_write(&machine.hw, &guard, 1, PSTATE_CTL, 2), AVAIL_UNTRIED);
    assert_int_equal(request_guard_write(&machine.hw, &guard, 0, PERF_CTL, 2), AVAIL_UNTRIED);
    assert_int_equal(request_guard_write(&machine.hw, &guard, 0, CPPC_ENABLE, 1), AVAIL_UNTRIED);
    assert_int_equal(request_guard_write(&machine.hw, &guard, CPUS, PSTATE_CTL, 1), AVAIL_UNTRIED);
    assert_int_equal(writes, 0);
    request_guard_close(&machine.hw, &guard, &sim.platform);
    assert_int_equal(writes, 0);
    assert_int_equal(request_guard_write(&machine.hw, &guard, 0, PSTATE_CTL, 2), AVAIL_UNTRIED);
}

static void read_only_touches_nothing(void **state)
{
    (void)state;
    give_amd();
    sim.options.is_read_only = true;
    assert_false(request_guard_open(&guard, &sim.platform));
    request_guard_save(&machine.hw, &guard, 0);
    assert_int_equal(request_guard_write(&machine.hw, &guard, 0, PSTATE_CTL, 2), AVAIL_UNTRIED);
    request_guard_close(&machine.hw, &guard, &sim.platform);
    assert_string_equal(sim.platform.requests.not_opened_why, "--read-only");
    assert_false(sim.platform.requests.was_opened);
    assert_int_equal(machine.runs, 0);
}

static void no_register_is_a_reason(void **state)
{
    (void)state;
    give(CPPC_ENABLE, 0);
    assert_false(request_guard_open(&guard, &sim.platform));
    assert_non_null(strstr(sim.platform.requests.not_opened_why, "could be read"));
}

static void stubborn_register_is_left_behind(void **state)
{
    (void)state;
    give_amd();
    does_restore = true;
    assert_true(request_guard_open(&guard, &sim.platform));
    run_on_all(ask);
    /* From now on CPU 2 takes no write of the P-state any more. */
    request_guard_save(&machine.hw, &guard, 2);
    machine.cpu = 2;
    assert_int_equal(request_guard_write(&machine.hw, &guard, 2, PSTATE_CTL, 0), AVAIL_PRESENT);
    stubborn_cpu = 2;
    stubborn_msr = PSTATE_CTL;
    machine.cpu = 0;
    request_guard_close(&machine.hw, &guard, &sim.platform);
    assert_int_equal(sim.platform.requests.left, 1);
    assert_int_equal(sim.platform.requests_left[0].cpu, 2);
    assert_int_equal(sim.platform.requests_left[0].msr, PSTATE_CTL);
    assert_int_equal(sim.platform.requests_left[0].end, REQUEST_END_DIFFERENT);
    assert_int_equal(sim.platform.requests_left[0].before, 1);
    assert_int_equal(sim.platform.requests_left[0].after, 0);
    /* A later phase that leaves nothing behind does not make it forgotten. */
    stubborn_msr = 0;
    assert_true(request_guard_open(&guard, &sim.platform));
    run_on_all(ask);
    request_guard_close(&machine.hw, &guard, &sim.platform);
    assert_int_equal(sim.platform.requests.left, 1);
    assert_int_equal(sim.platform.requests_left_count, 1);
}

static void ask_with_a_fault(const struct hw *hw, uint32_t cpu, void *argument)
{
    (void)argument;
    request_guard_save(hw, &guard, cpu);
    (void)request_guard_write(hw, &guard, cpu, PSTATE_CTL, 2);
    (void)request_guard_write(hw, &guard, cpu, HWCR, UINT64_MAX);
    request_guard_restore(hw, &guard, cpu);
}

static void faulting_register_does_not_stop_the_others(void **state)
{
    (void)state;
    give_amd();
    failing_msr = HWCR;
    assert_true(request_guard_open(&guard, &sim.platform));
    run_on_all(ask_with_a_fault);
    request_guard_close(&machine.hw, &guard, &sim.platform);
    assert_int_equal(sim.platform.requests.left, 1);
    assert_int_equal(sim.platform.requests_left[0].end, REQUEST_END_FAULTED);
    assert_int_equal(sim.platform.requests_left[0].cpu, 1);
    assert_int_equal(sim.platform.requests_left[0].msr, HWCR);
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        assert_int_equal(value_of(cpu, PSTATE_CTL), 1);
    }
}

static void silent_cpu_is_not_touched_again(void **state)
{
    (void)state;
    give_amd();
    does_restore = false;
    assert_true(request_guard_open(&guard, &sim.platform));
    run_on_all(ask);
    machine.silent_cpus = 1U << 3;
    request_guard_close(&machine.hw, &guard, &sim.platform);
    assert_int_equal(sim.platform.requests.left, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(sim.platform.requests_left[i].cpu, 3);
        assert_int_equal(sim.platform.requests_left[i].end, REQUEST_END_NO_ANSWER);
    }
    assert_int_equal(value_of(1, PSTATE_CTL), 1);
}

/* The mask keeps the rest of a register that holds more than requests. */
static void masks_are_those_of_the_manuals(void **state)
{
    (void)state;
    assert_int_equal(request_register_find(MISC_ENABLE)->mask, UINT64_C(1) << 38);
    assert_int_equal(request_register_find(HWCR)->mask, UINT64_C(1) << 25);
    assert_int_equal(request_register_find(CPPC_ENABLE)->one_way, ONE_WAY_CPPC);
    assert_int_equal(request_register_find(0x770)->one_way, ONE_WAY_HWP);
    assert_null(request_register_find(0x610)); /* power limits and their lock */
    assert_null(request_register_find(0xE2));
    for (uint32_t i = 0; i < request_register_count(); i++) {
        assert_int_not_equal(request_register_at(i)->mask, 0);
        assert_non_null(request_register_at(i)->source);
    }
    assert_null(request_register_at(request_register_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(registers_come_back_on_every_cpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_saved_registers_can_be_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(read_only_touches_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_register_is_a_reason, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stubborn_register_is_left_behind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faulting_register_does_not_stop_the_others, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(silent_cpu_is_not_touched_again, set_up, tear_down),
        cmocka_unit_test(masks_are_those_of_the_manuals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
