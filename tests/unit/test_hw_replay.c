#include "drivers/hw_replay.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;
static struct hw_replay replay;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    memset(&replay, 0, sizeof(replay));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static const struct hw *start(void)
{
    assert_int_equal(hw_replay_start(&replay, &heap.arena), STATUS_OK);
    return &replay.hw;
}

static void an_empty_folder_answers_nothing(void **state)
{
    const struct hw *hw = start();
    struct cpuid_leaf leaf;
    uint64_t value = 7;
    uint32_t port_value = 7;

    (void)state;
    hw->ops->cpuid(hw, 0, 0, &leaf);
    assert_int_equal(leaf.leaf, HW_CPUID_ABSENT);
    assert_int_equal(hw->ops->rdmsr(hw, 0x1B, &value), AVAIL_ABSENT);
    assert_int_equal(hw->ops->memory_read(hw, 0, 4, &value), STATUS_NOT_FOUND);
    assert_int_equal(hw->ops->memory_write(hw, 0, 4, 1), STATUS_NOT_FOUND);
    assert_int_equal(hw->ops->port_read(hw, 0x70, 1, &port_value), STATUS_NOT_FOUND);
    assert_int_equal(hw->ops->pci_read(hw, (struct pci_address){0}, 0, 4, &value),
                     STATUS_NOT_FOUND);
    assert_int_equal(value, 7);
    assert_int_equal(port_value, 7);
    assert_int_equal(replay.unrecorded, 4);
    assert_int_equal(replay.unrecorded_cpuid, 1);
    assert_int_equal(replay.unrecorded_msrs, 1);
    assert_false(hw->is_live);
}

struct seen {
    uint64_t msr[3];
    enum avail avail[3];
    uint32_t eax[3];
};

static void look(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct seen *seen = argument;
    struct cpuid_leaf leaf;

    seen->avail[cpu] = hw->ops->rdmsr(hw, 0x1AD, &seen->msr[cpu]);
    hw->ops->cpuid(hw, 1, 0, &leaf);
    seen->eax[cpu] = leaf.eax;
}

static void cpus_have_their_own_values(void **state)
{
    static const struct replay_msr msrs[] = {
        {.cpu = CPU_NONE, .msr = 0x1AD, .value = 0x10},
        {.cpu = 1, .msr = 0x1AD, .value = 0x20},
        {.cpu = 1, .msr = 0x1AD, .value = 0x21}, /* a second sample */
        {.cpu = 2, .msr = 0x1AD, .is_fault = true},
    };
    static const struct cpuid_leaf big[] = {{.leaf = 1, .eax = 0xB16}};
    static const struct cpuid_leaf little[] = {{.leaf = 1, .eax = 0x117}};
    static const struct replay_cpuid_kind kinds[] = {{0, {1, big}}, {2, {1, little}}};
    static const uint8_t wanted[] = {1, 1, 1};
    enum hw_run run[3];
    struct seen seen = {.msr = {0}};
    const struct hw *hw;

    (void)state;
    replay.msrs = msrs;
    replay.msrs_count = 4;
    replay.kinds = kinds;
    replay.kinds_count = 2;
    hw = start();
    assert_int_equal(hw->ops->run_on_cpus(hw, 3, wanted, look, &seen, 1, run), STATUS_OK);
    assert_int_equal(seen.msr[0], 0x10);
    assert_int_equal(seen.msr[1], 0x20);
    assert_int_equal(seen.avail[2], AVAIL_FAULTED);
    assert_int_equal(seen.eax[0], 0xB16);
    assert_int_equal(seen.eax[1], 0xB16);
    assert_int_equal(seen.eax[2], 0x117);
    assert_int_equal(run[2], HW_RUN_DONE);
}

static void memory_is_little_endian_and_bounded(void **state)
{
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const struct replay_region regions[] = {{0xFFFFFFFFFFFFFFF8, bytes, 8},
                                                   {0x1000, bytes, 8}};
    const struct hw *hw;
    uint64_t value = 0;

    (void)state;
    replay.regions = regions;
    replay.regions_count = 2;
    hw = start();
    assert_int_equal(hw->ops->memory_read(hw, 0x1000, 8, &value), STATUS_OK);
    assert_true(value == UINT64_C(0x0807060504030201));
    assert_int_equal(hw->ops->memory_read(hw, 0x1006, 2, &value), STATUS_OK);
    assert_int_equal(value, 0x0807);
    assert_int_equal(hw->ops->memory_read(hw, 0x1007, 2, &value), STATUS_NOT_FOUND);
    assert_int_equal(hw->ops->memory_read(hw, 0xFFFFFFFFFFFFFFFF, 1, &value), STATUS_OK);
    assert_int_equal(hw->ops->memory_read(hw, 0xFFFFFFFFFFFFFFFF, 2, &value), STATUS_NOT_FOUND);
    assert_int_equal(hw->ops->memory_write(hw, 0x1001, 2, 0xABCD), STATUS_OK);
    assert_int_equal(hw->ops->memory_read(hw, 0x1000, 4, &value), STATUS_OK);
    assert_int_equal(value, 0x04ABCD01);
    assert_int_equal(bytes[1], 2);
    assert_int_equal(replay.unrecorded, 2);
}

