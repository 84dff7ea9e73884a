#include "host/diff_compare.h"
#include "host/json_text.h"
#include "host/rebuild.h"
#include "tests/sim/heap.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool drop(void *context, const char *bytes, size_t length)
{
    (void)context;
    (void)bytes;
    (void)length;
    return true;
}

/* Any JSON is rendered by every writer and compared with itself without a difference. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    void (*const writers[])(const struct report *, struct textbuf *) = {
        report_text, report_json, report_html, report_junit, report_tap, report_csv};
    static struct rebuilt rebuilt;
    static char buffer[4096];
    char message[200] = "";
    json_t *root = json_text_read((const char *)data, size, message, sizeof(message));
    json_t *result;
    struct heap heap;

    if (root == NULL) {
        return 0;
    }
    heap_init(&heap, (size_t)1 << 30);
    rebuild_tame(root);
    if (rebuild(root, &heap.arena, &rebuilt) == STATUS_OK) {
        for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
            struct textbuf out;

            textbuf_init(&out, buffer, sizeof(buffer), drop, NULL);
            writers[i](&rebuilt.report, &out);
        }
        json_decref(rebuild_differs(root, &rebuilt));
    }
    result = diff_compare(root, root);
    if (json_is_true(json_object_get(result, "changed"))) {
        abort();
    }
    json_decref(result);
    json_decref(root);
    heap_free(&heap);
    return 0;
}
