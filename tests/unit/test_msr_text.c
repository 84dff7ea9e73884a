#include "host/msr_text.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static struct msr_text parse(const char *string)
{
    struct msr_text text;

    assert_int_equal(msr_text_parse(string, strlen(string), &heap.arena, &text), STATUS_OK);
    return text;
}

static void plain_lines_with_and_without_cpu(void **state)
{
    struct msr_text text = parse("[cpu 1] 0x1ad 0x2222222223232525\n"
                                 "0x64f #GP\n"
                                 "  [cpu 0] 0x1AD 0x1 # a comment\n");

    (void)state;
    assert_int_equal(text.msrs_count, 3);
    assert_int_equal(text.msrs[0].cpu, 0);
    assert_int_equal(text.msrs[0].value, 1);
    assert_int_equal(text.msrs[1].cpu, 1);
    assert_true(text.msrs[1].value == UINT64_C(0x2222222223232525));
    assert_int_equal(text.msrs[2].cpu, CPU_NONE);
    assert_true(text.msrs[2].is_fault);
    assert_int_equal(text.rubbish.count, 0);
}

static void a_line_may_name_several_cpus(void **state)
{
    struct msr_text text = parse("[cpu 0-2,7] 0x8b 0x5\n"
                                 "[cpu 1] 0x8b #GP\n"
                                 "[cpu 2-1] 0x8b 0x5\n"
                                 "[cpu 1,] 0x8b 0x5\n"
                                 "[cpu ] 0x8b 0x5\n"
                                 "[cpu 0-65536] 0x8b 0x5\n"
                                 "[cpu 0 0x8b 0x5\n");

    (void)state;
    assert_int_equal(text.msrs_count, 4);
    assert_int_equal(text.msrs[0].value, 5);
    assert_true(text.msrs[1].is_fault);
    assert_int_equal(text.msrs[3].cpu, 7);
    assert_int_equal(text.rubbish.count, 5);
}

static void a_short_text_takes_bounded_memory(void **state)
{
    static char lines[64 * 32];
    struct msr_text text;

    (void)state;
    for (unsigned i = 0; i < 64; i++) {
        (void)strcat(lines, "[cpu 0-65535] 0x8b 0x5\n");
    }
    text = parse(lines);
    assert_int_equal(text.msrs_count, 65536);
    assert_true(text.rubbish.count > 0);
    assert_true(heap.taken_bytes < (size_t)512 * 1024 * 1024);
}

static void instlat_lines_and_failures(void **state)
{
    struct msr_text text = parse("------[ MSR Registers / Logical CPU #3 ]------\n"
                                 "MSR 0000001B: 0000-0000-FEE0-0900\n"
                                 "MSR C0010064: 8000-0000-4900-0885 [34.00x] [0.900 V]\n"
                                 "MSR 00000620: < FAILED >\n");

    (void)state;
    assert_int_equal(text.msrs_count, 3);
    assert_int_equal(text.msrs[0].cpu, 3);
    assert_int_equal(text.msrs[0].value, 0xFEE00900);
    assert_int_equal(text.msrs[1].msr, 0x620);
    assert_true(text.msrs[1].is_fault);
    assert_true(text.msrs[2].value == UINT64_C(0x8000000049000885));
}

static void last_of_repeated_samples_counts(void **state)
{
    struct msr_text text = parse("MSR 00000010: 0000-0000-0000-0001\n"
                                 "MSR 00000010: 0000-0000-0000-0002\n"
                                 "0x10 #GP\n"
                                 "MSR 00000010: 0000-0000-0000-0003\n");

    (void)state;
    assert_int_equal(text.msrs_count, 1);
    assert_false(text.msrs[0].is_fault);
    assert_int_equal(text.msrs[0].value, 3);
}

static void rubbish_is_counted_and_passed_over(void **state)
{
    struct msr_text text = parse("[cpu x] 0x10 0x1\n"
                                 "[cpu 4294967295] 0x10 0x1\n"
                                 "10 0x1\n"
                                 "0x10\n"
                                 "0x100000000 0x1\n"
                                 "0x10 0x11111111111111111\n"
                                 "0x10 0x1 0x2\n"
                                 "MSR 00000010: 0000-0000-0000\n"
                                 "0x11 0x5\n");

    (void)state;
    assert_int_equal(text.rubbish.count, 8);
    assert_int_equal(text.msrs_count, 1);
    assert_int_equal(text.msrs[0].msr, 0x11);
}

static void no_memory_is_said(void **state)
{
    struct heap none;
    struct msr_text text;

    (void)state;
    heap_init(&none, 1);
    assert_int_equal(msr_text_parse("0x11 0x5", 8, &none.arena, &text), STATUS_NO_MEMORY);
    heap_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_lines_with_and_without_cpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_may_name_several_cpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_short_text_takes_bounded_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(instlat_lines_and_failures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(last_of_repeated_samples_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rubbish_is_counted_and_passed_over, set_up, tear_down),
        cmocka_unit_test(no_memory_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
