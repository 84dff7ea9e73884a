#include "host/trace_text.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void each_kind_in_order_and_rubbish_counted(void **state)
{
    static const char text[] = "# recorded\n"
                               "mem r 0xFED40000 4 0x12345678\n"
                               "io w 0xB2 1 0x81\n"
                               "pci r 0001:FE:1F.7 0xFF0 8 0x1\n"
                               "pci r 0000:00:20.0 0x0 4 0x1\n"
                               "mem r 0x10 3 0x1\n"
                               "mem x 0x10 4 0x1\n"
                               "io r 0x10 4\n";
    struct heap heap;
    struct trace_text trace;

    (void)state;
    heap_init(&heap, 0);
    assert_int_equal(trace_text_parse(text, strlen(text), &heap.arena, &trace), STATUS_OK);
    assert_int_equal(trace.trace_count, 3);
    assert_int_equal(trace.rubbish.count, 4);
    assert_int_equal(trace.rubbish.first_number, 5);
    assert_int_equal(trace.trace[0].kind, TRACE_MEMORY);
    assert_int_equal(trace.trace[0].address, 0xFED40000);
    assert_int_equal(trace.trace[0].bytes, 4);
    assert_false(trace.trace[0].is_write);
    assert_true(trace.trace[1].is_write);
    assert_int_equal(trace.trace[1].kind, TRACE_IO);
    assert_true(trace.trace[2].address ==
                (UINT64_C(1) << 32 | 0xFEU << 24 | 0x1FU << 19 | 7U << 16 | 0xFF0U));
    heap_free(&heap);
}

static void what_was_not_answered_is_said(void **state)
{
    static const char text[] = "mem r 0x10 4 absent\n"
                               "mem w 0x20 8 denied\n"
                               "io w 0x20 1 denied\n"
                               "mem r 0x20 8 denied\n";
    struct heap heap;
    struct trace_text trace;

    (void)state;
    heap_init(&heap, 0);
    assert_int_equal(trace_text_parse(text, strlen(text), &heap.arena, &trace), STATUS_OK);
    assert_int_equal(trace.trace_count, 2);
    assert_int_equal(trace.trace[0].answer, TRACE_ABSENT);
    assert_int_equal(trace.trace[1].answer, TRACE_DENIED);
    assert_int_equal(trace.rubbish.count, 2);
    heap_free(&heap);
}

static void an_empty_trace_is_fine(void **state)
{
    struct heap heap;
    struct trace_text trace;

    (void)state;
    heap_init(&heap, 0);
    assert_int_equal(trace_text_parse("", 0, &heap.arena, &trace), STATUS_OK);
    assert_int_equal(trace.trace_count, 0);
    heap_free(&heap);
    heap_init(&heap, 1);
    assert_int_equal(trace_text_parse("io r 0x10 4 0x1", 15, &heap.arena, &trace),
                     STATUS_NO_MEMORY);
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_in_order_and_rubbish_counted),
        cmocka_unit_test(what_was_not_answered_is_said),
        cmocka_unit_test(an_empty_trace_is_fine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
