#include "model/finding.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;
static struct findings findings;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    assert_int_equal(findings_init(&findings, &heap.arena, 64, 1024), STATUS_OK);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static struct finding proto(const char *id, enum verdict verdict)
{
    return (struct finding){.id = id,
                            .verdict = verdict,
                            .severity = SEVERITY_HIGH,
                            .title = "a title",
                            .object = "",
                            .expected = "this",
                            .actual = "that",
                            .spec = "a document"};
}

static void add_object(const char *object, uint32_t cpu)
{
    struct finding finding = proto("PSS-001", VERDICT_FAIL);

    finding.object = object;
    findings_add(&findings, &finding, cpu);
}

static const char *cpus_of(uint32_t index)
{
    static char text[64];

    cpuset_format(&findings.items[index].cpus, text, sizeof(text));
    return text;
}

static void equal_judgements_fold_by_cpu(void **state)
{
    (void)state;
    for (uint32_t cpu = 0; cpu < 1024; cpu++) {
        char object[64];

        snprintf(object, sizeof(object), "\\_SB.PLTF.C%03X._PSS", cpu);
        add_object(object, cpu);
        add_object(object, cpu);
    }
    assert_int_equal(findings.count, 1);
    assert_string_equal(findings.items[0].object, "\\_SB.PLTF.C000._PSS");
    assert_string_equal(cpus_of(0), "0-1023");
}

static void whatever_differs_keeps_findings_apart(void **state)
{
    struct finding base = proto("PSS-001", VERDICT_FAIL);
    struct finding other;

    (void)state;
    findings_add(&findings, &base, 0);
    other = base;
    other.id = "PSS-002";
    findings_add(&findings, &other, 0);
    other = base;
    other.verdict = VERDICT_WARN;
    findings_add(&findings, &other, 0);
    other = base;
    other.expected = "thist";
    other.actual = "hat";
    findings_add(&findings, &other, 0);
    other = base;
    other.object = "MSR 1ADH";
    findings_add(&findings, &other, 0);
    other = base;
    other.object = "MSR 1AEH";
    findings_add(&findings, &other, 0);
    findings_add(&findings, &base, FINDING_NO_CPU);
    assert_int_equal(findings.count, 7);
    for (uint32_t i = 0; i < 6; i++) {
        assert_string_equal(cpus_of(i), "0");
        assert_int_equal(findings.items[i].sequence, i);
    }
    assert_string_equal(cpus_of(6), "");
}

static void kind_is_the_last_reserved_segment(void **state)
{
    (void)state;
    add_object("\\_SB.C000._PSS[3]", 0);
    add_object("\\_SB.C001._PSS[3]", 1);
    add_object("\\_SB.C001._PSS[4]", 1);
    add_object("\\_PR_.P001._CST state 2, 1.5 us", 1);
    add_object("\\_PR_.P002._CST state 2, 1.5 us", 2);
    add_object("\\_SB.C000", 0);
    add_object("\\_SB.C001", 1);
    add_object("\\_SB.C000", FINDING_NO_CPU);
    add_object("\\_SB.C001", FINDING_NO_CPU);
    add_object("\\", 0);
    add_object("FADT.p_lvl2_lat", 0);
    add_object("FADT.p_lvl3_lat", 0);
    assert_int_equal(findings.count, 8);
    assert_string_equal(cpus_of(0), "0-1");
    assert_string_equal(cpus_of(1), "1");
    assert_string_equal(cpus_of(2), "1-2");
    assert_string_equal(findings.items[3].object, "\\_SB.C000");
    assert_string_equal(cpus_of(3), "0-1");
}

static void object_shown_is_of_the_first_cpu(void **state)
{
    (void)state;
    add_object("\\_SB.CPU17._PSS", 17);
    add_object("\\_SB.CPU3._PSS", 3);
    add_object("\\_SB.CPU5._PSS", 5);
    assert_string_equal(findings.items[0].object, "\\_SB.CPU3._PSS");
    add_object("\\_SB.SCK0.CPU0._PSS", 0);
    assert_string_equal(findings.items[0].object, "\\_SB.SCK0.CPU0._PSS");
    assert_int_equal(findings.count, 1);
    assert_string_equal(cpus_of(0), "0,3,5,17");
}

