/* AML that misbehaves, from the tables to the report: each fault is a finding of its own, in bounded time (counted
 * in looks at a clock that only they move) and memory, and the other processor's data are whole. */

#include "acpi/bytes.h"
#include "acpi/engine.h"
#include "model/linux/view.h"
#include "model/numbering.h"
#include "model/windows.h"
#include "report/report.h"
#include "rules/rule.h"
#include "tests/sim/heap.h"
#include "tests/unit/fake_firmware.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MEMORY_PADDR UINT64_C(0x10000000)
#define MEMORY_BYTES 0x1000U
#define BUDGET_MS 200U
#define TABLES_MAX 4
#define FINDINGS 4096U

/* One look at the clock is a microsecond. */
#define LOOK_100NS 10U
#define LOOKS_MAX 40000000U
#define ARENA_BYTES_MAX ((size_t)256 * 1024 * 1024)

static struct bench {
    struct heap heap;
    struct hw hw;
    struct options options;
    struct platform platform;
    struct engine_config config;
    struct table_blob blobs[TABLES_MAX];
    uint8_t *aml[TABLES_MAX];
    uint8_t memory[MEMORY_BYTES];
    uint64_t looks;
    uint64_t stalled_us;
    struct fake_firmware firmware;
    struct findings findings;
    size_t written_bytes;
    enum status opened;
} bench;

static enum status read_memory(const struct hw *hw, uint64_t paddr, unsigned bytes,
                               uint64_t *ret_value)
{
    (void)hw;
    if (paddr < MEMORY_PADDR || paddr - MEMORY_PADDR > MEMORY_BYTES - bytes) {
        return STATUS_NOT_FOUND;
    }
    *ret_value = 0;
    memcpy(ret_value, bench.memory + (paddr - MEMORY_PADDR), bytes);
    return STATUS_OK;
}

static enum status no_memory_write(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                   uint64_t value)
{
    (void)hw;
    (void)paddr;
    (void)bytes;
    (void)value;
    return STATUS_NOT_FOUND;
}

static enum status read_port(const struct hw *hw, uint16_t port, unsigned bytes,
                             uint32_t *ret_value)
{
    (void)hw;
    (void)port;
    (void)bytes;
    *ret_value = 0;
    return STATUS_OK;
}

static enum status write_port(const struct hw *hw, uint16_t port, unsigned bytes, uint32_t value)
{
    (void)hw;
    (void)port;
    (void)bytes;
    (void)value;
    return STATUS_OK;
}

static void stall(const struct hw *hw, uint64_t us)
{
    (void)hw;
    bench.stalled_us += us;
}

static const struct hw_ops bench_ops = {.memory_read = read_memory,
                                        .memory_write = no_memory_write,
                                        .port_read = read_port,
                                        .port_write = write_port,
                                        .stall_us = stall};

static uint64_t now_100ns(void *context)
{
    (void)context;
    bench.looks++;
    return bench.looks * LOOK_100NS + bench.stalled_us * 10;
}

static bool may_write(void *context, uint64_t paddr, uint32_t bytes)
{
    (void)context;
    (void)bytes;
    return paddr < 0x20000000;
}

static int set_up(void **state)
{
    (void)state;
    memset(&bench, 0, sizeof(bench));
    heap_init(&bench.heap, ARENA_BYTES_MAX);
    options_init(&bench.options);
    platform_init(&bench.platform, &bench.heap.arena, &bench.options);
    bench.hw.ops = &bench_ops;
    bench.hw.name = "bench";
    bench.config.hw = &bench.hw;
    bench.config.arena = &bench.heap.arena;
    bench.config.options = &bench.options;
    bench.config.now_100ns = now_100ns;
    bench.config.may_write = may_write;
    bench.config.evaluation_budget_ms = BUDGET_MS;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    engine_close();
    for (unsigned i = 0; i < TABLES_MAX; i++) {
        free(bench.aml[i]);
    }
    fake_firmware_free(&bench.firmware);
    heap_free(&bench.heap);
    return 0;
}

