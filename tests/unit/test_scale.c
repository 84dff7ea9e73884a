/* Machines of 1 to 1024 processors from tables to reports: the count, the numbers, the pairing of processors and CPUs,
 * the one fault that was planted, and every writer. Memory and work grow with the number of processors. */

#include "acpi/bytes.h"
#include "acpi/engine.h"
#include "model/linux/view.h"
#include "model/numbering.h"
#include "model/windows.h"
#include "report/report.h"
#include "rules/rule.h"
#include "tests/sim/heap.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CPUS_MAX 1024U
#define TABLE_BYTES (1U << 20)
#define MADT_BYTES_MAX (64U * 1024)
#define HEADER_BYTES 36U
#define TEXT_BYTES (64U << 20)
#define FINDINGS 8192U

/* ACPI 6.5, 5.2.12.2 Processor Local APIC and 5.2.12.12 Processor Local x2APIC: type and length. */
#define LAPIC_BYTES 8U
#define X2APIC_BYTES 16U
#define FIRST_X2APIC_ID 255U

struct shape {
    const char *name;
    uint32_t listed;         /* processors in the tables */
    uint32_t first_id;       /* APIC id of the first */
    uint32_t stride;         /* from one APIC id to the next */
    uint32_t package;        /* so many processors before the ids jump, 0: they do not */
    uint32_t package_stride; /* from one package's first id to the next one's */
    uint32_t disabled_every; /* every so many processors one is disabled by firmware, 0: none */
    bool is_hybrid;
};

static const struct shape shapes[] = {
    {"one", 1, 0, 1, 0, 0, 0, false},
    {"two", 2, 0, 1, 0, 0, 0, false},
    {"eight", 8, 0, 1, 0, 0, 0, false},
    {"64", 64, 0, 1, 0, 0, 0, false},
    {"255", 255, 0, 1, 0, 0, 0, false},
    {"256", 256, 0, 1, 0, 0, 0, false},
    {"1024", 1024, 0, 1, 0, 0, 0, false},
    {"ids above 255 only", 16, 0x1000, 1, 0, 0, 0, false},
    {"sparse ids", 64, 3, 37, 0, 0, 0, false},
    {"64 packages of 16", 1024, 0, 1, 16, 64, 0, false},
    {"SMT off", 64, 0, 2, 0, 0, 0, false},
    {"every fourth disabled", 1024, 0, 1, 0, 0, 4, false},
    {"every second disabled", 8, 0, 1, 0, 0, 2, false},
    {"hybrid", 24, 0, 1, 0, 0, 0, true},
};

static struct scale {
    struct heap heap;
    struct hw hw;
    struct options options;
    struct platform platform;
    struct engine_config config;
    struct table_blob blobs[2];
    uint8_t *ssdt;
    uint32_t ssdt_bytes;
    uint8_t madt[MADT_BYTES_MAX];
    uint64_t looks;
    struct cpuid_set kinds[2];
    struct findings findings;
    char *text;
    size_t text_bytes;
} scale;

static uint64_t now_100ns(void *context)
{
    (void)context;
    return ++scale.looks;
}

static uint32_t apic_id(const struct shape *shape, uint32_t index)
{
    if (shape->package == 0) {
        return shape->first_id + index * shape->stride;
    }
    return shape->first_id + index / shape->package * shape->package_stride +
           index % shape->package * shape->stride;
}

static bool is_disabled(const struct shape *shape, uint32_t index)
{
    return shape->disabled_every != 0 && index % shape->disabled_every == shape->disabled_every - 1;
}

/* --- AML: ACPI 6.5, 20.2. Lengths take four bytes each, whatever they are. */

static void put(uint8_t byte)
{
    assert_true(scale.ssdt_bytes < TABLE_BYTES);
    scale.ssdt[scale.ssdt_bytes++] = byte;
}

static void put_bytes(const void *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        put(((const uint8_t *)bytes)[i]);
    }
}

static uint32_t open_length(void)
{
    scale.ssdt_bytes += 4;
    return scale.ssdt_bytes - 4;
}

static void close_length(uint32_t at)
{
    uint32_t length = scale.ssdt_bytes - at;

    scale.ssdt[at] = (uint8_t)(0xC0U | (length & 0xFU));
    bytes_put(scale.ssdt + at + 1, 3, length >> 4);
}

static void put_name(const char *name)
{
    put(0x08);
    put_bytes(name, 4);
}

