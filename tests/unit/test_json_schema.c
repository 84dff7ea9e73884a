#include "report/report.h"
#include "tests/sim/json_schema.h"
#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SCHEMA "docs/report.schema.json"
#define FLAGS (JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL | JSON_DECODE_ANY)

static char message[1024];

static json_t *load(const char *text)
{
    json_error_t error;
    json_t *json = json_loads(text, FLAGS, &error);

    if (json == NULL) {
        fail_msg("%s: %s", text, error.text);
    }
    return json;
}

static bool is_valid(const char *schema_text, const char *value_text)
{
    json_t *schema = load(schema_text);
    json_t *value = load(value_text);
    bool valid;

    message[0] = '\0';
    valid = json_schema_validate(schema, value, message, sizeof(message));
    json_decref(schema);
    json_decref(value);
    return valid;
}

struct example {
    const char *schema;
    const char *valid;
    const char *invalid;
    const char *says;
};

static void each_keyword_lets_pass_and_refuses(void **state)
{
    static const struct example examples[] = {
        {"{\"type\":\"integer\"}", "3", "3.5", "is no integer"},
        {"{\"type\":\"integer\"}", "18446744073709551615", "\"3\"", "is no integer"},
        {"{\"type\":[\"null\",\"string\"]}", "null", "0", "none of the types"},
        {"{\"type\":\"boolean\"}", "false", "0", "is no boolean"},
        {"{\"type\":\"array\"}", "[]", "{}", "is no array"},
        {"{\"enum\":[\"a\",\"b\"]}", "\"b\"", "\"c\"", "none of the values"},
        {"{\"const\":1}", "1", "2", "value of const"},
        {"{\"minimum\":0}", "0", "-1", "beyond minimum"},
        {"{\"maximum\":10}", "10", "11", "beyond maximum"},
        {"{\"minItems\":1}", "[0]", "[]", "beyond minItems"},
        {"{\"maxItems\":1}", "[0]", "[0,0]", "beyond maxItems"},
        {"{\"pattern\":\"^a+$\"}", "\"aa\"", "\"ab\"", "does not match"},
        {"{\"required\":[\"a\"]}", "{\"a\":0}", "{\"b\":0}", "has no \"a\""},
        {"{\"properties\":{\"a\":{\"const\":1}}}", "{\"a\":1,\"b\":2}", "{\"a\":2}", "/a: "},
        {"{\"properties\":{\"a\":{}},\"additionalProperties\":false}", "{\"a\":1}", "{\"b\":1}",
         "\"b\" is not in the schema"},
        {"{\"additionalProperties\":{\"const\":1}}", "{\"x\":1}", "{\"x\":2}", "/x: "},
        {"{\"patternProperties\":{\"^p\":{\"const\":1}},\"additionalProperties\":false}",
         "{\"p1\":1}", "{\"p1\":2}", "/p1: "},
        {"{\"patternProperties\":{\"^p\":{}},\"additionalProperties\":false}", "{\"p\":1}",
         "{\"q\":1}", "not in the schema"},
        {"{\"items\":{\"const\":1}}", "[1,1]", "[1,2]", "/1: "},
        {"{\"anyOf\":[{\"const\":1},{\"const\":2}]}", "2", "3", "const"},
        {"{\"oneOf\":[{\"const\":1},{\"minimum\":0}]}", "5", "1", "fits 2 schemas"},
        {"{\"oneOf\":[{\"const\":1},{\"const\":2}]}", "2", "3", "const"},
        {"{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"const\":1}}}", "1", "2", "const"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
        const struct example *one = &examples[i];

        if (!is_valid(one->schema, one->valid)) {
            fail_msg("%s refuses %s: %s", one->schema, one->valid, message);
        }
        if (is_valid(one->schema, one->invalid)) {
            fail_msg("%s lets %s pass", one->schema, one->invalid);
        }
        if (strstr(message, one->says) == NULL) {
            fail_msg("%s: says \"%s\", not \"%s\"", one->schema, message, one->says);
        }
    }
}

static void what_it_does_not_know_is_refused(void **state)
{
    (void)state;
    assert_false(is_valid("{\"uniqueItems\":true}", "[]"));
    assert_non_null(strstr(message, "uniqueItems"));
    assert_false(is_valid("{\"$ref\":\"#/$defs/nowhere\"}", "1"));
    assert_non_null(strstr(message, "leads nowhere"));
    assert_false(is_valid("{\"pattern\":\"(\"}", "\"a\""));
    assert_false(is_valid("true", "1"));
    assert_false(
        is_valid("{\"$ref\":\"#/$defs/x\",\"$defs\":{\"x\":{\"$ref\":\"#/$defs/x\"}}}", "1"));
}

static struct sim_report sample;
static json_t *schema;

static int set_up(void **state)
{
    json_error_t error;

    (void)state;
    sim_report_init(&sample);
    schema = json_load_file(SCHEMA, FLAGS, &error);
    assert_non_null(schema);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(schema);
    sim_report_free(&sample);
    return 0;
}

static void assert_sample_is_valid(void)
{
    json_t *report = load(sim_report_write(&sample, report_json));

    if (!json_schema_validate(schema, report, message, sizeof(message))) {
        fail_msg("%s", message);
    }
    json_decref(report);
}

static void the_report_of_a_hostile_machine_is_valid(void **state)
{
    (void)state;
    assert_sample_is_valid();
}

static void the_report_of_an_empty_machine_is_valid(void **state)
{
    (void)state;
    platform_init(&sample.sim.platform, &sample.sim.heap.arena, &sample.sim.options);
    sample.findings.count = 0;
    assert_sample_is_valid();
}

/* Of each member of the report: without it, or with another in its place, the report is refused. */
static void a_report_with_a_member_more_or_less_is_refused(void **state)
{
    static const char *const needed[] = {"assay", "machine", "processors", "sets",  "cpuid",
                                         "msrs",  "linux",   "measured",   "idle",  "contention",
                                         "aml",   "repairs", "findings",   "totals"};
    json_t *report = load(sim_report_write(&sample, report_json));

    (void)state;
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        json_t *member = json_incref(json_object_get(report, needed[i]));

        assert_non_null(member);
        assert_int_equal(json_object_del(report, needed[i]), 0);
        assert_false(json_schema_validate(schema, report, message, sizeof(message)));
        assert_int_equal(json_object_set_new(report, needed[i], json_integer(1)), 0);
        assert_false(json_schema_validate(schema, report, message, sizeof(message)));
        assert_int_equal(json_object_set_new(report, needed[i], member), 0);
    }
    assert_true(json_schema_validate(schema, report, message, sizeof(message)));
    assert_int_equal(json_object_set_new(report, "new_thing", json_integer(1)), 0);
    assert_false(json_schema_validate(schema, report, message, sizeof(message)));
    assert_non_null(strstr(message, "new_thing"));
    json_decref(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_keyword_lets_pass_and_refuses),
        cmocka_unit_test(what_it_does_not_know_is_refused),
        cmocka_unit_test_setup_teardown(the_report_of_a_hostile_machine_is_valid, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_report_of_an_empty_machine_is_valid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_report_with_a_member_more_or_less_is_refused, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
