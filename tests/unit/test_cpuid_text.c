#include "host/cpuid_text.h"
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

static struct cpuid_text parse(const char *string)
{
    struct cpuid_text text;

    assert_int_equal(cpuid_text_parse(string, strlen(string), &heap.arena, &text), STATUS_OK);
    return text;
}

static void instlat_lines_of_two_kinds(void **state)
{
    struct cpuid_text text =
        parse("------[ CPUID Registers / Logical CPU #0 ]------\n"
              "CPUID 00000000: 00000010-68747541-444D4163-69746E65\n"
              "CPUID 0000000D: 00000010-00000000-00000001-00000000 [SL 0B]\n"
              "allcpu: Package 0 / Core 0 / Thread 0: Valid\n"
              "------[ CPUID Registers / Logical CPU #1 ]------\n"
              "CPUID 00000000: 00000010-68747541-444D4163-69746E65\n"
              "CPUID 0000000D: 00000010-00000000-00000001-00000000 [SL 0B]\n"
              "------[ CPUID Registers / Logical CPU #2 ]------\n"
              "CPUID 00000000: 0000000F-68747541-444D4163-69746E65 [Authentic]\n"
              "------[ MSR Registers / Logical CPU #0 ]------\n"
              "MSR 0000001B: 0000-0000-FEE0-0900\n");

    (void)state;
    assert_int_equal(text.kinds_count, 2);
    assert_int_equal(text.kinds[0].first_cpu, 0);
    assert_int_equal(text.kinds[0].leaves.count, 2);
    assert_int_equal(text.kinds[0].leaves.leaves[1].leaf, 0xD);
    assert_int_equal(text.kinds[0].leaves.leaves[1].subleaf, 0xB);
    assert_int_equal(text.kinds[0].leaves.leaves[0].edx, 0x69746E65);
    assert_int_equal(text.kinds[1].first_cpu, 2);
    assert_int_equal(text.kinds[1].leaves.leaves[0].eax, 0xF);
    assert_int_equal(text.rubbish.count, 0);
    assert_int_equal(text.lines_count, 5);
}

static void raw_lines_of_the_cpuid_program(void **state)
{
    struct cpuid_text text =
        parse("CPU 0:\n"
              "   0x00000001 0x00: eax=0x000906ea ebx=0x00100800 ecx=0x7ffafbff edx=0xbfebfbff\n"
              "   0x00000004 0x02: eax=0x1c004143 ebx=0x00c0003f ecx=0x000003ff edx=0x00000000\n"
              "CPU 1:\n"
              "   0x00000001 0x00: eax=0x000906ea ebx=0x01100800 ecx=0x7ffafbff edx=0xbfebfbff\n");

    (void)state;
    assert_int_equal(text.kinds_count, 2);
    assert_int_equal(text.kinds[0].leaves.leaves[1].subleaf, 2);
    assert_int_equal(text.kinds[1].leaves.leaves[0].ebx, 0x01100800);
}

static void last_of_equal_leaves_counts(void **state)
{
    struct cpuid_text text = parse("CPUID 00000001: 00000001-00000000-00000000-00000000\n"
                                   "CPUID 00000000: 00000001-00000000-00000000-00000000\n"
                                   "CPUID 00000001: 00000002-00000000-00000000-00000000\n");

    (void)state;
    assert_int_equal(text.kinds_count, 1);
    assert_int_equal(text.kinds[0].leaves.count, 2);
    assert_int_equal(text.kinds[0].leaves.leaves[0].leaf, 0);
    assert_int_equal(text.kinds[0].leaves.leaves[1].eax, 2);
}

static void rubbish_is_counted_and_passed_over(void **state)
{
    struct cpuid_text text = parse("hello\n"
                                   "CPUID 00000001: 00A20F10-00100800-7ED8320B\n"
                                   "CPUID 0000001: 00A20F10-00100800-7ED8320B-178BFBFF\n"
                                   "CPU 99999999999999999999:\n"
                                   "CPUID 00000001: 00A20F10-00100800-7ED8320B-178BFBFF [SL xx]\n"
                                   "0x1 0x0: eax=0x1ffffffff ebx=0x0 ecx=0x0 edx=0x0\n"
                                   "# a comment\n"
                                   "CPUID 00000007: 00000000-00000000-00000000-00000001\n");

    (void)state;
    assert_int_equal(text.rubbish.count, 6);
    assert_int_equal(text.rubbish.first_number, 1);
    assert_string_equal(text.rubbish.first_text, "hello");
    assert_int_equal(text.kinds_count, 1);
    assert_int_equal(text.kinds[0].leaves.leaves[0].edx, 1);
}

static void empty_and_binary_text_give_no_kind(void **state)
{
    uint8_t bytes[600];
    struct cpuid_text text;

    (void)state;
    assert_int_equal(parse("").kinds_count, 0);
    memset(bytes, 0xFF, sizeof(bytes));
    assert_int_equal(cpuid_text_parse((const char *)bytes, sizeof(bytes), &heap.arena, &text),
                     STATUS_OK);
    assert_int_equal(text.kinds_count, 0);
    assert_int_equal(text.rubbish.count, 1);
}

static void no_memory_is_said(void **state)
{
    static const char line[] = "CPUID 00000001: 00000001-00000000-00000000-00000000\n";
    struct heap none;
    struct cpuid_text text;

    (void)state;
    heap_init(&none, 1);
    assert_int_equal(cpuid_text_parse(line, strlen(line), &none.arena, &text), STATUS_NO_MEMORY);
    heap_free(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(instlat_lines_of_two_kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(raw_lines_of_the_cpuid_program, set_up, tear_down),
        cmocka_unit_test_setup_teardown(last_of_equal_leaves_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rubbish_is_counted_and_passed_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_and_binary_text_give_no_kind, set_up, tear_down),
        cmocka_unit_test(no_memory_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