static size_t read_file(const char *name, uint8_t **ret_bytes)
{
    char path[256];
    FILE *file;
    long length;

    (void)snprintf(path, sizeof(path), "build/asl/%s.aml", name);
    file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    rewind(file);
    *ret_bytes = malloc((size_t)length);
    assert_int_equal(fread(*ret_bytes, 1, (size_t)length, file), (size_t)length);
    fclose(file);
    return (size_t)length;
}

static void add_table(const char *name)
{
    struct table_blob *blob = &bench.blobs[bench.config.blobs_count];
    uint8_t **bytes = &bench.aml[bench.config.blobs_count];

    blob->length = read_file(name, bytes);
    blob->bytes = *bytes;
    blob->origin = name;
    bench.config.blobs = bench.blobs;
    bench.config.blobs_count++;
}

static bool count_bytes(void *context, const char *bytes, size_t length)
{
    (void)context;
    (void)bytes;
    bench.written_bytes += length;
    return true;
}

/* Every writer, so that what the fault left behind does not hide the rest. */
static void write_reports(void)
{
    static void (*const writers[])(const struct report *report, struct textbuf *out) = {
        report_text, report_json, report_html, report_junit, report_tap};
    struct report report = {.platform = &bench.platform, .findings = &bench.findings};
    struct build_info build = {.version = "1"};
    char buffer[4096];

    report.build = &build;
    for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
        struct textbuf out;
        size_t before = bench.written_bytes;

        textbuf_init(&out, buffer, sizeof(buffer), count_bytes, NULL);
        writers[i](&report, &out);
        (void)textbuf_finish(&out);
        assert_false(out.has_failed);
        assert_true(bench.written_bytes > before + 1000);
    }
}

static void run(void)
{
    bench.opened = engine_open(&bench.config, &bench.platform);
    numbering_assign(&bench.platform, NUMBERING_BOOT_UNKNOWN);
    engine_handshake(&bench.platform);
    engine_evaluate(&bench.platform);
    platform_freeze(&bench.platform);
    linux_views_compute(&bench.platform, linux_views_version(&bench.platform));
    windows_view_compute(&bench.platform);
    assert_int_equal(
        findings_init(&bench.findings, &bench.heap.arena, FINDINGS, bench.platform.cpus_count),
        STATUS_OK);
    rules_run(&bench.platform, &bench.findings);
    findings_sort(&bench.findings);
    write_reports();
    assert_int_equal(bench.findings.dropped, 0);
    assert_null(bench.platform.incomplete);
    assert_true(bench.looks < LOOKS_MAX);
}

static void run_tables(const char *name)
{
    add_table(name);
    run();
}

/* As firmware leaves them on a machine that is there. */
static void use_firmware(void)
{
    bench.hw.is_live = true;
    fake_firmware_init(&bench.firmware);
    fake_firmware_use(&bench.firmware, &bench.config);
}

static void run_firmware(const char *name)
{
    size_t length = read_file(name, &bench.aml[0]);

    use_firmware();
    fake_firmware_add(&bench.firmware, bench.aml[0], length);
    run();
}

static const struct finding *find(const char *id, enum verdict verdict, const char *object)
{
    for (uint32_t i = 0; i < bench.findings.count; i++) {
        const struct finding *finding = &bench.findings.items[i];

        if (strcmp(finding->id, id) == 0 && finding->verdict == verdict &&
            (object == NULL || strcmp(finding->object, object) == 0)) {
            return finding;
        }
    }
    return NULL;
}

/* Everything that is wrong, when a test fails. */
static void show(void)
{
    for (uint32_t i = 0; i < bench.findings.count; i++) {
        const struct finding *finding = &bench.findings.items[i];

        if (finding->verdict != VERDICT_PASS && finding->verdict != VERDICT_SKIP) {
            printf("# %s %d %s: %s\n", finding->id, (int)finding->verdict, finding->object,
                   finding->actual);
        }
    }
    for (uint32_t i = 0; i < bench.platform.aml_messages_count; i++) {
        printf("# %s (%u)\n", bench.platform.aml_messages[i].text,
               bench.platform.aml_messages[i].count);
    }
}

