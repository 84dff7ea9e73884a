#include "report/idle_gaps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static char buffer[256];

static const char *written(void (*write)(struct textbuf *out, const struct platform *platform),
                           const struct platform *platform)
{
    struct textbuf text;

    textbuf_init(&text, buffer, sizeof(buffer), NULL, NULL);
    write(&text, platform);
    buffer[text.length] = '\0';
    return buffer;
}

static void a_watch_is_told_with_its_histogram(void **state)
{
    struct platform platform = {
        .tsc_hz = UINT64_C(2000000000),
        .tsc_gaps = {.watched_tsc = UINT64_C(2000000000),
                     .threshold_tsc = 20000,
                     .count = 2,
                     .longest_tsc = 202468,
                     .has_smi_count = true,
                     .smi = 2,
                     .steps = {[5] = 39999998, [6] = 12, [17] = 2, [TSC_GAPS_BINS - 1] = 1}}};

    (void)state;
    assert_true(idle_gaps_were_watched(&platform));
    assert_string_equal(written(idle_gaps_sentence, &platform),
                        "The TSC was watched for 1000 ms: 2 jumps over 10 us, longest step "
                        "101234 ns, 2 SMIs");
    assert_string_equal(written(idle_gaps_histogram, &platform),
                        "steps below 32 ns: 39999998, 64 ns: 12, 131072 ns: 2, longer: 1");
}

static void no_watch_and_no_rate_are_not_told(void **state)
{
    struct platform platform = {.tsc_hz = 1};

    (void)state;
    assert_false(idle_gaps_were_watched(&platform));
    platform.tsc_gaps.watched_tsc = 1;
    platform.tsc_hz = 0;
    assert_false(idle_gaps_were_watched(&platform));
    assert_string_equal(written(idle_gaps_histogram, &platform), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watch_is_told_with_its_histogram),
        cmocka_unit_test(no_watch_and_no_rate_are_not_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
