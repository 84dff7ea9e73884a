#include "host/diff_compare.h"
#include "host/json_text.h"
#include "host/rebuild.h"
#include "run/pipeline.h"
#include "tests/sim/heap.h"
#include "tests/sim/report_check.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FINDINGS_CAPACITY 4096U

/* Whatever a report claims: every writer gives well-formed bytes, with the findings that it stored and with those
 * that our rules find in it. */
static void check_reports(struct rebuilt *rebuilt, struct arena *arena)
{
    struct findings anew;
    struct report report = rebuilt->report;
    const char *problem = report_check(&report);

    report.findings = &anew;
    if (problem == NULL &&
        findings_init(&anew, arena, FINDINGS_CAPACITY, rebuilt->platform.cpus_count) == STATUS_OK &&
        pipeline_judge(&rebuilt->platform, &anew) == STATUS_OK) {
        problem = report_check(&report);
    }
    if (problem != NULL) {
        (void)fprintf(stderr, "%s\n", problem);
        abort();
    }
}

/* Any JSON is rendered by every writer and compared with itself without a difference. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rebuilt rebuilt;
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
        check_reports(&rebuilt, &heap.arena);
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