static void the_trace_answers_in_order(void **state)
{
    static const struct trace_access trace[] = {
        {TRACE_IO, false, 1, 0x70, 1, TRACE_ANSWERED},
        {TRACE_IO, true, 1, 0x70, 9, TRACE_ANSWERED},
        {TRACE_IO, false, 1, 0x70, 2, TRACE_ANSWERED},
        {TRACE_IO, false, 4, 0x70, 3, TRACE_ANSWERED},
        {TRACE_PCI, false, 4, 0x1020, 4, TRACE_ANSWERED},
        {TRACE_MEMORY, false, 4, 0x70, 5, TRACE_ANSWERED},
        {TRACE_PCI, false, 4, 0x1234567890, 6, TRACE_ANSWERED},
    };
    const struct hw *hw;
    uint32_t port_value = 0;
    uint64_t value = 0;

    (void)state;
    replay.trace = trace;
    replay.trace_count = 7;
    hw = start();
    assert_int_equal(hw->ops->port_read(hw, 0x70, 1, &port_value), STATUS_OK);
    assert_int_equal(port_value, 1);
    assert_int_equal(hw->ops->port_read(hw, 0x70, 1, &port_value), STATUS_OK);
    assert_int_equal(port_value, 2);
    assert_int_equal(hw->ops->port_read(hw, 0x70, 1, &port_value), STATUS_NOT_FOUND);
    assert_int_equal(port_value, 2);
    assert_int_equal(hw->ops->port_read(hw, 0x70, 4, &port_value), STATUS_OK);
    assert_int_equal(port_value, 3);
    assert_int_equal(hw->ops->port_write(hw, 0x70, 1, 9), STATUS_OK);
    assert_int_equal(hw->ops->port_write(hw, 0x70, 1, 9), STATUS_NOT_FOUND);
    assert_int_equal(hw->ops->memory_read(hw, 0x70, 4, &value), STATUS_OK);
    assert_int_equal(value, 5);
    assert_int_equal(hw->ops->pci_read(hw, (struct pci_address){0, 0, 0, 0}, 0x1020, 4, &value),
                     STATUS_OK);
    assert_int_equal(value, 4);
    assert_int_equal(replay.trace_used[0], 1);
    assert_int_equal(replay.unrecorded, 2);
}

/* 100000 accesses to one port and as many to others: found without walking the trace. */
static void long_traces_stay_fast(void **state)
{
    uint32_t count = 200000;
    struct trace_access *trace = arena_array(&heap.arena, count, sizeof(*trace));
    const struct hw *hw;
    uint64_t value = 0;

    (void)state;
    for (uint32_t i = 0; i < count; i++) {
        trace[i] = (struct trace_access){TRACE_MEMORY,  false, 4, i % 2 == 0 ? 0x5000 : i, i,
                                         TRACE_ANSWERED};
    }
    replay.trace = trace;
    replay.trace_count = count;
    hw = start();
    for (uint32_t i = 0; i < count; i += 2) {
        assert_int_equal(hw->ops->memory_read(hw, 0x5000, 4, &value), STATUS_OK);
        assert_int_equal(value, i);
        assert_int_equal(hw->ops->memory_read(hw, i + 1, 4, &value), STATUS_OK);
        assert_int_equal(value, i + 1);
    }
}

static void a_record_repeats_what_was_not_answered(void **state)
{
    static const struct trace_access trace[] = {
        {TRACE_MEMORY, false, 4, 0x10, 0, TRACE_ABSENT},
        {TRACE_MEMORY, true, 4, 0x20, 0, TRACE_DENIED},
        {TRACE_MEMORY, true, 4, 0x30, 7, TRACE_ANSWERED},
    };
    static const enum cpu_answer answers[] = {CPU_ANSWERED, CPU_DID_NOT_ANSWER, CPU_NOT_ASKED};
    static const uint8_t wanted[] = {1, 1, 1};
    struct seen seen = {{0}, {0}, {0}};
    enum hw_run run[3];
    const struct hw *hw;
    uint64_t value = 9;

    (void)state;
    replay.trace = trace;
    replay.trace_count = 3;
    replay.answers = answers;
    replay.answers_count = 3;
    replay.is_record = true;
    hw = start();
    assert_int_equal(hw->ops->memory_read(hw, 0x10, 4, &value), STATUS_NOT_FOUND);
    assert_int_equal(replay.unrecorded, 0);
    assert_false(hw_replay_may_write(&replay, 0x20, 4));
    assert_true(hw_replay_may_write(&replay, 0x20, 8));
    assert_true(hw_replay_may_write(&replay, 0x30, 4));
    assert_int_equal(hw->ops->memory_write(hw, 0x30, 4, 7), STATUS_OK);
    assert_int_equal(hw->ops->rdmsr(hw, 0x1AD, &value), AVAIL_UNTRIED);
    assert_int_equal(hw->ops->run_on_cpus(hw, 3, wanted, look, &seen, 1, run), STATUS_OK);
    assert_int_equal(run[0], HW_RUN_DONE);
    assert_int_equal(run[1], HW_RUN_NO_ANSWER);
    assert_int_equal(run[2], HW_RUN_NOT_STARTED);
    assert_int_equal(value, 9);
}

static void no_memory_is_said(void **state)
{
    static const struct replay_msr msrs[] = {{.cpu = 0, .msr = 1}};

    (void)state;
    heap_free(&heap);
    heap_init(&heap, 1);
    replay.msrs = msrs;
    replay.msrs_count = 1;
    assert_int_equal(hw_replay_start(&replay, &heap.arena), STATUS_NO_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_empty_folder_answers_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cpus_have_their_own_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_little_endian_and_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_trace_answers_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_traces_stay_fast, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_record_repeats_what_was_not_answered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory_is_said, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
