#include "acpi/engine.h"
#include "host/crash_guard.h"
#include "model/numbering.h"
#include "tests/sim/heap.h"
#include "tests/unit/fake_firmware.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define MEMORY_PADDR UINT64_C(0x10000000)

/* A machine with one piece of memory. Everything else is absent, and what is written is kept. */
static struct bench {
    struct heap heap;
    struct hw hw;
    struct options options;
    struct platform platform;
    struct engine_config config;
    struct table_blob blob;
    uint8_t *aml;
    uint8_t *memory;
    size_t memory_bytes;
    uint32_t port_writes;
    uint32_t last_port_value;
    uint64_t clock_100ns;
    bool is_clock_still;
    uint64_t forbidden_paddr;
    struct fake_firmware firmware;
} bench;

static enum status read_memory(const struct hw *hw, uint64_t paddr, unsigned bytes,
                               uint64_t *ret_value)
{
    (void)hw;
    if (paddr < MEMORY_PADDR || paddr - MEMORY_PADDR + bytes > bench.memory_bytes) {
        return STATUS_NOT_FOUND;
    }
    *ret_value = 0;
    memcpy(ret_value, bench.memory + (paddr - MEMORY_PADDR), bytes);
    return STATUS_OK;
}

static enum status write_memory(const struct hw *hw, uint64_t paddr, unsigned bytes, uint64_t value)
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
    (void)bytes;
    *ret_value = port;
    return STATUS_OK;
}

static enum status write_port(const struct hw *hw, uint16_t port, unsigned bytes, uint32_t value)
{
    (void)hw;
    (void)port;
    (void)bytes;
    bench.port_writes++;
    bench.last_port_value = value;
    return STATUS_OK;
}

static enum status read_pci(const struct hw *hw, struct pci_address address, uint32_t offset,
                            unsigned bytes, uint64_t *ret_value)
{
    (void)hw;
    (void)address;
    (void)offset;
    (void)bytes;
    (void)ret_value;
    return STATUS_NOT_FOUND;
}

static enum status write_pci(const struct hw *hw, struct pci_address address, uint32_t offset,
                             unsigned bytes, uint64_t value)
{
    (void)hw;
    (void)address;
    (void)offset;
    (void)bytes;
    (void)value;
    return STATUS_NOT_FOUND;
}

static const struct hw_ops bench_ops = {.memory_read = read_memory,
                                        .memory_write = write_memory,
                                        .port_read = read_port,
                                        .port_write = write_port,
                                        .pci_read = read_pci,
                                        .pci_write = write_pci};

static uint64_t now_100ns(void *context)
{
    struct timespec time;

    (void)context;
    if (bench.is_clock_still) {
        return 0;
    }
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 10000000 + (uint64_t)time.tv_nsec / 100;
}

static bool may_write(void *context, uint64_t paddr, uint32_t bytes)
{
    (void)context;
    (void)bytes;
    return paddr != bench.forbidden_paddr;
}

static uint8_t *read_file(const char *name, size_t *ret_length)
{
    char path[256];
    uint8_t *bytes;
    FILE *file;
    long length;

    (void)snprintf(path, sizeof(path), "build/asl/%s.aml", name);
    file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    rewind(file);
    bytes = malloc((size_t)length);
    assert_int_equal(fread(bytes, 1, (size_t)length, file), (size_t)length);
    fclose(file);
    *ret_length = (size_t)length;
    return bytes;
}

static int set_up(void **state)
{
    (void)state;
    memset(&bench, 0, sizeof(bench));
    heap_init(&bench.heap, 0);
    options_init(&bench.options);
    platform_init(&bench.platform, &bench.heap.arena, &bench.options);
    bench.hw.ops = &bench_ops;
    bench.hw.name = "bench";
    bench.config.hw = &bench.hw;
    bench.config.arena = &bench.heap.arena;
    bench.config.options = &bench.options;
    bench.config.now_100ns = now_100ns;
    bench.config.may_write = may_write;
    bench.config.evaluation_budget_ms = 100;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    engine_close();
    free(bench.aml);
    free(bench.memory);
    fake_firmware_free(&bench.firmware);
    heap_free(&bench.heap);
    return 0;
}

