#include "acpi/decode_tables.h"
#include "tests/sim/heap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every decoder reads every table within its bytes, whatever length it claims. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct heap heap;
    struct acpi_table table = {.read_bytes = (uint32_t)size};
    uint8_t *bytes = malloc(size == 0 ? 1 : size);
    struct fadt fadt;
    struct madt madt;
    struct pcct pcct;
    struct hpet hpet;

    memcpy(bytes, data, size);
    table.bytes = bytes;
    table.length = size >= 8 ? (uint32_t)bytes[4] | (uint32_t)bytes[5] << 8 : 0;
    heap_init(&heap, 0);
    decode_fadt(&table, &fadt);
    decode_madt(&table, &heap.arena, &madt);
    decode_pcct(&table, &heap.arena, &pcct);
    decode_hpet(&table, &hpet);
    if (madt.enabled_count > madt.count || (pcct.count > 0 && pcct.subspaces == NULL)) {
        abort();
    }
    heap_free(&heap);
    free(bytes);
    return 0;
}