static void texts_are_copied(void **state)
{
    char expected[] = "8 rows";
    char actual[] = "3 rows";
    char object[] = "\\_SB.C000._PSS";
    struct finding finding = proto("PSS-001", VERDICT_FAIL);

    (void)state;
    finding.expected = expected;
    finding.actual = actual;
    finding.object = object;
    findings_add(&findings, &finding, 0);
    memset(expected, 'x', sizeof(expected) - 1);
    memset(actual, 'x', sizeof(actual) - 1);
    memset(object, 'x', sizeof(object) - 1);
    assert_string_equal(findings.items[0].expected, "8 rows");
    assert_string_equal(findings.items[0].actual, "3 rows");
    assert_string_equal(findings.items[0].object, "\\_SB.C000._PSS");
}

static void missing_texts_are_empty(void **state)
{
    struct finding finding = {.verdict = VERDICT_SKIP};

    (void)state;
    findings_add(&findings, &finding, FINDING_NO_CPU);
    assert_string_equal(findings.items[0].id, "");
    assert_string_equal(findings.items[0].object, "");
    assert_string_equal(findings.items[0].actual, "");
}

static void full_store_counts_what_it_drops(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 70; i++) {
        char actual[16];
        struct finding finding = proto("PSS-001", i == 69 ? VERDICT_FAIL : VERDICT_WARN);

        snprintf(actual, sizeof(actual), "%u", i);
        finding.actual = actual;
        findings_add(&findings, &finding, i);
    }
    assert_int_equal(findings.count, 64);
    assert_int_equal(findings.dropped, 6);
    assert_int_equal(findings.dropped_by_verdict[VERDICT_WARN], 5);
    assert_int_equal(findings.dropped_by_verdict[VERDICT_FAIL], 1);
    assert_int_equal(findings_totals(&findings).by_verdict[VERDICT_WARN], 64);
}

static void full_text_counts_what_it_drops(void **state)
{
    char actual[6000];

    (void)state;
    memset(actual, 'a', sizeof(actual));
    actual[sizeof(actual) - 1] = '\0';
    for (unsigned i = 0; i < 5; i++) {
        struct finding finding = proto("PSS-001", VERDICT_INFO);

        actual[0] = (char)('0' + i);
        finding.actual = actual;
        findings_add(&findings, &finding, 0);
    }
    assert_int_equal(findings.count, 2);
    assert_int_equal(findings.dropped, 3);
    add_object("", 1); /* a short one still fits */
    assert_int_equal(findings.count, 3);
}

static void no_memory_is_said(void **state)
{
    struct heap small;
    struct findings none;
    struct finding finding = proto("PSS-001", VERDICT_FAIL);

    (void)state;
    heap_init(&small, 300 * 1024);
    assert_int_equal(findings_init(&none, &small.arena, 100000, 1024), STATUS_NO_MEMORY);
    findings_add(&none, &finding, 0);
    findings_sort(&none);
    assert_int_equal(none.count, 0);
    assert_int_equal(none.dropped, 1);
    assert_int_equal(findings_init(&none, &small.arena, UINT32_MAX, 1024), STATUS_NO_MEMORY);
    heap_free(&small);
}