static void put_integer(uint32_t value)
{
    put(0x0C);
    scale.ssdt_bytes += 4;
    bytes_put(scale.ssdt + scale.ssdt_bytes - 4, 4, value);
}

static void put_integers(const uint32_t *values, uint8_t count)
{
    uint32_t at;

    put(0x12);
    at = open_length();
    put(count);
    for (uint8_t i = 0; i < count; i++) {
        put_integer(values[i]);
    }
    close_length(at);
}

/* ResourceTemplate () { Register (FFixedHW, 64, 0, 0) } at an MSR: ACPI 6.5, 6.4.3.7. */
static void put_register(uint8_t msr_low)
{
    const uint8_t bytes[] = {0x82, 0x0C, 0x00, 0x7F, 0x40, 0, 0,    msr_low, 0x01,
                             0,    0,    0,    0,    0,    0, 0x79, 0};
    uint32_t at;

    put(0x11);
    at = open_length();
    put(0x0A);
    put(sizeof(bytes));
    put_bytes(bytes, sizeof(bytes));
    close_length(at);
}

static void put_pss(void)
{
    static const uint32_t rows[3][6] = {{3000, 90000, 10, 10, 0x1E00, 0x1E00},
                                        {2000, 50000, 10, 10, 0x1400, 0x1400},
                                        {1000, 20000, 10, 10, 0x0A00, 0x0A00}};
    uint32_t at;

    put_name("_PSS");
    put(0x12);
    at = open_length();
    put(3);
    for (unsigned i = 0; i < 3; i++) {
        put_integers(rows[i], 6);
    }
    close_length(at);
}

static void put_processor(uint32_t index, uint32_t ppc)
{
    const uint32_t psd[] = {5, 0, index, 0xFE, 1};
    char name[16];
    uint32_t device;
    uint32_t at;

    put(0x5B);
    put(0x82);
    device = open_length();
    (void)snprintf(name, sizeof(name), "P%03X", index);
    put_bytes(name, 4);
    put_name("_HID");
    put(0x0D);
    put_bytes("ACPI0007", 9);
    put_name("_UID");
    put_integer(index);
    put_pss();
    put_name("_PCT");
    put(0x12);
    at = open_length();
    put(2);
    put_register(0x99);
    put_register(0x98);
    close_length(at);
    put_name("_PPC");
    put_integer(ppc);
    put_name("_PSD");
    put(0x12);
    at = open_length();
    put(1);
    put_integers(psd, 5);
    close_length(at);
    close_length(device);
}

static void finish_table(uint8_t *table, const char *signature, uint32_t length)
{
    uint8_t sum = 0;

    memcpy(table, signature, 4);
    bytes_put(table + 4, 4, length);
    table[8] = 2;
    table[9] = 0;
    memcpy(table + 10, "ASSAY SCALE   ", 14);
    for (uint32_t i = 0; i < length; i++) {
        sum = (uint8_t)(sum + table[i]);
    }
    table[9] = (uint8_t)(0x100U - sum);
}

/* The last enabled processor. */
static uint32_t faulty(const struct shape *shape)
{
    uint32_t index = shape->listed - 1;

    while (is_disabled(shape, index)) {
        index--;
    }
    return index;
}

static void make_ssdt(const struct shape *shape)
{
    uint32_t at;

    scale.ssdt_bytes = HEADER_BYTES;
    put(0x10);
    at = open_length();
    put_bytes("\\_SB_", 5);
    for (uint32_t i = 0; i < shape->listed; i++) {
        put_processor(i, i == faulty(shape) ? 9 : 0);
    }
    close_length(at);
    finish_table(scale.ssdt, "SSDT", scale.ssdt_bytes);
}

static uint32_t make_madt(const struct shape *shape)
{
    uint32_t used = 44;

    memset(scale.madt, 0, sizeof(scale.madt));
    bytes_put(scale.madt + 36, 4, 0xFEE00000);
    for (uint32_t i = 0; i < shape->listed; i++) {
        uint8_t *entry = scale.madt + used;
        uint32_t id = apic_id(shape, i);
        bool is_wide = id >= FIRST_X2APIC_ID || i >= FIRST_X2APIC_ID;
        uint32_t flags = is_disabled(shape, i) ? 0 : 1;

        entry[0] = is_wide ? 9 : 0;
        entry[1] = is_wide ? X2APIC_BYTES : LAPIC_BYTES;
        if (is_wide) {
            bytes_put(entry + 4, 4, id);
            bytes_put(entry + 8, 4, flags);
            bytes_put(entry + 12, 4, i);
        } else {
            entry[2] = (uint8_t)i;
            entry[3] = (uint8_t)id;
            bytes_put(entry + 4, 4, flags);
        }
        used += entry[1];
    }
    finish_table(scale.madt, "APIC", used);
    return used;
}

