#include "acpi/bytes.h"
#include "drivers/hw_replay.h"
#include "host/cpuid_text.h"
#include "host/crash_guard.h"
#include "host/file.h"
#include "host/machine.h"
#include "run/pipeline.h"
#include "tests/sim/heap.h"
#include "tests/sim/report_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***words);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/*
 * A whole machine: the first byte chooses the CPU, the rest are ACPI tables one after another, each as long as
 * its header says (ACPI 6.5 section 5.2.6), the first of them the DSDT as the loader orders them. It is collected,
 * judged and reported with the guards on, and what the writers give must be JSON, XML, HTML.
 */
#define HEADER_BYTES 36U
#define LENGTH_AT 4U
#define CHECKSUM_AT 9U
#define TABLES_MAX 64U
#define FINDINGS_CAPACITY 4096U
#define HEAP_BYTES ((size_t)512 * 1024 * 1024)

static const char *const cpu_texts[] = {
    "tests/machines/epyc-7742/cpuid.txt",       "tests/machines/hybrid/cpuid.txt",
    "tests/machines/atom-x5-z8350/cpuid.txt",   "tests/machines/skylake-x/cpuid.txt",
    "tests/machines/ryzen-7840hs/cpuid.txt",    "tests/machines/guest/cpuid.txt",
    "tests/machines/knights-landing/cpuid.txt",
};
#define CPU_TEXTS (sizeof(cpu_texts) / sizeof(cpu_texts[0]))

static struct heap texts_heap;
static struct cpuid_text cpu_kinds[CPU_TEXTS];

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count;
    (void)words;
    heap_init(&texts_heap, 0);
    for (size_t i = 0; i < CPU_TEXTS; i++) {
        struct file_bytes file;

        if (file_read(cpu_texts[i], &texts_heap.arena, &file) != STATUS_OK ||
            cpuid_text_parse((const char *)file.bytes, file.length, &texts_heap.arena,
                             &cpu_kinds[i]) != STATUS_OK) {
            (void)fprintf(stderr, "%s cannot be read: run this at the top of the tree\n",
                          cpu_texts[i]);
            exit(1);
        }
    }
    return 0;
}

/* The bytes of the table at `at`: what its header says, within what is there. 0: no room for a header. */
static size_t table_bytes(const uint8_t *data, size_t size, size_t at)
{
    uint64_t length;

    if (size - at < HEADER_BYTES) {
        return 0;
    }
    length = bytes_get(data + at + LENGTH_AT, 4);
    if (length < HEADER_BYTES) {
        length = HEADER_BYTES;
    }
    return length < size - at ? (size_t)length : size - at;
}

static void mend_checksum(uint8_t *table, size_t bytes)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < bytes; i++) {
        sum = (uint8_t)(sum + table[i]);
    }
    table[CHECKSUM_AT] = (uint8_t)(table[CHECKSUM_AT] - sum);
}

/* Changes the body of one table and keeps its length and checksum true, so that most inputs reach the interpreter;
 * one in sixteen changes any byte. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size_t starts[TABLES_MAX];
    size_t count = 0;
    size_t at;
    size_t bytes;
    size_t room;
    size_t body;
    size_t tail;
    static uint8_t scratch[1 << 20];

    for (at = 1; size > 1 && at < size && count < TABLES_MAX; at += bytes) {
        bytes = table_bytes(data, size, at);
        if (bytes == 0) {
            break;
        }
        starts[count++] = at;
    }
    if (count == 0 || seed % 16 == 0) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    at = starts[seed / 16 % count];
    bytes = table_bytes(data, size, at);
    tail = size - at - bytes;
    room = max_size - size + bytes - HEADER_BYTES;
    if (bytes == HEADER_BYTES || bytes > sizeof(scratch) / 2) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    if (room > sizeof(scratch)) {
        room = sizeof(scratch);
    }
    memcpy(scratch, data + at + HEADER_BYTES, bytes - HEADER_BYTES);
    body = LLVMFuzzerMutate(scratch, bytes - HEADER_BYTES, room);
    memmove(data + at + HEADER_BYTES + body, data + at + bytes, tail);
    memcpy(data + at + HEADER_BYTES, scratch, body);
    bytes_put(data + at + LENGTH_AT, 4, HEADER_BYTES + body);
    mend_checksum(data + at, HEADER_BYTES + body);
    return at + HEADER_BYTES + body + tail;
}

/* Every look at this clock takes a millisecond, so that endless loops end soon. */
static uint64_t fast_clock(void *context)
{
    uint64_t *now_100ns = context;

    *now_100ns += 10000;
    return *now_100ns;
}

static uint32_t split(const uint8_t *data, size_t size, struct arena *arena,
                      struct table_blob *blobs)
{
    uint32_t count = 0;
    size_t bytes;

    for (size_t at = 1; at < size && count < TABLES_MAX; at += bytes) {
        bytes = table_bytes(data, size, at);
        if (bytes == 0) {
            break;
        }
        blobs[count++] =
            (struct table_blob){.origin = "fuzz", .bytes = data + at, .length = (uint32_t)bytes};
    }
    machine_order_blobs(blobs, count, arena);
    return count;
}

static void judge_and_report(const struct platform *platform, struct arena *arena)
{
    static const struct build_info build = {.version = "0", .build = "unknown", .acpica = "0"};
    struct findings findings;
    struct report report = {.build = &build, .platform = platform, .findings = &findings};

    if (findings_init(&findings, arena, FINDINGS_CAPACITY, platform->cpus_count) == STATUS_OK &&
        pipeline_judge(platform, &findings) == STATUS_OK) {
        const char *problem = report_check(&report);

        if (problem != NULL) {
            (void)fprintf(stderr, "%s\n", problem);
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct hw_replay replay;
    static struct platform platform;
    static struct options options;
    struct table_blob blobs[TABLES_MAX];
    uint64_t now_100ns = 0;
    struct heap heap;
    const struct cpuid_text *cpus;
    struct pipeline pipeline = {.hw = &replay.hw,
                                .options = &options,
                                .source = SOURCE_FOLDER,
                                .source_name = "fuzz",
                                .engine = {.protect = crash_guard_run,
                                           .blobs = blobs,
                                           .may_write = hw_replay_may_write,
                                           .may_write_context = &replay,
                                           .now_100ns = fast_clock,
                                           .now_context = &now_100ns,
                                           .evaluation_budget_ms = 100}};

    if (size < 1 + HEADER_BYTES) {
        return 0;
    }
    heap_init(&heap, HEAP_BYTES);
    memset(&replay, 0, sizeof(replay));
    cpus = &cpu_kinds[data[0] % CPU_TEXTS];
    replay.kinds = cpus->kinds;
    replay.kinds_count = cpus->kinds_count;
    options_init(&options);
    pipeline.arena = &heap.arena;
    pipeline.engine.blobs_count = split(data, size, &heap.arena, blobs);
    if (hw_replay_start(&replay, &heap.arena) == STATUS_OK) {
        platform_init(&platform, &heap.arena, &options);
        if (pipeline_collect(&pipeline, &platform) != STATUS_NO_MEMORY) {
            judge_and_report(&platform, &heap.arena);
        }
    }
    heap_free(&heap);
    return 0;
}
