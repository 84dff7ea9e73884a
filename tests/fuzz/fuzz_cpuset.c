#include "model/cpuset.h"
#include "tests/sim/heap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever parses must come back the same from its own printed form, in any room. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct heap heap;
    char list[512];
    char text[2048];
    size_t length = size < sizeof(list) - 1 ? size : sizeof(list) - 1;
    struct cpuset set;
    struct cpuset again;

    memcpy(list, data, length);
    list[length] = '\0';
    heap_init(&heap, 0);
    set = cpuset_create(&heap.arena, 300);
    again = cpuset_create(&heap.arena, 300);
    if (cpuset_parse(list, &set) == STATUS_OK) {
        cpuset_format(&set, text, size % 64);
        cpuset_format(&set, text, sizeof(text));
        if (cpuset_parse(text, &again) != STATUS_OK || !cpuset_equal(&set, &again)) {
            abort();
        }
    }
    heap_free(&heap);
    return 0;
}
