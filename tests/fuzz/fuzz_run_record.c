#include "host/run_record.h"
#include "host/samples_text.h"
#include "model/record.h"
#include "tests/sim/heap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* run.json, then after a NUL samples.csv: any bytes give a record whose arrays and texts are whole, or a message. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size == 0 ? NULL : memchr(data, '\0', size);
    size_t length = end == NULL ? size : (size_t)(end - data);
    static struct run_record record;
    static struct platform platform;
    struct options options;
    struct rubbish rubbish;
    char message[200] = "";
    struct heap heap;

    heap_init(&heap, 0);
    if (run_record_parse((const char *)data, length, &heap.arena, &record, message,
                         sizeof(message)) != STATUS_OK) {
        if (message[0] == '\0') {
            abort();
        }
    } else {
        if (end != NULL &&
            samples_text_parse((const char *)end + 1, size - length - 1, &heap.arena,
                               &record.platform, &rubbish) == STATUS_OK &&
            record.platform.samples.used > record.platform.samples.capacity) {
            abort();
        }
        options_init(&options);
        platform_init(&platform, &heap.arena, &options);
        record_apply(&record.platform, &platform);
        platform_freeze(&platform);
        for (uint32_t i = 0; i < record.tables_count; i++) {
            (void)run_record_stand_in(&record.tables[i].about, &heap.arena);
        }
    }
    heap_free(&heap);
    return 0;
}
