#include "drivers/tsc_sync.h"
#include "tests/sim/sim_hw.h"
#include "tests/sim/sim_platform.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CPUS 4U

static struct sim_platform sim;
static struct sim_hw machine;

/* Threads in place of CPUs. Time is a counter that every look moves on, so it is one for all; what a CPU's own
 * TSC adds to it is the thread's. */
static uint64_t ticks;
static _Thread_local uint64_t own_offset_tsc;
static uint64_t offset_of[CPUS];

static uint64_t threaded_tsc(const struct hw *hw)
{
    (void)hw;
    (void)sched_yield();
    return __atomic_add_fetch(&ticks, 20, __ATOMIC_SEQ_CST) + own_offset_tsc;
}

struct call {
    const struct hw *hw;
    uint32_t cpu;
    hw_procedure procedure;
    void *argument;
};

static void *run_one(void *argument)
{
    const struct call *call = argument;

    own_offset_tsc = offset_of[call->cpu];
    call->procedure(call->hw, call->cpu, call->argument);
    return NULL;
}

static enum status threaded_run(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                                hw_procedure procedure, void *argument, uint32_t timeout_ms,
                                enum hw_run *ret_run)
{
    struct call calls[CPUS];
    pthread_t threads[CPUS];

    assert_true(timeout_ms > 0);
    assert_int_equal(count, CPUS);
    for (uint32_t cpu = 1; cpu < count; cpu++) {
        calls[cpu] = (struct call){hw, cpu, procedure, argument};
        ret_run[cpu] = HW_RUN_NOT_STARTED;
        if (wanted[cpu] != 0) {
            assert_int_equal(pthread_create(&threads[cpu], NULL, run_one, &calls[cpu]), 0);
        }
    }
    procedure(hw, 0, argument);
    ret_run[0] = HW_RUN_DONE;
    for (uint32_t cpu = 1; cpu < count; cpu++) {
        if (wanted[cpu] != 0) {
            assert_int_equal(pthread_join(threads[cpu], NULL), 0);
            ret_run[cpu] = HW_RUN_DONE;
        }
    }
    return STATUS_OK;
}

static struct hw_ops threaded_ops;

static int set_up(void **state)
{
    (void)state;
    sim_platform_init(&sim, CPUS);
    sim_hw_init(&machine);
    sim.platform.cpus[0].is_boot = true;
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        sim.platform.cpus[cpu].answer = CPU_ANSWERED;
        offset_of[cpu] = 0;
    }
    threaded_ops = *machine.hw.ops;
    threaded_ops.tsc = threaded_tsc;
    threaded_ops.run_on_cpus = threaded_run;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static const struct tsc_sync *measure_threaded(void)
{
    machine.hw.ops = &threaded_ops;
    tsc_sync_measure(&machine.hw, &sim.platform);
    return &sim.platform.tsc_sync;
}

static void same_counters_are_alike(void **state)
{
    const struct tsc_sync *sync = measure_threaded();

    (void)state;
    assert_int_equal(sync->compared, CPUS - 1);
    assert_int_equal(sync->differing, 0);
    assert_int_equal(sync->worst_tsc, 0);
    assert_true(sync->widest_tsc > 0);
    /* Closer than the whole call bounds them: words were handed over with every one. */
    assert_true(sync->widest_tsc < ticks / 2);
}

static void counter_that_is_off_is_named(void **state)
{
    const struct tsc_sync *sync;

    (void)state;
    offset_of[2] = UINT64_C(1) << 40;
    offset_of[3] = 0 - (UINT64_C(1) << 42);
    sync = measure_threaded();
    assert_int_equal(sync->differing, 2);
    assert_int_equal(sync->worst_cpu, 3);
    assert_true(sync->is_worst_behind);
    /* What is proved is less than the difference, by no more than the bounds are apart. */
    assert_in_range(sync->worst_tsc, (UINT64_C(1) << 42) - sync->widest_tsc, UINT64_C(1) << 42);
}

/* Firmware that runs the others one after the other: only the reads around the call bound them. */
static void cpus_in_turn_are_bounded_by_the_call(void **state)
{
    (void)state;
    tsc_sync_measure(&machine.hw, &sim.platform);
    assert_int_equal(sim.platform.tsc_sync.compared, CPUS - 1);
    assert_int_equal(sim.platform.tsc_sync.differing, 0);
}

static void silent_cpu_is_not_compared(void **state)
{
    (void)state;
    machine.silent_cpus = 1U << 2;
    sim.platform.cpus[3].answer = CPU_DID_NOT_ANSWER;
    tsc_sync_measure(&machine.hw, &sim.platform);
    assert_int_equal(sim.platform.tsc_sync.compared, 1);
}

static void dump_and_single_cpu_compare_nothing(void **state)
{
    (void)state;
    machine.hw.is_live = false;
    tsc_sync_measure(&machine.hw, &sim.platform);
    assert_int_equal(sim.platform.tsc_sync.compared, 0);
    machine.hw.is_live = true;
    sim.platform.cpus_count = 1;
    tsc_sync_measure(&machine.hw, &sim.platform);
    assert_int_equal(sim.platform.tsc_sync.compared, 0);
    assert_int_equal(machine.runs, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(same_counters_are_alike, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counter_that_is_off_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cpus_in_turn_are_bounded_by_the_call, set_up, tear_down),
        cmocka_unit_test_setup_teardown(silent_cpu_is_not_compared, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dump_and_single_cpu_compare_nothing, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
