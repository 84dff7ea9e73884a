#include "host/acpidump.h"
#include "host/cpuid_text.h"
#include "host/msr_text.h"
#include "host/trace_text.h"
#include "tests/sim/heap.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The dumps of other tools: the same bytes to each reader, whose results must be in their order. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct cpuid_text cpuid;
    struct msr_text msrs;
    struct acpidump dump;
    struct trace_text trace;
    struct heap heap;

    heap_init(&heap, 0);
    if (cpuid_text_parse(text, size, &heap.arena, &cpuid) == STATUS_OK) {
        for (uint32_t i = 1; i < cpuid.kinds_count; i++) {
            if (cpuid.kinds[i].first_cpu <= cpuid.kinds[i - 1].first_cpu) {
                abort();
            }
        }
    }
    if (msr_text_parse(text, size, &heap.arena, &msrs) == STATUS_OK) {
        for (uint32_t i = 1; i < msrs.msrs_count; i++) {
            if (msrs.msrs[i].cpu < msrs.msrs[i - 1].cpu) {
                abort();
            }
        }
    }
    if (acpidump_parse(text, size, &heap.arena, &dump) == STATUS_OK && dump.blobs_count == 0) {
        abort();
    }
    if (trace_text_parse(text, size, &heap.arena, &trace) != STATUS_OK) {
        abort();
    }
    heap_free(&heap);
    return 0;
}