static void make_kinds(void)
{
    static const struct cpuid_leaf leaves[2][4] = {
        {{.leaf = 0, .eax = 0x1A, .ebx = 0x756E6547, .ecx = 0x6C65746E, .edx = 0x49656E69},
         {.leaf = 1, .eax = 0x00090672},
         {.leaf = 7, .edx = 1U << 15},
         {.leaf = 0x1A, .eax = 0x40000001}},
        {{.leaf = 0, .eax = 0x1A, .ebx = 0x756E6547, .ecx = 0x6C65746E, .edx = 0x49656E69},
         {.leaf = 1, .eax = 0x00090672},
         {.leaf = 7, .edx = 1U << 15},
         {.leaf = 0x1A, .eax = 0x20000001}},
    };

    for (unsigned kind = 0; kind < 2; kind++) {
        scale.kinds[kind] = (struct cpuid_set){.count = 4, .leaves = leaves[kind]};
    }
    scale.platform.cpuid_kinds = scale.kinds;
    scale.platform.cpuid_kinds_count = 2;
    for (uint32_t cpu = 0; cpu < scale.platform.cpus_count; cpu++) {
        scale.platform.cpus[cpu].kind = cpu % 2;
    }
}

/* --- The run. */

static void collect(const struct shape *shape)
{
    memset(&scale, 0, sizeof(scale));
    scale.ssdt = calloc(1, TABLE_BYTES);
    heap_init(&scale.heap, 0);
    options_init(&scale.options);
    platform_init(&scale.platform, &scale.heap.arena, &scale.options);
    scale.platform.source = SOURCE_DUMP;
    make_ssdt(shape);
    scale.blobs[0] = (struct table_blob){"SSDT", scale.ssdt, scale.ssdt_bytes};
    scale.blobs[1] = (struct table_blob){"APIC", scale.madt, make_madt(shape)};
    scale.config.hw = &scale.hw;
    scale.config.arena = &scale.heap.arena;
    scale.config.options = &scale.options;
    scale.config.blobs = scale.blobs;
    scale.config.blobs_count = 2;
    scale.config.now_100ns = now_100ns;
    assert_int_equal(engine_open(&scale.config, &scale.platform), STATUS_OK);
    numbering_assign(&scale.platform, NUMBERING_BOOT_UNKNOWN);
    engine_handshake(&scale.platform);
    engine_evaluate(&scale.platform);
    if (shape->is_hybrid) {
        make_kinds();
    }
}

static void judge(void)
{
    platform_freeze(&scale.platform);
    linux_views_compute(&scale.platform, linux_views_version(&scale.platform));
    windows_view_compute(&scale.platform);
    assert_int_equal(
        findings_init(&scale.findings, &scale.heap.arena, FINDINGS, scale.platform.cpus_count),
        STATUS_OK);
    rules_run(&scale.platform, &scale.findings);
    findings_sort(&scale.findings);
    assert_int_equal(scale.findings.dropped, 0);
    assert_null(scale.platform.incomplete);
}

static void end(void)
{
    engine_close();
    heap_free(&scale.heap);
    free(scale.ssdt);
    free(scale.text);
}

static bool keep(void *context, const char *bytes, size_t length)
{
    (void)context;
    assert_true(scale.text_bytes + length < TEXT_BYTES);
    memcpy(scale.text + scale.text_bytes, bytes, length);
    scale.text_bytes += length;
    return true;
}

static const char *write_with(void (*writer)(const struct report *report, struct textbuf *out))
{
    const struct build_info build = {.version = "1", .build = "b", .acpica = "a"};
    const struct report report = {
        .build = &build, .platform = &scale.platform, .findings = &scale.findings};
    char buffer[4096];
    struct textbuf out;

    if (scale.text == NULL) {
        scale.text = malloc(TEXT_BYTES);
    }
    scale.text_bytes = 0;
    textbuf_init(&out, buffer, sizeof(buffer), keep, NULL);
    writer(&report, &out);
    (void)textbuf_finish(&out);
    assert_false(out.has_failed);
    scale.text[scale.text_bytes] = '\0';
    return scale.text;
}

