#include "report/report.h"
#include "tests/sim/sim_report.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sim_report sample;
static json_t *root;

/* Integers beyond 63 bits are reals to jansson, which has no larger type. */
static json_t *load(const char *text)
{
    json_error_t error;
    json_t *json =
        json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &error);

    if (json == NULL) {
        fail_msg("line %d column %d: %s", error.line, error.column, error.text);
    }
    return json;
}

static int set_up(void **state)
{
    (void)state;
    sim_report_init(&sample);
    root = load(sim_report_write(&sample, report_json));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(root);
    sim_report_free(&sample);
    return 0;
}

/* A value by a path of keys and indexes: "sets/pss#0/1/raw/2". */
static json_t *at(const char *path)
{
    json_t *json = root;
    char copy[128];
    char *rest = copy;

    assert_true(strlen(path) < sizeof(copy));
    (void)strcpy(copy, path);
    for (char *key = strsep(&rest, "/"); key != NULL && json != NULL; key = strsep(&rest, "/")) {
        json = json_is_array(json) ? json_array_get(json, strtoul(key, NULL, 10))
                                   : json_object_get(json, key);
    }
    return json;
}

static double number(const char *path)
{
    const json_t *json = at(path);

    if (!json_is_number(json)) {
        fail_msg("%s is not a number", path);
    }
    return json_number_value(json);
}

static const char *text(const char *path)
{
    const char *string = json_string_value(at(path));

    if (string == NULL) {
        fail_msg("%s is not a string", path);
    }
    return string;
}

static void assert_number(const char *path, double value)
{
    if (number(path) < value || number(path) > value) {
        fail_msg("%s is %f, not %f", path, number(path), value);
    }
}

static void every_promised_key_is_there(void **state)
{
    static const char *const keys[] = {"assay/version",
                                       "assay/schema",
                                       "assay/acpica",
                                       "assay/build",
                                       "machine/source",
                                       "machine/vendor",
                                       "machine/product",
                                       "machine/cpu/vendor",
                                       "machine/cpu/family",
                                       "machine/cpu/brand",
                                       "machine/tables",
                                       "machine/cpu/hypervisor",
                                       "machine/cpu/microcode",
                                       "fadt/p_lvl2_lat",
                                       "madt/entries",
                                       "pcct/subspaces",
                                       "processors",
                                       "sets",
                                       "repairs",
                                       "cpuid",
                                       "msrs",
                                       "clocks",
                                       "frequency/table",
                                       "linux",
                                       "windows/cstates",
                                       "windows/notes",
                                       "measured/frequency",
                                       "measured/boost_by_active_cores",
                                       "idle",
                                       "contention",
                                       "findings",
                                       "totals"};

    (void)state;
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (at(keys[i]) == NULL) {
            fail_msg("%s is not there", keys[i]);
        }
    }
}

static void processors_name_their_sets(void **state)
{
    (void)state;
    assert_string_equal(text("processors/0/pss"), "pss#0");
    assert_string_equal(text("processors/1/cpc"), "cpc#0");
    assert_number("processors/1/cpu", 1);
    assert_null(at("processors/2/cpu"));
    assert_null(at("processors/2/pss"));
    assert_string_equal(text("processors/2/cpc/error"), "AE_AML_OPERAND_TYPE");
    assert_true(number("processors/0/ppc") > 1.8e19);
    assert_null(at("sets/ppc#0"));
    assert_null(at("processors/0/cpc_values"));
    assert_number("processors/1/cpc_values/highest_perf", 254);
}

static void malformed_rows_lose_nothing(void **state)
{
    (void)state;
    assert_number("sets/pss#0/0/freq_mhz", 100);
    assert_null(at("sets/pss#0/0/raw"));
    assert_null(at("sets/pss#0/1/latency_us"));
    assert_true(number("sets/pss#0/1/freq_mhz") > 1.8e19);
    assert_string_equal(text("sets/pss#0/1/raw/2/type"), "String");
    assert_int_equal(json_array_size(at("sets/pss#0/1/raw")), 7);
    assert_string_equal(text("sets/pss#0/2/text"), "row");
    assert_string_equal(text("sets/pct#0/type"), "String");
    assert_number("sets/psd#0", 0);
    assert_int_equal(json_array_size(at("sets/csd#0")), 0);
}