static void order_is_verdict_severity_id_cpu(void **state)
{
    static const char *const expected[] = {
        "A-1", "B-1", "B-2 all", "B-2 cpu 1", "B-2 cpu 3 first", "B-2 cpu 3 second",
        "W-1", "I-1", "S-1",     "P-1"};
    static const struct {
        const char *id;
        const char *actual;
        enum verdict verdict;
        enum severity severity;
        uint32_t cpu;
    } added[] = {
        {"P-1", "P-1", VERDICT_PASS, SEVERITY_CRITICAL, 0},
        {"B-2", "B-2 cpu 3 first", VERDICT_FAIL, SEVERITY_HIGH, 3},
        {"S-1", "S-1", VERDICT_SKIP, SEVERITY_CRITICAL, 0},
        {"B-2", "B-2 cpu 3 second", VERDICT_FAIL, SEVERITY_HIGH, 3},
        {"I-1", "I-1", VERDICT_INFO, SEVERITY_CRITICAL, 0},
        {"B-2", "B-2 cpu 1", VERDICT_FAIL, SEVERITY_HIGH, 1},
        {"W-1", "W-1", VERDICT_WARN, SEVERITY_CRITICAL, 0},
        {"B-1", "B-1", VERDICT_FAIL, SEVERITY_HIGH, 900},
        {"B-2", "B-2 all", VERDICT_FAIL, SEVERITY_HIGH, FINDING_NO_CPU},
        {"A-1", "A-1", VERDICT_FAIL, SEVERITY_CRITICAL, 5},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
        struct finding finding = proto(added[i].id, added[i].verdict);

        finding.actual = added[i].actual;
        finding.severity = added[i].severity;
        findings_add(&findings, &finding, added[i].cpu);
    }
    findings_sort(&findings);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        assert_string_equal(findings.items[i].actual, expected[i]);
    }
}

static void folding_goes_on_after_sorting(void **state)
{
    struct finding pass = proto("A-1", VERDICT_PASS);

    (void)state;
    findings_add(&findings, &pass, 0);
    add_object("", 7);
    findings_sort(&findings);
    findings_add(&findings, &pass, 1);
    add_object("", 8);
    assert_int_equal(findings.count, 2);
    assert_string_equal(cpus_of(0), "7-8");
    assert_string_equal(cpus_of(1), "0-1");
    findings_sort(&findings);
    assert_string_equal(cpus_of(0), "7-8");
}

/* Many distinct findings: every one is found again, and sorting keeps all of them. */
static void thousands_of_findings_are_found_again(void **state)
{
    struct findings many;

    (void)state;
    assert_int_equal(findings_init(&many, &heap.arena, 5000, 256), STATUS_OK);
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 5000; i++) {
            char actual[16];
            struct finding finding = proto("PSS-001", (enum verdict)(i % VERDICTS));

            snprintf(actual, sizeof(actual), "%u", i);
            finding.actual = actual;
            findings_add(&many, &finding, i % 256 / (round + 1));
        }
        findings_sort(&many);
        assert_int_equal(many.count, 5000);
        assert_int_equal(many.dropped, 0);
    }
    for (unsigned v = 0; v < VERDICTS; v++) {
        assert_int_equal(findings_totals(&many).by_verdict[v], 1000);
    }
    for (uint32_t i = 1; i < many.count; i++) {
        if (many.items[i].verdict == many.items[i - 1].verdict) {
            assert_true(cpuset_next(&many.items[i - 1].cpus, 0) <=
                        cpuset_next(&many.items[i].cpus, 0));
        }
    }
}

static void words_are_those_of_the_report(void **state)
{
    (void)state;
    assert_string_equal(verdict_name(VERDICT_PASS), "PASS");
    assert_string_equal(verdict_name(VERDICT_SKIP), "SKIP");
    assert_string_equal(verdict_name(VERDICTS), "unknown");
    assert_string_equal(severity_name(SEVERITY_CRITICAL), "critical");
    assert_string_equal(severity_name(SEVERITY_LOW), "low");
    assert_string_equal(severity_name((enum severity)(SEVERITY_LOW + 1)), "unknown");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(equal_judgements_fold_by_cpu),
        TEST(whatever_differs_keeps_findings_apart),
        TEST(kind_is_the_last_reserved_segment),
        TEST(object_shown_is_of_the_first_cpu),
        TEST(texts_are_copied),
        TEST(missing_texts_are_empty),
        TEST(full_store_counts_what_it_drops),
        TEST(full_text_counts_what_it_drops),
        TEST(no_memory_is_said),
        TEST(order_is_verdict_severity_id_cpu),
        TEST(folding_goes_on_after_sorting),
        TEST(thousands_of_findings_are_found_again),
        TEST(words_are_those_of_the_report),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