/* A finding with advice that says `part` about the object. */
static void assert_found(const char *id, enum verdict verdict, const char *object, const char *part)
{
    const struct finding *finding = find(id, verdict, object);

    if (finding == NULL || strstr(finding->actual, part) == NULL) {
        show();
        fail_msg("%s says nothing of %s: %s", id, object, part);
        return;
    }
    assert_true(strlen(finding->advice) > 10);
}

static const struct processor *processor(const char *path)
{
    for (uint32_t i = 0; i < bench.platform.processors_count; i++) {
        if (strcmp(bench.platform.processors[i].path, path) == 0) {
            return &bench.platform.processors[i];
        }
    }
    show();
    fail_msg("no processor %s", path);
    return NULL;
}

static void assert_other_is_whole(void)
{
    const struct object_result *ppc = &processor("\\_SB.C001")->objects[OBJECT_PPC];

    assert_int_equal(ppc->avail, AVAIL_PRESENT);
    assert_int_equal(ppc->set->ppc, 1);
}

static void loops_end(void **state)
{
    (void)state;
    run_tables("bad_loops");
    assert_found("AML-008", VERDICT_FAIL, "SSDT LOOPS", "AE_AML_LOOP_TIMEOUT");
    assert_found("AML-002", VERDICT_FAIL, "\\_SB.C000._PCT", "AE_AML_LOOP_TIMEOUT");
    assert_int_equal(processor("\\_SB.C000")->objects[OBJECT_PPC].avail, AVAIL_PRESENT);
    assert_other_is_whole();
}

static void loops_end_on_a_live_machine(void **state)
{
    (void)state;
    run_firmware("bad_loops");
    assert_found("AML-008", VERDICT_FAIL, "SSDT LOOPS", "AE_AML_LOOP_TIMEOUT");
    assert_true(bench.stalled_us < 4U * BUDGET_MS * 1000);
    assert_other_is_whole();
}

static void recursion_ends(void **state)
{
    (void)state;
    run_tables("bad_loops");
    assert_found("AML-010", VERDICT_FAIL, "\\_SB.C000._PSS", "AE_AML_METHOD_LIMIT");
    assert_null(find("AML-001", VERDICT_FAIL, "\\_SB.C000._PSS"));
}

static void sleeps_are_cut(void **state)
{
    (void)state;
    run_firmware("bad_sleeps");
    assert_found("AML-011", VERDICT_FAIL, "\\_SB.C000._PSS", "sleeps too long");
    assert_found("AML-011", VERDICT_FAIL, "\\_SB.C000._PCT", "sleeps too long");
    assert_found("AML-002", VERDICT_FAIL, "\\_SB.C000._PSD", "AE_AML_LOOP_TIMEOUT");
    /* Two passes of _PPC with 20 ms each; of the others one budget each. */
    assert_in_range(bench.stalled_us, 40000, 4U * BUDGET_MS * 1000);
    assert_int_equal(processor("\\_SB.C000")->objects[OBJECT_PPC].set->ppc, 1);
    assert_other_is_whole();
}

static void sleeps_in_a_dump_cost_no_time(void **state)
{
    (void)state;
    run_tables("bad_sleeps");
    assert_found("AML-011", VERDICT_FAIL, "\\_SB.C000._PSS", "sleeps too long");
    assert_int_equal(bench.stalled_us, 0);
    assert_other_is_whole();
}

static void memory_is_bounded(void **state)
{
    (void)state;
    run_tables("bad_values");
    assert_found("AML-012", VERDICT_FAIL, "\\_SB.C000._PSS", "AE_NO_MEMORY");
    assert_found("AML-012", VERDICT_FAIL, "\\_SB.C000._PCT", "AE_");
    assert_true(bench.heap.taken_bytes < ARENA_BYTES_MAX);
    assert_other_is_whole();
}

