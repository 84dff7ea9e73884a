#include "host/crash_guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define CRASHES (sizeof(crashes) / sizeof(crashes[0]))

/* The handler has a stack of its own, because running out of stack is one of the crashes. */
#define STACK_BYTES ((size_t)64 * 1024)

static sigjmp_buf way_back;
static char stack[STACK_BYTES];

static void come_back(int number)
{
    siglongjmp(way_back, number);
}

bool crash_guard_run(void *context, void (*procedure)(void *argument), void *argument)
{
    struct sigaction action = {.sa_handler = come_back, .sa_flags = SA_ONSTACK};
    struct sigaction before[CRASHES];
    stack_t own = {.ss_sp = stack, .ss_size = sizeof(stack)};
    stack_t stack_before;
    volatile bool is_good = false;

    (void)context;
    (void)sigaltstack(&own, &stack_before);
    for (size_t i = 0; i < CRASHES; i++) {
        (void)sigaction(crashes[i], &action, &before[i]);
    }
    if (sigsetjmp(way_back, 1) == 0) {
        procedure(argument);
        is_good = true;
    }
    for (size_t i = 0; i < CRASHES; i++) {
        (void)sigaction(crashes[i], &before[i], NULL);
    }
    (void)sigaltstack(&stack_before, NULL);
    return is_good;
}