static void open_tables(const char *name)
{
    bench.aml = read_file(name, &bench.blob.length);
    bench.blob.bytes = bench.aml;
    bench.blob.origin = name;
    bench.config.blobs = &bench.blob;
    bench.config.blobs_count = 1;
    assert_int_equal(engine_open(&bench.config, &bench.platform), STATUS_OK);
    numbering_assign(&bench.platform, NUMBERING_BOOT_UNKNOWN);
}

/* The same tables, left in memory by firmware. */
static void open_firmware(const char *name)
{
    bench.aml = read_file(name, &bench.blob.length);
    fake_firmware_init(&bench.firmware);
    fake_firmware_add(&bench.firmware, bench.aml, bench.blob.length);
    fake_firmware_use(&bench.firmware, &bench.config);
    assert_int_equal(engine_open(&bench.config, &bench.platform), STATUS_OK);
    numbering_assign(&bench.platform, NUMBERING_BOOT_UNKNOWN);
}

static const struct processor *processor(const char *path)
{
    for (uint32_t i = 0; i < bench.platform.processors_count; i++) {
        if (strcmp(bench.platform.processors[i].path, path) == 0) {
            return &bench.platform.processors[i];
        }
    }
    fail_msg("no processor %s", path);
    return NULL;
}

static const struct object_result *object(const char *path, enum object_kind kind)
{
    return &processor(path)->objects[kind];
}

static bool has_message(const char *part)
{
    for (uint32_t i = 0; i < bench.platform.aml_messages_count; i++) {
        if (strstr(bench.platform.aml_messages[i].text, part) != NULL) {
            return true;
        }
    }
    return false;
}

static void a_bare_ssdt_loads(void **state)
{
    (void)state;
    open_tables("engine_basic");
    assert_int_equal(bench.platform.tables_count, 3);
    assert_string_equal(bench.platform.tables[0].signature, "SSDT");
    assert_string_equal(bench.platform.tables[0].origin, "engine_basic");
    assert_string_equal(bench.platform.tables[0].oem_table_id, "BASIC");
    assert_true(bench.platform.tables[0].checksum_ok);
    assert_string_equal(bench.platform.tables[1].origin, "synthetic");
    assert_int_equal(bench.platform.fadt.avail, AVAIL_ABSENT);
    assert_int_equal(bench.platform.madt.avail, AVAIL_ABSENT);
}

static void processors_of_every_kind_are_listed(void **state)
{
    const struct processor *object_0;
    const struct processor *device_0;
    const struct processor *device_1;

    (void)state;
    open_tables("engine_basic");
    assert_int_equal(bench.platform.processors_count, 3);
    object_0 = processor("\\_SB.CPU0");
    device_0 = processor("\\_SB.C000");
    device_1 = processor("\\_SB.C001");
    assert_int_equal(object_0->kind, PROCESSOR_OBJECT);
    assert_int_equal(object_0->uid, 7);
    assert_int_equal(object_0->pblk_address, 0x410);
    assert_int_equal(object_0->pblk_length, 6);
    assert_int_equal(object_0->sta_avail, AVAIL_ABSENT);
    assert_int_equal(device_0->kind, PROCESSOR_DEVICE);
    assert_int_equal(device_0->uid_avail, AVAIL_PRESENT);
    assert_int_equal(device_0->sta_avail, AVAIL_PRESENT);
    assert_int_equal(device_0->sta, 0x0F);
    assert_int_equal(device_1->uid_avail, AVAIL_MALFORMED);
    assert_string_equal(device_1->uid_text, "socket 0");
}

