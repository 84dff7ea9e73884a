#include "host/diff_compare.h"
#include "host/json_text.h"
#include "host/significance.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *read_json(const char *text)
{
    char message[200];
    json_t *root = json_text_read(text, strlen(text), message, sizeof(message));

    if (root == NULL) {
        fail_msg("%s: %s", message, text);
    }
    return root;
}

static json_t *diff(const char *old_text, const char *new_text)
{
    json_t *old_report = read_json(old_text);
    json_t *new_report = read_json(new_text);
    json_t *result = diff_compare(old_report, new_report);

    json_decref(old_report);
    json_decref(new_report);
    return result;
}

static const json_t *change_at(const json_t *result, size_t index)
{
    return json_array_get(json_object_get(result, "changes"), index);
}

static size_t count_of(const json_t *result, const char *list)
{
    return json_array_size(json_object_get(json_object_get(result, "findings"), list));
}

static void the_same_report_has_no_difference(void **state)
{
    static const char report[] =
        "{\"assay\":{\"build\":\"a\"},\"machine\":{\"source\":\"firmware\",\"vendor\":\"V\"},"
        "\"fadt\":{\"flags\":1,\"x_dsdt\":1000},\"findings\":[{\"id\":\"A-1\",\"verdict\":\"FAIL\"}"
        "]}";
    json_t *result =
        diff(report, "{\"assay\":{\"build\":\"b\"},\"machine\":{\"source\":\"folder\","
                     "\"source_name\":\"x\",\"vendor\":\"V\"},\"fadt\":{\"flags\":1,"
                     "\"x_dsdt\":2000},\"findings\":[{\"id\":\"A-1\",\"verdict\":\"FAIL\"}]}");

    (void)state;
    assert_false(json_is_true(json_object_get(result, "changed")));
    assert_int_equal(json_array_size(json_object_get(result, "changes")), 0);
    json_decref(result);
}

static void equal_changes_of_processors_are_one(void **state)
{
    json_t *result = diff(
        "{\"sets\":{\"pss#0\":[{\"freq_mhz\":2000}],\"cst#0\":{\"states\":[{\"register\":{\"reg\":"
        "{\"space\":1,\"width\":8,\"offset\":0,\"access\":1,\"address\":1044}}}]}},"
        "\"processors\":[{\"path\":\"\\\\A\",\"pss\":\"pss#0\",\"cst\":\"cst#0\"},"
        "{\"path\":\"\\\\B\",\"pss\":\"pss#0\",\"cst\":\"cst#0\"},{\"path\":\"\\\\C\"}]}",
        "{\"sets\":{\"pss#7\":[{\"freq_mhz\":2100}],\"cst#0\":{\"states\":[{\"register\":{\"reg\":"
        "{\"space\":1,\"width\":8,\"offset\":0,\"access\":1,\"address\":1045}}}]}},"
        "\"processors\":[{\"path\":\"\\\\B\",\"pss\":\"pss#7\",\"cst\":\"cst#0\"},"
        "{\"path\":\"\\\\A\",\"pss\":\"pss#7\",\"cst\":\"cst#0\"},"
        "{\"path\":\"\\\\D\",\"cst\":\"cst#0\"}]}");

    (void)state;
    assert_true(json_is_true(json_object_get(result, "changed")));
    assert_int_equal(json_array_size(json_object_get(result, "changes")), 4);
    assert_string_equal(json_text_string(change_at(result, 0), "name"), "pss[0].freq_mhz");
    assert_string_equal(json_text_string(change_at(result, 0), "old"), "2000");
    assert_string_equal(json_text_string(change_at(result, 0), "new"), "2100");
    assert_int_equal(json_array_size(json_object_get(change_at(result, 0), "processors")), 2);
    assert_string_equal(json_text_string(change_at(result, 1), "new"),
                        "SystemIO 0x415, width 8, offset 0, access 1");
    assert_string_equal(json_text_string(change_at(result, 2), "old"), "there");
    assert_string_equal(json_text_string(change_at(result, 3), "new"), "there");
    json_decref(result);
}

static void an_object_that_went_is_one_change(void **state)
{
    json_t *result = diff("{\"sets\":{\"psd#0\":[[5,0,0,254,2]]},\"processors\":[{\"path\":\"A\","
                          "\"psd\":\"psd#0\"}]}",
                          "{\"processors\":[{\"path\":\"A\"}]}");

    (void)state;
    assert_int_equal(json_array_size(json_object_get(result, "changes")), 1);
    assert_string_equal(json_text_string(change_at(result, 0), "name"), "psd");
    assert_null(json_object_get(change_at(result, 0), "new"));
    json_decref(result);
}

static void findings_are_fixed_new_changed_or_not_judged(void **state)
{
    json_t *result =
        diff("{\"findings\":[{\"id\":\"A\",\"verdict\":\"FAIL\",\"actual\":\"1\"},"
             "{\"id\":\"B\",\"verdict\":\"WARN\",\"object\":\"x\"},"
             "{\"id\":\"C\",\"verdict\":\"FAIL\"},{\"id\":\"D\",\"verdict\":\"PASS\"},"
             "{\"id\":\"E\",\"verdict\":\"SKIP\"}]}",
             "{\"findings\":[{\"id\":\"A\",\"verdict\":\"FAIL\",\"actual\":\"2\"},"
             "{\"id\":\"B\",\"verdict\":\"PASS\"},{\"id\":\"C\",\"verdict\":\"SKIP\"},"
             "{\"id\":\"D\",\"verdict\":\"FAIL\"},{\"id\":\"E\",\"verdict\":\"PASS\"}]}");

    (void)state;
    assert_int_equal(count_of(result, "changed"), 1);
    assert_int_equal(count_of(result, "fixed"), 1);
    assert_int_equal(count_of(result, "not_judged"), 1);
    assert_int_equal(count_of(result, "new"), 1);
    json_decref(result);
}

