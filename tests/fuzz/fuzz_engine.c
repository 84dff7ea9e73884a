#include "acpi/bytes.h"
#include "acpi/engine.h"
#include "host/crash_guard.h"
#include "model/numbering.h"
#include "tests/sim/heap.h"
#include "tests/sim/sim_hw.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEADER_BYTES 36U
#define MOST_BYTES 4096U

/* Every look at this clock takes a millisecond, so that endless loops end soon. */
static uint64_t fast_clock(void *context)
{
    uint64_t *now_100ns = context;

    *now_100ns += 10000;
    return *now_100ns;
}

/* Any bytes as the body of an SSDT: the engine comes back, and gives all processors their objects. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sim_hw sim;
    uint64_t now_100ns = 0;
    struct heap heap;
    struct options options;
    struct platform platform;
    uint8_t table[HEADER_BYTES + MOST_BYTES] = "SSDT";
    size_t body_bytes = size < MOST_BYTES ? size : MOST_BYTES;
    struct table_blob blob = {
        .origin = "fuzz", .bytes = table, .length = HEADER_BYTES + body_bytes};
    struct engine_config config = {.hw = &sim.hw,
                                   .options = &options,
                                   .blobs_count = 1,
                                   .blobs = &blob,
                                   .now_100ns = fast_clock,
                                   .now_context = &now_100ns,
                                   .evaluation_budget_ms = 100,
                                   .protect = crash_guard_run};

    memcpy(table + HEADER_BYTES, data, body_bytes);
    bytes_put(table + 4, 4, blob.length);
    table[8] = 2;
    heap_init(&heap, (size_t)256 * 1024 * 1024);
    sim_hw_init(&sim);
    sim.is_lenient = true;
    options_init(&options);
    config.arena = &heap.arena;
    platform_init(&platform, &heap.arena, &options);
    if (engine_open(&config, &platform) == STATUS_OK) {
        numbering_assign(&platform, NUMBERING_BOOT_UNKNOWN);
        engine_handshake(&platform);
        numbering_assign(&platform, NUMBERING_BOOT_UNKNOWN);
        engine_evaluate(&platform);
    }
    engine_close();
    for (uint32_t i = 0; i < platform.processors_count; i++) {
        for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
            const struct object_result *result = &platform.processors[i].objects[kind];

            if ((result->avail == AVAIL_PRESENT) != (result->set != NULL)) {
                abort();
            }
        }
    }
    heap_free(&heap);
    return 0;
}
