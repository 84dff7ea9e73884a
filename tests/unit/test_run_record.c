#include "host/run_record.h"
#include "model/options_write.h"
#include "model/record.h"
#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sim_report sample;
static struct run_record record;
static char message[256];

static int set_up(void **state)
{
    (void)state;
    sim_report_init(&sample);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_report_free(&sample);
    return 0;
}

static void write_run(const struct report *report, struct textbuf *out)
{
    report_snapshot_run(report, true, out);
}

static enum status parse(const char *text)
{
    message[0] = '\0';
    return run_record_parse(text, strlen(text), &sample.sim.heap.arena, &record, message,
                            sizeof(message));
}

/* Every number of the list as it was, and the texts where there are some. */
static void assert_same(struct record_list list, const void *one, const void *other)
{
    for (uint32_t i = 0; i < list.count; i++) {
        const struct record_field *field = &list.fields[i];
        const void *a = (const uint8_t *)one + field->offset;
        const void *b = (const uint8_t *)other + field->offset;
        const char *text_a;
        const char *text_b;

        if (field->type == RECORD_DISTRIBUTION) {
            assert_memory_equal(a, b, sizeof(struct distribution));
        } else if (field->type == RECORD_BINS) {
            assert_memory_equal(a, b, sizeof(uint32_t) * HISTOGRAM_SHAPE_BINS);
        } else if (field->type == RECORD_STEPS) {
            assert_memory_equal(a, b, sizeof(uint64_t) * TSC_GAPS_BINS);
        } else if (field->type == RECORD_TEXT) {
            memcpy(&text_a, a, sizeof(text_a));
            memcpy(&text_b, b, sizeof(text_b));
            assert_int_equal(text_a == NULL, text_b == NULL);
        } else {
            assert_true(record_get(field, one) == record_get(field, other));
        }
    }
}

static void a_run_comes_back_whole(void **state)
{
    const struct platform *platform = &sample.sim.platform;
    const char *text = sim_report_write(&sample, write_run);

    (void)state;
    assert_int_equal(parse(text), STATUS_OK);
    assert_true(record.is_trace_whole);
    assert_string_equal(record.build.version, sample.build.version);
    assert_same(record_platform(), platform, &record.platform);
    assert_int_equal(record.platform.clocks_count, platform->clocks_count);
    assert_int_equal(record.platform.idle_count, platform->idle_count);
    assert_true(platform->idle_count > 0);
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        assert_same(record_idle(), &platform->idle[i], &record.platform.idle[i]);
    }
    for (uint32_t i = 0; i < platform->port_costs_count; i++) {
        assert_same(record_port_cost(), &platform->port_costs[i], &record.platform.port_costs[i]);
    }
    for (uint32_t i = 0; i < platform->clocks_count; i++) {
        assert_same(record_clock(), &platform->clocks[i], &record.platform.clocks[i]);
    }
    assert_same(record_gaps(), &platform->tsc_gaps, &record.platform.tsc_gaps);
    assert_int_equal(record.tables_count, platform->tables_count);
    assert_int_equal(record.platform.cpus_count, platform->cpus_count);
}

static void it_is_put_over_another_platform(void **state)
{
    struct platform platform;

    (void)state;
    assert_int_equal(parse(sim_report_write(&sample, write_run)), STATUS_OK);
    record.platform.cpus[1].answer = CPU_DID_NOT_ANSWER;
    platform = sample.sim.platform;
    platform.source = SOURCE_FOLDER;
    platform.product = NULL;
    assert_false(platform_is_firsthand(&platform));
    record_apply(&record.platform, &platform);
    assert_true(platform_is_firsthand(&platform));
    assert_string_equal(platform.product, record.platform.product);
    assert_int_equal(platform.cpus[1].answer, CPU_DID_NOT_ANSWER);
}