static void counters_that_run_are_no_change(void **state)
{
    json_t *result = diff("{\"msrs\":[{\"cpus\":\"0-1\",\"msr\":\"0x10\",\"value\":\"0x1\"},"
                          "{\"cpus\":\"0-1\",\"msr\":\"0x1ad\",\"value\":\"0x1\"}]}",
                          "{\"msrs\":[{\"cpus\":\"0-1\",\"msr\":\"0x10\",\"value\":\"0x2\"},"
                          "{\"cpus\":\"0\",\"msr\":\"0x1ad\",\"value\":\"0x1\"},"
                          "{\"cpus\":\"1\",\"msr\":\"0x1ad\",\"fault\":true}]}");

    (void)state;
    assert_int_equal(json_array_size(json_object_get(result, "changes")), 1);
    assert_string_equal(json_text_string(change_at(result, 0), "new"), "0x1 on 0; fault on 1");
    json_decref(result);
}

#define IDLE(mean, stddev, emulated)                                                               \
    "{\"idle\":[{\"cpu\":0,\"state\":\"C2\",\"entry\":\"io\"," emulated                            \
    "\"asleep_ns\":{\"n\":1000,\"mean\":" mean ",\"stddev\":" stddev "}}]}"

static json_t *measured(const char *old_text, const char *new_text)
{
    json_t *result = diff(old_text, new_text);
    json_t *list = json_object_get(json_object_get(result, "measurements"), "differ");

    json_incref(list);
    json_decref(result);
    return list;
}

static void measurements_differ_beyond_their_uncertainty(void **state)
{
    json_t *list = measured(IDLE("100000", "1000", ""), IDLE("100500", "1000", ""));

    (void)state;
    assert_int_equal(json_array_size(list), 1);
    assert_true(json_real_value(json_object_get(json_array_get(list, 0), "confidence_pct")) > 99.9);
    json_decref(list);
    list = measured(IDLE("100000", "1000", ""), IDLE("100050", "1000", ""));
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    list = measured(IDLE("100000", "1000", ""), IDLE("900000", "1000", "\"emulated\":true,"));
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

static void rates_have_their_own_uncertainty(void **state)
{
    static const char clock[] = "{\"clocks\":[{\"name\":\"tsc\",\"from\":\"x\",\"runs\":8,"
                                "\"hz\":1000000000,\"uncertainty_ppm\":10}]}";
    json_t *list = measured(clock, "{\"clocks\":[{\"name\":\"tsc\",\"from\":\"x\",\"runs\":8,"
                                   "\"hz\":1000015000,\"uncertainty_ppm\":10}]}");

    (void)state;
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
    list = measured(clock, "{\"clocks\":[{\"name\":\"tsc\",\"from\":\"x\",\"runs\":8,"
                           "\"hz\":1000025000,\"uncertainty_ppm\":10}]}");
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
}

/* Values of Student's distribution from NIST/SEMATECH e-Handbook 1.3.6.7.2, two-sided. */
static void the_test_matches_printed_tables(void **state)
{
    struct sample one = {.n = 10, .mean = 5, .stddev = 0};
    struct sample other = {.n = 10, .mean = 6, .stddev = 0};

    (void)state;
    assert_true(fabs(significance_student(2.228, 10) - 0.05) < 0.0001);
    assert_true(fabs(significance_student(12.706, 1) - 0.05) < 0.0001);
    assert_true(fabs(significance_student(-2.576, 1e6) - 0.01) < 0.0001);
    assert_true(fabs(significance_student(0, 5) - 1) < 1e-9);
    assert_true(significance_welch(&one, &other) <= 0);
    assert_true(significance_welch(&one, &one) >= 1);
    one.n = 1;
    assert_true(significance_welch(&one, &other) >= 1);
}

static void rubbish_is_compared_without_harm(void **state)
{
    json_t *result = diff(
        "{\"machine\":7,\"processors\":{\"a\":1},\"findings\":[1,{\"id\":7},null],\"msrs\":[{}],"
        "\"sets\":[],\"linux\":[{}],\"idle\":[7],\"fadt\":[1],\"madt\":{\"entries\":7}}",
        "{\"machine\":[],\"processors\":[{\"path\":3},{\"path\":\"x\",\"pss\":{\"a\":[[[]]]}}],"
        "\"findings\":{},\"msrs\":3,\"sets\":{\"x\":1},\"cpuid\":{\"kinds\":[{\"leaves\":[{}]}]}}");

    (void)state;
    assert_true(json_is_true(json_object_get(result, "changed")));
    json_decref(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_report_has_no_difference),
        cmocka_unit_test(equal_changes_of_processors_are_one),
        cmocka_unit_test(an_object_that_went_is_one_change),
        cmocka_unit_test(findings_are_fixed_new_changed_or_not_judged),
        cmocka_unit_test(counters_that_run_are_no_change),
        cmocka_unit_test(measurements_differ_beyond_their_uncertainty),
        cmocka_unit_test(rates_have_their_own_uncertainty),
        cmocka_unit_test(the_test_matches_printed_tables),
        cmocka_unit_test(rubbish_is_compared_without_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