static void objects_are_decoded_and_shared(void **state)
{
    const struct object_result *pct;

    (void)state;
    open_tables("engine_basic");
    engine_evaluate(&bench.platform);
    pct = object("\\_SB.C000", OBJECT_PCT);
    assert_int_equal(pct->avail, AVAIL_PRESENT);
    assert_int_equal(pct->set->pct.control.gas.space, GAS_FFH);
    assert_int_equal(pct->set->pct.control.gas.address, 0x199);
    assert_int_equal(pct->set->pct.status.gas.access, 2);
    assert_int_equal(pct->repair, REPAIR_SAME);
    assert_int_equal(object("\\_SB.CPU0", OBJECT_PPC)->set->ppc, 0);
    assert_int_equal(object("\\_SB.CPU0", OBJECT_PSS)->avail, AVAIL_ABSENT);
    assert_ptr_equal(object("\\_SB.C000", OBJECT_PSD)->set, object("\\_SB.C001", OBJECT_PSD)->set);
    for (uint32_t i = 1; i < bench.platform.sets_count; i++) {
        assert_true(bench.platform.sets[i - 1]->kind <= bench.platform.sets[i]->kind);
    }
}

/* ACPICA sorts the named package in place; the second processor must still show what firmware said. */
static void repair_of_one_does_not_hide_anothers_fault(void **state)
{
    const struct object_result *first;
    const struct object_result *second;

    (void)state;
    open_tables("engine_basic");
    engine_evaluate(&bench.platform);
    first = object("\\_SB.C000", OBJECT_PSS);
    second = object("\\_SB.C001", OBJECT_PSS);
    assert_int_equal(first->set->pss.rows[0].field[PSS_FREQ_MHZ], 2000);
    assert_ptr_equal(first->set, second->set);
    assert_int_equal(first->repair, REPAIR_CHANGED);
    assert_int_equal(second->repair, REPAIR_CHANGED);
    assert_int_equal(first->repaired->pss.rows[0].field[PSS_FREQ_MHZ], 3000);
    assert_true(first->repaired->is_repaired);
}

static void an_invalid_state_is_dropped_by_repair_only(void **state)
{
    const struct object_result *cst;

    (void)state;
    open_tables("engine_basic");
    engine_evaluate(&bench.platform);
    cst = object("\\_SB.C001", OBJECT_CST);
    assert_int_equal(cst->set->cst.states_count, 2);
    assert_int_equal(cst->repair, REPAIR_CHANGED);
    assert_int_equal(cst->repaired->cst.count, 1);
    assert_int_equal(cst->repaired->cst.states_count, 1);
    assert_true(has_message("invalid Type(0)"));
}

static void hostile_objects_end_with_their_error(void **state)
{
    time_t start = time(NULL);
    const struct object_result *pss;

    (void)state;
    open_tables("engine_hostile");
    engine_evaluate(&bench.platform);
    pss = object("\\_SB.C000", OBJECT_PSS);
    assert_int_equal(pss->avail, AVAIL_FAULTED);
    assert_string_equal(pss->error, "AE_AML_LOOP_TIMEOUT");
    assert_string_equal(pss->error_path, "\\_SB.C000.SPIN");
    assert_string_equal(object("\\_SB.C000", OBJECT_PCT)->error, "AE_AML_DIVIDE_BY_ZERO");
    assert_string_equal(object("\\_SB.C000", OBJECT_PSD)->error, "AE_AML_METHOD_LIMIT");
    assert_string_equal(object("\\_SB.C000", OBJECT_CPC)->error, "AE_NO_MEMORY");
    assert_string_equal(object("\\_SB.C000", OBJECT_CSD)->error, "AE_AML_NO_RETURN_VALUE");
    assert_string_equal(object("\\_SB.C000", OBJECT_LPI)->error, "AE_TIME");
    assert_string_equal(object("\\_SB.C001", OBJECT_PCT)->error, "AE_AML_LOOP_TIMEOUT");
    assert_string_equal(object("\\_SB.C001", OBJECT_PSD)->error, "AE_NOT_FOUND");
    assert_in_range(time(NULL) - start, 0, 60);
}

static void the_next_evaluation_works_after_a_hostile_one(void **state)
{
    const struct object_result *ppc;

    (void)state;
    open_tables("engine_hostile");
    engine_evaluate(&bench.platform);
    ppc = object("\\_SB.C000", OBJECT_PPC);
    assert_int_equal(ppc->avail, AVAIL_PRESENT);
    assert_int_equal(ppc->set->ppc, 0);
    assert_int_equal(ppc->unrecorded, 1);
    assert_int_equal(ppc->hardware_reads, 1);
    assert_int_equal(object("\\_SB.C000", OBJECT_CST)->repair, REPAIR_UNSAFE);
    assert_int_equal(object("\\_SB.C001", OBJECT_CSD)->repair, REPAIR_UNSAFE);
}

