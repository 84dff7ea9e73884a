#include "host/crash_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void count(void *argument)
{
    int *counter = argument;

    (*counter)++;
}

static void crash(void *argument)
{
    raise(*(const int *)argument);
}

static uint64_t sink(volatile uint8_t *below);
static uint64_t (*volatile deeper)(volatile uint8_t *below) = sink;

/* Without bound, so that the stack ends; through a pointer, so that no compiler makes a loop of it. */
static uint64_t sink(volatile uint8_t *below)
{
    volatile uint8_t block[1024];

    block[0] = below == NULL ? 1 : below[0];
    return deeper(block) + block[0];
}

static void overflow(void *argument)
{
    *(uint64_t *)argument = sink(NULL);
}

static void a_good_procedure_is_run_once(void **state)
{
    int counter = 0;

    (void)state;
    assert_true(crash_guard_run(NULL, count, &counter));
    assert_int_equal(counter, 1);
}

static void every_kind_of_crash_comes_back(void **state)
{
    int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSEGV};

    (void)state;
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        assert_false(crash_guard_run(NULL, crash, &numbers[i]));
    }
}

static void running_out_of_stack_comes_back(void **state)
{
    uint64_t sum;

    (void)state;
    assert_false(crash_guard_run(NULL, overflow, &sum));
}

static void what_was_there_before_is_put_back(void **state)
{
    struct sigaction before;
    struct sigaction after;
    int number = SIGSEGV;

    (void)state;
    sigaction(SIGSEGV, NULL, &before);
    assert_false(crash_guard_run(NULL, crash, &number));
    sigaction(SIGSEGV, NULL, &after);
    assert_true(before.sa_handler == after.sa_handler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_procedure_is_run_once),
        cmocka_unit_test(every_kind_of_crash_comes_back),
        cmocka_unit_test(running_out_of_stack_comes_back),
        cmocka_unit_test(what_was_there_before_is_put_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
