/*
 * views MACHINE: collects from a machine folder as `assay check` does, then computes what Linux makes of it several
 * times; prints the medians in microseconds: all versions, the newest one alone.
 */
#include "acpi/engine.h"
#include "drivers/hw_replay.h"
#include "host/machine.h"
#include "host/memory.h"
#include "model/linux/view.h"
#include "run/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS 9

struct seen {
    struct arena arena;
    struct options options;
    struct machine machine;
    struct hw_replay replay;
    struct platform platform;
};

typedef void (*computation)(struct platform *platform, struct linux_version first);

static uint64_t now_100ns(void *context)
{
    struct timespec now;

    (void)context;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 10000000 + (uint64_t)now.tv_nsec / 100;
}

static void collect(struct seen *seen, const char *const *path)
{
    char message[512] = "";
    struct machine *machine = &seen->machine;

    if (machine_load(path, 1, &seen->arena, machine, message, sizeof(message)) != STATUS_OK) {
        (void)fprintf(stderr, "views: %s\n", message);
        exit(EXIT_FAILURE);
    }
    seen->replay.kinds = machine->kinds;
    seen->replay.kinds_count = machine->kinds_count;
    struct pipeline pipeline = {.hw = &seen->replay.hw,
                                .options = &seen->options,
                                .arena = &seen->arena,
                                .source = machine->source,
                                .source_name = machine->name,
                                .engine = {.blobs_count = machine->blobs_count,
                                           .blobs = machine->blobs,
                                           .now_100ns = now_100ns}};

    platform_init(&seen->platform, &seen->arena, &seen->options);
    if (hw_replay_start(&seen->replay, &seen->arena) != STATUS_OK ||
        pipeline_collect(&pipeline, &seen->platform) != STATUS_OK) {
        (void)fprintf(stderr, "views: %s cannot be collected\n", path[0]);
        exit(EXIT_FAILURE);
    }
}

static int by_size(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

static uint64_t median_us(struct seen *seen, computation compute, uint32_t views)
{
    uint64_t took[RUNS];

    for (unsigned run = 0; run < RUNS; run++) {
        uint64_t start = now_100ns(NULL);

        compute(&seen->platform, LINUX_NEWEST);
        took[run] = (now_100ns(NULL) - start) / 10;
        if (seen->platform.linux_views == NULL || seen->platform.linux_views->count != views) {
            (void)fprintf(stderr, "views: not all versions were computed\n");
            exit(EXIT_FAILURE);
        }
    }
    qsort(took, RUNS, sizeof(took[0]), by_size);
    return took[RUNS / 2];
}

int main(int count, char **words)
{
    static struct seen seen;
    const char *path[1];

    if (count != 2) {
        (void)fprintf(stderr, "usage: views MACHINE\n");
        return 2;
    }
    path[0] = words[1];
    memory_init(&seen.arena);
    options_init(&seen.options);
    collect(&seen, path);
    uint64_t all_us = median_us(&seen, linux_views_compute, linux_profiles_count());
    uint64_t one_us = median_us(&seen, linux_views_compute_one, 1);
    (void)printf("%llu %llu\n", (unsigned long long)all_us, (unsigned long long)one_us);
    return EXIT_SUCCESS;
}