static uint32_t enabled(const struct shape *shape)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < shape->listed; i++) {
        count += is_disabled(shape, i) ? 0 : 1;
    }
    return count;
}

/* CPU numbers go up with the entries; each CPU has its id and the processor of its _UID. */
static void assert_cpus(const struct shape *shape)
{
    uint32_t cpu = 0;

    assert_int_equal(scale.platform.processors_count, shape->listed);
    assert_int_equal(scale.platform.cpus_count, enabled(shape));
    for (uint32_t i = 0; i < shape->listed; i++) {
        const struct cpu *found = &scale.platform.cpus[cpu];
        const struct processor *processor;

        if (is_disabled(shape, i)) {
            continue;
        }
        assert_int_equal(found->apic_id, apic_id(shape, i));
        assert_int_equal(found->uid, i);
        processor = &scale.platform.processors[found->processor];
        assert_int_equal(processor->uid, i);
        assert_int_equal(processor->cpu, cpu);
        assert_true(processor->is_enabled);
        assert_int_equal(platform_object(processor, OBJECT_PSS)->pss.count, 3);
        assert_int_equal(
            platform_object(processor, OBJECT_PSD)->psd.rows[0].field[DEPENDENCY_DOMAIN], i);
        cpu++;
    }
}

/* The one _PPC beyond its rows, and no other. */
static void assert_fault(const struct shape *shape)
{
    uint32_t faults = 0;

    for (uint32_t i = 0; i < scale.findings.count; i++) {
        const struct finding *finding = &scale.findings.items[i];

        if (strcmp(finding->id, "PPC-002") == 0 && finding->verdict == VERDICT_FAIL) {
            faults++;
            assert_int_equal(cpuset_count(&finding->cpus), 1);
            assert_true(cpuset_has(&finding->cpus, enabled(shape) - 1));
        }
    }
    assert_int_equal(faults, 1);
}

static void assert_json(const struct shape *shape)
{
    json_error_t error;
    json_t *root = json_loads(write_with(report_json), 0, &error);

    if (root == NULL) {
        fail_msg("%s: report.json, line %d: %s", shape->name, error.line, error.text);
    }
    assert_int_equal(json_array_size(json_object_get(root, "processors")), shape->listed);
    json_decref(root);
}

static void assert_writers(const struct shape *shape)
{
    char words[32];

    (void)snprintf(words, sizeof(words), "%u", enabled(shape) - 1);
    assert_non_null(strstr(write_with(report_text), words));
    assert_non_null(strstr(write_with(report_text), "PPC-002"));
    assert_json(shape);
    assert_non_null(strstr(write_with(report_html), "</html>"));
    assert_non_null(strstr(write_with(report_junit), "</testsuite"));
    assert_non_null(strstr(write_with(report_tap), "PPC-002"));
}

static void every_shape_is_told_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        collect(&shapes[i]);
        judge();
        assert_cpus(&shapes[i]);
        assert_fault(&shapes[i]);
        assert_writers(&shapes[i]);
        end();
    }
}

/* Bytes of memory and of the report, and looks at the clock, of a machine of that many CPUs. */
struct cost {
    size_t memory_bytes;
    size_t text_bytes;
    size_t json_bytes;
    uint64_t looks;
};

static struct cost cost_of(uint32_t cpus)
{
    const struct shape shape = {"cost", cpus, 0, 1, 0, 0, 0, false};
    struct cost cost;

    collect(&shape);
    judge();
    cost.memory_bytes = scale.heap.taken_bytes;
    cost.looks = scale.looks;
    (void)write_with(report_text);
    cost.text_bytes = scale.text_bytes;
    (void)write_with(report_json);
    cost.json_bytes = scale.text_bytes;
    end();
    return cost;
}

/* Four times the processors: no more than four times the cost, and a little. */
static void cost_grows_with_the_processors(void **state)
{
    struct cost small = cost_of(256);
    struct cost large = cost_of(1024);

    (void)state;
    assert_true(large.memory_bytes <= small.memory_bytes * 9 / 2);
    assert_true(large.json_bytes <= small.json_bytes * 9 / 2);
    assert_true(large.text_bytes <= small.text_bytes * 9 / 2);
    assert_true(large.looks <= small.looks * 9 / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_told_right),
        cmocka_unit_test(cost_grows_with_the_processors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