/* Bug report 44: a legal loop of many turns is no endless one, also on a clock that stands still. */
static void a_legal_loop_passes_on_a_stopped_clock(void **state)
{
    (void)state;
    bench.is_clock_still = true;
    bench.config.evaluation_budget_ms = 2000;
    open_tables("engine_hostile");
    engine_evaluate(&bench.platform);
    assert_int_equal(object("\\_SB.C001", OBJECT_PPC)->set->ppc, 60000);
    assert_string_equal(object("\\_SB.C000", OBJECT_PSS)->error, "AE_AML_LOOP_TIMEOUT");
}

static void a_table_loaded_by_the_handshake_counts(void **state)
{
    const struct acpi_table *last;

    (void)state;
    bench.memory = read_file("engine_dynamic_inner", &bench.memory_bytes);
    open_tables("engine_dynamic");
    assert_int_equal(bench.platform.processors_count, 1);
    engine_handshake(&bench.platform);
    assert_int_equal(bench.platform.handshake.dynamic_tables, 1);
    assert_true(bench.platform.handshake.has_platform_osc);
    assert_null(bench.platform.handshake.platform_error);
    assert_int_equal(bench.platform.handshake.pdc_count, 1);
    assert_int_equal(bench.platform.processors_count, 2);
    last = &bench.platform.tables[bench.platform.tables_count - 1];
    assert_string_equal(last->origin, "dynamic");
    assert_string_equal(last->oem_table_id, "INNER");
    engine_evaluate(&bench.platform);
    assert_int_equal(object("\\_SB.C000", OBJECT_PSS)->set->pss.rows[0].field[PSS_FREQ_MHZ], 1000);
    assert_int_equal(object("\\_SB.C000", OBJECT_PPC)->set->ppc, OPTIONS_DEFAULT_PLATFORM_CAPS);
}

static void given_words_reach_the_firmware(void **state)
{
    (void)state;
    bench.options.caps = CAPS_GIVEN;
    bench.options.proc_caps = 0x10;
    bench.options.has_platform_caps = true;
    bench.options.platform_caps = 0x42;
    open_tables("engine_dynamic");
    engine_handshake(&bench.platform);
    engine_evaluate(&bench.platform);
    assert_int_equal(bench.platform.handshake.dynamic_tables, 0);
    assert_int_equal(object("\\_SB.C000", OBJECT_PPC)->set->ppc, 0x42);
}

static void no_handshake_evaluates_nothing(void **state)
{
    (void)state;
    bench.options.caps = CAPS_NONE;
    open_tables("engine_dynamic");
    engine_handshake(&bench.platform);
    engine_evaluate(&bench.platform);
    assert_false(bench.platform.handshake.is_done);
    assert_int_equal(object("\\_SB.C000", OBJECT_PPC)->set->ppc, 0);
}

/* A load from memory that holds no table fails with its error, and the rest goes on. */
static void a_missing_dynamic_table_is_an_error(void **state)
{
    (void)state;
    open_tables("engine_dynamic");
    engine_handshake(&bench.platform);
    assert_int_equal(bench.platform.handshake.dynamic_tables, 0);
    assert_string_equal(processor("\\_SB.C000")->pdc_error, "AE_INVALID_TABLE_LENGTH");
}

static void checksummed_cmos_is_not_written(void **state)
{
    (void)state;
    open_tables("engine_access");
    engine_evaluate(&bench.platform);
    /* Index 2EH, index 0FH, and byte 0FH, which no checksum covers; twice, for the second view. */
    assert_int_equal(bench.platform.aml.denied % 2, 0);
    assert_int_equal(object("\\_SB.C000", OBJECT_PSD)->denied, 1);
    assert_int_equal(object("\\_SB.C000", OBJECT_PSD)->hardware_writes, 3);
    assert_int_equal(bench.last_port_value, 0x66);
    assert_non_null(strstr(bench.platform.aml.first_denied, "0x71"));
}

