#include "rules/rule.h"
#include "tests/rules/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct rule_case *const tables[] = {
    cases_of_cpc,     cases_of_frequency, cases_of_idle,   cases_of_machine,
    cases_of_pstates, cases_of_registers, cases_of_tables,
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))
#define RULES_MAX 512

/* What has been seen of each rule, by its place in the registry. */
static bool has_passed[RULES_MAX];
static bool has_failed[RULES_MAX];

static uint32_t place_of(const char *id)
{
    for (uint32_t i = 0; i < rules_count(); i++) {
        if (strcmp(rules_at(i)->id, id) == 0) {
            return i;
        }
    }
    fail_msg("no rule %s", id);
    return 0;
}

static void note(const struct findings *findings)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        if (findings->items[i].verdict == VERDICT_PASS) {
            has_passed[place_of(findings->items[i].id)] = true;
        }
    }
}

static void prepare(const struct rule_case *test, struct fixture *fixture)
{
    fixture_init(fixture, test->machine);
    if (test->edit != NULL) {
        fixture_edit(fixture, test->edit);
    }
    if (test->change != NULL) {
        test->change(fixture);
    }
}

static bool is_complaint(const struct finding *finding)
{
    return finding->verdict == VERDICT_FAIL || finding->verdict == VERDICT_WARN;
}

static bool is_allowed(const struct rule_case *test, const char *id)
{
    return strcmp(id, test->id) == 0 || (test->also != NULL && strstr(test->also, id) != NULL);
}

/* How many things are wrong with the answer, each printed. */
static int judge_case(const struct rule_case *test, bool must_hold)
{
    struct fixture fixture;
    struct findings findings;
    bool is_seen = false;
    int wrong = 0;

    prepare(test, &fixture);
    fixture_judge(&fixture, &findings);
    for (uint32_t i = 0; i < findings.count; i++) {
        const struct finding *finding = &findings.items[i];

        if (is_complaint(finding) && (must_hold || !is_allowed(test, finding->id))) {
            print_error("%s [%s]: %s %s: %s (expected %s)\n", test->id,
                        test->edit != NULL ? test->edit : "", verdict_name(finding->verdict),
                        finding->id, finding->actual, finding->expected);
            wrong++;
        }
        is_seen =
            is_seen || (!must_hold && finding->verdict != VERDICT_PASS &&
                        finding->verdict != VERDICT_SKIP && strcmp(finding->id, test->id) == 0);
    }
    if (must_hold) {
        note(&findings);
        is_seen = fixture_has(&findings, test->id, VERDICT_PASS);
    }
    if (!is_seen) {
        print_error("%s [%s]: not %s\n", test->id, test->edit != NULL ? test->edit : "",
                    must_hold ? "passed" : "found");
        wrong++;
    } else if (!must_hold) {
        has_failed[place_of(test->id)] = true;
    }
    fixture_free(&fixture);
    return wrong;
}

static void each_change_is_found(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t t = 0; t < TABLES; t++) {
        for (const struct rule_case *test = tables[t]; test->id != NULL; test++) {
            wrong += judge_case(test, false);
        }
    }
    assert_int_equal(wrong, 0);
}

static void sound_things_hold(void **state)
{
    int wrong = 0;

    (void)state;
    for (const struct rule_case *test = cases_that_hold; test->id != NULL; test++) {
        wrong += judge_case(test, true);
    }
    for (int machine = 0; machine < MACHINES; machine++) {
        struct fixture fixture;
        struct findings findings;

        fixture_init(&fixture, (enum fixture_machine)machine);
        fixture_judge(&fixture, &findings);
        note(&findings);
        fixture_free(&fixture);
    }
    assert_int_equal(wrong, 0);
}