static void cpc_raw_is_the_whole_package(void **state)
{
    (void)state;
    assert_number("sets/cpc#0/entries", 30);
    assert_number("sets/cpc#0/highest_perf", 255);
    assert_int_equal(json_array_size(at("sets/cpc#0/raw")), 30);
    assert_number("sets/cpc#0/raw/2", 255);
    assert_number("sets/cpc#0/raw/3/reg/space", 127);
    assert_true(json_is_null(at("sets/cpc#0/raw/4")));
    assert_string_equal(text("sets/cpc#0/raw/5/type"), "Reference");
    assert_true(json_is_null(at("sets/cpc#0/raw/29")));
}

static void cst_states_and_what_is_none(void **state)
{
    (void)state;
    assert_number("sets/cst#0/count", 7);
    assert_number("sets/cst#0/states/0/type", 2);
    assert_number("sets/cst#0/states/1", 1);
}

static void repairs_say_what_changed(void **state)
{
    (void)state;
    assert_string_equal(text("repairs/0/object"), "_PSS");
    assert_string_equal(text("repairs/0/what"),
                        "sorted: row 0 (100) before row 1 (18446744073709551615)");
    assert_number("repairs/0/repaired/0/freq_mhz", 3000);
    assert_non_null(strstr(text("repairs/1/what"), "out of bounds"));
    assert_null(at("repairs/1/repaired"));
}

static void msrs_are_folded(void **state)
{
    (void)state;
    assert_string_equal(text("msrs/0/msr"), "0x8b");
    assert_string_equal(text("msrs/0/cpus"), "0-1");
    assert_string_equal(text("msrs/0/value"), "0xffffffff0a20102e");
    assert_true(json_is_true(at("msrs/1/fault")));
    assert_string_equal(text("msrs/1/cpus"), "2");
    assert_string_equal(text("msrs/2/cpus"), "1");
    assert_string_equal(text("machine/cpu/microcode"), "0xa20102e");
}

static void timing_is_in_ns_and_ticks(void **state)
{
    (void)state;
    assert_number("idle/0/first_read_ns/min", 400);
    assert_number("idle/0/first_read_ns/p99", 1600);
    assert_number("idle/0/first_read_tsc/min", 1000);
    assert_true(json_is_true(at("idle/0/emulated")));
    assert_null(at("idle/0/asleep_ns"));
    assert_number("contention/0/cpus", 1);
    assert_number("contention/0/reads_per_s", 2500000000.0);
    assert_null(at("idle_skipped"));
}

static void findings_and_totals_agree(void **state)
{
    (void)state;
    assert_int_equal(json_array_size(at("findings")), 5);
    assert_string_equal(text("findings/0/verdict"), "FAIL");
    assert_null(at("findings/0/cpus"));
    assert_string_equal(text("findings/1/cpus"), "0,2");
    assert_number("totals/pass", 1);
    assert_number("totals/fail", 1);
    assert_number("totals/skip", 1);
}

static void an_empty_machine_is_still_json(void **state)
{
    struct heap heap;
    struct options options;
    struct platform platform;
    struct findings findings;
    struct build_info build = {"1", "2", "3"};
    struct report report = {&build, &platform, &findings};
    static char buffer[8192];
    struct textbuf out;

    (void)state;
    heap_init(&heap, 0);
    options_init(&options);
    platform_init(&platform, &heap.arena, &options);
    platform.acpi_error = "no RSDP";
    assert_int_equal(findings_init(&findings, &heap.arena, 1, 0), STATUS_OK);
    textbuf_init(&out, buffer, sizeof(buffer), NULL, NULL);
    report_json(&report, &out);
    assert_false(out.has_failed);
    json_decref(load(buffer));
    assert_null(strstr(buffer, "\"fadt\""));
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_promised_key_is_there),
        cmocka_unit_test(processors_name_their_sets),
        cmocka_unit_test(malformed_rows_lose_nothing),
        cmocka_unit_test(cpc_raw_is_the_whole_package),
        cmocka_unit_test(cst_states_and_what_is_none),
        cmocka_unit_test(repairs_say_what_changed),
        cmocka_unit_test(msrs_are_folded),
        cmocka_unit_test(timing_is_in_ns_and_ticks),
        cmocka_unit_test(findings_and_totals_agree),
        cmocka_unit_test(an_empty_machine_is_still_json),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
