#include "rules/rule.h"
#include "tests/rules/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static uint32_t complaints(const struct findings *findings)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];

        if (finding->verdict == VERDICT_FAIL || finding->verdict == VERDICT_WARN) {
            print_message("%s %s %s: %s (expected %s)\n", verdict_name(finding->verdict),
                          finding->id, finding->object, finding->actual, finding->expected);
            count++;
        }
    }
    return count;
}

static void judge_machine_of(enum fixture_machine machine)
{
    struct fixture fixture;
    struct findings findings;

    fixture_init(&fixture, machine);
    fixture_judge(&fixture, &findings);
    assert_int_equal(complaints(&findings), 0);
    assert_true(findings.count >= rules_count());
    fixture_free(&fixture);
}

static void bare_is_silent(void **state)
{
    (void)state;
    judge_machine_of(MACHINE_BARE);
}

static void amd_is_silent(void **state)
{
    (void)state;
    judge_machine_of(MACHINE_AMD);
}

static void pcc_is_silent(void **state)
{
    (void)state;
    judge_machine_of(MACHINE_PCC);
}

static void intel_is_silent(void **state)
{
    (void)state;
    judge_machine_of(MACHINE_INTEL);
}

static void hybrid_is_silent(void **state)
{
    (void)state;
    judge_machine_of(MACHINE_HYBRID);
}

static void atom_is_silent(void **state)
{
    (void)state;
    judge_machine_of(MACHINE_ATOM);
}

/* Two runs over one platform give the same findings, and each rule says something. */
static void runs_are_equal(void **state)
{
    struct fixture fixture;
    struct findings first;
    struct findings second;

    (void)state;
    fixture_init(&fixture, MACHINE_INTEL);
    fixture_judge(&fixture, &first);
    fixture_judge(&fixture, &second);
    assert_int_equal(first.count, second.count);
    for (uint32_t i = 0; i < first.count; i++) {
        assert_string_equal(first.items[i].id, second.items[i].id);
        assert_int_equal(first.items[i].verdict, second.items[i].verdict);
        assert_string_equal(first.items[i].actual, second.items[i].actual);
    }
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_is_silent),   cmocka_unit_test(amd_is_silent),
        cmocka_unit_test(pcc_is_silent),    cmocka_unit_test(intel_is_silent),
        cmocka_unit_test(hybrid_is_silent), cmocka_unit_test(atom_is_silent),
        cmocka_unit_test(runs_are_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