/* What was timed under an emulator or hypervisor says nothing, whatever the figures. */
static void timed_rules_skip_under_an_emulator(void **state)
{
    unsigned skipped = 0;

    (void)state;
    for (const struct rule_case *test = cases_of_idle; test->id != NULL; test++) {
        struct fixture fixture;
        struct findings findings;

        prepare(test, &fixture);
        fixture.platform.vendor = "QEMU";
        fixture_judge(&fixture, &findings);
        assert_true(fixture.platform.is_emulated);
        for (uint32_t i = 0; i < findings.count; i++) {
            const struct finding *finding = &findings.items[i];

            if (strncmp(finding->id, "IDL-", 4) == 0 && finding->verdict != VERDICT_SKIP) {
                fail_msg("%s: %s %s under an emulator", test->id, verdict_name(finding->verdict),
                         finding->id);
            }
            skipped += strncmp(finding->id, "IDL-", 4) == 0 ? 1U : 0U;
        }
        fixture_free(&fixture);
    }
    assert_true(skipped > 100);
}

/* What seems wrong may just not have been kept: only rules about the run itself accuse then. */
static void where_memory_ran_out_nobody_is_accused(void **state)
{
    unsigned noted = 0;

    (void)state;
    for (size_t t = 0; t < TABLES; t++) {
        for (const struct rule_case *test = tables[t]; test->id != NULL; test++) {
            struct fixture fixture;
            struct findings findings;

            prepare(test, &fixture);
            fixture.platform.incomplete = "no memory";
            fixture_judge(&fixture, &findings);
            for (uint32_t i = 0; i < findings.count; i++) {
                const struct finding *finding = &findings.items[i];

                if (is_complaint(finding) && !rules_find(finding->id)->is_of_run) {
                    fail_msg("%s: %s %s", test->id, verdict_name(finding->verdict), finding->id);
                }
                noted += finding->verdict == VERDICT_INFO ? 1U : 0U;
            }
            assert_true(fixture_has(&findings, "MP-006", VERDICT_WARN));
            fixture_free(&fixture);
        }
    }
    assert_true(noted > 300);
}

/* Runs last. */
static void every_rule_was_seen_both_ways(void **state)
{
    uint32_t passed = 0;
    uint32_t failed = 0;

    (void)state;
    assert_true(rules_count() < RULES_MAX);
    for (uint32_t i = 0; i < rules_count(); i++) {
        if (!has_passed[i]) {
            print_error("%s never passed: %s\n", rules_at(i)->id, rules_at(i)->title);
        }
        if (!has_failed[i]) {
            print_error("%s never failed: %s\n", rules_at(i)->id, rules_at(i)->title);
        }
        passed += has_passed[i] ? 1 : 0;
        failed += has_failed[i] ? 1 : 0;
    }
    print_message("%u rules, %u seen to pass, %u seen to fail\n", rules_count(), passed, failed);
    assert_int_equal(passed, rules_count());
    assert_int_equal(failed, rules_count());
}

static void entries_are_whole(void **state)
{
    (void)state;
    assert_true(rules_count() >= 150);
    for (uint32_t i = 0; i < rules_count(); i++) {
        const struct rule *rule = rules_at(i);

        assert_non_null(rule->title);
        assert_non_null(rule->spec);
        assert_non_null(rule->why);
        assert_non_null(rule->advice);
        assert_non_null(rule->check);
        assert_ptr_equal(rules_find(rule->id), rule);
        assert_int_equal(place_of(rule->id), i);
        assert_true((rule->judge_set != NULL) + (rule->judge_processor != NULL) +
                        (rule->judge_cpu != NULL) + (rule->judge_machine != NULL) ==
                    1);
    }
    assert_null(rules_at(rules_count()));
    assert_null(rules_find("XXX-999"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_whole),
        cmocka_unit_test(each_change_is_found),
        cmocka_unit_test(sound_things_hold),
        cmocka_unit_test(timed_rules_skip_under_an_emulator),
        cmocka_unit_test(where_memory_ran_out_nobody_is_accused),
        cmocka_unit_test(every_rule_was_seen_both_ways),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