static void divisions_by_zero_are_named(void **state)
{
    (void)state;
    run_tables("bad_values");
    assert_found("AML-013", VERDICT_FAIL, "\\_SB.C000._PSD", "AE_AML_DIVIDE_BY_ZERO");
    assert_found("AML-013", VERDICT_FAIL, "\\_SB.C000._CST", "AE_AML_DIVIDE_BY_ZERO");
    assert_found("AML-013", VERDICT_FAIL, "\\_SB.C000._CSD", "AE_AML_DIVIDE_BY_ZERO");
    assert_found("AML-013", VERDICT_FAIL, "SSDT VALUES", "AE_AML_DIVIDE_BY_ZERO");
    assert_other_is_whole();
}

static void kept_mutexes_are_named(void **state)
{
    (void)state;
    run_tables("bad_locks");
    assert_found("AML-014", VERDICT_FAIL, "\\_SB.C000._PPC", "MUTA");
    assert_found("AML-014", VERDICT_FAIL, "\\_SB.C000._PSS", "MUTB");
    assert_null(find("AML-014", VERDICT_FAIL, "\\_SB.C000._PSD"));
    assert_other_is_whole();
}

static void waits_for_ever_are_named(void **state)
{
    (void)state;
    run_tables("bad_locks");
    assert_found("AML-009", VERDICT_FAIL, NULL, "\\_SB.C000._PCT");
    assert_other_is_whole();
}

static void a_table_that_loads_itself_ends(void **state)
{
    size_t length = read_file("bad_reload", &bench.aml[3]);

    (void)state;
    memcpy(bench.memory, bench.aml[3], length);
    run_firmware("bad_reload");
    assert_found("AML-015", VERDICT_WARN, NULL, "SSDT");
    assert_other_is_whole();
}

static void names_that_collide_are_named(void **state)
{
    (void)state;
    bench.platform.source = SOURCE_DUMP;
    add_table("engine_basic");
    run_tables("bad_names");
    assert_found("AML-016", VERDICT_INFO, NULL, "\\_SB.C000._PCT");
    assert_int_equal(processor("\\_SB.C000")->objects[OBJECT_PCT].set->pct.control.gas.address,
                     0x199);
    assert_int_equal(processor("\\_SB.C002")->objects[OBJECT_PPC].set->ppc, 1);
}

static void names_that_collide_on_the_machine_are_a_fault(void **state)
{
    size_t length = read_file("engine_basic", &bench.aml[1]);

    (void)state;
    use_firmware();
    fake_firmware_add(&bench.firmware, bench.aml[1], length);
    length = read_file("bad_names", &bench.aml[0]);
    fake_firmware_add(&bench.firmware, bench.aml[0], length);
    run();
    assert_found("AML-016", VERDICT_WARN, NULL, "2 defined again");
    assert_int_equal(processor("\\_SB.C000")->objects[OBJECT_PCT].set->pct.control.gas.address,
                     0x199);
}

static void long_lists_are_bounded(void **state)
{
    (void)state;
    run_tables("bad_lists");
    assert_int_equal(processor("\\_SB.C000")->objects[OBJECT_CST].avail, AVAIL_PRESENT);
    assert_int_equal(processor("\\_SB.C000")->objects[OBJECT_CST].set->cst.states_count, 60000);
    assert_found("CST-008", VERDICT_WARN, "\\_SB.C000._CST", "60000 states");
    assert_found("PSS-003", VERDICT_FAIL, "\\_SB.C000._PSS", "60000 of 60000 rows");
    assert_true(bench.written_bytes < 100U * 1024 * 1024);
    assert_other_is_whole();
}

/* What a machine without a sound DSDT says, by the table that is broken. */
static void assert_no_dsdt(const char *id, const char *part)
{
    uint8_t *ssdt;
    size_t length = read_file("bad_lists", &ssdt);

    fake_firmware_add(&bench.firmware, ssdt, length);
    free(ssdt);
    run();
    if (id != NULL) {
        assert_found(id, VERDICT_FAIL, NULL, part);
    }
    assert_other_is_whole();
}