static void read_only_denies_every_port_write(void **state)
{
    (void)state;
    bench.config.policy = POLICY_READ_ONLY;
    open_tables("engine_access");
    engine_evaluate(&bench.platform);
    assert_int_equal(bench.port_writes, 0);
    assert_int_equal(object("\\_SB.C000", OBJECT_PSD)->denied, 4);
    assert_int_equal(object("\\_SB.C000", OBJECT_PSD)->set->raw->integer, 0x1880);
}

static void written_memory_reads_back(void **state)
{
    (void)state;
    open_tables("engine_access");
    engine_evaluate(&bench.platform);
    assert_int_equal(object("\\_SB.C000", OBJECT_PCT)->set->raw->integer, 0x12345678);
    assert_int_equal(object("\\_SB.C000", OBJECT_PCT)->unrecorded, 0);
}

static void forbidden_memory_is_not_written(void **state)
{
    (void)state;
    bench.forbidden_paddr = 0x20000004;
    open_tables("engine_access");
    engine_evaluate(&bench.platform);
    assert_int_equal(object("\\_SB.C000", OBJECT_PCT)->denied, 1);
    assert_int_equal(object("\\_SB.C000", OBJECT_PCT)->set->raw->integer, 0);
}

static void absent_memory_of_a_live_machine_reads_all_ones(void **state)
{
    (void)state;
    bench.hw.is_live = true;
    open_firmware("engine_access");
    engine_evaluate(&bench.platform);
    assert_int_equal(object("\\_SB.C000", OBJECT_PPC)->set->ppc, UINT32_MAX);
    assert_true(bench.platform.aml.absent_memory > 0);
    assert_non_null(strstr(bench.platform.aml.first_absent, "0x20000004"));
}

/* --tables: another machine's AML must not touch this one. */
static void tables_from_files_never_reach_live_hardware(void **state)
{
    (void)state;
    bench.hw.is_live = true;
    open_tables("engine_access");
    engine_evaluate(&bench.platform);
    assert_int_equal(bench.port_writes, 0);
    assert_int_equal(object("\\_SB.C000", OBJECT_PPC)->set->ppc, 0);
    assert_int_equal(object("\\_SB.C000", OBJECT_PPC)->unrecorded, 1);
    assert_int_equal(object("\\_SB.C000", OBJECT_PCT)->set->raw->integer, 0x12345678);
}

static void firmware_tables_and_files_give_the_same(void **state)
{
    (void)state;
    open_firmware("engine_basic");
    engine_evaluate(&bench.platform);
    assert_int_equal(bench.platform.processors_count, 3);
    assert_int_equal(bench.platform.fadt.avail, AVAIL_PRESENT);
    assert_int_equal(object("\\_SB.C000", OBJECT_PSS)->repair, REPAIR_CHANGED);
    for (uint32_t i = 0; i < bench.platform.tables_count; i++) {
        assert_string_not_equal(bench.platform.tables[i].origin, "synthetic");
    }
}

/* Linux on a CPU that it knows: query, then commit; _PDC on Intel only after _OSC failed. */
static void a_known_cpu_gets_the_handshake_of_linux(void **state)
{
    static const struct cpuid_leaf leaves[] = {{.leaf = 0, .eax = 1},
                                               {.leaf = 1, .ecx = 1U << 7, .edx = 1U << 22}};
    static const struct cpuid_set set = {.count = 2, .leaves = leaves};

    (void)state;
    open_tables("engine_dynamic");
    bench.platform.identity.avail = AVAIL_PRESENT;
    bench.platform.identity.vendor = VENDOR_AMD;
    bench.platform.identity.max_leaf = 1;
    bench.platform.cpuid_kinds = &set;
    bench.platform.cpuid_kinds_count = 1;
    engine_handshake(&bench.platform);
    assert_int_equal(bench.platform.handshake.proc_caps, 0x8BF);
    assert_int_equal(bench.platform.handshake.platform_caps, 0x2E7EFF);
    assert_int_equal(bench.platform.handshake.pdc_count, 0);
    bench.platform.identity.vendor = VENDOR_INTEL;
    engine_handshake(&bench.platform);
    assert_int_equal(bench.platform.handshake.pdc_count, 1);
}