static void hostile_records_are_tamed(void **state)
{
    (void)state;
    assert_int_equal(
        parse("{\"run\":1,\"idle\":[{\"entry\":77,\"stopped_in\":99,\"dummy_read\":5}],"
              "\"clocks\":[{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}],"
              "\"answers\":[{\"first_cpu\":4294967295,\"count\":4294967295,"
              "\"answer\":88}],"
              "\"tables\":[{\"file\":\"../../etc/passwd\",\"length\":4294967295,"
              "\"read_bytes\":18446744073709551615},7],"
              "\"options\":[7,null,\"--run=tables\"]}"),
        STATUS_OK);
    assert_int_equal(record.platform.idle[0].entry, IDLE_IO);
    assert_int_equal(record.platform.idle[0].stopped_in, STOPPED_DUMMY_READ);
    assert_int_equal(record.platform.clocks_count, PLATFORM_CLOCKS);
    assert_string_equal(record.platform.clocks[0].name, "");
    assert_null(record.tables[0].file);
    assert_true(record.tables[0].about.read_bytes <= 16U * 1024 * 1024);
    assert_int_equal(record.words_count, 1);
}

static void what_is_no_record_is_said(void **state)
{
    (void)state;
    assert_int_equal(parse("{\"run\":2}"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "newer"));
    assert_int_equal(parse("[]"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "no record"));
    assert_int_equal(parse("{\"run\":"), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "line 1"));
}

static uint8_t sum(const uint8_t *bytes, size_t length)
{
    uint8_t total = 0;

    for (size_t i = 0; i < length; i++) {
        total = (uint8_t)(total + bytes[i]);
    }
    return total;
}

static void a_stand_in_has_the_header_and_no_content(void **state)
{
    struct acpi_table about = {.signature = "MSDM",
                               .length = 85,
                               .read_bytes = 85,
                               .oem_id = "OEM",
                               .oem_table_id = "TABLE",
                               .revision = 3,
                               .has_header = true,
                               .checksum_ok = true};
    const uint8_t *bytes = run_record_stand_in(&about, &sample.sim.heap.arena);

    (void)state;
    assert_memory_equal(bytes, "MSDM\x55\0\0\0\x03", 9);
    assert_memory_equal(bytes + 10, "OEM   TABLE   ", 14);
    assert_int_equal(sum(bytes, 85), 0);
    about.checksum_ok = false;
    assert_int_not_equal(sum(run_record_stand_in(&about, &sample.sim.heap.arena), 85), 0);
}

struct words {
    uint32_t count;
    struct options options;
};

static void take_back(void *context, const char *word)
{
    struct words *words = context;

    assert_int_equal(options_take(&words->options, word, message, sizeof(message)), STATUS_OK);
    words->count++;
}

static void options_are_taken_back(void **state)
{
    static const char *const given[] = {"--run=tables,idle",
                                        "--read-only",
                                        "--cpus=0-3,7",
                                        "--park=mwait",
                                        "--skip-msr=0x10,0x20-0x30",
                                        "--allow=cppc-enable,hwp-enable",
                                        "--osi=Windows 2015",
                                        "--os-caps=0x3FFF,0x7FFF",
                                        "--samples=5",
                                        "--seconds=6",
                                        "--tables=\\x",
                                        "--linux=6.12"};
    struct options options;
    struct words words = {.count = 0};

    (void)state;
    options_init(&options);
    options_init(&words.options);
    options_write(&options, take_back, &words);
    assert_int_equal(words.count, 0);
    for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        assert_int_equal(options_take(&options, given[i], message, sizeof(message)), STATUS_OK);
    }
    options_write(&options, take_back, &words);
    assert_int_equal(words.count, sizeof(given) / sizeof(given[0]));
    assert_memory_equal(&words.options, &options, sizeof(options));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_comes_back_whole),
        cmocka_unit_test(it_is_put_over_another_platform),
        cmocka_unit_test(hostile_records_are_tamed),
        cmocka_unit_test(what_is_no_record_is_said),
        cmocka_unit_test(a_stand_in_has_the_header_and_no_content),
        cmocka_unit_test(options_are_taken_back),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