static void a_missing_dsdt_is_named(void **state)
{
    (void)state;
    use_firmware();
    memset(bench.firmware.memory + FIRMWARE_FADT + 140, 0, 8);
    fake_firmware_sum(&bench.firmware, FIRMWARE_FADT);
    assert_no_dsdt("TBL-006", "none");
}

static void a_dsdt_in_absent_memory_is_named(void **state)
{
    (void)state;
    use_firmware();
    bytes_put(bench.firmware.memory + FIRMWARE_FADT + 140, 8, UINT64_C(0xFFFFFFFFFFFFFFF0));
    fake_firmware_sum(&bench.firmware, FIRMWARE_FADT);
    assert_no_dsdt("TBL-006", "none");
}

static void a_dsdt_beyond_the_end_of_memory_is_named(void **state)
{
    (void)state;
    use_firmware();
    bytes_put(bench.firmware.memory + FIRMWARE_DSDT + 4, 4, 0x7FFFFFFF);
    assert_no_dsdt("TBL-004", "2147483647");
    assert_found("TBL-006", VERDICT_FAIL, NULL, "none");
}

static void a_dsdt_shorter_than_its_header_is_named(void **state)
{
    (void)state;
    use_firmware();
    bytes_put(bench.firmware.memory + FIRMWARE_DSDT + 4, 4, 12);
    assert_no_dsdt("TBL-006", "none");
}

static void a_wrong_checksum_is_named(void **state)
{
    (void)state;
    use_firmware();
    bench.firmware.memory[FIRMWARE_DSDT + 9] ^= 0x55;
    assert_no_dsdt("TBL-003", "wrong checksum");
    assert_null(find("TBL-006", VERDICT_FAIL, NULL));
}

static void absent_memory_names_the_object(void **state)
{
    (void)state;
    run_firmware("engine_hostile");
    assert_found("AML-004", VERDICT_WARN, NULL, "\\_SB.C000._PPC");
    assert_int_equal(processor("\\_SB.C001")->objects[OBJECT_PPC].set->ppc, 60000);
}

static void memory_outside_the_dump_names_the_object(void **state)
{
    (void)state;
    run_tables("engine_access");
    assert_found("AML-005", VERDICT_INFO, "\\_SB.C000._PPC", "not in the dump");
}

static void refused_writes_name_the_object(void **state)
{
    (void)state;
    run_firmware("engine_access");
    assert_found("AML-003", VERDICT_WARN, NULL, "\\_SB.C000._PCT");
}

#define MISBEHAVES(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        MISBEHAVES(loops_end),
        MISBEHAVES(loops_end_on_a_live_machine),
        MISBEHAVES(recursion_ends),
        MISBEHAVES(sleeps_are_cut),
        MISBEHAVES(sleeps_in_a_dump_cost_no_time),
        MISBEHAVES(memory_is_bounded),
        MISBEHAVES(divisions_by_zero_are_named),
        MISBEHAVES(kept_mutexes_are_named),
        MISBEHAVES(waits_for_ever_are_named),
        MISBEHAVES(a_table_that_loads_itself_ends),
        MISBEHAVES(names_that_collide_are_named),
        MISBEHAVES(names_that_collide_on_the_machine_are_a_fault),
        MISBEHAVES(long_lists_are_bounded),
        MISBEHAVES(a_missing_dsdt_is_named),
        MISBEHAVES(a_dsdt_in_absent_memory_is_named),
        MISBEHAVES(a_dsdt_beyond_the_end_of_memory_is_named),
        MISBEHAVES(a_dsdt_shorter_than_its_header_is_named),
        MISBEHAVES(a_wrong_checksum_is_named),
        MISBEHAVES(absent_memory_names_the_object),
        MISBEHAVES(memory_outside_the_dump_names_the_object),
        MISBEHAVES(refused_writes_name_the_object),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
