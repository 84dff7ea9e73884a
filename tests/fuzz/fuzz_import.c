#include "host/import.h"
#include "tests/sim/heap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Files and archives of any bytes are taken or refused, within bounds. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct machine machine;
    struct import import;
    struct heap heap;

    heap_init(&heap, (size_t)1 << 30);
    memset(&machine, 0, sizeof(machine));
    machine.arena = &heap.arena;
    machine.name = "input";
    import_init(&import, &machine);
    if (import_file(&import, "input", data, size) == STATUS_OK) {
        (void)import_finish(&import);
    }
    heap_free(&heap);
    return 0;
}
