#include "report/idle_refused.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What was not timed, folded: every CPU is named, and no two reasons share a line. */

#define CPUS 128U

static struct idle_not_timed all[CPUS * 2];

static struct platform platform_of(uint32_t count)
{
    return (struct platform){
        .cpus_count = CPUS, .idle_not_timed = all, .idle_not_timed_count = count};
}

static void set(uint32_t index, uint32_t cpu, uint32_t port, const char *why)
{
    all[index] =
        (struct idle_not_timed){.cpu = cpu,
                                .way = {.state = port == 0 ? "C1" : "C2",
                                        .entry = port == 0 ? IDLE_HLT : IDLE_IO,
                                        .port = (uint16_t)port,
                                        .dummy_read = port == 0 ? DUMMY_NONE : DUMMY_PM_TIMER,
                                        .not_timed = why}};
}

static void assert_line(const struct platform *platform, uint32_t first, const char *expected)
{
    char buffer[256];
    struct textbuf text;

    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    idle_refused_line(&text, platform, first);
    buffer[text.length] = '\0';
    assert_string_equal(buffer, expected);
}

static void cpus_with_one_reason_share_a_line(void **state)
{
    struct platform platform = platform_of(CPUS * 2);
    struct idle_refused refused;

    (void)state;
    for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
        set(2 * cpu, cpu, 0, cpu == 7 ? "one reason" : "another");
        set(2 * cpu + 1, cpu, 0x414, "another");
    }
    idle_refused_fold(&platform, &refused);
    assert_int_equal(refused.count, 3);
    assert_int_equal(refused.beyond, 0);
    assert_line(&platform, refused.first[0], "C1 by HLT, CPU 0-6,8-127: another");
    assert_line(&platform, refused.first[1],
                "C2 by port 0x414 and the PM timer, CPU 0-127: another");
    assert_line(&platform, refused.first[2], "C1 by HLT, CPU 7: one reason");
}

static void more_lines_than_fit_are_counted(void **state)
{
    struct platform platform = platform_of(CPUS);
    struct idle_refused refused;

    (void)state;
    for (uint32_t i = 0; i < CPUS; i++) {
        set(i, 0, 0x400 + i, "no");
    }
    idle_refused_fold(&platform, &refused);
    assert_int_equal(refused.count, IDLE_REFUSED_LINES);
    assert_int_equal(refused.beyond, CPUS - IDLE_REFUSED_LINES);
}

static void nothing_gives_nothing(void **state)
{
    struct platform platform = platform_of(0);
    struct idle_refused refused;

    (void)state;
    idle_refused_fold(&platform, &refused);
    assert_int_equal(refused.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cpus_with_one_reason_share_a_line),
        cmocka_unit_test(more_lines_than_fit_are_counted),
        cmocka_unit_test(nothing_gives_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