static void no_tables_at_all_is_said(void **state)
{
    (void)state;
    assert_int_equal(engine_open(&bench.config, &bench.platform), STATUS_NOT_FOUND);
    assert_non_null(bench.platform.acpi_error);
    engine_handshake(&bench.platform);
    engine_evaluate(&bench.platform);
    assert_int_equal(bench.platform.processors_count, 0);
}

/* One program run may look at many machines. */
static void the_interpreter_starts_again(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        open_tables("engine_basic");
        engine_evaluate(&bench.platform);
        assert_int_equal(bench.platform.processors_count, 3);
        engine_close();
        free(bench.aml);
        bench.aml = NULL;
        platform_init(&bench.platform, &bench.heap.arena, &bench.options);
    }
}

/* What a crashed start left in ACPICA's variables points into memory that is gone by the next. */
static void a_start_after_a_crash_looks_at_nothing_old(void **state)
{
    (void)state;
    bench.config.protect = crash_guard_run;
    bench.aml = read_file("engine_break", &bench.blob.length);
    bench.blob.bytes = bench.aml;
    bench.config.blobs = &bench.blob;
    bench.config.blobs_count = 1;
    assert_int_not_equal(engine_open(&bench.config, &bench.platform), STATUS_OK);
    assert_non_null(bench.platform.acpi_error);
    tear_down(NULL);
    set_up(NULL);
    open_tables("engine_basic");
    assert_null(bench.platform.acpi_error);
    assert_int_equal(bench.platform.processors_count, 3);
}

static void hostile_evaluations_leave_no_memory_behind(void **state)
{
    size_t taken_bytes;

    (void)state;
    open_tables("engine_basic");
    engine_evaluate(&bench.platform);
    taken_bytes = bench.heap.arena.total_bytes;
    for (unsigned i = 0; i < 200; i++) {
        engine_evaluate(&bench.platform);
    }
    /* Each run keeps its own sets, a few KiB; the interpreter's memory does not grow. */
    assert_in_range(bench.heap.arena.total_bytes, taken_bytes, taken_bytes + 200 * 16 * 1024);
}

#define ENGINE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ENGINE_TEST(a_bare_ssdt_loads),
        ENGINE_TEST(processors_of_every_kind_are_listed),
        ENGINE_TEST(objects_are_decoded_and_shared),
        ENGINE_TEST(repair_of_one_does_not_hide_anothers_fault),
        ENGINE_TEST(an_invalid_state_is_dropped_by_repair_only),
        ENGINE_TEST(hostile_objects_end_with_their_error),
        ENGINE_TEST(the_next_evaluation_works_after_a_hostile_one),
        ENGINE_TEST(a_legal_loop_passes_on_a_stopped_clock),
        ENGINE_TEST(a_table_loaded_by_the_handshake_counts),
        ENGINE_TEST(given_words_reach_the_firmware),
        ENGINE_TEST(no_handshake_evaluates_nothing),
        ENGINE_TEST(a_missing_dynamic_table_is_an_error),
        ENGINE_TEST(checksummed_cmos_is_not_written),
        ENGINE_TEST(read_only_denies_every_port_write),
        ENGINE_TEST(written_memory_reads_back),
        ENGINE_TEST(forbidden_memory_is_not_written),
        ENGINE_TEST(absent_memory_of_a_live_machine_reads_all_ones),
        ENGINE_TEST(tables_from_files_never_reach_live_hardware),
        ENGINE_TEST(firmware_tables_and_files_give_the_same),
        ENGINE_TEST(a_known_cpu_gets_the_handshake_of_linux),
        ENGINE_TEST(no_tables_at_all_is_said),
        ENGINE_TEST(the_interpreter_starts_again),
        ENGINE_TEST(a_start_after_a_crash_looks_at_nothing_old),
        ENGINE_TEST(hostile_evaluations_leave_no_memory_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
